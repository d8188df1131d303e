// Softmax: a row of scores stands up as bars, exp stretches each of them, and all are packed into one bar of length
// 1, of which each has its share.
import { around, bar, between, during } from './boxes.js';
import { sumOf } from './sum.js';

/** @typedef {import('./index.js').Box} Box */
/** @typedef {import('./index.js').Traveller} Traveller */

const LABEL = /** @type {const} */ ('label');

/** Where the bars stand and lie, and their scale.
 * @param {{ box: Box }[]} places all cells of the result @param {Box} target
 * @param {number[]} values the scores */
function layoutOf(places, target, values) {
  /* Bars stand below the rows that are told already. */
  const free = places.filter(({ box }) => box.top >= target.top);
  const room = around(free.map(({ box }) => box));
  const bottom = room.top + room.height;
  const isFirst = free.length === places.length;
  const height = isFirst ? Math.max(room.height, 3 * target.height) : room.height;
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const scale = height / (high - low || 1);
  return { room, bottom, height, scale, zero: bottom + low * scale };
}

/** How far each step is over: the bars stand, each is stretched, all are packed, the own share has landed.
 * @param {number} keys @param {number} first @param {number} last the steps that move @param {number} progress */
function phasesOf(keys, first, last, progress) {
  /* A whole number at once is told by its last two steps. */
  const from = first === 0 && last === keys + 2 ? keys + 1 : first;
  const part = (
    /** @type {number} */ term,
    /** @type {number} */ begin,
    /** @type {number} */ end,
  ) => {
    if (term < from || term > last) return Number(term < from);
    return during(progress * (last - from + 1) - (term - from), begin, end);
  };
  const lands = last === keys + 2;
  return {
    lands,
    stood: part(0, 0, 0.8),
    stretched: (/** @type {number} */ k) => part(k + 1, 0.2, 0.8),
    packed: part(keys + 1, 0.1, 0.7),
    landed: part(keys + 2, 0.3, 0.9),
    summed: lands ? part(keys + 2, 0.8, 1) : 0,
  };
}

/** @type {import('./index.js').Motion} */
export function shares({ told: explanation, begun, moment, progress, place, cells }) {
  const target = place(explanation);
  /** @type {{ score: any, from: any }[]} */
  const row = explanation.row.map((/** @type {any} */ score) => ({ score, from: place(score, 0) }));
  const places = cells(-1);
  /* The cells of the row that is told. */
  const line = places.filter(({ box }) => box.top === target?.top);
  if (!target || line.length !== row.length || row.some(({ from }) => !from)) return [];
  const values = row.map(({ score }) => score.value);
  const { room, bottom, height, scale, zero } = layoutOf(places, target, values);
  const whole = around(line.map(({ box }) => box));
  const phases = phasesOf(row.length, begun.from, moment.term, progress);
  const { stood, packed, landed } = phases;
  const isOwn = (/** @type {number} */ k) =>
    k === explanation.index[explanation.index.length - 1] && phases.lands;

  let under = 0;
  const bars = row.flatMap(({ score, from: source }, k) => {
    const { box } = line[k];
    const { value, exp } = score;
    const share = exp / explanation.total;
    const before = under;
    under += share;
    const stretched = phases.stretched(k);
    const standing = bar(box, zero, Number.isFinite(value) ? value * scale : 0);
    const grown = between(standing, bar(box, bottom, exp * height), stretched);
    const lying = {
      left: whole.left + whole.width * before,
      width: whole.width * share,
      top: whole.top + whole.height * 0.2,
      height: whole.height * 0.6,
    };
    const now = between(between(source, grown, stood), lying, packed);
    const above = { ...box, top: Math.max(room.top, now.top - box.height * 0.8) };
    const label = (/** @type {string} */ name, /** @type {number} */ number, shown = true) => ({
      key: `${name} ${k}`,
      look: LABEL,
      value: number,
      box: between(source, above, stood),
      size: box,
      opacity: shown ? 1 - packed : 0,
    });
    return [
      {
        key: `bar ${k}`,
        look: /** @type {Traveller['look']} */ (isOwn(k) ? 'own' : 'bar'),
        box: isOwn(k) ? between(now, target, landed) : now,
        size: room,
        opacity: 1 - landed,
      },
      label('score', value, stretched <= 0.5),
      label('power', exp, stretched > 0.5),
    ];
  });
  const below = { ...whole, top: whole.top + whole.height };
  const one = { key: 'one', look: LABEL, value: 1, box: below, size: whole };
  return [
    ...bars,
    { ...one, opacity: packed - landed },
    ...sumOf(target, null, explanation.value, phases.summed),
  ];
}
