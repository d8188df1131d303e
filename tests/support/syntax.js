// The JavaScript of bindings/ and web/ as syntax trees, for the checks of `make lint`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const root = path.resolve(import.meta.dirname, '../..');

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/** @param {Node} node @returns {Node[]} */
export const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');

/** Every file, without what is generated. lineOf: the line of an offset.
 * @returns {{ file: string, source: string, program: Node, lineOf: (start: number) => number }[]} */
export const parsedFiles = () =>
  ['bindings', 'web']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true }).map((name) =>
        path.join(folder, String(name)),
      ),
    )
    .filter((file) => file.endsWith('.js') && !/generated|node_modules/.test(file))
    .map((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      const program = /** @type {Node} */ (/** @type {unknown} */ (parseAst(source)));
      const lineOf = (/** @type {number} */ start) => source.slice(0, start).split('\n').length;
      return { file, source, program, lineOf };
    });
