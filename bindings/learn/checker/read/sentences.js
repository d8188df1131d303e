// Numbers that stand one after the other in the sentences of a paragraph: 28% of it to "I", 14% to "like", 58% to itself.

import { cellOf } from './number.js';
import { lineBefore } from './prose.js';

/** @typedef {import('./tokens.js').Token} Token */
/** @typedef {import('./statements.js').Statement} Statement */

/** Between two paragraphs: in a notebook, or a program, an empty line may have marks. */
const PARAGRAPH = /\n[\s"#>,]*\n|\\n",?\s*"\\n/;
/** A comment behind code. */
const IN_CODE = /\S\s+(?:#|\/\/)\s/;
/** Characters between two numbers of one list. */
const FAR = 300;

/** Whether a statement is nothing but a number without a name of its own, or that and the same as a percentage.
 * @param {Statement} statement */
export const isAlone = ({ titled, left, sides }) => {
  const [number, ...again] = sides.map((side) => (side.kind === 'number' ? side.cell.text : ''));
  const isAgain = again.length === 1 && again[0].endsWith('%') && !left;
  return Boolean(number) && (isAgain || (titled && !again.length));
};

/** The numbers that stand in none of some parts of a text. @template {{ start: number }} T @param {readonly T[]} numbers in their
 * order @param {readonly { start: number, end: number }[]} parts
 * @returns {T[]} */
export function outside(numbers, parts) {
  const inOrder = parts.toSorted((a, b) => a.start - b.start);
  let [next, reached] = [0, 0];
  return numbers.filter(({ start }) => {
    for (; inOrder[next]?.start <= start; next++) reached = Math.max(reached, inOrder[next].end);
    return start >= reached;
  });
}

/** @param {string} text @param {readonly Token[]} numbers of its sentences, in their order @param {boolean} comma before decimals
 * @returns {Statement[]} a row for each paragraph's numbers, and one for its percentages */
export function sentencesOf(text, numbers, comma) {
  /** @type {Token[][]} */
  const runs = [];
  let last = -FAR;
  for (const token of numbers) {
    const { start, end } = token;
    if (IN_CODE.test(lineBefore(text, start))) continue;
    if (start - last >= FAR || PARAGRAPH.test(text.slice(last, start))) runs.push([]);
    runs[runs.length - 1].push(token);
    last = end;
  }
  return runs.flatMap((run) =>
    [true, false].flatMap((areShares) => {
      const tokens = run.filter((token) => token.text.endsWith('%') === areShares);
      return tokens.length > 1 ? [sentenceOf(tokens, comma)] : [];
    }),
  );
}

/** @param {Token[]} tokens @param {boolean} comma
 * @returns {Statement} */
const sentenceOf = (tokens, comma) => ({
  label: '',
  titled: true,
  heading: '',
  shown: false,
  note: false,
  sentence: true,
  left: null,
  sides: [
    {
      kind: 'list',
      matrix: false,
      of: tokens.map(({ text, start }) => ({ kind: 'number', cell: cellOf(text, start, comma) })),
    },
  ],
  start: tokens[0].start,
  end: tokens[tokens.length - 1].end,
});
