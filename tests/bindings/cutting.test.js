// How a text is cut, step by step: the order is that of the lists, by hand, and the tokens are those of the tokenizers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutterOfFile, cutterOfLists } from '../../bindings/models/formats/cutting.js';
import { listedTokenizer } from '../../bindings/models/formats/token-lists.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';

const ids = (words) => words.flatMap(({ tokens }) => tokens.map(({ id }) => id));
const rows = ({ steps }) => steps.map(({ pieces, at, why }) => [pieces.join(' '), pieces[at], why]);

test('merges: in the order of the list, wherever they stand', () => {
  const tokens = [...'abcdeinrst', 'Ġ', 'er', 'st', 'est', 'in', 'nest'];
  const lists = { model: 'gpt2', tokens, merges: ['e r', 's t', 'e st', 'i n', 'n est'] };
  const cutter = cutterOfLists(lists);
  assert.deepEqual([cutter.way, cutter.known], ['merges', 5]);
  const [word] = cutter.cut('inners');
  assert.deepEqual(rows(word), [
    ['i n n er s', 'er', 1],
    ['in n er s', 'in', 4],
  ]);
  assert.deepEqual(rows(cutter.cut('nest')[0]).at(-1), ['nest', 'nest', 5]);
  for (const text of ['inners', 'nest', 'the nest is in est', 'äé', '']) {
    assert.deepEqual(ids(cutter.cut(text)), listedTokenizer(lists).encode(text), text);
  }
});

test('scores: the pair that makes the best token is joined', () => {
  const tokens = ['<unk>', '▁', ...'abc', 'ab', 'bc', '▁a', 'abc'];
  const scores = [0, -9, -9, -9, -9, -2, -1, -3, -4];
  const lists = { model: 'llama', tokens, scores, unknown: 0, addBos: false };
  const cutter = cutterOfLists(lists);
  const [word] = cutter.cut('abc');
  assert.equal(word.text, '▁abc');
  assert.deepEqual(rows(word), [
    ['▁ a bc', 'bc', -1],
    ['▁a bc', '▁a', -3],
  ]);
  for (const text of ['abc', 'cab abc', 'x']) {
    assert.deepEqual(ids(cutter.cut(text)), listedTokenizer(lists).encode(text), text);
  }
});

const file = (model, more = {}) => ({
  model,
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  added_tokens: [],
  ...more,
});

test('the longest beginning: un ##aff ##able, as BERT’s own documentation cuts it', () => {
  const vocab = { '[UNK]': 0, un: 1, '##aff': 2, '##able': 3, '##a': 4, a: 5, able: 6 };
  const tokenizer = file({
    type: 'WordPiece',
    vocab,
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
  });
  const cutter = cutterOfFile(tokenizer);
  const [word] = cutter.cut('unaffable');
  assert.deepEqual(
    word.tokens.map(({ token }) => token),
    ['un', '##aff', '##able'],
  );
  assert.deepEqual(rows(word), [
    ['un affable', 'un', 7],
    ['un ##aff able', '##aff', 4],
    ['un ##aff ##able', '##able', 0],
  ]);
  for (const text of ['unaffable', 'able a', 'zebra able']) {
    assert.deepEqual(ids(cutter.cut(text)), openTokenizer({ tokenizer }).encode(text), text);
  }
});

test('the best path: its sum is the largest of all ways, tried one by one', () => {
  const vocab = [
    ['<unk>', 0],
    ['▁', -3],
    ['▁h', -2.5],
    ['h', -4],
    ['u', -4],
    ['g', -4],
    ['hu', -2.2],
    ['ug', -2],
    ['hug', -5.5],
    ['s', -3],
    ['gs', -2.4],
  ];
  const scores = new Map(vocab);
  const word = '▁hugs';
  const ways = (rest) =>
    rest === ''
      ? [[]]
      : Array.from(rest, (_, i) => rest.slice(0, i + 1))
          .filter((piece) => scores.has(piece))
          .flatMap((piece) => ways(rest.slice(piece.length)).map((way) => [piece, ...way]));
  const sum = (way) => way.reduce((total, piece) => total + scores.get(piece), 0);
  const best = ways(word).reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const cutter = cutterOfFile(file({ type: 'Unigram', vocab, unk_id: 0 }));
  const [cut] = cutter.cut('hugs');
  assert.deepEqual(
    cut.tokens.map(({ token }) => token),
    best,
  );
  assert.equal(cut.steps.at(-1).why, sum(best));
});

test('BPE of a file: its merges in either form; what has no steps has none', () => {
  const vocab = { a: 0, b: 1, c: 2, ab: 3, abc: 4 };
  for (const merges of [
    ['a b', 'ab c'],
    [
      ['a', 'b'],
      ['ab', 'c'],
    ],
  ]) {
    const cutter = cutterOfFile(file({ type: 'BPE', vocab, merges }));
    assert.deepEqual(ids(cutter.cut('abc ab')), [4, 3]);
  }
  assert.equal(cutterOfFile(file({ type: 'WordLevel', vocab })), null);
});
