// One token of a gpt, with the keys and values of those before it at hand. Each weight is read once per
// token, so the rate is in bytes of them.

import { core } from '../../../bindings/js/embedded.js';
import { checkConfig } from '../../../bindings/js/model/config/config.js';
import { Decoder } from '../../../bindings/js/model/decode/decoder.js';
import { Weights } from '../../../bindings/js/model/weights.js';
import { start } from '../../../bindings/js/runtime/engine.js';
import { reading } from '../players/machine.js';
import { native } from '../players/native.js';
import { onnx } from '../players/ort.js';
import { player } from '../players/player.js';
import { gpt, words } from './models.js';
import { tokens } from './numbers.js';
import { Layers, transposed } from './onnx-layers.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const POSITION = 256;
const CAPACITY = 512;
const C = 768;
const F = 3072;
const V = 8192;
const HEADS = 12;
const WIDTH = C / HEADS;
const LAYERS = 4;
const CONFIG = checkConfig(
  gpt({ vocab: V, dModel: C, heads: HEADS, dFF: F, layers: LAYERS, maxLength: CAPACITY }),
);
const WEIGHTS = 4 * (LAYERS * (4 * C * C + 2 * C * F) + C * V);

/** It takes the past keys and values of each layer and gives them with those of the new token, ready to
 * be taken again.
 * @param {Map<string, any>} parameters */
function graph(parameters) {
  const g = new Layers({ heads: HEADS, width: WIDTH, parameters });
  /** @type {string[]} */
  const present = [];
  /** @param {string} x @param {string} past */
  const append = (x, past) => {
    g.input(past, [1, HEADS, POSITION, WIDTH]);
    present.push(g.node('Concat', [past, g.split(x)], { axis: 2 }));
    return /** @type {string} */ (present.at(-1));
  };
  const table = g.parameter('embedding.weight');
  const places = g.parameter('decoder.position_embedding.weight');
  let x = g.node('Add', [
    g.node('Gather', [table, g.ids('token', [1, 1])]),
    g.node('Gather', [places, g.ids('position', [1, 1])]),
  ]);
  for (let i = 0; i < LAYERS; i++) {
    const name = `decoder.layers.${i}`;
    const projections = ['q', 'k', 'v'].map((which) => `${name}.self_attn.${which}_proj`);
    const [q, k, v] = g.linears(g.norm(x, `${name}.norm1`), projections);
    const mix = g.attend(g.split(q), append(k, `${name}.k`), append(v, `${name}.v`));
    x = g.node('Add', [x, g.linear(mix, `${name}.self_attn.out_proj`)]);
    const wide = g.linear(g.norm(x, `${name}.norm2`), `${name}.linear1`);
    const active = g.node('Gelu', [wide], { approximate: 'tanh' });
    x = g.node('Add', [x, g.linear(active, `${name}.linear2`)]);
  }
  const columns = g.weight('columns', transposed(parameters.get('embedding.weight')));
  g.output(g.node('MatMul', [g.norm(x, 'decoder.norm'), columns]), [1, 1, V]);
  for (const name of present) g.output(name, [1, HEADS, POSITION + 1, WIDTH]);
  return g;
}

/** The keys and values of the tokens, by the names that the graph gives them.
 * @param {Weights} weights @param {number[]} ids */
function pastOf(weights, ids) {
  const tape = weights.tape({ target: ids.length });
  tape.find('target').set(Int32Array.from(ids));
  tape.forward();
  const past = Object.fromEntries(
    Array.from({ length: LAYERS }, (_, i) => `decoder.layers.${i}`).flatMap((name) =>
      ['k', 'v'].map((which) => {
        const { data, shape } = tape.find(`${name}.self_attn.${which}.heads`);
        return [`${name}.${which}`, { data: /** @type {Float32Array} */ (data.slice()), shape }];
      }),
    ),
  );
  tape.dispose();
  return past;
}

/** @param {number} id */
const single = (id) => ({ data: BigInt64Array.of(BigInt(id)), shape: [1, 1] });

/** @type {Workload} */
export const decoding = {
  name: `decoding a token of a gpt at position ${POSITION}`,
  work: WEIGHTS,
  unit: 'B',
  bars: { native: 0.85, 'onnxruntime-web': 1.2, read: 0.7 },
  tolerance: 1e-4,

  async players(gf) {
    const ids = tokens(gf, POSITION + 1, V, 0);
    const last = ids[POSITION];
    const weights = new Weights(await start(core), CONFIG);
    weights.initialize(CONFIG.seed);
    return {
      /* What model.generate() is made of, for its steps do not stay at one position. */
      ours: () => {
        const decoder = new Decoder(weights, CONFIG);
        for (const id of ids.slice(0, POSITION)) decoder.feed([id]);
        const feed = () => {
          decoder.length = POSITION;
          return decoder.feed([last]);
        };
        return player(
          () => {
            feed();
          },
          {
            result: () => feed().logits,
            dispose() {
              decoder.dispose();
              weights.dispose();
            },
          },
        );
      },
      native: () =>
        native(
          'decode',
          POSITION,
          ...words(CONFIG, { padded: true, capacity: CAPACITY, fused: true }),
        ),
      'onnxruntime-web': () => {
        const past = pastOf(weights, ids.slice(0, POSITION));
        const given = { token: single(last), position: single(POSITION), ...past };
        return onnx(graph(weights.parameters), given);
      },
      read: () => reading(WEIGHTS),
    };
  },
};
