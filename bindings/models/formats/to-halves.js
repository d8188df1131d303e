// Of float32 the nearest numbers of 16 bits.

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** The upper 16 bits of a float32, rounded to nearest, ties to even; NaN stays NaN.
 * @param {number} value */
export function bfloatOf(value) {
  scratch[0] = value;
  const [bits] = scratchBits;
  if (Number.isNaN(value)) return (bits >>> 16) | 64;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

/** Half precision, rounded to nearest, ties to even.
 * @param {number} value */
export function halfOf(value) {
  scratch[0] = value;
  const [bits] = scratchBits;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  /* From 65520 on it is infinite; below 2^-14 it has fewer digits. */
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | roundedEven(Math.abs(scratch[0]) * 2 ** 24);
  const kept = magnitude - 0x38000000;
  return sign | ((kept + 0xfff + ((kept >>> 13) & 1)) >>> 13);
}

/** @param {number} value from 0 to 2^52 */
function roundedEven(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2) ? floor + 1 : floor;
}

/** @param {Uint8Array} out @param {number} offset @param {number} bits */
export function put16(out, offset, bits) {
  out[offset] = bits & 255;
  out[offset + 1] = bits >>> 8;
}
