// Gradients of a formula such as sum(softmax(A@B)@B): read, put on a tape, and carried back.

/** name, parenthesis, comma or @ */
const TOKEN = /\s*([A-Za-z_]\w*|[(),@])/y;

/** @param {string} text
 * @returns {string[]} */
function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const { lastIndex } = TOKEN;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`unknown formula "${text}" at ${lastIndex}`);
    found.push(match[1]);
  }
  return found;
}

/** Functions of a formula, by name: (tape, node's name, case, operands).
 * @type {Record<string, (tape: any, name: string, given: any, ...x: any[]) => any>} */
const FUNCTIONS = {
  softmax: (tape, name, _, x) => tape.softmax(x, name),
  log_softmax: (tape, name, _, x) => tape.logSoftmax(x, name),
  relu: (tape, name, _, x) => tape.relu(x, name),
  gelu: (tape, name, _, x) => tape.gelu(x, {}, name),
  gelu_tanh: (tape, name, _, x) => tape.gelu(x, { approximate: 'tanh' }, name),
  silu: (tape, name, _, x) => tape.silu(x, 1, name),
  sigmoid: (tape, name, _, x) => tape.sigmoid(x, name),
  tanh: (tape, name, _, x) => tape.tanh(x, name),
  erf: (tape, name, _, x) => tape.erf(x, name),
  exp: (tape, name, _, x) => tape.exp(x, name),
  layer_norm: (tape, name, { eps = 1e-5 }, x) => {
    const [gain, bias] = ['gamma', 'beta'].map((key) => tape.parameter(key, [x.shape.at(-1)]));
    return tape.layerNorm(x, gain, bias, eps, name);
  },
  rms_norm: (tape, name, { eps = 1e-5 }, x) =>
    tape.rmsNorm(x, tape.parameter('gamma', [x.shape.at(-1)]), eps, name),
  mean_ce: (tape, name, _, x, targets) => tape.crossEntropy(x, targets, {}, name),
  /* Sums and means are taken by the gradient that is carried back. */
  sum: (_tape, _name, _given, x) => x,
  mean: (_tape, _name, _given, x) => x,
};

/** @param {any} tape @param {any} given @param {string} formula */
function build(tape, given, formula) {
  const words = tokens(formula);
  let made = 0;
  const name = () => `node ${made++}`;
  const take = (/** @type {string} */ due) => {
    if (words.shift() !== due) throw new Error(`unknown formula "${formula}": "${due}" is missing`);
  };
  const product = () => {
    let x = factor();
    while (words[0] === '@') {
      words.shift();
      x = tape.matmul(x, factor(), name());
    }
    return x;
  };
  const factor = () => {
    const word = words.shift();
    if (word === '(') {
      const x = product();
      take(')');
      return x;
    }
    if (words[0] !== '(') {
      if (!given[word]?.shape) throw new Error(`unknown formula "${formula}": there is no ${word}`);
      const leaf = tape.nodes.find((node) => node.name === word);
      return leaf ?? tape.parameter(word, given[word].shape);
    }
    if (!Object.hasOwn(FUNCTIONS, word)) throw new Error(`unknown function ${word}`);
    const operands = [];
    do {
      words.shift();
      operands.push(product());
    } while (words[0] === ',');
    take(')');
    return FUNCTIONS[word](tape, name(), given, ...operands);
  };
  const result = product();
  if (words.length) throw new Error(`unknown formula "${formula}": "${words[0]}" is too much`);
  return result;
}

/** @param {any} gf @param {any} given
 * @returns {import('../folder.js').Pair[]} */
export function gradient(gf, given) {
  const formula = given.op.slice('grad:'.length);
  const tape = gf.tape();
  try {
    const result = build(tape, given, formula);
    tape.plan();
    for (const leaf of tape.nodes.filter(({ kind }) => kind !== 'op')) {
      if (given[leaf.name]) leaf.data.set(given[leaf.name].data);
      else leaf.data.fill(leaf.name === 'gamma' ? 1 : 0);
    }
    tape.forward();
    const share = formula.startsWith('mean(') ? 1 / result.size : 1;
    tape.backward(result, new Float32Array(result.size).fill(share));
    return Object.entries(given)
      .filter(([key]) => key.startsWith('expected_d'))
      .map(([key, expected]) => {
        const { grad, shape } = tape.find(key.slice('expected_d'.length));
        return {
          what: key.slice('expected_'.length),
          actual: { data: grad.slice(), shape },
          expected,
        };
      });
  } finally {
    tape.dispose();
  }
}
