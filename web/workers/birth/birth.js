// A model of one layer or two is trained on repeated tokens, and kept as it was at each point that was measured. At any of them
// it reads one sequence, whole or with heads off.
import { ablate, birth, changeOf, inspect, readModel, repeats, TRAINING, unborn } from './core.js';
import { EVERY, SEQUENCE, STEPS } from './protocol.js';

/** @typedef {import('./protocol.js').Questions} Questions */
/** @typedef {import('./protocol.js').Answers} Answers */
/** @typedef {import('./core.js').Point} Point */
/** @typedef {import('../../app/session.js').Step} Step */

/** New points are posted to the page this often. */
const REPORT_MS = 100;

export class Birth {
  #gf;
  #tell;
  /** With all that it takes to go on training. @type {Map<number, Uint8Array>} by step */
  #states = new Map();
  #seed = 0;

  /**
   * @param {import('./core.js').Glassformer} gf
   * @param {(telling: import('./protocol.js').Telling) => void} tell
   */
  constructor(gf, tell) {
    this.#gf = gf;
    this.#tell = tell;
  }

  /**
   * Trains from the beginning, and posts each point with what the model then reads.
   * @param {Questions['grow']} question
   * @param {AbortSignal} signal
   * @returns {Promise<Answers['grow']>}
   */
  async grow({ seed, layers = 2 }, signal) {
    const model = unborn(this.#gf, seed, { layers });
    this.#states = new Map();
    this.#seed = seed;
    /** @type {Point[]} */
    const points = [];
    let [reportedAt, first] = [Number.NEGATIVE_INFINITY, 0];
    const report = async () => {
      const { step } = points[points.length - 1];
      const change = points.length > 1 ? changeOf(points) : null;
      const reading = await this.read({ step, off: [] });
      this.#tell({ grown: { seed, layers, points: points.slice(first), change, reading } });
      [reportedAt, first] = [performance.now(), points.length];
    };
    try {
      for await (const point of birth(model, { steps: STEPS, every: EVERY, seed, signal })) {
        this.#states.set(point.step, model.save({ training: true }));
        points.push(point);
        if (performance.now() - reportedAt >= REPORT_MS || point.step === STEPS) await report();
      }
      return { bits: await bitsOf(model.save({ training: true })) };
    } finally {
      model.dispose();
    }
  }

  /**
   * The sequence as the model reads it after a step.
   * @param {Questions['read']} question
   * @returns {Promise<Answers['read']>}
   */
  async read({ step, off }) {
    const model = this.#stateAfter(step);
    try {
      const inputs = { target: SEQUENCE.slice(0, -1) };
      const metric = /** @type {const} */ ({ kind: 'probability', token: SEQUENCE.at(-1) });
      const each = await ablate(model, inputs, { each: 'head', metric });
      const changed = await ablate(model, inputs, { at: off, metric });
      const run = model.forward(inputs);
      const steps = /** @type {Step[]} */ (run.steps()).filter(({ kind }) => kind === 'op');
      run.dispose();
      return {
        step,
        steps,
        before: Number(changed?.before),
        after: Number(changed?.after),
        alone: each?.grid?.values ?? [],
      };
    } finally {
      model.dispose();
    }
  }

  /** @param {number} step */
  #stateAfter(step) {
    const bytes = this.#states.get(step);
    if (!bytes) throw new RangeError(`no state is kept at step ${step}`);
    return this.#gf.open(readModel(bytes));
  }

  /**
   * The step that training took from a state, taken apart.
   * @param {Questions['take']} question
   * @returns {Answers['take']}
   */
  take({ step, weight: asked }) {
    const model = this.#stateAfter(step);
    const { config, parameters } = model;
    const batch = repeats(this.#seed, step).next().value;
    const inspection = inspect(model, [batch], { ...TRAINING, seed: this.#seed });
    try {
      const { gradientNorm, runs } = inspection;
      const nodes = /** @type {Step[]} */ (runs[0].steps(0));
      const nodeOf = (/** @type {string} */ name) =>
        /** @type {Step} */ (nodes.find((node) => node.name === name));
      const weight = 'node' in asked ? asked : steepest(nodeOf, asked, config);
      return {
        ...{ step, weight, update: inspection.update(weight.node, weight.index) },
        facts: {
          ...{ training: TRAINING, gradientNorm, config: { dModel: config.dModel } },
          parameters: [...parameters.values()].map(({ name, shape: [...shape] }) => ({
            ...{ name, shape },
          })),
        },
        parameter: nodeOf(weight.node),
      };
    } finally {
      inspection.dispose();
      model.dispose();
    }
  }
}

/**
 * The query weight of a head with the largest derivative.
 * @param {(name: string) => Step} nodeOf
 * @param {import('./protocol.js').Head} which
 * @param {{ heads: number }} config
 * @returns {import('./protocol.js').Cell}
 */
function steepest(nodeOf, { layer, head }, { heads }) {
  const node = `decoder.layers.${layer}.self_attn.q_proj.weight`;
  const { shape, grad } = nodeOf(node);
  const [rows, columns] = shape;
  const width = columns / heads;
  let index = [0, head * width];
  let most = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = head * width; j < (head + 1) * width; j++) {
      const size = Math.abs(grad?.[i * columns + j] ?? 0);
      if (size > most) [most, index] = [size, [i, j]];
    }
  }
  return { node, index };
}

/**
 * The beginning of their SHA-256, where the page may compute one.
 * @param {Uint8Array} bytes
 */
async function bitsOf(bytes) {
  const hash = await globalThis.crypto?.subtle?.digest('SHA-256', new Uint8Array(bytes));
  if (!hash) return null;
  return Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
