// Blocks of 256 numbers in parts, each with a scale and perhaps an offset of few bits (the types of ggml with a K):
// x = scale q - offset, where a part's scale is the block's times a code, and its offset likewise. Of what fits in the
// bits, this stores what has the least sum of squared errors, or nearly: best of some starts, refitted.

import { fromHalf } from '../../js/formats/halves.js';
import { halfOf, put16 } from './to-halves.js';

/** How the numbers of a part are written.
 * @typedef {object} Form
 * @property {number} size of a part
 * @property {[number, number]} quants the least and the greatest
 * @property {[number, number]} codes those of a scale, and of an offset if there is one
 * @property {boolean} shifts whether there is an offset; it is subtracted, and not negative */

/** @typedef {{ scale: number, offset: number, error: number }} Line */

const BLOCK = 256;

/** The quant nearest to a number. @param {number} x @param {number} inverse of the scale, or 0 @param {number} offset
 * @param {number} least @param {number} most */
function quantOf(x, inverse, offset, least, most) {
  const q = Math.round((x + offset) * inverse);
  return q < least ? least : q > most ? most : q;
}

/** @param {number} scale */
const inverseOf = (scale) => (scale ? 1 / scale : 0);

/** The sum of squared errors. @param {Float32Array} part @param {number} scale @param {number} offset @param {Form} form */
function errorOf(part, scale, offset, { quants: [least, most] }) {
  const inverse = inverseOf(scale);
  let sum = 0;
  for (let i = 0; i < part.length; i++) {
    const error = scale * quantOf(part[i], inverse, offset, least, most) - offset - part[i];
    sum += error * error;
  }
  return sum;
}

/** The line of least squares through the numbers and the quants that another line gives them.
 * @param {Float32Array} part @param {Line} line @param {Form} form
 * @returns {Line} its error being that with the quants of the other */
function refitted(part, { scale, offset }, { quants: [least, most], shifts }) {
  const inverse = inverseOf(scale);
  const n = part.length;
  let [q1, q2, x1, x2, xq] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = part[i];
    const q = quantOf(x, inverse, offset, least, most);
    q1 += q;
    q2 += q * q;
    x1 += x;
    x2 += x * x;
    xq += x * q;
  }
  const spread = n * q2 - q1 * q1;
  let s = spread && shifts ? (n * xq - x1 * q1) / spread : 0;
  let o = (s * q1 - x1) / n;
  if (!s || o < 0) [s, o] = [q2 && xq / q2, 0];
  const error = s * (s * q2 - 2 * o * q1 - 2 * xq) + o * (n * o + 2 * x1) + x2;
  return { scale: s, offset: o, error };
}

/** How far past its last quant, in quants, a start may put the farthest number. */
const STARTS = Array.from({ length: 19 }, (_, i) => (i - 9) / 10);

/** @param {Float32Array} part @param {Form} form
 * @returns {Line} */
function fitted(part, form) {
  const [least, most] = form.quants;
  let [low, high] = [0, 0];
  for (const x of part) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  const offset = form.shifts ? -low : 0;
  /** @type {Line} */
  let best = { scale: 0, offset, error: errorOf(part, 0, offset, form) };
  for (const past of STARTS) {
    const scale = form.shifts
      ? (high - low) / (most + past)
      : (-low > high ? low : high) / (least + past);
    const line = refitted(part, { scale, offset, error: 0 }, form);
    if (line.error < best.error) best = line;
  }
  for (let turn = 0; turn < 2; turn++) best = refitted(part, best, form);
  return best;
}

/** What codes are multiplied by: as many halves as the block has. A signed code has its greatest size below 0.
 * @param {number[]} values @param {[number, number]} codes */
function unitOf(values, [least, most]) {
  const farthest = values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return halfOf(farthest / (least < 0 ? least : most));
}

/** The codes next to a value.
 * @param {number} value @param {number} unit @param {[number, number]} codes */
function codesNear(value, unit, [least, most]) {
  if (!unit) return [0];
  const below = Math.max(least, Math.min(most - 1, Math.floor(value / unit)));
  return [below, below + 1];
}

/** A block as its type writes it.
 * @typedef {object} Written
 * @property {number} scale bits of the half that codes of scales are multiplied by
 * @property {number} offset likewise
 * @property {{ scale: number, offset: number }[]} codes of each part
 * @property {Int8Array} quants */

/** @param {Float32Array} block @param {Form} form
 * @returns {Written} */
function written(block, form) {
  const { size, codes: range, quants } = form;
  const parts = Array.from({ length: BLOCK / size }, (_, p) =>
    block.subarray(p * size, (p + 1) * size),
  );
  const lines = parts.map((part) => fitted(part, form));
  const [scales, offsets] = [lines.map((line) => line.scale), lines.map((line) => line.offset)];
  const halves = Uint16Array.of(unitOf(scales, range), unitOf(offsets, range));
  const [unit, offsetUnit] = fromHalf(halves);
  const all = new Int8Array(BLOCK);
  const codes = parts.map((part, p) => {
    let best = { scale: 0, offset: 0, error: Number.POSITIVE_INFINITY };
    for (const scale of codesNear(scales[p], unit, range)) {
      for (const offset of codesNear(offsets[p], offsetUnit, range)) {
        const error = errorOf(part, scale * unit, offset * offsetUnit, form);
        if (error < best.error) best = { scale, offset, error };
      }
    }
    const [inverse, offset] = [inverseOf(best.scale * unit), best.offset * offsetUnit];
    for (const [i, x] of part.entries()) {
      all[p * size + i] = quantOf(x, inverse, offset, ...quants);
    }
    return best;
  });
  return { scale: halves[0], offset: halves[1], codes, quants: all };
}

/** The stores of a type: block after block.
 * @param {number} bytes of a block @param {Form} form
 * @param {(written: Written, out: Uint8Array) => void} put into zeros
 * @returns {import('./quantize.js').Store} */
const stores = (bytes, form, put) => (numbers, out) => {
  out.fill(0);
  for (let i = 0, start = 0; i < numbers.length; i += BLOCK, start += bytes) {
    put(written(numbers.subarray(i, i + BLOCK), form), out.subarray(start, start + bytes));
  }
};

/** Two halves, 12 bytes of codes, and nibbles at the end, two parts to 32 bytes.
 * @param {Written} written @param {Uint8Array} out */
function putNibbles({ scale, offset, codes, quants }, out) {
  put16(out, 0, scale);
  put16(out, 2, offset);
  /* Of the last four parts the upper two bits stand above those of the first four. */
  for (const [p, code] of codes.entries()) {
    const index = 4 + (p % 4);
    out[index] |= p < 4 ? code.scale : (code.scale >> 4) << 6;
    out[index + 4] |= p < 4 ? code.offset : (code.offset >> 4) << 6;
    if (p >= 4) out[index + 8] = (code.scale & 15) | ((code.offset & 15) << 4);
  }
  const nibbles = out.length - BLOCK / 2;
  for (const [i, q] of quants.entries()) {
    const part = i >> 5;
    out[nibbles + 32 * (part >> 1) + (i & 31)] |= (q & 15) << (4 * (part & 1));
  }
}

/** @type {Omit<Form, 'quants'>} */
const shifted = { size: 32, codes: [0, 63], shifts: true };

/** Q4_K. */
export const FOURS = stores(144, { ...shifted, quants: [0, 15] }, putNibbles);

/** Q5_K: the fifth bits of number i of all parts share a byte. */
export const FIVES = stores(176, { ...shifted, quants: [0, 31] }, (written, out) => {
  putNibbles(written, out);
  for (const [i, q] of written.quants.entries()) out[16 + (i & 31)] |= (q >> 4) << (i >> 5);
});

/** Q6_K: nibbles, pairs of upper bits, codes, and one half. */
export const SIXES = stores(
  210,
  { size: 16, quants: [-32, 31], codes: [-128, 127], shifts: false },
  ({ scale, codes, quants }, out) => {
    for (const [i, q] of quants.entries()) {
      const [side, part, j] = [i >> 7, (i >> 5) & 3, i & 31];
      out[64 * side + 32 * (part & 1) + j] |= ((q + 32) & 15) << (4 * (part >> 1));
      out[128 + 32 * side + j] |= ((q + 32) >> 4) << (2 * part);
    }
    for (const [p, code] of codes.entries()) out[192 + p] = code.scale;
    put16(out, 208, scale);
  },
);
