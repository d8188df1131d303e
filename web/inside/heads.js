// One layer's attention of the model of the stories, as an example that is computed step by step.
import { attentionsOf, file, storyInputs, tokenize, trained, vocabulary } from './core.js';

export { file };

/** Numbers in rows. @param {{ shape: readonly number[], data: ArrayLike<number> }} tensor */
function rowsOf({ shape, data }) {
  const [rows, columns] = shape.slice(-2);
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => data[i * columns + j]),
  );
}

/** Whether a node multiplies by weights. @param {any} node */
const isProjection = ({ inputs }) => inputs[1]?.kind === 'parameter';

/** The projection that a node comes from. @param {any} node @returns {any} */
const projectionOf = (node) => (isProjection(node) ? node : projectionOf(node.inputs[0]));

export class StoryModel {
  #model;

  /** @param {any} gf what load() gave @param {Uint8Array} bytes of the model */
  constructor(gf, bytes) {
    this.#model = trained(gf, bytes);
  }

  /** The tokens that it reads, and words that are none of its own. @param {string} text */
  read(text) {
    const words = tokenize(text);
    const known = vocabulary.decode(vocabulary.encode(words));
    return {
      tokens: vocabulary.decode(storyInputs(text).target),
      unknown: words.filter((word, i) => known[i] !== word),
    };
  }

  /**
   * What the attention of a layer reads of a text, and its weights.
   * @param {string} text
   * @param {number} layer
   * @returns {import('../session.js').Example}
   */
  example(text, layer) {
    const run = this.#model.forward(storyInputs(text));
    try {
      const { weights, scores } = attentionsOf(run.tape)[layer];
      const mix = run.tape.nodes.find(({ inputs }) => inputs[0] === weights);
      const output = run.tape.nodes.find(
        (node) => node.layer === layer && node.role === 'output' && isProjection(node),
      );
      const [q, k, v] = [...scores.inputs, mix?.inputs[1]].map(projectionOf);
      /** @type {Record<string, unknown>} */
      const inputs = { x: rowsOf(q.inputs[0]) };
      for (const [name, node] of Object.entries({ q, k, v, o: /** @type {any} */ (output) })) {
        inputs[`w_${name}`] = rowsOf(node.inputs[1]);
        inputs[`b_${name}`] = Array.from(node.inputs[2].data);
      }
      const { tokens } = this.read(text);
      const attention = { heads: weights.shape[1], causal: true };
      return { name: '', title: '', source: '', about: '', tokens, attention, inputs };
    } finally {
      run.dispose();
    }
  }
}
