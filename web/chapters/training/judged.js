// What decides a comparison, where the held-out loss does not: how far one may rely on the model's probabilities, and how
// far its answers hold beyond the lengths that it was trained on.
import { html, nothing } from 'lit';
import '../../stage/elements/plot.js';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { typeset } from '../../stage/telling/number.js';
import { calibrationOf } from './calibration.js';
import { TrainingPart } from './part.js';
import { betterOf } from './verdict.js';

/** @typedef {import('./element.js').Now} Now */
/** @typedef {import('../../stage/elements/plot.js').Chart} Chart */
/** @typedef {{ title: string, chart: Chart, picked: number, sentence: string }} Judgement */

/** Classes of fewer tokens are not drawn: one or two of them say nothing. */
const MIN_TOKENS = 5;
const COLOURS = { a: '--ink', b: '--accent' };

/** @type {Readonly<Record<string, string>>} */
const CALIBRATED_TEXTS = {
  a: 'chapters/training/judged/better/a',
  b: 'chapters/training/judged/better/b',
};

export class Judged extends TrainingPart {
  static properties = { now: { attribute: false }, place: { state: true } };

  constructor() {
    super();
    /** The place that the reader picked. @type {number | null} */
    this.place = null;
  }

  render() {
    const { now, place } = this;
    const judged = now.state.off === null ? null : JUDGES[now.state.off]?.(now);
    if (!judged) return nothing;
    const { title, chart, picked, sentence } = judged;
    return html`<figure>
      <figcaption class="label">${title}</figcaption>
      <gf-plot
        .chart=${{ ...chart, across: '', up: '', low: 0, high: 1 }}
        .at=${Math.min(place ?? picked, chart.places.length - 1)}
        .theme=${now.theme}
        .label=${title}
        @gf-place=${(/** @type {CustomEvent} */ { detail }) => {
          this.place = detail.place;
        }}
      ></gf-plot>
      ${sentence ? html`<p class="quiet">${typeset(sentence)}</p>` : nothing}
    </figure>`;
  }
}

/** Both runs, as they were tried last up to the step that is shown. @param {Now} now */
const triedOf = ({ sides, shown }) =>
  sides.flatMap(({ side, record }) => {
    const tried = record.evaluationAt(shown);
    return tried ? [{ side, tried }] : [];
  });

/** @param {Now} now @returns {Judgement | null} */
function calibration(now) {
  const measured = triedOf(now).flatMap(({ side, tried }) => {
    const made = calibrationOf(tried);
    const bins = made?.bins.filter(({ count }) => count >= MIN_TOKENS) ?? [];
    return made ? [{ side, share: tried.share, ...made, bins }] : [];
  });
  if (measured.length < 2) return null;
  const sure = measured.flatMap(({ bins }) => bins.map((bin) => bin.sure));
  const places = [...new Set([0, ...sure, 1])].sort((one, other) => one - other);
  const curves = measured.map(({ side, bins }) => ({
    label: `${side.toUpperCase()} ${text('chapters/training/curves/lines/share')}`,
    values: places.map((place) => bins.find((bin) => bin.sure === place)?.right ?? null),
    colour: COLOURS[side],
    joined: true,
  }));
  const ideal = text('chapters/training/judged/ideal');
  const [a, b] = measured;
  const better = betterOf(a.error, b.error);
  return {
    title: text('chapters/training/judged/calibration'),
    chart: {
      ...{ places, across: '', up: '' },
      curves: [...curves, { label: ideal, values: places, colour: '--quiet', dashed: true }],
      names: (place) => text('chapters/training/judged/probability', { p: display(place) }),
    },
    picked: places.length - 1,
    sentence: [
      text('chapters/training/judged/sure', {
        sureA: display(a.mean),
        rightA: display(a.share),
        sureB: display(b.mean),
        rightB: display(b.share),
      }),
      text('chapters/training/judged/apart', { a: display(a.error), b: display(b.error) }),
      text(better ? CALIBRATED_TEXTS[better] : 'chapters/training/judged/alike'),
    ].join(' '),
  };
}

/** @param {Now} now @returns {Judgement | null} */
function lengths(now) {
  const { started } = now;
  const tried = triedOf(now);
  if (!started || tried.length < 2) return null;
  const places = [...new Set(started.lengths)].sort((one, other) => one - other);
  const longest = started.runs.b?.longest ?? 0;
  const curves = tried.map(({ side, tried: { answered } }) => ({
    label: `${side.toUpperCase()} ${text('chapters/training/curves/lines/right')}`,
    values: places.map((place) => {
      const these = answered.filter((_, i) => started.lengths[i] === place);
      return these.reduce((sum, right) => sum + right, 0) / these.length;
    }),
    colour: COLOURS[side],
  }));
  const names = (/** @type {number} */ place) =>
    text('chapters/training/judged/length', { n: place });
  return {
    title: text('chapters/training/judged/lengths', { longest }),
    chart: { places, curves, across: '', up: '', names },
    picked: places.findLastIndex((place) => place <= longest),
    sentence: '',
  };
}

/** By what B lacks.
 * @type {Readonly<Record<string, (now: Now) => Judgement | null>>} */
const JUDGES = { smoothing: calibration, length: lengths };

customElements.define('gf-judged', Judged);
