// The data of the families of checkpoints: what the build refuses of it, a new family in JavaScript and Python, and both
// languages on the same configs, right and wrong ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { familyData } from '../../bindings/build/family-data.js';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readSafetensors } from '../../bindings/js/formats/safetensors.js';
import { inGguf, ofGguf } from '../../bindings/models/checkpoints/gguf.js';
import { familyOf } from '../../bindings/models/checkpoints/index.js';
import { planOf } from '../../bindings/models/checkpoints/plan.js';
import { RULES } from '../../bindings/models/checkpoints/rules.js';
import { PYTHONPATH, python } from '../support/python.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = () =>
  JSON.parse(readFileSync(path.join(root, 'bindings/models/checkpoints/families.json'), 'utf8'));

before(() => {
  const built = spawnSync('make', ['build/python/stamp', 'build/venv/stamp', 'MAKEFLAGS='], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(built.status, 0, built.stderr);
});

/** @param {object} given families besides the package's, and cases */
function inPython(given) {
  const { stdout, stderr, status } = spawnSync(python, ['tests/python/plans.py'], {
    cwd: root,
    input: JSON.stringify({ families: {}, cases: [], ...given }),
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH },
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** What JavaScript makes of a case: the plan, or the sentence that refuses it. */
function planIn(family, { config, metadata, tensors }) {
  try {
    const named = new Map(tensors.map(([name, shape]) => [name, { dtype: 'F32', shape }]));
    const said = metadata
      ? ofGguf(new Map(Object.entries(metadata)), named)
      : { config, tensors: named };
    const found = family ?? familyOf(said.config);
    const plan = metadata
      ? planOf(inGguf(found), said.config, said.tensors, 'gguf')
      : planOf(found, said.config, said.tensors);
    const taken = plan.taken.map(({ entry, key, twins }) => [entry.ours, key, twins.length + 1]);
    return { config: plan.config, taken };
  } catch (error) {
    if (!(error instanceof GlassformerError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

// ---- What the build refuses ----

for (const [what, change, sentence] of [
  [
    'an unknown rule',
    ({ families }) => families.gpt2.rules.push('tiedd'),
    /^families.json: families.gpt2.rules: unknown rule "tiedd"; expected one of noOtherSettings, tied, /,
  ],
  [
    'an unknown part',
    ({ families }) => Object.assign(families.llama, { setings: {} }),
    /^families.json: families.llama: unknown key "setings"; expected one of about, like, types, /,
  ],
  [
    'a field that no model has',
    ({ families }) => Object.assign(families.llama.settings, { hedas: 'x' }),
    /^families.json: families.llama.settings: unknown field "hedas"; expected one of kind, vocab, /,
  ],
  [
    'a fixed field that no model has',
    ({ families }) => Object.assign(families.llama.fixed, { norms: 'rms' }),
    /^families.json: families.llama.fixed: unknown field "norms"/,
  ],
  [
    'a parameter that no model has',
    ({ families }) => families.llama.rows.heads.push(['decoder.nrom.{p}', 'x.{p}']),
    /^families.json: families.llama.rows.heads\[2\]: no model has a parameter "decoder.nrom.\{p\}"/,
  ],
  [
    'an unknown way in which a tensor differs',
    ({ families }) => families.llama.rows.heads.push(['decoder.norm.{p}', 'x.{p}', 'transpose']),
    /rows.heads\[2\]: unknown way "transpose"; expected one of transposed, row, by-head, behind-padding/,
  ],
  [
    'a name that nothing states',
    ({ families }) => families.llama.rows.heads.push(['decoder.norm.{p}', '{hedd}.{p}']),
    /rows.heads\[2\]: unknown name "hedd"; expected one of prefix, classes, side, i, x, qkv, p$/,
  ],
  [
    'a condition on a field that no model has',
    ({ families }) => families.llama.rows.heads.push({ if: 'clases', rows: [] }),
    /rows.heads\[2\]: unknown field "clases"/,
  ],
  [
    'a value that refers to nothing',
    ({ families }) => Object.assign(families.gpt2.defaults, { n_inner: { times: 4 } }),
    /families.gpt2.defaults.n_inner: "of" is missing: the key whose value this is$/,
  ],
  [
    'an entry that is like none',
    ({ families }) => Object.assign(families.qwen2, { like: 'lama' }),
    /families.qwen2.like: unknown entry "lama"/,
  ],
  [
    'entries that are like each other',
    ({ families }) => Object.assign(families.llama, { like: 'qwen3' }),
    /families.\w+.like: \w+ is like \w+ itself$/,
  ],
  [
    'a pattern that is none',
    ({ families }) => Object.assign(families.llama, { ignored: '(' }),
    /families.llama: Invalid regular expression/,
  ],
  [
    'a type twice',
    ({ families }) => Object.assign(families.qwen2, { types: ['llama'] }),
    /families: two of them have the type "llama"$/,
  ],
  [
    'a family without a table',
    ({ families }) => Object.assign(families, { toy: { types: ['toy'], prefix: '' } }),
    /families.toy: "settings" is missing$/,
  ],
  [
    'an architecture of GGUF without a family',
    ({ gguf }) => Object.assign(gguf.architectures.llama, { type: 'lama' }),
    /gguf.architectures.llama: unknown type "lama"/,
  ],
]) {
  test(`refused: ${what}`, () => {
    const data = read();
    change(data);
    assert.throws(() => familyData(data), { message: sentence });
  });
}

// ---- A new family ----

/** As if somebody had published a GPT-2 with other names. */
const TOY = {
  like: 'decoder',
  types: ['toy'],
  prefix: 'toy.',
  settings: {
    vocab: 'words',
    maxLength: 'length',
    dModel: 'width',
    heads: 'heads',
    dFF: 'inner',
    layers: 'depth',
    activation: { key: 'act', names: 'activations' },
    tied: 'tie_word_embeddings',
    epsilon: 'eps',
  },
  defaults: { inner: { of: 'width', times: 3 }, act: 'gelu', tie_word_embeddings: true, eps: 1e-6 },
  demands: { scaled: true },
  rules: ['tied'],
  rows: {
    tables: [
      ['embedding.weight', ['toy.words.weight', 'head.weight']],
      ['decoder.position_embedding.weight', 'toy.places.weight'],
    ],
    layers: [
      {
        under: ['decoder.layers.{i}', 'toy.block{i}'],
        rows: [
          ['norm1.{p}', 'a.{p}'],
          ['self_attn.{qkv}_proj.{p}', 'qkv.{p}', 'transposed'],
          ['self_attn.out_proj.{p}', 'out.{p}', 'transposed'],
          ['norm2.{p}', 'b.{p}'],
          ['linear1.{p}', 'up.{p}', 'transposed'],
          ['linear2.{p}', 'down.{p}'],
        ],
      },
    ],
    heads: [
      ['decoder.norm.{p}', 'toy.end.{p}'],
      ['logits.weight', 'head.weight', 'transposed'],
    ],
  },
};

test('a family that needs no new rule is one entry, and both languages open its files', () => {
  const data = read();
  data.families.toy = TOY;
  const { toy } = familyData(data).families;
  const config = { model_type: 'toy', words: 5, length: 7, width: 4, heads: 2, depth: 1 };
  const tensors = [
    ['toy.words.weight', [5, 4]],
    ['toy.places.weight', [7, 4]],
    ['toy.block0.a.weight', [4]],
    ['toy.block0.a.bias', [4]],
    ['toy.block0.qkv.weight', [12, 4]],
    ['toy.block0.qkv.bias', [12]],
    ['toy.block0.out.weight', [4, 4]],
    ['toy.block0.out.bias', [4]],
    ['toy.block0.b.weight', [4]],
    ['toy.block0.b.bias', [4]],
    ['toy.block0.up.weight', [12, 4]],
    ['toy.block0.up.bias', [12]],
    ['toy.block0.down.weight', [12, 4]],
    ['toy.block0.down.bias', [4]],
    ['toy.end.weight', [4]],
    ['toy.end.bias', [4]],
  ];
  const cases = [
    { config, tensors },
    { config: { ...config, scaled: false }, tensors },
    { config, tensors: tensors.slice(1) },
  ];
  const opened = planIn(toy, cases[0]);
  const layer = 'decoder.layers.0';
  const qkv = (end) => ['q', 'k', 'v'].map((x) => `${layer}.self_attn.${x}_proj.${end}`);
  assert.deepEqual(opened.taken.slice(0, 7), [
    [['embedding.weight'], 'toy.words.weight', 1],
    [['decoder.position_embedding.weight'], 'toy.places.weight', 1],
    [[`${layer}.norm1.weight`], 'toy.block0.a.weight', 1],
    [[`${layer}.norm1.bias`], 'toy.block0.a.bias', 1],
    [qkv('weight'), 'toy.block0.qkv.weight', 1],
    [qkv('bias'), 'toy.block0.qkv.bias', 1],
    [[`${layer}.self_attn.out_proj.weight`], 'toy.block0.out.weight', 1],
  ]);
  assert.equal(opened.taken.length, tensors.length);
  assert.deepEqual(
    [opened.config.dFF, opened.config.activation, opened.config.epsilon, opened.config.tied],
    [12, 'gelu', 1e-6, true],
  );
  const [same, scaled, few] = inPython({ families: { toy }, cases }).plans;
  assert.deepEqual(same.taken, opened.taken);
  assert.deepEqual([same.config.d_ff, same.config.epsilon, same.config.tied], [12, 1e-6, true]);
  assert.match(planIn(toy, cases[1]), /config.json: scaled: expected true, received false$/);
  assert.match(scaled, /config.json: scaled: expected True, received False$/);
  const missing = 'GF_EFILE toy: keys do not fit: 1 missing: "toy.words.weight" [5,4]';
  assert.deepEqual([planIn(toy, cases[2]), few], [missing, missing]);
});

// ---- Both languages ----

/** Numbers from 0 to 1, the same ones each time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const VALUES = [
  ...[null, true, false, 0, 1, -1, 2, 3, 8, 0.5, 1e-6, 1e30, 'x', '', 'gelu', 'silu', 'absolute'],
  ...[[], [1], {}, ['sliding_attention', 'full_attention'], [[['global', 'local'], 1]]],
  ...[{ rope_type: 'linear', factor: 2 }, { type: 'dynamic' }, { rope_type: 'llama3', factor: 8 }],
];
const KEYS = [
  ...['rope_scaling', 'rope_parameters', 'sliding_window', 'use_sliding_window', 'layer_types'],
  ...['head_dim', 'attention_types', 'rotary_pct', 'rope_theta', 'mlp_bias', 'attention_bias'],
  ...['is_decoder', 'scale_attn_weights', 'pad_token_id', 'share_encoder_decoder_embeddings'],
];
const NAMES = [
  ...['score.weight', 'classifier.bias', 'lm_head.weight', 'pooler.dense.weight', 'h.0.attn.bias'],
  ...['final_logits_bias', 'constructor.weight', 'bert.embeddings.LayerNorm.gamma'],
];

/** Each model that transformers wrote, and some that are changed in one place.
 * @param {number} many */
function cases(many) {
  const next = generator(7);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const fixtures = path.join(root, 'tests/reference/fixtures');
  const bases = readdirSync(fixtures)
    .filter((name) => /-odd-0$/.test(name))
    .map((name) => {
      const bytes = (file) => readFileSync(path.join(fixtures, name, file));
      const { tensors } = readSafetensors(bytes('model.safetensors'));
      return {
        config: JSON.parse(bytes('config.json')),
        tensors: [...tensors].map(([key, { shape }]) => [key, shape]),
      };
    });
  const changed = Array.from({ length: many }, () => {
    const { config, tensors } = structuredClone(pick(bases));
    const place = Math.floor(next() * tensors.length);
    const chance = next();
    if (chance < 0.2) delete config[pick(Object.keys(config))];
    else if (chance < 0.5) config[pick(Object.keys(config))] = pick(VALUES);
    else if (chance < 0.75) config[pick(KEYS)] = pick(VALUES);
    else if (chance < 0.85) tensors.splice(place, 1);
    else if (chance < 0.92) tensors[place][1] = tensors[place][1].map((n) => n + 1);
    else tensors.push([pick(NAMES), [3]]);
    return { config, tensors };
  });
  return [...bases, ...changed];
}

/** Headers of GGUF: names of llama.cpp, and values that nobody should write. */
function headers() {
  const settings = {
    ...{ context_length: 9, embedding_length: 8, block_count: 1, feed_forward_length: 12 },
    'attention.head_count': 2,
  };
  const tensors = [['token_embd.weight', [7, 8]]];
  const of = (name, more) => ({
    'general.architecture': name,
    ...Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value]),
    ),
    ...more,
  });
  return [
    [of('gpt2', {}), tensors],
    [of('gpt2', {}), [...tensors, ['constructor.weight', [3]]]],
    [of('gpt2', { 'gpt2.expert_count': 0 }), tensors],
    [of('gptneox', { 'gptneox.rope.dimension_count': ['a'] }), tensors],
    [of('llama', { 'llama.expert_count': 'x'.repeat(100) }), tensors],
    [of('llama', { 'llama.attention.value_length': 3 }), tensors],
    [of('llama', { 'general.architecture': ['llama'] }), tensors],
  ].map(([metadata, list]) => ({ metadata, tensors: list }));
}

/** A sentence without what the languages spell apart: names of options, and the value behind "received". */
const plain = (sentence) =>
  sentence
    .replace(/, received .*$/s, '')
    .replaceAll('_', '')
    .toLowerCase();

test('JavaScript and Python make the same plans, or refuse with the same sentences', () => {
  const all = [...cases(600), ...headers()];
  const { rules, plans } = inPython({ cases: all });
  assert.deepEqual(rules.sort(), Object.keys(RULES).sort());
  let opened = 0;
  for (const [i, one] of all.entries()) {
    const [ours, theirs] = [planIn(undefined, one), plans[i]];
    const about = JSON.stringify({ ours, theirs, ...(one.config ?? one.metadata) }, null, 1);
    if (typeof ours === 'string' || typeof theirs === 'string') {
      assert.equal(plain(String(theirs)), plain(String(ours)), about);
      continue;
    }
    opened++;
    assert.deepEqual(theirs.taken, ours.taken, about);
    const fields = (config) =>
      Object.entries(config)
        .map(([key, value]) => `${plain(key)} ${value}`)
        .sort();
    assert.deepEqual(fields(theirs.config), fields(ours.config), about);
  }
  assert.ok(opened > 200 && opened < all.length - 200, `${opened} of ${all.length} open`);
});
