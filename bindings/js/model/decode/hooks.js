// Functions of the user between the steps of a model that writes: they read the values of a step, or change them before
// the next one is computed.

import { checkOptions, failure, typeError } from '../../base/errors.js';
import { nearNode } from '../../base/near-node.js';
import { valuesOf } from '../../tape/tensor.js';

/** @typedef {import('../weights.js').Weights} Weights */
/** @typedef {import('../../tape/tape.js').Tape} Tape */

/** Where a hook is called.
 * @typedef {object} HookStep
 * @property {string} name of the node, as in `model.forward(…).tape.nodes`
 * @property {readonly number[]} shape of the values: [tokens, channels], or [heads, tokens, …]
 * @property {number} position of the first of these tokens in the text
 * @property {number} tokens how many are read at once: most of a prompt, later one after the other */

/** Reads the values of a step, or changes them in place.
 * @callback Hook
 * @param {Float32Array} values
 * @param {HookStep} step
 * @returns {void} */

/** Hooks by the names of nodes. @typedef {Readonly<Record<string, Hook>>} Hooks */

/** Who returns other numbers, or a promise of them, believes that these are used.
 * @param {string} where @param {Float32Array} values @param {unknown} returned by the user's function */
export function checkReturned(where, values, returned) {
  if (typeof returned === 'object' && returned !== null && returned !== values) {
    throw typeError('inPlace', { where, type: returned.constructor?.name ?? 'object' });
  }
}

/** @param {string} where @param {unknown} hooks */
export function checkHooks(where, hooks) {
  const names = Object.keys(Object(hooks));
  checkOptions(where, hooks, names, 'hooks');
  for (const name of names) {
    const hook = /** @type {Record<string, unknown>} */ (hooks)[name];
    if (typeof hook !== 'function') {
      throw typeError('listener', { where: `${where}: ${name}`, given: hook });
    }
  }
}

/** The names of the steps by which a model reads a token; fused, the steps within an attention are one.
 * @param {Weights} weights @param {import('../config/config.js').Config} config @param {boolean} fused */
function stepsOf(weights, { remove }, fused) {
  const batch = { size: 1, source: 1, padded: true, capacity: 1, fused };
  const tape = weights.tape(batch, { changes: { remove }, keep: () => ['logits'] });
  try {
    return tape.nodes.filter(({ kind }) => kind === 'op').map(({ name }) => name);
  } finally {
    tape.dispose();
  }
}

/** Hooks of one text.
 * @param {string} where @param {Weights} weights @param {import('../config/config.js').Config} all
 * @param {{ hooks?: Hooks, remove: readonly import('../config/config.js').Removal[] }} how */
export function hooksOn(where, weights, all, { hooks = {}, remove }) {
  weights.checkExact(`${where}: hooks`);
  const config = { ...all, remove: [...all.remove, ...remove] };
  if (config.remove.includes('mask')) throw failure('GF_ESTATE', 'hooksNeedMask', { where });
  const names = Object.keys(hooks);
  const fused = stepsOf(weights, config, true);
  const isFused = names.every((name) => fused.includes(name));
  const steps = isFused ? fused : stepsOf(weights, config, false);
  for (const name of names) {
    if (steps.includes(name)) continue;
    throw failure('GF_ENAME', 'noNode', {
      ...{ where: `${where}: hooks`, name, hint: nearNode(name, steps), node: name },
    });
  }
  return {
    names,
    /** Whether an attention may be computed in one step. */
    isFused,

    /** What is done behind the nodes of a tape, by their ids.
     * @param {Tape} tape of one text @param {number} position of the first token that it reads
     * @param {number} tokens
     * @returns {Map<number, () => void>} */
    behind(tape, position, tokens) {
      const nodes = tape.nodes.filter(({ name, kind }) => kind === 'op' && name in hooks);
      return new Map(
        nodes.map((node) => {
          const { id, name, axes } = node;
          const shape = Object.freeze(axes[0] === 'batch' ? node.shape.slice(1) : [...node.shape]);
          const call = () => {
            /* A copy: the hook may let the memory grow, which cuts views off. */
            const values = /** @type {Float32Array} */ (valuesOf(node)).slice();
            checkReturned(name, values, hooks[name](values, { name, shape, position, tokens }));
            valuesOf(node).set(values);
          };
          return [id, call];
        }),
      );
    },
  };
}

/** @typedef {ReturnType<typeof hooksOn>} HooksOn */
