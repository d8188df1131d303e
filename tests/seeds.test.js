// The seeds of the fuzzer: each opens, or is refused as a file, here and in Python.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readSafetensors } from '../bindings/js/formats/safetensors.js';
import { openCheckpoint } from '../bindings/models.js';
import { python } from './support/python.js';
import { GGUF, LLAMA2C, SAFETENSORS } from './support/seeds.js';

const root = path.join(import.meta.dirname, '..');

/** Null, or the reason. @param {() => unknown} open */
async function refusal(open) {
  try {
    await open();
    return null;
  } catch (error) {
    assert.equal(error.code, 'GF_EFILE', error.stack);
    return error.message;
  }
}

const SETS = {
  gguf: [GGUF, (/** @type {Uint8Array} */ file) => openCheckpoint(file)],
  bin: [LLAMA2C, (/** @type {Uint8Array} */ file) => openCheckpoint(file)],
  safetensors: [SAFETENSORS, (/** @type {Uint8Array} */ file) => readSafetensors(file, 'seed')],
};

for (const [kind, [seeds, open]] of Object.entries(SETS)) {
  test(`${kind}: what its format allows opens, all else is refused`, async () => {
    for (const [name, [file, opens]] of Object.entries(seeds)) {
      const reason = await refusal(() => open(file));
      assert.equal(reason === null, opens, `${name}: ${reason ?? 'opened'}`);
    }
  });
}

test('Python opens the same files, and refuses the others', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gf-seeds-'));
  try {
    const expected = {};
    for (const [kind, [seeds, open]] of Object.entries(SETS)) {
      for (const [i, [name, [file]]] of Object.entries(seeds).entries()) {
        const own = `${i}.${kind}`;
        writeFileSync(path.join(folder, own), file);
        expected[own] = [name, await refusal(() => open(file))];
      }
    }
    const code = `
import json, sys, warnings
from pathlib import Path
import numpy as np
import glassformer as gf
from glassformer._safetensors import read_tensors
warnings.simplefilter("ignore")
said = {}
for file in sorted(Path(sys.argv[1]).iterdir()):
    try:
        if file.suffix == ".safetensors":
            read_tensors(np.frombuffer(file.read_bytes(), np.uint8))
        else:
            gf.open(file)
        said[file.name] = None
    except gf.GlassformerError as error:
        said[file.name] = str(error)
print(json.dumps(said))`;
    const run = spawnSync(python, ['-c', code, folder], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: path.join(root, 'build/python') },
    });
    assert.equal(run.status, 0, run.stderr);
    for (const [own, said] of Object.entries(JSON.parse(run.stdout))) {
      const [name, reason] = expected[own];
      assert.equal(
        said === null,
        reason === null,
        `${own} ${name}: ${said ?? 'opened'}, ${reason}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
