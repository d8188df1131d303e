// The good call of what glassformer/lora exports, and of what that gives.

import * as lora from '../../../bindings/models/lora/index.js';
import { GPT } from './inside.js';
import { flag, integer, optional, options, other, real, UINT32, wrong } from './kinds.js';
import { lookAtModel } from './model.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

/** @param {Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const base = () => {
    const model = gf.model(GPT);
    const dispose = () => model.dispose();
    return { on: model, look: () => lookAtModel(model), dispose, done: dispose };
  };
  const tuned = () => {
    const subject = base();
    const on = lora.addLora(subject.on, { rank: 2 });
    const dispose = () => {
      on.dispose();
      subject.dispose();
    };
    return { on, look: () => lookAtModel(on), dispose, done: dispose };
  };
  const { on: saved, done } = tuned();
  const bytes = saved.save();
  done();
  /** @param {any} made */
  const facts = (made) => {
    const seen = [made.lora, lookAtModel(made)];
    made.dispose();
    return seen;
  };
  const targets = optional(
    other(['q_proj'], [wrong([], 'name one'), wrong(['odd'], 'odd'), wrong([3], '3')]),
  );
  return [
    {
      name: 'addLora',
      make: base,
      args: [
        optional(
          options({
            rank: optional(integer(2, 1, 2 ** 16)),
            alpha: optional(real(4)),
            targets,
            seed: optional(integer(3, 0, UINT32)),
          }),
        ),
      ],
      call: (on, given) => facts(lora.addLora(on, ...given)),
    },
    {
      name: 'openLora',
      make: base,
      args: [
        other(bytes, [
          wrong(new Uint8Array(0), 'received 0'),
          wrong(new Uint8Array(8).fill(255), '18446744073709551615'),
        ]),
      ],
      call: (on, given) => facts(lora.openLora(on, ...given)),
    },
    {
      name: 'save',
      make: tuned,
      args: [optional(options({ training: flag(true) }))],
      call: (on, given) => on.save(...given),
    },
    {
      name: 'summary',
      make: tuned,
      args: [
        optional(
          options({
            batch: optional(integer(2, 1, 2 ** 31 - 1)),
            target: optional(integer(3, 1, 8)),
          }),
        ),
      ],
      call: (on, given) => on.summary(...given),
    },
  ];
}
