// What a model's folder of Hugging Face has beside its weights: the tokenizer, and what the tokens mean.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tokenizerJson } from '../models/formats/tokenizer-json.js';

/** @typedef {import('../models/checkpoints/open.js').Header} Header */

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

/** The files of the tokenizer: those that lie beside a safetensors, or what a GGUF says.
 * @param {string} from the file of the weights @param {Header} header
 * @returns {[name: string, content: string | Uint8Array][]} none if there is no tokenizer */
export function tokenizerFiles(from, { container, lists, chatTemplate }) {
  if (lists) {
    const { tokenizer, config, generation } = tokenizerJson(lists, chatTemplate);
    return [
      ['tokenizer.json', `${JSON.stringify(tokenizer, null, 1)}\n`],
      ['tokenizer_config.json', `${JSON.stringify(config, null, 2)}\n`],
      ['generation_config.json', `${JSON.stringify(generation, null, 2)}\n`],
    ];
  }
  if (container !== 'safetensors') return [];
  const beside = (/** @type {string} */ name) => path.join(path.dirname(from), name);
  return FILES.filter((name) => existsSync(beside(name))).map((name) => [
    name,
    readFileSync(beside(name)),
  ]);
}
