// What the README shows, and what is wrong.

import { load, examples, explain, sentence, traceExample, GlassformerError } from 'glassformer';
import type { Example, Explanation, Tape, Tensor, Trace } from 'glassformer';
const gf = await load({ simd: true });
const rows: number[][] = gf.softmax([[1, 2]]);
const plain: Float32Array = gf.linear({ data: [1], shape: [1, 1] }, [[1]], null).data;
const { output } = gf.attention({ q: [[1]], k: [[1]], v: [[1]], heads: 1, mask: [[true]] });
const tape: Tape = gf.tape();
const x: Tensor = tape.input('x', [2, 2]);
tape.attention({ query: x, key: x, value: x, causal: true }, 'a');
tape.plan();
tape.forward('x', tape.find('a.output'));
x.set(rows);
tape[Symbol.dispose]();
const example: Example = sentence('a b', { heads: 2 });
const edits = [{ node: 'x', index: [0, 0], value: 1 }];
const trace: Trace = traceExample(gf, example, { remove: ['scale'], edits });
const told: Explanation = explain(trace, 'weights', [0, 0], gf);
const said = { detail: 'noNode', params: { name: 'x' } };
const code: string = new GlassformerError('GF_ENAME', said).code;
console.log(plain, output[0][0], told.total, code, examples['masked'].title);
// @ts-expect-error a text is no data
gf.softmax('x');
// @ts-expect-error the name is missing
tape.softmax(x);
// @ts-expect-error no such step
traceExample(gf, 'masked', { remove: ['scales'] });
// @ts-expect-error no such option
await load({ sind: true });
