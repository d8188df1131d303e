// Curves over a row of places, drawn by uPlot. One place is picked: a slider for keys and pointers, whose
// numbers stand below the curves.
import { html, nothing } from 'lit';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import '../../style/plot.css';
import { text } from '../../app/locale/text.js';
import { display, numeral, point } from '../draw/format.js';
import { number, plain, typeset } from '../telling/number.js';
import { Base } from './base.js';
import { roomObserver, rootStyle, unitOf } from './room.js';

/**
 * @typedef {{
 *   label: string, values: (number | null)[], colour: string, dashed?: boolean, dots?: boolean,
 *   thin?: boolean, joined?: boolean, band?: { low: (number | null)[], high: (number | null)[] },
 *   of?: (place: number) => number,
 *   cellAt?: (place: number) => import('../draw/tensor.js').Cell & { run?: string },
 * }} Curve
 * colour: the name of a custom property of the page, '--accent'.
 * dots: places alone, not joined.
 * joined: where there is no value, the line goes on, and the last one before it is told.
 * band: from where to where the values reach whose mean is drawn.
 * of: the function whose values these are: it is drawn between the places, too.
 * cellAt: the cell of a tensor that the value at a place is, if it is one.
 */
/**
 * @typedef {{
 *   places: number[], curves: Curve[], across: string, up: string,
 *   low?: number, high?: number, stepped?: boolean, names?: (place: number) => string,
 *   logs?: { x?: boolean, y?: boolean },
 * }} Chart
 * places: in rising order, one per value.
 * stepped: each place has a step of the width to itself, as a cell of a matrix below has.
 * logs: which axes are divided by powers: x by those of 2, y by those of 10.
 */

const WIDTH = { line: 1.75, thin: 1, mark: 1 };
const THIN = 0.5;
const BAND = 0.18;
/** Between the marks of an axis of whole numbers, such as steps. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, k) => [1, 2, 5].map((n) => n * 10 ** k)).flat();
const LABEL = 18;
/** px of the design between two lines of the grid, at least */
const APART = { x: 50, y: 40 };
/** px of the design between the edge of the plot and its curves */
export const INSET = { left: 62, right: 14 };

/** Colours and type of the page, and the px of one of the design.
 * @typedef {{ unit: number, font: string, colour: (name: string) => string }} Style */

export class Plot extends Base {
  static properties = {
    chart: { attribute: false },
    at: { attribute: false },
    label: { attribute: false },
    theme: { attribute: false },
    over: { state: true },
    box: { state: true },
  };

  constructor() {
    super();
    /** @type {Chart} */
    this.chart = { places: [], curves: [], across: '', up: '' };
    /** The place that is picked, an index. */
    this.at = 0;
    this.label = '';
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {number | null} the place under the pointer */
    this.over = null;
    this.box = { width: 0, height: 0 };
    this.observer = roomObserver((box) => {
      this.box = box;
    });
    /** @type {uPlot | null} */
    this.plot = null;
    /** @type {unknown[]} what the plot was made for */
    this.made = [];
  }

  firstUpdated() {
    this.observer.observe(/** @type {Element} */ (this.querySelector('.canvas')));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.plot?.destroy();
    this.plot = null;
    this.made = [];
  }

  /** The place that is told: the one under the pointer, or else the one that is picked. */
  get shownPlace() {
    const last = Math.max(0, this.chart.places.length - 1);
    return Math.min(this.over ?? this.at, last);
  }

  render() {
    const { chart, shownPlace } = this;
    const words = this.#words(shownPlace);
    return html`<div
        class="canvas"
        role="slider"
        tabindex="0"
        aria-label=${this.label}
        aria-valuemin=${chart.places[0] ?? 0}
        aria-valuemax=${chart.places.at(-1) ?? 0}
        aria-valuenow=${chart.places[shownPlace] ?? 0}
        aria-valuetext=${words}
        @keydown=${this.#key}
        @click=${() => {
          if (this.over !== null) this.#pick(this.over);
        }}
      ></div>
      <p class="told">
        <b>${this.#name(shownPlace)}</b>
        ${chart.curves.map((curve) => this.#entry(curve, shownPlace))}
      </p>`;
  }

  /** @param {number} place an index */
  #name(place) {
    const { places, across, names } = this.chart;
    const x = places[place];
    if (x === undefined) return '';
    return names ? names(x) : `${across} ${display(x)}`;
  }

  /** @param {number} place */
  #words(place) {
    const values = this.chart.curves.map(({ label, values, band }) => {
      const value = values[place];
      if (value === null || value === undefined) return '';
      return `${label} ${display(value)} ${rangeOf(band, place)}`.trim();
    });
    return [this.#name(place), ...values].filter((part) => part !== '').join(', ');
  }

  /**
   * @param {Curve} curve
   * @param {number} place
   */
  #entry({ label, values, colour, dashed, dots, thin, joined, band, cellAt }, place) {
    const index = joined ? lastOf(values, place) : place;
    const value = values[index];
    if (value === null || value === undefined) return nothing;
    return html`<span class="entry">
      <svg class="key ${thin ? 'thin' : ''}" viewBox="0 0 20 8" aria-hidden="true" style="stroke:var(${colour})">
        <path d=${dots ? 'M10 4h0' : 'M0 4h20'} stroke-dasharray=${dashed ? '5 3' : nothing} />
      </svg>
      ${typeset(label)} ${cellAt ? number({ ...cellAt(index), value }) : plain(value)} ${rangeOf(band, index)}
    </span>`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.chart.places.length - 1;
    const to = {
      ArrowLeft: this.at - 1,
      ArrowDown: this.at - 1,
      ArrowRight: this.at + 1,
      ArrowUp: this.at + 1,
      PageDown: this.at - 10,
      PageUp: this.at + 10,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    this.over = null;
    this.#pick(Math.max(0, Math.min(last, to)));
  }

  /** @param {number} place */
  #pick(place) {
    if (place === this.at) return;
    this.dispatchEvent(new CustomEvent('gf-place', { detail: { place }, bubbles: true }));
  }

  updated() {
    const { chart, box, theme } = this;
    if (box.width === 0 || box.height === 0) return;
    const shape = [theme, point(), chart.across, chart.up, chart.low, chart.high, chart.stepped];
    const kind = JSON.stringify(
      chart.curves.map(({ values, cellAt, band, of, ...look }) => ({
        ...look,
        band: Boolean(band),
      })),
    );
    /* In front of a class type is larger. */
    const made = [...shape, unitOf(this), chart.logs?.x, chart.logs?.y, kind];
    if (this.plot && made.every((part, k) => part === this.made[k])) {
      const { width, height } = this.plot;
      if (width !== box.width || height !== box.height) this.plot.setSize(box);
      this.plot.setData(this.#data());
    } else {
      this.plot?.destroy();
      this.made = made;
      this.plot = this.#make(/** @type {HTMLElement} */ (this.querySelector('.canvas')));
    }
  }

  /** @returns {uPlot.AlignedData} */
  #data() {
    const { places, curves } = this.chart;
    const bands = curves.flatMap(({ band }) => (band ? [band.high, band.low] : []));
    return [places, ...curves.map(({ values }) => values), ...bands];
  }

  /** @returns {Style} */
  #style() {
    const style = rootStyle(this);
    const unit = Number.parseFloat(style.fontSize) / 16;
    return {
      unit,
      font: `${12 * unit}px ${style.getPropertyValue('--sans')}`,
      colour: (/** @type {string} */ name) => style.getPropertyValue(name).trim(),
    };
  }

  /** @param {Style} style @returns {uPlot.Axis[]} */
  #axes({ unit, font, colour }) {
    const { chart } = this;
    const axis = (/** @type {string} */ label, /** @type {number} */ size) => ({
      ...(label && { label, labelFont: font, labelSize: LABEL * unit }),
      size: size * unit,
      font,
      stroke: colour('--quiet'),
      /* As all numbers here, whatever the browser's language. */
      values: (/** @type {uPlot} */ _, /** @type {(number | null)[]} */ splits) =>
        this.inStyle(() => splits.map((value) => (value === null ? '' : tick(value)))),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line'), width: 1, size: 4 },
    });
    return [
      {
        ...axis(chart.across, 28),
        space: APART.x * unit,
        ...(chart.places.every(Number.isInteger) && { incrs: WHOLE_STEPS }),
      },
      {
        ...axis(chart.up, INSET.left - LABEL),
        space: APART.y * unit,
        /* A number such as 1.5e23 takes more. */
        size: (_, written) => unit * Math.max(INSET.left - LABEL, 9 + 7 * longestOf(written ?? [])),
      },
    ];
  }

  /** Each curve, and behind all of them the edges of the bands.
   * @param {Style} style
   * @returns {Pick<uPlot.Options, 'series' | 'bands'>} */
  #series({ unit, colour }) {
    const { curves } = this.chart;
    const banded = curves.filter(({ band }) => band);
    const edges = curves.length + 1;
    return {
      series: [
        {},
        ...curves.map((curve) => ({
          label: curve.label,
          stroke: colour(curve.colour),
          width: (curve.thin ? WIDTH.thin : WIDTH.line) * unit,
          alpha: curve.thin ? THIN : 1,
          /* On whole pixels a straight line would be a stair. */
          pxAlign: 0,
          spanGaps: curve.joined ?? false,
          dash: curve.dashed ? [6 * unit, 4 * unit] : undefined,
          paths: pathOf(curve),
          points: curve.dots
            ? { show: true, size: 5 * unit, fill: colour(curve.colour) }
            : { show: false },
        })),
        ...banded.flatMap(() => [EDGE, EDGE]),
      ],
      bands: banded.map((curve, k) => ({
        series: [edges + 2 * k, edges + 2 * k + 1],
        fill: translucent(colour(curve.colour), BAND),
      })),
    };
  }

  /** @param {HTMLElement} into */
  #make(into) {
    const { chart, box } = this;
    const style = this.#style();
    const { unit, colour } = style;
    /** @type {uPlot.Options} */
    const options = {
      ...box,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      padding: [8 * unit, (chart.stepped ? INSET.right : 2 * INSET.right) * unit, 0, 0],
      scales: {
        x: {
          time: false,
          ...(chart.logs?.x && { distr: 3, log: 2 }),
          range: chart.stepped ? (_, low, high) => [low - 0.5, high + 0.5] : undefined,
        },
        y: {
          ...(chart.logs?.y && { distr: 3 }),
          ...(chart.low !== undefined && { range: [chart.low, chart.high ?? 1] }),
        },
      },
      axes: this.#axes(style),
      ...this.#series(style),
      hooks: {
        draw: [(u) => this.#mark(u, colour('--ink'))],
        setCursor: [(u) => this.#over(u.cursor.idx ?? null)],
      },
    };
    return new uPlot(options, this.#data(), into);
  }

  /** @param {number | null} place */
  #over(place) {
    const inside = this.plot?.cursor.left ?? -1;
    const over = inside < 0 ? null : place;
    if (over !== this.over) this.over = over;
  }

  /**
   * The picked place, and the curves' values at it.
   * @param {uPlot} u
   * @param {string} ink
   */
  #mark(u, ink) {
    const { places, curves } = this.chart;
    const picked = places[this.at];
    if (picked === undefined) return;
    const { ctx } = u;
    const x = u.valToPos(picked, 'x', true);
    const density = window.devicePixelRatio || 1;
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.lineWidth = WIDTH.mark * density;
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
    curves.forEach(({ values }, k) => {
      const value = values[this.at];
      if (value === null || value === undefined) return;
      const { stroke } = u.series[k + 1];
      ctx.fillStyle = /** @type {string} */ (
        typeof stroke === 'function' ? stroke(u, k + 1) : (stroke ?? ink)
      );
      ctx.beginPath();
      ctx.arc(x, u.valToPos(value, 'y', true), 3.5 * density, 0, 2 * Math.PI);
      ctx.fill();
    });
    ctx.restore();
  }
}

/**
 * How a curve is drawn: not at all between dots; a function along every other pixel, up to its last value.
 * @param {Curve} curve
 * @returns {uPlot.Series.PathBuilder | undefined} the straight lines from place to place, where there is nothing else
 */
function pathOf({ dots, of }) {
  if (dots) return () => null;
  if (!of) return undefined;
  return (u, series, first) => {
    const last = u.data[series].findLastIndex((value) => value !== null);
    if (last < first) return null;
    const [from, to] = [first, last].map((index) => u.valToPos(u.data[0][index], 'x', true));
    const stroke = new Path2D();
    const count = Math.ceil((to - from) / 2);
    for (let k = 0; k <= count; k++) {
      const x = Math.min(to, from + 2 * k);
      stroke.lineTo(x, u.valToPos(of(u.posToVal(x, 'x', true)), 'y', true));
    }
    return { stroke, fill: null, clip: null, band: null, gaps: [], flags: 1 };
  };
}

/** The edge of a band: it is filled up to there, and not drawn. */
const EDGE = { width: 0, pxAlign: 0, points: { show: false } };

/**
 * From where to where the values reach whose mean is shown: '(0.12 to 0.34)'.
 * @param {Curve['band']} band
 * @param {number} place
 */
function rangeOf(band, place) {
  const [low, high] = [band?.low[place], band?.high[place]];
  if (typeof low !== 'number' || typeof high !== 'number' || low === high) return '';
  return text('plot/range', { low: display(low), high: display(high) });
}

/**
 * @param {string} colour #rgb or #rrggbb
 * @param {number} share that covers what lies below
 */
function translucent(colour, share) {
  const digits = colour.slice(1);
  const [r, g, b] =
    digits.length === 3 ? [...digits].map((d) => d + d) : (digits.match(/../g) ?? []);
  return `rgb(${[r, g, b].map((pair) => Number.parseInt(pair, 16)).join(' ')} / ${share})`;
}

/** @param {string[]} written */
const longestOf = (written) => Math.max(0, ...written.map(({ length }) => length));

/**
 * A number beside an axis, where there is little room: 0.005, 1000, 1e-6.
 * @param {number} value
 */
const tick = (value) => {
  const size = Math.abs(value);
  const isPlain = value === 0 || (size >= 1e-3 && size < 1e6);
  return numeral(isPlain ? String(value) : Number(value.toPrecision(3)).toExponential());
};

/**
 * The last place with a value, up to a place; -1 if there is none.
 * @param {(number | null)[]} values
 * @param {number} place
 */
function lastOf(values, place) {
  for (let i = place; i >= 0; i--) if (values[i] !== null) return i;
  return -1;
}

customElements.define('gf-plot', Plot);
