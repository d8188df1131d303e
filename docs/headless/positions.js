// The sinusoids that tell a transformer where a token stands, as numbers to plot.
//
//   node docs/headless/positions.js > positions.csv
//   node docs/headless/positions.js --positions 200 --channels 64 > positions.csv
//
// Out: CSV; a row per position, a column per channel.

import { parseArgs } from 'node:util';
import { load } from 'glassformer';

const { values } = parseArgs({
  options: {
    positions: { type: 'string', default: '50' },
    channels: { type: 'string', default: '16' },
  },
});
const numbers = (count) => Array.from({ length: count }, (_, i) => i);

const gf = await load();
const positions = numbers(Number(values.positions));
const codes = gf.position(positions, Number(values.channels));

console.log(['position', ...numbers(Number(values.channels))].join());
for (const position of positions) console.log([position, ...codes[position]].join());
