// How a number is derived, in four forms: symbols, indices, numbers, result. A form is a list of
// pieces, between which a long line may break.
import { mathml, nothing } from 'lit';
import { stem } from '../draw/names.js';
import { cell, element, matrix, plainNumber, value } from './mathml.js';

/** @typedef {import('../state/view.js').View & { many?: number }} View */
/** @typedef {import('../session.js').Explanation} Explanation */
/** @typedef {import('../session.js').Valued} Valued */
/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('./mathml.js').Math} Math */
/** @typedef {{ symbols: Math[], indices: Math[], numbers: Math[], result: Math[] }} Derivation */
/**
 * The right-hand side of each op; indices and numbers need a cell, symbols do not.
 * @typedef {{
 *   symbols: (step: Step, view: View) => Math,
 *   indices: (told: Explanation, view: View, step: Step) => Math[],
 *   numbers: (told: Explanation, view: View) => Math[],
 * }} Side
 */

/** Sums of more terms than this, or than view.many, are told with a sigma, and by their first and last
 * products. */
const MANY = 4;

const is = mathml`<mo>=</mo>`;
const plus = mathml`<mo form="infix">+</mo>`;
const minus = mathml`<mo form="infix">−</mo>`;

/**
 * @param {View} view
 * @returns {Derivation} only symbols while there is no cell yet
 */
export function derivation(view) {
  const { explained: told, trace, hover } = view;
  const step = told ? trace.step(told.node) : view.stage;
  const side = sideOf(step);
  const self = matrix(step.name);
  /** @type {Derivation} */
  const forms = {
    symbols: [side ? mathml`${self}${is}${side.symbols(step, view)}` : self],
    indices: [],
    numbers: [],
    result: [],
  };
  if (!told) return forms;
  const own = cell(told, hover);
  const [first, ...rest] = side ? side.indices(told, view, step) : [];
  forms.indices = side ? [mathml`${own}${is}${first}`, ...rest] : [own];
  const [number, ...numbers] = side ? side.numbers(told, view) : [];
  if (side) forms.numbers = [mathml`${is}${number}`, ...numbers];
  forms.result = [mathml`${is}${value(told, hover)}`];
  return forms;
}

/**
 * @param {Step} step
 * @returns {Side | undefined} nothing for what is given or held fast
 */
function sideOf(step) {
  if (step.frozen) return undefined;
  return step.bypassed !== null ? copied : SIDES[step.op];
}

/**
 * @param {Step} step
 * @param {number} k
 */
const operand = (step, k) => matrix(String(step.inputs[k]));

/** @type {Side} */
const copied = {
  symbols: (step) => operand(step, step.bypassed ?? 0),
  indices: (told, { hover }) => [cell(told.from, hover)],
  numbers: (told, { hover }) => [value(told.from, hover)],
};

/** @type {Side} */
const product = {
  symbols: (step) => {
    const transposed = step.op === 'matmul' && step.attributes.transposed === 1;
    const right = transposed
      ? mathml`<msup>${operand(step, 1)}<mi mathvariant="normal">T</mi></msup>`
      : operand(step, 1);
    const bias = step.inputs[2] ? mathml`${plus}${operand(step, 2)}` : nothing;
    return mathml`${operand(step, 0)}${right}${bias}`;
  },
  indices: (told, view) => {
    if (told.terms.length > (view.many ?? MANY)) return sigma(told, view);
    return sum(
      told,
      view,
      ({ a, b }) => mathml`${cell(a, view.hover)}${cell(b, view.hover)}`,
      cell,
    );
  },
  numbers: (told, view) => {
    const times = (/** @type {{ a: Valued, b: Valued }} */ { a, b }, /** @type {number} */ at) =>
      mathml`${value(a, view.hover, at > 0)}<mo>·</mo>${value(b, view.hover, true)}`;
    return sum(told, view, times, (bias, hover) => value(bias, hover, true));
  },
};

/**
 * The terms, or the first and the last of them, and the bias.
 * @param {Explanation} told
 * @param {View} view
 * @param {(term: { a: Valued, b: Valued }, at: number) => Math} show
 * @param {(bias: Valued, hover: View['hover']) => Math} showBias
 */
function sum({ terms, bias }, view, show, showBias) {
  const parts = terms.map((/** @type {any} */ term, /** @type {number} */ at) => {
    const active = at === view.term && view.terms > 1 ? 'active' : '';
    return mathml`<mrow class=${active}>${show(term, at)}</mrow>`;
  });
  const shown =
    parts.length > (view.many ?? MANY)
      ? [parts[0], mathml`<mo>⋯</mo>`, parts[parts.length - 1]]
      : parts;
  if (bias) shown.push(showBias(bias, view.hover));
  return shown.map((/** @type {Math} */ part, /** @type {number} */ at) =>
    at > 0 ? mathml`${plus}${part}` : part,
  );
}

/**
 * A long sum by its indices.
 * @param {Explanation} told
 * @param {View} view
 */
function sigma({ terms, bias }, { hover }) {
  const [{ a, b }, next] = terms;
  // The index that a sum runs through is the one in which two of its terms differ.
  const factor = (/** @type {Valued} */ one, /** @type {Valued} */ other) =>
    element(
      one.node,
      one.index.map((i, at) =>
        i === other.index[at] ? mathml`<mn>${i + 1}</mn>` : mathml`<mi>k</mi>`,
      ),
    );
  const all = mathml`<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mn>${terms.length}</mn></munderover>`;
  const whole = mathml`${all}${factor(a, next.a)}${factor(b, next.b)}`;
  return bias ? [whole, mathml`${plus}${cell(bias, hover)}`] : [whole];
}

/**
 * The width of a query, whose root the scores are divided by.
 * @param {Step} step
 * @param {View} view
 */
function queryWidth({ inputs }, { trace }) {
  const scores = trace.step(String(inputs[0]));
  return trace.step(String(scores.inputs[0])).shape.at(-1);
}

/**
 * @param {Math} above
 * @param {Math} below
 */
const fraction = (above, below) =>
  mathml`<mfrac><mrow>${above}</mrow><mrow>${below}</mrow></mfrac>`;

/** @param {Math} of */
const root = (of) => mathml`<msqrt>${of}</msqrt>`;

/** @param {Math} of */
const power = (of) => mathml`<msup><mi>e</mi><mrow>${of}</mrow></msup>`;

/**
 * @param {string} name
 * @param {Math} of
 */
const call = (name, of) =>
  mathml`<mi mathvariant="normal">${name}</mi><mo stretchy="false">(</mo>${of}<mo stretchy="false">)</mo>`;

/**
 * @param {Math} position
 * @param {Math} channel
 * @param {number} width
 */
const angle = (position, channel, width) =>
  mathml`${position}<mo>/</mo><msup><mn>10000</mn><mrow>${channel}<mo>/</mo><mn>${width}</mn></mrow></msup>`;

/**
 * A number of a turned pair: two products, or what was passed through.
 * @param {Explanation} told
 * @param {(of: Valued, signed: boolean) => Math} show
 */
function turn({ turned, sign, from }, show) {
  if (!turned) return [show(from, false)];
  const [first, second] = turned.map(
    (/** @type {any} */ { a, b }, /** @type {number} */ at) =>
      mathml`${show(a, at > 0)}<mo>·</mo>${show(b, true)}`,
  );
  return [first, mathml`<mo form="infix">${sign < 0 ? '−' : '+'}</mo>${second}`];
}

/** Whether a scaling is that of scores, by the width of a query. @param {Step} step */
const isOfScores = ({ name }) => stem(name) === 'scores.scaled';

/** Embeddings are multiplied by the root of their width. @param {Step} step */
const isRootOfWidth = ({ attributes: { factor }, shape }) =>
  Math.abs(factor * factor - Number(shape.at(-1))) < 1e-3;

/**
 * gain (x - mean) / deviation + bias, or gain x / root mean square.
 * @param {(x: Math) => Math} centred
 * @param {Math} below
 * @returns {Side}
 */
function norm(centred, below) {
  /**
   * @param {Math} share
   * @param {Math | null} gain
   * @param {Math | null} bias
   */
  const whole = (share, gain, bias) => [
    gain ? mathml`${share}<mo>·</mo>${gain}` : share,
    ...(bias ? [mathml`${plus}${bias}`] : []),
  ];
  return {
    symbols: (step) => {
      const [, gain, bias] = step.inputs.map((name) => name && matrix(name));
      return whole(fraction(centred(operand(step, 0)), below), gain ?? null, bias ?? null);
    },
    indices: ({ x, gain, bias }, { hover }) =>
      whole(
        fraction(centred(cell(x, hover)), below),
        gain && cell(gain, hover),
        bias && cell(bias, hover),
      ),
    numbers: ({ x, mean, deviation, root: under, gain, bias }, { hover }) =>
      whole(
        fraction(
          mean === undefined
            ? value(x, hover)
            : mathml`${value(x, hover)}${minus}${plainNumber(mean)}`,
          plainNumber(deviation ?? under),
        ),
        gain && value(gain, hover, true),
        bias && value(bias, hover, true),
      ),
  };
}

/**
 * A function of one number.
 * @param {(x: Math, step: Step) => Math} show
 * @param {(told: Explanation, x: Math) => Math} count
 * @returns {Side}
 */
const single = (show, count = (_, x) => show(x, /** @type {any} */ (null))) => ({
  symbols: (step) => show(operand(step, 0), step),
  indices: ({ x }, { hover }, step) => [show(cell(x, hover), step)],
  numbers: (told, { hover }) => [count(told, value(told.x, hover))],
});

/** x times a share of it that follows from x. @param {string} name */
const gated = (name) =>
  single(
    (x) => mathml`${x}<mo>·</mo>${call(name, x)}`,
    ({ share, inner }, x) =>
      share === undefined
        ? mathml`${fraction(x, mathml`<mn>2</mn>`)}<mo>·</mo><mo stretchy="false">(</mo><mn>1</mn>${plus}${plainNumber(inner)}<mo stretchy="false">)</mo>`
        : mathml`${x}<mo>·</mo>${plainNumber(share)}`,
  );

/** @type {Record<string, Side>} */
const SIDES = {
  layer_norm: norm((x) => mathml`${x}${minus}<mi>μ</mi>`, mathml`<mi>σ</mi>`),
  rms_norm: norm((x) => x, mathml`<mi mathvariant="normal">rms</mi>`),
  relu: single((x) => call('max', mathml`<mn>0</mn><mo>,</mo>${x}`)),
  gelu: gated('Φ'),
  silu: gated('σ'),
  swiglu: {
    symbols: (step) =>
      mathml`${operand(step, 0)}<mo>·</mo>${call('σ', operand(step, 0))}<mo>·</mo>${operand(step, 1)}`,
    indices: ({ a, b }, { hover }) => [
      mathml`${cell(a, hover)}<mo>·</mo>${call('σ', cell(a, hover))}<mo>·</mo>${cell(b, hover)}`,
    ],
    numbers: ({ a, b, share }, { hover }) => [
      mathml`${value(a, hover)}<mo>·</mo>${plainNumber(share)}<mo>·</mo>${value(b, hover, true)}`,
    ],
  },
  tanh: single((x) => call('tanh', x)),
  dropout: {
    symbols: (step) =>
      fraction(call('keep', operand(step, 0)), mathml`<mn>1</mn>${minus}<mi>p</mi>`),
    indices: ({ keep, x }, { hover }) => [
      keep ? fraction(cell(x, hover), mathml`<mn>1</mn>${minus}<mi>p</mi>`) : mathml`<mn>0</mn>`,
    ],
    numbers: ({ keep, x, rest }, { hover }) => [
      keep ? fraction(value(x, hover), plainNumber(rest)) : mathml`<mn>0</mn>`,
    ],
  },
  linear: product,
  matmul: product,
  scale: {
    symbols: (step) => {
      if (isOfScores(step)) {
        return fraction(operand(step, 0), root(mathml`<msub><mi>d</mi><mi>k</mi></msub>`));
      }
      const factor = isRootOfWidth(step) ? root(mathml`<mi>d</mi>`) : null;
      const plain = mathml`<mo>·</mo>${plainNumber(step.attributes.factor)}`;
      return mathml`${operand(step, 0)}${factor ?? plain}`;
    },
    indices: (told, view, step) => {
      const x = cell(told.x, view.hover);
      if (isOfScores(step)) return [fraction(x, root(mathml`<mn>${queryWidth(step, view)}</mn>`))];
      const width = Number(step.shape.at(-1));
      const factor = isRootOfWidth(step) ? root(mathml`<mn>${width}</mn>`) : null;
      return [mathml`${x}${factor ?? mathml`<mo>·</mo>${plainNumber(told.factor)}`}`];
    },
    numbers: (told, { hover }) => [
      mathml`${value(told.x, hover)}<mo>·</mo>${plainNumber(told.factor)}`,
    ],
  },
  add: {
    symbols: (step) => mathml`${operand(step, 0)}${plus}${operand(step, 1)}`,
    indices: ({ a, b }, { hover }) => [mathml`${cell(a, hover)}${plus}${cell(b, hover)}`],
    numbers: ({ a, b }, { hover }) => [mathml`${value(a, hover)}${plus}${value(b, hover, true)}`],
  },
  mask: {
    symbols: (step) => call('mask', operand(step, 0)),
    indices: ({ keep, x }, { hover }) => [
      keep ? cell(x, hover) : mathml`<mo form="prefix">−</mo><mi>∞</mi>`,
    ],
    numbers: ({ keep, x }, { hover }) => [
      keep ? value(x, hover) : mathml`<mo form="prefix">−</mo><mi>∞</mi>`,
    ],
  },
  softmax: {
    symbols: (step) => call('softmax', operand(step, 0)),
    indices: (told, { hover }) => {
      const own = told.row[told.index[told.index.length - 1]];
      const before = own.index
        .slice(0, -1)
        .map((/** @type {number} */ i) => mathml`<mn>${i + 1}</mn>`);
      const any = element(own.node, [...before, mathml`<mi>k</mi>`]);
      const all = mathml`<munder><mo>∑</mo><mi>k</mi></munder>`;
      return [fraction(power(cell(own, hover)), mathml`${all}${power(any)}`)];
    },
    numbers: ({ numerator, total }) => [fraction(plainNumber(numerator), plainNumber(total))],
  },
  rotation: {
    symbols: (step) => {
      const width = Number(step.attributes.dimensions);
      return call('cos, sin', angle(mathml`<mi>p</mi>`, mathml`<mn>2</mn><mi>i</mi>`, width));
    },
    indices: (told, _, step) => {
      const even = mathml`<mn>${2 * told.pair}</mn>`;
      const width = Number(step.attributes.dimensions);
      return [call(told.fn, angle(mathml`<mn>${told.position}</mn>`, even, width))];
    },
    numbers: (told) => [call(told.fn, plainNumber(told.angle))],
  },
  rope: {
    symbols: (step) => call('turn', operand(step, 0)),
    indices: (told, { hover }) => turn(told, (of) => cell(of, hover)),
    numbers: (told, { hover }) => turn(told, (of, signed) => value(of, hover, signed)),
  },
  alibi: {
    symbols: (step) =>
      mathml`${operand(step, 0)}<mo>−</mo><mi>m</mi><mo>|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>|</mo>`,
    indices: ({ x, index }, { hover }) => {
      const [i, j] = index.slice(-2);
      return [
        cell(x, hover),
        mathml`<mo form="infix">−</mo><mi>m</mi><mo>|</mo><mn>${i + 1}</mn><mo>−</mo><mn>${j + 1}</mn><mo>|</mo>`,
      ];
    },
    numbers: ({ x, slope, distance }, { hover }) => [
      value(x, hover),
      mathml`<mo form="infix">−</mo>${plainNumber(slope)}<mo>·</mo><mn>${distance}</mn>`,
    ],
  },
  embed: {
    symbols: (step) =>
      mathml`${operand(step, 0)}<mo stretchy="false">[</mo>${operand(step, 1)}<mo stretchy="false">]</mo>`,
    indices: (told, { hover }) => [cell(told.row, hover)],
    numbers: (told, { hover }) => [value(told.row, hover)],
  },
  position: {
    symbols: (step) => {
      const width = Number(step.shape.at(-1));
      return call('sin, cos', angle(mathml`<mi>p</mi>`, mathml`<mn>2</mn><mi>i</mi>`, width));
    },
    indices: (told, _, step) => {
      const even = mathml`<mn>${2 * told.pair}</mn>`;
      const position = mathml`<mn>${told.position}</mn>`;
      return [call(told.fn, angle(position, even, Number(step.shape.at(-1))))];
    },
    numbers: (told) => [call(told.fn, plainNumber(told.angle))],
  },
  heads: {
    symbols: (step) => call(step.attributes.heads > 0 ? 'split' : 'concat', operand(step, 0)),
    indices: (told, { hover }) => [cell(told.from, hover)],
    numbers: (told, { hover }) => [value(told.from, hover)],
  },
};
