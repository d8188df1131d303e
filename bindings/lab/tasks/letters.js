// Copy, reverse, sort: what attention learns first, on strings of letters.

import { pick } from '../../js/base/random.js';
import { charactersOf, Task } from './task.js';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const MAX_LENGTH = 10;

/** @param {string} name @param {string} title @param {string} about
 * @param {(letters: string[]) => string[]} answer */
const letterTask = (name, title, about, answer) =>
  new Task({
    name,
    title,
    about: `${about} Strings of 1 to ${MAX_LENGTH} letters, every length as likely as the others.`,
    words: LETTERS,
    maxSource: MAX_LENGTH,
    maxTarget: MAX_LENGTH,
    split: charactersOf,
    join: (letters) => letters.join(''),
    draw(dice) {
      const length = 1 + dice(MAX_LENGTH);
      const letters = Array.from({ length }, () => pick(dice, LETTERS));
      return { source: letters.join(''), target: answer(letters).join('') };
    },
    solve(letters) {
      const isQuestion =
        letters.length >= 1 &&
        letters.length <= MAX_LENGTH &&
        letters.every((letter) => LETTERS.includes(letter));
      return { answer: isQuestion ? answer([...letters]).join('') : null };
    },
  });

export const copy = letterTask(
  'copy',
  'Copy',
  'The same letters again: position t looks at position t.',
  (letters) => letters,
);

export const reverse = letterTask(
  'reverse',
  'Reverse',
  'The letters from last to first: position t looks at position n - 1 - t.',
  (letters) => letters.toReversed(),
);

export const sort = letterTask(
  'sort',
  'Sort',
  'The letters in the order of the alphabet, as often as they occur: here positions do not matter.',
  (letters) => letters.toSorted(),
);
