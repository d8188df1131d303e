// The benchmark: `make bench` builds what it needs and runs it.

import './v8.js';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { load } from '../../bindings/index.js';
import { count } from './figures.js';
import * as ort from './players/ort.js';
import * as tfjs from './players/tfjs.js';
import { progress } from './progress.js';
import { measure } from './rounds.js';
import { figureTable, table } from './table.js';
import { workloads } from './workloads/index.js';

const HELP = `node tests/bench/run.js [--only WORDS] [--seconds N] [--check] [--json FILE]

  --only WORDS   the workloads whose names hold all the words, such as "matmul 240"
  --seconds N    for the rounds of each workload, 8 by default
  --check        exit status 1 where a bar is missed
  --json FILE    write everything that was measured
`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '8' },
    check: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function run() {
  const words = options.only.split(' ');
  const wanted = workloads.filter(({ name }) => words.every((word) => name.includes(word)));
  const gf = await load();
  const reports = [];
  for (const [i, workload] of wanted.entries()) {
    const tell = progress(`${i + 1} of ${wanted.length}: ${workload.name}`);
    const report =
      'players' in workload
        ? await measure(workload, gf, Number(options.seconds), tell)
        : await count(workload, gf);
    tell('');
    reports.push(report);
    process.stdout.write(`${'players' in report ? table(report) : figureTable(report)}\n`);
  }
  return reports;
}

if (options.help) {
  process.stdout.write(HELP);
} else {
  const reports = await run();
  const rows = reports.flatMap((report) => ('players' in report ? report.players : report.figures));
  const met = rows.filter((row) => row.met).length;
  const missed = rows.filter((row) => row.met === false).length;
  console.log(`${met} bars met, ${missed} missed`);
  if (options.check && missed) process.exitCode = 1;
  if (options.json) {
    const environment = {
      date: new Date().toISOString(),
      cpu: cpus()[0].model,
      node: process.version,
      'onnxruntime-web': ort.version,
      tfjs: tfjs.version,
    };
    writeFileSync(options.json, `${JSON.stringify({ environment, reports }, null, 2)}\n`);
  }
}
