// Functions that are too long or branch too often. Prints each, and exits 1 if there is one. A function whose body is one table of functions (`(engine) => ({ … })`) is judged by its parts.
import { childrenOf, parsedFiles } from './support/syntax.js';

/** Lines of code, without comments and blank lines. */
const MAX_LINES = 60;
/** Ways through a function: 1, and 1 more for each branch (cyclomatic complexity). */
const MAX_COMPLEXITY = 15;

const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
  'LogicalExpression',
]);

/** @typedef {import('./support/syntax.js').Node} Node */

/** @param {Node} node */
const isFunction = ({ type }) =>
  type === 'FunctionDeclaration' ||
  type === 'FunctionExpression' ||
  type === 'ArrowFunctionExpression';

/** Methods of a table or of what a factory returns are functions of their own. @param {Node} node */
const isTable = ({ body }) => {
  const last = body.type === 'BlockStatement' ? body.body.at(-1)?.argument : body;
  return (
    last?.type === 'ObjectExpression' &&
    last.properties.some((/** @type {Node} */ { value }) => value && isFunction(value))
  );
};

/** @param {Node} node @returns {number} */
const branchesOf = (node) =>
  (BRANCHES.has(node.type) || (node.type === 'SwitchCase' && node.test) ? 1 : 0) +
  childrenOf(node)
    .filter((child) => !isFunction(child))
    .reduce((sum, child) => sum + branchesOf(child), 0);

/** Lines that are neither blank nor a comment. @param {string} code */
const linesOf = (code) =>
  code.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

/** @param {ReturnType<typeof parsedFiles>[number]} parsed */
function problemsOf({ file, source, program, lineOf }) {
  /** @type {string[]} */
  const problems = [];
  /** @param {Node} node @param {string} name */
  const visit = (node, name) => {
    if (isFunction(node)) {
      const called = node.id?.name ?? name;
      const where = `${file}:${lineOf(node.start)}: ${called}`;
      const lines = linesOf(source.slice(node.start, node.end));
      const complexity = 1 + branchesOf(node.body);
      if (lines > MAX_LINES && !isTable(node)) {
        problems.push(`${where} has ${lines} lines of code`);
      }
      if (complexity > MAX_COMPLEXITY) {
        problems.push(`${where} has a complexity of ${complexity}`);
      }
    }
    const within = node.id?.name ?? node.key?.name ?? name;
    for (const child of childrenOf(node)) visit(child, within);
  };
  visit(program, 'module');
  return problems;
}

const files = parsedFiles();
const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} functions that are too large`);
process.exitCode = problems.length ? 1 : 0;
