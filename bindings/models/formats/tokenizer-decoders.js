// The decoders of tokenizer.json: how tokens become a text. Each computes what `tokenizers` of Hugging Face computes.

import { byteLevelBytes } from './token-lists.js';
import { compiled, replaced } from './tokenizer-pattern.js';
import { fieldsOf } from './tokenizer-steps.js';

/** @typedef {(tokens: string[]) => string[]} Decode */

/** English, as it is written. */
const WRITTEN = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [' do not', " don't"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
];

/** @param {string} text @param {boolean} [isShort] "do not" becomes "don't" */
export const cleaned = (text, isShort = true) =>
  WRITTEN.reduce(
    (now, [from, to]) => (isShort || from !== ' do not' ? now.replaceAll(from, to) : now),
    text,
  );

/** @param {(token: string, i: number, tokens: string[]) => string} change
 * @returns {Decode} */
const each = (change) => (tokens) => tokens.map(change);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @returns {Decode} */
function byteLevel() {
  const bytesOf = byteLevelBytes();
  return (tokens) => [
    decoder.decode(Uint8Array.from(tokens.flatMap((token) => Array.from(bytesOf(token))))),
  ];
}

/** Bytes that make no text are a replacement character each.
 * @type {Decode} */
function byteFallback(tokens) {
  /** @type {string[]} */
  const texts = [];
  /** @type {number[]} */
  let bytes = [];
  const flush = () => {
    if (!bytes.length) return;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    try {
      texts.push(text.decode(Uint8Array.from(bytes)));
    } catch {
      for (let i = 0; i < bytes.length; i++) texts.push('\ufffd');
    }
    bytes = [];
  };
  for (const token of tokens) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1];
    if (byte) bytes.push(Number.parseInt(byte, 16));
    else {
      flush();
      texts.push(token);
    }
  }
  flush();
  return texts;
}

/** @param {any} part
 * @returns {Decode} */
const strip = ({ content, start, stop }) =>
  each((token) => {
    const characters = Array.from(token);
    let [from, to] = [0, characters.length];
    while (from < Math.min(start, characters.length) && characters[from] === content) from++;
    while (characters.length - to < stop && to > 0 && characters[to - 1] === content) to--;
    return characters.slice(from, Math.max(from, to)).join('');
  });

/** @type {Record<string, (part: any) => Decode>} */
const DECODERS = {
  BPEDecoder({ suffix = '</w>' }) {
    const end = compiled({ String: suffix });
    return each((token, i, { length }) => replaced(token, end, i === length - 1 ? '' : ' '));
  },
  ByteFallback: () => byteFallback,
  ByteLevel: byteLevel,
  CTC({ pad_token: pad = '<pad>', word_delimiter_token: space = '|', cleanup = true }) {
    const delimiter = compiled({ String: space });
    return (tokens) =>
      tokens
        .filter((token, i) => token !== tokens[i - 1])
        .map((token) => {
          const text = token.replaceAll(pad, '');
          return cleanup ? replaced(cleaned(text), delimiter, ' ') : text;
        })
        .filter((text) => text);
  },
  Fuse: () => (tokens) => [tokens.join('')],
  Metaspace({ replacement = '▁', prepend_scheme, add_prefix_space = true }) {
    const begins = add_prefix_space && prepend_scheme !== 'never';
    return each((token, i) => token.replaceAll(replacement, begins && !i ? '' : ' '));
  },
  Replace({ pattern, content }) {
    const regex = compiled(pattern);
    return each((token) => replaced(token, regex, content));
  },
  Sequence({ decoders }) {
    const all = decoders.map(decoderOf);
    return (tokens) =>
      all.reduce((/** @type {string[]} */ now, /** @type {Decode} */ one) => one(now), tokens);
  },
  Strip: strip,
  WordPiece({ prefix = '##', cleanup = true }) {
    return each((token, i) => {
      let text = token;
      if (i) text = token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`;
      return cleanup ? cleaned(text) : text;
    });
  },
};

/** Of a part of a file that was checked; null puts a space between tokens.
 * @type {(part: unknown) => Decode} */
export const decoderOf = (/** @type {any} */ part) =>
  part
    ? DECODERS[String(part.type)](fieldsOf(part))
    : (/** @type {string[]} */ tokens) => [tokens.join(' ')];
