// The files of a zip whose files are stored: read by its directory, each checked against its CRC.
import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

/** @param {Uint8Array} bytes
 * @returns {Map<string, Uint8Array>} */
export function unzipped(bytes) {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  assert.equal(end, zip.length - 22, 'the directory ends the file');
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    assert.equal(zip.readUInt16LE(at + 10), 0, 'stored');
    const [crc, size, whole] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const path = zip.toString('utf8', at + 46, at + 46 + name);
    assert.equal(zip.readUInt32LE(local), 0x04034b50);
    const first = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(first, first + size);
    assert.equal(size, whole);
    assert.equal(crc32(data), crc, path);
    files.set(path, data);
    at += 46 + name + extra + comment;
  }
  assert.equal(at, end);
  return files;
}
