// The tokenizer of a checkpoint: a WordPiece model written by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTokenizer } from '../../bindings/formats/tokenizer.js';

const VOCABULARY = ['[UNK]', '[CLS]', '[SEP]', 'the', 'cat', 'sleep', '##s'];
const special = (content) => ({ id: VOCABULARY.indexOf(content), content, special: true });
const tokenizer = {
  version: '1.0',
  added_tokens: ['[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [1], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [2], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
  },
};

test('text becomes ids, special tokens included, and ids become text', () => {
  const { encode, decode, tokens } = openTokenizer({ tokenizer });
  assert.deepEqual(encode('The cat sleeps'), [1, 3, 4, 5, 6, 2]);
  assert.deepEqual(encode('the dog'), [1, 3, 0, 2]);
  assert.equal(decode([1, 3, 4, 5, 6, 2]), 'the cat sleeps');
  assert.deepEqual(tokens([1, 3, 6, 99]), ['[CLS]', 'the', '##s', '']);
});

test('what is no tokenizer is refused with what came', () => {
  assert.throws(() => openTokenizer({ tokenizer: null }), /tokenizer\.json, parsed, received null/);
  assert.throws(() => openTokenizer({ tokeniser: {} }), /tokeniser.*tokenizer/);
  assert.throws(() => openTokenizer({ tokenizer }).encode(3), /expected a text, received 3/);
});
