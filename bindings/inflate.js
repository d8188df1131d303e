// Reads DEFLATE (RFC 1951), as which the core is inlined: as base64 alone it would not compress.

/** The order in which a block tells the lengths of the code of its code lengths. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The codes of a block that brings none of its own. */
const FIXED = [
  [8, 144],
  [9, 112],
  [7, 24],
  [8, 8],
].flatMap(([length, n]) => Array(n).fill(length));

/** A Huffman code: by the next 15 bits, the symbol they begin with and, below it, the length of its code.
 * @param {number[]} lengths of each symbol's code; 0 where it has none */
function codeOf(lengths) {
  const code = new Uint16Array(1 << 15);
  const symbols = [...lengths.keys()].sort((a, b) => lengths[a] - lengths[b]);
  let from = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol];
    const to = from + (length && 1 << (15 - length));
    code.fill((symbol << 4) | length, from, to);
    from = to;
  }
  return code;
}

/** Codes begin at the low end of a byte: turned, they can be looked up.
 * @param {number} byte */
function turned(byte) {
  const pairs = ((byte & 0x55) << 1) | ((byte >> 1) & 0x55);
  const fours = ((pairs & 0x33) << 2) | ((pairs >> 2) & 0x33);
  return (fours << 4) | (fours >> 4);
}

/** @param {string} what */
const bad = (what) => new RangeError(`inflate: ${what}`);

/** @param {Uint8Array} bytes @param {number} size of what they hold */
export function inflate(bytes, size) {
  const stream = bytes.map(turned);
  const out = new Uint8Array(size);
  let written = 0;
  let read = 0;

  /** @param {number} n */
  function skip(n) {
    read += n;
    if (read > 8 * stream.length) throw bad('the stream is cut short');
  }

  function bit() {
    const value = (stream[read >> 3] >> (7 - (read & 7))) & 1;
    skip(1);
    return value;
  }

  /** @param {number} n */
  function bits(n) {
    let value = 0;
    for (let i = 0; i < n; i++) value |= bit() << i;
    return value;
  }

  /** @param {Uint16Array} code */
  function symbol(code) {
    const at = read >> 3;
    const bits = (stream[at] << 16) | (stream[at + 1] << 8) | stream[at + 2];
    const found = code[(bits >> (9 - (read & 7))) & 0x7fff];
    if (!found) throw bad('no symbol has such a code');
    skip(found & 15);
    return found >> 4;
  }

  /** A number whose symbols come 2 ** log to each count of extra bits.
   * @param {number} symbol @param {number} log */
  function number(symbol, log) {
    const group = 1 << log;
    if (symbol < group) return symbol;
    const extra = (symbol >> log) - 1;
    return ((group | (symbol & (group - 1))) << extra) + bits(extra);
  }

  function stored() {
    read = (read + 7) & ~7;
    const length = bits(16);
    if (bits(16) !== (length ^ 0xffff)) throw bad('a length and its complement differ');
    for (let i = 0; i < length; i++) out[written++] = bits(8);
  }

  /** The lengths of a block's own codes, of literals and of distances. */
  function told() {
    const literals = bits(5) + 257;
    const distances = bits(5) + 1;
    const own = Array(19).fill(0);
    for (let i = 0, n = bits(4) + 4; i < n; i++) own[ORDER[i]] = bits(3);
    const code = codeOf(own);
    /** @type {number[]} */
    const lengths = [];
    while (lengths.length < literals + distances) {
      const length = symbol(code);
      if (length < 16) lengths.push(length);
      else if (length === 16) lengths.push(...Array(3 + bits(2)).fill(lengths.at(-1) ?? 0));
      else lengths.push(...Array(length === 17 ? 3 + bits(3) : 11 + bits(7)).fill(0));
    }
    return [lengths.slice(0, literals), lengths.slice(literals, literals + distances)];
  }

  /** @param {number[][]} lengths */
  function coded(lengths) {
    const [literals, distances] = lengths.map(codeOf);
    for (let next = symbol(literals); next !== 256; next = symbol(literals)) {
      if (next < 256) {
        out[written++] = next;
      } else {
        const length = next === 285 ? 258 : 3 + number(next - 257, 2);
        const distance = 1 + number(symbol(distances), 1);
        if (distance > written) throw bad('a copy from before the beginning');
        for (const end = written + length; written < end; written++) {
          out[written] = out[written - distance];
        }
      }
    }
  }

  for (let last = 0; !last; ) {
    last = bit();
    const kind = bits(2);
    if (kind === 0) stored();
    else if (kind === 1) coded([FIXED, Array(30).fill(5)]);
    else if (kind === 2) coded(told());
    else throw bad('no block is of kind 3');
  }
  if (written !== size) throw bad(`the stream holds ${written} bytes, not ${size}`);
  return out;
}
