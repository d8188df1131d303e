// Declarations with a name that says nothing of the thing. `node tests/declarations.js [WORD...]` counts them, prints those in files
// whose path contains each word, and exits 1 where a name is declared more often than LIMITS says.
import { childrenOf, parsedFiles } from './support/syntax.js';

const words = process.argv.slice(2);

/** Names that need the code around them to be understood (`options`, `cached`, `match`, `index` say what is meant), and how often
 * each may be declared. Those that are left take apart a public field or option of that name. Lower a limit where fewer are left.
 * @type {Record<string, number>} */
const LIMITS = { told: 0, own: 0, given: 11, known: 0, found: 0, at: 10 };

/** @typedef {import('./support/syntax.js').Node} Node */

/** The identifiers that a pattern declares. @param {Node | null} pattern @returns {Node[]} */
const declaredBy = (pattern) => {
  if (!pattern) return [];
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'AssignmentPattern') return declaredBy(pattern.left);
  if (pattern.type === 'RestElement') return declaredBy(pattern.argument);
  if (pattern.type === 'Property') return declaredBy(pattern.value);
  return childrenOf(pattern).flatMap(declaredBy);
};

/** @param {Node} node @returns {Node[]} */
const declarationsOf = (node) => [
  ...(node.type === 'VariableDeclarator' ? declaredBy(node.id) : []),
  ...(node.type === 'FunctionDeclaration' ? declaredBy(node.id) : []),
  ...(node.type === 'CatchClause' ? declaredBy(node.param) : []),
  ...(Array.isArray(node.params) ? node.params.flatMap(declaredBy) : []),
  ...childrenOf(node).flatMap(declarationsOf),
];

const declared = parsedFiles()
  .filter(({ file }) => words.every((word) => file.includes(word)))
  .flatMap(({ file, program, lineOf }) =>
    declarationsOf(program)
      .filter(({ name }) => Object.hasOwn(LIMITS, name))
      .map(({ name, start }) => ({ name, place: `${file}:${lineOf(start)}` })),
  );
const names = Object.entries(LIMITS).map(([name, limit]) => {
  const places = declared.filter((one) => one.name === name).map(({ place }) => place);
  return { name, limit, places };
});
for (const { name, limit, places } of names) {
  if (words.length) for (const place of places) console.log(`${place}: ${name}`);
  else if (places.length > limit) {
    console.error(`${name} is declared ${places.length} times, at most ${limit} are allowed:`);
    for (const place of places) console.error(`  ${place}`);
    process.exitCode = 1;
  }
}
console.log(names.map(({ name, places }) => `${name} ${places.length}`).join(', '));
