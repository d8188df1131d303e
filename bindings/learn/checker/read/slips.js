// What small slips make of a printed number.

/** How far a percentage may be off: another one is a remark, or has a slip. */
const PERCENTAGE_BAND = 3;

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

/** Whether a percentage is a number again, but for a slip in one of them. @param {string} number @param {string} digits */
export function isPercentageOf(number, digits) {
  const [part, whole] = [number, digits].map((text) => Number(text.replace(',', '.')));
  const written = (100 * part).toFixed(digits.split(/[.,]/)[1]?.length ?? 0);
  return (
    Math.abs(100 * part - whole) <= PERCENTAGE_BAND ||
    slipsOf(written).includes(digits.replace(',', '.'))
  );
}
