// How long functions that work in turns keep the thread from all else: the longest time between two turns of the event
// loop. `make setup-models` comes first. Time in which other programs had the core does not count.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { forwardInTurns, load, open, traceModelInTurns, train } from '../../bindings/index.js';
import * as inside from '../../bindings/lab/inside/index.js';
import { threads } from '../../bindings/models/cores/node/index.js';
import * as text from '../../bindings/models/text/index.js';
import { verdictOf } from './figures.js';
import { described } from './measure/machine.js';
import { summary } from './measure/statistics.js';
import { now } from './players/clock.js';
import { progress } from './progress.js';
import { figureTable } from './table.js';

/** @typedef {Record<string, () => PromiseLike<unknown>>} Calls */

const HELP = `node tests/bench/gaps.js [--only WORDS] [--runs N] [--check]

  --only WORDS   the calls whose names hold all the words, such as "SmolLM2 ablate"
  --runs N       how often each is made, 5 by default; the median is told
  --check        exit status 1 where a bar is missed
`;
/** Milliseconds: less than people notice. */
const BAR = 50;
const THREADS = 2;

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const SMOLLM2 = here('../../build/models/smollm2.gguf');
const MINILM = here('../../build/models/minilm');
const TEXT = readFileSync(here('../../docs/teaching.md'), 'utf8');
const SENTENCES = TEXT.split(/(?<=[.:])\s+/)
  .filter(({ length }) => length > 20 && length < 200)
  .slice(0, 100);
const ANIMAL = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name', 'legs'],
};

/** @param {Awaited<ReturnType<typeof open>>['model']} model @param {number[]} ids
 * @returns {Calls} */
function experiments(model, ids) {
  const [run, from] = [ids.slice(0, 24), ids.slice(24, 48)].map((target) => ({ target }));
  const layers = [14, 15];
  const head = { layer: 15, head: 4 };
  const each = /** @type {const} */ ('head');
  return {
    ablate: () => inside.ablate(model, run, { each, layers }),
    attributionPatch: () => inside.attributionPatch(model, run, { from, each }),
    circuits: () => inside.circuits(model, { ...head, tokens: run.target }),
    contexts: () => inside.contexts(model, run, from),
    headScores: () => inside.headScores(model, run),
    logitAttribution: () => inside.logitAttribution(model, run),
    logitLens: () => inside.logitLens(model, run),
    neighbours: () => inside.neighbours(model, { token: 100 }),
    patch: () => inside.patch(model, run, { from, each, layers }),
    paths: () => inside.paths(model, run, { from, sender: head, receivers: ['logits'] }),
    rollout: () => inside.rollout(model, run),
    symmetry: () => inside.symmetry(model, run),
    why: () => inside.why(model, run, { ...head, query: 23, key: 0 }),
  };
}

/** @returns {Promise<Calls>} */
async function language() {
  const gf = await load();
  const onThreads = await load({ core: threads(THREADS) });
  const { model, tokenizer } = await open(SMOLLM2, { gf, stored: true });
  const { model: shared } = await open(SMOLLM2, { gf: onThreads, stored: true });
  const ids = tokenizer.encode(TEXT).slice(0, 512);
  let first = 0;
  /* Begins with another token each time: none of it is kept. */
  const prompt = () => [++first, ...ids.slice(1)];
  const few = ids.slice(0, 8);
  const dispose = (/** @type {{ dispose: () => void }} */ made) => made.dispose();
  return {
    open: () => open(SMOLLM2, { gf, stored: true }).then((opened) => dispose(opened.model)),
    'open as float32': () => open(SMOLLM2, { gf }).then((opened) => dispose(opened.model)),
    'prompt of 512 tokens': () => text.generateTokens(model, prompt(), { maxNewTokens: 1 }),
    'prompt, 2 threads': () => text.generateTokens(shared, prompt(), { maxNewTokens: 1 }),
    '32 tokens': () => text.generateTokens(model, few, { maxNewTokens: 32 }),
    '32 tokens, 2 threads': () => text.generateTokens(shared, few, { maxNewTokens: 32 }),
    'JSON of a schema': () =>
      text.generateText(model, tokenizer, 'A cat:', { maxNewTokens: 24, schema: ANIMAL }),
    search: () => model.search(few, { maxNewTokens: 8 }),
    forwardInTurns: () => forwardInTurns(model, { target: ids }, { steps: false }).then(dispose),
    'forwardInTurns, all steps of 128 tokens': () =>
      forwardInTurns(model, { target: ids.slice(0, 128) }, { gradients: false }).then(dispose),
    traceModelInTurns: () =>
      traceModelInTurns(model, { target: few }, { gradients: false }).then(dispose),
    ...experiments(model, ids),
  };
}

/** @returns {Promise<Calls>} */
async function sentences() {
  const { model, tokenizer } = await open(MINILM);
  const examples = SENTENCES.map((sentence, i) => ({ text: sentence, label: i % 2 ? 'b' : 'a' }));
  const few = examples.slice(0, 4);
  const classifier = await text.trainClassifier(model, tokenizer, few, { steps: 1 });
  return {
    open: () => open(MINILM).then((opened) => opened.model.dispose()),
    'embed 100 sentences': () => text.embed(model, tokenizer, SENTENCES),
    'embed a text of 256 tokens': () =>
      text.embed(model, tokenizer, [TEXT.slice(0, 4000)], { truncate: true }),
    'classify 100 sentences': () => text.classify(model, tokenizer, SENTENCES, classifier),
    'trainClassifier on 100 sentences': () => text.trainClassifier(model, tokenizer, examples),
  };
}

/** @returns {Promise<Calls>} */
async function training() {
  const gf = await load();
  const size = { vocab: 96, dModel: 384, heads: 6, layers: 6, maxLength: 256 };
  const model = gf.model({ kind: 'gpt', ...size });
  const row = Array.from({ length: 256 }, (_, i) => (i * 7) % 96);
  const batch = { target: Array(4).fill(row), labels: Array(4).fill(row) };
  return {
    'train, the first step': () => train(model, [batch], { restart: true }),
    'train, 3 steps': () => train(model, [batch, batch, batch]),
  };
}

/** The longest time between two turns while a call is answered.
 * @param {Calls[string]} call */
async function longestGap(call) {
  let longest = 0;
  let last = now();
  const mark = () => {
    const time = now();
    longest = Math.max(longest, time - last);
    last = time;
  };
  let next = setImmediate(function watch() {
    mark();
    next = setImmediate(watch);
  });
  await call();
  mark();
  clearImmediate(next);
  return longest;
}

const { only, runs, check, help } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '5' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
}).values;
if (help) {
  process.stdout.write(HELP);
  process.exit();
}
const words = only.split(' ');
const found = [];
for (const [model, make] of Object.entries({
  SmolLM2: language,
  MiniLM: sentences,
  GPT: training,
})) {
  const calls = Object.entries(await make()).map(([name, call]) => ({
    name: `${model} ${name}`,
    call,
  }));
  for (const { name, call } of calls.filter((one) =>
    words.every((word) => one.name.includes(word)),
  )) {
    const tell = progress(name);
    const gaps = [];
    for (let run = 0; run < Number(runs); run++) gaps.push(await longestGap(call));
    tell('');
    const value = summary(gaps).median;
    found.push({ what: name, value, most: BAR, verdict: verdictOf(value, BAR) });
  }
}
console.log(`${new Date().toISOString().slice(0, 16)}, ${described()}\n`);
console.log(figureTable({ name: `ms, the longest gap: median of ${runs}`, figures: found }));
const missed = found.filter(({ verdict }) => verdict === 'missed').length;
console.log(`${missed} of ${found.length} bars missed`);
if (check && missed) process.exitCode = 1;
