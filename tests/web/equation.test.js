// Equations add up as they are displayed, in the formula and in the sentence of any number, with any digits. They are
// read back from what is written, and computed by arithmetic of the test's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  examples,
  explain,
  load,
  sentence,
  traceExample,
  traceModel,
} from '../../bindings/index.js';
import { timeline } from '../../web/app/state/timeline.js';
import { makeView } from '../../web/app/state/view.js';
import { OPENING } from '../../web/app/state/walk.js';
import { scheduleOf } from '../../web/chapters/training/schedule.js';
import { DIGITS, withStyle } from '../../web/stage/draw/format.js';
import { equation, quotient } from '../../web/stage/telling/arithmetic.js';
import { caption } from '../../web/stage/telling/captions.js';
import { derivation } from '../../web/stage/telling/derivation.js';
import { waits, full as whole } from '../support/sample.js';
import { written } from './rounding.js';

const gf = await load();

/** What a template writes into the page. */
function markup(part) {
  if (Array.isArray(part)) return part.map(markup).join('');
  if (typeof part === 'symbol' || part === null || part === undefined) return '';
  if (!part.strings) return String(part);
  return part.strings.map((text, at) => text + markup(part.values[at])).join('');
}

/** A fraction is a quotient in brackets, a function has brackets already; powers and roots become functions. */
const line = (pieces) =>
  markup(pieces)
    .replace(/<i>e<\/i><sup>(.*?)<\/sup>/gs, 'exp($1)')
    .replace(/<msup>\s*(<mn[^<]*<\/mn>)\s*(<mn>[^<]*<\/mn>)\s*<\/msup>/gs, 'pow($1,$2)')
    .replace(/<msqrt>(.*?)<\/msqrt>/gs, 'sqrt($1)')
    .replace(/<mfrac>\s*<mrow>(.*?)<\/mrow>\s*<mrow>(.*?)<\/mrow>\s*<\/mfrac>/gs, '($1)/($2)')
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The worth of a line of numbers; null if it is not made of numbers and signs alone.
 * @param {string} text
 */
function worth(text) {
  const words =
    text.match(
      /\d+(\.\d+)?(×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|∞|π|√|sin|cos|tanh|max|min|pow|exp|sqrt|[−+·×/(),]|\S/g,
    ) ?? [];
  let at = 0;
  const primary = () => {
    const word = words[at++] ?? '';
    if (word === '(') {
      const inner = sum();
      at++;
      return inner;
    }
    if (word === '−') return -primary();
    if (word === '∞') return Number.POSITIVE_INFINITY;
    if (word === 'π') return Math.PI * primary();
    if (word === '√') return Math.sqrt(primary());
    if (word in Math && words[at] === '(') {
      const of = [];
      do {
        at++;
        of.push(sum());
      } while (words[at] === ',');
      at++;
      return Math[word](...of);
    }
    return written(word)?.value ?? Number.NaN;
  };
  const product = () => {
    let value = primary();
    while ('·×/'.includes(words[at] ?? ' ')) {
      const over = words[at++] === '/';
      const next = primary();
      value = over ? value / next : value * next;
    }
    return value;
  };
  const sum = () => {
    let value = product();
    while (words[at] === '+' || words[at] === '−') {
      const less = words[at++] === '−';
      const next = product();
      value += less ? -next : next;
    }
    return value;
  };
  const value = sum();
  return at < words.length || Number.isNaN(value) ? null : value;
}

/** The unit of the last digit of a number as it is written. */
const unitOf = (text) => 10 ** (written(text.replace(/[()]/g, ''))?.place ?? 0);

/** Whether each number that is written is a float32 in full. */
const isFull = (pieces) =>
  [...markup(pieces).matchAll(/data-value=(\S+)[^>]*>\s*\(?([^<)]*)\)?</g)].every(
    ([, value, text]) => Number(value) === (written(text)?.value ?? Number(value)),
  );

/**
 * @param {string} left
 * @param {string} sign
 * @param {string} result
 * @param {boolean} full whether all digits are there
 */
function check(left, sign, result, full, told) {
  const [value, shown] = [worth(left), worth(result)];
  const said = `${left} ${sign} ${result}: ${told}`;
  assert.notEqual(shown, null, said);
  if (value === null) return 0;
  const away = value === shown ? 0 : Math.abs(value - shown);
  const unit = unitOf(result);
  assert.ok(away <= (unit / 2) * (1 + 1e-9) || full, said);
  if (sign === '=') assert.ok(away <= 1e-6 * unit, said);
  else assert.ok(sign === '≈' && away > 0, said);
  return 1;
}

/**
 * Powers as a share of their sum, beside the quotient that the core computes and the result.
 * @param {string[]} sides with the signs between them
 * @param {boolean} full
 * @param {string} told
 */
function checkShare([powers, sign, quotient, , result], full, told) {
  const [share, value] = [worth(powers), worth(quotient)];
  if (share === null || value === null) return 0;
  const said = `${powers} ${sign} ${quotient}: ${told}`;
  const away = Math.abs(share - worth(result));
  assert.ok(away <= (unitOf(result) / 2) * (1 + 1e-9) || full, said);
  assert.equal(sign, Math.abs(share - value) < 1e-9 ? '=' : '≈', said);
  return 1;
}

const cases = fc
  .oneof(
    fc.constantFrom(...Object.values(examples)),
    fc
      .record({
        dModel: fc.constantFrom(2, 4, 6),
        dK: fc.constantFrom(2, 4),
        heads: fc.constantFrom(1, 2),
        seed: fc.nat(99),
        causal: fc.boolean(),
        positions: fc.boolean(),
      })
      .map((drawn) => sentence('the robot sees the ball', drawn)),
  )
  .chain((example) =>
    fc.record({
      example: fc.constant(example),
      place: fc.nat(1e6),
      digits: fc.constantFrom(...DIGITS),
      term: fc.nat(9),
    }),
  );

test('equations add up as they are displayed, and ≈ stands where they are not exact', (t) => {
  if (waits(t)) return;
  let [seen, summed, shared] = [0, 0, 0];
  fc.assert(
    fc.property(cases, ({ example, place, digits, term }) => {
      const trace = traceExample(gf, example);
      try {
        const steps = timeline(trace.steps);
        const view = makeView({
          state: {
            example: '',
            ...OPENING,
            theme: 'light',
            speed: 1,
            t: place % steps.moments.length,
          },
          opened: {
            example: { ...trace.example, tokens: trace.example.tokens ?? [] },
            trace,
            intact: null,
          },
          line: steps,
          session: { explain: (run, { node, index }) => explain(run, node, index, gf) },
          ...{ limit: 1, slope: 1, readouts: null, target: null, hover: null, preview: null },
          ...{ playing: false, theme: 'light', locks: new Set() },
        });
        if (!view.explained || view.explained.op === 'leaf') return;
        const { max, row } = view.explained;
        const power = max === undefined ? 0 : Math.min(term, row.length + 2);
        const asked = { ...view, adding: false, term: max === undefined ? view.terms - 1 : power };
        const { numbers, result } = withDigits(digits, () => derivation(asked));
        const told = `${view.explained.node}[${view.explained.index}] ${trace.example.title} ${digits}`;
        const full = isFull(numbers);
        if (numbers.length > 0) {
          const [left, right] = [line(numbers), line(result)];
          seen += check(left.slice(1), right[0], right.slice(1).trim(), full, told);
        }
        const said = withDigits(digits, () => caption(asked));
        const sides = line(said)
          .replace(/^.*?: /, '')
          .replace(/\. [A-Z].*/, '')
          .split(/ ([=≈]) /);
        const [left, sign, right] = sides.slice(-3);
        if (right && /^\S+$/.test(right)) summed += check(left, sign, right, full, told);
        if (sides.length === 5) shared += checkShare(sides, full, told);
      } finally {
        trace.dispose();
      }
    }),
    { numRuns: whole ? 20000 : 2000, seed: 7, includeErrorInReport: true },
  );
  assert.ok(seen > 500 && summed > 500, `${seen} formulas, ${summed} sentences`);
  assert.ok(shared > 20, `${shared} powers as shares of their sum`);
});

// ---- Of a training ----

const number = fc.float({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true });
const digits = fc.constantFrom(...DIGITS);
const withDigits = (chosen, write, point = '.') => withStyle({ digits: chosen, point }, write);

/** What a formula says, and whether that is true. */
function checkTold({ given, numbers, is, result }, told) {
  const full = isFull([numbers]);
  assert.equal(given, full ? '=' : '≈', `${line([numbers])}: ${told}`);
  assert.equal(
    check(line([numbers]), is, line([result]), full, told),
    1,
    `${line([numbers])}: ${told}`,
  );
}

test('a step of Adam adds up as it is displayed', () => {
  const { fround } = Math;
  const drawn = fc.record({ g: number, m: number, v: number, w: number, digits });
  fc.assert(
    fc.property(drawn, ({ g, m, v: square, w, digits: chosen }) => {
      const v = Math.abs(square);
      const [b, c, eta, eps] = [0.9, 0.1, 0.00314, 1e-9].map(fround);
      const lines = [
        [
          fround(b * m + c * g),
          (s) => s.plus(s.times(s.number(b), s.number(m)), s.times(s.number(c), s.number(g))),
        ],
        [
          fround(b * v + c * g * g),
          (s) =>
            s.plus(
              s.times(s.number(b), s.number(v)),
              s.times(s.number(c), s.power(s.number(g), 2)),
            ),
        ],
        [fround(m / c), (s) => s.by(s.number(m), s.number(c))],
        [
          fround(w - (eta * m) / (Math.sqrt(v) + eps)),
          (s) =>
            s.minus(
              s.number(w),
              s.by(
                s.times(s.number(eta), s.number(m)),
                s.bracket(s.plus(s.root(s.number(v)), s.number(eps))),
              ),
            ),
        ],
      ];
      withDigits(chosen, () => {
        for (const [result, formula] of lines) checkTold(equation(formula, result), chosen);
      });
    }),
    { numRuns: whole ? 5000 : 500, seed: 7, includeErrorInReport: true },
  );
});

/** Learning rates in float64. r: the rate, t: the step, w: the steps of the warm-up, T: all of them, d: d_model. */
const RATES = {
  noam: ({ r, t, w, d }) => r * d ** -0.5 * Math.min(t ** -0.5, w > 0 ? t * w ** -1.5 : 1),
  constant: ({ r, t, w }) => (t < w ? (r * t) / w : r),
  linear: ({ r, t, w, T }) => (t < w ? (r * t) / w : r * (1 - (t - w) / (T - w))),
  cosine: ({ r, t, w, T }) =>
    t < w ? (r * t) / w : (r / 2) * (1 + Math.cos((Math.PI * (t - w)) / (T - w))),
  'inverse-sqrt': ({ r, t, w }) => (t < w ? (r * t) / w : r * Math.sqrt(Math.max(1, w) / t)),
};

test('a learning rate adds up as it is displayed', () => {
  const drawn = fc.record({
    schedule: fc.constantFrom(...Object.keys(RATES)),
    r: fc.double({ min: 1e-3, max: 2, noNaN: true }),
    t: fc.integer({ min: 1, max: 400 }),
    w: fc.nat(200),
    d: fc.constantFrom(16, 32, 64),
    digits,
  });
  fc.assert(
    fc.property(drawn, ({ schedule, r, t, w, d, digits: chosen }) => {
      const T = 401;
      const value = Math.fround(RATES[schedule]({ r: Math.fround(r), t, w, T, d }));
      const options = { schedule, rate: Math.fround(r), warmup: w, total: T };
      const { numbers } = scheduleOf(options, { step: t, dModel: d });
      withDigits(chosen, () => {
        const told = equation(numbers, value);
        /* A constant rate is what it is. */
        if (schedule === 'constant' && t >= w)
          assert.equal(line([told.numbers]), line([told.result]));
        else checkTold(told, `${schedule} ${t} ${w} ${chosen}`);
      });
    }),
    { numRuns: whole ? 5000 : 500, seed: 7, includeErrorInReport: true },
  );
});

test('the mean of a batch adds up as it is displayed', () => {
  const losses = fc.record({
    above: fc.float({ min: 1, max: 900, noNaN: true }),
    below: fc.integer({ min: 1, max: 300 }),
    digits,
  });
  fc.assert(
    fc.property(losses, ({ above, below, digits: chosen }) => {
      const result = Math.fround(above / below);
      withDigits(chosen, () => {
        const told = quotient(above, below, result);
        const shown = `${line([told.above])} / ${below}`;
        check(shown, told.is, line([told.result]), chosen === 'all', `${above} ${chosen}`);
      });
    }),
  );
});

test('where a comma is the decimal mark, arguments are parted by a semicolon', () => {
  const model = gf.model({
    kind: 'transformer',
    vocab: 5,
    dModel: 4,
    heads: 1,
    layers: 1,
    dFF: 4,
    seed: 1,
  });
  const trace = traceModel(model, { source: [1, 2], target: [1] });
  const step = trace.steps.find(({ op }) => op === 'relu');
  const at = step.data.findIndex((x) => x > 0 && !Number.isInteger(x));
  const index = [Math.floor(at / step.shape.at(-1)), at % step.shape.at(-1)];
  const explained = explain(trace, step.name, index, gf);
  const view = { trace, explained, stage: step, term: 0, terms: 1, hover: null };
  const formula = (point) => withDigits('text', () => line(derivation(view).numbers), point);
  assert.match(formula('.'), /max\(0,\d+\.\d+\)/);
  assert.match(formula(','), /max\(0;\d+,\d+\)/);
  trace.dispose();
  model.dispose();
});
