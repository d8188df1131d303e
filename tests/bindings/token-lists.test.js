// Tokenizers made of lists, against @huggingface/tokenizers with the same vocabulary as tokenizer.json.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { longestAt, Matcher } from '../../bindings/models/formats/matching.js';
import { joined } from '../../bindings/models/formats/merging.js';
import { listedTokenizer } from '../../bindings/models/formats/token-lists.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';
import { tokenizerJson } from '../../bindings/models/formats/tokenizer-json.js';

/** GPT-2's characters for bytes, from its own description: what can be seen, then from 256 on. */
const CHARACTERS = (() => {
  const seen = [
    [33, 126],
    [161, 172],
    [174, 255],
  ].flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, i) => a + i));
  let next = 0;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(seen.includes(byte) ? byte : 256 + next++),
  );
})();

const TEXT =
  "The cat sat on the mat, didn't it? The theatre's other 1234 hats: 12 that, that 3 then. Là-bas, l'été était très " +
  'chaud — 25 °C. 猫が座った。 Привет, мир! 😀😀 the  then   there\n\n  indented\tand tabbed\r\n the end';

/** Merges as they are learned: the most frequent pair of neighbours, again and again. */
function learned(words, count) {
  let pieces = words.map((word) => [...word]);
  const merges = [];
  while (merges.length < count) {
    const seen = new Map();
    for (const word of pieces) {
      for (let i = 0; i + 1 < word.length; i++) {
        const pair = `${word[i]} ${word[i + 1]}`;
        seen.set(pair, (seen.get(pair) ?? 0) + 1);
      }
    }
    const [best] = [...seen].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    if (!best) break;
    merges.push(best[0]);
    const [left, right] = best[0].split(' ');
    pieces = pieces.map((word) => {
      const out = [];
      for (const piece of word) {
        if (out.at(-1) === left && piece === right) out.push(out.pop() + piece);
        else out.push(piece);
      }
      return out;
    });
  }
  return merges;
}

const toCharacters = (text) =>
  [...new TextEncoder().encode(text)].map((b) => CHARACTERS[b]).join('');
const merges = learned(TEXT.split(/(?=\s)/).map(toCharacters), 150);
const SPECIAL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<|im|>'];
const tokens = [
  ...SPECIAL,
  ...CHARACTERS,
  ...new Set(merges.map((merge) => merge.replace(' ', ''))),
];
const types = tokens.map((_, id) => (id < SPECIAL.length ? 3 : 1));

const ADDED = SPECIAL.map((content, id) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
}));
const byteLevel = {
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: true,
};
/** The patterns as the tokenizer.json of the models have them. */
const split = (Regex) => ({
  type: 'Split',
  pattern: { Regex },
  behavior: 'Isolated',
  invert: false,
});
const llama3 = (digits) =>
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" +
  `${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
const PRE = {
  'gpt-2': byteLevel,
  smollm: {
    type: 'Sequence',
    pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel],
  },
  'llama-bpe': {
    type: 'Sequence',
    pretokenizers: [split(llama3('{1,3}')), { ...byteLevel, use_regex: false }],
  },
  qwen2: {
    type: 'Sequence',
    pretokenizers: [split(llama3('')), { ...byteLevel, use_regex: false }],
  },
};

/** Texts of all kinds of characters. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...TEXT.split(/(?<=[ ,])/), ...SPECIAL, '<|im_', "'S", "'LL", 'ſ', "'ſ"),
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\t',
        '\u00a0',
        '\u3000',
        '7',
        '٣',
        '½',
        '…',
        'é',
        '猫',
        '😀',
      ),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  /* JavaScript's \s has another opinion of these. */
  .filter((text) => !/[\ufeff\u0085]/.test(text) && text.isWellFormed());

for (const [pre, preTokenizer] of Object.entries(PRE)) {
  test(`bytes by merges, cut as ${pre}: the ids of the library, and its texts`, () => {
    const lists = { model: 'gpt2', tokens, types, merges, pre };
    const ours = listedTokenizer(lists);
    const written = openTokenizer(tokenizerJson(lists, null));
    const theirs = openTokenizer({
      tokenizer: {
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: ADDED,
        normalizer: null,
        pre_tokenizer: preTokenizer,
        post_processor: null,
        decoder: byteLevel,
        model: {
          type: 'BPE',
          dropout: null,
          unk_token: null,
          fuse_unk: false,
          byte_fallback: false,
          vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
          merges,
        },
      },
    });
    assert.deepEqual(ours.encode(TEXT), theirs.encode(TEXT));
    assert.ok(ours.encode(TEXT).length < TEXT.length);
    fc.assert(
      fc.property(texts, (text) => {
        const ids = ours.encode(text);
        assert.deepEqual(ids, theirs.encode(text));
        assert.deepEqual(written.encode(text), ids);
        assert.deepEqual(ours.tokens(ids), theirs.tokens(ids));
        const plain = SPECIAL.reduce((rest, token) => rest.replaceAll(token, ''), text);
        for (const one of [ours, written]) assert.equal(one.decode(ids), plain);
      }),
      { numRuns: 150 },
    );
  });
}

// ---- Scores ----

const BYTES = Array.from(
  { length: 256 },
  (_, b) => `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const PIECES = [
  '▁',
  't',
  'h',
  'e',
  'c',
  'a',
  's',
  'o',
  'n',
  '.',
  'é',
  '猫',
  '▁t',
  'he',
  'at',
  '▁the',
  '▁c',
  '▁cat',
  'th',
  '▁▁',
  'the',
  'sat',
  '▁sat',
  'on',
  '▁on',
  'no',
  'es',
  'hes',
];
const spm = {
  model: 'llama',
  tokens: ['<unk>', '<s>', '</s>', ...BYTES, ...PIECES],
  types: [2, 3, 3, ...BYTES.map(() => 6), ...PIECES.map(() => 1)],
  scores: [0, 0, 0, ...BYTES.map(() => 0), ...PIECES.map((_, i) => -((i * 7) % 29) - 1)],
  bos: 1,
  eos: 2,
  unknown: 0,
};

/** SentencePiece's own way, without any care for time: the best pair of all, the leftmost of equals. */
function naive(text) {
  const score = (piece) => spm.scores[spm.tokens.indexOf(piece)];
  let pieces = [...` ${text}`.replaceAll(' ', '▁')];
  for (;;) {
    let best = -1;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const pair = pieces[i] + pieces[i + 1];
      if (!spm.tokens.includes(pair)) continue;
      if (best < 0 || score(pair) > score(pieces[best] + pieces[best + 1])) best = i;
    }
    if (best < 0) break;
    pieces = [...pieces.slice(0, best), pieces[best] + pieces[best + 1], ...pieces.slice(best + 2)];
  }
  return pieces.flatMap((piece) => {
    const id = spm.tokens.indexOf(piece);
    if (id >= 0) return [id];
    return [...new TextEncoder().encode(piece)].map((byte) => 3 + byte);
  });
}

test('characters by scores: the best pair of all again and again, bytes for what has no token', () => {
  const { encode, decode } = listedTokenizer(spm);
  const written = openTokenizer(tokenizerJson(spm, null));
  assert.deepEqual(encode('the cat'), [1, ...naive('the cat')]);
  const letters = fc.string({ unit: fc.constantFrom(...' thecason.é猫x😀\n'), maxLength: 40 });
  fc.assert(
    fc.property(letters, (text) => {
      const ids = encode(text);
      assert.deepEqual(ids, [1, ...(text ? naive(text) : [])]);
      assert.equal(decode(ids), text);
      assert.deepEqual(written.encode(text), ids);
      assert.equal(written.decode(ids), text);
    }),
    { numRuns: 300 },
  );
});

test('what begins and ends a text is put around it as the file says, or left out', () => {
  const at = (more, options) => listedTokenizer({ ...spm, ...more }).encode('the', options);
  const own = naive('the');
  assert.deepEqual(at({}), [1, ...own]);
  assert.deepEqual(at({ addEos: true }), [1, ...own, 2]);
  assert.deepEqual(at({ addBos: false }), own);
  assert.deepEqual(at({ addEos: true }, { special: false }), own);
  assert.deepEqual(at({ bos: undefined }), own);
  assert.deepEqual(at({ addSpace: false }), [1, 3 + 256 + PIECES.indexOf('the')]);
  assert.deepEqual(
    listedTokenizer({ model: 'gpt2', tokens, types, merges, bos: 0 }).encode('a').length,
    1,
  );
});

test('the tokens that end a text are known by their ids, and by the names that models give them', () => {
  assert.deepEqual(listedTokenizer(spm).stops, [2]);
  const chat = listedTokenizer({ model: 'gpt2', tokens, types, merges, eos: 2 });
  assert.deepEqual(chat.stops, [2, 0]);
  assert.deepEqual(
    listedTokenizer({ model: 'gpt2', tokens, types, merges, eot: 3 }).stops,
    [3, 0, 2],
  );
});

test('the text of control tokens is not shown; that of added tokens is', () => {
  const shown = tokens.map((_, id) => (id === 1 ? 4 : types[id]));
  const { encode, decode } = listedTokenizer({ model: 'gpt2', tokens, types: shown, merges });
  assert.equal(decode(encode('<|endoftext|>a<|im_start|>b')), 'a<|im_start|>b');
  assert.equal(decode([10 ** 6, 1]), '<|im_start|>');
});

test('bytes that are not UTF-8 are told as such', () => {
  const { encode, decode } = listedTokenizer(spm);
  const [, ...ids] = encode('😀');
  assert.equal(decode(ids), '😀');
  assert.equal(decode(ids.slice(0, -1)), '\ufffd');
});

test('work grows with n log n, whatever the text', () => {
  const compared = (n) => {
    let count = 0;
    joined(Array(n).fill('a'), (left, right) => {
      count += 1;
      return left.length + right.length < 64 ? left.length + right.length : undefined;
    });
    return count;
  };
  assert.ok(compared(40_000) < 4.2 * compared(10_000));
  const { encode } = listedTokenizer({ model: 'gpt2', tokens, types, merges, pre: 'qwen2' });
  for (const text of ['a', ' ', '\n', ' \n', "'", '<|im_', '猫', '12']) {
    assert.ok(encode(text.repeat(50_000)).length > 0);
  }
});

test('lists that do not fit each other are refused', () => {
  const refused = (more, pattern) =>
    assert.throws(
      () => listedTokenizer({ ...spm, ...more }),
      (error) => {
        assert.ok(error instanceof GlassformerError, error.stack);
        assert.equal(error.code, 'GF_EFILE');
        assert.match(error.message, pattern);
        return true;
      },
    );
  refused({ tokens: [] }, /list of tokens is empty/);
  refused({ scores: [1] }, /scores: expected one for each of the 287 tokens, received 1/);
  refused({ types: [1] }, /types: .*received 1/);
  refused({ scores: undefined }, /have no scores/);
  for (const name of ['bos', 'eos', 'eot', 'unknown']) {
    refused({ [name]: 287 }, new RegExp(`${name}: .*0 to 286, received 287`));
    refused({ [name]: 'x' }, new RegExp(`${name}: .*"x"`));
  }
  refused({ model: 'gpt2', pre: 'deepseek' }, /pre: expected one of gpt-2.*"deepseek"/);
});

test('a token that is a word stays whole, where the file says so', () => {
  const lists = { model: 'gpt2', tokens: ['a', 'b', 'c', 'ab', 'bc', 'abc'], merges: ['b c'] };
  assert.deepEqual(listedTokenizer(lists).encode('abc'), [0, 4]);
  assert.deepEqual(listedTokenizer({ ...lists, ignoreMerges: true }).encode('abc'), [5]);
  const written = tokenizerJson({ ...lists, ignoreMerges: true }, null);
  assert.deepEqual(openTokenizer(written).encode('abc'), [5]);
});

test('malformed tokens and merges are refused by their place', () => {
  const llama = (tokens, types) => ({ model: 'llama', tokens, types, scores: tokens.map(() => 0) });
  for (const [lists, reason] of [
    [llama(['a', 'b', 'a']), /tokens\[2\]: expected a token other than that of id 0, received "a"/],
    [llama(['a', '<0x-1>']), /tokens\[1\]: expected two hexadecimal digits .* "<0x-1>"/],
    [llama(['a', '<0xGG>']), /tokens\[1\]: expected two hexadecimal digits .* "<0xGG>"/],
    [llama(['a', '<0x100>'], [1, 6]), /tokens\[1\]: expected two hexadecimal digits/],
    [{ model: 'gpt2', tokens: ['a'], merges: ['a'] }, /merges\[0\]: expected two tokens with a sp/],
    [
      { model: 'gpt2', tokens: ['a'], merges: ['a a', 'a a a'] },
      /merges\[1\]: expected two tokens/,
    ],
    [{ model: 'gpt2', tokens: ['a'], merges: [' a'] }, /merges\[0\]: expected two tokens with a/],
  ]) {
    assert.throws(() => listedTokenizer(lists), reason);
  }
  assert.deepEqual(listedTokenizer(llama(['a', '', ''])).encode('a', { special: false }), [0]);
});

test('tokens of a thousand lengths are looked for in one pass', () => {
  const words = Array.from({ length: 1000 }, (_, i) => `${'a'.repeat(i + 1)}b`);
  const matcher = new Matcher(words, true);
  const { after } = matcher;
  let steps = 0;
  matcher.after = (...given) => {
    steps += 1;
    return after.apply(matcher, given);
  };
  const text = `${'a'.repeat(8000)}bc`;
  const lengths = longestAt(matcher, text);
  assert.equal(steps, text.length);
  assert.deepEqual([lengths[0], lengths[7000], lengths[7999], lengths[8000]], [0, 1001, 2, 0]);
});

test('the longest word at each place is found, as by looking at every one', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '😀'),
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.array(word).map((parts) => parts.join('')),
      (words, text) => {
        const lengths = longestAt(new Matcher(words, true), text);
        const forward = new Matcher(words);
        let state = 0;
        for (let at = 0; at < text.length; at++) {
          const begin = words.filter((one) => text.startsWith(one, at));
          assert.equal(lengths[at], Math.max(0, ...begin.map(({ length }) => length)));
          state = forward.after(state, text.charCodeAt(at));
          const end = new Set(words.filter((one) => text.slice(0, at + 1).endsWith(one)));
          assert.deepEqual(
            Array.from(forward.ending(state), ({ word: i }) => words[i]),
            [...end].sort((a, b) => b.length - a.length),
          );
        }
      },
    ),
  );
});
