// The command line without a process: words in, what it wrote and its exit status out.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { run } from '../../../bindings/cli/index.js';

export const cli = fileURLToPath(new URL('../../../bindings/cli/bin.js', import.meta.url));

/** What is written here is kept.
 * @param {object} [kind] isTTY, columns, hasColors; or another write */
export function output(kind = {}) {
  return {
    text: '',
    write(text, done) {
      this.text += text;
      done();
    },
    ...kind,
  };
}

async function* bytesOf(parts) {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

/** @param {string[]} args
 * @param {{ input?: string | (string | Uint8Array)[], stdout?: object, stderr?: object, signal?: AbortSignal }} [streams]
 *   input in the parts in which it comes */
export async function call(args, { input = [], stdout = {}, stderr = {}, signal } = {}) {
  const [out, err] = [output(stdout), output(stderr)];
  const stdin = bytesOf([input].flat());
  const status = await run(args, { stdin, stdout: out, stderr: err, signal });
  return { status, stdout: out.text, stderr: err.text };
}

/** What a call writes that has nothing to complain about.
 * @param {string[]} args */
export async function succeeds(...args) {
  const { status, stdout, stderr } = await call(args);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout;
}

/** Holds a refusal to its form: one line, nothing else.
 * @param {string[]} args @param {number} status @param {RegExp} pattern @param {object} [streams] */
export async function refuses(args, status, pattern, streams) {
  const told = await call(args, streams);
  assert.match(told.stderr, /^glassformer: [^\n]+\n$/, 'one line');
  assert.match(told.stderr, pattern);
  assert.equal(told.stdout, '');
  assert.equal(told.status, status);
}
