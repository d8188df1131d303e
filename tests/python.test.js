// The Python package beside Node: the same bits, tokens, files and sentences; and, in full, the wheel in an
// environment of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { examples, exportModel, load, readModel, traceExample, train } from '../bindings/index.js';
import { readSafetensors } from '../bindings/js/formats/safetensors.js';
import { exercise, mark, recipes } from '../bindings/learn/exercises/index.js';
import { insideCases } from './python/inside.js';
import { others } from './python/others.js';
import { textCases } from './python/texts.js';
import { llamaGguf } from './support/gguf.js';
import { blocks } from './support/markdown.js';
import { PYTHONPATH, python } from './support/python.js';
import { onlyInFull, REASONS } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-python-'));
after(() => rmSync(folder, { recursive: true }));
const gf = await load();

const hashOf = (arrays) => {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of arrays) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex').slice(0, 16);
};
const blockOf = (model, name) =>
  hashOf([...model.parameters.values()].map((parameter) => parameter.block(name)));

const PAIRS = {
  source: [
    [3, 4, 5],
    [6, 7],
  ],
  target: [
    [1, 3],
    [1, 4, 5, 6, 7],
  ],
  labels: [
    [3, 2],
    [4, 5, -100, 7, 2],
  ],
};
const SMALL = { vocab: 12, dModel: 20, heads: 2, layers: 2, dFF: 40, maxLength: 40, seed: 3 };
const MODELS = [
  { kind: 'transformer', activation: 'gelu', dropout: 0.1, ...SMALL },
  { kind: 'gpt', positions: 'rotary', norm: 'rms', activation: 'swiglu', kvHeads: 1, ...SMALL },
  { kind: 'gpt', positions: 'alibi', ...SMALL },
  { kind: 'bert', ...SMALL },
];

function examined(options) {
  const model = gf.model(options);
  const { source, ...rest } = PAIRS;
  const run = model.forward(options.kind === 'transformer' ? { source, ...rest } : rest);
  run.backward();
  const { nodes } = run.tape;
  const grads = nodes.map(({ grad }) => grad).filter(Boolean);
  const told = {
    options,
    names: nodes.map(({ name }) => name),
    values: hashOf(nodes.map(({ data }) => data)),
    gradients: hashOf(grads),
    loss: run.loss,
  };
  run.dispose();
  model.dispose();
  return told;
}

async function trained() {
  const model = gf.model(MODELS[0]);
  writeFileSync(path.join(folder, 'untrained.safetensors'), model.save());
  const other = {
    ...PAIRS,
    labels: [
      [-100, 2],
      [4, 5, 6, 7, -100],
    ],
  };
  const batches = Array.from({ length: 40 }, (_, i) => (i % 2 ? other : PAIRS));
  const noam = { schedule: 'noam', warmup: 10 };
  const told = { losses: [], rates: [] };
  for await (const { loss, learningRate } of train(model, batches, {
    ...noam,
    clip: 1,
    labelSmoothing: 0.1,
    accumulate: 2,
    seed: 5,
  })) {
    told.losses.push(loss);
    told.rates.push(learningRate);
  }
  told.blocks = ['values', 'm', 'v'].map((name) => blockOf(model, name));
  writeFileSync(path.join(folder, 'node.safetensors'), model.save({ training: true }));
  for await (const { loss } of train(model, [PAIRS], noam)) told.next = loss;
  model.dispose();
  /* Too fast: the last parameters are not the best. */
  const fast = gf.model({ ...MODELS[1], dropout: 0 });
  const { source, ...rest } = other;
  const validation = [{ target: [[1, 9, 3]], labels: [[9, 3, 2]] }];
  const looked = { rate: 0.05, betas: [0.8, 0.95], validation, validateEvery: 3, keepBest: true };
  told.validation = [];
  for await (const { validationLoss } of train(fast, Array(13).fill(rest), looked))
    told.validation.push(validationLoss ?? null);
  told.best = blockOf(fast, 'values');
  fast.dispose();
  return told;
}

/** Options by both names: Python's. */
function tokens() {
  const draws = [
    { temperature: 2, topK: 5, topP: 0.9, seed: 7 },
    { temperature: 1, seed: 1 },
    { topK: 3, seed: 2 },
    { topP: 0.5, seed: 3 },
    { remove: ['mask'], maxNewTokens: 6 },
    { beams: 3 },
    { beams: 2, lengthPenalty: 0, stopTokens: [2, 5] },
    { beams: 2, remove: ['mask'], maxNewTokens: 6 },
    {},
  ];
  const files = [
    { file: 'node.safetensors', input: [3, 4, 5] },
    { file: path.join(root, 'bindings/data/models/reverse.safetensors'), input: [3, 4, 5, 6] },
  ];
  return files.flatMap(({ file, input }) => {
    const model = gf.open(readModel(readFileSync(path.resolve(folder, file))));
    const told = draws.map((given) => {
      const options = { maxNewTokens: 20, stopTokens: [], ...given };
      const list = model.generateSync(input, options);
      const { maxNewTokens, stopTokens, topK, topP, lengthPenalty, ...rest } = options;
      const found = options.beams ? model.searchSync(input, options) : null;
      const snakes = {
        max_new_tokens: maxNewTokens,
        stop_tokens: stopTokens,
        top_k: topK,
        top_p: topP,
        length_penalty: lengthPenalty,
        ...rest,
      };
      return { file, input, options: snakes, tokens: list, found };
    });
    model.dispose();
    return told;
  });
}

/** Each example, as it is and without each step that it can lose: values, and gradients of its last cell. */
function traced() {
  const { attention, inputs, ...rest } = examples['two-heads'];
  /* No worked example has these. */
  const placed = ['rotary', 'alibi'].map((positions) => ({
    ...rest,
    attention: { ...attention, causal: true, positions },
    inputs: { ...inputs, pos: [0, 1, 2] },
  }));
  const x = [
    [
      [1, 0.5],
      [0, '1/3'],
    ],
    [
      [2, 1],
      ['√2', 3],
    ],
  ];
  const w = '1 0; 0,5 2';
  /* Those of docs/own-examples.md, and what these leave out. */
  const ours = [
    ...blocks('docs/own-examples.md', 'json').map((text) => JSON.parse(text)),
    { adam: { rate: 0.1 }, inputs: { theta: '1 2', gradient: [0.5, 2] } },
    { inputs: { scores: x } },
    { inputs: { x, w_q: w, w_k: w, w_v: w, w_u: w, mask: '1 0\n1 1' } },
    {
      layer: { norm: 'none', activation: 'gelu' },
      attention: { heads: 2 },
      inputs: {
        x: x[0],
        w_q: w,
        w_k: w,
        w_v: w,
        w_1: w,
        w_2: '\\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix}',
      },
    },
    {
      layer: { epsilon: 0.001 },
      loss: {},
      inputs: { x: x[0], w_q: w, w_k: w, w_v: w, gain_1: [1, 2], bias_1: [0, 1], labels: [0, 1] },
    },
  ];
  return [...Object.keys(examples), ...placed, ...ours].flatMap((name) => {
    const whole = traceExample(gf, name);
    const names = whole.removable.filter(({ possible }) => possible).map((entry) => entry.name);
    whole.dispose();
    return [[], ...names.map((entry) => [entry]), names].map((remove) => {
      const trace = traceExample(gf, name, { remove });
      const { name: last, shape, data } = trace.steps.at(-1);
      trace.gradient(
        last,
        shape.map((size) => size - 1),
      );
      const told = {
        name,
        remove,
        steps: trace.steps.map((step) => [step.name, step.role, step.removed]),
        values: hashOf(trace.steps.map((step) => step.data)),
        gradients: hashOf(trace.steps.map(({ grad }) => grad).filter(Boolean)),
      };
      const index = shape.map(() => 0);
      const { name: first } = trace.steps.find(({ kind }) => kind !== 'ids');
      trace.edit(
        first,
        trace.step(first).shape.map(() => 0),
        2.5,
      );
      trace.edit(last, index, data[0] + 1);
      told.edited = hashOf(trace.steps.map((step) => step.data));
      trace.dispose();
      return told;
    });
  });
}

/** Each recipe solved rightly, with each known mistake, and with a slip that is carried on: points and sentences. */
function marks() {
  return recipes().flatMap(({ name: recipe }) => {
    const problem = exercise(gf, recipe, { seed: 2 });
    const { solution, misconceptions, asked } = problem;
    const values = Object.fromEntries(asked.map((cell) => [cell, solution[cell].value]));
    const written = [values, { [asked[0]]: 123.25 }, ...Object.values(misconceptions)];
    return written.map((numbers) => {
      const answers = Object.fromEntries(
        Object.entries(numbers).map(([cell, x]) => [cell, String(x)]),
      );
      const { cells } = mark(gf, problem, { cells: answers });
      const told = asked.map((cell) => {
        const { state, points, message } = cells[cell];
        const told = state === 'empty' ? null : message;
        return [cell, points, told];
      });
      return { recipe, answers, told };
    });
  });
}

async function errors() {
  const tape = gf.tape();
  const x = tape.input('x', [2, 3]);
  tape.softmax(x, 'weights');
  const one = { vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 4 };
  const gpt = gf.model({ kind: 'gpt', ...one });
  const bert = gf.model({ kind: 'bert', ...one });
  const next = async (batches, options) => {
    for await (const _ of train(gpt, batches, options)) break;
  };
  const own = (inputs) => ({ name: 'own', title: '', source: '', about: '', inputs });
  const calls = {
    near: () => tape.find('weihgts'),
    unfit: () => tape.matmul(x, x, 'y'),
    taken: () => tape.relu(x, 'x'),
    nameless: () => tape.relu(x, ''),
    notPlanned: () => tape.forward(),
    noValue: () => x.data,
    dimension: () => tape.input('y', [2, 0]),
    epsilon: () => tape.rmsNorm(x, null, -1, 'y'),
    option: () => gf.model({ kind: 'gpt', vocab: 8, layrs: 2 }),
    word: () => gf.model({ kind: 'gtp', vocab: 8 }),
    dividing: () => gf.model({ kind: 'gpt', vocab: 8, dModel: 16, heads: 3 }),
    integer: () => gf.model({ kind: 'gpt', vocab: -1 }),
    large: () => gf.model({ kind: 'gpt', vocab: 8, layers: 12 }),
    real: () => gf.model({ kind: 'gpt', vocab: 8, dropout: 1 }),
    owner: () => gf.model({ kind: 'gpt', vocab: 8, pooler: true }),
    token: () => gpt.forward({ target: [[1, 9]] }),
    wholeToken: () => gpt.forward({ target: [[1, 1.5]] }),
    wholeLabel: () => gpt.forward({ target: [1, 2], labels: [-100, 1.5] }),
    wholeId: () => gf.embed([[1], [2]], [0, 1.5]),
    long: () => gpt.forward({ target: [1, 2, 3, 4, 5] }),
    labels: () => gpt.forward({ target: [[1, 2]], labels: [[1]] }),
    source: () => gpt.forward({ source: [1], target: [1] }),
    noLoss: () => gpt.forward({ target: [1] }).loss,
    noParameter: () => gpt.parameters.get('decoder.layers.0.norm1.wieght'),
    writes: () => bert.generateSync([1]),
    topP: () => gpt.generateSync([1], { topP: 2 }),
    beams: () => gpt.generateSync([1], { beams: 2, temperature: 1 }),
    ignored: () => next([{ target: [[1]], labels: [[-100]] }]),
    example: () => traceExample(gf, 'three-tokns'),
    unfitRows: () => traceExample(gf, own({ x: [[1, 2]], w_q: [[1]], w_k: [[1]], w_v: [[1]] })),
    unfitKeys: () => traceExample(gf, own({ q: [[1, 2]], k: [[1, 2, 3]], v: [[1]] })),
    unfitValues: () => traceExample(gf, own({ q: [[1]], k: [[1], [2]], v: [[1]] })),
    step: () => {
      const trace = traceExample(gf, 'three-tokens');
      trace.step('wieghts');
    },
    removal: () => traceExample(gf, 'three-tokens', { remove: ['mask'] }),
    unknownRemoval: () => traceExample(gf, 'three-tokens', { remove: ['softmx'] }),
    schedule: () => next([], { schedule: 'linear' }),
    betas: () => next([], { betas: [1] }),
    validation: () => next([], { validation: [{ target: [[1]], labels: [[-100]] }] }),
    trailing: () => readModel(new Uint8Array([...gpt.save(), 49, 50])),
    short: () => readModel(new TextEncoder().encode('123')),
  };
  /** As Python spells them. */
  const names = {
    'topK, topP, onStep and hooks': 'top_k, top_p and hooks',
    'an array of': 'a list of',
    rmsNorm: 'rms_norm',
    traceExample: 'trace',
    dModel: 'd_model',
    maxLength: 'max_length',
    generateSync: 'generate',
    topK: 'top_k',
    topP: 'top_p',
    true: 'True',
  };
  const spelt = (text) =>
    text.replace(new RegExp(`\\b(${Object.keys(names).join('|')})\\b`, 'g'), (name) => names[name]);
  const told = {};
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      assert.fail(`${name} was taken`);
    } catch (error) {
      if (!error.code?.startsWith('GF_')) throw error;
      told[name] = [error.code, spelt(error.message)];
    }
  }
  return told;
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function run(command, args, env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, GLASSFORMER_NODE: folder, ...env },
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout + stderr;
}

before(() => run('make', ['build/python/stamp', 'build/venv/stamp', 'MAKEFLAGS=']));

/** A Llama as GGUF, and what convert makes of it. */
function convert() {
  const options = { positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false };
  const model = gf.model({ kind: 'gpt', ...SMALL, kvHeads: 1, tied: false, ...options });
  const { config, bytes } = exportModel(model, 'llama');
  const { tensors } = readSafetensors(bytes);
  writeFileSync(path.join(folder, 'llama.gguf'), llamaGguf(config, tensors, {}));
  const files = ['llama.gguf', 'llama.safetensors'].map((name) => path.join(folder, name));
  run('node', ['bindings/cli/bin.js', 'convert', ...files, '--quiet']);
  const told = { values: blockOf(model, 'values'), tokens: model.generateSync([1, 2, 3]) };
  model.dispose();
  return told;
}

test('Python computes, draws, reads and says what Node does', async () => {
  const node = {
    models: MODELS.map(examined),
    training: await trained(),
    traces: traced(),
    tokens: tokens(),
    marks: marks(),
    converted: convert(),
    others: await others(folder, hashOf),
    texts: await textCases(folder, hashOf),
    inside: await insideCases(folder),
    errors: await errors(),
  };
  writeFileSync(path.join(folder, 'node.json'), JSON.stringify(node));
  /* Developer mode: what is left open is a warning, and warnings are errors. */
  const strict = ['-X', 'dev', '-W', 'error'];
  const told = run(python, [...strict, '-m', 'unittest', 'discover', '-s', 'tests/python'], {
    PYTHONPATH,
  });
  /* Without "(skipped=1)" behind. */
  assert.match(told, /^OK$/m);
  /* What Python wrote, JavaScript opens. */
  const { config, step, parameters } = readModel(
    readFileSync(path.join(folder, 'python.safetensors')),
  );
  assert.deepEqual([config.dFF, step], [MODELS[0].dFF, node.training.losses.length]);
  const model = gf.open({ config, step, parameters });
  assert.equal(blockOf(model, 'm'), node.training.blocks[1]);
  model.dispose();
});

test('the wheel works in a fresh environment, as its README says', { skip: onlyInFull }, () => {
  const venv = path.join(root, 'build/python-venv');
  const fresh = path.join(venv, 'bin/python');
  const wheel = run(python, ['bindings/python/wheel.py']).trim();
  run(python, ['-m', 'venv', '--clear', venv]);
  run(fresh, ['-m', 'pip', 'install', '--quiet', wheel, 'pytest', 'mypy', 'tokenizers']);
  const readme = readFileSync(path.join(root, 'bindings/python/README.md'), 'utf8');
  const code = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
  mkdirSync(path.join(folder, 'empty'));
  writeFileSync(path.join(folder, 'empty/readme.py'), code);
  const lines = run(fresh, [path.join(folder, 'empty/readme.py')])
    .trim()
    .split('\n');
  const comments = [...code.matchAll(/print\(.*# (.*)$/gm)].map(([, text]) => text);
  assert.deepEqual(lines.slice(-2), comments.slice(-2));
  run(fresh, ['-m', 'pytest', '-q', 'tests/python']);
  /* What a program sees of the types of what is installed. */
  const typed = path.join(folder, 'empty/typed.py');
  writeFileSync(
    typed,
    'import glassformer as gf\n\nweights = gf.attention([[1.0]], [[1.0]], [[1.0]]).weights\n' +
      'reveal_type(weights)\nreveal_type(gf.trace("three-tokens")["weights"].shape)\ngf.Tape().input(3, (2,))\n' +
      'model = gf.Model(kind="gtp", vocab=8)\ngf.train(model, [], rat=1.0)\nmodel.generate([1], top_k=2, top_p=0.5)\n',
  );
  const { stdout } = spawnSync(fresh, ['-m', 'mypy', '--strict', typed], { encoding: 'utf8' });
  assert.match(stdout, /ndarray/);
  assert.match(stdout, /tuple\[.*int.*\.\.\./);
  assert.match(stdout, /incompatible type "int"; expected "str"/);
  assert.match(stdout, /incompatible type "Literal\['gtp'\]"/);
  assert.match(stdout, /Unexpected keyword argument "rat" for overloaded function "train"/);
  assert.match(stdout, /^Found 4 errors/m);
  /* Notebooks alone have anywidget. */
  run(fresh, ['-m', 'mypy', '--ignore-missing-imports', '-p', 'glassformer']);
  run(fresh, ['-m', 'pip', 'check']);
});

/** @param {string} machine */
const wheelOf = (machine) =>
  path.join(root, run(python, ['bindings/python/wheel.py', ...(machine ? [machine] : [])]).trim());

/* What is tried where Python is another one. */
const MODULES = 'node others tape sentences inside texts'.split(' ').map((name) => `test_${name}`);

test('in Pyodide the package computes, draws, reads and says what Node does', {
  skip: onlyInFull,
}, () => {
  run('make', ['setup-pyodide', 'build/pyodide/libglassformer.so', 'MAKEFLAGS=']);
  /** @param {string} place @param {string} machine @param {string[]} rest */
  const inPyodide = (place, machine, ...rest) =>
    run('node', [
      ...['tests/python/in_pyodide.js', `build/pyodide/${place}`, wheelOf(machine)],
      ...rest,
    ]);
  /* There is no Jinja for templates of chats. */
  const said = inPyodide('with-numpy', 'pyodide-2024', folder, ...MODULES);
  assert.match(said, /^OK \(skipped=5\)$/m);
  /* The newest one, without numpy: the library is loaded, and has the bits of all others. */
  const newest = JSON.parse(inPyodide('node_modules/pyodide', 'pyodide'));
  assert.deepEqual(newest, [[3, 14], true, 0]);
});

const WINE = { WINEPREFIX: path.join(root, 'build/wine'), WINEDEBUG: '-all' };

/* Who loads the library of a wheel. */
const SYSTEMS = [
  {
    system: 'Linux on ARM',
    library: 'build/aarch64/libglassformer.so',
    compiler: 'aarch64-linux-gnu-gcc',
    emulator: ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'],
  },
  { system: 'a Linux without glibc', library: 'build/libglassformer.so', compiler: 'musl-gcc' },
  {
    system: 'Windows',
    library: 'build/windows/libglassformer.so',
    compiler: 'x86_64-w64-mingw32-gcc',
    emulator: ['wine'],
  },
];

test('the libraries of the wheels need no newer glibc than they say, and compute', {
  skip: onlyInFull,
}, () => {
  run('make', ['wheels', 'native', 'setup-elsewhere', 'MAKEFLAGS=']);
  for (const { library } of SYSTEMS.slice(0, 2)) {
    const versions = run('objdump', ['-T', library]).matchAll(/GLIBC_2\.(\d+)/g);
    for (const [, minor] of versions)
      assert.ok(Number(minor) <= 17, `${library}: GLIBC_2.${minor}`);
  }
  const source = ['-std=c11', '-Isrc', 'tests/example/main.c'];
  const here = path.join(folder, 'main-here');
  run('cc', [...source, 'build/libglassformer.a', '-o', here]);
  const expected = run(here, []);
  assert.ok(expected.length > 20);
  /* Its first start speaks of itself. */
  run('wine', ['cmd', '/c', 'exit'], WINE);
  /* Its first start speaks of itself. */
  run('wine', ['cmd', '/c', 'exit'], WINE);
  for (const { system, library, compiler, emulator = [] } of SYSTEMS) {
    const place = path.join(folder, compiler);
    mkdirSync(place);
    for (const name of ['libglassformer.so', `libglassformer.so.${Number.parseInt(version, 10)}`])
      copyFileSync(path.join(root, library), path.join(place, name));
    const program = path.join(place, 'main.exe');
    const flags = [path.join(place, 'libglassformer.so'), '-Wl,-rpath,$ORIGIN', '-o', program];
    run(compiler, [...source, ...flags]);
    const [command, ...args] = [...emulator, program];
    assert.equal(run(command, args, WINE).replaceAll('\r', ''), expected, system);
  }
});

test('in Python for Windows, which Wine runs, the package computes, draws, reads and says what Node does', {
  skip: onlyInFull,
}, () => {
  run('make', ['build/windows/libglassformer.so', 'setup-elsewhere', 'MAKEFLAGS=']);
  const place = path.join(folder, 'windows');
  run(python, ['-m', 'zipfile', '-e', wheelOf('windows'), place]);
  /* Wine has no CopyFile2, which shutil calls where it is. */
  const code = 'import _winapi, unittest; del _winapi.CopyFile2; unittest.main(None)';
  const said = run('wine', ['build/windows/python/python.exe', '-c', code, ...MODULES], {
    ...WINE,
    PYTHONUTF8: '1',
    PYTHONPATH: `${place};${path.join(root, 'tests/python')}`,
  });
  assert.match(said, /^OK/m);
});

const torch = process.env.TORCH ?? path.join(root, 'build/torch/bin/python');
const noTorch = spawnSync(torch, ['-c', 'import numpy, torch']).status !== 0 && REASONS.torch;
test('PyTorch computes the same, and goes on with a training by two processes', {
  skip: onlyInFull || noTorch,
}, () => {
  const told = run(torch, ['tests/python/with_torch.py'], { PYTHONPATH });
  assert.match(told, /^OK$/m);
});
