// One encoder layer, normalised behind its sublayers, as in BERT base.

import { native } from '../players/native.js';
import { onnx } from '../players/ort.js';
import { player } from '../players/player.js';
import { encoder, words } from './models.js';
import { rowsOf, uniform } from './numbers.js';
import { Layers } from './onnx-layers.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const TOKENS = 128;
const C = 768;
const F = 3072;
const HEADS = 12;
const OPTIONS = encoder({
  dModel: C,
  heads: HEADS,
  dFF: F,
  layers: 1,
  maxLength: TOKENS,
  activation: 'gelu',
});

/** @param {Map<string, any>} parameters */
function graph(parameters) {
  const g = new Layers({ heads: HEADS, width: C / HEADS, parameters });
  const name = 'encoder.layers.0';
  const x = g.input('x', [1, TOKENS, C]);
  const [q, k, v] = g
    .linears(
      x,
      ['q', 'k', 'v'].map((which) => `${name}.self_attn.${which}_proj`),
    )
    .map((heads) => g.split(heads));
  const attended = g.linear(g.attend(q, k, v), `${name}.self_attn.out_proj`);
  const h = g.norm(g.node('Add', [x, attended]), `${name}.norm1`);
  const wide = g.node('Gelu', [g.linear(h, `${name}.linear1`)]);
  const sum = g.node('Add', [h, g.linear(wide, `${name}.linear2`)]);
  g.output(g.norm(sum, `${name}.norm2`), [1, TOKENS, C]);
  return g;
}

/** @type {Workload} */
export const encoderLayer = {
  name: `encoder layer, ${TOKENS} tokens`,
  work: 2 * TOKENS * (4 * C * C + 2 * C * F) + 4 * TOKENS * TOKENS * C,
  unit: 'FLOP',
  bars: { native: 0.85, 'onnxruntime-web': 1.25 },
  tolerance: 1e-4,

  players(gf) {
    const x = uniform(gf, [1, TOKENS, C], 0);
    const model = gf.model(OPTIONS);
    return {
      ours: () => {
        const run = model.forward({ target: [rowsOf(x.data, C)], steps: [] });
        const output = run.tape.nodes[run.tape.nodes.length - 1];
        return player(() => run.forward(), {
          result: () => /** @type {Float32Array} */ (output.data),
          dispose() {
            run.dispose();
            model.dispose();
          },
        });
      },
      native: () => native('forward', ...words(model.config, { target: TOKENS, fused: true })),
      'onnxruntime-web': () => onnx(graph(model.parameters), { x }),
    };
  },
};
