// What tokenizer_config.json must be.

import { isMissing, isObject } from './tokenizer-schema.js';
import { refusing } from './tokenizer-texts.js';

/** @type {import('./tokenizer-texts.js').Refuse} */
const refuse = refusing('tokenizer_config.json');

/** A token by its text, or as an object.
 * @param {unknown} token @param {string} where
 * @returns {string} */
function textOf(token, where) {
  const content = isObject(token) ? token.content : token;
  return typeof content === 'string' ? content : refuse('text', { where, given: token });
}

/** The template of chats: of several, that for no purpose of its own.
 * @param {unknown} value
 * @returns {string | null} */
function templateOf(value) {
  if (isMissing(value)) return null;
  const where = 'chat_template';
  if (!Array.isArray(value)) {
    return typeof value === 'string' ? value : refuse('text', { where, given: value });
  }
  const usual = value.find((one) => isObject(one) && one.name === 'default');
  return usual ? textOf({ content: usual.template }, where) : null;
}

/** Checks tokenizer_config.json, parsed: the settings that are used, and which tokens are special besides.
 * @param {unknown} config */
export function checkTokenizerConfig(config) {
  if (!isObject(config)) return refuse('object', { given: config });
  const name = 'clean_up_tokenization_spaces';
  const isCleaned = config[name] ?? false;
  if (typeof isCleaned !== 'boolean') refuse('boolean', { where: name, given: isCleaned });
  const where = 'additional_special_tokens';
  const more = config[where] ?? [];
  if (!Array.isArray(more)) refuse('array', { where, given: more });
  const special = more.map((/** @type {unknown} */ token, /** @type {number} */ i) =>
    textOf(token, `${where}[${i}]`),
  );
  const [begin, end] = ['bos_token', 'eos_token'].map((which) =>
    isMissing(config[which]) ? null : textOf(config[which], which),
  );
  return {
    isCleaned,
    special: new Set(special),
    begin,
    end,
    chatTemplate: templateOf(config.chat_template),
  };
}
