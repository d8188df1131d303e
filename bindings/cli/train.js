// glassformer train: a small transformer learns a task.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exportModel, load } from '../index.js';
import { areSame, checkFolder, checkPlace, writeFiles } from './files.js';
import { HALVES, narrowed } from './narrowed.js';
import { COURSES, courseOf, openModel } from './tasks.js';
import { FORCE, integer, string, UsageError, word } from './usage.js';

/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('./tasks.js').Course} Course */
/** @typedef {import('./terminal.js').Terminal} Terminal */
/** @typedef {import('./usage.js').Flags} Flags */

/** Wrong answers that are shown. */
const MAX_SHOWN_ANSWERS = 5;
/** Milliseconds between two lines of progress. */
const PROGRESS_INTERVAL = 100;

const HELP = `glassformer train TASK

Trains a small transformer on a task with known answers, and tests it on pairs
that it never saw. stories is a small GPT, tested on the words that a story
decides. The tasks:
${COURSES.join(', ')}.

  --steps N        how many steps; with --from, how many more (all that the
                   task's recipe has, or what is left of them)
  --seed N         of the initial weights and the order of the pairs (1)
  --out FILE       write the model as safetensors; without it the model is lost
    --type TYPE    f32, f16 or bf16 (f32). The test is that of the stored model
    --state        write Adam's state too, so that training can go on
  --from FILE      go on with a model that --out wrote: with --state, exactly as
                   if it had never stopped; otherwise with a new warm-up
  --validate N     after every N steps, compute the loss on held-out pairs
    --best         keep the parameters with the lowest such loss, not the last
  --csv FILE       write loss, learning rate, gradient norm and tokens of each
                   step as CSV; with --validate, the held-out loss too
  --torch FOLDER   write config.json and model.safetensors with the names of
                   torch.nn.Transformer; stories: of GPT-2
  --force          replace files that exist; --out may be the file of --from
                   without it
  --json           the result as JSON
  --quiet          no progress, no notes: the result alone

Ctrl+C ends the training after the present step. It then writes the files of
--out, --csv and --torch, skips the test, and exits with status 130.

Examples
  glassformer train reverse --steps 20 --out reverse.safetensors --state
  glassformer train reverse --steps 20 --from reverse.safetensors --json
`;

/** @param {number} seconds */
const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** What training takes for --validate and --best: what is held out is drawn with another seed than that of the test.
 * @param {Course} course @param {number} seed @param {Flags} flags */
function validating(course, seed, flags) {
  const every = integer(flags, 'validate');
  if (every === undefined) {
    if (flags.best) throw new UsageError('--best goes with --validate only');
    return {};
  }
  if (every < 1) throw new UsageError(`--validate: expected 1 or more, received ${every}`);
  if (flags.best && flags.state) {
    throw new UsageError('--best goes without --state: training goes on from the last step only');
  }
  const validation = [course.validation((seed + 1) % 2 ** 32)];
  return { validation, validateEvery: every, keepBest: flags.best === true };
}

/** Trains until the steps are done, or the signal comes.
 * @param {Model} model @param {Course} course
 * @param {{ steps: number, seed: number } & ReturnType<typeof validating>} options @param {Terminal} terminal */
async function trainWithProgress(model, course, options, terminal) {
  const { steps, validation } = options;
  const begin = performance.now();
  const first = model.step;
  let shown = begin;
  let loss;
  /** @type {number | undefined} */
  let validationLoss;
  const column = validation ? ',validation_loss' : '';
  const lines = [`step,loss,learning_rate,gradient_norm,tokens${column}`];
  for await (const step of course.learn(model, { ...options, signal: terminal.signal })) {
    loss = step.loss;
    validationLoss = step.validationLoss ?? validationLoss;
    const cells = [step.step, loss, step.learningRate, step.gradientNorm, step.tokens];
    lines.push([...cells, ...(validation ? [step.validationLoss] : [])].join());
    const now = performance.now();
    if (now - shown < PROGRESS_INTERVAL) continue;
    shown = now;
    const done = step.step - first;
    const left = ((now - begin) / 1000 / done) * (steps - done);
    terminal.progress(
      `step ${done} / ${steps}  loss ${loss.toFixed(4)}  ` +
        (validationLoss === undefined ? '' : `validation ${validationLoss.toFixed(4)}  `) +
        `${clock(left)} left  ` +
        `rate ${step.learningRate.toExponential(2)}  ${Math.round(step.tokensPerSecond)} tokens/s`,
    );
  }
  const seconds = (performance.now() - begin) / 1000;
  return { loss, validationLoss, csv: `${lines.join('\n')}\n`, seconds };
}

/** The type that --out has its numbers in. @param {Flags} flags */
function typeOf(flags) {
  const type = word(flags, 'type', ['f32', ...Object.keys(HALVES)]) ?? 'f32';
  if (type === 'f32') return null;
  if (flags.out === undefined) throw new UsageError('--type goes with --out only');
  if (flags.state) throw new UsageError(`--type ${type} goes without --state, which needs f32`);
  return /** @type {keyof typeof HALVES} */ (type);
}

/** Files that belong together, and whether they may replace others.
 * @typedef {{ files: [name: string, content: string | Uint8Array][], folder?: string, force: boolean }} Output */

/** Where training writes to. Its own model may be replaced: training goes on with it.
 * @param {Flags} flags */
function placesOf(flags) {
  const [out, torch, csv, from] = ['out', 'torch', 'csv', 'from'].map((name) =>
    string(flags, name),
  );
  const force = flags.force === true;
  const goesOn = out !== undefined && from !== undefined && areSame(out, from);
  const names = torch === undefined ? [] : ['config.json', 'model.safetensors'];
  const exported = names.map((name) => join(/** @type {string} */ (torch), name));
  return { out, torch, csv, exported, force, forceOut: force || goesOn };
}

/** Writes the files that are asked for, each that can be written: the model first.
 * @param {Model | null} model none if there was no step @param {Course} course @param {string} csv @param {Flags} flags
 * @param {Terminal} terminal */
async function keep(model, { format, vocabulary }, csv, flags, terminal) {
  const { out, torch, csv: table, exported, force, forceOut } = placesOf(flags);
  /** @type {Output[]} */
  const outputs = [];
  if (model && out !== undefined) {
    const type = typeOf(flags);
    const bytes = model.save({ training: flags.state === true, vocabulary });
    outputs.push({ files: [[out, type ? narrowed(bytes, type) : bytes]], force: forceOut });
  }
  if (model && torch !== undefined) {
    const { config, bytes } = exportModel(model, format);
    const contents = [`${JSON.stringify(config, null, 2)}\n`, bytes];
    const files = exported.map(
      (name, i) => /** @type {Output['files'][0]} */ ([name, contents[i]]),
    );
    outputs.push({ files, folder: torch, force });
  }
  if (table !== undefined) outputs.push({ files: [[table, csv]], force });
  const failed = [];
  for (const { files, ...options } of outputs) {
    try {
      await writeFiles(files, options);
      for (const [name] of files) terminal.note(`wrote ${name}`);
    } catch (error) {
      failed.push(error);
    }
  }
  for (const error of failed.slice(1)) terminal.complain(/** @type {Error} */ (error).message);
  if (failed.length) throw failed[0];
}

/** Refuses before the training what would fail after it.
 * @param {Flags} flags */
function checkPlaces(flags) {
  const { out, torch, csv, exported, force, forceOut } = placesOf(flags);
  typeOf(flags);
  if (flags.state && out === undefined) throw new UsageError('--state goes with --out only');
  const all = [out, csv, ...exported].filter((name) => name !== undefined);
  const twice = all.find((name, i) => all.slice(0, i).some((other) => areSame(name, other)));
  if (twice !== undefined) throw new UsageError(`${twice}: two files are to be written there`);
  if (out !== undefined) checkPlace(out, forceOut);
  if (csv !== undefined) checkPlace(csv, force);
  if (torch === undefined) return;
  checkFolder(torch);
  for (const name of exported) if (existsSync(name)) checkPlace(name, force);
}

/** @type {import('./usage.js').Command} */
export const train = {
  help: HELP,
  flags: {
    steps: { type: 'string' },
    seed: { type: 'string' },
    out: { type: 'string' },
    type: { type: 'string' },
    from: { type: 'string' },
    state: { type: 'boolean' },
    validate: { type: 'string' },
    best: { type: 'boolean' },
    csv: { type: 'string' },
    torch: { type: 'string' },
    ...FORCE,
  },
  async run({ flags, words, terminal }) {
    const course = courseOf(words[0]);
    const requestedSteps = integer(flags, 'steps');
    const seed = integer(flags, 'seed') ?? 1;
    if (words.length > 1) throw new UsageError(`expected one task, received ${words.join(' ')}`);
    if (requestedSteps !== undefined && requestedSteps < 1) {
      throw new UsageError(`--steps: expected 1 or more, received ${requestedSteps}`);
    }
    const validation = validating(course, seed, flags);
    checkPlaces(flags);
    const gf = await load();
    const from = string(flags, 'from');
    const model =
      from === undefined ? course.untrained(gf, seed) : await openModel(gf, course, from);
    const steps = requestedSteps ?? course.steps - model.step;
    if (steps < 1) {
      throw new UsageError(
        `already trained for ${model.step} steps, as many as the recipe has. Pass --steps N to continue`,
      );
    }
    if (string(flags, 'out') === undefined && string(flags, 'torch') === undefined) {
      terminal.note('the model will not be kept: pass --out FILE to write it');
    }
    const options = { steps, seed, ...validation };
    const made = await trainWithProgress(model, course, options, terminal);
    const { loss, validationLoss, csv, seconds } = made;
    await keep(loss === undefined ? null : model, course, csv, flags, terminal);
    if (terminal.signal?.aborted) terminal.note(`interrupted after step ${model.step}`);
    terminal.signal?.throwIfAborted();

    const stored = typeOf(flags) && (await openModel(gf, course, String(flags.out)));
    const heldOut = await course.test(stored ?? model, seed, (split, done, total) => {
      terminal.signal?.throwIfAborted();
      terminal.progress(`testing ${split}  ${done} / ${total}`);
    });
    const { size: parameters, step } = model;
    const record = { task: course.name, parameters, step, seconds, loss, validationLoss };
    if (flags.json) return terminal.print(`${JSON.stringify({ ...record, heldOut })}\n`);
    const lines = [
      `${course.name}: ${model.size} parameters, ${model.step} steps, ${clock(seconds)}, loss ${loss?.toFixed(4)}`,
      ...Object.entries(heldOut).flatMap(([split, { right, total, wrong }]) => [
        `held-out ${split}: ${right} of ${total} exact (${((100 * right) / total).toFixed(1)} %)`,
        ...wrong
          .slice(0, MAX_SHOWN_ANSWERS)
          .map((pair) => `  ${pair.source} -> ${pair.answer}  (not ${pair.target})`),
      ]),
    ];
    await terminal.print(`${lines.join('\n')}\n`);
  },
};
