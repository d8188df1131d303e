// What can be chosen about a training, and the plan that follows from it.

/** @typedef {import('../../workers/trainer/protocol.js').Plan} Plan */
/** @typedef {import('../../workers/trainer/protocol.js').Recipe} Recipe */
/**
 * @typedef {object} Settings
 * @property {number} steps
 * @property {number} tokens of a batch, padding included, on each side
 * @property {number} seed of parameters, pairs and dropout
 * @property {'noam' | 'inverse-sqrt' | 'cosine' | 'linear' | 'constant'} schedule
 * @property {number} rate
 * @property {number} warmup steps
 * @property {number} smoothing of the labels
 * @property {number} dropout
 * @property {number} clip the largest norm of the gradient; 0: there is no limit
 * @property {number} dModel
 * @property {number} heads
 * @property {number} dFF
 * @property {number} layers of the encoder, and as many of the decoder
 * @property {'sinusoidal' | 'learned' | 'rotary' | 'alibi' | 'none'} positions
 */
/** @typedef {{ task: string, settings: Partial<Settings>, off: string | null }} Choice */

/** @type {Settings} */
const DEFAULTS = {
  steps: 600,
  tokens: 384,
  seed: 1,
  schedule: 'noam',
  rate: 0.7,
  warmup: 100,
  smoothing: 0.1,
  dropout: 0.1,
  clip: 0,
  dModel: 32,
  heads: 4,
  dFF: 64,
  layers: 1,
  positions: 'sinusoidal',
};

/** How each task differs: the harder ones take longer.
 * @type {Record<string, Partial<Settings>>} */
const TASKS = {
  copy: {},
  reverse: { steps: 1500, dropout: 0.05 },
  sort: { steps: 1000, dropout: 0.05 },
  addition: { steps: 4000, dModel: 64, dFF: 128, dropout: 0 },
  dates: { steps: 800 },
  'french-english': { steps: 500 },
};
export const tasks = Object.keys(TASKS);

export const MOST_STEPS = 20_000;

/**
 * What a setting may be: one of these words, or a number, whole or not.
 * @type {Record<keyof Settings, { choices: string[] } | { low: number, high: number, whole: boolean }>}
 */
export const RANGES = {
  steps: { low: 1, high: MOST_STEPS, whole: true },
  tokens: { low: 32, high: 4096, whole: true },
  seed: { low: 0, high: 2 ** 32 - 1, whole: true },
  schedule: { choices: ['noam', 'inverse-sqrt', 'cosine', 'linear', 'constant'] },
  rate: { low: 0, high: 10, whole: false },
  warmup: { low: 0, high: 4000, whole: true },
  smoothing: { low: 0, high: 0.9, whole: false },
  dropout: { low: 0, high: 0.9, whole: false },
  clip: { low: 0, high: 100, whole: false },
  dModel: { low: 4, high: 128, whole: true },
  heads: { low: 1, high: 8, whole: true },
  dFF: { low: 4, high: 512, whole: true },
  layers: { low: 1, high: 4, whole: true },
  positions: { choices: ['sinusoidal', 'learned', 'rotary', 'alibi', 'none'] },
};

/** Those of the model; the others are of the training. */
export const MODEL = /** @type {const} */ (['dModel', 'heads', 'dFF', 'layers', 'positions']);

/** Of the task's longest source, the share that a run sees which is tested on longer ones. */
const SHORT = 0.5;

/** @param {Recipe} recipe @returns {Recipe} */
const onShort = (recipe) => ({ ...recipe, reach: SHORT });

/**
 * The one thing that B lacks.
 * @typedef {object} Switch
 * @property {(settings: Settings) => boolean} has whether A has it
 * @property {(recipe: Recipe) => Recipe} leave what becomes of the recipe
 * @property {Partial<Settings>} [needs] settings of a task while this is compared, so that A has it
 * @property {'right'} [by] what decides, where it is not the held-out loss: how many answers are right
 */
/** @type {Record<string, Switch>} */
const SWITCHES = {
  warmup: { has: ({ warmup }) => warmup > 0, leave: atPeak },
  norm: { has: () => true, leave: withModel({ remove: ['norm'] }) },
  residual: { has: () => true, leave: withModel({ remove: ['residual'] }) },
  scale: { has: () => true, leave: withModel({ remove: ['scale'] }) },
  positions: {
    has: ({ positions }) => positions !== 'none',
    leave: withModel({ positions: 'none' }),
  },
  layers: {
    has: ({ layers }) => layers > 1,
    leave: withModel({ layers: 1, decoderLayers: 1 }),
    needs: { layers: 2 },
  },
  heads: { has: ({ heads }) => heads > 1, leave: withModel({ heads: 1 }) },
  biases: { has: () => true, leave: withModel({ bias: false }) },
  length: { has: () => true, leave: onShort, by: 'right' },
  smoothing: {
    has: ({ smoothing }) => smoothing > 0,
    leave: withTraining({ labelSmoothing: 0 }),
    by: 'right',
  },
  dropout: { has: ({ dropout }) => dropout > 0, leave: withTraining({ dropout: 0 }) },
  clip: {
    has: ({ clip }) => clip > 0,
    leave: withTraining({ clip: Number.POSITIVE_INFINITY }),
    needs: { clip: 1 },
  },
};
export const switches = Object.keys(SWITCHES);

/** @param {Recipe['model']} change */
function withModel(change) {
  return (/** @type {Recipe} */ recipe) => ({ ...recipe, model: { ...recipe.model, ...change } });
}

/** @param {Recipe['training']} change */
function withTraining(change) {
  return (/** @type {Recipe} */ recipe) => ({
    ...recipe,
    training: { ...recipe.training, ...change },
  });
}

/** What Noam's schedule brings along for Adam, where another schedule stands in for it. */
const NOAM_ADAM = { betas: /** @type {[number, number]} */ ([0.9, 0.98]), epsilon: 1e-9 };

/**
 * Without a warm-up: the highest rate from the first step on, in place of the rise. From the end of the warm-up on, the
 * rates are those of a run with one, so that the beginning alone is compared.
 * @param {Recipe} recipe
 * @returns {Recipe}
 */
function atPeak(recipe) {
  const { model, training } = recipe;
  const { schedule, rate = 0, warmup = 0 } = training;
  const isNoam = schedule === 'noam';
  const peak = isNoam ? rate / Math.sqrt(Number(model.dModel) * warmup) : rate;
  const held = {
    ...training,
    ...(isNoam && NOAM_ADAM),
    schedule: /** @type {const} */ ('constant'),
  };
  return { ...recipe, early: { before: warmup, training: { ...held, warmup: 0, rate: peak } } };
}

/**
 * All settings: the task's own, those that a comparison needs, and what was chosen otherwise.
 * @param {Pick<Choice, 'task' | 'settings'> & { off?: string | null }} choice
 * @returns {Settings}
 */
export const settingsOf = ({ task, settings, off }) => ({
  ...DEFAULTS,
  ...TASKS[task],
  ...(off ? SWITCHES[off].needs : {}),
  ...settings,
});

/** What decides between two runs. @param {string | null} off */
export const decidedBy = (off) => (off ? SWITCHES[off].by : undefined) ?? 'loss';

/**
 * What is wrong between the settings: the key of a sentence, or null.
 * @param {Settings} settings
 */
export function conflictOf({ dModel, heads, positions }) {
  if (dModel % heads > 0) return 'heads';
  return positions === 'rotary' && (dModel / heads) % 2 > 0 ? 'rotary' : null;
}

/**
 * What of the settings is not the task's own, nor its comparison's.
 * @param {string} task
 * @param {Partial<Settings>} settings
 * @param {string | null} [off]
 */
export function otherThanUsual(task, settings, off) {
  const usual = /** @type {Record<string, unknown>} */ (settingsOf({ task, settings: {}, off }));
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => usual[key] !== value),
  );
}

/**
 * Whether A has what a switch takes from B.
 * @param {string} name
 * @param {Settings} settings
 */
export const canLeave = (name, settings) => SWITCHES[name].has(settings);

/**
 * @param {Choice} choice
 * @returns {Plan}
 */
export function planOf(choice) {
  const settings = settingsOf(choice);
  const { steps, tokens, seed, schedule, rate, warmup, smoothing, dropout, clip } = settings;
  const { dModel, heads, dFF, layers, positions } = settings;
  /** @type {Recipe} */
  const a = {
    model: { dModel, heads, dFF, layers, positions, seed },
    training: {
      schedule,
      rate,
      warmup,
      total: Math.max(steps, warmup + 1),
      labelSmoothing: smoothing,
      dropout,
      clip: clip || Number.POSITIVE_INFINITY,
      seed,
    },
  };
  const b = choice.off && canLeave(choice.off, settings) ? SWITCHES[choice.off].leave(a) : null;
  return {
    task: choice.task,
    seed,
    tokens,
    steps,
    every: Math.max(5, Math.ceil(steps / 100)),
    runs: b ? { a, b } : { a },
  };
}
