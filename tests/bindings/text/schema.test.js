// Texts of a JSON schema: whatever the model, its draws and the tokenizer, they parse and fit; and every text that fits in
// the documented form may be written. Fits by ajv.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Ajv from 'ajv';
import fc from 'fast-check';
import { listedTokenizer } from '../../../bindings/models/formats/token-lists.js';
import { generateText, generateTexts } from '../../../bindings/models/text/index.js';
import { compile } from '../../../bindings/models/text/schema/compile.js';
import { openCheckpoint } from '../../../bindings/models.js';
import { tries } from '../../support/sample.js';
import { onlyInFull } from '../../support/skips.js';
import { gf, refused } from '../model/small.js';

const ajv = new Ajv({ strict: false });
const MODEL = { kind: 'gpt', dModel: 8, heads: 2, layers: 1, dFF: 8 };

/** Each byte is a token, as GPT-2 writes it, and so are some longer texts, parts of characters among them. */
const BYTES = [...Array(256).keys()];
const seen = BYTES.filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
const letterOf = (byte) =>
  String.fromCodePoint(
    seen.includes(byte) ? byte : 256 + BYTES.filter((b) => !seen.includes(b)).indexOf(byte),
  );
const lettersOf = (text) => Array.from(new TextEncoder().encode(text), letterOf).join('');
const LONGER = [
  '{"',
  '":',
  '", "',
  'true',
  ': "',
  '12',
  '"}',
  '],',
  'né',
  ' "',
  '\\u00',
  '日',
  'null',
];
const byteLevel = listedTokenizer({
  model: 'gpt2',
  tokens: ['<end>', ...BYTES.map(letterOf), ...LONGER.map(lettersOf), 'æĹ'],
  types: [3, ...Array(256 + LONGER.length + 1).fill(1)],
  merges: [],
  eos: 0,
});
/** Characters and bytes of SentencePiece, whose tokens begin with a space. */
const PIECES = [
  '<unk>',
  '<s>',
  '</s>',
  ...BYTES.map((b) => `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`),
];
const MORE = ['▁', '▁{', '"', ':', '▁"', 'a', 'b', 'name', '",', '1', '▁1', '}', 'é', '[', ']'];
const sentencePiece = listedTokenizer({
  model: 'llama',
  tokens: [...PIECES, ...MORE],
  types: [2, 3, 3, ...BYTES.map(() => 6), ...MORE.map(() => 1)],
  scores: [...PIECES, ...MORE].map((_, i) => -i),
  ...{ bos: 1, eos: 2, unknown: 0 },
});
const TOKENIZERS = {
  byteLevel: { tokenizer: byteLevel, vocab: 256 + LONGER.length + 2 },
  sentencePiece: { tokenizer: sentencePiece, vocab: PIECES.length + MORE.length + 3 },
};

/** A real vocabulary, of 49,152 tokens; the model that draws from it knows nothing. */
async function smollm2() {
  const { tokenizer, config } = await openCheckpoint(
    new URL('../../../build/models/smollm2.gguf', import.meta.url),
  );
  return { tokenizer, vocab: config.vocab };
}

const NAMES = ['a', 'b', 'name', 'é', 'a "b"', '日本'];
const constant = fc.oneof(
  fc.constantFrom(null, true, 0, -1.5, 1e21, 'x', 'né', '😀', '"', '\\', ''),
  fc.constant([1, { a: 'b' }]),
);
/** Schemas of the documented part, no deeper than so. */
const schemaOf = (depth) => {
  const plain = fc.oneof(
    ...['string', 'number', 'integer', 'boolean', 'null'].map((type) => fc.constant({ type })),
    fc.constant({ type: ['string', 'null'] }),
    fc.record({ low: fc.nat(3), more: fc.option(fc.nat(2)) }).map(({ low, more }) => ({
      ...{ type: 'string', minLength: low },
      ...(more !== null && { maxLength: low + more }),
    })),
    fc.constant({
      type: 'integer',
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    fc
      .uniqueArray(constant, {
        minLength: 1,
        maxLength: 4,
        selector: (value) => JSON.stringify(value),
      })
      .map((list) => ({ enum: list })),
    constant.map((value) => ({ const: value })),
  );
  if (!depth) return plain;
  const inner = schemaOf(depth - 1);
  return fc.oneof(
    plain,
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc
      .record({ items: inner, low: fc.nat(3), more: fc.option(fc.nat(3)) })
      .map(({ items, low, more }) => ({
        ...{ type: 'array', items, minItems: low },
        ...(more !== null && { maxItems: low + more }),
      })),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 4 }),
        required: fc.subarray(NAMES),
      })
      .map(({ properties, required }) => ({
        ...{ type: 'object', title: 'x', additionalProperties: false, properties },
        required: required.filter((name) => Object.hasOwn(properties, name)),
      })),
  );
};

for (const name of ['byteLevel', 'sentencePiece', 'SmolLM2']) {
  const skip = name === 'SmolLM2' && onlyInFull;
  test(`${name}: what is written parses and fits, whatever is drawn`, { skip }, async () => {
    const { tokenizer, vocab } = TOKENIZERS[name] ?? (await smollm2());
    const made = gf.model({ ...MODEL, vocab, maxLength: 512, seed: 5 });
    await fc.assert(
      fc.asyncProperty(schemaOf(2), fc.nat(1000), fc.nat(80), async (schema, seed, more) => {
        const fits = ajv.compile(schema);
        const { rest } = compile('test', schema).begin;
        /* From just enough room on. */
        const options = { schema, seed, temperature: 1.5, maxNewTokens: rest + more };
        const { text, ended } = await generateText(made, tokenizer, 'ab', options).whole();
        assert.ok(fits(JSON.parse(text)), `${text}: ${JSON.stringify(schema)}`);
        assert.ok(['schema', 'stop-token', 'max-new-tokens'].includes(ended));
      }),
      { numRuns: tries(120) },
    );
    made.dispose();
  });
}

test('a text that had to close since the tokens ran out says so', async () => {
  const { tokenizer, vocab } = TOKENIZERS.byteLevel;
  const made = gf.model({ ...MODEL, vocab, maxLength: 512, seed: 5 });
  /* The likeliest token closes a string after a few others. */
  const process = (logits, tokens) => {
    if (tokens.length > 15) logits[tokenizer.encode('"', { special: false })[0]] = 99;
  };
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const written = (maxNewTokens) =>
    generateText(made, tokenizer, 'ab', { schema, process, maxNewTokens }).whole();
  const tokensOf = ({ tokens }) => tokens.map(({ token }) => token);
  const whole = await written(400);
  assert.equal(whole.ended, 'schema');
  const ends = new Set();
  for (let room = 10; room < 40; room++) {
    const { ended, ...result } = await written(room);
    const isWhole = String(tokensOf(result)) === String(tokensOf(whole));
    assert.equal(ended, isWhole ? 'schema' : 'max-new-tokens', `${room}: ${result.text}`);
    ends.add(ended);
  }
  assert.equal(ends.size, 2);
  const short = gf.model({ ...MODEL, vocab, maxLength: 12, seed: 5 });
  const { text, ended } = await generateText(short, tokenizer, 'ab', { schema }).whole();
  assert.deepEqual([typeof JSON.parse(text).a, ended], ['string', 'max-length']);
  for (const model of [made, short]) model.dispose();
});

/** Whether the automaton of a schema takes a text. */
function takes({ automaton, begin }, text) {
  let state = begin;
  for (const byte of new TextEncoder().encode(text)) {
    state = automaton.step(state, byte);
    if (!state) return false;
  }
  return state.isEnd;
}

test('oneOf takes the texts of each of its schemas', () => {
  const one = compile('test', { oneOf: [{ const: 'a' }, { type: 'integer' }] });
  assert.deepEqual(
    ['"a"', '7', '"b"', 'null'].map((text) => takes(one, text)),
    [true, true, false, false],
  );
});

test('a reference stands for its definition, wherever it is', () => {
  const tag = { type: 'string', minLength: 1, maxLength: 3 };
  const $defs = {
    tag,
    'a/b': { anyOf: [{ $ref: '#/$defs/tag' }, { type: 'null' }] },
  };
  const made = compile('test', {
    type: 'object',
    $defs,
    properties: {
      first: { $ref: '#/$defs/a~1b', description: 'twice' },
      all: { type: 'array', items: { $ref: '#/$defs/tag' }, maxItems: 2 },
    },
    required: ['first', 'all'],
  });
  for (const [value, fits] of [
    [{ first: 'abc', all: ['x', '😀😀😀'] }, true],
    [{ first: null, all: [] }, true],
    [{ first: 'abcd', all: [] }, false],
    [{ first: '', all: [] }, false],
    [{ first: null, all: ['x', 'y', 'z'] }, false],
    [{ first: null, all: [null] }, false],
  ]) {
    const text = JSON.stringify(value).replaceAll(/(?<=[:,])/g, ' ');
    assert.equal(takes(made, text), fits, text);
  }
});

test('a number of 0 or more has no sign', () => {
  for (const [type, half] of [
    ['integer', false],
    ['number', true],
  ]) {
    const natural = compile('test', { type, minimum: 0 });
    assert.deepEqual(
      ['0', '7', '10', '-1', '01', '0.5'].map((text) => takes(natural, text)),
      [true, true, true, false, false, half],
    );
    assert.equal(takes(compile('test', { type }), '-1'), true);
  }
});

/** A value of a schema, with the properties in its order: made by itself, without the automaton. */
function fitting(schema, pick) {
  if (schema.anyOf) return fitting(schema.anyOf[pick(schema.anyOf.length)], pick);
  if (schema.enum) return schema.enum[pick(schema.enum.length)];
  if ('const' in schema) return schema.const;
  const types = [schema.type].flat();
  switch (types[pick(types.length)]) {
    case 'null':
      return null;
    case 'boolean':
      return pick(2) === 0;
    case 'integer':
      return pick(2000) - 1000;
    case 'number':
      return (pick(2000) - 1000) / 8;
    case 'string': {
      const { minLength, maxLength = minLength + 2 } = schema;
      if (minLength !== undefined) {
        const length = minLength + pick(maxLength - minLength + 1);
        return Array.from({ length }, () => ['a', '"', 'é', '日', '😀', '\n'][pick(6)]).join('');
      }
      return ['', 'a "b" \\ \n', 'né 日本 😀', '\u0001', '}],'][pick(5)];
    }
    case 'array': {
      const { items, minItems, maxItems = minItems + 2 } = schema;
      const length = minItems + pick(maxItems - minItems + 1);
      return Array.from({ length }, () => fitting(items, pick));
    }
    default: {
      const kept = Object.entries(schema.properties).filter(
        ([name]) => schema.required.includes(name) || pick(2),
      );
      return Object.fromEntries(kept.map(([name, one]) => [name, fitting(one, pick)]));
    }
  }
}

test('each value that fits can be written, and a text with one byte less or more fits, or cannot', () => {
  fc.assert(
    fc.property(schemaOf(2), fc.gen(), fc.nat(), (schema, gen, cut) => {
      const pick = (n) => gen(fc.nat, n - 1);
      const compiled = compile('test', schema);
      const fits = ajv.compile(schema);
      const text = JSON.stringify(fitting(schema, pick));
      assert.ok(takes(compiled, text), `${text}: ${JSON.stringify(schema)}`);
      const place = cut % text.length;
      for (const other of [
        text.slice(0, place) + text.slice(place + 1),
        `${text.slice(0, place)}1${text.slice(place)}`,
      ]) {
        if (!takes(compiled, other)) continue;
        assert.ok(fits(JSON.parse(other)), `${other}: ${JSON.stringify(schema)}`);
      }
    }),
    { numRuns: 300 },
  );
});

test('bytes that make no character are none of a string', () => {
  const compiled = compile('test', { type: 'string' });
  const after = (...bytes) =>
    bytes.reduce(
      (state, byte) => state && compiled.automaton.step(state, byte),
      compiled.automaton.step(compiled.begin, 34),
    );
  for (const bytes of [
    [0x80],
    [0xc0],
    [0xc1],
    [0xe0, 0x80],
    [0xed, 0xa0],
    [0xf0, 0x80],
    [0xf4, 0x90],
    [0xf5],
    [0xc3, 34],
    [10],
  ]) {
    assert.equal(after(...bytes), null, String(bytes));
  }
  for (const text of ['é', '日', '\ufffd', '😀', '\u{10ffff}']) {
    assert.ok(after(...new TextEncoder().encode(text)), text);
  }
  /* The halves of a character come in pairs. */
  for (const [text, isTaken] of [
    ['"\\ud83d\\ude00"', true],
    ['"\\ud83d"', false],
    ['"\\ude00"', false],
    ['"\\u00e9"', true],
    ['"\\x"', false],
  ]) {
    assert.equal(takes(compiled, text), isTaken, text);
  }
});

test('texts side by side are what each is alone', async () => {
  const { tokenizer, vocab } = TOKENIZERS.byteLevel;
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      tags: { type: 'array', items: { enum: ['日本', 'né'] }, minItems: 1, maxItems: 3 },
    },
    required: ['name', 'tags'],
  };
  const made = gf.model({ ...MODEL, vocab, maxLength: 64, seed: 2 });
  const texts = await generateTexts(made, tokenizer, ['a', 'bcd', 'é'], {
    schema,
    maxNewTokens: 48,
  });
  for (const [i, prompt] of ['a', 'bcd', 'é'].entries()) {
    const alone = await generateText(made, tokenizer, prompt, { schema, maxNewTokens: 48 }).whole();
    assert.deepEqual(texts[i], alone);
    assert.ok(ajv.validate(schema, JSON.parse(alone.text)), alone.text);
  }
  made.dispose();
});

test('a vocabulary is read in turns', async () => {
  const { tokenizer, vocab } = TOKENIZERS.byteLevel;
  const made = gf.model({ ...MODEL, vocab, maxLength: 16 });
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  /** In which turn each token was read. */
  const read = [];
  const slow = {
    encode: (text) => tokenizer.encode(text),
    tokens: (ids) => tokenizer.tokens(ids),
    decode(ids) {
      for (const end = performance.now() + 0.2; performance.now() < end; );
      read.push(turn);
      return tokenizer.decode(ids);
    },
  };
  await generateText(made, slow, 'a', { schema: { type: 'boolean' }, maxNewTokens: 8 }).whole();
  clearImmediate(next);
  const { size } = new Set(read.slice(0, vocab));
  assert.ok(size > 2, `${size} turns`);
  made.dispose();
});

test('what a schema may not say is refused by name', async () => {
  const { tokenizer, vocab } = TOKENIZERS.byteLevel;
  const made = gf.model({ ...MODEL, vocab, maxLength: 64 });
  const refusals = [
    [{ type: 'string', pattern: 'a' }, TypeError, /schema: pattern is not supported/],
    [
      { type: 'object', properties: { a: { type: 'string', format: 'date' } } },
      TypeError,
      /schema\.properties\.a: format is not supported\. Supported: type, minLength, maxLength/,
    ],
    [{}, TypeError, /expected type, enum, const, anyOf, oneOf or \$ref/],
    [{ $ref: '#' }, TypeError, /schema\.\$ref: expected #\/\$defs\/NAME, received "#"/],
    [
      { $ref: '#/$defs/b', $defs: { a: { type: 'null' } } },
      TypeError,
      /\$ref: expected #\/\$defs\/a, received "#\/\$defs\/b"/,
    ],
    [
      {
        $ref: '#/$defs/tree',
        $defs: {
          tree: { type: 'object', properties: { left: { anyOf: [{ $ref: '#/$defs/tree' }] } } },
        },
      },
      TypeError,
      /leads back to itself.*#\/\$defs\/tree → #\/\$defs\/tree/,
    ],
    [{ type: 'string', minLength: 2, maxLength: 1 }, RangeError, /no value fits/],
    [{ type: 'string', maxLength: -1 }, TypeError, /maxLength: expected an integer of 0 or more/],
    ['{"type":"object"}', TypeError, /schema: expected an object, as JSON\.parse gives/],
    [{ oneOf: [] }, TypeError, /oneOf: expected an array of schemas/],
    [
      { type: 'object', properties: { a: true } },
      TypeError,
      /properties\.a: expected an object, received true/,
    ],
    [
      { type: 'object', required: ['a'] },
      TypeError,
      /required: expected names of properties, received "a"/,
    ],
    [
      { type: 'object', additionalProperties: {} },
      TypeError,
      /additionalProperties: expected a boolean/,
    ],
    [{ type: 'array' }, TypeError, /items: expected an object, received undefined/],
    [
      { type: 'array', items: { type: 'null' }, minItems: 2, maxItems: 1 },
      RangeError,
      /no value fits/,
    ],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1e5 },
      RangeError,
      /more than 100000 states/,
    ],
    [{ type: 'integer', minimum: 1 }, TypeError, /minimum: expected 0, or none: other limits/],
    [{ type: 'string', enum: [1] }, RangeError, /no value fits/],
    [{ type: 'text' }, TypeError, /type: expected object, array.*received "text"/],
    [true, TypeError, /schema: expected an object, received true/],
  ];
  for (const [schema, kind, words] of refusals) {
    await assert.rejects(
      generateText(made, tokenizer, 'a', { schema }).whole(),
      refused(kind, words),
    );
  }
  const schema = { const: 'abcdef' };
  await assert.rejects(
    generateText(made, tokenizer, 'a', { schema, maxNewTokens: 7 }).whole(),
    refused(RangeError, /may need 8 tokens, and there is room for 7/),
  );
  const letters = {
    encode: (text) => Array.from(text, () => 1),
    decode: (ids) => Array.from(ids, (id) => 'abc"'[id] ?? '').join(''),
  };
  await assert.rejects(
    generateText(made, letters, 'a', { schema }).whole(),
    refused(RangeError, /no token for "d"/),
  );
  assert.throws(
    () => generateText(made, tokenizer, 'a', { schema, stop: ['x'] }),
    /leave stop out/,
  );
  made.dispose();
});
