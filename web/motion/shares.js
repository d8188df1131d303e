// Softmax: a row of scores stands up as bars, exp stretches each of them, and all are packed into one bar of length
// 1, of which each has its share.
import { around, bar, between, during } from './boxes.js';
import { sumOf } from './sum.js';

/** @type {import('./index.js').Motion} */
export function shares({ told, moment, progress, place, cells }) {
  const target = place(told);
  /** @type {{ score: any, from: any }[]} */
  const row = told.row.map((/** @type {any} */ score) => ({ score, from: place(score, 0) }));
  const places = cells(-1);
  const own = told.index[told.index.length - 1];
  /* The cells of the row that is told. */
  const line = places.filter(({ box }) => box.top === target?.top);
  if (!target || line.length !== row.length || row.some(({ from }) => !from)) return [];
  const room = around(places.map(({ box }) => box));
  const bottom = room.top + room.height;
  const height = Math.max(room.height, 3 * target.height);
  const finite = row.map(({ score }) => score.value).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const scale = height / (high - low || 1);
  const zero = bottom + low * scale;
  const whole = around(line.map(({ box }) => box));

  const keys = row.length;
  const together = moment.from < moment.term;
  const telling = (/** @type {number} */ term) => moment.term === term && !together;
  /* What of each step is over: the bars stand, each is stretched, all are packed, the own share has landed. */
  const stood = telling(0) ? during(progress, 0, 0.8) : 1;
  const stretched = (/** @type {number} */ k) =>
    telling(k + 1) ? during(progress, 0.2, 0.8) : Number(moment.term > k + 1);
  const packed = telling(keys + 1) ? during(progress, 0.1, 0.7) : Number(moment.term > keys + 1);
  const last = moment.term === keys + 2;
  const landed = last ? during(progress, 0.3, 0.9) : 0;

  let under = 0;
  const bars = row.flatMap(({ score, from }, k) => {
    const { box } = line[k];
    const { value, exp } = score;
    const share = exp / told.total;
    const before = under;
    under += share;
    const standing = bar(box, zero, Number.isFinite(value) ? value * scale : 0);
    const grown = between(standing, bar(box, bottom, exp * height), stretched(k));
    const lying = {
      left: whole.left + whole.width * before,
      width: whole.width * share,
      top: whole.top + whole.height * 0.2,
      height: whole.height * 0.6,
    };
    const now = between(between(from, grown, stood), lying, packed);
    const ends = last && k === own ? between(now, target, landed) : now;
    /** @type {import('./index.js').Traveller['look']} */
    const look = k === own && last ? 'own' : 'bar';
    const label = stretched(k) > 0.5 ? exp : value;
    const above = { ...box, top: Math.max(room.top, now.top - box.height * 0.8) };
    return [
      { key: `bar ${k}`, look, box: ends, size: room, opacity: 1 - (last ? landed : 0) },
      {
        key: `label ${k}`,
        look: /** @type {const} */ ('label'),
        value: label,
        box: between(from, above, stood),
        size: box,
        opacity: 1 - packed,
      },
    ];
  });
  const one = {
    key: 'one',
    look: /** @type {const} */ ('label'),
    value: 1,
    box: { ...whole, top: whole.top + whole.height },
    size: whole,
    opacity: packed - landed,
  };
  return [...bars, one, ...sumOf(target, null, told.value, last ? during(progress, 0.8, 1) : 0)];
}
