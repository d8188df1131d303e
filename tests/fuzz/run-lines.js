// Runs a program of lines on a Glassformer. A program is a tape in the language of tests/native/run.c (its verbs for leaves, push,
// and what follows plan), or a model: lines "model KEY JSON", "train KEY JSON", "generate KEY JSON" are options, "batch JSON" is
// what it computes and learns. tests/python/run_lines.py runs the same in Python.

import { train } from '../../bindings/index.js';
import { hash } from '../support/program.js';

/** The numbers of hexadecimal words, as the node has them. @param {any} like @param {string[]} words */
const numbersOf = (like, words) =>
  new like.constructor(Uint32Array.from(words, (word) => Number.parseInt(word, 16)).buffer);

/** The bits of float64 numbers. @param {number[]} numbers */
const hexOf = (...numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString('hex');

/** What a tape's push takes of a number, by the kind of the attribute. */
const ATTRIBUTES = {
  flag: ([number]) => number !== 0,
  integer: ([number]) => number,
  real: ([number]) => number,
  word: ([number], { words }) => words[number],
  axes: (numbers) => numbers,
};

function push(tape, [op, name, ...words]) {
  const row = tape.block.engine.ops.get(op);
  const operands = Object.fromEntries(
    row.operands.map(({ name: key }, k) => [key, words[k] === '-' ? null : tape.find(words[k])]),
  );
  const [x] = Object.values(operands);
  const numbers = words.slice(row.operands.length).map(Number);
  const attributes = Object.fromEntries(
    row.attributes.map((attribute) => {
      const count = attribute.kind === 'axes' ? x.shape.length : 1;
      return [attribute.name, ATTRIBUTES[attribute.kind](numbers.splice(0, count), attribute)];
    }),
  );
  tape.push(op, operands, attributes, name);
}

const leaf =
  (kind) =>
  (tape, [name, ...shape]) =>
    tape[kind](name, shape.map(Number));

const VERBS = {
  input: leaf('input'),
  parameter: leaf('parameter'),
  ids: leaf('ids'),
  push,
  plan: (tape) => {
    tape.plan();
    tape.zeroGrad();
  },
  set: (tape, [name, ...words]) => {
    const { data } = tape.find(name);
    data.set(numbersOf(data, words));
  },
  bypass: (tape, [name, k]) => tape.bypass(name, Number(k)),
  freeze: (tape, [name]) => tape.freeze(name),
  forward: (tape, ends) => tape.forward(...ends.map((name) => (name === '-' ? undefined : name))),
  zero_grad: () => {},
  grad: (tape, [, ...words]) => {
    tape.seed = numbersOf(new Float32Array(), words);
  },
  backward: (tape, [, name]) => tape.backward(name, tape.seed),
};

/** The bits of every node. */
const bitsOf = (nodes) =>
  nodes.map(({ name, data, grad }) => `${name} ${hash(data)} ${grad ? hash(grad) : '-'}`);

function runTape(gf, lines) {
  const tape = gf.tape();
  try {
    for (const line of lines) {
      const [verb, ...words] = line.split(' ');
      VERBS[verb](tape, words);
    }
    return bitsOf(tape.nodes);
  } finally {
    tape.dispose();
  }
}

/** The options and batches that the lines of a model tell. @param {string[]} lines */
export function modelOf(lines) {
  const told = { model: {}, train: {}, generate: {}, batches: [] };
  for (const line of lines) {
    const [verb, ...words] = line.split(' ');
    if (verb === 'batch') told.batches.push(JSON.parse(words.join(' ')));
    else told[verb][words[0]] = JSON.parse(words.slice(1).join(' '));
  }
  return told;
}

const BLOCKS = ['values', 'm', 'v'];

async function runModel(gf, lines) {
  const { model: options, train: training, generate, batches } = modelOf(lines);
  const model = gf.model(options);
  const told = [];
  try {
    for (const batch of batches) {
      const run = model.forward(batch);
      run.backward();
      told.push(...bitsOf(run.tape.nodes));
      run.dispose();
    }
    for await (const { loss, gradientNorm, learningRate } of train(model, batches, training))
      told.push(`step ${hexOf(loss, gradientNorm, learningRate)}`);
    for (const parameter of model.parameters.values())
      told.push(`${parameter.name} ${BLOCKS.map((name) => hash(parameter.block(name))).join(' ')}`);
    const [{ source, target }] = batches;
    if (options.kind !== 'bert')
      told.push(`tokens ${model.generateSync((source ?? target)[0], generate)}`);
    return told;
  } finally {
    model.dispose();
  }
}

/** Whether the lines tell a model. @param {string[]} lines */
export const isModel = (lines) => /^(model|batch|train|generate) /.test(lines[0] ?? '');

/** A line for each node with hashes of its bits, and more of a model; or the one line that it is refused.
 * @param {any} gf @param {string[]} lines */
export async function runLines(gf, lines) {
  try {
    return isModel(lines) ? await runModel(gf, lines) : runTape(gf, lines);
  } catch (error) {
    return [`refused: ${error.message}`];
  }
}
