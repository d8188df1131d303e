// What a learner reads, in English. Braces hold what fills a sentence in.

export const en = {
  /** Of each recipe: its title, and what to do. */
  recipes: {
    projection: [
      'Queries, keys and values',
      'Multiply X by each weight matrix: Q = X W_Q, K = X W_K, V = X W_V.',
    ],
    scores: ['Scores', 'Compute the scores Q Kᵀ: the dot product of each query with each key.'],
    'scaled-scores': ['Scaled scores', 'Compute the scores Q Kᵀ, then divide each by √d_k.'],
    'softmax-row': [
      'Softmax of one row',
      'Turn the row of scaled scores into attention weights with softmax.',
    ],
    weights: [
      'Attention weights',
      'Compute the scores, scale them, and apply softmax to each row.',
    ],
    'output-row': ['Output', 'Multiply the attention weights by the values.'],
    attention: [
      'Attention by hand',
      'Compute attention from X: queries, keys and values, scores, scaled scores, weights, output.',
    ],
    'causal-attention': [
      'Causal attention',
      'Mask the scores of later tokens with −∞, then compute the weights and the output.',
    ],
    'padding-mask': [
      'Padding mask',
      'Mask the padding with −∞, then compute the weights and the output.',
    ],
    'two-heads': [
      'Two heads',
      'Split Q, K and V into two heads, compute attention in each, join the results and multiply by W_O.',
    ],
    'cross-attention': [
      'Cross-attention',
      'The queries come from the target, the keys and values from the memory. Compute the output.',
    ],
    sinusoid: [
      'Sinusoidal positions',
      'Compute the sinusoidal position encodings, then add them to X.',
    ],
    shuffle: [
      'Shuffled tokens',
      'The tokens change their order. Which of the first outputs does each new output equal? Write its number, or 0 for none.',
    ],
    'layer-norm': [
      'Layer norm',
      'Compute the mean and the variance of each row, normalise the row, then apply gain and bias.',
    ],
    'residual-norm': [
      'Residual and norm',
      'Add the sublayer’s output to X, then normalise each row.',
    ],
    'feed-forward': [
      'Feed-forward network',
      'Compute the hidden layer, apply ReLU, then compute the output.',
    ],
    'parameter-count': [
      'Number of parameters',
      'Count the parameters of one layer, with biases. The layer has two norms.',
    ],
    cost: ['Cost of a layer', 'Count the multiply-adds of one layer for this number of tokens.'],
    'cross-entropy': [
      'Cross-entropy',
      'Compute the probabilities, the loss −ln p of each label, and the mean loss.',
    ],
    'label-smoothing': [
      'Label smoothing',
      'Smooth the one-hot targets, then compute the cross-entropy of each row.',
    ],
    'softmax-gradient': [
      'Gradient of softmax and cross-entropy',
      'Compute the probabilities and the gradient of each row’s loss with respect to its logits.',
    ],
    'adam-step': [
      'One step of Adam',
      'Update both moments, correct their bias, and compute the new parameters.',
    ],
    'noam-rate': ['Learning rate with warm-up', 'Compute the learning rate of each step.'],
    'greedy-and-beam': [
      'Greedy and beam search',
      'Choose two words greedily and by a beam that keeps every path. Words count from 0. Give the probability of each pair.',
    ],
    'dropout-scale': [
      'Dropout',
      'Apply dropout: drop the numbers whose keep is 0, and rescale the others by 1 / (1 − p).',
    ],
  },
  /** What a step is called. */
  steps: {
    q: 'queries Q',
    k: 'keys K',
    v: 'values V',
    scores: 'scores',
    'scores.scaled': 'scaled scores',
    'scores.masked': 'masked scores',
    weights: 'attention weights',
    mix: 'weighted values of each head',
    output: 'output',
    pos: 'position encodings',
    'x.pos': 'X with positions',
    mean: 'mean',
    variance: 'variance',
    norm: 'normalised rows',
    residual: 'residual sum',
    hidden: 'hidden layer',
    activation: 'after ReLU',
    attention: 'parameters of attention',
    feed_forward: 'feed-forward network',
    norms: 'parameters of the norms',
    layer: 'whole layer',
    projections: 'projections',
    probabilities: 'probabilities',
    losses: 'losses',
    loss: 'mean loss',
    targets: 'smoothed targets',
    gradient: 'gradient',
    m: 'first moment m',
    'm.corrected': 'm, bias-corrected',
    'v.corrected': 'v, bias-corrected',
    update: 'update',
    'theta.new': 'new parameters',
    rate: 'learning rate',
    greedy: 'words, greedy',
    'greedy.p': 'probability, greedy',
    beam: 'words, beam',
    'beam.p': 'probability, beam',
    same: 'equals output number',
  },
  states: {
    right: 'Right.',
    'early-rounding':
      'Right, but a step before was rounded too early: the exact number is nearer to {value}.',
    carried: 'This follows from your numbers before: {follows}.',
    wrong: 'This does not follow from the step before.',
    empty: 'Not answered yet.',
    unreadable:
      'This is not a number from character {at} on. Write, for example, 1.33, 4/3, 2/√2 or −∞.',
  },
  slips: {
    sign: 'Check the signs: one of them is wrong.',
    digits: 'Two digits have changed places.',
    point: 'The decimal point is in the wrong place.',
    term: 'One product of the sum is missing.',
    place: 'This is the number of the cell beside it.',
  },
  misconceptions: {
    'no-scaling': 'You did not divide the scores by √d_k.',
    'scale-by-dk': 'You divided the scores by d_k, not by its square root.',
    'scale-by-sqrt-dmodel':
      'You divided the scores by √d_model. The keys have d_k channels, so divide by √d_k.',
    'k-not-transposed':
      'You multiplied Q by K. Each score is the dot product of a query row with a key row: Q Kᵀ.',
    'scores-transposed': 'You computed K Qᵀ. Rows belong to queries and columns to keys: Q Kᵀ.',
    'softmax-over-columns':
      'You applied softmax to each column. Each row, the weights of one query, adds up to 1.',
    'softmax-over-all': 'You applied softmax to the whole matrix. Each row adds up to 1.',
    'no-exp':
      'You divided the scores by their sum. Softmax takes the exponential of each score first.',
    'base-2': 'You used powers of 2. Softmax uses powers of e.',
    'sum-not-normalised': 'You took the exponentials but did not divide them by their sum.',
    'weights-transposed':
      'You multiplied the transposed weights by V. Row i of the weights mixes the values for token i.',
    'x-for-v': 'You mixed the rows of X. The weights mix the values V.',
    'x-for-k': 'You used X in place of the keys K.',
    'w-transposed':
      'You multiplied by the transposed weight matrix. Compute X W: rows of X times columns of W.',
    'mask-zero': 'You set masked scores to 0. Use −∞, because e⁰ is 1 and still gets weight.',
    'mask-after-softmax':
      'You masked after softmax, so the rows no longer add up to 1. Mask the scores before it.',
    'mask-strict': 'You masked the diagonal, too. A token attends to itself.',
    'mask-flipped': 'You masked the wrong side. Mask what the token must not attend to.',
    'mask-forgotten': 'You did not apply the mask.',
    'heads-averaged': 'You averaged the heads. Place them side by side.',
    'heads-split-by-token':
      'You split the rows between the heads. Split the channels: each head sees every token.',
    'no-w-o': 'You left out the output projection W_O.',
    'positions-missing': 'You left out the position encodings.',
    'position-from-1': 'Your positions are one too high. The first position is 0.',
    'sin-cos-swapped': 'You exchanged sine and cosine. Even channels take the sine.',
    'exponent-i-for-2i': 'Your exponent is i / d. It is 2i / d, with i the number of the pair.',
    'norm-over-tokens':
      'You normalised each column. Layer norm normalises each row, the channels of one token.',
    'norm-n-minus-1': 'You divided the variance by n − 1. Layer norm divides by n.',
    'no-root': 'You divided by the variance. Divide by its square root.',
    'no-gain-bias': 'You left out gain and bias.',
    'norm-before-residual': 'You normalised before adding. Here the sum is normalised.',
    'relu-forgotten': 'You left out ReLU: negative numbers become 0.',
    'no-bias': 'You left out the bias.',
    'dropout-not-rescaled': 'You did not rescale. Divide what is kept by 1 − p.',
    'log-base-10': 'You used the logarithm to base 10. Use the natural logarithm.',
    'sum-for-mean': 'You added the losses up. The loss is their mean.',
    'label-shifted': 'You used the label of the next row.',
    'smoothing-on-all':
      'You spread ε over the other classes only. Each class, the right one too, gets ε / V.',
    'label-ignored': 'You left out the label: subtract 1 from the probability of the right class.',
    'gradient-sign': 'Your gradient has the opposite sign: it is p − y.',
    'adam-no-bias-correction': 'You left out the bias correction: divide by 1 − βᵗ.',
    'adam-eps-inside': 'You added ε under the root. Add it after taking the root.',
    'adam-no-root': 'You divided by v. Divide by its square root.',
    'warmup-power': 'You used warmup^−0.5. The formula has step · warmup^−1.5.',
    'order-kept': 'The outputs move with their tokens.',
    'greedy-for-beam': 'You chose greedily. The beam keeps the pair with the highest probability.',
    'probabilities-added': 'You added the probabilities. Multiply them.',
    'biases-not-counted': 'You left out the biases.',
    'heads-multiply':
      'You multiplied by the number of heads. The heads share the channels, so the projections stay as large.',
    'cost-without-square': 'You counted one query only. Each token has its own scores.',
  },
  hints: {
    where: 'Look at {step}.',
    operands: 'It is computed from {operands}.',
    products: '{products}',
    sum: 'It is {value}.',
  },
  /** What a sheet says. */
  sheet: {
    title: 'Exercises',
    given: 'Given',
    asked: 'To compute',
    key: 'key',
    working: 'Working',
    head: 'head {n}',
    seed: 'Recipe {recipe}, seed {seed}.',
    rounding: {
      digits: 'Round to {n} decimals in every step.',
      significant: 'Round to {n} significant digits in every step.',
      whole: 'All answers are whole numbers.',
      exact: 'Do not round: give exact numbers.',
    },
  },
};
