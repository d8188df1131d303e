// The angles of rotary positions.

import { operand } from './kit/cells.js';
import { sinusoid, sinusoidCaption, sinusoidLines } from './kit/sinusoids.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The angles of rotary positions as cosines and sines: positions [...] -> [...,dimensions/2,2]
   * @param {Tensor} positions @param {number} dimensions @param {number} base usually 10000
   * @param {string} name */
  rotation(positions, dimensions, base, name) {
    return this.push('rotation', { positions }, { dimensions, base }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const places = operand(question, 0);
  const { dimensions, base, stretch = 0, slow, fast, span } = question.step.attributes;
  const pair = Math.floor(question.offset / 2) % (dimensions / 2);
  const position = places.data[Math.floor(question.offset / dimensions)];
  const wave = base ** ((2 * pair) / dimensions);
  const rotations = span / (2 * Math.PI * wave);
  const share = stretch ? Math.min(1, Math.max(0, (rotations - slow) / (fast - slow))) : 1;
  const angle = (position / wave) * (share === 1 ? 1 : (1 - share) / stretch + share);
  return { position, angle, fn: question.offset % 2 ? 'sin' : 'cos', pair };
};

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [positions], shortest }) =>
    `turns_of(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  pytorch: ({ step, inputs: [positions], shortest }) =>
    `turns_of(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  javascript: ({ step, inputs: [positions], shortest }) =>
    `gf.rotation(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  helpers: {
    numpy: {
      turns_of: `def turns_of(positions, dimensions, base):
    angle = positions[..., None] * base ** (-np.arange(0, dimensions, 2) / dimensions)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1).astype(np.float32)`,
    },
    pytorch: {
      turns_of: `def turns_of(positions, dimensions, base):
    angle = positions[..., None].double() * base ** (-torch.arange(0, dimensions, 2).double() / dimensions)
    return torch.stack([angle.cos(), angle.sin()], dim=-1).float()`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) =>
  sinusoid(notation, 'cos, sin', ({ attributes }) => attributes.dimensions);

/** @type {import('./kit/page.js').Caption} */
export const caption = sinusoidCaption;

/** @type {import('./kit/page.js').Lines} */
export const lines = sinusoidLines;
