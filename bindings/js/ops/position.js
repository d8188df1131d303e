// Sinusoids of positions.

import { checkOptions } from '../base/errors.js';
import { operand, widthOf } from './kit/cells.js';
import { options } from './kit/code.js';
import { sinusoid, sinusoidCaption, sinusoidLines } from './kit/sinusoids.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Sinusoidal position encoding: positions [...] -> [...,channels]
   * @param {Tensor} positions @param {number} channels
   * @param {{ halves?: boolean }} options halves: all sines first, then all cosines
   * @param {string} name */
  position(positions, channels, options, name) {
    checkOptions('position', options, ['halves']);
    const { halves = false } = options;
    return this.push('position', { positions }, { channels, halves }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const places = operand(question, 0);
  const width = widthOf(question.step);
  const column = question.offset % width;
  const position = places.data[Math.floor(question.offset / width)];
  const sines = Math.ceil(width / 2);
  const [pair, cosine] = question.step.attributes.halves
    ? [column % sines, column >= sines]
    : [column >> 1, column % 2 === 1];
  const angle = position / 10000 ** ((2 * pair) / width);
  return { position, angle, fn: cosine ? 'cos' : 'sin', pair };
};

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [positions] }) =>
    `sinusoids(${positions}, ${widthOf(step)}, halves=${step.attributes.halves ? 'True' : 'False'})`,
  pytorch: ({ step, inputs: [positions] }) =>
    `sinusoids(${positions}, ${widthOf(step)}, halves=${step.attributes.halves ? 'True' : 'False'})`,
  javascript: ({ step, inputs: [positions] }) =>
    `gf.position(${positions}, ${widthOf(step)}${options({ halves: step.attributes.halves > 0 })})`,
  helpers: {
    numpy: {
      sinusoids: `def sinusoids(positions, channels, halves):
    columns = np.arange(channels)
    sines = (channels + 1) // 2
    pair = columns % sines if halves else columns // 2
    cosine = columns >= sines if halves else columns % 2 == 1
    angle = positions[..., None] / 10000.0 ** (2 * pair / channels)
    return np.where(cosine, np.cos(angle), np.sin(angle)).astype(np.float32)`,
    },
    pytorch: {
      sinusoids: `def sinusoids(positions, channels, halves):
    columns = torch.arange(channels)
    sines = (channels + 1) // 2
    pair = columns % sines if halves else columns // 2
    cosine = columns >= sines if halves else columns % 2 == 1
    angle = positions[..., None].double() / 10000.0 ** (2 * pair.double() / channels)
    return torch.where(cosine, angle.cos(), angle.sin()).float()`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => sinusoid(notation, 'sin, cos', widthOf);

/** @type {import('./kit/page.js').Caption} */
export const caption = sinusoidCaption;

/** @type {import('./kit/page.js').Lines} */
export const lines = sinusoidLines;

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { counts: true };
