// Our own checkpoints: torch.nn's names and layouts, those of torch.nn.Transformer where it has one.
// config.json holds a ModelConfig.

import { FIELDS } from '../model/config/config.js';
import { NEUTRAL } from './config.js';
import { under } from './table.js';

const SETTINGS = /** @type {(keyof typeof FIELDS)[]} */ (Object.keys(FIELDS));

/** @type {import('./table.js').Family} */
export const torch = {
  types: ['glassformer'],
  prefix: '',
  ignored: /^$/,
  settings: Object.fromEntries(SETTINGS.map((field) => [field, field])),
  defaults: () => NEUTRAL,
  /* A setting that is not known may change what the model computes. */
  demands: (given) => {
    const known = ['model_type', ...SETTINGS];
    const unknown = Object.keys(given).filter((key) => !known.includes(key));
    return Object.fromEntries(unknown.map((key) => [key, undefined]));
  },
  read: () => ({}),
  write: () => ({}),
  fixed: () => ({}),
  rows: () => [
    ['embedding.weight', 'embedding.weight'],
    ['source_embedding.weight', 'source_embedding.weight'],
    ['token_type_embedding.weight', 'token_type_embedding.weight'],
    ...under('{side}', '{side}', [
      ['position_embedding.weight', 'position_embedding.weight'],
      ['embedding_norm.{p}', 'embedding_norm.{p}'],
      ['norm.{p}', 'norm.{p}'],
    ]),
    ...under('{side}.layers.{i}', '{side}.layers.{i}', [
      ['self_attn.{qkv}_proj.{p}', 'self_attn.in_proj_{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'self_attn.out_proj.{p}', 'transposed'],
      ['cross_attn.{qkv}_proj.{p}', 'multihead_attn.in_proj_{p}', 'transposed'],
      ['cross_attn.out_proj.{p}', 'multihead_attn.out_proj.{p}', 'transposed'],
      ['gate.{p}', 'gate.{p}', 'transposed'],
      ['linear1.{p}', 'linear1.{p}', 'transposed'],
      ['linear2.{p}', 'linear2.{p}', 'transposed'],
      ['norm1.{p}', 'norm1.{p}'],
      ['norm2.{p}', 'norm2.{p}'],
      ['norm3.{p}', 'norm3.{p}'],
    ]),
    ['pooler.dense.{p}', 'pooler.dense.{p}', 'transposed'],
    ['prediction.dense.{p}', 'prediction.dense.{p}', 'transposed'],
    ['prediction.norm.{p}', 'prediction.norm.{p}'],
    ['logits.{p}', 'logits.{p}', 'transposed'],
  ],
};
