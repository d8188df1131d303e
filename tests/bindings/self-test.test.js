// The self-test of a loaded core: it passes on every build, and one bit that differs fails it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GlassformerError, load } from '../../bindings/index.js';
import { selfTest } from '../../bindings/js/self-test/index.js';
import { BUILDS } from '../support/builds.js';

const golden = readFileSync(new URL('../golden.txt', import.meta.url), 'utf8');
const bits = /^training (\w+)$/m.exec(golden)[1];

for (const [build, options] of Object.entries(BUILDS)) {
  test(`the ${build} core has the bits of the native library`, async () => {
    await selfTest(await load(options));
  });
}

test('one bit of one number is enough to fail', async () => {
  const gf = await load();
  const off = {
    ...gf,
    model(options) {
      const model = gf.model(options);
      const { data } = model.parameters.get('decoder.layers.1.linear2.weight');
      new Uint32Array(data.buffer, data.byteOffset)[7] ^= 1;
      return model;
    },
  };
  await assert.rejects(selfTest(off), (error) => {
    assert.ok(error instanceof GlassformerError);
    assert.equal(error.code, 'GF_EBITS');
    assert.equal(error.params.expected, bits);
    assert.match(error.message, /^selfTest: expected the bits \w{16}, received \w{16}/);
    return true;
  });
  await selfTest(gf);
});

test('a core that is not loaded yet is noticed', async () => {
  await assert.rejects(selfTest(load()), /await/);
});
