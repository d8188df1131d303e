// One matrix of an arrangement: which part of it is shown, and what is written beside it.
import { SHORT, size as sizeOf } from './crossing.js';
import { axes, headsIn, isOfTokens, labels, longestOf, word } from './names.js';
import { matrices, parseCell, sameCell } from './tensor.js';
import { page, span } from './window.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('./crossing.js').Size} Size */
/** @typedef {import('./window.js').Span} Span */
/** @typedef {{ width: number, height: number }} Room */
/** What is shown of a step, in its own rows and columns. @typedef {{ rows: Span, columns: Span }} Part */
/**
 * @typedef {object} Sheet
 * @property {import('../../app/state/view.js').View} view
 * @property {ReturnType<typeof import('../ops.js').drawingOf>} drawing how the op of the stage is drawn
 * @property {(step: Step) => import('./names.js').Known} known what the labels of a step are made of
 * @property {Room} room px that all may take
 * @property {number} unit px of one px of the design
 * @property {boolean} narrow whether operands may be shown as one row and one column only
 * @property {boolean} [isSlide] whether a class is looking: cells fill the room
 */
/**
 * A matrix, or a part of it.
 * @typedef {object} Panel
 * @property {Step} step
 * @property {number} head which of its matrices
 * @property {boolean} transposed
 * @property {Part} part
 * @property {Span} down the rows as they are shown
 * @property {Span} across
 * @property {Size} size of a cell
 * @property {{ rows: number, columns: number }} bounds after how many of them a head ends; 0 if heads are not
 *   in that direction
 * @property {string[] | null} rowLabels
 * @property {string[] | null} columnLabels
 * @property {'below' | 'beside' | null} name where its name stands, if not apart from it
 */

/** px of the design */
export const ID_CELL = { width: 50, height: 17 };
/** Cells of colours are labelled from this height on. */
const MIN_LABEL_HEIGHT = 11;

export const MAX_WRITTEN_IDS = 16;
/** So many rows of a table are shown that ids look up. */
const MAX_TABLE_ROWS = 5;
/** @param {number} from */
export const one = (from) => ({ from, count: 1 });

/** @param {Part} part */
export const counts = ({ rows, columns }) => ({ rows: rows.count, columns: columns.count });

/** Row and column of a cell within its matrix.
 * @param {import('./tensor.js').Cell} cell */
const placeOf = ({ index }) => (index.length === 1 ? [index[0], index[0]] : index.slice(-2));

/** Ids are written, unless there are many.
 * @param {Sheet} sheet
 * @param {Step} step
 * @param {Size} size */
export function ofKind({ unit }, step, size) {
  if (step.kind !== 'ids') return size;
  const few = step.data.length <= MAX_WRITTEN_IDS;
  const height = few ? Math.max(size.height, ID_CELL.height * unit) : size.height;
  return sizeOf(Math.max(size.width, ID_CELL.width * unit), height, unit);
}

/**
 * @param {Sheet} sheet
 * @param {Step} step
 * @param {{ size: Size, part: Part, rows?: boolean, columns?: boolean, transposed?: boolean, head?: number,
 *   name?: Panel['name'] }} how rows, columns: whether they are labelled, where that can be read
 * @returns {Panel}
 */
export function panel(
  { view, known: knownOf },
  step,
  { size, part, rows = false, columns = false, transposed = false, head, name = null },
) {
  const axis = axesOf(step);
  const names = knownOf(step);
  if (step.kind === 'ids') names.positions = step.data;
  const [down, across] = transposed ? [part.columns, part.rows] : [part.rows, part.columns];
  const [high, wide] = transposed ? [axis.columns, axis.rows] : [axis.rows, axis.columns];
  const roomy = size.mode !== 'colours';
  return {
    step,
    head: head ?? headOf(view, step),
    transposed,
    part,
    down,
    across,
    size,
    bounds: boundsOf(step),
    rowLabels:
      rows && (roomy || size.height >= MIN_LABEL_HEIGHT)
        ? labels(high, down.count, names, down.from)
        : null,
    columnLabels: columns && roomy ? labels(wide, across.count, names, across.from) : null,
    name,
  };
}

/** What the rows and the columns of a step stand for; a row that scores words names the one that it predicts, too.
 * @param {Step} step @returns {ReturnType<typeof axes>} */
function axesOf(step) {
  const { rows, columns } = axes(step);
  return rows === 'target' && columns === 'word'
    ? { rows: 'predicting', columns }
    : { rows, columns };
}

/** @param {Step} step */
function boundsOf(step) {
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  const heads = headsIn(step);
  if (heads === 1) return { rows: 0, columns: 0 };
  const joins = word(step) === 'w_o';
  return { rows: joins ? rows / heads : 0, columns: joins ? 0 : columns / heads };
}

/**
 * Which matrix of a step stands for the head that is shown; several heads may share one.
 * @param {Sheet['view']} view
 * @param {Step} step
 */
export function headOf({ stage, head }, step) {
  const [count, all] = [step, stage].map(({ shape }) => matrices(shape).count);
  return Math.min(count - 1, count < all ? Math.floor((head * count) / all) : head);
}

/** The heads that are shown beside each other.
 * @param {Sheet} sheet
 * @param {Step} step */
export function headsOf({ view, drawing, room, unit }, step) {
  if (step.shape.length < 3) return [0];
  const [heads, , width] = step.shape;
  const all = drawing.allHeads && heads * width <= room.width / 3 / unit;
  return all ? Array.from({ length: heads }, (_, h) => h) : [headOf(view, step)];
}

/** The row and the column of the stage that are looked at, or about to be.
 * @param {Sheet['view']} view */
export function here({ stage, focus, current }) {
  const cell = focus?.node === stage.name ? focus : current;
  const [row, column] = cell ? placeOf(cell) : [0, 0];
  return { row, column };
}

/** The term that is being told. @param {Sheet['view']} view */
export const termOf = ({ focus, now, term }) => (sameCell(focus, now) ? term : 0);

/**
 * What is shown of a step: all of it, or where the stage's cell or its operand is.
 * @param {Sheet} sheet
 * @param {Step} step
 * @param {Room} room
 * @returns {Part}
 */
export function partOf(sheet, step, room) {
  const { view, drawing, unit } = sheet;
  const { stage, operands } = view;
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  const cells = [...(operands[0] ?? [])].map((key) => parseCell(key));
  const operand = cells.find((cell) => cell?.node === step.name);
  const like = step.shape.join() === stage.shape.join();
  const place = here(view);
  const [row, column] = operand && !like ? placeOf(operand) : [place.row, place.column];
  /* Of a table few rows are looked up. */
  const table = drawing.looksUp && step.kind === 'parameter';
  return {
    rows: table ? page(rows, MAX_TABLE_ROWS, row) : span(rows, room.height, row, unit),
    columns: span(
      columns,
      room.width / headsOf(sheet, step).length,
      column,
      unit,
      leastOf(sheet, step)?.width,
    ),
  };
}

/** How large cells are at least, px of the design: on a slide the numbers of some channels are read, where nobody tells the
 * colours of all apart. Rows of a table are copied as a whole. @param {Sheet} sheet @param {Step} step */
export const leastOf = ({ isSlide, drawing }, step) =>
  isSlide && !drawing.looksUp && !isOfTokens(axes(step).columns) ? SHORT : null;

/** px of the design for the labels of rows, on a narrow screen and on others; two words of a row need more. */
const SIDE = { one: [76, 110], pair: [144, 150] };

/**
 * Room for the labels at the left of a matrix, px.
 * @param {Sheet} sheet
 * @param {Step} step
 */
export function sideWidth({ view, unit, narrow }, step) {
  const { rows } = axesOf(step);
  const usual = rows === 'word' && view.example.vocabulary ? 7 : 3;
  const longest = isOfTokens(rows) ? longestOf(rows, view.example) : usual;
  const [least, most] = SIDE[rows === 'predicting' ? 'pair' : 'one'];
  return Math.min(narrow ? least : most, longest * 9 + 22) * unit;
}
