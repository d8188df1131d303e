// Declarations with a name that says nothing of the thing. `node tests/declarations.js [WORD...]` prints those in files whose path
// contains each word, and exits 1 where a folder has more than it may.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);

/** Names that need the code around them to be understood: `options`, `cached`, `match`, `index` say what is meant. */
const VAGUE = ['told', 'own', 'given', 'known', 'found', 'at'];

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
/** @type {Record<string, number>} */
const counts = Object.fromEntries(VAGUE.map((name) => [name, 0]));
for (const file of files) {
  const source = readFileSync(path.join(root, file), 'utf8');
  for (const { name, start } of declarationsOf(
    /** @type {Node} */ (/** @type {unknown} */ (parseAst(source))),
  )) {
    if (!VAGUE.includes(name)) continue;
    counts[name]++;
    if (words.length) console.log(`${file}:${source.slice(0, start).split('\n').length}: ${name}`);
  }
}
console.log(VAGUE.map((name) => `${name} ${counts[name]}`).join(', '));
