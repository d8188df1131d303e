// Declarations with a name that says nothing of the thing. `node tests/declarations.js [WORD...]` counts them, prints those in files
// whose path contains each word, and exits 1 where a name is declared more often than LIMITS says.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);

/** Names that need the code around them to be understood (`options`, `cached`, `match`, `index` say what is meant), and how often
 * each may be declared. Those that are left take apart a public field or option of that name. Lower a limit where fewer are left.
 * @type {Record<string, number>} */
const LIMITS = { told: 0, own: 0, given: 11, known: 0, found: 0, at: 10 };

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/** @param {Node} node @returns {Node[]} */
const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');

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

const files = ['bindings', 'web'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => name.endsWith('.js') && !/generated|node_modules/.test(name))
    .filter((name) => words.every((word) => name.includes(word))),
);
const declared = files.flatMap((file) => {
  const source = readFileSync(path.join(root, file), 'utf8');
  const program = /** @type {Node} */ (/** @type {unknown} */ (parseAst(source)));
  return declarationsOf(program)
    .filter(({ name }) => Object.hasOwn(LIMITS, name))
    .map(({ name, start }) => ({
      name,
      place: `${file}:${source.slice(0, start).split('\n').length}`,
    }));
});
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
