// The machine in one picture: the rows of a sentence's tokens climb through encoder and decoder. Each square is a row at a stop,
// each road carries it on, and each part of the machine adds to it; lines are attention.
import { html, nothing, svg } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { brings, capital, language, text } from '../app/locale/text.js';
import { shortTitle, titleOf } from '../chapters/transformer/words.js';
import { layersOf } from '../stage/draw/blocks.js';
import { fill } from '../stage/draw/colour.js';
import { memoized } from '../stage/draw/memoized.js';
import { isPresented, oneScreen, roomObserver, unitOf } from '../stage/elements/room.js';
import { numberText } from './core.js';
import { filmOf, layoutOf, SIDES, stopsOf } from './machine-plan.js';
import { Film } from './picture.js';
import './machine.css';

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?lessons/machine',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./machine-plan.js').Side} Side */
/** @typedef {import('./machine-plan.js').Stop} Stop */
/** @typedef {import('./machine-plan.js').Place} Place */
/** @typedef {import('./machine-plan.js').Layout} Layout */

/** A line of less attention is not drawn. */
const MIN_SHARE = 0.06;
/** How large names are on a slide, whose type is large: the squares need the room. */
const ON_SLIDE = 0.9;

/** Of a run, the stops of its stacks, and the largest number of all. */
const stopsIn = memoized(
  (/** @type {{ steps: readonly import('../app/session.js').Step[] }} */ trace) => {
    const [encoder, decoder] = SIDES.map((side) => stopsOf(trace.steps, side));
    const rows = [...encoder, ...decoder].flatMap(({ step }) => [...step.data]);
    return { encoder, decoder, limit: rows.reduce((most, x) => Math.max(most, Math.abs(x)), 0) };
  },
);

/** Whether a token is a sign that no text has: where one starts, or ends. @param {string} token */
const isSign = (token) => token.startsWith('<');

/** @param {Place} a @param {Place | null} b */
const isSame = (a, b) => a.side === b?.side && a.lane === b.lane && a.stop === b.stop;

/** Its film's time is in ticks. @extends {Film<'machine'>} */
export class Machine extends Film {
  static PACE = 150;

  static properties = {
    ...Film.properties,
    box: { state: true },
    picked: { state: true },
  };

  constructor() {
    super();
    this.box = { width: 0, height: 0 };
    /** The place that is looked at. @type {Place | null} */
    this.picked = null;
    this.observer = roomObserver((box) => {
      this.box = box;
    });
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (changed.has('picture')) this.picked = null;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    const room = this.querySelector('.room');
    if (room) this.observer.observe(room);
    if (['view', 'box', 'picture', 'hides'].some((key) => changed.has(key))) this.#draw();
  }

  /** The tokens of each side, what is written above, and the stops. */
  get #run() {
    const { trace, example } = this.view;
    const { source = [], target = [] } = example.sides ?? {};
    const { encoder, decoder, limit } = stopsIn(trace);
    const sizes = {
      encoder: { lanes: source.length, stops: encoder.length },
      decoder: { lanes: target.length, stops: decoder.length },
    };
    const words = { encoder: source, decoder: target };
    const next = example.predicted ?? [];
    const real = [...source, ...target, ...next].filter((word) => !isSign(word));
    const letters = Math.max(0, ...real.map(({ length }) => length));
    return { words, next, letters, stops: { encoder, decoder }, sizes, limit };
  }

  get length() {
    return this.view ? filmOf(this.#run.sizes).ticks : 0;
  }

  get beat() {
    return this.t === null ? undefined : filmOf(this.#run.sizes).beatOf(this.t);
  }

  render() {
    if (!this.view) return nothing;
    const run = this.#run;
    const { width } = this.box;
    const height = oneScreen(this) ? this.box.height : 0;
    const type = isPresented(this) ? ON_SLIDE : 1;
    const layout = layoutOf({ width, height, unit: unitOf(this), type }, run.sizes, run.letters);
    const film = filmOf(run.sizes);
    const follows = this.picture.follows !== undefined;
    /* What is added is asked for where one column is followed. */
    const about = follows && this.hides ? '' : text('lessons/machine/about');
    /** Whether what comes at a tick is there. @param {number} tick */
    const has = (tick) => (this.t === null ? !this.hides || follows : tick <= this.t);
    return html`<div class="machine">
      <div
        class=${classMap({ room: true, narrow: layout.isNarrow, picked: this.picked !== null, follows })}
        style=${`--type:${type};--word:${layout.word};font-size:${16 * layout.unit}px;${oneScreen(this) ? '' : `height:${layout.height}px`}`}
        role="group"
        aria-label=${text('lessons/machine/label')}
        @keydown=${this.#pressed}
      >
        ${width > 0 ? this.#inside(layout, film, has) : nothing}
      </div>
      <p role="status">${this.picked && about ? this.#about(this.picked) : about}</p>
    </div>`;
  }

  /** @param {Layout} layout @param {ReturnType<typeof filmOf>} film @param {(tick: number) => boolean} has */
  #inside(layout, film, has) {
    const { sizes } = this.#run;
    /** @type {Place[]} */
    const places = SIDES.flatMap((side) =>
      Array.from({ length: sizes[side].lanes * sizes[side].stops }, (_, i) => {
        const { stops } = sizes[side];
        return { side, lane: Math.floor(i / stops), stop: i % stops };
      }),
    );
    return html`<svg width=${this.box.width} height=${layout.height} aria-hidden="true">
        ${SIDES.map((side) => this.#frames(side, layout))}
        ${places.map((place) => this.#road(place, layout))}
        ${places.map((place) => has(film.reaches(place)) && this.#lines(place, layout, Number(this.t) - film.reaches(place) < 2))}
      </svg>
      ${SIDES.map((side) => [this.#labels(side, layout), this.#words(side, layout, film, has)])}
      ${places.map((place) => this.#tile(place, layout, has(film.reaches(place))))}`;
  }

  /** Around the stops of a layer. @param {Side} side @param {Layout} layout */
  #frames(side, { pointOf, tile, lane, rise, start }) {
    const { stops, sizes } = this.#run;
    const layers = new Set(stops[side].flatMap(({ work }) => work?.layer ?? []));
    return [...layers].map((layer) => {
      const within = stops[side].flatMap(({ work }, stop) => (work?.layer === layer ? [stop] : []));
      const [top, bottom] = [within.at(-1), within[0]].map(
        (stop) => pointOf({ side, lane: 0, stop: Number(stop) }).y,
      );
      const y = top - tile / 2 - 4;
      return svg`<rect class="layer" x=${start[side]} y=${y} rx="6"
        width=${sizes[side].lanes * lane} height=${bottom - tile / 2 + rise - 6 - y - 4} />`;
    });
  }

  /** Whether a place is in the column that the scene follows. @param {Place} place */
  #isFollowed = ({ side, lane }) => side === 'encoder' && lane === this.picture.follows;

  /** What leads to a place: the road, and what is added to it there. @param {Place} place @param {Layout} layout */
  #road(place, { pointOf, tile, rise }) {
    const { x, y } = pointOf(place);
    const { work, weights } = this.#run.stops[place.side][place.stop];
    const from = work ? y + rise : y;
    const plus = y + tile / 2 + 9;
    const around = `M${x} ${y + rise - tile / 2}c${tile / 2} -4 ${tile / 2} ${plus - y - rise + tile / 2 + 4} 0 ${plus - y - rise + tile / 2}`;
    return svg`<path class=${classMap({ road: true, followed: this.#isFollowed(place) })} d="M${x} ${from}V${y}" />
      ${work && !weights ? svg`<path class="alone" d=${around} />` : nothing}
      ${work ? svg`<g class="plus"><circle cx=${x} cy=${plus} r="6" /><path d="M${x - 3} ${plus}h6m-3 -3v6" /></g>` : nothing}`;
  }

  /** Where the attention that is added at a place comes from. @param {Place} place @param {Layout} layout @param {boolean} isNew */
  #lines(place, { pointOf, tile, rise }, isNew) {
    const { stops, sizes } = this.#run;
    const { work, weights } = stops[place.side][place.stop];
    if (!weights) return nothing;
    const isCross = work?.kind === 'cross_attn';
    const { x, y } = pointOf(place);
    const end = y + tile / 2 + 9;
    const isLit = this.picked
      ? isSame(place, this.picked)
      : (this.t !== null && isNew) || this.#isFollowed(place);
    return weights[place.lane].map((share, lane) => {
      if (share < MIN_SHARE) return nothing;
      const from = pointOf(
        isCross
          ? { side: 'encoder', lane, stop: sizes.encoder.stops - 1 }
          : { side: place.side, lane, stop: place.stop - 1 },
      );
      const begin = from.y - tile / 2;
      const d = isCross
        ? `M${from.x} ${begin}C${from.x} ${begin - rise} ${x} ${end + rise} ${x} ${end}`
        : `M${from.x} ${begin}C${from.x} ${(begin + end) / 2} ${x} ${(begin + end) / 2} ${x} ${end}`;
      return svg`<path class=${isLit ? 'line lit' : 'line'} d=${d} style="--share:${share}" />`;
    });
  }

  /** What the parts of a stack are called. @param {Side} side @param {Layout} layout */
  #labels(side, { pointOf, lane, rise, tile, start, isNarrow }) {
    const { stops, sizes } = this.#run;
    const isLeft = side === 'encoder';
    const edge = isLeft ? start[side] : start[side] + sizes[side].lanes * lane;
    const blocks = stops[side].flatMap(({ work }) => work ?? []);
    return stops[side].map(({ work }, stop) => {
      if (!work) return nothing;
      const y = pointOf({ side, lane: 0, stop }).y + rise / 2;
      const isFirst = stops[side][stop - 1]?.work?.layer !== work.layer;
      const layer = Number(work.layer) + 1;
      const place = text('chapters/transformer/place', { layer, n: layersOf(blocks, side) });
      return html`<span
        class=${classMap({ part: true, left: isLeft })}
        style=${styleMap({ top: `${y + tile / 8}px`, left: `${edge}px` })}
        >${isFirst && !isNarrow ? html`<small>${place}</small>` : nothing}${shortTitle(work)}</span
      >`;
    });
  }

  /** The tokens below a stack, and above it the words that the decoder writes. @param {Side} side @param {Layout} layout
   * @param {ReturnType<typeof filmOf>} film @param {(tick: number) => boolean} has */
  #words(side, { pointOf, lane, tile, words, start, isNarrow, isAslant }, film, has) {
    const { words: all, next, sizes, stops } = this.#run;
    const lang = side === 'encoder' ? 'fr' : 'en';
    const word = (
      /** @type {string} */ shown,
      /** @type {number} */ x,
      /** @type {number} */ y,
      /** @type {string} */ kind,
    ) =>
      html`<span class=${classMap({ word: true, aslant: isAslant, sign: isSign(shown), [kind]: true })} lang=${lang} style=${styleMap({ left: `${x}px`, top: `${y}px` })}>${shown}</span>`;
    const isWritten = (/** @type {number} */ i) =>
      side === 'encoder' || i === 0 || has(film.writes(i - 1) + 1);
    const bottom = pointOf({ side, lane: 0, stop: 0 }).y + tile / 2 + words / 2;
    const top = pointOf({ side, lane: 0, stop: stops[side].length - 1 }).y - tile / 2;
    const label = text(
      side === 'encoder'
        ? 'chapters/transformer/stacks/encoder'
        : 'chapters/transformer/stacks/decoder',
    );
    const edge = side === 'encoder' ? start[side] : start[side] + sizes[side].lanes * lane;
    return html`${all[side].map((token, i) => (isWritten(i) ? word(token, pointOf({ side, lane: i, stop: 0 }).x, bottom, 'below') : nothing))}
      ${side === 'decoder' ? next.map((token, i) => (has(film.writes(i)) ? word(token, pointOf({ side, lane: i, stop: 0 }).x, top - words / 2, 'above') : nothing)) : nothing}
      ${isNarrow ? nothing : html`<b class=${classMap({ part: true, left: side === 'encoder' })} style=${styleMap({ left: `${edge}px`, top: `${bottom}px` })}>${label}</b>`}`;
  }

  /** A token's row at a stop. @param {Place} place @param {Layout} layout @param {boolean} isThere */
  #tile(place, { pointOf, tile }, isThere) {
    const { x, y } = pointOf(place);
    const pick = () => {
      this.picked = isThere ? place : null;
    };
    const leave = () => {
      this.picked = null;
    };
    const first = this.picked ?? { side: 'encoder', lane: 0, stop: 0 };
    return html`<button
      class=${classMap({ tile: true, there: isThere, followed: this.#isFollowed(place) })}
      style=${styleMap({ left: `${x - tile / 2}px`, top: `${y - tile / 2}px`, width: `${tile}px`, height: `${tile}px` })}
      data-place=${[place.side, place.lane, place.stop].join()}
      tabindex=${isSame(place, first) ? 0 : -1}
      aria-label=${isThere ? this.#about(place) : text('lessons/machine/empty')}
      @pointerenter=${pick}
      @pointerleave=${leave}
      @focus=${pick}
      @blur=${leave}
    ><canvas aria-hidden="true"></canvas></button>`;
  }

  /** What a row has gained at a place. @param {Place} place */
  #about({ side, lane, stop }) {
    const { words, stops } = this.#run;
    const { work, weights } = stops[side][stop];
    const word = words[side][lane];
    if (!work) return text('lessons/machine/enters', { word });
    const place = capital(titleOf(work));
    if (!weights) return text('lessons/machine/alone', { place, word });
    const row = weights[lane];
    const most = row.indexOf(Math.max(...row));
    const looked = words[work.kind === 'cross_attn' ? 'encoder' : side][most];
    const share = numberText(row[most], language(), 'percent');
    return text('lessons/machine/attends', { place, word, at: looked, share });
  }

  /** The colours of the rows, a pixel for a number, as near to a square as can be. */
  #draw() {
    const { stops, limit } = this.#run;
    const { theme } = this.view;
    for (const canvas of this.querySelectorAll('canvas')) {
      const [side, lane, stop] = String(canvas.parentElement?.dataset.place).split(',');
      const { data, shape } = stops[/** @type {Side} */ (side)][Number(stop)].step;
      const width = shape[1];
      const across = Math.ceil(Math.sqrt(width));
      const image = new ImageData(across, Math.ceil(width / across));
      for (let j = 0; j < width; j++) {
        image.data.set(
          [...fill(data[Number(lane) * width + j], 'signed', limit, theme), 255],
          4 * j,
        );
      }
      if (canvas.width !== image.width || canvas.height !== image.height)
        Object.assign(canvas, { width: image.width, height: image.height });
      canvas.getContext('2d')?.putImageData(image, 0, 0);
    }
  }

  /** Arrows lead from place to place. @param {KeyboardEvent} event */
  #pressed = (event) => {
    const { sizes } = this.#run;
    const { picked } = this;
    const [across, up] = {
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    }[event.key] ?? [0, 0];
    if (!picked || (!across && !up) || event.ctrlKey || event.metaKey || event.altKey) return;
    const column = (picked.side === 'encoder' ? 0 : sizes.encoder.lanes) + picked.lane + across;
    const side = column < sizes.encoder.lanes ? 'encoder' : 'decoder';
    const lane = side === 'encoder' ? column : column - sizes.encoder.lanes;
    const stop = Math.min(picked.stop + up, sizes[side].stops - 1);
    /** @type {HTMLElement | null} */
    const tile = this.querySelector(`[data-place="${[side, lane, stop].join()}"]`);
    tile?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
}

customElements.define('gf-machine-picture', Machine);
