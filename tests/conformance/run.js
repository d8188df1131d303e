// Computes published cases through the public API: node tests/conformance/run.js DIR...
// Prints a line per op, names what fails and why, ends with a line 'N passed, M failed'.
import { load } from '../../bindings/index.js';
import { runFolder } from './folder.js';

const folders = process.argv.slice(2);
if (!folders.length) {
  console.error('usage: node tests/conformance/run.js DIR...');
  process.exit(2);
}

const gf = await load();
const results = folders.flatMap((folder) => runFolder(gf, folder));

const ops = new Map();
for (const result of results) {
  const op = ops.get(result.op) ?? { total: 0, passed: 0, error: 0 };
  op.total += 1;
  op.passed += result.problem ? 0 : 1;
  op.error = Math.max(op.error, result.error);
  ops.set(result.op, op);
}
const width = Math.max(0, ...[...ops.keys()].map((op) => op.length));
for (const [op, { total, passed, error }] of ops) {
  const count = `${passed}/${total}`.padStart(7);
  console.log(`${op.padEnd(width)} ${count}   largest error ${error.toExponential(1)}`);
}
const failures = results.filter(({ problem }) => problem);
for (const { file, name, problem } of failures) console.log(`FAILED ${file}: ${name}: ${problem}`);
console.log(`${results.length - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length || !results.length ? 1 : 0;
