// The benchmark: `make bench` builds what it needs and runs it.

import './v8.js';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { load } from '../../bindings/index.js';
import { count } from './figures.js';
import { described } from './measure/machine.js';
import { progress } from './progress.js';
import { measure } from './rounds.js';
import { figureTable, table } from './table.js';

/** @typedef {import('./rounds.js').Workload | import('./figures.js').Figures} Entry */
/** @typedef {import('../../bindings/js/glassformer.js').Glassformer} Glassformer */

const HELP = `node tests/bench/run.js [--only WORDS] [--seconds N] [--check] [--json FILE]

  --only WORDS   the workloads whose names hold all the words, such as "matmul 240"
  --seconds N    for the rounds of each workload, 8 by default
  --check        exit status 1 where a bar is missed
  --json FILE    write everything that was measured
`;

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', default: '' },
        seconds: { type: 'string', default: '8' },
        check: { type: 'boolean', default: false },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

/** Measures or counts what is wanted, one after the other.
 * @param {Glassformer} gf @param {Entry[]} wanted @param {number} seconds */
async function* reportsOf(gf, wanted, seconds) {
  for (const [i, workload] of wanted.entries()) {
    const tell = progress(`${i + 1} of ${wanted.length}: ${workload.name}`);
    const report =
      'players' in workload
        ? await measure(workload, gf, seconds, tell)
        : await count(workload, gf);
    tell('');
    yield report;
  }
}

/** What the peers and the machine are. @param {string} date and @param {number[]} load when it began */
async function environment(date, load) {
  const [ort, tfjs] = await Promise.all([import('./players/ort.js'), import('./players/tfjs.js')]);
  return {
    date,
    machine: described(),
    load,
    'onnxruntime-web': ort.version,
    tfjs: tfjs.version,
  };
}

const options = readOptions();
if (options.help) {
  process.stdout.write(HELP);
  process.exit();
}
const seconds = Number(options.seconds);
if (!(seconds >= 0)) refuse(`--seconds: expected a number, received "${options.seconds}"`);

/* Only now, for the peers may not be installed. */
const { workloads } = await import('./workloads/index.js');
const words = options.only.split(' ');
const wanted = workloads.filter(({ name }) => words.every((word) => name.includes(word)));
if (!wanted.length) refuse(`no workload has the words "${options.only}"`);

const begun = new Date().toISOString();
const loads = loadavg();
console.log(`${begun.slice(0, 16)}, ${described()}, load ${loads[0].toFixed(1)}\n`);
const reports = [];
try {
  for await (const report of reportsOf(await load(), wanted, seconds)) {
    console.log('players' in report ? table(report) : figureTable(report));
    reports.push(report);
  }
} catch (error) {
  console.error(error);
  process.exit(1);
}
const verdicts = reports
  .flatMap((report) => ('players' in report ? report.players : report.figures))
  .flatMap(({ verdict }) => verdict ?? []);
const [met, missed] = ['met', 'missed'].map(
  (word) => verdicts.filter((one) => one === word).length,
);
const left = verdicts.length - met - missed;
console.log(
  `${met} bars met, ${missed} missed, ${left} not judged: too close to call, or too noisy`,
);
if (options.check && missed) process.exitCode = 1;
if (options.json) {
  const everything = { environment: await environment(begun, loads), reports };
  writeFileSync(options.json, `${JSON.stringify(everything, null, 2)}\n`);
}
