// The steps in NumPy, in float32 as the core computes them.

/** @type {import('./snippet.js').Language} */
export const numpy = {
  name: 'numpy',
  comment: '#',
  imports: { math: 'import math', np: 'import numpy as np' },
  assign: (name, expression) => `${name} = ${expression}`,
  literal: (step, list) =>
    `np.array(${list}, dtype=np.${step.kind === 'ids' ? 'int32' : 'float32'})`,
  number: (value) => `np.float32(${value})`,
  special: (value) => {
    if (Number.isNaN(value)) return 'np.nan';
    return value < 0 ? '-np.inf' : 'np.inf';
  },
  show: (label, name) => `print(${JSON.stringify(label)}, ${name}, sep="\\n")`,
};
