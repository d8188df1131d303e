// Addition of two numbers, digit by digit as one reads it.

import { charactersOf, Task } from './task.js';

const MAX_DIGITS = 3;
/** Two numbers of so many digits. */
const SUM = /^(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})$/;

/** A number without leading zeros; every number of digits is as likely as the others.
 * @param {import('../../js/base/random.js').Dice} dice */
function draw(dice) {
  const digits = 1 + dice(MAX_DIGITS);
  const low = digits === 1 ? 0 : 10 ** (digits - 1);
  return low + dice(10 ** digits - low);
}

export const addition = new Task({
  name: 'addition',
  title: 'Addition',
  about:
    'Sums of two numbers of 1 to 3 digits. The first digit depends on carries from digits not yet written.',
  words: [...'0123456789+'],
  maxSource: 2 * MAX_DIGITS + 1,
  maxTarget: MAX_DIGITS + 1,
  split: charactersOf,
  join: (characters) => characters.join(''),
  draw(dice) {
    const [a, b] = [draw(dice), draw(dice)];
    return { source: `${a}+${b}`, target: `${a + b}` };
  },
  solve(characters) {
    const numbers = SUM.exec(characters.join(''))?.slice(1).map(Number);
    return { answer: numbers ? String(numbers[0] + numbers[1]) : null };
  },
});
