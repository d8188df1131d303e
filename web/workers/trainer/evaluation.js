// How a model does on pairs that it never saw: one forward over all of them, and its own answers to a few.
import { answerTokens, heldOut, testBatch } from './core.js';

/** @typedef {import('./core.js').Task} Task */
/** @typedef {import('./core.js').Model} Model */
/** @typedef {import('./protocol.js').Evaluation} Evaluation */

export class Trial {
  #gf;
  #task;
  #batch;

  /**
   * @param {import('./core.js').Glassformer} gf
   * @param {Task} task
   * @param {number} seed
   */
  constructor(gf, task, seed) {
    const { pairs, examples } = heldOut(task, seed);
    this.#gf = gf;
    this.#task = task;
    this.#batch = testBatch(task, pairs);
    this.size = pairs.length;
    this.lengths = this.#batch.source.map(({ length }) => length);
    this.examples = examples;
  }

  /**
   * @param {Model} model
   * @returns {Promise<Evaluation>}
   */
  async of(model) {
    const measured = this.#forward(model);
    const answers = [];
    for (const { source } of this.examples) answers.push(await written(model, this.#task, source));
    return { step: model.step, ...measured, answers };
  }

  /** @param {Model} model */
  #forward(model) {
    const { labels } = this.#batch;
    const run = model.forward({ ...this.#batch, gradients: false });
    try {
      const [, places, vocab] = run.logits.shape;
      const { data } = this.#gf.softmax(run.logits);
      /** @type {{ certain: number, hit: boolean }[][]} */
      const rows = labels.map((row, i) =>
        row.map((label, t) => {
          const from = (i * places + t) * vocab;
          const probabilities = data.subarray(from, from + vocab);
          const best = likeliest(probabilities);
          return { certain: probabilities[best], hit: best === label };
        }),
      );
      const tokens = rows.flat();
      /* Greedy writing goes the same way: its first mistake follows a right beginning, too. */
      const answered = Uint8Array.from(rows, (row) => Number(row.every(({ hit }) => hit)));
      const hits = Uint8Array.from(tokens, ({ hit }) => Number(hit));
      return {
        loss: run.loss,
        right: sumOf(answered),
        share: sumOf(hits) / hits.length,
        answered,
        certain: Float32Array.from(tokens, ({ certain }) => certain),
        hits,
        attention: this.examples.map((_, i) => this.#attention(model, run, i)),
      };
    } finally {
      run.dispose();
    }
  }

  /**
   * The decoder's cross-attention for one example, without padding: [layers, heads, target, source].
   * @param {Model} model
   * @param {import('./core.js').ForwardRun} run
   * @param {number} row
   */
  #attention({ config }, run, row) {
    const [targets, sources] = [this.#batch.target[row].length, this.#batch.source[row].length];
    const out = new Float32Array(config.decoderLayers * config.heads * targets * sources);
    const layers = run.tape.nodes.filter(
      ({ part, role }) => part === 'cross_attn' && role === 'weight',
    );
    let to = 0;
    for (const { data, shape } of layers) {
      const [, heads, height, width] = shape;
      for (let line = 0; line < heads * targets; line++) {
        const [head, t] = [Math.floor(line / targets), line % targets];
        const from = ((row * heads + head) * height + t) * width;
        out.set(data.subarray(from, from + sources), to);
        to += sources;
      }
    }
    return out;
  }
}

/** What a model writes: nothing once its logits are not finite.
 * @param {Model} model @param {Task} task @param {Parameters<typeof answerTokens>[2]} source */
async function written(model, task, source) {
  try {
    return await answerTokens(model, task, source);
  } catch (error) {
    if (/** @type {any} */ (error).detail === 'logit') return [];
    throw error;
  }
}

/** @param {Float32Array} values */
function likeliest(values) {
  let best = 0;
  for (let id = 1; id < values.length; id++) if (values[id] > values[best]) best = id;
  return best;
}

/** @param {Uint8Array} values */
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);
