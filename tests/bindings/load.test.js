import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GlassformerError, load } from '../../bindings/index.js';

const wasm = readFileSync(new URL('../../bindings/generated/glassformer.wasm', import.meta.url));

const unfit = (pattern) => (error) => {
  assert.ok(error instanceof GlassformerError, String(error));
  assert.equal(error.code, 'GF_EMODULE');
  assert.match(error.message, pattern);
  return true;
};

/** A module with one function of no argument that returns an i32, exported as gf_abi. */
const moduleOfAbi = (abi) =>
  new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f],
    ...[0x03, 0x02, 0x01, 0x00],
    ...[0x07, 0x0a, 0x01, 0x06, ...Buffer.from('gf_abi'), 0x00, 0x00],
    ...[0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, abi, 0x0b],
  ]);

/* Before the first load, for what is unpacked once is not compiled again. */
test('where a policy refuses WebAssembly, the message says which word is missing', async (t) => {
  const refuse = async () => {
    throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
  };
  t.mock.method(WebAssembly, 'compile', refuse);
  t.mock.method(WebAssembly, 'instantiate', refuse);
  for (const options of [{}, { module: wasm }]) {
    await assert.rejects(
      load(options),
      unfit(/WebAssembly is refused here; a policy must allow 'wasm-unsafe-eval' \(Wasm code/),
    );
  }
});

for (const [title, options] of [
  ['the default', undefined],
  ['simd: true', { simd: true }],
  ['the bytes of the module', { module: wasm }],
  ['an ArrayBuffer', { module: new Uint8Array(wasm).buffer }],
  ['a compiled module', { module: new WebAssembly.Module(wasm) }],
]) {
  test(`load takes ${title}`, async () => {
    const gf = await load(options);
    assert.deepEqual(gf.matmul([[1, 2]], [[3], [4]]), [[11]]);
  });
}

test('an engine without SIMD is told so, and which ones have it', async (t) => {
  t.mock.method(WebAssembly, 'validate', () => false);
  t.mock.method(WebAssembly, 'compile', async () => {
    throw new WebAssembly.CompileError('Wasm SIMD unsupported');
  });
  const other = new Uint8Array(wasm);
  for (const options of [undefined, { simd: true }, { module: other }]) {
    await assert.rejects(load(options), unfit(/no WebAssembly SIMD.*Safari 17/));
  }
});

test('the build without SIMD that earlier versions held is refused by name', async () => {
  await assert.rejects(load({ simd: false }), (error) => {
    assert.ok(error instanceof RangeError);
    assert.match(error.message, /^load: simd: every build needs SIMD: leave simd out/);
    return true;
  });
});

test('bytes that are not wasm: the message says what came', async () => {
  const page = new TextEncoder().encode('<!DOCTYPE html><title>Not found</title>');
  await assert.rejects(
    load({ module: page }),
    unfit(/the 39 bytes are not WebAssembly: they begin with "<!DOCTYPE html>.*an HTML page/),
  );
  await assert.rejects(load({ module: new ArrayBuffer(0) }), unfit(/0 bytes.*they are empty/));
  await assert.rejects(load({ module: wasm.subarray(0, 5000) }), unfit(/the 5000 bytes are not/));
});

test('a wasm module of somebody else, or of another version, is refused by name', async () => {
  const empty = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
  await assert.rejects(load({ module: empty }), unfit(/the module is not glassformer's/));
  await assert.rejects(
    load({ module: moduleOfAbi(9) }),
    unfit(/the module has ABI 9, this JavaScript needs \d/),
  );
});

test('wrong options are refused with the value received', async () => {
  await assert.rejects(load({ sim: true }), /load: unknown option "sim" \(did you mean "simd"\?\)/);
  await assert.rejects(load({ simd: 1 }), /load: simd: expected true or false, received 1/);
  await assert.rejects(load({ module: 'core.wasm' }), /received "core.wasm"/);
  await assert.rejects(load({ module: null }), /received null/);
  await assert.rejects(load(7), /load: expected an object of options, received 7/);
});

test('two loads are two cores: their tensors do not mix', async () => {
  const [one, two] = await Promise.all([load(), load()]);
  const x = one.tape().input('x', [2]);
  assert.throws(
    () => two.tape().softmax(x, 'y'),
    /softmax: x: the tensor "x" belongs to another tape/,
  );
});
