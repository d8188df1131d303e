// Every case of the JSON files in a folder, computed and compared.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { difference } from './compare.js';
import { goldPairs } from './gold/index.js';
import { onnxPairs } from './onnx/index.js';

/** A value that was computed beside the published one; tolerance: the op's own.
 * @typedef {object} Pair
 * @property {string} what
 * @property {any} actual
 * @property {any} expected
 * @property {import('./compare.js').Tolerance} [tolerance]
 */

/** @typedef {{ file: string, op: string, name: string, error: number, problem: string | null }} Result */

/** @param {any} gf @param {string} folder
 * @returns {Result[]} */
export function runFolder(gf, folder) {
  let names;
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    return [malformed(folder, error)];
  }
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (!files.length) return [malformed(folder, new Error('there is no JSON file'))];
  return files.flatMap((name) => runFile(gf, path.join(folder, name)));
}

/** @param {string} file @param {unknown} error */
const malformed = (file, error) => failed(file, 'malformed file', path.basename(file), error);

/** @param {string} file @param {string} op @param {string} name @param {unknown} error
 * @returns {Result} */
const failed = (file, op, name, error) => ({
  file,
  op,
  name,
  error: 0,
  problem: error instanceof Error ? error.message : String(error),
});

/** @param {any} gf @param {string} file
 * @returns {Result[]} */
function runFile(gf, file) {
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(content?.cases) || !content.cases.length) {
      throw new Error('there is no list of cases');
    }
  } catch (error) {
    return [malformed(file, error)];
  }
  return content.cases.map((given, i) => runCase(gf, file, content, given, i));
}

/** @param {any} gf @param {string} file @param {any} content @param {any} given @param {number} i
 * @returns {Result} */
function runCase(gf, file, content, given, i) {
  const isOnnx = Array.isArray(given?.inputs) && Array.isArray(given?.outputs);
  const op = given?.op ?? (isOnnx ? content.op : (given?.opt ?? given?.model)) ?? 'malformed case';
  const name = String(given?.name ?? `case ${i}`);
  try {
    if (op === 'malformed case') throw new Error('it names no op');
    const pairs = isOnnx ? onnxPairs(gf, { ...given, op }) : goldPairs(gf, given, content);
    if (!pairs.length) throw new Error('it expects nothing');
    const tolerance = given.tolerance ?? content.tolerance;
    const found = pairs.map((pair) => difference(pair, tolerance));
    const problem = found.find((one) => one.problem)?.problem ?? null;
    return { file, op, name, error: Math.max(...found.map(({ error }) => error)), problem };
  } catch (error) {
    return failed(file, op, name, error);
  }
}
