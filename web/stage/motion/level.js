// A row is normalised: it stands up as bars, slides until its mean is 0, and is stretched until its variance is 1. A
// norm that leaves the mean as it is only stretches, until the mean of the squares is 1.
import { around, bar, between, during, moved } from './boxes.js';
import { noteOf, sampleOf } from './sample.js';

/** px that a line of the note takes, above the matrix */
const LINE = 18;
/** The parts of the moment in which the bars stand up, slide, are stretched, are scaled and shifted, and go. */
const STANDS = { begin: 0, end: 0.2 };
const SLIDES = { begin: 0.28, end: 0.45 };
const STRETCHES = { begin: 0.5, end: 0.67 };
const SHIFTS = { begin: 0.72, end: 0.86 };
const GOES = { begin: 0.94, end: 1 };

/** @type {import('./index.js').Motion} */
export function level({ cells, progress, explain }) {
  const [rows, places] = [cells(0), cells(-1)];
  const row = rows.filter(({ box }) => box.top === rows[0].box.top);
  const line = places.filter(({ box }) => box.top === places[0].box.top);
  if (line.length === 0 || row.length !== line.length) return [];
  const { mean = 0, deviation, root } = explain(line[0].cell);
  const columns = row.map((from, k) => {
    const { value } = from.cell;
    const normal = (value - mean) / (root ?? deviation);
    return { from, to: line[k], values: [value, value - mean, normal, line[k].cell.value] };
  });
  const room = around(places.map(({ box }) => box));
  const height = Math.max(room.height, 3 * line[0].box.height);
  /* What comes out gives the scale; what goes in may be far larger or smaller, and is then shown so too. */
  const most = Math.max(...columns.flatMap(({ values }) => values.map(Math.abs))) || 1;
  const zero = room.top + room.height - height / 2;
  const over = (/** @type {typeof STANDS} */ { begin, end }) => during(progress, begin, end);
  const stood = over(STANDS);
  /* From each value to the next; where nothing slides, the first two are one. */
  const ways = (root === undefined ? [SLIDES, STRETCHES, SHIFTS] : [null, STRETCHES, SHIFTS]).map(
    (part) => (part ? over(part) : 1),
  );
  /* The values that the bars have now, if they rest. */
  const rests = ways.every((way) => way === 0 || way === 1);
  const reached = ways.filter((way) => way === 1).length;
  const opacity = 1 - over(GOES);
  const drawn = sampleOf(columns);
  const bars = drawn.flatMap(({ from, to: { box }, values }, k) => {
    const value = ways.reduce((sum, way, i) => sum + (values[i + 1] - sum) * way, values[0]);
    const now = between(from.box, bar(box, zero, (value / most) * (height / 2)), stood);
    const label = {
      ...box,
      top: value < 0 ? now.top + now.height : now.top - box.height * 0.8,
    };
    const labels = values.map((number, i) => ({
      key: `label ${k} ${i}`,
      look: /** @type {const} */ ('label'),
      value: number,
      box: between(from.box, label, stood),
      size: box,
      opacity: rests && i === reached ? opacity : 0,
    }));
    return [
      { key: `bar ${k}`, look: /** @type {const} */ ('bar'), box: now, size: room, opacity },
      ...labels,
    ];
  });
  const rule = { ...room, top: zero, height: 1 };
  return [
    { key: 'zero', look: /** @type {const} */ ('rule'), box: rule, size: rule, opacity },
    ...bars,
    ...noteOf(drawn, columns, moved(room, 0, -LINE)),
  ];
}
