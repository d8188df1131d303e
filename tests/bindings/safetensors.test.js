import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readSafetensors, writeSafetensors } from '../../bindings/js/formats/safetensors.js';

/** A file of any header and data, right or wrong. */
function file(header, data = [], length) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(length ?? text.length));
  return new Uint8Array(Buffer.concat([prefix, text, Buffer.from(data)]));
}

/** A file with one tensor. */
const single = (dtype, shape, data, end = data.length) =>
  file({ x: { dtype, shape, data_offsets: [0, end] } }, data);

const bytesOf = (typed) => new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
const bitsOf = (floats) => [...new Uint32Array(floats.slice().buffer)];

const refused = (bytes, reason) =>
  assert.throws(
    () => readSafetensors(bytes),
    (error) => {
      assert.ok(error instanceof GlassformerError, String(error));
      assert.equal(error.code, 'GF_EFILE');
      assert.match(error.message, /^safetensors: /);
      assert.match(error.message, reason);
      assert.ok(error.message.length < 500, `${error.message.length} characters`);
      return true;
    },
  );

// ---- Round trip ----

const anyTensor = fc.array(fc.nat(3), { maxLength: 4 }).chain((shape) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return fc
    .uint32Array({ minLength: size, maxLength: size })
    .map((bits) => ({ shape, data: new Float32Array(bits.slice().buffer) }));
});
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '"\\\n', '\u{ffff}', '\u{10000}'),
);
const anyTensors = fc.uniqueArray(fc.tuple(anyText, anyTensor), { selector: ([name]) => name });
const anyMetadata = fc.array(fc.tuple(anyText, anyText)).map((all) => Object.fromEntries(all));

test('what is written is read again, bit for bit, whatever the names', () => {
  fc.assert(
    fc.property(anyTensors, anyMetadata, fc.nat(9), (tensors, metadata, shift) => {
      const written = writeSafetensors(tensors, metadata);
      /* Anywhere in a larger buffer: views must not depend on alignment. */
      const place = new Uint8Array(written.length + shift + 3).fill(0xab);
      place.set(written, shift);
      const read = readSafetensors(place.subarray(shift, shift + written.length));
      assert.deepEqual(Object.entries(read.metadata).sort(), Object.entries(metadata).sort());
      assert.equal(read.tensors.size, tensors.length);
      for (const [name, { shape, data }] of tensors) {
        const found = read.tensors.get(name);
        assert.equal(found.dtype, 'F32');
        assert.deepEqual(found.shape, shape);
        assert.deepEqual(bitsOf(found.data), bitsOf(data));
      }
    }),
    {
      numRuns: 300,
      examples: [[[['__proto__', { shape: [], data: new Float32Array([1]) }]], {}, 1]],
    },
  );
});

test('the order of the tensors changes no byte; they lie in the order of UTF-8', () => {
  fc.assert(
    fc.property(anyTensors, (tensors) => {
      const written = writeSafetensors(tensors, { b: '1', a: '2' });
      const backwards = writeSafetensors([...tensors].reverse(), { a: '2', b: '1' });
      assert.deepEqual(written, backwards);
      const names = [...readSafetensors(written).tensors.keys()];
      const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(names, sorted);
    }),
  );
});

test('the bytes are those of the format', () => {
  const written = writeSafetensors(
    [
      ['b', { shape: [2], data: new Float32Array([7, 1, -2, 7]).subarray(1, 3) }],
      ['a', { shape: [], data: new Float32Array([0.5]) }],
    ],
    { format: 'pt' },
  );
  const header =
    '{"__metadata__":{"format":"pt"},' +
    '"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},' +
    '"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}';
  const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
  assert.ok(padded.length > header.length);
  const numbers = Buffer.from('0000003f' + '0000803f' + '000000c0', 'hex');
  assert.deepEqual(written, file(padded, numbers));
});

test('what cannot be written is refused', () => {
  const one = { shape: [1], data: new Float32Array(1) };
  for (const [tensors, reason] of [
    [[['__metadata__', one]], /RangeError: .*"__metadata__": the format keeps this name/],
    [
      [
        ['x', one],
        ['x', one],
      ],
      /RangeError: .*"x": the name is given twice/,
    ],
    [[['\ud800', one]], /RangeError: .*name: .* is not valid Unicode/],
    [[[7, one]], /TypeError: .*name: expected a string, received 7/],
    [[['x', { shape: [1], data: [1] }]], /TypeError: .*Float32Array, received an array of 1/],
    [[['x', { shape: [2], data: one.data }]], /RangeError: .*\[2\] does not fit 1 numbers/],
    [[['x', { shape: [-1, -1], data: one.data }]], /TypeError: .*a shape such as/],
    [[['x', { shape: 1, data: one.data }]], /TypeError: .*received 1/],
    [[['x', { shape: Array(33).fill(1), data: one.data }]], /RangeError: .*does not fit/],
  ]) {
    assert.throws(
      () => writeSafetensors(tensors),
      (error) => reason.test(`${error.name}: ${error.message}`) || assert.fail(error.message),
    );
  }
  assert.throws(() => writeSafetensors([], { a: 1 }), /metadata.a: expected a string, received 1/);
  assert.throws(
    () => writeSafetensors([], { '\udfff': 'x' }),
    /key of metadata: .* is not valid Unicode/,
  );
});

// ---- Numbers ----

/** The value of a float of some exponent and fraction bits, by its definition. */
function naive(code, exponentBits, fractionBits) {
  const sign = code >> (exponentBits + fractionBits) ? -1 : 1;
  const exponent = (code >> fractionBits) % 2 ** exponentBits;
  const fraction = (code % 2 ** fractionBits) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 ** exponentBits - 1) return fraction ? Number.NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias);
  return sign * (1 + fraction) * 2 ** (exponent - bias);
}

for (const [dtype, exponentBits, fractionBits] of [
  ['F16', 5, 10],
  ['BF16', 8, 7],
]) {
  test(`all 65536 values of ${dtype} are read exactly`, () => {
    const codes = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const { data } = readSafetensors(single(dtype, [65536], bytesOf(codes))).tensors.get('x');
    assert.ok(data instanceof Float32Array);
    for (const code of codes) {
      const expected = naive(code, exponentBits, fractionBits);
      if (!Object.is(data[code], expected)) {
        assert.fail(`${code.toString(16)}: ${data[code]}, expected ${expected}`);
      }
    }
  });
}

test('F32 is read bit for bit, F64 rounded', () => {
  fc.assert(
    fc.property(fc.uint32Array(), (bits) => {
      const { data } = readSafetensors(single('F32', [bits.length], bytesOf(bits))).tensors.get(
        'x',
      );
      assert.deepEqual(bitsOf(data), [...bits]);
    }),
  );
  fc.assert(
    fc.property(fc.float64Array(), (numbers) => {
      const read = readSafetensors(single('F64', [numbers.length], bytesOf(numbers)));
      assert.deepEqual([...read.tensors.get('x').data], [...numbers].map(Math.fround));
    }),
  );
});

test('all kinds of integers become int32; what does not fit is refused', () => {
  for (const [dtype, Kind, low, high] of [
    ['I8', Int8Array, -128, 127],
    ['U8', Uint8Array, 0, 255],
    ['BOOL', Uint8Array, 0, 1],
    ['I16', Int16Array, -32768, 32767],
    ['U16', Uint16Array, 0, 65535],
    ['I32', Int32Array, -(2 ** 31), 2 ** 31 - 1],
    ['U32', Uint32Array, 0, 2 ** 31 - 1],
    ['I64', BigInt64Array, -(2 ** 31), 2 ** 31 - 1],
    ['U64', BigUint64Array, 0, 2 ** 31 - 1],
  ]) {
    const make = dtype.endsWith('64') ? BigInt : Number;
    const numbers = Kind.from([low, 1, high].map(make));
    const { data, ...rest } = readSafetensors(single(dtype, [3], bytesOf(numbers))).tensors.get(
      'x',
    );
    assert.deepEqual(data, Int32Array.from([low, 1, high]));
    assert.deepEqual(rest, { dtype, shape: [3] });
  }
  for (const [dtype, wide] of [
    ['U32', Uint32Array.of(0, 2 ** 31)],
    ['I64', BigInt64Array.of(0n, 2n ** 31n)],
    ['I64', BigInt64Array.of(0n, -(2n ** 31n) - 1n)],
    ['I64', BigInt64Array.of(0n, 2n ** 32n)],
    ['U64', BigUint64Array.of(0n, 2n ** 64n - 1n)],
  ]) {
    const reason = new RegExp(`tensor "x": element 1 is ${wide[1]}, beyond 32 bits`);
    refused(single(dtype, [2], bytesOf(wide)), reason);
  }
});

test('numbers that lie aligned are not copied, others are; Buffers too', () => {
  const written = writeSafetensors([['x', { shape: [1], data: new Float32Array([1]) }]]);
  const place = new Uint8Array(written.length + 1);
  place.set(written, 1);
  const shifted = Buffer.from(place.buffer, 1);
  for (const bytes of [written, written.buffer, shifted]) {
    assert.deepEqual([...readSafetensors(bytes).tensors.get('x').data], [1]);
  }
  assert.equal(readSafetensors(written).tensors.get('x').data.buffer, written.buffer);
  assert.notEqual(readSafetensors(shifted).tensors.get('x').data.buffer, place.buffer);
});

test('headers may have white space, escapes, tensors in any order, and nothing at all', () => {
  const text =
    ' { "b" : { "shape":[ 1 ],\n"data_offsets":[4 ,8],"dtype":"F32" } ,\t"\\u0061":' +
    '{"dtype":"\\u004632","shape":[],"data_offsets":[0,4]} }\r\n  ';
  const { tensors } = readSafetensors(file(text, bytesOf(new Float32Array([1, 2]))));
  assert.deepEqual(
    [...tensors].map(([name, { shape, data }]) => [name, shape, [...data]]),
    [
      ['b', [1], [2]],
      ['a', [], [1]],
    ],
  );
  assert.equal(readSafetensors(file('{}')).tensors.size, 0);
});

// ---- Hostile files ----

const entry = (dtype, shape, ...offsets) => ({ dtype, shape, data_offsets: offsets });
const four = [0, 0, 0, 0];

test('hostile headers are refused with the reason', () => {
  refused(new Uint8Array(7), /expected 8 bytes or more, received 7/);
  refused(new Uint8Array(), /received 0/);
  refused(file('{}', [], 3), /claims 3 bytes, but only 2 follow/);
  refused(file('{}', [], 100_000_000), /claims 100000000 bytes, but only 2 follow/);
  refused(file('{}', [], 100_000_001), /100000001 bytes; at most 100000000 are allowed/);
  refused(file('{}', [], 2n ** 64n - 1n), /18446744073709551615 bytes; at most/);
  refused(file('{}', [], 2n ** 32n + 2n), /4294967298 bytes; at most/);
  refused(file(''), /expected "\{" at character 0, received its end/);
  refused(file('{"x"'), /expected ":" at character 4, received its end/);
  refused(file('{}}'), /expected nothing more at character 2, received "}"/);
  refused(file('{}\0'), /expected nothing more/);
  refused(file('\ufeff{}'), /expected "\{" at character 0/);
  refused(file('<!doctype html>'), /expected "\{" at character 0, received "<!doctype html>"/);
  refused(file('{"a\nb":1}'), /expected a string of Unicode/);
  refused(file('{"\\ud800":1}'), /expected a string of Unicode/);
  refused(file('{"\\x":1}'), /expected a string of Unicode/);
  refused(file('{"abc'), /expected a string of Unicode at character 1, received "\\"abc"/);
  refused(file('{"abc\\'), /expected a string of Unicode/);
  refused(file("{'x':1}"), /expected a string/);
  refused(file('{"x":1}'), /expected "\{" at character 5, received "1}"/);
  const broken = file('{"xx":{}}');
  broken[10] = 0xff;
  refused(broken, /not valid UTF-8/);
});

test('deep nesting is refused where it begins', () => {
  for (const nest of ['[', '{"x":']) {
    const deep = nest.repeat(1_000_000);
    refused(file(deep), /expected "\{" at character|tensor "x": unknown key "x"/);
    refused(file(`{"x":{"dtype":${deep}`), /expected a string at character 14/);
    refused(file(`{"x":{"shape":[${deep}`), /expected an integer .* at character 15, received/);
    refused(file(`{"__metadata__":{"x":${deep}`), /expected a string at character 21/);
    refused(file(`{"x":{"more":${deep}`), /tensor "x": unknown key "more"/);
  }
});

test('keys given twice are refused, however they are spelt', () => {
  const x = JSON.stringify(entry('F32', [1], 0, 4));
  refused(file(`{"x":${x},"x":${x}}`, four), /header: the key "x" is given twice/);
  refused(file(`{"x":${x},"\\u0078":${x}}`, four), /header: the key "x" is given twice/);
  refused(file(`{"__proto__":${x},"__proto__":${x}}`, four), /key "__proto__" is given twice/);
  refused(file('{"__metadata__":{"a":"1","a":"2"}}'), /__metadata__: the key "a" is given twice/);
  refused(file('{"__metadata__":{},"__metadata__":{}}'), /the key "__metadata__" is given twice/);
  refused(
    file('{"x":{"dtype":"F32","dtype":"F16"}}'),
    /tensor "x": the key "dtype" is given twice/,
  );
  const long = 'y'.repeat(100_000);
  refused(file(`{"${long}":${x},"${long}":${x}}`, four), /the key "y+" is given twice/);
});

test('tensors with __proto__ in their names and entries do no harm', () => {
  const { tensors, metadata } = readSafetensors(
    file(
      `{"__metadata__":{"__proto__":"x"},"__proto__":${JSON.stringify(entry('F32', [1], 0, 4))}}`,
      four,
    ),
  );
  assert.deepEqual([...tensors.keys()], ['__proto__']);
  assert.deepEqual(Object.entries(metadata), [['__proto__', 'x']]);
  assert.equal({}.shape, undefined);
  refused(file('{"x":{"__proto__":{"dtype":"F32"}}}'), /tensor "x": unknown key "__proto__"/);
  refused(single('__proto__', [], []), /dtype: expected one of F64, F32, .* received "__proto__"/);
  refused(single('constructor', [], []), /dtype: expected one of .* received "constructor"/);
});

test('entries that are no entries are refused', () => {
  refused(file({ x: {} }), /tensor "x": expected all of dtype, shape, data_offsets/);
  refused(file({ x: { dtype: 'F32', data_offsets: [0, 4] } }, four), /expected all of/);
  refused(file({ x: { dtype: 'F32', shape: [1] } }, four), /expected all of/);
  refused(file({ x: entry('F32', [1], 0) }, four), /expected all of/);
  refused(
    file({ x: entry('F32', [1], 0, 4, 4) }, four),
    /data_offsets: expected at most 2 numbers/,
  );
  refused(
    file({ x: { shape: [1], data_offsets: [0, 4] } }, four),
    /dtype: expected one of .* received ""/,
  );
  refused(single('F8_E4M3', [4], four), /dtype: expected one of .* received "F8_E4M3"/);
  refused(single('f32', [1], four), /dtype: expected one of .* received "f32"/);
  refused(single('F32', Array(33).fill(1), four), /shape: expected at most 32 numbers/);
  refused(file({ x: { dtype: 7 } }), /expected a string/);
  refused(file({ __metadata__: { a: 1 } }), /expected a string/);
  refused(file({ __metadata__: [] }), /expected "\{"/);
  for (const bad of ['-1', '-0', '1.0', '1e1', '01', '9007199254740992', '1e400', '"1"', 'null']) {
    const expected = /expected an integer from 0 to 2\^53 - 1 at character \d+, received/;
    refused(file(`{"x":{"shape":[${bad}]}}`), expected);
    refused(file(`{"x":{"data_offsets":[0,${bad}]}}`), expected);
  }
});

test('sizes that do not fit, or wrap, are refused', () => {
  refused(single('F32', [2], four), /F32 \[2\] takes 8 bytes, data_offsets are \[0,4\]/);
  refused(single('U8', [3], four), /U8 \[3\] takes 3 bytes, data_offsets are \[0,4\]/);
  refused(file({ x: entry('F32', [1], 4, 0) }, four), /takes 4 bytes, data_offsets are \[4,0\]/);
  refused(single('F32', [2 ** 30, 1], []), /takes 4294967296 bytes, data_offsets are \[0,0\]/);
  refused(single('F32', [2 ** 31, 2 ** 31], []), /shape \[2147483648,2147483648\] is too large/);
  refused(single('F32', [2 ** 32, 2 ** 32, 0], []), /is too large/);
  refused(single('U8', [2 ** 53 - 1, 2], []), /is too large/);
});

test('overlaps, holes, ends beyond the file and trailing bytes are refused', () => {
  const two = (a, b, data) =>
    file({ a: entry('U8', [a[1] - a[0]], ...a), b: entry('U8', [b[1] - b[0]], ...b) }, data);
  refused(two([0, 4], [2, 4], four), /"b": begins at byte 2, inside the tensor before it/);
  refused(two([0, 4], [0, 4], four), /begins at byte 0, inside/);
  refused(two([0, 4], [2, 2], four), /"b": begins at byte 2, inside/);
  refused(two([0, 1], [2, 4], four), /"b": begins at byte 2, after a hole from byte 1 on/);
  refused(two([1, 2], [2, 4], four), /"a": begins at byte 1, after a hole from byte 0 on/);
  refused(
    two([2 ** 53 - 1, 2 ** 53 - 1], [0, 4], four),
    /"a": begins at byte 9007199254740991, after/,
  );
  refused(single('U8', [5], four, 5), /"x": ends at byte 5, but the data end at 4/);
  refused(two([0, 1], [1, 3], four), /1 bytes trail after the last tensor/);
  refused(file('{}', [0]), /1 bytes trail/);
  assert.equal(readSafetensors(two([0, 0], [0, 4], four)).tensors.get('a').data.length, 0);
  assert.equal(readSafetensors(two([4, 4], [0, 4], four)).tensors.size, 2);
  assert.equal(readSafetensors(two([0, 4], [0, 0], four)).tensors.size, 2);
});

test('any other file is read or refused, never anything else', () => {
  const good = writeSafetensors(
    [
      ['a', { shape: [2], data: new Float32Array([1, 2]) }],
      ['b', { shape: [], data: new Float32Array([3]) }],
    ],
    { format: 'pt' },
  );
  const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 3 });
  const outcome = (bytes) => {
    try {
      readSafetensors(bytes);
    } catch (error) {
      assert.ok(error instanceof GlassformerError, error.stack);
    }
  };
  fc.assert(
    fc.property(changes, fc.nat(good.length), (changed, length) => {
      const bytes = good.slice();
      for (const [at, value] of changed) bytes[at] = value;
      outcome(bytes);
      outcome(bytes.subarray(0, length));
    }),
    { numRuns: 2000 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => outcome(file(text))));
});

test('what is no file is a TypeError', () => {
  for (const wrong of [undefined, 'x', [1], new Float32Array(4), new SharedArrayBuffer(8)]) {
    assert.throws(
      () => readSafetensors(wrong),
      /expected an ArrayBuffer or a Uint8Array, received/,
    );
  }
});
