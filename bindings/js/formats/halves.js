// Numbers of 16 bits, as float32. Exact.

/** Half precision: 1 bit sign, 5 bits exponent, 10 bits fraction.
 * @param {Uint16Array} halves
 * @returns {Float32Array} */
export function fromHalf(halves) {
  const out = new Float32Array(halves.length);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < halves.length; i++) {
    const magnitude = halves[i] & 0x7fff;
    if (magnitude < 0x400) out[i] = magnitude * 2 ** -24;
    else bits[i] = (magnitude << 13) + ((magnitude < 0x7c00 ? 112 : 224) << 23);
    bits[i] |= (halves[i] & 0x8000) << 16;
  }
  return out;
}

/** The upper half of a float32.
 * @param {Uint16Array} halves
 * @returns {Float32Array} */
export function fromBfloat(halves) {
  const bits = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) bits[i] = halves[i] << 16;
  return new Float32Array(bits.buffer);
}
