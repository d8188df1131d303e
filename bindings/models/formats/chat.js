// The chat template that a model comes with: from messages to the one text that the model was trained on. Templates
// are Jinja; this entry, glassformer/chat, alone carries what interprets it.

import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../../js/base/errors.js';
import { rangeError, refusing, typeError } from '../../js/formats/texts.js';
import { render } from './jinja/run.js';
import { TemplateError } from './jinja/values.js';
import { withinTime } from './time-limit.js';

/** @typedef {{ role: 'system' | 'user' | 'assistant' | 'tool', content: string }} Message */

/** What a checkpoint has of it.
 * @typedef {object} Chatting
 * @property {string | null} chatTemplate
 * @property {import('./token-lists.js').ListedTokenizer | null} [tokenizer] of a checkpoint, or of openTokenizer */

const ROLES = ['system', 'user', 'assistant', 'tool'];
const TIMEOUT_MS = 2000;

/** @type {import('../../js/formats/texts.js').Refuse} */
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
 * Encode it with `{ special: false }`: the template has put in what a text begins with. A template computes what it does
 * with Jinja in Python, set up as by transformers, or is refused. Its steps and what it makes are counted: one of a
 * stranger ends after about a second and with 64 MB at most. Node also ends it after the `timeout`.
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
  const checkedMessages = checkMessages(messages);
  checkOptions('chatPrompt', options, ['answer', 'timeout']);
  const { answer = true, timeout = TIMEOUT_MS } = options;
  checkBoolean('chatPrompt: answer', answer);
  checkInteger('chatPrompt: timeout', timeout, 1, 2 ** 31 - 1);
  /** @param {number | undefined} id */
  const tokenOf = (id) => (id === undefined ? '' : tokenizer.tokens([id])[0]);
  const items = {
    messages: checkedMessages,
    /* Where there are none, transformers says None. */
    ...{ tools: null, documents: null },
    add_generation_prompt: answer,
    bos_token: tokenOf(tokenizer?.bos),
    eos_token: tokenOf(tokenizer?.eos),
  };
  return withinTime(
    timeout,
    () => {
      try {
        return render(source, items);
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        return refuse('template', { reason: error.message.slice(0, 200) });
      }
    },
    () => {
      throw rangeError('templateTime', { where: 'chatPrompt', milliseconds: timeout });
    },
  );
}
