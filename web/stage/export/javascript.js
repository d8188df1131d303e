// The steps in JavaScript, by the glassformer package: the same core, and so the same bits.

/** @type {import('./snippet.js').Language} */
export const javascript = {
  name: 'javascript',
  comment: '//',
  imports: { gf: "import { load } from 'glassformer';\n\nconst gf = await load();" },
  assign: (name, expression) => `const ${name} = ${expression};`,
  literal: (_, list) => list,
  number: (value) => value,
  special: String,
  show: (label, name) => `console.log(${JSON.stringify(label)}, ${name});`,
};
