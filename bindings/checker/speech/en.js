// What is told of wrong numbers, in English. Braces hold what fills a sentence in.

export const en = {
  wrong: 'The text prints {printed}; it is {corrected}.',
  notUnderstood: 'Not understood, line {line}: {text}',
  total: 'Wrong numbers: {wrong} of {checked} that were checked.',
  causes: {
    slip: '',
    'slip:sign': 'The sign is wrong.',
    'slip:digits': 'Two digits have changed places.',
    'slip:point': 'The decimal point is in the wrong place.',
    'slip:rows': 'Two rows have changed places.',
    carried: 'This follows from number {follows} of the list.',
    rounded: 'A number before it was rounded too early.',
  },
  misconceptions: {
    'no-scaling': 'The scores are not divided by √d_k.',
    'scale-by-dk': 'The scores are divided by d_k, not by its square root.',
    'k-not-transposed': 'Q is multiplied by K. Scores are Q Kᵀ.',
    'scores-transposed': 'These are the scores K Qᵀ. Rows belong to queries: Q Kᵀ.',
    'w-transposed': 'The weight matrix is transposed. The projection is X W.',
    'weights-transposed':
      'The weights are transposed. Row i of the weights mixes the values for token i.',
    'softmax-over-columns': 'Softmax is applied to each column. Each row adds up to 1.',
    'no-exp': 'The scores are divided by their sum, without exponentials.',
    'base-2': 'These are powers of 2. Softmax uses powers of e.',
    'mask-zero': 'Masked scores are set to 0. They are −∞.',
    'mask-flipped': 'The mask hides the wrong side.',
    'positions-missing': 'The position codes are not added.',
    'position-from-1': 'The positions are one too high. The first position is 0.',
    'sin-cos-swapped': 'Sine and cosine are exchanged. Even channels take the sine.',
    'exponent-i-for-2i': 'The exponent is i / d. It should be 2i / d.',
    'norm-over-tokens': 'Each column is normalised. Layer norm normalises each row.',
    'norm-n-minus-1': 'The variance is divided by n − 1. Layer norm divides by n.',
    'no-root': 'This is divided by the variance, not by its square root.',
    'no-gain-bias': 'Gain and bias are left out.',
    'log-base-10': 'This is the logarithm to base 10. The loss takes the natural logarithm.',
    'label-shifted': 'The label of the next row is used.',
    'sum-for-mean': 'This is the sum of the losses. The loss is their mean.',
    'gradient-sign': 'The gradient has the opposite sign: it is p − y.',
    'label-ignored': 'The label is left out. The gradient is p − y.',
    'adam-no-bias-correction': 'The bias correction is left out: divide by 1 − βᵗ.',
    'adam-eps-inside': 'ε is added under the root. Add it after taking the root.',
    'adam-no-root': 'This is divided by v, not by its square root.',
    'warmup-power': 'The warm-up has the power −0.5. The formula has warmup^−1.5.',
  },
};

/** @typedef {keyof typeof en.misconceptions} Misconception */
