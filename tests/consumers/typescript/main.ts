import * as glassformer from 'glassformer';
import type { Example, Glassformer, LoadOptions, Model, Tensor, Trace } from 'glassformer';
import { run } from 'glassformer/cli';
import * as external from 'glassformer/external';
import { tasks } from 'glassformer/tasks';
import { golden } from '../golden.js';
import { tell } from '../tell.js';

const options: LoadOptions = { simd: true };
const gf: Glassformer = await glassformer.load(options);
const rows: number[][] = gf.softmax([[1, 2]]);
const example: Example = glassformer.sentence('strict types', { dModel: 8, seed: 1 });
const trace: Trace = glassformer.traceExample(gf, example);
const model: Model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, dFF: 16 });
const tape = gf.tape();
const tensor: Tensor = tape.input('x', [1, 2]);
const same: (options?: LoadOptions) => Promise<Glassformer> = external.load;
const command: (argv: string[], streams: typeof process) => Promise<number> = run;
console.assert(rows[0]?.length === 2 && trace.steps.length > 0 && tensor.size === 2);
console.assert(typeof same === 'function' && typeof command === 'function' && 'dates' in tasks);
trace.dispose();
tape.dispose();
model.dispose();

tell('tsc --strict', golden(glassformer));
