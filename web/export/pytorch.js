// The steps in PyTorch, in float32 as the core computes them.

/** @type {import('./snippet.js').Language} */
export const pytorch = {
  name: 'pytorch',
  comment: '#',
  imports: {
    math: 'import math',
    torch: 'import torch',
    F: 'import torch.nn.functional as F',
  },
  assign: (name, expression) => `${name} = ${expression}`,
  literal: (step, list) =>
    `torch.tensor(${list}, dtype=torch.${step.kind === 'ids' ? 'int64' : 'float32'})`,
  number: (value) => value,
  special: (value) => {
    if (Number.isNaN(value)) return 'math.nan';
    return value < 0 ? '-math.inf' : 'math.inf';
  },
  show: (label, name) => `print(${JSON.stringify(label)}, ${name}, sep="\\n")`,
};
