// Softmax: a row of scores stands up as bars, exp stretches each of them, and all are packed into one bar of length
// 1, of which each has its share.
import { around, bar, between, during } from './boxes.js';
import { sumOf } from './sum.js';

/** @type {import('./index.js').Motion} */
export function shares({ told, begun, moment, progress, place, cells }) {
  const target = place(told);
  /** @type {{ score: any, from: any }[]} */
  const row = told.row.map((/** @type {any} */ score) => ({ score, from: place(score, 0) }));
  const places = cells(-1);
  const own = told.index[told.index.length - 1];
  /* The cells of the row that is told. */
  const line = places.filter(({ box }) => box.top === target?.top);
  if (!target || line.length !== row.length || row.some(({ from }) => !from)) return [];
  /* Bars stand below the rows that are told already. */
  const free = places.filter(({ box }) => box.top >= target.top);
  const room = around(free.map(({ box }) => box));
  const bottom = room.top + room.height;
  const isFirst = free.length === places.length;
  const height = isFirst ? Math.max(room.height, 3 * target.height) : room.height;
  const finite = row.map(({ score }) => score.value).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const scale = height / (high - low || 1);
  const zero = bottom + low * scale;
  const whole = around(line.map(({ box }) => box));

  const keys = row.length;
  const [first, last] = [begun.from, moment.term];
  /* A whole number at once is told by its last two steps. */
  const from = first === 0 && last === keys + 2 ? keys + 1 : first;
  /* What of each step is over: the bars stand, each is stretched, all are packed, the own share has landed. */
  const part = (
    /** @type {number} */ term,
    /** @type {number} */ begin,
    /** @type {number} */ end,
  ) => {
    if (term < from || term > last) return Number(term < from);
    return during(progress * (last - from + 1) - (term - from), begin, end);
  };
  const stood = part(0, 0, 0.8);
  const packed = part(keys + 1, 0.1, 0.7);
  const lands = last === keys + 2;
  const landed = part(keys + 2, 0.3, 0.9);

  let under = 0;
  const bars = row.flatMap(({ score, from: source }, k) => {
    const { box } = line[k];
    const { value, exp } = score;
    const share = exp / told.total;
    const before = under;
    under += share;
    const standing = bar(box, zero, Number.isFinite(value) ? value * scale : 0);
    const stretched = part(k + 1, 0.2, 0.8);
    const grown = between(standing, bar(box, bottom, exp * height), stretched);
    const lying = {
      left: whole.left + whole.width * before,
      width: whole.width * share,
      top: whole.top + whole.height * 0.2,
      height: whole.height * 0.6,
    };
    const now = between(between(source, grown, stood), lying, packed);
    const isOwn = k === own && lands;
    const ends = isOwn ? between(now, target, landed) : now;
    const above = { ...box, top: Math.max(room.top, now.top - box.height * 0.8) };
    const label = (/** @type {string} */ name, /** @type {number} */ number, shown = true) => ({
      key: `${name} ${k}`,
      look: /** @type {const} */ ('label'),
      value: number,
      box: between(source, above, stood),
      size: box,
      opacity: shown ? 1 - packed : 0,
    });
    return [
      {
        key: `bar ${k}`,
        look: /** @type {import('./index.js').Traveller['look']} */ (isOwn ? 'own' : 'bar'),
        box: ends,
        size: room,
        opacity: 1 - landed,
      },
      label('score', value, stretched <= 0.5),
      label('power', exp, stretched > 0.5),
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
  return [...bars, one, ...sumOf(target, null, told.value, lands ? part(keys + 2, 0.8, 1) : 0)];
}
