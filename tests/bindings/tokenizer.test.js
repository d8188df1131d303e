// The tokenizer of a checkpoint: a WordPiece model written by hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { GlassformerError } from '../../bindings/index.js';
import { chatPrompt } from '../../bindings/models/formats/chat.js';
import { Matcher } from '../../bindings/models/formats/matching.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';
import { tokenizers } from '../support/tokenizers.js';

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

test('what begins and ends a text, what ends an answer, and the template of chats are the config’s', () => {
  const chat_template =
    "{% for m in messages %}{{ bos_token + m['content'] + eos_token }}{% endfor %}";
  const [other, words] = ['tool_use', 'default'].map((name) => ({ name, template: name }));
  const config = { bos_token: '[CLS]', eos_token: { content: '[SEP]' }, chat_template };
  const own = openTokenizer({ tokenizer, config });
  assert.deepEqual([own.bos, own.eos, own.stops], [1, 2, [2]]);
  assert.deepEqual(own.encode('the cat', { special: false }), [3, 4]);
  const text = chatPrompt({ chatTemplate: own.chatTemplate, tokenizer: own }, [
    { role: 'user', content: 'cat' },
  ]);
  assert.deepEqual(own.encode(text, { special: false }), [1, 4, 2]);
  const several = openTokenizer({ tokenizer, config: { chat_template: [other, words] } });
  assert.equal(several.chatTemplate, 'default');
  assert.equal(openTokenizer({ tokenizer, config: { chat_template: [other] } }).chatTemplate, null);
  const plain = openTokenizer({ tokenizer });
  assert.deepEqual(
    [plain.bos, plain.eos, plain.stops, plain.chatTemplate],
    [undefined, undefined, [], null],
  );
  const ending = { ...tokenizer, added_tokens: [...tokenizer.added_tokens] };
  ending.added_tokens.push({ id: 7, content: '<|im_end|>', special: true });
  assert.deepEqual(openTokenizer({ tokenizer: ending, config }).stops, [2, 7]);
  assert.throws(() => own.encode('the', { special: 1 }), /special: expected true or false/);
});

test('what is no tokenizer is refused with what came', () => {
  assert.throws(
    () => openTokenizer({ tokenizer: null }),
    /tokenizer\.json: expected an object with a model, received null/,
  );
  assert.throws(() => openTokenizer({ tokeniser: {} }), /tokeniser.*tokenizer/);
  assert.throws(() => openTokenizer({ tokenizer }).encode(3), /expected a string, received 3/);
});

// ---- Files that are no tokenizers, or not rightly ----

const { wordPiece, bpe, unigram } = tokenizers;

/** A copy with one field replaced, by its path. */
function without(given, path, value) {
  const whole = structuredClone(given);
  const keys = path.match(/[^.[\]]+/g);
  const last = keys.pop();
  const parent = keys.reduce((at, key) => at[key], whole);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return whole;
}

const refused = (reason) => (error) => {
  assert.ok(error instanceof GlassformerError, error.stack);
  assert.equal(error.code, 'GF_EFILE');
  assert.match(error.message, reason);
  return true;
};

test('each kind of model is read, with every part around it', () => {
  const words = openTokenizer({ tokenizer: wordPiece });
  assert.deepEqual(words.encode('The cats  SLEEP'), [1, 3, 4, 6, 5, 2]);
  assert.equal(words.decode([1, 3, 4, 6, 2]), 'the cats');
  const pairs = openTokenizer({ tokenizer: bpe });
  assert.deepEqual(pairs.encode('cat'), [0, 6]);
  assert.equal(pairs.decode([0, 6, 7]), 'cat cat');
  const pieces = openTokenizer({ tokenizer: unigram });
  assert.deepEqual(pieces.encode('cats'), [1, 3, 4]);
  assert.equal(pieces.decode([1, 3, 4]), 'cats');
});

test('a model of whole words knows those, and one for all others', () => {
  const read = openTokenizer({ tokenizer: tokenizers.wordLevel });
  assert.deepEqual(read.encode('cat dog cats'), [0, 1, 3]);
  assert.deepEqual(read.tokens([0, 1, 2, 3]), ['cat', 'dog', '', '<unk>']);
  assert.equal(read.decode([0, 1]), 'cat dog');
});

/* The library tokenizers shortens to the first three and pads to eight; after no_truncation() and no_padding(), which a
 * call of transformers does unless it asks for them, it gives these five. */
test('truncation and padding of the file change no text', () => {
  const vocab = Object.fromEntries([...'?abcde'].map((token, id) => [token, id]));
  const { encode } = openTokenizer({
    tokenizer: {
      truncation: { direction: 'Right', max_length: 3, strategy: 'LongestFirst', stride: 0 },
      padding: {
        ...{ strategy: { Fixed: 8 }, direction: 'Right', pad_to_multiple_of: null },
        ...{ pad_id: 0, pad_type_id: 0, pad_token: '?' },
      },
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
    },
  });
  assert.deepEqual(encode('a b c d e'), [1, 2, 3, 4, 5]);
});

test('the files of the first years, which do not tell the type of their model, are read too', () => {
  for (const [name, text] of [
    ['wordPiece', 'the cat'],
    ['bpe', 'cat'],
    ['unigram', 'cats'],
  ]) {
    const whole = tokenizers[name];
    const { encode } = openTokenizer({ tokenizer: without(whole, 'model.type') });
    assert.deepEqual(encode(text), openTokenizer({ tokenizer: whole }).encode(text), name);
  }
});

test('each wrong field is refused by its path, with what was expected and what came', () => {
  for (const [whole, path, value, reason] of [
    [wordPiece, 'model', 5, /json: model: expected an object, received 5/],
    [wordPiece, 'model.type', 'WordLeval', /model.type: expected one of BPE, .* "WordLeval"/],
    [wordPiece, 'model.vocab', ['a'], /model.vocab/],
    [wordPiece, 'model.vocab.cat', 'x', /model.vocab\["cat"\]: expected an integer from 0 .* "x"/],
    [wordPiece, 'model.vocab.cat', -1, /model.vocab\["cat"\]: expected an integer from 0 .* -1/],
    [wordPiece, 'model.vocab.cat', 2 ** 24, /from 0 to 16777215, received 16777216/],
    [wordPiece, 'model.vocab.cat', 1.5, /received 1.5/],
    [
      wordPiece,
      'model.unk_token',
      undefined,
      /model.unk_token: expected a string, received undefined/,
    ],
    [wordPiece, 'model.continuing_subword_prefix', 3, /prefix: expected a string, received 3/],
    [
      wordPiece,
      'normalizer.normalizers[1].type',
      'NFE',
      /\[1\].type: expected one of .* received "NFE"/,
    ],
    [
      wordPiece,
      'normalizer.normalizers[1].pattern',
      {},
      /\[1\].pattern: expected one of the fields String/,
    ],
    [wordPiece, 'normalizer.normalizers[1]', null, /normalizers\[1\]: expected an object, .* null/],
    [wordPiece, 'pre_tokenizer.pretokenizers[3].length', 0, /length: expected an integer from 1/],
    [
      wordPiece,
      'pre_tokenizer',
      'Whitespace',
      /pre_tokenizer: expected an object, .* "Whitespace"/,
    ],
    [wordPiece, 'post_processor.cls', ['[CLS]', 2], /cls\[1\]: expected the id 1, received 2/],
    [
      wordPiece,
      'post_processor.sep',
      ['</s>', 2],
      /expected a token of the vocabulary, .* "<\/s>"/,
    ],
    [wordPiece, 'decoder.cleanup', 'yes', /decoder.cleanup: expected true or false, .* "yes"/],
    [
      wordPiece,
      'added_tokens[1].id',
      null,
      /added_tokens\[1\].id: expected an integer from .* received null/,
    ],
    [wordPiece, 'added_tokens[1].content', '', /content: expected a string that is not empty/],
    [bpe, 'model.merges', undefined, /model.merges: expected an array, received undefined/],
    [bpe, 'model.merges[1]', 'cat', /model.merges\[1\]: expected two tokens with a space between/],
    [bpe, 'model.merges[1]', 'c ats', /model.merges\[1\]: expected a token of the voc.* "ats"/],
    [bpe, 'model.merges[0]', ['a', 't'], /model.merges\[1\]: expected two tokens, received "c at"/],
    [bpe, 'pre_tokenizer.pretokenizers[0].pattern.Regex', '(', /Regex: expected a regular expres/],
    [
      bpe,
      'pre_tokenizer.pretokenizers[0].pattern.Regex',
      'a'.repeat(99999),
      /Regex: expected a pattern of at most 16384 characters, received 99999/,
    ],
    [bpe, 'post_processor.processors[1].single[0].SpecialToken.id', 'x', /single\[0\].Sp.* "x"/],
    [
      bpe,
      'post_processor.processors[1].single[1].Sequence.id',
      'B',
      /expected one of A, received "B"/,
    ],
    [bpe, 'post_processor.processors[1].single', null, /single: expected an array, received null/],
    [
      unigram,
      'post_processor.special_tokens.</s>.ids',
      [1, 2],
      /special_tokens\["<\/s>"\].ids: expected an array of one id/,
    ],
    [
      unigram,
      'model.vocab',
      [],
      /model.vocab: expected an array of tokens with their scores, received an array of 0/,
    ],
    [unigram, 'model.vocab[3]', ['▁cat'], /model.vocab\[3\]: expected a token and its score/],
    [unigram, 'model.vocab[3][1]', 'x', /model.vocab\[3\]: expected a token and its score/],
    [unigram, 'model.unk_id', 7, /model.unk_id: expected an integer from 0 to 6, received 7/],
    [
      unigram,
      'model.vocab[3][0]',
      's',
      /model.vocab\[4\]: expected a token other than that of id 3/,
    ],
    [unigram, 'model.vocab[3][0]', '<0x-1>', /vocab\[3\]: expected two hexadecimal .* "<0x-1>"/],
    [wordPiece, 'model.vocab.<0xGG>', 9, /vocab\["<0xGG>"\]: expected two hexadecimal digits/],
    [wordPiece, 'model.vocab.cat', 3, /vocab\["cat"\]: expected an id that "the" does not have/],
    [wordPiece, 'model.vocab.cat', 2 ** 31, /from 0 to 16777215, received 2147483648/],
    [wordPiece, 'model.fuse_unk', true, /model.fuse_unk: expected one of the fields vocab, .*this/],
    [wordPiece, 'pre_tokenizer.pretokenizers[0].keep', 1, /as BertPreTokenizer has none: remove/],
    [wordPiece, 'pre_tokenizer.pretokenizers[2].behavior', 'Kept', /behavior: expected one of Rem/],
    [wordPiece, 'added_tokens[1].id', 5, /added_tokens\[1\].id: expected the id 1, received 5/],
    [wordPiece, 'added_tokens[1].content', 'new', /expected an id that "\[CLS\]" does not have/],
    [wordPiece, 'added_tokens[1].strip', true, /strip: expected one of the fields id, content/],
    [wordPiece, 'model.vocab.\ud800', 9, /expected whole characters, not half of a surrogate/],
    [bpe, 'model.merges[1]', 'c a t', /model.merges\[1\]: expected two tokens with a space/],
    [bpe, 'model.merges[1]', 7, /model.merges\[1\]: expected two tokens .*, received 7/],
    [bpe, 'model.merges[1]', 't a', /model.merges\[1\]: expected a token of the vocabulary.*"ta"/],
    [bpe, 'model.dropout', 0.1, /model.dropout: expected null: merges .*, received 0.1/],
    [bpe, 'pre_tokenizer.pretokenizers[0].pattern.Regex', '(?<n>a)', /JavaScript has no \(\?</],
    [bpe, 'pre_tokenizer.pretokenizers[0].pattern.Regex', '(a)\\1', /JavaScript has no \\/],
    [bpe, 'pre_tokenizer.pretokenizers[0].pattern.Regex', '(?i:ss)', /folds ss to one letter/],
    [unigram, 'decoder.decoders[3].start', 1e9 + 0.5, /start: expected an integer from 0 to/],
  ]) {
    assert.throws(() => openTokenizer({ tokenizer: without(whole, path, value) }), refused(reason));
  }
  for (const [config, reason] of [
    [[], /tokenizer_config.json: expected an object, received an array of 0/],
    [{ clean_up_tokenization_spaces: 'no' }, /clean_up_tokenization_spaces: expected true or fa/],
    [{ additional_special_tokens: 3 }, /additional_special_tokens: expected an array, received 3/],
    [{ additional_special_tokens: [{}] }, /additional_special_tokens\[0\]: expected a string/],
    [{ eos_token: 3 }, /tokenizer_config.json: eos_token: expected a string, received 3/],
    [{ chat_template: {} }, /chat_template: expected a string, received an object/],
    [{ chat_template: [{ name: 'default' }] }, /chat_template: expected a string/],
  ]) {
    assert.throws(() => openTokenizer({ tokenizer: bpe, config }), refused(reason));
  }
});

test('sequences nest so deep, and no deeper', () => {
  let normalizer = { type: 'NFC' };
  for (let i = 0; i < 10_000; i++) normalizer = { type: 'Sequence', normalizers: [normalizer] };
  assert.throws(
    () => openTokenizer({ tokenizer: { ...bpe, normalizer } }),
    refused(/normalizers\[0\]: expected at most 16 sequences within each other/),
  );
});

test('a text has ids, or is refused: no id is ever undefined', () => {
  const unknown = without(wordPiece, 'model.unk_token', '<nothing>');
  const { encode } = openTokenizer({ tokenizer: unknown });
  assert.deepEqual(encode('the cat'), [1, 3, 4, 2]);
  assert.throws(() => encode('the dog'), refused(/model.unk_token: expected a token for what the/));
  const pieces = openTokenizer({ tokenizer: without(unigram, 'model.unk_id', null) });
  assert.deepEqual(pieces.encode('ts'), [1, 2, 6, 4]);
  /* The library looks at each of its letters, and fails. */
  for (const text of ['cats', 'dog']) {
    assert.throws(() => pieces.encode(text), refused(/model.unk_id: expected a token for what/));
  }
  assert.equal(pieces.decode([999, 3]), 'cat');
});

test('a long text costs what its length is, whatever the kind of model', () => {
  const n = 20_000;
  for (const [name, word] of Object.entries({ bpe: 'cat', unigram: 'cats', wordPiece: 'the' })) {
    const { encode } = openTokenizer({ tokenizer: tokenizers[name] });
    assert.ok(encode(word.repeat(n)).length >= 1, name);
  }
});

/** Looks into tables and lists during some work. @param {() => unknown} work */
function looksOf(work) {
  const { get } = Map.prototype;
  const { after } = Matcher.prototype;
  let looks = 0;
  Map.prototype.get = function (key) {
    looks += 1;
    return get.call(this, key);
  };
  Matcher.prototype.after = function (...given) {
    looks += 1;
    return after.apply(this, given);
  };
  try {
    work();
  } finally {
    Map.prototype.get = get;
    Matcher.prototype.after = after;
  }
  return looks;
}

test('four times the text takes about four times the steps, with tokens of a thousand lengths too', () => {
  const runs = Array.from({ length: 1000 }, (_, i) => 'a'.repeat(i + 1));
  const bare = { version: '1.0', added_tokens: [], normalizer: null, pre_tokenizer: null };
  const vocab = Object.fromEntries(runs.map((run, id) => [run, id]));
  const merges = runs.slice(1).map((run) => `${run.slice(1)} a`);
  const pieces = runs.map((run, id) => [run, -id]);
  const wordPiece = {
    type: 'WordPiece',
    vocab: { '[UNK]': 0, a: 1, '##a': 2 },
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
  };
  const added = runs.map((run, i) => ({
    id: 3 + i,
    content: `${run}b`,
    special: true,
    normalized: false,
    single_word: false,
    lstrip: true,
    rstrip: true,
  }));
  const models = {
    bpe: { ...bare, model: { type: 'BPE', vocab, merges } },
    unigram: { ...bare, model: { type: 'Unigram', vocab: pieces, unk_id: 0 } },
    wordPiece: { ...bare, model: wordPiece },
    added: { ...bare, added_tokens: added, model: wordPiece },
  };
  for (const [name, tokenizer] of Object.entries(models)) {
    const { encode } = openTokenizer({ tokenizer });
    const [few, many] = [2000, 8000].map((n) => looksOf(() => encode('a'.repeat(n))));
    assert.ok(few > 0 && many < 5 * few, `${name}: ${few}, ${many}`);
  }
});

/** What would make of a letter or two more than memory holds, each by a few hundred bytes. */
const GROWING = {
  replace: ['encode', { normalizer: { type: 'Sequence', normalizers: grown(12) } }],
  bytes: [
    'encode',
    { normalizer: { type: 'Sequence', normalizers: Array(24).fill({ type: 'ByteLevel' }) } },
  ],
  words: [
    'encode',
    { pre_tokenizer: { type: 'Sequence', pretokenizers: Array(24).fill({ type: 'ByteLevel' }) } },
  ],
  around: [
    'encode',
    { post_processor: { type: 'Sequence', processors: Array(12).fill(tenTimes()) } },
  ],
  decode: ['decode', { decoder: { type: 'Sequence', decoders: grown(12) } }],
  suffix: [
    'decode',
    { decoder: { type: 'Sequence', decoders: Array(40).fill({ type: 'BPEDecoder', suffix: '' }) } },
  ],
};

function grown(n) {
  return Array(n).fill({ type: 'Replace', pattern: { String: 'é' }, content: 'é'.repeat(8) });
}

function tenTimes() {
  const single = Array(10).fill({ Sequence: { id: 'A', type_id: 0 } });
  return { type: 'TemplateProcessing', single, pair: [], special_tokens: {} };
}

test('a file that makes too much of a text is refused, in a Node of 64 MB', () => {
  const url = new URL('../../bindings/models/formats/tokenizer.js', import.meta.url);
  const code = `
    import { readFileSync } from 'node:fs';
    import { openTokenizer } from ${JSON.stringify(url)};
    const model = { type: 'WordLevel', vocab: { x: 0, 'é': 1 }, unk_token: 'x' };
    for (const [name, [what, parts]] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
      let said;
      try {
        const opened = openTokenizer({ tokenizer: { model, ...parts } }, { timeout: 2 ** 30 });
        said = opened[what](what === 'encode' ? 'éé' : [1, 1]);
      } catch (error) {
        said = error.code + ' ' + error.message;
      }
      console.log(name, String(said).slice(0, 200));
    }`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module', '-e', code],
    { encoding: 'utf8', input: JSON.stringify(GROWING) },
  );
  const said = stdout.trim().split('\n');
  for (const [i, name] of Object.keys(GROWING).entries()) {
    const expected = new RegExp(
      `^${name} GF_EFILE tokenizer.json: makes more than \\d+ characters`,
    );
    assert.match(said[i] ?? stderr.slice(0, 500), expected);
  }
  assert.equal(said.length, Object.keys(GROWING).length);
});

test('without a configuration nothing is cleaned up; with one that asks for it, spaces go', () => {
  const vocab = { a: 0, '.': 1 };
  const words = { model: { type: 'WordLevel', vocab }, pre_tokenizer: { type: 'WhitespaceSplit' } };
  const config = { clean_up_tokenization_spaces: true };
  assert.equal(openTokenizer({ tokenizer: words }).decode([0, 1]), 'a .');
  assert.equal(openTokenizer({ tokenizer: words, config }).decode([0, 1]), 'a.');
});

test('a pattern that runs without end is ended, when a file is opened and when a text is read or written', () => {
  const hostile = { Regex: '(a+)+$' };
  const long = `${'a'.repeat(200)}b`;
  const words = {
    model: { type: 'WordLevel', vocab: { '[UNK]': 0, a: 1, [long]: 2 }, unk_token: '[UNK]' },
    pre_tokenizer: null,
    normalizer: null,
    post_processor: null,
    decoder: null,
    added_tokens: [],
  };
  const late = (where) => (error) =>
    error instanceof RangeError &&
    error.message.startsWith(`${where}: the patterns of the file ran for more than 1000 milli`);
  const open = (parts) => openTokenizer({ tokenizer: { ...words, ...parts } }, { timeout: 1000 });
  const splitting = open({
    pre_tokenizer: { type: 'Split', pattern: hostile, behavior: 'Isolated', invert: false },
  });
  assert.deepEqual(splitting.encode('a'), [1]);
  assert.throws(() => splitting.encode(long), late('encode'));
  assert.deepEqual(splitting.encode('a'), [1]);
  const writing = open({ decoder: { type: 'Replace', pattern: hostile, content: '' } });
  assert.throws(() => writing.decode([2]), late('decode'));
  const normalizer = { type: 'Replace', pattern: hostile, content: '' };
  const added = { id: 2, content: long, special: false, normalized: true };
  assert.throws(() => open({ normalizer, added_tokens: [added] }), late('openTokenizer'));
  assert.throws(() => openTokenizer({ tokenizer: words }, { timeout: 0 }), /timeout: expected/);
});

test('special tokens that stand beside the tokenizer are left out of a text, too', () => {
  const config = { additional_special_tokens: ['cat', { content: 'the' }] };
  const { decode } = openTokenizer({ tokenizer: wordPiece, config });
  assert.equal(decode([1, 3, 4, 5, 2]), 'sleep');
});
