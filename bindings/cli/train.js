// glassformer train, glassformer ask: the built-in tasks.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { didYouMean } from '../errors.js';
import { exportModel, load } from '../index.js';
import { tasks } from '../tasks/index.js';
import { recipes } from '../tasks/recipes.js';
import { answer, evaluate, learn, untrained } from '../tasks/solver.js';
import { integer, parse, UsageError } from './usage.js';

/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../tasks/task.js').Task} Task */

const NAMES = Object.keys(tasks);
const HELD_OUT = 500;

const TRAIN_HELP = `glassformer train TASK

Trains a small transformer on a task with known answers, and tests it on pairs that it never saw.
TASK is one of ${NAMES.join(', ')}.

  --steps N      how many steps (the task's recipe tells)
  --seed N       of the initial weights and the order of the pairs (1)
  --out FILE     write the model as safetensors
  --from FILE    go on with a model that --out wrote with --state
  --state        with --out: keep what it takes to go on training
  --torch FOLDER write config.json and model.safetensors with the names of torch.nn.Transformer
`;

const ASK_HELP = `glassformer ask TASK TEXT

Lets a trained model answer. TASK is one of ${NAMES.join(', ')}.

  --model FILE   a model that train --out wrote; by default the one that is shipped
`;

/** @param {string | undefined} name
 * @returns {Task} */
function taskOf(name) {
  if (name === undefined) throw new UsageError(`which task? One of ${NAMES.join(', ')}`);
  if (Object.hasOwn(tasks, name)) return tasks[name];
  throw new UsageError(`there is no task "${name}"${didYouMean(name, NAMES)}`);
}

/** A file's bytes, or one line about why not.
 * @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/** Refuses a model of another task.
 * @param {Model} model @param {Task} task @param {string} file */
function checkFit(model, task, file) {
  if (model.config.vocab === task.vocabulary.size) return;
  throw new UsageError(
    `${file}: its vocabulary has ${model.config.vocab} tokens, that of ${task.name} ${task.vocabulary.size}`,
  );
}

/** One line that is written over again, on a terminal only.
 * @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** @param {number} seconds */
const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Trains with a line of progress; Ctrl+C ends it early, with the model as it is then.
 * @param {Model} model @param {Task} task @param {number} steps @param {number} seed */
async function trainWithProgress(model, task, steps, seed) {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  const begin = performance.now();
  const first = model.step;
  let last;
  for await (const step of learn(model, task, { steps, seed, signal: stop.signal })) {
    last = step;
    const done = step.step - first;
    const left = ((performance.now() - begin) / 1000 / done) * (steps - done);
    progress(
      `step ${step.step}  loss ${step.loss.toFixed(4)}  rate ${step.learningRate.toExponential(2)}  ` +
        `${Math.round(step.tokensPerSecond)} tokens/s  ${clock(left)} left`,
    );
  }
  process.off('SIGINT', interrupt);
  progress('');
  return { last, seconds: (performance.now() - begin) / 1000 };
}

/** @param {string[]} args
 * @returns {Promise<string>} */
export async function train(args) {
  const { flags, words } = parse(args, {
    steps: { type: 'string' },
    seed: { type: 'string' },
    out: { type: 'string' },
    from: { type: 'string' },
    state: { type: 'boolean' },
    torch: { type: 'string' },
  });
  if (flags.help) return TRAIN_HELP;
  const task = taskOf(words[0]);
  const steps = integer(flags, 'steps') ?? recipes[task.name].steps;
  const seed = integer(flags, 'seed') ?? 1;
  if (words.length > 1) throw new UsageError(`expected one task, received ${words.join(' ')}`);
  if (steps < 1) throw new UsageError(`--steps: expected 1 or more, received ${steps}`);
  if (flags.state && flags.out === undefined) throw new UsageError('--state goes with --out only');
  const gf = await load();
  const model =
    typeof flags.from === 'string' ? gf.model(read(flags.from)) : untrained(gf, task, seed);
  if (typeof flags.from === 'string') checkFit(model, task, flags.from);
  const { last, seconds } = await trainWithProgress(model, task, steps, seed);
  if (typeof flags.out === 'string') {
    writeFileSync(flags.out, model.save({ training: flags.state === true }));
  }
  if (typeof flags.torch === 'string') {
    const { config, bytes } = exportModel(model, 'torch');
    mkdirSync(flags.torch, { recursive: true });
    writeFileSync(`${flags.torch}/config.json`, `${JSON.stringify(config, null, 2)}\n`);
    writeFileSync(`${flags.torch}/model.safetensors`, bytes);
  }
  const pairs = task.heldOut(Math.min(HELD_OUT, task.heldOutSize), seed);
  const { right, total, wrong } = await evaluate(model, task, pairs, (done) =>
    progress(`testing  ${done} / ${pairs.length}`),
  );
  progress('');
  const lines = [
    `${task.name}: ${model.size} parameters, ${model.step} steps, ${clock(seconds)}, loss ${last?.loss.toFixed(4)}`,
    `held out: ${right} of ${total} exact (${((100 * right) / total).toFixed(1)} %)`,
    ...wrong.slice(0, 5).map((pair) => `  ${pair.source} -> ${pair.answer}  (not ${pair.target})`),
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {string[]} args
 * @returns {Promise<string>} */
export async function ask(args) {
  const { flags, words } = parse(args, { model: { type: 'string' } });
  if (flags.help) return ASK_HELP;
  const task = taskOf(words[0]);
  const text = words.slice(1).join(' ');
  if (!text)
    throw new UsageError(`ask: what? For example ask ${task.name} "${task.sample(0, 1).source}"`);
  const shipped = new URL(`../models/${task.name}.safetensors`, import.meta.url);
  if (typeof flags.model !== 'string' && !existsSync(shipped)) {
    throw new UsageError(
      `no model of ${task.name} is shipped: train one, and give it by --model FILE`,
    );
  }
  const gf = await load();
  const model = gf.model(
    typeof flags.model === 'string' ? read(flags.model) : readFileSync(shipped),
  );
  checkFit(model, task, String(flags.model ?? shipped));
  return `${await answer(model, task, text)}\n`;
}
