// What a folder of sentence-transformers says of vectors, wherever it is opened, against float64.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from '../../../bindings/index.js';
import { embed } from '../../../bindings/models/text/index.js';
import { startWorker } from '../../../bindings/models/worker/node/index.js';
import { refuses, succeeds } from '../cli/call.js';

const bert = fileURLToPath(new URL('../../reference/fixtures/bert/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'glassformer-sentences-'));
after(() => rmSync(folder, { recursive: true }));
const TEXT = 't5 t6 t2 t9';
const IDS = [5, 6, 2, 9];

/** A folder of Bert with other files; its words are "t0", "t1", ... */
function place(name, files) {
  const path = join(folder, name);
  cpSync(bert, path, { recursive: true });
  const vocab = Object.fromEntries(Array.from({ length: 60 }, (_, id) => [`t${id}`, id]));
  const tokenizer = {
    ...{ version: '1.0', added_tokens: [], normalizer: null, post_processor: null, decoder: null },
    pre_tokenizer: { type: 'Whitespace' },
    model: { type: 'WordLevel', vocab, unk_token: 't0' },
  };
  mkdirSync(join(path, '1_Pooling'));
  for (const [file, value] of Object.entries({ 'tokenizer.json': tokenizer, ...files }))
    writeFileSync(join(path, file), JSON.stringify(value));
  return path;
}

/** The files of a folder, as `<input webkitdirectory>` gives them, in any order. */
function filesOf(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.toReversed().map(({ parentPath, name }) => {
    const file = new File([readFileSync(join(parentPath, name))], name);
    const inFolder = relative(path, join(parentPath, name));
    return Object.defineProperty(file, 'webkitRelativePath', {
      value: `${basename(path)}/${inFolder}`,
    });
  });
}

const modes = (...names) => ({
  '1_Pooling/config.json': {
    ...{ word_embedding_dimension: 24, pooling_mode_cls_token: false },
    ...Object.fromEntries(names.map((name) => [`pooling_mode_${name}`, true])),
  },
});
const module = (type) => ({ type: `sentence_transformers.models.${type}`, path: '' });

/** The vector of length 1, computed in float64 of what leaves the last layer. */
function expected(model, ids, of) {
  const run = model.forward({ target: ids });
  const [rows] = run.tensor(`encoder.layers.${model.config.layers - 1}.norm2`).toArray();
  run.dispose();
  const vector = of(rows);
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}
const mean = (rows) =>
  rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);
const POOLINGS = {
  cls_token: (rows) => rows[0],
  lasttoken: (rows) => rows.at(-1),
  mean_tokens: mean,
};

const near = (actual, wanted, what) => {
  assert.equal(actual.length, wanted.length);
  for (const [i, x] of wanted.entries()) assert.ok(Math.abs(actual[i] - x) < 1e-5, `${what} ${i}`);
};

test('vectors are pooled as the folder says, here, in a worker and on the command line', async () => {
  const worker = startWorker();
  const seen = new Set();
  for (const [mode, of] of Object.entries(POOLINGS)) {
    const path = place(mode, modes(mode));
    const { model, tokenizer } = await open(path);
    const wanted = expected(model, IDS, of);
    near((await embed(model, tokenizer, [TEXT]))[0], wanted, mode);
    const there = await worker.open(path);
    near((await there.embed([TEXT]))[0], wanted, `${mode} in a worker`);
    for (const files of [filesOf(path), filesOf(path).toReversed()]) {
      const chosen = await open(files);
      near((await embed(chosen.model, tokenizer, [TEXT]))[0], wanted, `${mode} of files`);
      chosen.model.dispose();
      const theirs = await worker.open(files);
      near((await theirs.embed([TEXT]))[0], wanted, `${mode} of files in a worker`);
    }
    near(
      (await succeeds('embed', path, TEXT)).trim().split(' ').map(Number),
      wanted,
      `${mode} told`,
    );
    const first = expected(model, IDS, POOLINGS.cls_token);
    near((await embed(model, tokenizer, [TEXT], { pooling: 'first' }))[0], first, 'asked for');
    seen.add(String(wanted));
    model.dispose();
  }
  assert.equal(seen.size, 3);
  worker.dispose();
});

test('a text is as long as the folder says', async () => {
  const path = place('short', {
    ...modes('mean_tokens'),
    'sentence_bert_config.json': { max_seq_length: 3 },
  });
  const { model, tokenizer } = await open(path);
  await assert.rejects(embed(model, tokenizer, [TEXT]), /4 tokens, and the model takes 3/);
  const [cut] = await embed(model, tokenizer, [TEXT], { truncate: true });
  near(cut, expected(model, [5, 6, 9], mean), 'cut');
  await refuses(['embed', path, TEXT], 2, /4 tokens, and the model takes 3/);
  model.dispose();
});

test('what embed does not do is refused by name, and other vectors may be asked for', async () => {
  const odd = {
    max: [modes('max_tokens'), /max_tokens/],
    several: [modes('cls_token', 'mean_tokens'), /first \+ mean/],
    none: [modes(), /makes vectors by "none"/],
    dense: [
      { ...modes('mean_tokens'), 'modules.json': ['Transformer', 'Pooling', 'Dense'].map(module) },
      /mean \+ Dense/,
    ],
  };
  for (const [name, [files, wanted]] of Object.entries(odd)) {
    const { model, tokenizer } = await open(place(name, files));
    await assert.rejects(embed(model, tokenizer, [TEXT]), { message: wanted, code: 'GF_ESTATE' });
    const [vector] = await embed(model, tokenizer, [TEXT], { pooling: 'mean' });
    near(vector, expected(model, IDS, mean), name);
    model.dispose();
  }
});
