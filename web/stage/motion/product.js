// A product: copies of a number of the row and of one of the column leave their matrices, meet, become their
// product, and join the sum where the row and the column cross. The first cell is told term by term, the second one
// by its whole row and column.
import { beside, between, during, moved } from './boxes.js';
import { noteOf, sampleOf } from './sample.js';
import { sumOf } from './sum.js';

/** @type {import('./index.js').Motion} */
export function product(scene) {
  const { told: explanation, begun, moment, place } = scene;
  const target = place(explanation);
  if (!explanation.terms || !target) return [];
  if (begun.from < moment.term) return together(scene, target);
  return moment.term < explanation.terms.length ? pair(scene, target) : shift(scene, target);
}

/**
 * One term: a number of the row and one of the column.
 * @param {import('./index.js').Scene} scene
 * @param {import('./boxes.js').Box} target
 */
function pair({ told: explanation, moment: { term }, progress, place }, target) {
  const { a, b, product: value, sum } = explanation.terms[term];
  const [row, column] = [place(a, 0), place(b, 1)];
  if (!row || !column) return [];
  const stations = [beside(target, row), beside(target, column)];
  /* On a narrow screen both come from above, and stand there side by side. */
  if (stations[0].left === stations[1].left && stations[0].top === stations[1].top) {
    stations[0] = moved(stations[0], -target.width / 2, 0);
    stations[1] = moved(stations[1], target.width / 2, 0);
  }
  const meeting = beside(target, column);
  const gone = during(progress, 0, 0.42);
  const met = during(progress, 0.54, 0.66);
  const landed = during(progress, 0.8, 1);
  const copies = [row, column].map((source, i) => ({
    key: `copy ${i}`,
    of: i === 0 ? a : b,
    value: (i === 0 ? a : b).value,
    box: between(between(source, stations[i], gone), meeting, met),
    size: target,
    opacity: met < 1 ? 1 : 0,
  }));
  const before = term > 0 ? explanation.terms[term - 1].sum : null;
  return [
    ...copies,
    {
      key: 'times',
      sign: '×',
      box: between(stations[0], stations[1], 0.5),
      size: target,
      opacity: during(progress, 0.3, 0.42) - met,
    },
    ...sumOf(target, before, sum, landed),
    {
      key: 'product',
      sign: before === null ? '' : '+',
      value,
      box: between(meeting, target, landed),
      size: target,
      opacity: met < 1 ? 0 : 1 - landed,
    },
  ];
}

/**
 * The last term, where something is added to the sum.
 * @param {import('./index.js').Scene} scene
 * @param {import('./boxes.js').Box} target
 */
function shift({ told: explanation, progress, place }, target) {
  const { bias, terms } = explanation;
  const from = place(bias, 2);
  if (!from) return [];
  const landed = during(progress, 0.6, 1);
  const box = between(
    between(from, beside(target, from), during(progress, 0, 0.5)),
    target,
    landed,
  );
  return [
    ...sumOf(target, terms[terms.length - 1].sum, explanation.value, landed),
    {
      key: 'shift',
      of: bias,
      value: bias.value,
      sign: '+',
      box,
      size: target,
      opacity: 1 - landed,
    },
  ];
}

/**
 * Several terms at once, one pair behind the other.
 * @param {import('./index.js').Scene} scene
 * @param {import('./boxes.js').Box} target
 */
function together({ told: explanation, begun, moment, progress, place }, target) {
  const { terms, bias, value } = explanation;
  const pairs = (bias ? [...terms, { bias, sum: value }] : terms).slice(
    begun.from,
    moment.term + 1,
  );
  const drawn = sampleOf(pairs);
  const copies = drawn.flatMap((/** @type {any} */ term, /** @type {number} */ k) => {
    const begin = (0.4 * k) / drawn.length;
    const gone = during(progress, begin, begin + 0.4);
    return [term.a, term.b, term.bias].flatMap((cell, operand) => {
      const from = cell && place(cell, operand);
      if (!from) return [];
      const box = between(from, target, gone);
      const opacity = gone < 1 ? 1 : 0;
      return [{ key: `${operand} ${k}`, of: cell, value: cell.value, box, size: target, opacity }];
    });
  });
  const before = begun.from > 0 ? terms[begun.from - 1].sum : null;
  const after = moment.term < moment.terms - 1 ? pairs[pairs.length - 1].sum : value;
  return [
    ...copies,
    ...noteOf(drawn, pairs, moved(target, 0, target.height)),
    ...sumOf(target, before, after, during(progress, 0.8, 1)),
  ];
}
