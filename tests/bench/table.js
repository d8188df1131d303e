// Reports as lines of text.

/** @typedef {Awaited<ReturnType<typeof import('./rounds.js').measure>>} Report */
/** @typedef {Awaited<ReturnType<typeof import('./figures.js').count>>} Counted */

const UNITS = { FLOP: 'GFLOP/s', B: 'GB/s' };

/** Three digits that count. @param {number} x */
const short = (x) => (x >= 100 ? x.toFixed(0) : x.toPrecision(3));

/** @param {{ p10: number, median: number, p90: number }} summary */
const spread = ({ p10, p90 }) => `${short(p10)}..${short(p90)}`;

/** Texts as columns: the first from the left, the others from the right.
 * @param {string[][]} rows */
function columns(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  );
}

/** @param {import('./measure/judgement.js').Verdict | undefined} verdict */
const told = (verdict = /** @type {any} */ ('')) => (verdict === 'missed' ? 'MISSED' : verdict);

/** @param {Counted} report */
export function figureTable({ name, figures }) {
  const head = ['', '', 'bar', ''];
  const rows = figures.map(({ what, value, most, verdict }) => [
    `  ${what}`,
    short(value),
    most === undefined ? '' : `<= ${short(most)}`,
    told(verdict),
  ]);
  return [name, ...columns([head, ...rows]), ''].join('\n');
}

/** What ran beside the rounds. @param {Report['load']} load */
function beside(load) {
  if (!load) return '';
  const { others, pairs } = load;
  return `, beside others on ${others.toFixed(1)} threads${pairs ? `, ${pairs} cores busy on both` : ''}`;
}

/** @param {Report} report */
export function table({ name, unit, rounds, tolerance, load, players }) {
  const head = [
    '',
    'ms',
    'p10..p90',
    UNITS[unit],
    `${players[0].who} is`,
    'p10..p90',
    'bar',
    '',
    'difference',
  ];
  const rows = players.map(({ who, milliseconds, rate, ratio, bar, verdict, difference }) => [
    `  ${who}`,
    short(milliseconds.median),
    spread(milliseconds),
    short(rate.median / 1e9),
    ratio ? `${short(ratio.median)}x` : '',
    ratio ? spread(ratio) : '',
    bar === undefined ? '' : `${bar}x`,
    told(verdict),
    typeof difference === 'number' ? difference.toExponential(1) : (difference ?? ''),
  ]);
  const within = tolerance ? `, results within ${tolerance}` : '';
  const title = `${name}   ${rounds} rounds${within}${beside(load)}`;
  return [title, ...columns([head, ...rows]), ''].join('\n');
}
