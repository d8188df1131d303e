// The chat template that a model comes with: from messages to the one text that the model was trained on. Templates
// are Jinja, which @huggingface/jinja interprets; this entry, glassformer/chat, alone carries it.

import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../base/errors.js';
import { Template } from '../generated/jinja.js';
import { rangeError, refusing, typeError } from './texts.js';
import { withinTime } from './time-limit.js';

/** @typedef {{ role: 'system' | 'user' | 'assistant' | 'tool', content: string }} Message */

/** What a checkpoint has of it.
 * @typedef {object} Chatting
 * @property {string | null} chatTemplate
 * @property {import('./token-lists.js').ListedTokenizer | null} [tokenizer] of a checkpoint, or of openTokenizer */

const ROLES = ['system', 'user', 'assistant', 'tool'];
const TIMEOUT = 2000;

/** @type {import('./texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('chat_template');

/** @param {unknown} messages
 * @returns {Message[]} plain copies */
function checkMessages(messages) {
  checkArray('chatPrompt: messages', messages);
  return messages.map((message, i) => {
    const where = `chatPrompt: messages[${i}]`;
    checkOptions(where, message, ['role', 'content']);
    const { role, content } = /** @type {Message} */ (message);
    checkWord(`${where}: role`, role, ROLES);
    checkText(`${where}: content`, content);
    return { role, content };
  });
}

/** The text that a chat is to its model: its template filled in with the messages, up to where the answer begins.
 * Encode it with `{ special: false }`: the template has put in what a text begins with. A template may run without end;
 * Node ends it after the `timeout`. In a page, fill in templates of strangers in a worker, which can be ended.
 * @param {Chatting} checkpoint what openCheckpoint gives of a GGUF; of other files { chatTemplate, tokenizer }, both of which
 *   openTokenizer gives
 * @param {readonly Message[]} messages
 * @param {{ answer?: boolean, timeout?: number }} [options] answer: whether the assistant's turn is begun, true by
 *   default; timeout in milliseconds, 2,000 by default
 * @returns {string}
 * @example
 * import { chatPrompt } from 'glassformer/chat';
 *
 * const chatTemplate = '{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}[assistant]';
 * chatPrompt({ chatTemplate }, [{ role: 'user', content: 'Hi' }]); // = '[user] Hi [assistant]' */
export function chatPrompt(checkpoint, messages, options = {}) {
  const { chatTemplate: source, tokenizer } = Object(checkpoint);
  if (typeof source !== 'string') throw typeError('noTemplate', { where: 'chatPrompt' });
  const given = checkMessages(messages);
  checkOptions('chatPrompt', options, ['answer', 'timeout']);
  const { answer = true, timeout = TIMEOUT } = options;
  checkBoolean('chatPrompt: answer', answer);
  checkInteger('chatPrompt: timeout', timeout, 1, 2 ** 31 - 1);
  /** @param {number | undefined} id */
  const tokenOf = (id) => (id === undefined ? '' : tokenizer.tokens([id])[0]);
  const items = {
    messages: given,
    add_generation_prompt: answer,
    bos_token: tokenOf(tokenizer?.bos),
    eos_token: tokenOf(tokenizer?.eos),
  };
  return withinTime(
    timeout,
    () => {
      try {
        return new Template(source).render(items);
      } catch (error) {
        const { message: reason } = /** @type {Error} */ (error);
        return refuse('template', { reason: String(reason).slice(0, 200) });
      }
    },
    () => {
      throw rangeError('templateTime', { where: 'chatPrompt', milliseconds: timeout });
    },
  );
}
