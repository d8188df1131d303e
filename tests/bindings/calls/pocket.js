// The good call of what glassformer/pocket exports.

import { examples } from '../../../bindings/index.js';
import * as pocket from '../../../bindings/lab/pocket/index.js';
import { integer, nullable, optional, options, other, UINT32, word, wrong } from './kinds.js';
import { facts } from './makers.js';

/** @typedef {import('./wrong.js').Row} Row */

/** @param {import('../../../bindings/index.js').Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const all = { make: () => ({ on: pocket }) };
  const weights = other({ w_q: examples.pocket.inputs.w_q }, [wrong({ w_q: 'odd' }, 'odd')]);
  return [
    { ...all, name: 'sentences', args: [], call: (on) => on.sentences() },
    {
      ...all,
      name: 'evaluate',
      args: [other(gf), optional(weights)],
      call: (on, a) => on.evaluate(...a),
    },
    {
      ...all,
      name: 'learn',
      args: [
        other(gf),
        optional(
          options({
            seed: optional(integer(3, 0, UINT32)),
            steps: optional(integer(1, 1, 100_000)),
            heldOut: nullable(word('Anna Ben')),
          }),
        ),
      ],
      call: (on, a) => [...on.learn(...a)],
    },
    { ...all, name: 'modelOf', args: [other(gf)], call: (on, a) => facts(on.modelOf(...a)) },
  ];
}
