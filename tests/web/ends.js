// node tests/web/ends.js: computes what the three pictures on the first page show, as their chapters do, and writes it to
// web/player/ends.json; and the rest of the birth, with which its view opens, to web/chapters/inside/trained.json.
// tests/web/home.test.js computes it again.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, readModel } from '../../bindings/index.js';
import { logitAttribution } from '../../bindings/lab/inside/index.js';
import { storyInputs, vocabulary } from '../../bindings/lab/stories/index.js';
import { fromHash } from '../../web/app/state/store.js';
import { RECORDED } from '../../web/chapters/inside/record.js';
import { levelsOf } from '../../web/chapters/inside/river.js';
import { EXAMPLES } from '../../web/chapters/inside/state.js';
import { planOf } from '../../web/chapters/training/settings.js';
import { opening, parts } from '../../web/chapters/training/state.js';
import { Birth } from '../../web/workers/birth/birth.js';
import { Trainer } from '../../web/workers/trainer/trainer.js';

export const TRAINED = new URL('../../web/chapters/inside/trained.json', import.meta.url);
export const FILE = new URL('../../web/player/ends.json', import.meta.url);
const STORIES = new URL('../../bindings/data/models/stories.safetensors', import.meta.url);
/** The link to the training of the diagonal. */
export const DIAGONAL = '#v=1&chapter=training&settings=steps:300,dropout:0,heads:1,smoothing:0';
/** Thinner arcs are not seen. */
const LEAST_ARC = 0.1;

/** A picture needs no more digits. @param {number} x */
const short = (x) => Number(x.toFixed(3));

/** The river of the story that the chapter Inside opens with. @param {import('../../bindings/index.js').Glassformer} gf */
export async function river(gf) {
  const model = gf.open(readModel(readFileSync(STORIES)));
  const inputs = storyInputs(EXAMPLES.names.prompt);
  const sum = await logitAttribution(model, inputs, {});
  const { parts: read } = await logitAttribution(model, inputs, { keys: true });
  model.dispose();
  const levels = levelsOf(sum);
  const last = inputs.target.length - 1;
  const arcs = read
    .filter(({ key, value }) => key !== undefined && key !== last && Math.abs(value) >= LEAST_ARC)
    .map(({ layer, key, value }) => {
      const level = levels.findIndex((one) => one.layer === layer && one.part === 'self_attn');
      return { level, key, value: short(value) };
    });
  return {
    tokens: vocabulary.decode(inputs.target),
    next: vocabulary.decode([sum.token])[0],
    levels: levels.map(({ above }) => short(above)),
    arcs,
  };
}

/** The birth of a head: what was measured at each point, and how the trained model reads the sequence.
 * @param {import('../../bindings/index.js').Glassformer} gf */
export async function born(gf) {
  /** @type {import('../../web/workers/birth/protocol.js').Grown[]} */
  const told = [];
  const birth = new Birth(gf, ({ grown }) => told.push(grown));
  await birth.grow(RECORDED, new AbortController().signal);
  const { change, reading } = told[told.length - 1];
  const { before, alone, steps } = reading;
  const points = told.flatMap((grown) => grown.points);
  const all = (/** @type {number[][]} */ grid) => grid.map((row) => row.map(short));
  return {
    birth: {
      change: { ...change, before: short(change.before), after: short(change.after) },
      induction: points.map(({ induction }) => all(induction)),
    },
    trained: {
      points: points.map(({ step, loss, copying }) => ({
        ...{ step, loss: loss && short(loss), copying: all(copying) },
      })),
      before: short(before),
      alone: all(alone),
      weights: steps
        .filter(({ role }) => role === 'weight')
        .map(({ name, shape, data }) => ({ name, shape, data: Array.from(data, short) })),
    },
  };
}

/** Where a model looks while it copies the first of its examples, once it is trained.
 * @param {import('../../bindings/index.js').Glassformer} gf */
export async function diagonal(gf) {
  const plan = planOf(fromHash(DIAGONAL, { opening, parts }));
  let weights = [];
  const trainer = new Trainer(gf, ({ progress }) => {
    const evaluation = progress?.runs.a?.evaluations.at(-1);
    if (evaluation) weights = Array.from(evaluation.attention[0], short);
  });
  const started = await trainer.start({ plan: { ...plan, every: plan.steps } });
  await trainer.train({ to: plan.steps }, new AbortController().signal);
  const { sourceTokens, targetTokens } = started.examples[0];
  const { length } = sourceTokens;
  return {
    source: sourceTokens,
    target: targetTokens.slice(0, length),
    rows: sourceTokens.map((_, i) => weights.slice(i * length, (i + 1) * length)),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gf = await load();
  const { birth, trained } = await born(gf);
  const all = { river: await river(gf), birth, diagonal: await diagonal(gf) };
  writeFileSync(FILE, `${JSON.stringify(all)}\n`);
  writeFileSync(TRAINED, `${JSON.stringify(trained)}\n`);
}
