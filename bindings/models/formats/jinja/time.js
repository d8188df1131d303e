// Python's strftime in English, as templates of chats write the date.

import { fail } from './values.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/** @param {number} number @param {number} [digits] */
const padded = (number, digits = 2) => String(number).padStart(digits, '0');

/** @type {Record<string, (date: Date) => string>} */
const DIRECTIVES = {
  '%': () => '%',
  A: (date) => DAYS[date.getDay()],
  a: (date) => DAYS[date.getDay()].slice(0, 3),
  B: (date) => MONTHS[date.getMonth()],
  b: (date) => MONTHS[date.getMonth()].slice(0, 3),
  d: (date) => padded(date.getDate()),
  H: (date) => padded(date.getHours()),
  I: (date) => padded(date.getHours() % 12 || 12),
  M: (date) => padded(date.getMinutes()),
  m: (date) => padded(date.getMonth() + 1),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  S: (date) => padded(date.getSeconds()),
  Y: (date) => String(date.getFullYear()),
  y: (date) => padded(date.getFullYear() % 100),
};

/** @param {string} format @param {Date} date */
export const strftime = (format, date) =>
  format.replace(/%(-?)(.)/gs, (all, short, directive) => {
    if (!Object.hasOwn(DIRECTIVES, directive)) return fail(`strftime_now: ${all} is not supported`);
    const text = DIRECTIVES[directive](date);
    return short ? text.replace(/^0+(?=\d)/, '') : text;
  });
