// Runs exported programs, and reads the variables that they leave behind.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { python } from '../support/python.js';

const root = new URL('../../', import.meta.url);
const path = (name) => fileURLToPath(new URL(name, root));

/** Runs a program to its end; what it wrote, or null if it failed. */
function output(program, args) {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 30 };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { ok: status === 0, stdout, stderr };
}

/** Writes programs into a fresh folder, where the package's own name leads to it. */
function write(name, programs, extension) {
  const folder = path(`build/${name}/`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return programs.map((text, at) => {
    const file = `${folder}${at}.${extension}`;
    writeFileSync(file, text);
    return file;
  });
}

/** Numbers that JSON lacks, or does not write, as strings. */
const special = { Infinity, '-Infinity': -Infinity, NaN, '-0': -0 };
const revive = (_, value) => (Object.hasOwn(special, value) ? special[value] : value);

const PYTHON = `
import contextlib, io, json, runpy, sys
import numpy as np

np.seterr(all="ignore")

def plain(x):
    if isinstance(x, list):
        return [plain(y) for y in x]
    if isinstance(x, float) and not np.isfinite(x):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(x)]
    return x

for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        found = runpy.run_path(path)
    arrays = {k: v for k, v in found.items() if isinstance(v, np.ndarray)}
    print(json.dumps({
        "printed": printed.getvalue(),
        "values": {k: plain(v.tolist()) for k, v in arrays.items()},
        "types": {k: str(v.dtype) for k, v in arrays.items()},
    }))
`;

/** What each Python program leaves: { printed, values: { variable: nested }, types }. */
export function runPython(programs) {
  const files = write('numpy', programs, 'py');
  const { ok, stdout, stderr } = output(python, ['-c', PYTHON, ...files]);
  if (!ok) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, revive));
}

const JAVASCRIPT = `
const print = console.log;
const special = (_, x) => Object.is(x, -0) ? '-0' : typeof x === 'number' && !Number.isFinite(x) ? String(x) : x;
for (const file of process.argv.slice(1)) {
  const printed = [];
  console.log = (...words) => printed.push(words);
  const { values } = await import(file);
  print(JSON.stringify({ printed, values }, special));
}
`;

/** The same of JavaScript programs; `variables` are those to read, one list per program. */
export function runJavaScript(programs, variables) {
  const ends = variables.map((names) => `export const values = { ${names.join(', ')} };\n`);
  const files = write(
    'javascript',
    programs.map((text, at) => text + ends[at]),
    'mjs',
  );
  const { ok, stdout, stderr } = output(process.execPath, [
    '--input-type=module',
    '-e',
    JAVASCRIPT,
    '--',
    ...files,
  ]);
  if (!ok) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, revive));
}
