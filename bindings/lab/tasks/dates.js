// Dates as people write them in English -> ISO 8601.

import { pick } from '../../js/base/random.js';
import { charactersOf, Task } from './task.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** @param {number} day */
function ordinal(day) {
  const teen = day > 10 && day < 14;
  return `${day}${(!teen && ['th', 'st', 'nd', 'rd'][day % 10]) || 'th'}`;
}

/** Month from 1, and its full name.
 * @typedef {{ year: number, month: number, day: number, name: string, weekday: string }} Day */

/** Only forms that can be read in one way: never two numbers that may be day and month. A year may have
 * two digits, since all dates lie within a hundred years.
 * @type {((date: Day) => string)[]} */
const FORMATS = [
  ({ year, name, day }) => `${name} ${day}, ${year}`,
  ({ year, name, day }) => `${name} ${ordinal(day)}, ${year}`,
  ({ year, name, day }) => `${day} ${name} ${year}`,
  ({ year, name, day }) => `${name.slice(0, 3)} ${day}, ${year}`,
  ({ year, name, day }) => `${day} ${name.slice(0, 3)} ${year}`,
  ({ year, name, day }) => `${day} ${name.slice(0, 3)} '${String(year).slice(2)}`,
  ({ year, name, day, weekday }) => `${weekday} ${day} ${name.slice(0, 3)} ${year}`,
  ({ year, month, day }) => `${year}/${month}/${day}`,
];

const FIRST_YEAR = 1950;
const YEARS = 100;
const DAYS = (Date.UTC(FIRST_YEAR + YEARS, 0) - Date.UTC(FIRST_YEAR, 0)) / 86_400_000;

/** @param {Date} date
 * @returns {Day} */
function dayOf(date) {
  const month = date.getUTCMonth();
  return {
    year: date.getUTCFullYear(),
    month: month + 1,
    day: date.getUTCDate(),
    name: MONTHS[month],
    weekday: WEEKDAYS[date.getUTCDay()],
  };
}

/** @param {Date} date */
const isoOf = (date) => date.toISOString().slice(0, 10);

/** The days that a text may mean: those whose numbers occur in it, year, month and day in any order.
 * @param {string} text */
function candidates(text) {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const named = MONTHS.findIndex((name) => text.includes(name.slice(0, 3).toLowerCase()));
  const months = named < 0 ? numbers.map((number) => number - 1) : [named];
  const years = numbers.map((number) =>
    number < 100 ? FIRST_YEAR + ((number + 50) % 100) : number,
  );
  return years
    .flatMap((year) =>
      months.flatMap((month) => numbers.map((day) => new Date(Date.UTC(year, month, day)))),
    )
    .filter(
      (date) => date.getUTCFullYear() >= FIRST_YEAR && date.getUTCFullYear() < FIRST_YEAR + YEARS,
    );
}

const LONGEST = 'September 22nd, 2021'.length;
const CHARACTERS = charactersOf(`0123456789 ,'/-${MONTHS.join('')}${WEEKDAYS.join('')}`);

export const dates = new Task({
  name: 'dates',
  title: 'Date formats',
  about: `Days from ${FIRST_YEAR} to ${FIRST_YEAR + YEARS - 1}, in ${FORMATS.length} English ways of writing them, become ISO 8601.`,
  words: [...new Set(CHARACTERS)],
  maxSource: LONGEST,
  maxTarget: '2021-09-22'.length,
  split: charactersOf,
  join: (characters) => characters.join(''),
  draw(dice) {
    const date = new Date(Date.UTC(FIRST_YEAR, 0, 1 + dice(DAYS)));
    const write = pick(dice, FORMATS);
    return { source: write(dayOf(date)), target: isoOf(date) };
  },
  solve(characters) {
    /* The numbers of a longer text would be too many to try in every order. */
    if (characters.length > LONGEST) return { answer: null };
    const text = characters.join('');
    const date = candidates(text).find((one) =>
      FORMATS.some((write) => write(dayOf(one)).toLowerCase() === text),
    );
    return { answer: date ? isoOf(date) : null };
  },
});
