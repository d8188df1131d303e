// What is taken away of an experiment: its numbers as a table, and a program that computes them again.
import { csvOf } from '../../bindings/base/csv.js';

/** @typedef {import('./experiments.js').Asked} Asked */
/** @typedef {import('./experiments.js').Told} Told */

/**
 * Every number, one a line: the parts of the sum and what they come to, the value without each head, the likeliest words.
 * @param {Told} told
 */
export function csv({ sum, alone, best, after }) {
  const lines = [
    ['what', 'name', 'value'],
    ...sum.parts.map(({ name, value }) => ['part', name, value]),
    ['check', 'sum of the parts', sum.sum],
    ['check', 'total of the core', sum.total],
    ['check', 'bound', sum.bound],
    ...alone.flatMap((row, layer) =>
      row.map((value, head) => ['without', `layer ${layer} head ${head}`, value]),
    ),
    ['without', 'the heads that are off', after],
    ...best.flatMap(({ word, before, after: then }) => [
      ['probability', word, before],
      ['probability without the heads that are off', word, then],
    ]),
  ];
  return csvOf(lines);
}

/** What the program needs, by where it comes from. */
const IMPORTS = Object.entries({
  'node:fs/promises': 'readFile',
  glassformer: 'load',
  'glassformer/inside': 'ablate, logitAttribution',
  'glassformer/stories': 'storyInputs, trained, vocabulary',
})
  .map(([entry, names]) => `import { ${names} } from '${entry}';`)
  .join('\n');

/**
 * A program for Node that prints the same numbers.
 * @param {Asked} asked
 * @param {Pick<Told, 'word'>} told
 */
export function javascript({ prompt, instead, off, other }, { word }) {
  const said = (/** @type {unknown} */ value) => JSON.stringify(value);
  const value = other === null ? said('zero') : `{ run: storyInputs(${said(other)}) }`;
  const words = instead === '' ? [word] : [word, instead];
  const names = instead === '' ? 'token' : 'token, against';
  const kind = instead === '' ? 'logit' : 'difference';
  return `${IMPORTS}

const gf = await load();
const file = new URL(import.meta.resolve('glassformer/models/stories.safetensors'));
const model = trained(gf, await readFile(file));
const inputs = storyInputs(${said(prompt)});
const [${names}] = vocabulary.encode(${said(words)});

const { parts, sum, total, bound } = await logitAttribution(model, inputs, { ${names} });
console.table(parts.map(({ name, value }) => ({ name, value })));
console.log({ sum, total, bound });

const value = ${value};
const metric = { kind: '${kind}', ${names} };
const { grid, check } = await ablate(model, inputs, { each: 'head', value, metric });
console.table(grid.values);
const { after } = await ablate(model, inputs, { at: ${said(off)}, value, metric });
console.log({ after, check });
`;
}
