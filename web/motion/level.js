// A row is normalised: it stands up as bars, slides until its mean is 0, and is stretched until its variance is 1.
import { around, bar, between, during } from './boxes.js';

/** @type {import('./index.js').Motion} */
export function level({ cells, progress, explain }) {
  const [rows, places] = [cells(0), cells(-1)];
  const row = rows.filter(({ box }) => box.top === rows[0].box.top);
  const line = places.filter(({ box }) => box.top === places[0].box.top);
  if (row.length !== line.length) return [];
  const { mean, deviation } = explain(line[0].cell);
  const values = row.map(({ cell }) => cell.value);
  const normal = values.map((value) => (value - mean) / deviation);
  const results = line.map(({ cell }) => cell.value);
  const room = around(places.map(({ box }) => box));
  const height = Math.max(room.height, 3 * line[0].box.height);
  /* What comes out gives the scale; what goes in may be far larger or smaller, and is then shown so too. */
  const most = Math.max(...[...values, ...normal, ...results].map(Math.abs)) || 1;
  const zero = room.top + room.height - height / 2;
  const stood = during(progress, 0, 0.2);
  const slid = during(progress, 0.28, 0.45);
  const stretched = during(progress, 0.5, 0.67);
  const shifted = during(progress, 0.72, 0.86);
  const opacity = 1 - during(progress, 0.94, 1);
  const bars = row.flatMap(({ cell, box: from }, k) => {
    const { box } = line[k];
    const mix = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ part) =>
      a + (b - a) * part;
    const centred = mix(cell.value, cell.value - mean, slid);
    const value = mix(mix(centred, normal[k], stretched), results[k], shifted);
    const now = between(from, bar(box, zero, (value / most) * (height / 2)), stood);
    const label = {
      ...box,
      top: value < 0 ? now.top + now.height : now.top - box.height * 0.8,
    };
    return [
      { key: `bar ${k}`, look: /** @type {const} */ ('bar'), box: now, size: room, opacity },
      {
        key: `label ${k}`,
        look: /** @type {const} */ ('label'),
        value,
        box: between(from, label, stood),
        size: box,
        opacity: [slid, stretched, shifted].some((part) => part > 0 && part < 1) ? 0 : opacity,
      },
    ];
  });
  const rule = { ...room, top: zero, height: 1 };
  return [
    { key: 'zero', look: /** @type {const} */ ('rule'), box: rule, size: rule, opacity },
    ...bars,
  ];
}
