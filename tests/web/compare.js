// node tests/web/compare.js LINK [--seeds 1,2,3]: what a link to the Training chapter shows, without a page and for several
// seeds: of each run the held-out loss, the right answers, and how sure it is.
//
//   node tests/web/compare.js 'off=warmup&step=600' --seeds 1,2,3,4
//   node tests/web/compare.js 'task=reverse&off=length&settings=positions:rotary'
import { parseArgs } from 'node:util';
import { load } from '../../bindings/index.js';
import { fromHash } from '../../web/app/state/store.js';
import { calibrationOf } from '../../web/chapters/training/calibration.js';
import { planOf } from '../../web/chapters/training/settings.js';
import { opening, parts } from '../../web/chapters/training/state.js';
import { Trainer } from '../../web/workers/trainer/trainer.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1' } },
});
const gf = await load();

/** @param {Pick<import('../../web/workers/trainer/protocol.js').Started, 'lengths' | 'runs'>} started */
function describe({ lengths, runs }, side, evaluation) {
  const { loss, right, share, answered } = evaluation;
  const longest = Math.min(...Object.values(runs).map((made) => made.longest));
  const longer = [...answered.keys()].filter((i) => lengths[i] > longest);
  const { mean, error } = calibrationOf(evaluation) ?? { mean: Number.NaN, error: Number.NaN };
  return [
    `${side.toUpperCase()}  held-out loss ${loss.toPrecision(4)}`,
    `${right} of ${answered.length} right`,
    ...(longer.length
      ? [`${longer.filter((i) => answered[i]).length} of ${longer.length} longer than ${longest}`]
      : []),
    `tokens right ${share.toFixed(4)}, sure ${mean.toFixed(4)}, apart ${error.toFixed(4)}`,
  ].join(', ');
}

for (const seed of values.seeds.split(',').map(Number)) {
  const state = fromHash(positionals[0] ?? '', { opening, parts });
  const plan = planOf({ ...state, settings: { ...state.settings, seed } });
  const last = {};
  const trainer = new Trainer(gf, ({ progress }) => {
    for (const [side, { evaluations }] of Object.entries(progress?.runs ?? {})) {
      last[side] = evaluations.at(-1) ?? last[side];
    }
  });
  const to = state.step ?? plan.steps;
  const started = await trainer.start({ plan: { ...plan, every: to } });
  await trainer.train({ to }, new AbortController().signal);
  for (const [side, evaluation] of Object.entries(last)) {
    console.log(`seed ${seed}, step ${evaluation.step}  ${describe(started, side, evaluation)}`);
  }
}
