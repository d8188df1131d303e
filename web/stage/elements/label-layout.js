// Puts the name of each arrow near its tip: no two names overlap, none leaves the drawing, and none lies nearer to another
// tip than to its own, or else a line leads from it to its tip.

/** @typedef {readonly [number, number]} Point */
/** A name: the tip it belongs to, what that points away from, how large it is, and how far from the tip it begins.
 * @typedef {{ tip: Point, from: Point, width: number, height: number, clear: number }} Label */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */
/** A line that names keep off, how broad it is, and what a name on it costs, if that is not as usual.
 * @typedef {{ ends: readonly [Point, Point], broad: number, cost?: number }} Line */
/** The middle of a name, and where the line to its tip begins, if there is one.
 * @typedef {{ x: number, y: number, led: Point | null }} Place */

/** How far a name is moved away from its tip, or turned around it: the nearest is tried first. */
const FARTHER = [0, 12, 26, 44, 66, 90];
const TURNS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8];
const TURN = Math.PI / 8;
/** What each of these costs, in units of the way from the tip: a turn, a line below the name, a line that leads to it. */
const [TURNED, CROSSED, LED] = [4, 60, 30];
/** What it costs that there is no room for a name. */
const NOWHERE = 1e6;
/** A name that begins farther from its tip than this is led to it. */
const READ = 18;
/** Where none of these places is free, the whole drawing is searched in steps of so much. */
const GRID = 8;

/** @param {Label} label @param {number} x @param {number} y @returns {Box} */
const boxAt = ({ width, height }, x, y) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** The point of a box that is nearest to another point. @param {Box} box @param {Point} point @returns {Point} */
const nearest = ({ left, right, top, bottom }, [x, y]) => [
  Math.min(right, Math.max(left, x)),
  Math.min(bottom, Math.max(top, y)),
];

/** @param {Box} box @param {Point} point */
function distance(box, point) {
  const [x, y] = nearest(box, point);
  return Math.hypot(x - point[0], y - point[1]);
}

/** Whether a line runs through a box. @param {Line} line @param {Box} box */
function crosses({ ends: [[x0, y0], [x1, y1]], broad }, { left, right, top, bottom }) {
  const reach = broad / 2;
  /* As parts of the line: where it has entered by both axes, and where it leaves by one. */
  let [enters, leaves] = [0, 1];
  for (const [start, way, low, high] of [
    [x0, x1 - x0, left - reach, right + reach],
    [y0, y1 - y0, top - reach, bottom + reach],
  ]) {
    const [a, b] = [(low - start) / way, (high - start) / way];
    enters = Math.max(enters, Math.min(a, b));
    leaves = Math.min(leaves, Math.max(a, b));
  }
  return enters < leaves;
}

/** Places around a tip, the best first, each with how far it is from the best. @param {Label} label */
function* around({ tip: [tx, ty], from, width, height, clear }) {
  const outward = Math.atan2(ty - from[1], tx - from[0]);
  const side = (/** @type {number} */ part) => Math.max(-1, Math.min(1, 1.5 * part));
  for (const farther of FARTHER)
    for (const turn of TURNS) {
      const angle = outward + turn * TURN;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      yield {
        x: tx + (clear + farther) * dx + (side(dx) * width) / 2,
        y: ty + (clear + farther) * dy + (side(dy) * height) / 2,
        cost: farther + TURNED * Math.abs(turn),
      };
    }
}

/** Places all over the drawing, each with how far it is from the tip. @param {Label} label @param {number} size */
function* everywhere({ tip, width, height }, size) {
  for (let y = height / 2; y <= size - height / 2; y += GRID)
    for (let x = width / 2; x <= size - width / 2; x += GRID)
      yield { x, y, cost: Math.hypot(x - tip[0], y - tip[1]) };
}

/** The names in the order in which they were given, then with each of them first: where one lies best, another may be left with
 * no good place.
 * @template T @param {readonly T[]} all */
const orders = (all) => all.map((first) => [first, ...all.filter((one) => one !== first)]);

/**
 * @param {Label[]} labels
 * @param {{ size: number, taken?: Box[], lines?: Line[] }} drawing its size; what names keep out of; what they keep off where
 *   there is another way
 * @returns {(Place | null)[]} null where there is no room at all
 */
export function layOutLabels(labels, drawing) {
  const [best] = orders(labels)
    .map((order) => placed(order, drawing))
    .sort((a, b) => a.cost - b.cost);
  return labels.map((label) => best.places.get(label) ?? null);
}

/** Places of names, and what they cost together.
 * @param {Label[]} labels those that come first choose first
 * @param {Parameters<typeof layOutLabels>[1]} drawing */
function placed(labels, { size, taken = [], lines = [] }) {
  const full = [...taken];
  /** @type {Map<Label, Place>} */
  const places = new Map();
  let total = 0;
  for (const label of labels) {
    const isFree = (/** @type {Box} */ box) =>
      box.left >= 0 &&
      box.top >= 0 &&
      box.right <= size &&
      box.bottom <= size &&
      !full.some((other) => overlap(box, other));
    const isLed = (/** @type {Box} */ box) => {
      const far = distance(box, label.tip);
      return far > label.clear + READ || labels.some(({ tip }) => distance(box, tip) < far);
    };
    /* A line that leads to a tip runs through nothing but what surrounds that. */
    const ledCost = (/** @type {Box} */ box) => {
      if (!isLed(box)) return 0;
      const { tip } = label;
      const line = { ends: /** @type {const} */ ([nearest(box, tip), tip]), broad: 0 };
      const over = full.filter((other) => distance(other, tip) > 0 && crosses(line, other));
      return LED + CROSSED * over.length;
    };
    /** @param {Iterable<{ x: number, y: number, cost: number }>} candidates */
    const cheapest = (candidates) => {
      let best = null;
      let least = Number.POSITIVE_INFINITY;
      for (const { x, y, cost } of candidates) {
        const box = boxAt(label, x, y);
        if (cost >= least || !isFree(box)) continue;
        const over = lines.filter((line) => crosses(line, box));
        const all = over.reduce((sum, line) => sum + (line.cost ?? CROSSED), cost) + ledCost(box);
        if (all >= least) continue;
        least = all;
        best = { x, y, box, cost: all };
      }
      return best;
    };
    const place = cheapest(around(label)) ?? cheapest(everywhere(label, size));
    total += place?.cost ?? NOWHERE;
    if (!place) continue;
    const { x, y, box } = place;
    full.push(box);
    places.set(label, { x, y, led: isLed(box) ? nearest(box, label.tip) : null });
  }
  return { places, cost: total };
}
