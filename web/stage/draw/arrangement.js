// How the matrices of a step are arranged. A product crosses, so that each number of the result stands where its row
// and its column meet; any other step reads along an arrow. What comes out says of each matrix which part of it is
// shown, how large its cells are, and what is written beside it: painters make elements of it, or a picture.
import { cellSize, crossing, FILLING, flow, LOW, size } from './crossing.js';
import { axes, isOfTokens, longestOf } from './names.js';
import {
  counts,
  headsOf,
  here,
  ID_CELL,
  leastOf,
  MAX_WRITTEN_IDS,
  ofKind,
  one,
  panel,
  partOf,
  sideWidth,
  termOf,
} from './panels.js';
import { matrices } from './tensor.js';
import { span, spans } from './window.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('./crossing.js').Size} Size */
/** @typedef {import('./panels.js').Room} Room */
/** @typedef {import('./panels.js').Part} Part */
/** @typedef {import('./panels.js').Sheet} Sheet */
/** @typedef {import('./panels.js').Panel} Panel */
/** The matrices of a step that stand beside each other. @typedef {{ panels: Panel[], rows: boolean, columns: boolean }} Group */
/**
 * @typedef {{ kind: 'crossing', side: number, gutter: number, heads: number, gap: number,
 *   left: Panel, above: Panel, result: Panel, bias: Panel | null }} Crossing
 * @typedef {{ kind: 'stacked', side: number, left: Panel, above: Panel, result: Panel }} Stacked
 * @typedef {{ kind: 'flow', side: number, down: boolean, operands: Group[], result: Group, below: Panel[] }} Flow
 * below: what scales and shifts each column, below the first operand
 * @typedef {{ kind: 'alone', side: number, result: Panel }} Alone
 */

/** What a matrix takes beside its cells: brackets, and the gap to the next. */
const FRAME = { narrow: 22, wide: 28 };
const ARROW = { width: 136, height: 66, name: 96 };
/** On a slide it is shorter. */
const SHORT_ARROW = 112;
/** What a sign between operands takes, and = before the result, in the mean. */
const SIGN = 96;
/** The matrices of the present step.
 * @param {Sheet} sheet
 * @returns {Crossing | Stacked | Flow} */
export function arrange(sheet) {
  const { view, drawing, narrow } = sheet;
  if (!drawing.crosses) return flowing(sheet);
  const operands = operandsOf(view);
  const whole = crossed(sheet, operands);
  return narrow && !isLegible(whole, sheet) ? stacked(sheet, operands) : whole;
}

/** px of the design that a crossing may be high on a narrow screen, to be seen whole. */
const MAX_CROSSING_HEIGHT = 430;
/** px of the design: narrower cells have room for whole numbers only. */
const MIN_DECIMAL_WIDTH = 42;

/** Whether a crossing has room for its numbers on a narrow screen.
 * @param {Crossing} arranged
 * @param {Sheet} sheet */
const isLegible = (arranged, { room, unit }) =>
  widthOf(arranged, unit) <= room.width &&
  [arranged.left, arranged.above, arranged.result].every(
    ({ size, step }) =>
      size.mode !== 'colours' &&
      (size.width >= MIN_DECIMAL_WIDTH * unit || step.data.every(Number.isInteger)),
  );

/** px of the design that the corner of a crossing takes at least. */
const CORNER = 100;
/** Of the height, what a run takes that stands above another one. */
const STACKED_SHARE = 0.4;
/** Of the width, what the intact run may take beside the page's own. */
const SHARES = [0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46, 0.48, 0.5];

/** Two runs beside each other, or one above the other on a narrow screen: the room of each. The intact one gets so
 * much that its cells can be those of the page's own.
 * @param {Sheet} sheet room: that of both
 * @param {Step} step of the intact run
 * @param {number} gap px between them
 * @returns {{ intact: Room, page: Room }} */
export function fork(sheet, step, gap) {
  const { room, narrow } = sheet;
  if (narrow) return { intact: { ...room, height: room.height * STACKED_SHARE }, page: room };
  const rooms = SHARES.map((share) => ({
    intact: { width: share * room.width, height: room.height },
    page: { width: (1 - share) * room.width - gap, height: room.height },
  }));
  return rooms.find(({ intact, page }) => like({ ...sheet, room: intact }, step, page)) ?? rooms[0];
}

/** Two whole results, as large as each other: beside each other, or one above the other on a narrow screen and where only that has
 * room for their numbers.
 * @param {Sheet} sheet room: that of both
 * @param {Step} step
 * @param {number} gap px between them
 * @returns {{ stacked: boolean, room: Room }} room: of each */
export function pair(sheet, step, gap) {
  const { room, narrow } = sheet;
  const beside = { width: room.width / 2 - gap, height: room.height };
  const above = { width: room.width, height: room.height * STACKED_SHARE };
  const hasNumbers = (/** @type {Room} */ one) =>
    alone({ ...sheet, room: one }, step, null).result.size.mode !== 'colours';
  const stacked = narrow || (!hasNumbers(beside) && hasNumbers(above));
  return { stacked, room: stacked ? above : beside };
}

/** How the present step is shown in another room, if the same can be shown in this one.
 * @param {Sheet} sheet
 * @param {Step} step
 * @param {Room} other
 * @returns {{ size: Size, part: Part } | null} */
function like(sheet, step, other) {
  const { room, unit, view } = sheet;
  /* Without the matrices that a removal takes out, it can have other rows and columns. */
  if (`${step.shape}` !== `${view.stage.shape}`) return null;
  const arranged = arrange({ ...sheet, room: other });
  if (arranged.kind === 'crossing' && widthOf(arranged, unit) > other.width) return null;
  const { result } = arranged;
  const { size, part } = 'panels' in result ? result.panels[0] : result;
  const width = sideWidth(sheet, step) + part.columns.count * size.width + 16 * unit;
  const fits = width <= room.width && part.rows.count * size.height <= room.height;
  return fits ? { size, part } : null;
}

/** Which sizes cells like to have. @param {Sheet} sheet */
const likedIn = ({ isSlide, narrow }) => (isSlide ? FILLING : narrow ? LOW : undefined);

/** px that a crossing takes; above the left operand stand its name and what removes the step.
 * @param {Crossing} arranged
 * @param {number} unit */
function widthOf({ side, gutter, left, result }, unit) {
  const leftWidth = Math.max(left.across.count * left.size.width, CORNER * unit);
  return side + leftWidth + gutter + result.across.count * result.size.width + 12 * unit;
}

/** A step without its operands: where it fits, as the page's own run shows it in its room.
 * @param {Sheet} sheet
 * @param {Step} step
 * @param {Room | null} other the room of the page's own run; null if that has no operands, either
 * @returns {Alone} */
export function alone(sheet, step, other) {
  const { room, unit } = sheet;
  const side = sideWidth(sheet, step);
  const free = { width: room.width - side - 16 * unit, height: room.height - 90 * unit };
  const visible = partOf(sheet, step, free);
  const { size, part } = (other && like(sheet, step, other)) ?? {
    size: cellSize(counts(visible), free, unit, likedIn(sheet)),
    part: visible,
  };
  const result = panel(sheet, step, { size, part, rows: true, columns: true, name: 'below' });
  return { kind: 'alone', side, result };
}

/**
 * @typedef {{ left: Step, above: Step, bias: Step | null, transposed: boolean }} Operands
 * @param {Sheet['view']} view
 * @returns {Operands}
 */
function operandsOf({ stage, trace }) {
  const [a, b, bias] = stage.inputs;
  return {
    left: trace.step(String(a)),
    above: trace.step(String(b)),
    bias: bias ? trace.step(bias) : null,
    transposed: stage.attributes.transposed === 1,
  };
}

/**
 * Sizes of a crossing's cells. Few and small columns of the left operand take less than their corner does: then they have that,
 * the others the rest.
 * @param {Parameters<typeof crossing>[0]} shown
 * @param {{ width: number, height: number }} free px
 * @param {number} unit
 * @param {Parameters<typeof crossing>[3]} liked
 * @returns {ReturnType<typeof crossing>}
 */
function sizesOf(shown, free, unit, liked) {
  const sizes = crossing(shown, free, unit, liked);
  const corner = CORNER * unit;
  const rest = { ...free, width: free.width - corner };
  if (shown.inner * sizes.left.width >= corner || shown.columns * sizes.result.width <= rest.width)
    return sizes;
  const { above, result } = crossing({ ...shown, left: 0 }, rest, unit, liked);
  const most = Math.floor((2 * corner) / shown.inner) / 2;
  return { above, result, left: size(Math.min(most, result.width), result.height, unit) };
}

/**
 * @param {Sheet} sheet
 * @param {Operands} operands
 * @returns {Crossing}
 */
function crossed(sheet, { left, above, bias, transposed }) {
  const { view, room, unit, narrow } = sheet;
  const { stage } = view;
  const side = sideWidth(sheet, left);
  const gutter = (narrow ? 30 : 44) * unit;
  const across = axes(above)[transposed ? 'rows' : 'columns'];
  /* Long names of columns are turned: a narrow screen has no room above and beside them. */
  const slant = narrow && isOfTokens(across) && longestOf(across, view.example) > 4 ? 14 : 0;
  const heads = ((sheet.isSlide ? 27 : 34) + slant) * unit;
  /* Each weight says whose value it scales. */
  const named = isOfTokens(axes(left).columns);
  const gap = named ? heads : 20 * unit;
  const high = narrow ? MAX_CROSSING_HEIGHT * unit : room.height;
  const free = {
    width: room.width - side - gutter - (28 + slant) * unit,
    height: high - 2 * heads - gap - (bias ? 85 : 25) * unit,
  };
  const shape = { ...matrices(stage.shape), inner: Number(left.shape.at(-1)) };
  const place = { ...here(view), term: termOf(view) };
  const { rows, columns, inner } = spans(shape, free, place, unit, leastOf(sheet, stage));
  const shown = { rows: rows.count, columns: columns.count, inner: inner.count };
  const sizes = sizesOf(shown, free, unit, likedIn(sheet));
  const turned = transposed ? { rows: columns, columns: inner } : { rows: inner, columns };
  return {
    kind: 'crossing',
    side,
    gutter,
    heads,
    gap,
    left: panel(sheet, left, {
      size: sizes.left,
      part: { rows, columns: inner },
      rows: true,
      columns: named,
    }),
    above: panel(sheet, above, {
      size: sizes.above,
      part: turned,
      rows: true,
      columns: true,
      transposed,
      name: 'beside',
    }),
    result: panel(sheet, stage, { size: sizes.result, part: { rows, columns }, name: 'below' }),
    bias:
      bias &&
      panel(sheet, bias, {
        size: { ...sizes.result, height: Math.max(sizes.result.height, 10) },
        part: { rows: one(0), columns },
        name: 'below',
      }),
  };
}

/**
 * On a narrow screen: the row, the column lying down, and where they cross.
 * @param {Sheet} sheet
 * @param {Operands} operands
 * @returns {Stacked}
 */
function stacked(sheet, { left, above, transposed }) {
  const { view, room, unit } = sheet;
  const { row, column } = here(view);
  const side = sideWidth(sheet, left);
  const free = { width: room.width - side - 8 * unit, height: room.height };
  const part = partOf(sheet, view.stage, free);
  const inner = span(Number(left.shape.at(-1)), free.width, termOf(view), unit);
  const line = cellSize({ rows: 1, columns: inner.count }, free, unit, LOW);
  const size = cellSize(counts(part), free, unit, LOW);
  return {
    kind: 'stacked',
    side,
    left: panel(sheet, left, {
      size: line,
      part: { rows: one(row), columns: inner },
      rows: true,
      columns: isOfTokens(axes(left).columns),
    }),
    above: panel(sheet, above, {
      size: line,
      part: transposed
        ? { rows: one(column), columns: inner }
        : { rows: inner, columns: one(column) },
      rows: true,
      transposed: !transposed,
    }),
    result: panel(sheet, view.stage, { size, part, rows: true, columns: true }),
  };
}

/**
 * What stands beside each other: operands, and the result; and what stands below it.
 * @param {Sheet} sheet
 */
function sourcesOf({ view, drawing }) {
  const { stage, trace } = view;
  const names = stage.bypassed === null ? stage.inputs : [stage.inputs[stage.bypassed]];
  const operands = names.filter((name) => name !== null).map((name) => trace.step(String(name)));
  if (drawing.shown) operands.length = drawing.shown;
  // What scales and shifts each column is an operand: the result is already scaled and shifted.
  const below = drawing.below ? operands.splice(1) : [];
  // A long list of places says no more than the labels of the rows.
  if (drawing.counts && operands[0].data.length > MAX_WRITTEN_IDS) operands.length = 0;
  // An id looks up a row of the table, so the ids come first.
  if (drawing.looksUp) operands.reverse();
  return { shown: [...operands, stage], below };
}

/**
 * The room for matrices beside each other, and the width for those below each other.
 * @param {Sheet} sheet
 * @param {{ shown: Step[], heads: unknown[][], labelled: number, side: number, below: number }} content
 */
function freeRoom(sheet, { shown, heads, labelled, side, below }) {
  const { drawing, room, unit, narrow } = sheet;
  const frame = narrow ? FRAME.narrow : FRAME.wide;
  const frames = heads.reduce((sum, { length }) => sum + length, 1) * frame;
  const ids = shown.some((step) => step.kind === 'ids') ? ID_CELL.width * unit : 0;
  const free = {
    width: room.width - side * labelled - ids - frames * unit,
    height: room.height - ((narrow ? 160 : drawing.allHeads ? 132 : 84) + 48 * below) * unit,
  };
  // Below each other, room beside the widest one is enough.
  const widest = (Math.max(...heads.map(({ length }) => length)) + (narrow ? 0 : 1)) * frame;
  const spare = side * (labelled - 1) + ids + (frames - widest) * unit;
  return { free, spare, width: free.width + (narrow ? spare : 0) };
}

/** What is shown of matrices beside each other: where numbers are to be read, each has its share of the room.
 * @param {Sheet} sheet @param {Step[]} shown @param {Room} room @param {number} between px between two */
function partsOf(sheet, shown, room, between) {
  const wide = shown.filter(({ kind }) => kind !== 'ids').length;
  const share = (room.width - (shown.length - 1) * between) / wide;
  return shown.map((step) =>
    partOf(sheet, step, leastOf(sheet, step) ? { ...room, width: share } : room),
  );
}

/**
 * A step of one number each: operands, and the result.
 * @param {Sheet} sheet
 * @returns {Flow}
 */
function flowing(sheet) {
  const { drawing, unit, narrow } = sheet;
  const { shown, below } = sourcesOf(sheet);
  const side = Math.max(...shown.map((step) => sideWidth(sheet, step)));
  // Beside each other, the row labels of the first matrix serve all with the same rows.
  const like = (/** @type {Step} */ step) => axes(step).rows === axes(shown[0]).rows;
  const labelled = shown.filter((step) => step === shown[0] || !like(step)).length;
  const heads = shown.map((step) => headsOf(sheet, step));
  const content = { shown, heads, labelled, side, below: below.length };
  const { free, spare, width } = freeRoom(sheet, content);
  const between = (drawing.sign ? SIGN : sheet.isSlide ? SHORT_ARROW : ARROW.width) * unit;
  const parts = partsOf(sheet, shown, { ...free, width }, between);
  const arrow = {
    width: between,
    height: ARROW.height * unit,
    name: narrow ? 0 : ARROW.name * unit,
    spare,
  };
  const { down, size } = flow(
    parts.map(counts).map(({ rows, columns }, i) => ({ rows, columns: columns * heads[i].length })),
    free,
    arrow,
    unit,
    drawing.allHeads,
    likedIn(sheet),
  );
  // Below each other, the first matrix's column labels serve all that have the same columns.
  const wide = (/** @type {Step} */ step) => `${step.shape.at(-1)} ${axes(step).columns}`;
  const groups = shown.map((step, i) => {
    const rows = down || step === shown[0] || !like(step);
    const columns =
      !down || step === shown[0] || (step.kind !== 'ids' && wide(step) !== wide(shown[0]));
    const panels = heads[i].map((head, nth) => {
      const labels = {
        rows: rows && nth === 0,
        columns,
        head,
        name: /** @type {const} */ ('below'),
      };
      return panel(sheet, step, { size: ofKind(sheet, step, size), part: parts[i], ...labels });
    });
    return { panels, rows, columns };
  });
  const { columns } = parts[parts.length - 1];
  return {
    kind: 'flow',
    side,
    down,
    operands: groups.slice(0, -1),
    result: groups[groups.length - 1],
    below: below.map((step) =>
      panel(sheet, step, {
        size: { ...size, height: Math.min(size.height, 20 * unit) },
        part: { rows: one(0), columns },
        name: 'below',
      }),
    ),
  };
}
