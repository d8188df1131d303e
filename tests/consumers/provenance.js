// Where the WebAssembly comes from: two clean builds, in two folders, give the bytes that are packed.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const FILES = ['build/wasm/glassformer.wasm'];

const hashes = (folder) =>
  FILES.map((file) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex'),
  );

/** Builds the core from its sources alone, in a folder with a path of its own length.
 * @param {string} name
 * @param {(folder: string, program: string, ...args: string[]) => Promise<string>} run */
async function build(name, run) {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  try {
    for (const part of [
      'Makefile',
      'package.json',
      'src',
      'bindings/js/runtime/exports.txt',
      '.ci',
    ]) {
      cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
    }
    await run(folder, 'make', '-j2', '-o', 'build/npm', ...FILES);
    return hashes(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The hash of each file if every build agrees; else an error that tells who has which.
 * @param {(folder: string, program: string, ...args: string[]) => Promise<string>} run */
export async function provenance(run) {
  const packed = hashes(root);
  for (const name of ['a-', 'a-folder-with-a-longer-name-']) {
    const built = await build(name, run);
    for (const [i, hash] of built.entries()) {
      if (hash === packed[i]) continue;
      const stale = 'objects of other flags are left from earlier builds, if make clean cures it';
      throw new Error(`${FILES[i]} is ${packed[i]}, but ${hash} where it is built anew: ${stale}`);
    }
  }
  return packed;
}
