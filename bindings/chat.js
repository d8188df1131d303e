// The entry for chats, glassformer/chat: sessions with a model, by the template that it comes with.

import { chatPrompt } from './models/formats/chat.js';
import { generateText } from './models/text/index.js';
import { Session as Chat } from './models/text/session.js';
import { checkTokenizer } from './models/text/tokenizer.js';

export { chatPrompt };

/** @typedef {import('./models/formats/chat.js').Chatting} Chatting */
/** @typedef {import('./models/formats/chat.js').ContentPart} ContentPart */
/** @typedef {import('./models/formats/chat.js').Message} Message */
/** @typedef {import('./models/formats/chat.js').TemplateOptions} TemplateOptions */
/** @typedef {import('./js/model/model.js').Model} Model */
/** @typedef {import('./models/text/session.js').Session} Session */
/** @typedef {import('./models/text/session.js').SessionOptions} SessionOptions */
/** @typedef {import('./models/text/session.js').SessionSettings} SessionSettings */
/** @typedef {import('./models/text/index.js').TextOptions} TextOptions */
/** @typedef {import('./models/text/index.js').Tokenizer} Tokenizer */

/** A checkpoint that can chat: openCheckpoint gives such of a GGUF, and openTokenizer what it takes of other files. chatTemplate:
 * in Jinja; null: the file has none.
 * @typedef {Omit<Chatting, 'tokenizer'> & { tokenizer: import('./models/formats/token-lists.js').ListedTokenizer | null }} ChatCheckpoint */

/** Begins a chat with a model. Each turn reads only what is new; a chat that becomes too long loses its oldest turns, never
 * the system message.
 * @param {Model} model with a tokenizer and a template, unless the options have them
 * @param {SessionOptions} [options] of the chat, and of each answer
 * @returns {Session}
 * @example
 * import { session } from 'glassformer/chat';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 64 });
 * const letters = [...'abcdefgh'];
 * model.tokenizer = {
 *   stops: [7],
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 *   tokens: (ids) => Array.from(ids, (id) => letters[id]),
 * };
 * model.chatTemplate = '{% for m in messages %}{{ m.content }}{% endfor %}';
 * const talk = session(model, { system: 'ab', maxNewTokens: 4 });
 * const { text } = await talk.ask('cd').whole();
 * let next = '';
 * for await (const part of talk.ask('ef')) next += part;
 * talk.messages.map(({ role }) => role); // = ['system', 'user', 'assistant', 'user', 'assistant']
 * [text.length <= 4, next.length <= 4]; // = [true, true]
 * model.dispose(); */
export function session(model, options = {}) {
  return new Chat(model, options);
}

/** Lets a model answer the messages of a chat, by the template of its checkpoint: text as it comes, as generateText
 * gives it. To go on, add the answer and the next message to the messages.
 * @deprecated goes in 2.0; `session` does this, and keeps the messages
 * @param {Model} model @param {ChatCheckpoint} checkpoint what openCheckpoint gives of a GGUF, or { chatTemplate, tokenizer }
 * @param {readonly Message[]} messages @param {TextOptions} [options]
 * @returns {import('./models/text/index.js').GenerationStream<string>}
 * @example
 * import { chat } from 'glassformer/chat';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 64 });
 * const letters = [...'abcdefgh'];
 * let answer = '';
 * const asked = chat(
 *   model,
 *   {
 *     chatTemplate: '{% for m in messages %}{{ m.content }}{% endfor %}',
 *     tokenizer: {
 *       ...{ bos: undefined, eos: 7, stops: [7] },
 *       encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *       decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 *       tokens: (ids) => Array.from(ids, (id) => letters[id]),
 *     },
 *   },
 *   [{ role: 'user', content: 'abc' }],
 *   { maxNewTokens: 4 },
 * );
 * for await (const part of asked) answer += part;
 * answer.length <= 4; // = true
 * model.dispose(); */
export function chat(model, checkpoint, messages, options) {
  const text = chatPrompt(checkpoint, messages);
  const { tokenizer } = checkpoint;
  checkTokenizer('chat: checkpoint', tokenizer);
  return generateText(model, tokenizer, tokenizer.encode(text, { special: false }), options);
}
