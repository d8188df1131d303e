// What a model's folder of Hugging Face has beside its weights: the tokenizer, and what the tokens mean.

import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tokenizerJson } from '../formats/tokenizer-json.js';

/** @typedef {import('../checkpoints/open.js').Header} Header */

/** Files that say how texts become tokens, and where a text ends. */
const FILES = [
  ...['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'added_tokens.json'],
  ...['vocab.json', 'merges.txt', 'vocab.txt', 'tokenizer.model', 'spiece.model'],
  ...['sentencepiece.bpe.model', 'chat_template.jinja', 'generation_config.json'],
];

/** What config.json says of tokens and labels, which the weights do not need. */
const SETTINGS = [
  ...['bos_token_id', 'eos_token_id', 'pad_token_id', 'cls_token_id', 'sep_token_id'],
  ...['mask_token_id', 'id2label', 'label2id', 'problem_type'],
];

/** What config.json has to say beside what exportModel wrote.
 * @param {Header} header
 * @returns {Record<string, unknown>} */
export function settingsOf({ config, lists }) {
  const said = SETTINGS.filter((name) => Object.hasOwn(config, name));
  return {
    ...(lists && { bos_token_id: lists.bos, eos_token_id: lists.eos }),
    ...Object.fromEntries(said.map((name) => [name, config[name]])),
  };
}

/** Puts the tokenizer into a folder: the files that lie beside a safetensors, or what a GGUF says.
 * @param {string} from the file of the weights @param {Header} header @param {string} to
 * @returns {boolean} whether there is one */
export function writeTokenizer(from, { container, lists, chatTemplate }, to) {
  const place = (/** @type {string} */ name) => path.join(to, name);
  if (lists) {
    const { tokenizer, config, generation } = tokenizerJson(lists, chatTemplate);
    writeFileSync(place('tokenizer.json'), `${JSON.stringify(tokenizer, null, 1)}\n`);
    writeFileSync(place('tokenizer_config.json'), `${JSON.stringify(config, null, 2)}\n`);
    writeFileSync(place('generation_config.json'), `${JSON.stringify(generation, null, 2)}\n`);
    return true;
  }
  if (container !== 'safetensors') return false;
  const beside = (/** @type {string} */ name) => path.join(path.dirname(from), name);
  const found = FILES.filter((name) => existsSync(beside(name)));
  for (const name of found) copyFileSync(beside(name), place(name));
  return found.includes('tokenizer.json');
}
