// Right-hand sides that several ops share.

/** @typedef {import('./page.js').Notation} Notation */
/** @typedef {import('./page.js').Piece} Piece */
/** @typedef {import('./page.js').Side} Side */
/** @typedef {import('./page.js').Step} Step */
/** @typedef {import('./page.js').Told} Told */
/** @typedef {import('./page.js').View} View */
/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {{ a: Cell, b: Cell }} Term */

/** Sums of more terms than this, or than view.many, are written with a sigma, and with their first and last products. */
const MAX_TERMS = 4;

/** A sum of products, of which `symbols` writes the factors.
 * @param {Notation} notation @param {Side['symbols']} symbols
 * @returns {Side} */
export function product({ mathml, plus, element, cell, value }, symbols) {
  /** The terms, or the first and the last of them, and the bias.
   * @param {Told} told @param {View} view @param {(term: Term, at: number) => Piece} show
   * @param {(bias: Cell) => Piece} showBias */
  const sum = ({ terms, bias }, view, show, showBias) => {
    const part = (/** @type {Term} */ term, /** @type {number} */ i) => {
      const active = i === view.term && view.terms > 1 ? 'active' : '';
      return mathml`<mrow class=${active}>${show(term, i)}</mrow>`;
    };
    const last = terms.length - 1;
    const few = last < (view.many ?? MAX_TERMS);
    const shown = few
      ? terms.map(part)
      : [part(terms[0], 0), mathml`<mo>⋯</mo>`, part(terms[last], last)];
    if (bias) shown.push(showBias(bias));
    return shown.map((/** @type {Piece} */ part, /** @type {number} */ i) =>
      i > 0 ? mathml`${plus}${part}` : part,
    );
  };

  /** A long sum by its indices.
   * @param {Told} told */
  const sigma = ({ terms, bias }) => {
    const [{ a, b }, next] = terms;
    /* The index that a sum runs through is the one in which two of its terms differ.
     * @type {(one: Cell, other: Cell) => Piece} */
    const factor = (/** @type {Cell} */ one, /** @type {Cell} */ other) =>
      element(
        one.node,
        one.index.map((i, axis) =>
          i === other.index[axis] ? mathml`<mn>${i + 1}</mn>` : mathml`<mi>k</mi>`,
        ),
      );
    const all = mathml`<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mn>${terms.length}</mn></munderover>`;
    const whole = mathml`${all}${factor(a, next.a)}${factor(b, next.b)}`;
    return bias ? [whole, mathml`${plus}${cell(bias)}`] : [whole];
  };

  return {
    symbols,
    indices: (explanation, view) => {
      if (explanation.terms.length > (view.many ?? MAX_TERMS)) return sigma(explanation);
      const show = (/** @type {Term} */ { a, b }) => mathml`${cell(a)}${cell(b)}`;
      return sum(explanation, view, show, cell);
    },
    numbers: (explanation, view) => {
      const show = (/** @type {Term} */ { a, b }, /** @type {number} */ i) =>
        mathml`${value(a, i > 0)}<mo>·</mo>${value(b, true)}`;
      return sum(explanation, view, show, (bias) => value(bias, true));
    },
  };
}

/** A function of one number.
 * @param {Notation} notation @param {(x: Piece) => Piece} show
 * @param {(told: Told, x: Piece) => Piece} [count]
 * @returns {Side} */
export const single = ({ operand, cell, value }, show, count = (_, x) => show(x)) => ({
  symbols: (step) => show(operand(step, 0)),
  indices: ({ x }) => [show(cell(x))],
  numbers: (explanation) => [count(explanation, value(explanation.x))],
});

/** x times a share of it that follows from x.
 * @param {Notation} notation @param {string} name of the share */
export const gated = (notation, name) => {
  const { mathml, call, plainNumber } = notation;
  return single(
    notation,
    (x) => mathml`${x}<mo>·</mo>${call(name, x)}`,
    ({ share }, x) => mathml`${x}<mo>·</mo>${plainNumber(share)}`,
  );
};

/** gain (x - mean) / deviation + bias, or gain x / root mean square.
 * @param {Notation} notation @param {(x: Piece) => Piece} centred @param {Piece} below
 * @returns {Side} */
export function norm(notation, centred, below) {
  const { mathml, plus, minus, matrix, operand, fraction, cell, value, plainNumber } = notation;
  /** @param {Piece} share @param {Piece} gain @param {Piece} bias */
  const whole = (share, gain, bias) => [
    gain ? mathml`${share}<mo>·</mo>${gain}` : share,
    ...(bias ? [mathml`${plus}${bias}`] : []),
  ];
  return {
    symbols: (step) => {
      const [, gain, bias] = step.inputs.map((name) => name && matrix(name));
      return whole(fraction(centred(operand(step, 0)), below), gain, bias);
    },
    indices: ({ x, gain, bias }) =>
      whole(fraction(centred(cell(x)), below), gain && cell(gain), bias && cell(bias)),
    numbers: ({ x, mean, deviation, root, gain, bias }) =>
      whole(
        fraction(
          mean === undefined ? value(x) : mathml`${value(x)}${minus}${plainNumber(mean)}`,
          plainNumber(deviation ?? root),
        ),
        gain && value(gain, true),
        bias && value(bias, true),
      ),
  };
}

/** position / 10000^(channel / width)
 * @param {Notation} notation @param {Piece} position @param {Piece} channel @param {number} width */
export const angle = ({ mathml }, position, channel, width) =>
  mathml`${position}<mo>/</mo><msup><mn>10000</mn><mrow>${channel}<mo>/</mo><mn>${width}</mn></mrow></msup>`;
