// The chat template that a model comes with: from messages to the one text that the model was trained on. Templates
// are Jinja; this entry, glassformer/chat, alone carries what interprets it.

import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
  readOptions,
} from '../../js/base/errors.js';
import { jsonText } from '../../js/base/file.js';
import { isObject } from '../../js/base/values.js';
import { rangeError, refusing, typeError } from '../../js/formats/texts.js';
import { render } from './jinja/run.js';
import { TemplateError } from './jinja/values.js';
import { withinTime } from './time-limit.js';

/** A part of what a message says.
 * @typedef {object} ContentPart
 * @property {'text'} type other parts, such as images, are refused
 * @property {string} text what it says */

/** A message of a chat. What a template reads besides: the calls of tools that the assistant made, whose result a message of
 * a tool has, and what the assistant thought before it answered.
 * @typedef {object} Message
 * @property {'system' | 'user' | 'assistant' | 'tool'} role who says it
 * @property {string | readonly ContentPart[]} content parts become lines of one text
 * @property {string} [name] of the tool
 * @property {readonly object[]} [tool_calls] that the assistant made, in the form of its template
 * @property {string} [tool_call_id] the call that the message answers
 * @property {string} [reasoning_content] what the assistant thought */

/** What a template may use besides the messages.
 * @typedef {object} TemplateOptions
 * @property {readonly object[]} [tools] that the model may call, as the template of its family wants them: most often `{ type:
 *   'function', function: { name, description, parameters } }`, where parameters is a JSON schema
 * @property {Readonly<Record<string, unknown>>} [variables] of the template, such as `{ enable_thinking: false }` */

/** What a checkpoint has of it.
 * @typedef {object} Chatting
 * @property {string | null} chatTemplate in Jinja, which turns messages into the text that the model reads; null: the file has none
 * @property {import('./token-lists.js').ListedTokenizer | null} [tokenizer] of a checkpoint, or of openTokenizer */

/** What a message may have besides, as plain values. */
const MORE = /** @type {const} */ (['name', 'tool_calls', 'tool_call_id', 'reasoning_content']);
/** Names that variables cannot have: they are set already. */
const TAKEN = ['messages', 'tools', 'add_generation_prompt', 'bos_token', 'eos_token'];
const ROLES = ['system', 'user', 'assistant', 'tool'];
const TIMEOUT_MS = 2000;

/** @type {import('../../js/formats/texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('chat_template');

/** The text of a message. Parts are joined as by llama.cpp and vLLM.
 * @param {string} where @param {unknown} content */
function contentOf(where, content) {
  if (!Array.isArray(content)) return checkText(where, content);
  const texts = content.map((part, i) => {
    checkOptions(`${where}[${i}]`, part, ['type', 'text']);
    checkWord(`${where}[${i}]: type`, part.type, ['text']);
    return checkText(`${where}[${i}]: text`, part.text);
  });
  return texts.join('\n');
}

/** @param {string} where @param {unknown} messages
 * @returns {(Message & { content: string })[]} plain copies */
export function checkMessages(where, messages) {
  checkArray(where, messages);
  return messages.map((message, i) => {
    checkOptions(`${where}[${i}]`, message, ['role', 'content', ...MORE]);
    const { role, content, ...more } = /** @type {Message} */ (message);
    checkWord(`${where}[${i}]: role`, role, ROLES);
    return {
      role,
      content: contentOf(`${where}[${i}]: content`, content),
      ...JSON.parse(jsonText(`${where}[${i}]`, more)),
    };
  });
}

/** @param {string} where @param {unknown} tools */
export function checkTools(where, tools) {
  checkArray(where, tools);
  for (const [i, tool] of tools.entries()) {
    if (!isObject(tool)) throw typeError('object', { where: `${where}[${i}]`, given: tool });
  }
}

/** @param {string} where @param {unknown} variables */
export function checkVariables(where, variables) {
  checkOptions(where, variables, Object.keys(Object(variables)));
  for (const name of TAKEN) {
    if (Object.hasOwn(/** @type {object} */ (variables), name))
      throw rangeError('variableTaken', { where, name });
  }
}

/** @type {Record<string, import('../../js/base/errors.js').Rule>} */
const OPTIONS = {
  answer: [checkBoolean],
  timeout: [checkInteger, 1, 2 ** 31 - 1],
  tools: [checkTools],
  variables: [checkVariables],
};

/** The text that a chat is to its model: its template filled in with the messages, up to where the answer begins.
 * Encode it with `{ special: false }`: the template has put in what a text begins with. A template computes what it does
 * with Jinja in Python, set up as by transformers, or is refused. Its steps and what it makes are counted: one of a
 * stranger ends after about a second and with 64 MB at most. Node also ends it after the `timeout`.
 * @param {Chatting} checkpoint what openCheckpoint gives of a GGUF; of other files { chatTemplate, tokenizer }, both of which
 *   openTokenizer gives
 * @param {readonly Message[]} messages
 * @param {{ answer?: boolean, timeout?: number } & TemplateOptions} [options] answer: whether the assistant's turn is begun,
 *   true by default; timeout in milliseconds, 2,000 by default
 * @returns {string}
 * @example
 * import { chatPrompt } from 'glassformer/chat';
 *
 * const chatTemplate = '{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}[assistant]';
 * chatPrompt({ chatTemplate }, [{ role: 'user', content: 'Hi' }]); // = '[user] Hi [assistant]' */
export function chatPrompt(checkpoint, messages, options = {}) {
  const { chatTemplate: source, tokenizer } = Object(checkpoint);
  if (typeof source !== 'string') throw typeError('noTemplate', { where: 'chatPrompt' });
  const checkedMessages = checkMessages('chatPrompt: messages', messages);
  const read = readOptions('chatPrompt', options, OPTIONS);
  /* Where there are no tools, transformers says None. */
  const { answer = true, timeout = TIMEOUT_MS, tools = null, variables = {} } = read;
  /** @param {number | undefined} id */
  const tokenOf = (id) => (id === undefined ? '' : tokenizer.tokens([id])[0]);
  const items = {
    documents: null,
    ...JSON.parse(jsonText('chatPrompt: variables', variables)),
    messages: checkedMessages,
    tools: JSON.parse(jsonText('chatPrompt: tools', tools)),
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
