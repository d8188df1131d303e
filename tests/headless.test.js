// The scripts of docs/headless, each as its header says to run it, against float64.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { load, open } from '../bindings/index.js';
import { readSafetensors } from '../bindings/js/formats/safetensors.js';
import { ablate } from '../bindings/lab/inside/index.js';
import { birth, storyInputs, trained, unborn, vocabulary } from '../bindings/lab/stories/index.js';
import { openLora } from '../bindings/models/lora/index.js';
import { gpt64 } from './reference/gpt64.js';
import { llamaGguf, STRING } from './support/gguf.js';
import { waits } from './support/sample.js';
import { onlyInFull } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const SMOLLM2 = 'build/models/smollm2.gguf';
const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-headless-'));
after(() => rmSync(folder, { recursive: true }));

const script = (name) => path.join('docs/headless', name);
const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 };
const run = (name, ...args) => execFileSync(process.execPath, [script(name), ...args], options);

/** Rows of a CSV without quotes inside of cells; the first is the head. */
const csv = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));

const close = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, float64 ${expected}`);

const sum = (values) => values.reduce((a, b) => a + b, 0);

function softmax(row) {
  const all = row.map((x) => Math.exp(x - Math.max(...row)));
  return all.map((x) => x / sum(all));
}

/** Attention of one head, from the formula. */
function attention({ q, k, v, causal = false }) {
  const dot = (a, b) => sum(a.map((x, i) => x * b[i]));
  const weights = q.map((query, i) =>
    softmax(
      k.map((key, j) => (causal && j > i ? -Infinity : dot(query, key) / Math.sqrt(query.length))),
    ),
  );
  return {
    weights,
    output: weights.map((row) =>
      v[0].map((_, c) =>
        dot(
          row,
          v.map((r) => r[c]),
        ),
      ),
    ),
  };
}

/** The same of several heads: each has its share of the columns. */
function attentionOfHeads({ q, k, v, heads = 1, causal }) {
  const share = (rows, head) => {
    const size = rows[0].length / heads;
    return rows.map((row) => row.slice(head * size, (head + 1) * size));
  };
  const each = Array.from({ length: heads }, (_, head) =>
    attention({ q: share(q, head), k: share(k, head), v: share(v, head), causal }),
  );
  return {
    weights: heads === 1 ? each[0].weights : each.map(({ weights }) => weights),
    output: q.map((_, i) => each.flatMap(({ output }) => output[i])),
  };
}

function checkLine(text, number, input) {
  const { line, output, weights } = JSON.parse(text);
  assert.equal(line, number);
  const expected = attentionOfHeads(input);
  for (const [name, given] of Object.entries({ output, weights })) {
    const flat = given.flat(3);
    const wanted = expected[name].flat(3);
    assert.equal(flat.length, wanted.length);
    for (const [i, x] of wanted.entries()) close(flat[i], x, 1e-6, `line ${line}: ${name} ${i}`);
  }
}

test('attention.js: every line of the file in the docs', () => {
  const file = script('attention.jsonl');
  const inputs = readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n');
  const lines = run('attention.js', file).trimEnd().split('\n');
  assert.equal(lines.length, inputs.length);
  for (const [i, line] of lines.entries()) checkLine(line, i + 1, JSON.parse(inputs[i]));
});

const one = '{"q":[[1,2]],"k":[[1,2]],"v":[[3,4]]}';

test('attention.js: a wrong line is told with its number, and the rest is computed', () => {
  const input = [one, '{"q":[[1,2]]', '', '{"q":[[1]],"k":[[1,2]],"v":[[1]]}', one].join('\n');
  const file = script('attention.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { ...options, input });
  assert.equal(status, 1);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).line),
    [1, 5],
  );
  for (const line of lines) assert.deepEqual(JSON.parse(line).output, [[3, 4]]);
  assert.match(stderr, /^line 2: .*JSON.*\nline 4: .*shapes do not fit.*\n$/);

  const strict = spawnSync(process.execPath, [file, '--strict'], { ...options, input });
  assert.equal(strict.status, 1);
  assert.equal(strict.stdout.trimEnd().split('\n').length, 1);
  assert.match(strict.stderr, /^line 2: .*\n$/);
});

test('attention.js: a file that is not there is told in one line', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [script('attention.js'), 'no.jsonl'],
    options,
  );
  assert.equal(status, 1);
  assert.match(stderr, /^ENOENT[^\n]*no\.jsonl'\n$/);
});

test('attention.js: memory does not grow with the file', async (t) => {
  if (waits(t)) return;
  const rows = (width, f) =>
    Array.from({ length: 128 }, (_, i) => Array.from({ length: width }, (_, j) => f(i, j)));
  const wave = (i, j) => Math.fround(Math.sin(i + 2 * j));
  const input = { q: rows(16, wave), k: rows(16, (i, j) => wave(j, i)), v: rows(16, wave) };
  const line = `${JSON.stringify(input)}\n`;
  /* Some 100 MB of output, many times the heap. */
  const count = 300;
  const child = spawn(process.execPath, ['--max-old-space-size=24', script('attention.js')], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end(line.repeat(count));
  let text = '';
  let seen = 0;
  let bytes = 0;
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    bytes += chunk.length;
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const out of lines) {
      seen += 1;
      if (seen % 100 === 0) checkLine(out, seen, input);
    }
  }
  assert.equal(await ended, 0);
  assert.equal(seen, count);
  assert.ok(bytes > 5 * 16 * 2 ** 20, `${bytes} bytes`);
});

test('attention.js: a reader that has seen enough ends it quietly', async () => {
  const child = spawn(process.execPath, [script('attention.js')], { cwd: root });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdout.once('data', () => child.stdout.destroy());
  child.stdin.end(`${one}\n`.repeat(100_000));
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.equal(told, '');
});

test('entropy.js: without the scaling the rows narrow as d grows', async () => {
  const [head, ...rows] = csv(run('entropy.js'));
  assert.deepEqual(head, ['d', 'unscaled', 'scaled']);
  assert.deepEqual(
    rows.map(([d]) => Number(d)),
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  );
  const gf = await load();
  for (const [d, unscaled, scaled] of rows.map((row) => row.map(Number))) {
    const [q, k] = [0, 1].map((stream) => {
      const { data } = gf.normal([64, d], { seed: 1, stream });
      return Array.from({ length: 64 }, (_, i) => [...data.subarray(i * d, (i + 1) * d)]);
    });
    for (const [given, factor] of [
      [unscaled, 1],
      [scaled, 1 / Math.sqrt(d)],
    ]) {
      const entropies = q.map((query) => {
        const scores = k.map((key) => factor * sum(query.map((x, i) => x * key[i])));
        return -sum(softmax(scores).map((p) => (p > 0 ? p * Math.log2(p) : 0)));
      });
      close(given, sum(entropies) / 64, 1e-4, `d ${d}, factor ${factor}`);
    }
  }
});

test('positions.js: sinusoids as the paper has them', () => {
  const [head, ...rows] = csv(run('positions.js', '--positions', '40', '--channels', '6'));
  assert.deepEqual(head, ['position', '0', '1', '2', '3', '4', '5']);
  assert.equal(rows.length, 40);
  for (const [t, ...codes] of rows.map((row) => row.map(Number))) {
    for (const [c, code] of codes.entries()) {
      const angle = t / 10000 ** ((c - (c % 2)) / 6);
      close(code, c % 2 ? Math.cos(angle) : Math.sin(angle), 1e-6, `position ${t}, channel ${c}`);
    }
  }
});

test('the float64 GPT-2 agrees with PyTorch', () => {
  const fixture = path.join(root, 'tests/reference/fixtures/gpt2');
  const { tensors } = readSafetensors(readFileSync(path.join(fixture, 'expected.safetensors')));
  const [ids, logits] = ['input_ids', 'logits'].map((name) => tensors.get(name));
  const first = [...ids.data.subarray(0, tensors.get('lengths').data[0])];
  const computed = gpt64(fixture)(first).logits.flat();
  for (const [i, x] of computed.entries()) close(logits.data[i], x, 1e-5, `logit ${i}`);
});

/** Makes sure that a CSV of head.js is what float64 says. */
function checkHead(text, ids, tokens, expected) {
  const [head, ...rows] = csv(text);
  assert.deepEqual(head, ['', ...tokens.map((token) => `"${token}"`)]);
  assert.equal(rows.length, ids.length);
  for (const [i, [token, ...weights]] of rows.entries()) {
    assert.equal(token, `"${tokens[i]}"`);
    for (const [j, x] of weights.entries()) close(Number(x), expected[i][j], 1e-5, `[${i},${j}]`);
  }
}

test('head.js: a head of a checkpoint that PyTorch wrote', () => {
  const fixture = path.join(root, 'tests/reference/fixtures/gpt2');
  for (const name of ['config.json', 'model.safetensors']) {
    copyFileSync(path.join(fixture, name), path.join(folder, name));
  }
  const vocab = Object.fromEntries(Array.from({ length: 37 }, (_, id) => [`t${id}`, id]));
  const tokenizer = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordPiece', unk_token: 't0', vocab },
  };
  writeFileSync(path.join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  const ids = [5, 31, 0, 7, 7, 36];
  const tokens = ids.map((id) => `t${id}`);
  const { weights } = gpt64(folder)(ids);
  for (const [layer, head] of [
    [0, 0],
    [0, 3],
    [1, 2],
  ]) {
    const text = run('head.js', folder, String(layer), String(head), tokens.join(' '));
    checkHead(text, ids, tokens, weights[layer][head]);
  }
});

test('longer.js: what was learned is copied, longer texts are not; the page says the same numbers', () => {
  const [, ...rows] = csv(run('longer.js')).map((row) => row.map(Number));
  for (const [length, right, of] of rows) {
    assert.equal(of, 50);
    if (length <= 6) assert.ok(right >= 48, `${right} of ${length} letters`);
    if (length >= 8) assert.ok(right <= 2, `${right} of ${length} letters`);
  }
  const [[, six], [, seven], [, eight]] = rows.slice(5);
  assert.deepEqual([six, eight], [50, 0]);
  for (const [language, none] of Object.entries({ en: 'none', fr: 'aucun', de: 'keinen' })) {
    const file = path.join(root, `bindings/words/${language}/page.json`);
    const { longer } = JSON.parse(readFileSync(file, 'utf8')).chapters.positions.waves;
    assert.deepEqual(longer.match(/\d+/g).map(Number), [1, 6, six, 6, seven, 7, 8], none);
    assert.match(longer, new RegExp(`\\b${none}\\b`));
  }
});

test('moons.js: the two moons are told apart', () => {
  const lines = run('moons.js').trimEnd().split('\n');
  assert.equal(lines.at(-1), 'accuracy 100 of 100');
  const losses = lines.slice(0, -1).map((line) => Number(line.split(' ').at(-1)));
  assert.equal(losses.length, 10);
  assert.ok(losses.at(-1) < 0.02 && losses.at(-1) < losses[0] / 4, String(losses));
  const [untrained] = run('moons.js', '--steps', '1').trimEnd().split('\n').slice(-1);
  assert.ok(Number(untrained.split(' ')[1]) < 95, untrained);
});

test('copy.js: ten numbers are copied', (t) => {
  if (waits(t)) return;
  assert.equal(run('copy.js').trimEnd().split('\n').at(-1), '1 2 3 4 5 6 7 8 9 10');
});

test('sorter.js: digits that it never saw come out sorted', (t) => {
  if (waits(t)) return;
  const [, right, of] = /sorted (\d+) of (\d+)/.exec(run('sorter.js'));
  assert.equal(Number(of), 200);
  assert.ok(Number(right) >= 198, right);
});

test('characters.js: twice ten steps are twenty, and the curve has a point for each', () => {
  const [twice, once] = ['twice', 'once'].map((name) => path.join(folder, name));
  const learn = (place, steps) => run('characters.js', 'README.md', place, '--steps', steps);
  learn(twice, '10');
  assert.match(learn(twice, '10'), /^step 20 loss \d/);
  learn(once, '20');
  const [again, whole] = [twice, once].map((place) =>
    csv(readFileSync(path.join(place, 'loss.csv'), 'utf8'))
      .slice(1)
      .map(([step, loss]) => [step, loss]),
  );
  assert.deepEqual(again, whole);
  assert.equal(whole.length, 20);
  assert.ok(Number(whole[19][1]) < Number(whole[0][1]) - 1, String(whole[19]));
  const svg = readFileSync(path.join(once, 'loss.svg'), 'utf8');
  assert.equal(/points="([^"]*)"/.exec(svg)[1].split(' ').length, 20);
  assert.ok(!svg.includes('NaN'));
});

test('train.js: what it saves is read back, also by float64 and by head.js', () => {
  const place = path.join(folder, 'reverse');
  const [told, ...lines] = run('train.js', place).trimEnd().split('\n');
  const model = gpt64(place);
  const {
    model: { vocab },
  } = JSON.parse(readFileSync(path.join(place, 'tokenizer.json'), 'utf8'));
  const losses = lines.flatMap((line) => {
    const tokens = line.split(' ');
    const word = tokens.slice(0, 4);
    /* The known answer. */
    assert.deepEqual(tokens, [...word, '>', ...word.toReversed()]);
    const ids = [...tokens, '.'].map((token) => vocab[token]);
    const { logits } = model(ids.slice(0, -1));
    return ids.slice(5).map((id, i) => -Math.log(softmax(logits[4 + i])[id]));
  });
  assert.equal(lines.length, 5);
  assert.match(told, /^loss of held-out words: \d/);
  const loss = Number(told.split(': ')[1]);
  const mean = sum(losses) / losses.length;
  close(loss, mean, 1e-3 * mean, 'loss');

  const tokens = ['a', 'b', 'c', 'd', '>', 'd', 'c', 'b'];
  const ids = tokens.map((token) => vocab[token]);
  checkHead(
    run('head.js', place, '0', '0', tokens.join(' ')),
    ids,
    tokens,
    model(ids).weights[0][0],
  );
});

test('steering.js: the bits of the same edit of a whole run; the colour changes', async () => {
  const gf = await load();
  const model = trained(
    gf,
    readFileSync(path.join(root, 'bindings/data/models/stories.safetensors')),
  );
  const [, ...rows] = csv(run('steering.js'));
  const step = 'decoder.layers.1.residual2';
  const story = (colour, thing) =>
    storyInputs(
      `Anna and Ben are in the park. Anna has a ${colour} ${thing}. Ben says: "The ${thing} is`,
    ).target;
  const { dModel, vocab } = model.config;
  const made = new Float32Array(dModel);
  for (const thing of ['kite', 'hat', 'book', 'cup']) {
    const [red, blue] = ['red', 'blue'].map((colour) =>
      model
        .forward({ target: story(colour, thing) })
        .tensor(step)
        .data.slice(-dModel),
    );
    for (let i = 0; i < dModel; i++) made[i] += (blue[i] - red[i]) / 4;
  }
  for (const [strength, red, blue, words] of rows) {
    const edited = model.forward({ target: story('red', 'ball') });
    const node = edited.tensor(step);
    const values = node.data.slice();
    for (let i = 0; i < dModel; i++) values[values.length - dModel + i] += strength * made[i];
    edited.freeze(node);
    node.set(values);
    edited.forward();
    const logits = [...edited.logits.data.slice(-vocab)];
    const shares = softmax(logits);
    const ids = vocabulary.encode(['red', 'blue']);
    close(Number(red), shares[ids[0]], 1e-6, `red at ${strength}`);
    close(Number(blue), shares[ids[1]], 1e-6, `blue at ${strength}`);
    const [likeliest] = vocabulary.decode([logits.indexOf(Math.max(...logits))]);
    assert.equal(words.split(' ')[0], likeliest);
  }
  assert.ok(rows[0][1] > 0.99 && rows[2][2] > 0.99, 'red at 0, blue at 1');
  /* A vector of one colour to itself changes nothing. */
  const [, ...same] = csv(run('steering.js', '--to', 'red'));
  for (const row of same) assert.equal(row[1], rows[0][1]);
});

test('induction.js: the attention of whole runs, and what ablate gives; untrained there is no such head', async () => {
  const gf = await load();
  const model = unborn(gf, 1);
  for await (const _ of birth(model, { seed: 1 }));
  const [, [, , , intact], ...rows] = csv(run('induction.js', '--texts', '4'));
  const prompts = Array.from({ length: 4 }, (_, stream) => {
    const { data } = gf.uniform([10], { seed: 1, stream, low: 0, high: 15.99 });
    return Array.from(data, Math.floor);
  });
  for (const [layer, head, induction, without] of rows) {
    let [score, loss, before] = [0, 0, 0];
    for (const once of prompts) {
      const inputs = { target: [[...once, ...once.slice(0, -1)]] };
      const weights = model.forward(inputs).tensor(`decoder.layers.${layer}.self_attn.weights`);
      for (let t = 10; t < 19; t++) {
        score += weights.data[(head * 19 + t) * 19 + t - 9] / 36;
      }
      const told = await ablate(model, inputs, {
        at: [{ layer: Number(layer), head: Number(head) }],
        metric: { kind: 'loss', token: once[9], position: -1 },
      });
      loss += told.after / 4;
      before += told.before / 4;
    }
    close(Number(induction), score, 1e-4, `attention of ${layer}.${head}`);
    close(Number(without), -loss, 1e-3, `without ${layer}.${head}`);
    close(Number(intact), -before, 1e-3, 'with all');
  }
  const best = rows.toSorted((a, b) => b[2] - a[2])[0];
  assert.ok(best[0] === '1' && best[2] > 0.5 && best[3] < intact - 2, `${best}`);
  const [, , ...fresh] = csv(run('induction.js', '--texts', '4', '--steps', '1'));
  for (const row of fresh) assert.ok(row[2] < 0.2, `${row}`);
});

/** The file of a tiny model with a token for each of these characters. @param {string} characters 32 of them */
function tinyModel(name, characters) {
  const fixture = (part) => readFileSync(path.join(root, 'tests/reference/fixtures/llama', part));
  const { tensors } = readSafetensors(fixture('model.safetensors'));
  const tokens = ['<|end|>', 'Ġ', ...characters];
  const bytes = llamaGguf(
    { ...JSON.parse(fixture('config.json')), max_position_embeddings: 256 },
    tensors,
    {
      'tokenizer.ggml.model': [STRING, 'gpt2'],
      'tokenizer.ggml.pre': [STRING, 'gpt-2'],
      'tokenizer.ggml.tokens': [[STRING], tokens],
      'tokenizer.ggml.token_type': [[5], tokens.map((_, id) => (id ? 1 : 3))],
      'tokenizer.ggml.merges': [[STRING], []],
      'tokenizer.chat_template': [STRING, '{% for m in messages %}{{ m.content }} {% endfor %}'],
    },
  );
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEF';

test('chat.js: ten turns, whole turns left out; the model is a tiny one', () => {
  const file = tinyModel('letters.gguf', LETTERS);
  const lines = run('chat.js', file, '--context', '200', '--max', '20').trim().split('\n');
  const turns = lines.map((line) => JSON.parse(line));
  assert.equal(turns.length, 10);
  for (const [i, { answer, seconds, trimmed, bytes }] of turns.entries()) {
    assert.equal(typeof answer, 'string');
    assert.ok(
      seconds >= 0 && bytes > 0 && trimmed % 2 === 0 && trimmed >= (turns[i - 1]?.trimmed ?? 0),
    );
  }
  assert.ok(turns[9].trimmed > 0 && turns[2].trimmed === 0);
});

test('json.js: whatever a tiny model writes, it is JSON of the schema', () => {
  const file = tinyModel('json.gguf', '{}":,_[]0123456789abcdefghiklmno');
  const schema = path.join(folder, 'schema.json');
  const wanted = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { enum: ['c', 'd'] } },
  };
  writeFileSync(schema, JSON.stringify({ ...wanted, required: ['a', 'b'] }));
  const sentences = path.join(folder, 'sentences.txt');
  writeFileSync(sentences, 'a bed\na cab\n');
  const lines = run('json.js', file, '--schema', schema, '--max', '40', sentences);
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)); // prettier-ignore
  assert.deepEqual(
    rows.map(({ sentence }) => sentence),
    ['a bed', 'a cab'],
  );
  for (const { value } of rows) {
    assert.ok(Number.isInteger(value.a) && /^[cd]$/.test(value.b), JSON.stringify(value));
  }
});

test('lora.js: a tiny model learns a text, and its adapters open again', async () => {
  const file = tinyModel('tuned.gguf', LETTERS);
  const [text, adapter] = ['text.txt', 'adapter.safetensors'].map((one) => path.join(folder, one));
  writeFileSync(text, 'the cat sat on the mat and the dog sat on the log '.repeat(12));
  const size = ['--steps', '30', '--length', '16', '--rank', '4'];
  const [head, ...rows] = csv(run('lora.js', file, text, adapter, ...size));
  assert.deepEqual(head, ['step', 'loss', 'held out']);
  assert.equal(rows.length, 31);
  const [before, after] = [rows[0], rows.at(-1)].map((row) => Number(row[2]));
  assert.ok(after < before, `${before}, then ${after}`);
  const { model } = await open(readFileSync(file), { stored: true });
  const tuned = openLora(model, readFileSync(adapter));
  assert.equal(tuned.lora.rank, 4);
  tuned.dispose();
  model.dispose();
});

test('SmolLM2: json.js reads a sentence, lora.js learns a text', { skip: onlyInFull }, () => {
  const sentences = path.join(folder, 'anna.txt');
  writeFileSync(sentences, 'Anna is 34 and lives in Rome.\n');
  const [{ value }] = run('json.js', SMOLLM2, sentences)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(value, { name: 'Anna', age: 34, lives_in: 'Rome' });
  const adapter = path.join(folder, 'smol.safetensors');
  const [, ...rows] = csv(run('lora.js', SMOLLM2, 'README.md', adapter, '--steps', '8'));
  assert.ok(Number(rows.at(-1)[2]) < Number(rows[0][2]), rows.join(' '));
});
