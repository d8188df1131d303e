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
import { checkMessages, checkTools, checkVariables } from '../formats/chat.js';
import { fitted } from './fit.js';
import { writeText } from './generate.js';
import { checkPrompt, checkSettings, TEXT_KEYS } from './options.js';
import { dropPrefix, MAX_BYTES, prefixBytes } from './prefix.js';
import { unwritten, withWhole } from './stream.js';
import { failure as textFailure, typeError as textTypeError } from './texts.js';
import { checkTokenizer } from './tokenizer.js';

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

/** What a session asks of its tokenizer: in a page both lie in a worker, as patterns and templates of files may run without
 * end.
 * @typedef {object} Words
 * @property {(chat: import('./fit.js').Chat, options: TextOptions) =>
 *   import('./fit.js').Fitted | Promise<import('./fit.js').Fitted>} fit what the model reads of a chat
 * @property {(ids: readonly number[], options: TextOptions, keeping: import('./generate.js').Keeping) =>
 *   AsyncIterable<string> & { result: Generated }} write what it writes behind that */

/** What a session takes besides what its answers do. */
const OWN = 'system messages maxLength tools variables tokenizer chatTemplate'.split(' ');

/** The words of a model whose tokenizer and template are here.
 * @param {string} where @param {Model} model @param {SessionOptions} options
 * @returns {Words} */
function wordsOf(where, model, options) {
  const { tokenizer = model.tokenizer, chatTemplate = model.chatTemplate } = options;
  const { tools, variables } = options;
  if (!tokenizer) throw failure('GF_ESTATE', 'noWords', { where });
  checkTokenizer(`${where}: tokenizer`, tokenizer);
  if (typeof chatTemplate !== 'string') throw typeError('noTemplate', { where });
  if (tools !== undefined) checkTools(`${where}: tools`, tools);
  if (variables !== undefined) checkVariables(`${where}: variables`, variables);
  const chatting = { chatTemplate, tokenizer: /** @type {ListedTokenizer} */ (tokenizer) };
  const template = { ...(tools && { tools }), ...(variables && { variables }) };
  return {
    fit: (chat) => fitted(chatting, chat, template),
    write: (ids, more, keeping) => writeText('ask', model, tokenizer, ids, more, keeping),
  };
}

export class Session {
  #words;
  #options;
  /** @type {Message[]} */
  #messages;
  #isAsking = false;

  /** @param {Model} model @param {SessionOptions} options @param {Words} [words] by default of the model's tokenizer */
  constructor(model, options, words) {
    const where = 'session';
    weightsOf(where, model);
    if (typeof Object(options).encode === 'function')
      throw textTypeError('ownTokenizer', { where });
    checkOptions(where, options, [...OWN, ...TEXT_KEYS]);
    const { system, messages = [], maxLength, tools, variables, ...more } = options;
    const { tokenizer, chatTemplate, ...rest } = more;
    checkPrompt(checkSettings(where, model.config, rest), [0]);
    this.#words = words ?? wordsOf(where, model, options);
    const checked = checkMessages(`${where}: messages`, messages);
    const head =
      system === undefined
        ? []
        : [{ role: 'system', content: checkText(`${where}: system`, system) }];
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
    const result = unwritten();
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
    const { maxLength } = this;
    let { trimmed } = this;
    this.#isAsking = true;
    let isWrong = false;
    try {
      const { maxNewTokens } = all;
      const fit = await this.#words.fit({ messages: asked, trimmed, maxLength, maxNewTokens }, all);
      trimmed = fit.trimmed;
      const stream = this.#words.write(fit.ids, all, { keeper: this, maxLength });
      try {
        for await (const part of stream) {
          Object.assign(result, stream.result);
          yield part;
        }
      } finally {
        Object.assign(result, stream.result);
      }
    } catch (error) {
      isWrong = true;
      throw error;
    } finally {
      this.#isAsking = false;
      const isAnswer = result.text || !['signal', null].includes(result.ended);
      if (!isWrong && isAnswer) {
        this.#messages = [...asked, { role: 'assistant', content: result.text }];
        this.trimmed = trimmed;
      }
    }
  }

  /** Gives the kept keys and values back; a later question reads the chat again. */
  dispose() {
    dropPrefix(this);
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
