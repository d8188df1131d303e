// Tokens as they are read: byte-level BPE writes a character of its own for each byte.
import { byteCharacters } from './core.js';

const BYTES = new Map(byteCharacters().map((character, byte) => [character, byte]));
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param {number} byte of a character that has several */
const hex = (byte) => `<0x${byte.toString(16).toUpperCase()}>`;

/** The text of a token, or its bytes if they are a part of a character. @param {string} token */
export function plainOf(token) {
  const bytes = Array.from(token, (character) => BYTES.get(character) ?? -1);
  /* Added tokens are texts. */
  if (bytes.includes(-1)) return token;
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return bytes.map((byte) => (byte < 128 ? String.fromCharCode(byte) : hex(byte))).join('');
  }
}

/** A space is part of a token, and so is the end of a line; neither would be seen. SentencePiece writes ▁ for a space.
 * @param {string} text */
export const visible = (text) =>
  text.replace(/[ ▁]/g, '·').replace(/\n/g, '↵').replace(/\r/g, '␍').replace(/\t/g, '⇥');

/** Whether the tokens of a tokenizer.json are bytes. @param {any} file */
export const isByteLevel = ({ decoder: last }) =>
  [last, ...(last?.decoders ?? [])].some((part) => part?.type === 'ByteLevel');
