// Soft capping: scores kept within bounds.

import { f32, single } from './kit/cells.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = cap tanh(x / cap)
   * @param {Tensor} x @param {number} cap above 0 @param {string} name */
  softcap(x, cap, name) {
    return this.push('softcap', { x }, { cap }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** cap tanh(x / cap): keeps scores within -cap..cap.
   * @template {Values | number} V
   * @param {V} x @param {number} cap above 0
   * @returns {Like<V>}
   * @example
   * gf.softcap([0, 1, 100], 2); // = [0, 0.9242, 2] */
  softcap: (x, cap) => each('softcap', x, cap),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const { cap } = question.step.attributes;
  return { x, cap, inner: question.gf.tanh(f32(x.value / cap)) };
};

/** y = cap tanh(x / cap)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (_, { step, offset }) => {
      const { cap } = step.attributes;
      const y = step.data[offset];
      return { value: 1 - (y / cap) ** 2, formula: '1 - (y / cap)^2', parts: { y, cap } };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) =>
    `${float(step.attributes.cap)} * np.tanh(${x} / ${float(step.attributes.cap)})`,
  pytorch: ({ step, inputs: [x], shortest }) =>
    `${shortest(step.attributes.cap)} * torch.tanh(${x} / ${shortest(step.attributes.cap)})`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.softcap(${x}, ${shortest(step.attributes.cap)})`,
};

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ plain }) =>
  ({ cap, inner }) => ['gated', { x: plain(cap), share: plain(inner) }];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, cap, inner }) => [
    `${exact(cap)} × ${exact(inner)}, the tanh of ${valued(x)} divided by it`,
  ];
