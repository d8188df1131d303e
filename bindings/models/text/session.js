// A chat with a model: its messages, its answers as they come, and the keys and values of what was said, so that a turn
// reads only what is new.

import {
  checkInteger,
  checkOptions,
  checkText,
  checkUint32,
  failure,
} from '../../js/base/errors.js';
import { typeError } from '../../js/formats/texts.js';
import { architectureOf } from '../../js/model/config/architecture.js';
import { weightsOf } from '../../js/model/model.js';
import { chatPrompt, checkMessages, checkTools, checkVariables } from '../formats/chat.js';
import { writeText } from './generate.js';
import { checkPrompt, checkSettings } from './options.js';
import { dropPrefix, MAX_BYTES, prefixBytes } from './prefix.js';
import { withWhole } from './stream.js';
import { rangeError, failure as textFailure } from './texts.js';
import { checkEncoded, checkTokenizer } from './tokenizer.js';

/** @typedef {import('../formats/chat.js').Message} Message */
/** @typedef {import('../formats/chat.js').TemplateOptions} TemplateOptions */
/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./generate.js').Generated} Generated */
/** @typedef {import('./options.js').TextOptions} TextOptions */

/** @typedef {object} SessionSettings
 * @property {string} [system] an instruction that the model reads first
 * @property {readonly Message[]} [messages] of an earlier chat, which goes on
 * @property {number} [maxLength] the most tokens of the chat that the model reads at once, the answer included: by default
 *   what it can read, or what 256 MiB of keys and values hold
 * @property {ListedTokenizer} [tokenizer] by default that of the model
 * @property {string} [chatTemplate] in Jinja, by default that of the model */

/** Options of generation are those of each answer; `ask` may give others.
 * @typedef {SessionSettings & TemplateOptions & TextOptions} SessionOptions */

/** Of a session's tokens the answer gets so many at least, if maxNewTokens does not say how many. */
const ANSWER_PART = 1 / 4;
/** A chat that is full loses turns until it takes no more than this. */
const TRIMMED_PART = 1 / 2;

/** As many tokens as the bytes of keys and values hold that are kept.
 * @param {Model['config'] & { headSize?: number }} config */
function mostTokens(config) {
  const { kvHeads, dModel, heads, headSize = dModel / heads, maxLength } = config;
  const stack = architectureOf(config).stacks.at(-1);
  const layers = stack ? config[stack.depth] : 1;
  return Math.max(
    1,
    Math.min(maxLength, Math.floor(MAX_BYTES / (8 * layers * kvHeads * headSize))),
  );
}

/** How many messages stand before the first turn: what the system says.
 * @param {readonly Message[]} messages */
function headOf(messages) {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length : first;
}

export class Session {
  #model;
  #tokenizer;
  #chatTemplate;
  #template;
  #options;
  /** @type {Message[]} */
  #messages;
  #isAsking = false;

  /** @param {Model} model @param {SessionOptions} options */
  constructor(model, options) {
    const where = 'session';
    weightsOf(where, model);
    checkOptions(where, options, Object.keys(Object(options)));
    const { system, messages = [], tools, variables, maxLength, ...more } = options;
    const { tokenizer = model.tokenizer, chatTemplate = model.chatTemplate, ...rest } = more;
    if (!tokenizer) throw failure('GF_ESTATE', 'noWords', { where });
    checkTokenizer(`${where}: tokenizer`, tokenizer);
    if (typeof chatTemplate !== 'string') throw typeError('noTemplate', { where });
    checkPrompt(checkSettings(where, model.config, rest), [0]);
    if (tools !== undefined) checkTools(`${where}: tools`, tools);
    if (variables !== undefined) checkVariables(`${where}: variables`, variables);
    const checked = checkMessages(`${where}: messages`, messages);
    const head =
      system === undefined
        ? []
        : [{ role: 'system', content: checkText(`${where}: system`, system) }];
    this.#model = model;
    this.#tokenizer = /** @type {ListedTokenizer} */ (tokenizer);
    this.#chatTemplate = chatTemplate;
    this.#template = { ...(tools && { tools }), ...(variables && { variables }) };
    this.#options = rest;
    this.#messages = [.../** @type {Message[]} */ (head), ...checked];
    /** The most tokens of the chat that the model reads at once. */
    this.maxLength =
      maxLength === undefined
        ? mostTokens(model.config)
        : checkInteger(`${where}: maxLength`, maxLength, 1, model.config.maxLength);
    /** How many of the oldest messages behind the system message the model no longer reads. */
    this.trimmed = 0;
  }

  /** All that was said, oldest first: a copy.
   * @returns {Message[]} */
  get messages() {
    return structuredClone(this.#messages);
  }

  /** How many bytes of keys and values are kept for the next turn: 256 MiB at most. Memory that is full takes them. */
  get bytes() {
    return prefixBytes(this);
  }

  /** Asks, and streams the answer: read it with for await, or `await session.ask(…).whole()`. Both are added to the messages
   * when it ends; an answer that was left, or ended by the signal, as far as it was written.
   * @param {string | Message} message what the user says, or any other message, such as the result of a tool
   * @param {TextOptions} [options] for this answer
   * @returns {import('./generate.js').GenerationStream<string>} */
  ask(message, options = {}) {
    /** @type {Generated} */
    const result = { tokens: [], text: '', guessed: 0, ended: null, seed: null };
    return withWhole('ask', this.#answer(message, options, result), result);
  }

  /** @param {string | Message} message @param {TextOptions} options @param {Generated} result
   * @returns {AsyncGenerator<string, void, undefined>} */
  async *#answer(message, options, result) {
    if (this.#isAsking) throw textFailure('GF_ESTATE', 'asking', { where: 'ask' });
    const said = typeof message === 'string' ? { role: 'user', content: message } : message;
    const [checked] = checkMessages('ask: message', [said]);
    const asked = [...this.#messages, checked];
    const all = { ...this.#options, ...options };
    if (all.maxNewTokens !== undefined) checkUint32('ask: maxNewTokens', all.maxNewTokens);
    const { ids, trimmed } = this.#fitted(asked, all.maxNewTokens);
    const keeping = { keeper: this, maxLength: this.maxLength };
    const stream = writeText('ask', this.#model, this.#tokenizer, ids, all, keeping);
    this.#isAsking = true;
    let isWrong = false;
    try {
      for await (const part of stream) {
        Object.assign(result, stream.result);
        yield part;
      }
    } catch (error) {
      isWrong = true;
      throw error;
    } finally {
      this.#isAsking = false;
      Object.assign(result, stream.result);
      const isAnswer = result.text || !['signal', null].includes(result.ended);
      if (!isWrong && isAnswer) {
        this.#messages = [...asked, { role: 'assistant', content: result.text }];
        this.trimmed = trimmed;
      }
    }
  }

  /** What the model reads of a chat, without its oldest messages.
   * @param {readonly Message[]} messages @param {number} trimmed
   * @returns {number[]} */
  #prompt(messages, trimmed) {
    const head = headOf(messages);
    const read = [...messages.slice(0, head), ...messages.slice(head + trimmed)];
    const checkpoint = { chatTemplate: this.#chatTemplate, tokenizer: this.#tokenizer };
    const text = chatPrompt(checkpoint, read, this.#template);
    return checkEncoded(this.#tokenizer.encode(text, { special: false }));
  }

  /** The ids of a chat, with room for the answer. Where that is not there, whole turns are left out, more than need be: each
   * time the rest is read again.
   * @param {readonly Message[]} messages @param {number} [maxNewTokens] */
  #fitted(messages, maxNewTokens) {
    const { maxLength } = this;
    const part = Math.max(1, Math.floor(ANSWER_PART * maxLength));
    const room = Math.min(maxNewTokens ?? part, Math.floor(TRIMMED_PART * maxLength));
    let { trimmed } = this;
    let ids = this.#prompt(messages, trimmed);
    if (ids.length + room <= maxLength) return { ids, trimmed };
    const head = headOf(messages);
    const starts = [...messages.keys()].filter(
      (i) => messages[i].role === 'user' && i > head + trimmed,
    );
    for (const start of starts) {
      trimmed = start - head;
      ids = this.#prompt(messages, trimmed);
      if (ids.length <= Math.min(TRIMMED_PART * maxLength, maxLength - room)) break;
    }
    if (ids.length <= maxLength) return { ids, trimmed };
    throw rangeError('turnTooLong', { where: 'ask', n: ids.length, most: maxLength });
  }

  /** Gives the kept keys and values back; a later question reads the chat again. */
  dispose() {
    dropPrefix(this);
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
