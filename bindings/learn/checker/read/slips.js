// What small slips make of a printed number.

/** What becomes of a number by one slip: another digit, two exchanged, a sign. @param {string} text
 * @returns {string[]} */
export function slipsOf(text) {
  const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const put = (/** @type {number} */ place, /** @type {string | number} */ digit, from = text) =>
    from.slice(0, place) + digit + from.slice(place + 1);
  const others = digits.flatMap((i) => Array.from({ length: 10 }, (_, digit) => put(i, digit)));
  const exchanged = digits
    .slice(1)
    .map((place, k) => put(place, text[digits[k]], put(digits[k], text[place])));
  const sign = /^[-−–]/.test(text) ? [text.slice(1)] : [`-${text}`, `−${text}`];
  return [...new Set([...others, ...exchanged, ...sign])].filter((one) => one !== text);
}
