// What a model reads of a chat: all that fits, with room for the answer.

import { chatPrompt } from '../formats/chat.js';
import { rangeError } from './texts.js';
import { checkEncoded } from './tokenizer.js';

/** @typedef {import('../formats/chat.js').Message} Message */
/** @typedef {import('../formats/chat.js').TemplateOptions} TemplateOptions */
/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */

/** The messages of a chat, how many of the oldest are left out already, the most tokens that are read at once, and how many
 * the answer may have.
 * @typedef {{ messages: readonly Message[], trimmed: number, maxLength: number, maxNewTokens?: number }} Chat */

/** @typedef {{ ids: number[], trimmed: number }} Fitted */

/** Of a session's tokens the answer gets so many at least, if maxNewTokens does not say how many. */
export const ANSWER_PART = 1 / 4;
/** A chat that is full loses turns until it takes no more than this. */
export const TRIMMED_PART = 1 / 2;

/** How many messages stand before the first turn: what the system says.
 * @param {readonly Message[]} messages */
function headOf(messages) {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length : first;
}

/** The ids of a chat, with room for the answer. Where that is not there, whole turns are left out, more than need be: each
 * time the rest is read again.
 * @param {{ chatTemplate: string, tokenizer: ListedTokenizer }} chatting @param {Chat} chat
 * @param {TemplateOptions} [template]
 * @returns {Fitted} */
export function fitted(chatting, { messages, trimmed, maxLength, maxNewTokens }, template) {
  const part = Math.max(1, Math.floor(ANSWER_PART * maxLength));
  const room = Math.min(maxNewTokens ?? part, Math.floor(TRIMMED_PART * maxLength));
  const head = headOf(messages);
  /** @param {number} count of the oldest messages, which are left out */
  const without = (count) => {
    const read = [...messages.slice(0, head), ...messages.slice(head + count)];
    const text = chatPrompt(chatting, read, template);
    const ids = checkEncoded(chatting.tokenizer.encode(text, { special: false }));
    return { ids, trimmed: count };
  };
  let fit = without(trimmed);
  if (fit.ids.length + room <= maxLength) return fit;
  const starts = [...messages.keys()].filter(
    (i) => messages[i].role === 'user' && i > head + trimmed,
  );
  for (const start of starts) {
    fit = without(start - head);
    if (fit.ids.length <= Math.min(TRIMMED_PART * maxLength, maxLength - room)) break;
  }
  if (fit.ids.length <= maxLength) return fit;
  throw rangeError('turnTooLong', { where: 'ask', n: fit.ids.length, most: maxLength });
}
