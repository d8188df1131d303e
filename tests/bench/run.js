// The benchmark: `make bench` builds what it needs and runs it.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { load } from '../../bindings/index.js';
import { progress } from './progress.js';
import { measure } from './rounds.js';
import { table } from './table.js';
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

if (options.help) {
  process.stdout.write(HELP);
} else {
  const words = options.only.split(' ');
  const wanted = workloads.filter(({ name }) => words.every((word) => name.includes(word)));
  const gf = await load();
  const reports = [];
  for (const [i, workload] of wanted.entries()) {
    const where = `${i + 1} of ${wanted.length}: ${workload.name}`;
    const tell = progress(where);
    const report = await measure(workload, gf, Number(options.seconds), tell);
    tell('');
    reports.push(report);
    process.stdout.write(`${table(report)}\n`);
  }
  if (options.json) {
    const machine = { cpu: cpus()[0].model, node: process.version, date: new Date().toISOString() };
    writeFileSync(options.json, JSON.stringify({ machine, reports }, null, 2));
  }
  const missed = reports.flatMap(({ players }) => players.filter(({ met }) => met === false));
  if (options.check && missed.length) process.exitCode = 1;
}
