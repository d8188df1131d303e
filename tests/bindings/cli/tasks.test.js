// glassformer train and ask: what they tell, what they keep, and what they refuse.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linesOf } from '../../../bindings/cli/lines.js';
import { importModel, load, readModel } from '../../../bindings/index.js';
import { readSafetensors, writeSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { evaluate, learn, tasks, testBatch, untrained } from '../../../bindings/lab/tasks/index.js';
import { recipes } from '../../../bindings/lab/tasks/recipes.js';
import { waits } from '../../support/sample.js';
import { call, refuses, succeeds } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-cli-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name) => join(folder, name);
const gf = await load();
const shipped = new URL('../../../bindings/data/models/reverse.safetensors', import.meta.url)
  .pathname;

test('train writes the model, and tells of it as a text or as JSON', async () => {
  const file = place('copy.safetensors');
  const torch = place('torch');
  const args = ['train', 'copy', '--steps', '3', '--seed', '7'];
  const { stdout, stderr, status } = await call([...args, '--out', file, '--torch', torch]);
  assert.equal(status, 0);
  const files = [file, `${torch}/config.json`, `${torch}/model.safetensors`];
  assert.equal(stderr, files.map((name) => `wrote ${name}\n`).join(''));
  const [title, test, ...wrong] = stdout.trimEnd().split('\n');
  const { size, parameters } = gf.open(readModel(readFileSync(file)));
  assert.match(
    title,
    new RegExp(`^copy: ${size} parameters, 3 steps, \\d+:\\d\\d, loss \\d\\.\\d{4}$`),
  );
  assert.match(test, /^held-out sources: \d+ of 500 exact \(\d+\.\d %\)$/);
  assert.equal(wrong.length, 5);
  for (const line of wrong) {
    const [, source, target] = /^ {2}(\S+) -> .* {2}\(not (\S+)\)$/.exec(line);
    assert.equal(target, source);
  }
  const config = JSON.parse(readFileSync(files[1]));
  const read = gf.open(importModel({ config, bytes: readFileSync(files[2]) }));
  for (const [name, { data }] of parameters) {
    assert.deepEqual(read.parameters.get(name).data, data, name);
  }

  const json = JSON.parse((await call([...args, '--json', '--quiet'])).stdout);
  assert.deepEqual(Object.keys(json), ['task', 'parameters', 'step', 'seconds', 'loss', 'heldOut']);
  assert.equal(json.loss.toFixed(4), title.split(' ').at(-1));
  assert.deepEqual(Object.keys(json.heldOut), ['sources']);
  const { sources: heldOut } = json.heldOut;
  assert.equal(heldOut.right + heldOut.wrong.length, heldOut.total);
  for (const { source, target, answer } of heldOut.wrong) {
    assert.equal(target, source);
    assert.notEqual(answer, target);
  }
});

test('train --type keeps the nearest numbers of 16 bits, and tests the model that has them', async (t) => {
  if (waits(t)) return;
  const [whole, half] = [place('whole.safetensors'), place('half.safetensors')];
  const args = ['train', 'copy', '--steps', '3', '--seed', '7', '--json', '--quiet'];
  await succeeds(...args, '--out', whole);
  const { heldOut } = JSON.parse(await succeeds(...args, '--out', half, '--type', 'f16'));
  const [theirs, own] = [whole, half].map((file) => readSafetensors(readFileSync(file)));
  assert.deepEqual(own.metadata, theirs.metadata);
  for (const [name, { data }] of theirs.tensors) {
    const other = own.tensors.get(name).data;
    for (const [i, x] of data.entries()) {
      /* Half a unit in the last of 11 bits; below 2^-14 numbers lie 2^-24 apart. */
      assert.ok(Math.abs(other[i] - x) <= Math.max(2 ** -11 * Math.abs(x), 2 ** -25), name);
    }
  }
  const model = gf.open(readModel(readFileSync(half)));
  const pairs = tasks.copy.heldOut(500, 7, 'sources');
  assert.deepEqual(heldOut.sources, await evaluate(model, tasks.copy, pairs));
  const train = (...flags) => ['train', 'copy', '--steps', '1', ...flags];
  await refuses(train('--type', 'f16'), 2, /--type goes with --out only/);
  await refuses(train('--type', 'f8', '--out', half), 2, /unknown type "f8"/);
  const state = train('--type', 'f16', '--out', half, '--state');
  await refuses(state, 2, /--type f16 goes without --state/);
});

test('train stories tests each kind of decided words, and writes the names of GPT-2', async (t) => {
  if (waits(t)) return;
  const torch = place('gpt2');
  const args = ['train', 'stories', '--steps', '1', '--torch', torch, '--json', '--quiet'];
  const { heldOut, step, parameters } = JSON.parse(await succeeds(...args));
  assert.equal(step, 1);
  assert.deepEqual(Object.keys(heldOut).slice(0, 3), [
    'casts: names',
    'casts: pronouns',
    'casts: objects',
  ]);
  for (const { right, total, wrong } of Object.values(heldOut)) {
    assert.equal(right + wrong.length, total);
    for (const { target, answer } of wrong) assert.notEqual(answer, target);
  }
  const config = JSON.parse(readFileSync(`${torch}/config.json`));
  assert.equal(config.model_type, 'gpt2');
  const bytes = readFileSync(`${torch}/model.safetensors`);
  assert.equal(gf.open(importModel({ config, bytes })).size, parameters);
  await refuses(
    ['train', 'stories', '--from', shipped],
    1,
    /reverse.*it holds a transformer, and stories needs a gpt/,
  );
});

test('train shows progress where somebody watches, in one line of their width', async (t) => {
  if (waits(t)) return;
  const args = ['train', 'copy', '--steps', '2'];
  const watched = { isTTY: true, columns: 30 };
  const { stdout, stderr } = await call(args, { stderr: watched });
  assert.ok(!stdout.includes('\u001b'));
  const [note, ...lines] = stderr.split('\r\u001b[K');
  assert.match(note, /^the model will not be kept/);
  assert.equal(lines.at(-1), '', 'in the end it is taken away');
  assert.ok(lines.includes('testing sources  500 / 500'));
  assert.ok(lines.every((line) => line.length < 30 && !line.includes('\n')));
  for (const [flags, streams] of [
    [[], {}],
    [['--quiet'], { stderr: watched }],
  ]) {
    const told = (await call([...args, ...flags], streams)).stderr;
    assert.equal(told.replace(/^the model will not be kept.*\n/, ''), '');
  }
});

for (const [moment, steps] of [
  ['step', '1000000'],
  ['testing', '2'],
]) {
  test(`a signal at the first "${moment}" ends it, and the model stays`, async () => {
    const file = place(`${moment}.safetensors`);
    const stop = new AbortController();
    const stderr = {
      isTTY: true,
      write(text, done) {
        this.text += text;
        if (text.includes(`${moment} `)) stop.abort();
        done();
      },
    };
    const args = ['train', 'copy', '--steps', steps, '--out', file];
    const told = await call(args, { stderr, signal: stop.signal });
    assert.equal(told.status, 130);
    assert.equal(told.stdout, '');
    assert.match(told.stderr, /wrote .*\n/);
    assert.equal(gf.open(readModel(readFileSync(file))).config.vocab, 30);
  });
}

test('train goes on with what is left of the recipe, whose rate falls to 0 at its last step', async (t) => {
  if (waits(t)) return;
  const [begun, late, done] = ['begun', 'late', 'done'].map((name) => place(`${name}.safetensors`));
  await call(['train', 'copy', '--steps', '1', '--out', begun, '--state']);
  const { tensors, metadata } = readSafetensors(readFileSync(begun));
  const last = recipes.copy.steps;
  writeFileSync(late, writeSafetensors(tensors, { ...metadata, step: String(last - 1) }));
  const values = (file) =>
    [...gf.open(readModel(readFileSync(file))).parameters.values()].map(({ data }) => data.slice());
  const goOn = async (from, ...more) => {
    const args = [
      'train',
      'copy',
      '--from',
      from,
      '--out',
      done,
      '--force',
      '--state',
      '--json',
      '--quiet',
    ];
    const { stdout, stderr } = await call([...args, ...more]);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };
  assert.equal((await goOn(late)).step, last);
  assert.deepEqual(values(done), values(late), 'the rate was 0');
  await refuses(
    ['train', 'copy', '--from', done],
    2,
    /already trained for 1000 steps, .* Pass --steps N to continue/,
  );
  assert.equal((await goOn(late, '--steps', '2')).step, last + 1);
  assert.notDeepEqual(values(done), values(late), 'the rate falls to 0 one step later');
});

test('train refuses before the training what would fail after it', async () => {
  const train = (...args) => ['train', 'copy', '--steps', '1', ...args];
  writeFileSync(place('file'), '');
  await refuses(train('--out', place('no/model')), 1, /cannot write .*no\/model: no such file/);
  await refuses(train('--out', folder), 1, /cannot write .*: it is a folder/);
  await refuses(train('--torch', place('file/x')), 1, /cannot write .*file\/x: not a directory/);
  await refuses(train('--from', place('none')), 1, /cannot read .*none: no such file/);
  await refuses(train('--from', place('file')), 1, /file: safetensors: /);
  writeFileSync(place('other'), writeSafetensors([], { format: 'pt' }));
  await refuses(
    train('--from', place('other')),
    1,
    /expected a file of model\.save\(\), received "pt" \(importModel reads/,
  );
  await refuses(train('--state'), 2, /--state goes with --out only/);
  await refuses(train('--steps', '0'), 2, /--steps: expected 1 or more, received 0/);
  await refuses(train('--steps', '-1'), 2, /--steps: expected 1 or more, received -1/);
  await refuses(train('--out', '-x'), 2, /--out needs a value; .* --out=-x/);
  await refuses(train('--out'), 2, /--out needs a value/);
  await refuses(train('--seed', 'x'), 2, /--seed: expected an integer, received "x"/);
  await refuses(train('reverse'), 2, /expected one task, received copy reverse/);
  await refuses(['train'], 2, /missing task\. Choose from copy, reverse/);
  await refuses(
    ['train', 'revers'],
    2,
    /unknown task "revers" \(did you mean "reverse"\?\)\. Choose from copy, /,
  );
  await refuses(['train', 'nonsense'], 2, /unknown task "nonsense"\. Choose from copy, reverse, /);
});

test('ask answers a text, and each line of standard input', async () => {
  assert.equal(
    await succeeds('ask', 'french-english', 'le', 'chat', 'noir', 'dort'),
    'the black cat sleeps\n',
  );
  /* However the lines are cut, and with and without an end of the last. */
  for (const input of ['abc\nstressed\n', ['ab', 'c\r\nstres', 'sed']]) {
    const { stdout } = await call(['ask', 'reverse', '-'], { input });
    assert.equal(stdout, 'cba\ndesserts\n');
  }
  const { stdout: gaps } = await call(['ask', 'reverse', '-'], { input: 'abc\n\nab\n' });
  assert.equal(gaps, 'cba\n\nba\n');
  const args = ['ask', 'reverse', '-', '--json', '--model', shipped];
  const { stdout } = await call(args, { input: 'abc\nstressed\n' });
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { line: 1, source: 'abc', answer: 'cba', unknown: [], accepted: true },
      { line: 2, source: 'stressed', answer: 'desserts', unknown: [], accepted: true },
    ],
  );
});

test('ask goes on after a line that fails, and says which it was', async () => {
  const input = `abc\n${'x'.repeat(50)}\nabc\n`;
  const { status, stdout, stderr } = await call(['ask', 'reverse', '-'], { input });
  assert.equal(status, 1);
  assert.equal(stdout, 'cba\n\ncba\n');
  assert.match(stderr, /^glassformer: line 2: [^\n]*received 50\n$/);
  const json = await call(['ask', 'reverse', '-', '--json'], { input });
  const [first, second, third] = json.stdout.trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual([first.answer, third.answer, third.line], ['cba', 'cba', 3]);
  assert.deepEqual([second.line, second.source], [2, 'x'.repeat(50)]);
  assert.match(second.error.message, /received 50$/);
  assert.equal(json.status, 1);
});

test('ask reads a line of any length in bounded memory, each byte once', async () => {
  const chunk = new Uint8Array(2 ** 16).fill(97);
  let read = 0;
  async function* long() {
    for (let i = 0; i < 1000; i++) {
      read += chunk.length;
      yield chunk;
    }
    yield new TextEncoder().encode('\nabc\n');
  }
  const lines = [];
  for await (const line of linesOf(long())) lines.push(line);
  assert.deepEqual(lines, [
    { line: 1, text: null, bytes: read },
    { line: 2, text: 'abc', bytes: 3 },
  ]);
});

test('lines are cut at their ends however the chunks are', async () => {
  const bytes = new TextEncoder().encode('é\r\n\nlong line\n\u{1f600} last');
  for (let size = 1; size <= bytes.length; size++) {
    async function* chunks() {
      const room = new Uint8Array(size);
      for (let at = 0; at < bytes.length; at += size) {
        const part = bytes.subarray(at, at + size);
        /* A stream may use its memory again. */
        room.set(part);
        yield room.subarray(0, part.length);
      }
    }
    const texts = [];
    for await (const { text } of linesOf(chunks(), { limit: 10 })) texts.push(text);
    assert.deepEqual(texts, ['é', '', 'long line', '\u{1f600} last'], `${size} bytes at a time`);
  }
});

test('what waits for standard input holds nothing of what it read', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  let most = 0;
  const count = (method, step) => {
    const own = signal[method].bind(signal);
    signal[method] = (...args) => {
      listeners += step;
      most = Math.max(most, listeners);
      return own(...args);
    };
  };
  count('addEventListener', 1);
  count('removeEventListener', -1);
  const input = Array.from({ length: 100 }, () => 'ab\n');
  await call(['ask', 'reverse', '-'], { input, signal });
  assert.ok(most <= 2, `${most} listeners at once`);
  assert.equal(listeners, 0);
});

test('ask tells what the task does not know, in the result and by its status', async () => {
  const told = await call(['ask', 'reverse', 'a b!']);
  assert.equal(told.stderr, 'reverse does not know " ", "!"\n');
  assert.equal(told.status, 1);
  assert.match(told.stdout, /^\w*\n$/);
  const { stdout } = await call(['ask', 'reverse', 'a b!', '--json']);
  assert.deepEqual(JSON.parse(stdout).unknown, [' ', '!']);
  const quiet = await call(['ask', 'reverse', 'a b', '--quiet']);
  assert.deepEqual([quiet.stderr, quiet.status], ['', 1]);
});

test('ask tells of a text outside the grammar where it leaves it, before the answer', async () => {
  for (const [text, note, unknown] of [
    ['le zug dort', 'french-english does not know "zug"', ['zug']],
    ['le chatt dort', 'french-english does not know "chatt" (did you mean "chat"?)', ['chatt']],
    ['le cat dort', 'french-english does not know "cat" (did you mean "cet"?)', ['cat']],
    [
      'le chat noire dort',
      'outside the grammar of french-english: "noire" cannot follow "le chat"',
    ],
    ['chat noir', 'outside the grammar of french-english: "chat" cannot begin a sentence'],
    ["l'homme ne", 'outside the grammar of french-english: the sentence is not complete'],
  ]) {
    const told = await call(['ask', 'french-english', text, '--json']);
    assert.equal(told.stderr, `${note}\n`);
    assert.equal(told.status, 1);
    const { answer, ...record } = JSON.parse(told.stdout);
    assert.deepEqual(record, { source: text, unknown: unknown ?? [], accepted: false });
    assert.equal(typeof answer, 'string');
  }
  const sums = gf.model({
    ...{ kind: 'transformer', vocab: tasks.addition.vocabulary.size, maxLength: 9 },
    ...{ dModel: 8, heads: 1, dFF: 8, layers: 1, decoderLayers: 1 },
  });
  writeFileSync(place('sums'), sums.save());
  sums.dispose();
  const { stderr, status } = await call(['ask', 'addition', '1+', '--model', place('sums')]);
  assert.equal(stderr, 'outside the grammar of addition: "1+"\n');
  assert.equal(status, 1);
});

test('ask lists the words that a text may have', async () => {
  const text = await succeeds('ask', 'french-english', '--vocabulary');
  assert.match(text, /^animal\n(?: {2}.*\n)* {2}.*cheval,\s+chevaux: horse,\s+horses;/m);
  assert.ok(text.split('\n').every((line) => line.length <= 80));
  assert.match(await succeeds('ask', 'reverse', '--vocabulary'), /^character\n {2}a; b; c; /);
  const json = JSON.parse(await succeeds('ask', 'french-english', '--vocabulary', '--json'));
  assert.deepEqual(json, tasks['french-english'].dictionary);
  await refuses(
    ['ask', 'reverse', 'abc', '--vocabulary'],
    2,
    /--vocabulary takes no text, received "abc"/,
  );
});

test('train says before it begins that the model will be lost', async (t) => {
  if (waits(t)) return;
  const note = 'the model will not be kept: pass --out FILE to write it\n';
  const train = ['train', 'copy', '--steps', '1', '--json'];
  assert.equal((await call(train)).stderr, note);
  assert.equal((await call([...train, '--quiet'])).stderr, '');
  assert.doesNotMatch((await call([...train, '--out', place('kept')])).stderr, /not be kept/);
});

test('ask refuses', async () => {
  await refuses(['ask'], 2, /missing task/);
  await refuses(['ask', 'reverse', ' '], 2, /missing question\. For example: ask reverse "\w+"/);
  await refuses(['ask', 'revers', 'a'], 2, /did you mean "reverse"/);
  await refuses(['ask', 'copy', 'a'], 2, /no model of copy is shipped/);
  await refuses(['ask', 'reverse', 'x'.repeat(50)], 2, /received 50/);
  await refuses(
    ['ask', 'dates', 'a', '--model', shipped],
    1,
    /its vocabulary has 30 tokens, that of dates \d+/,
  );
  const { size: vocab } = tasks.reverse.vocabulary;
  const sizes = { vocab, dModel: 8, heads: 1, layers: 1, maxLength: 40 };
  const file = join(folder, 'other.safetensors');
  for (const [options, reason] of [
    [{ kind: 'gpt' }, /it holds a gpt, and reverse needs a transformer/],
    [{ kind: 'transformer', decoderLayers: 0 }, /it has no decoder, and reverse needs one/],
    [{ kind: 'transformer', sourceVocab: 5 }, /its vocabulary has 5 tokens, that of reverse 30/],
    [{ kind: 'transformer', maxLength: 4 }, /it reads 4 tokens, and reverse has \d+/],
  ]) {
    const other = gf.model({ ...sizes, ...options });
    writeFileSync(file, other.save());
    other.dispose();
    await refuses(['ask', 'reverse', 'a', '--model', file], 1, reason);
    await refuses(['train', 'reverse', '--steps', '1', '--from', file], 1, reason);
  }
  await refuses(['ask', 'reverse', 'a', '--model', folder], 1, /cannot read .*: it is a folder/);
});

test('train --validate tells the loss on what is not trained on; --best keeps the parameters of the least', async (t) => {
  if (waits(t)) return;
  const [file, out] = [place('validated.csv'), place('best.safetensors')];
  const words = ['train', 'copy', '--steps', '6', '--seed', '7', '--validate', '2', '--best'];
  const told = await succeeds(...words, '--csv', file, '--out', out, '--json', '--quiet');
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(head, 'step,loss,learning_rate,gradient_norm,tokens,validation_loss');
  const losses = lines.map((line) => line.split(',').at(-1));
  assert.deepEqual(losses.map(Boolean), [false, true, false, true, false, true]);
  assert.equal(JSON.parse(told).validationLoss, Number(losses.at(-1)));
  const gf = await load();
  const model = gf.open(readModel(readFileSync(out)));
  const { loss } = model.forward(testBatch(tasks.copy, tasks.copy.heldOut(200, 8)));
  const least = Math.min(...losses.filter(Boolean).map(Number));
  assert.ok(Math.abs(loss - least) <= 1e-5 * least, `${loss} is not ${least}`);
  for (const [more, says] of [
    [['--best'], /--best goes with --validate only/],
    [['--validate', '0'], /--validate: expected 1 or more, received 0/],
    [['--validate', '2', '--best', '--out', out, '--state'], /--best goes without --state/],
  ]) {
    await refuses(['train', 'copy', ...more], 2, says);
  }
});

test('train --csv writes what each step tells', async (t) => {
  if (waits(t)) return;
  const file = place('steps.csv');
  await succeeds('train', 'copy', '--steps', '3', '--seed', '7', '--csv', file, '--quiet');
  const rows = ['step,loss,learning_rate,gradient_norm,tokens'];
  const model = untrained(gf, tasks.copy, 7);
  for await (const step of learn(model, tasks.copy, { steps: 3, seed: 7 })) {
    rows.push([step.step, step.loss, step.learningRate, step.gradientNorm, step.tokens].join());
  }
  assert.equal(readFileSync(file, 'utf8'), `${rows.join('\n')}\n`);
  await refuses(['train', 'copy', '--csv', place('no/steps.csv')], 1, /cannot write .*steps\.csv/);
});
