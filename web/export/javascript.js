// The steps in JavaScript, by the glassformer package: the same core, and so the same bits.
import { shortest } from '../draw/format.js';
import { groupOf, widthOf } from './snippet.js';

/** @typedef {import('./snippet.js').Line} Line */

/** Options as an argument; what is left empty is as it is by default.
 * @param {Record<string, string | number | boolean | undefined>} all
 */
function options(all) {
  const given = Object.entries(all).filter(([, value]) => value);
  return given.length
    ? `, { ${given.map(([key, value]) => (key === value ? key : `${key}: ${value}`)).join(', ')} }`
    : '';
}

/** Each matrix of the second operand, as often as it is shared.
 * @param {Line} line */
function right(line) {
  const group = groupOf(line);
  if (group === 1) return line.inputs[1];
  const shape = line.operands[1]?.shape ?? [];
  const axis = shape.length - 3;
  const ids = Array.from({ length: shape[axis] * group }, (_, h) => Math.floor(h / group));
  return `gf.gather(${line.inputs[1]}, [${ids.join(', ')}], ${axis})`;
}

/** @type {Record<string, (line: Line) => string>} */
const ops = {
  embed: ({ inputs: [table, ids] }) => `gf.embed(${table}, ${ids})`,
  position: ({ step, inputs: [positions] }) =>
    `gf.position(${positions}, ${widthOf(step)}${options({ halves: step.attributes.halves > 0 })})`,
  add: ({ inputs: [a, b] }) => `gf.add(${a}, ${b})`,
  scale: ({ step, inputs: [x] }) => `gf.scale(${x}, ${shortest(step.attributes.factor)})`,
  linear: ({ inputs: [x, w, b] }) => `gf.linear(${x}, ${w}${b ? `, ${b}` : ''})`,
  matmul: (line) =>
    `gf.${line.step.attributes.transposed ? 'matmulTransposed' : 'matmul'}(${line.inputs[0]}, ${right(line)})`,
  mask: ({ step, inputs: [x, mask, lengths], operands }) => {
    const { causal, offset } = step.attributes;
    /* Numbers would be added: integers tell what is kept. */
    const kept = `{ data: Int32Array.from(${mask}.flat(Infinity)), shape: [${operands[1]?.shape.join(', ')}] }`;
    return `gf.mask(${x}${options({
      causal: causal > 0,
      offset,
      mask: operands[1]?.kind === 'ids' ? kept : mask,
      lengths,
    })})`;
  },
  softmax: ({ inputs: [x] }) => `gf.softmax(${x})`,
  log_softmax: ({ inputs: [x] }) => `gf.logSoftmax(${x})`,
  heads: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `gf.splitHeads(${x}, ${step.attributes.heads})`
      : `gf.concatHeads(${x})`,
  layer_norm: ({ step, inputs: [x, gain, bias] }) =>
    `gf.layerNorm(${x}, ${gain || 'null'}, ${bias || 'null'}, { epsilon: ${shortest(step.attributes.epsilon)} })`,
  rms_norm: ({ step, inputs: [x, gain] }) =>
    `gf.rmsNorm(${x}, ${gain || 'null'}, { epsilon: ${shortest(step.attributes.epsilon)} })`,
  relu: ({ inputs: [x] }) => `gf.relu(${x})`,
  gelu: ({ step, inputs: [x] }) =>
    `gf.gelu(${x}${options({ approximate: step.attributes.tanh_form ? "'tanh'" : '' })})`,
  silu: ({ step, inputs: [x] }) => `gf.silu(${x}, ${shortest(step.attributes.factor)})`,
  swiglu: ({ step, inputs: [gate, up] }) =>
    `gf.swiglu(${gate}, ${up}, ${shortest(step.attributes.factor)})`,
  tanh: ({ inputs: [x] }) => `gf.tanh(${x})`,
  softcap: ({ step, inputs: [x] }) => `gf.softcap(${x}, ${shortest(step.attributes.cap)})`,
  gather: ({ step, inputs: [x, ids] }) => `gf.gather(${x}, ${ids}, ${step.attributes.axis})`,
  rotation: ({ step, inputs: [positions] }) =>
    `gf.rotation(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  rope: ({ step, inputs: [x, turns] }) =>
    `gf.rope(${x}, ${turns}${options({ interleaved: step.attributes.interleaved > 0 })})`,
  alibi: ({ inputs: [x, at] }) => `gf.alibi(${x}${at ? `, { offset: ${at}[0] }` : ''})`,
  cross_entropy: ({ step, inputs: [x, targets, weights] }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const one = `gf.crossEntropy(${x}, ${targets}${options({
      weights,
      reduction: ['', "'sum'", "'none'"][reduction],
      ignoreIndex: ignore_index !== -100 && ignore_index,
      labelSmoothing: smoothing > 0 && shortest(smoothing),
    })})`;
    return reduction === 2 ? one : `[${one}]`;
  },
};

/** @type {import('./snippet.js').Language} */
export const javascript = {
  comment: '//',
  imports: { gf: "import { load } from 'glassformer';\n\nconst gf = await load();" },
  assign: (name, expression) => `const ${name} = ${expression};`,
  literal: (_, list) => list,
  special: String,
  ops,
  helpers: {},
  show: (label, name) => `console.log(${JSON.stringify(label)}, ${name});`,
};
