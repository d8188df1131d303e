// The steps in NumPy and in PyTorch, in float32 as the core computes them.

/** What both have in common. @param {string} module that has the special numbers */
const python = (module) => ({
  comment: '#',
  assign: (/** @type {string} */ name, /** @type {string} */ expression) =>
    `${name} = ${expression}`,
  special(/** @type {number} */ value) {
    if (Number.isNaN(value)) return `${module}.nan`;
    return value < 0 ? `-${module}.inf` : `${module}.inf`;
  },
  show: (/** @type {string} */ label, /** @type {string} */ name) =>
    `print(${JSON.stringify(label)}, ${name}, sep="\\n")`,
});

/** @type {import('./snippet.js').Language} */
export const numpy = {
  ...python('np'),
  name: 'numpy',
  imports: { math: 'import math', np: 'import numpy as np' },
  literal: (step, list) =>
    `np.array(${list}, dtype=np.${step.kind === 'ids' ? 'int32' : 'float32'})`,
  number: (value) => `np.float32(${value})`,
};

/** @type {import('./snippet.js').Language} */
export const pytorch = {
  ...python('math'),
  name: 'pytorch',
  imports: {
    math: 'import math',
    torch: 'import torch',
    F: 'import torch.nn.functional as F',
  },
  literal: (step, list) =>
    `torch.tensor(${list}, dtype=torch.${step.kind === 'ids' ? 'int64' : 'float32'})`,
  number: (value) => value,
};
