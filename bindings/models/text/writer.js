// From tokens to text, as they come: no character in parts, and nothing that may belong to a text that ends it.

import { textOf } from './tokenizer.js';

/** The part of a tokenizer that writing text needs.
 * @typedef {object} Decoder
 * @property {(ids: Iterable<number>) => string} decode */

/** The character that a decoder writes for bytes that make none, such as the first bytes of a character at the end of a text. */
const INCOMPLETE = '\ufffd';
/** The first new token is decoded behind so many tokens of the prompt. */
const CONTEXT_TOKENS = 8;
/** A character has four bytes at most: so many tokens may be parts of it beside the first. */
const MAX_PARTS = 3;
/** After so many tokens without a whole end, bytes are no character that is to be completed. */
const MAX_INCOMPLETE = 32;

/** The part of a text that later tokens leave alone.
 * @param {string} text */
const settled = (text) => text.slice(0, text.length - (/\ufffd+$/.exec(text)?.[0].length ?? 0));

/** The end of a prompt: whole tokens before, and those of a character that is not complete.
 * @param {Decoder} decoder @param {readonly number[]} prompt */
function endOf(decoder, prompt) {
  let end = prompt.length;
  let from = Math.max(0, end - CONTEXT_TOKENS);
  const text = () => textOf(decoder, prompt.slice(from, end));
  while (end > from && prompt.length - end < MAX_PARTS && text().endsWith(INCOMPLETE)) end--;
  /* No character has these bytes. */
  if (text().endsWith(INCOMPLETE)) end = prompt.length;
  const least = Math.max(0, from - MAX_PARTS);
  while (from > least && text().startsWith(INCOMPLETE)) from--;
  return { context: prompt.slice(from, end), tokens: prompt.slice(end) };
}

/** How much of the end of a text may be the beginning of one of these.
 * @param {string} text @param {readonly string[]} stops */
function overlap(text, stops) {
  const longest = stops.reduce((most, { length }) => Math.max(most, length - 1), 0);
  for (let n = Math.min(longest, text.length); n > 0; n--) {
    const end = text.slice(-n);
    if (stops.some((stop) => stop.startsWith(end))) return n;
  }
  return 0;
}

/** Writes the text of new tokens, in whole characters: of one that is not complete at the end nothing is written. What they are decoded behind is kept short, so a token costs the same in a text of any
 * length. */
export class Writer {
  #decoder;
  #stops;
  /** Tokens whose text was given out. @type {readonly number[]} */
  #context = [];
  /** Tokens whose text was not given out, or only in part. @type {number[]} */
  #tokens = [];
  /** The prompt, until the first token comes. @type {readonly number[] | null} */
  #prompt;
  #given = 0;
  #held = '';

  /** @param {Decoder} decoder @param {readonly number[]} prompt @param {readonly string[]} [stops] */
  constructor(decoder, prompt, stops = []) {
    this.#decoder = decoder;
    this.#stops = stops;
    this.#prompt = prompt.slice(-(CONTEXT_TOKENS + MAX_PARTS));
    /** Whether one of the stops was written; nothing follows it. */
    this.stopped = false;
  }

  /** The text that is certain once this token has come.
   * @param {number} token */
  add(token) {
    if (this.#prompt) {
      const { context, tokens } = endOf(this.#decoder, this.#prompt);
      this.#context = context;
      this.#tokens = tokens;
      this.#prompt = null;
    }
    this.#tokens.push(token);
    const text = this.#text();
    const whole = this.#tokens.length < MAX_INCOMPLETE ? settled(text) : text;
    const added = whole.slice(this.#given);
    this.#given = whole.length;
    /* Tokens without text, such as special ones, do not show how the next one begins. */
    if (text && whole === text) {
      this.#context = this.#tokens;
      this.#tokens = [];
      this.#given = 0;
    }
    return this.#unstopped(added);
  }

  /** The text that was held back, once no token follows. */
  end() {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #text() {
    const before = textOf(this.#decoder, this.#context);
    return textOf(this.#decoder, [...this.#context, ...this.#tokens]).slice(before.length);
  }

  /** The text that certainly comes before a stop.
   * @param {string} added */
  #unstopped(added) {
    if (this.stopped) return '';
    const text = this.#held + added;
    const starts = this.#stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
    this.stopped = starts.length > 0;
    const end = this.stopped
      ? starts.sort((a, b) => a - b)[0]
      : text.length - overlap(text, this.#stops);
    this.#held = this.stopped ? '' : text.slice(end);
    return text.slice(0, end);
  }
}
