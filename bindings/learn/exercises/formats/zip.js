// A zip archive whose files are stored as they are, with no date: the same files give the same bytes.

/** @typedef {import('./index.js').ExportedFile} ExportedFile */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let k = 0; k < 8; k++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} bytes */
function crcOf(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A short name of a text: platforms take packages with the same name for versions of one.
 * @param {string} text */
export const digest = (text) => crcOf(new TextEncoder().encode(text)).toString(16).padStart(8, '0');

/** Version 2.0, names in UTF-8, stored, 1 January 1980. */
const HEAD = [20, 0x0800, 0, 0, 0x21];
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** Little-endian numbers of 2 or 4 bytes.
 * @param {[size: 2 | 4, value: number][]} fields */
function record(fields) {
  return Uint8Array.from(
    fields.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => value >>> (8 * i))),
  );
}

/** @param {Uint8Array[]} parts */
function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** @param {readonly ExportedFile[]} files
 * @returns {Uint8Array} */
export function zip(files) {
  const encoder = new TextEncoder();
  /** @type {Uint8Array[]} */
  const locals = [];
  /** @type {Uint8Array[]} */
  const centrals = [];
  let offset = 0;
  for (const { path, data } of files) {
    const name = encoder.encode(path);
    const [version, flags, method, time, date] = HEAD;
    /** @type {[2 | 4, number][]} */
    const about = [
      [2, version],
      [2, flags],
      [2, method],
      [2, time],
      [2, date],
      [4, crcOf(data)],
      [4, data.length],
      [4, data.length],
      [2, name.length],
      [2, 0],
    ];
    const local = join([record([[4, LOCAL], ...about]), name, data]);
    const place = record([
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ]);
    centrals.push(record([[4, CENTRAL], [2, version], ...about]), place, name);
    locals.push(local);
    offset += local.length;
  }
  const directory = join(centrals);
  const count = files.length;
  const end = record([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, offset],
    [2, 0],
  ]);
  return join([...locals, directory, end]);
}
