// The present step as a picture in SVG: matrices with their labels and numbers, and the
// formula of the number in focus as text.

import { PALETTE } from '../../../bindings/js/base/palette.js';
import { arrange } from '../draw/arrangement.js';
import { css, ink } from '../draw/colour.js';
import { decimalsOf, inCells, shortest } from '../draw/format.js';
import { lookOf } from '../draw/look.js';
import { role, symbol } from '../draw/names.js';
import { cellKey, indexAt, matrices, numberAt } from '../draw/tensor.js';
import { drawingOf } from '../ops.js';
import { derivation } from '../telling/derivation.js';
import { knownOf, runName, title } from '../telling/words.js';
import { encode, parse, pieces } from './formula.js';

/** @typedef {import('../../app/state/view.js').View} View */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../draw/arrangement.js').Panel} Panel */
/** @typedef {import('../draw/arrangement.js').Crossing} Crossing */
/** @typedef {import('../draw/arrangement.js').Flow} Flow */
/** @typedef {import('../draw/crossing.js').Size} Size */
/** @typedef {import('../draw/window.js').Span} Span */
/** @typedef {{ markup: string, width: number, height: number }} Box */

/** px of the drawing, and between its parts. */
const ROOM = { width: 1060, height: 670 };
const MARGIN = 28;
const GUTTER = 36;
const HEADS = 24;
const NAME = 26;
const LINE = 24;
/** Between matrices that stand below each other. */
const STEP = 40;
/** Width of a letter, as a part of the font's size. */
const LETTER = 0.62;

/** The colours of a theme; what has a role is written in its colour.
 * @param {import('../draw/colour.js').Theme} theme */
function inksOf(theme) {
  const { paper, ink, quiet, line, accent, ...colours } = PALETTE[theme];
  const [q, k, v, a] = ['q', 'k', 'v', 'a'].map((role) => Object(colours)[`${role}-ink`]);
  return { paper, ink, quiet, line, accent, q, k, v, a, x: ink };
}

const INKS = { light: inksOf('light'), dark: inksOf('dark') };

/** @param {number} px */
const round = (px) => Math.round(px * 100) / 100;

/** @param {string} text @param {number} size */
const wide = (text, size) => text.length * size * LETTER;

/**
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} attributes
 * @param {string} [inside]
 */
function element(tag, attributes, inside = '') {
  const all = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === 'number' ? round(value) : encode(String(value))}"`,
    )
    .join('');
  return inside === '' ? `<${tag}${all}/>` : `<${tag}${all}>${inside}</${tag}>`;
}

/** @param {number} x @param {number} y @param {string} inside */
const placed = (x, y, inside) =>
  element('g', { transform: `translate(${round(x)} ${round(y)})` }, inside);

/** A line of text.
 * @param {number} x @param {number} y @param {string} words
 * @param {Record<string, string | number>} [attributes] */
const write = (x, y, words, attributes = {}) =>
  element('text', { x, y, ...attributes }, encode(words));

/** A letter in its role's colour, its index, and the matrix's size, or which part of it is shown.
 * @param {View} view @param {Panel} panel */
function name(view, { step, part, head, transposed }) {
  const { letter, below } = symbol(step, step.shape.length > 2 ? head : undefined);
  const small = { 'font-size': 10, 'font-style': 'normal' };
  const sub = below ? element('tspan', { dy: 4, ...small }, encode(below)) : '';
  const back = below ? -4 : 0;
  const sup = transposed ? element('tspan', { dy: back - 5, ...small }, 'T') : '';
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  const of = (/** @type {Span} */ { from, count }, /** @type {number} */ all) =>
    count < all ? `${from + 1}–${from + count} / ${all}` : String(all);
  const sides = [of(part.rows, rows), of(part.columns, columns)];
  if (transposed) sides.reverse();
  const { quiet, ...inks } = INKS[view.theme];
  const size = element(
    'tspan',
    {
      dy: transposed ? 5 : back,
      'font-size': 11,
      'font-weight': 400,
      'font-style': 'normal',
      fill: quiet,
    },
    `  ${sides.join(' × ')}`,
  );
  return element(
    'text',
    { 'font-size': 15, 'font-weight': 600, 'font-style': 'italic', fill: inks[role(step)] },
    `${encode(letter)}${sub}${sup}${size}`,
  );
}

/** What a cell is filled with, and the ink on that. @param {Step} step @param {number} flat @param {View} view */
function paint(step, flat, view) {
  const { rgb, masked, broken, isBare } = lookOf(view, step, flat);
  if (!isBare) return { background: css(rgb), colour: ink(rgb) };
  const background = masked ? 'url(#masked)' : broken ? 'url(#broken)' : 'none';
  return { background, colour: INKS[view.theme].ink };
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Frame */

/** @param {Frame} box @param {string} colour @param {number} width */
const frame = (box, colour, width) =>
  element('rect', { ...box, fill: 'none', stroke: colour, 'stroke-width': width });

/** The box around boxes; none around nothing.
 * @param {Frame[]} boxes
 * @returns {Frame[]} */
function around(boxes) {
  if (boxes.length === 0) return [];
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return [{ x, y, width, height }];
}

/** The cells of a matrix, row by row, as they are shown.
 * @param {Panel} panel */
function placesOf({ step, head, down, across, transposed }) {
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  return Array.from({ length: down.count }, (_, i) =>
    Array.from({ length: across.count }, (_, j) => {
      const [row, column] = transposed
        ? [across.from + j, down.from + i]
        : [down.from + i, across.from + j];
      return (head * rows + row) * columns + column;
    }),
  );
}

/** @param {View} view @param {Panel} panel
 * @returns {string} */
function cellsOf(view, panel) {
  const { step, size } = panel;
  const places = placesOf(panel);
  const computed = view.known(step);
  const inks = INKS[view.theme];
  const focus = view.focus && cellKey(view.focus);
  const numbered = size.mode !== 'colours';
  const values = places.flat().map((flat) => numberAt(step, flat));
  const decimals = decimalsOf(view.trace, step.name);
  const { write: shown, font } = inCells(numbered ? values : [], size, { unit: 1, decimals });
  /** @type {string[]} */
  const frames = [];
  /** @type {Frame[]} */
  const operands = [];
  const cells = places.flatMap((line, i) =>
    line.flatMap((flat, j) => {
      const [x, y] = [j * size.width, i * size.height];
      const box = { x, y, width: size.width, height: size.height };
      if (flat >= computed) {
        return numbered ? [element('rect', { ...box, fill: 'none', stroke: inks.line })] : [];
      }
      const { background, colour } = paint(step, flat, view);
      const index = indexAt(step.shape, flat);
      const key = cellKey({ node: step.name, index });
      if (key === focus) frames.push(frame(box, inks.accent, 2.5));
      else if (view.operands.some((keys) => keys.has(key))) operands.push(box);
      const value = numberAt(step, flat);
      const data = {
        'data-node': step.name,
        'data-index': index.join(),
        'data-value': step.kind === 'ids' ? String(value) : shortest(value),
      };
      if (!numbered) return [element('rect', { ...box, fill: background, ...data })];
      const text = write(x + size.width / 2, y + size.height / 2 + font * 0.35, shown(value), {
        'font-size': font,
        'text-anchor': 'middle',
        fill: colour,
        ...data,
      });
      return [element('rect', { ...box, fill: background, stroke: inks.line }), text];
    }),
  );
  /* Small cells have one frame around all of them. */
  const each = numbered ? operands : around(operands);
  return [...cells, ...each.map((box) => frame(box, inks.accent, 1.25)), ...frames].join('');
}

/** What stands at the left of a matrix and above it, and the room that it takes.
 * @param {View} view @param {Panel} panel */
function sidesOf(view, { size, rowLabels, columnLabels }) {
  const colour = INKS[view.theme].quiet;
  const words = { left: rowLabels ?? [], above: columnLabels ?? [] };
  const widest = (/** @type {string[]} */ all, /** @type {number} */ font) =>
    Math.max(0, ...all.map((word) => wide(word, font)));
  const turned = widest(words.above, 11) > size.width;
  const left = words.left.map((word, row) =>
    write(-8, (row + 0.5) * size.height + 4, word, {
      'font-size': 12,
      'text-anchor': 'end',
      fill: colour,
    }),
  );
  const above = words.above.map((word, column) => {
    const x = (column + 0.5) * size.width;
    /** @type {Record<string, string>} */
    const how = turned
      ? { 'text-anchor': 'start', transform: `rotate(-45 ${round(x)} -8)` }
      : { 'text-anchor': 'middle' };
    return write(x, -8, word, { 'font-size': 11, fill: colour, ...how });
  });
  return {
    markup: [...left, ...above].join(''),
    left: left.length ? widest(words.left, 12) + 10 : 0,
    top: above.length ? (turned ? widest(words.above, 11) * 0.75 + 10 : HEADS) : 0,
  };
}

/** One matrix with its cells, its labels at the left and above, and its name below or beside it.
 * @param {View} view @param {Panel} panel
 * @returns {Box & { left: number, top: number }} left and top: what the labels take */
function matrix(view, panel) {
  const { size, down, across } = panel;
  const beside = panel.name === 'beside';
  const [width, height] = [across.count * size.width, down.count * size.height];
  const { markup: sides, left, top } = sidesOf(view, panel);
  const label = name(view, panel);
  const called = beside ? placed(width + 10, height / 2 + 5, label) : placed(0, height + 20, label);
  return {
    markup: placed(left, top, cellsOf(view, panel) + sides + called),
    left,
    top,
    width: left + Math.max(width, beside ? width + 120 : 80),
    height: top + height + (beside ? 0 : NAME),
  };
}

/** A matrix with more below it, each after a sign if it has one.
 * @param {View} view @param {Box} box @param {number} left where its cells begin
 * @param {{ sign?: string, panel: Panel }[]} more
 * @returns {Box} */
function withBelow(view, box, left, more) {
  const sign = { 'font-size': 18, fill: INKS[view.theme].quiet };
  let { markup, width, height } = box;
  for (const { sign: words = '', panel } of more) {
    const next = matrix(view, panel);
    if (words) markup += write(left - 16, height + 22, words, sign);
    markup += placed(left, height, next.markup);
    width = Math.max(width, left + next.width);
    height += next.height;
  }
  return { markup, width, height };
}

/** Row operand at the left, column operand above, the result where they cross.
 * @param {View} view @param {Crossing} arranged
 * @returns {Box} */
function product(view, { left, above, result, bias }) {
  const [a, b] = [left, above].map((panel) => matrix(view, panel));
  const y = withBelow(view, matrix(view, result), 0, bias ? [{ sign: '+', panel: bias }] : []);
  const x = a.left + left.across.count * left.size.width + GUTTER + b.left;
  const below = b.height + GUTTER / 2;
  const fill = INKS[view.theme].quiet;
  const cross = { 'font-size': 18, fill, 'text-anchor': 'middle' };
  return {
    markup: [
      placed(x - b.left, 0, b.markup),
      placed(0, below, a.markup),
      placed(x, below, y.markup),
      write(x - GUTTER / 2 - b.left / 2, below - GUTTER / 4, '×', cross),
    ].join(''),
    width: x + Math.max(y.width, b.width - b.left),
    height: below + Math.max(a.height, y.height),
  };
}

/** The matrices of a step beside each other.
 * @param {View} view @param {Panel[]} panels
 * @returns {Box & { left: number }} */
function group(view, panels) {
  const boxes = panels.map((panel) => matrix(view, panel));
  let x = 0;
  let markup = '';
  for (const box of boxes) {
    markup += placed(x, 0, box.markup);
    x += box.width + 14;
  }
  return {
    markup,
    left: boxes[0].left,
    width: x - 14,
    height: Math.max(...boxes.map(({ height }) => height)),
  };
}

/** Operands, a mark of what happens, the result.
 * @param {View} view @param {Flow} arranged
 * @returns {Box} */
function along(view, { down, operands, result, below }) {
  const { sign } = drawingOf(view.stage);
  const output = group(view, result.panels);
  const mark = { 'font-size': 20, 'text-anchor': 'middle', fill: INKS[view.theme].quiet };
  const arrow = sign ? '=' : down ? '↓' : '→';
  const [first, ...others] = operands.map(({ panels }) => group(view, panels));
  const more = below.map((panel) => ({ panel }));
  const boxes = first
    ? [{ ...withBelow(view, first, first.left, more), left: first.left }, ...others, output]
    : [output];
  /* Below each other, their cells begin at one line. */
  const start = Math.max(...boxes.map(({ left }) => left));
  /** @type {string[]} */
  const parts = [];
  let [x, y, width, height] = [0, 0, 0, 0];
  boxes.forEach((box, k) => {
    const words = box === output ? arrow : (sign ?? '');
    const between = k === 0 ? 0 : down ? STEP : GUTTER;
    if (k > 0 && words && down) parts.push(write(start + 20, y + between - 12, words, mark));
    else if (k > 0 && words) parts.push(write(x + between / 2, 80, words, mark));
    if (down) y += between;
    else x += between;
    const left = down ? start - box.left : x;
    parts.push(placed(left, y, box.markup));
    width = Math.max(width, left + box.width);
    height = Math.max(height, y + box.height);
    if (down) y += box.height;
    else x += box.width + 14;
  });
  return { markup: parts.join(''), width, height };
}

/** A formula as one line of text.
 * @param {unknown} formula @param {number} y @param {View} view
 * @returns {Box} */
function line(formula, y, view) {
  const size = 16;
  let level = 0;
  let width = 0;
  const spans = pieces(parse(formula)).map(({ text, level: to, node }) => {
    const part = to === 0 ? size : size * 0.7;
    width += wide(text, part);
    const dy = (level - to) * 5;
    level = to;
    const { class: kind = '', mathvariant, ...data } = node.attributes;
    const of = /role-([qkvax])/.exec(kind)?.[1];
    return element(
      'tspan',
      {
        dy: dy || undefined,
        'font-size': to === 0 ? undefined : part,
        'font-style': node.tag === 'mi' && mathvariant !== 'normal' ? 'italic' : undefined,
        fill: of ? INKS[view.theme][/** @type {'q'} */ (of)] : undefined,
        'data-node': data['data-node'],
        'data-index': data['data-index'],
        'data-value': data['data-value'],
      },
      encode(text),
    );
  });
  const markup = element(
    'text',
    { x: 0, y, 'font-size': size, fill: INKS[view.theme].ink, 'xml:space': 'preserve' },
    spans.join(''),
  );
  return { markup, width, height: LINE };
}

/** @param {unknown} formula */
const texts = (formula) =>
  pieces(parse(formula))
    .map(({ text }) => text)
    .join('');

/** @param {View} view
 * @returns {string} an SVG document */
export function figure(view) {
  const { stage, theme, example } = view;
  const inks = INKS[theme];
  const arranged = arrange({
    view,
    drawing: drawingOf(stage),
    known: (step) => knownOf(step, view),
    room: ROOM,
    unit: 1,
    narrow: false,
  });
  const body =
    arranged.kind === 'flow'
      ? along(view, arranged)
      : product(view, /** @type {Crossing} */ (arranged));
  const { symbols, indices, numbers, result } = derivation(view);
  const top = 64;
  /* What is copied needs to be said once. */
  const copied = texts(numbers) === texts(result);
  const lines = [symbols, indices, copied ? result : [...numbers, ...result]]
    .filter((formula) => formula.length > 0)
    .map((formula, i) => line(formula, i * LINE, view));
  const what = example.tokens.length > 0 ? example.tokens.join(' ') : example.title;
  const words = [what, runName(view)].filter(Boolean).join(', ');
  const width =
    2 * MARGIN + Math.max(360, body.width, ...lines.map((one) => one.width), wide(words, 13));
  const height = top + body.height + 30 + lines.length * LINE + MARGIN;
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: round(width),
    height: round(height),
    viewBox: `0 0 ${round(width)} ${round(height)}`,
    'font-family': 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
    'font-variant-numeric': 'tabular-nums',
  };
  const hatch = (/** @type {string} */ id, /** @type {string} */ d) =>
    `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `${element('path', { d, stroke: inks.quiet, 'stroke-width': 1 })}</pattern>`;
  return `${element(
    'svg',
    attributes,
    [
      element('title', {}, encode(`${title(stage)}: ${words}`)),
      `<defs>${hatch('masked', 'M0 0V6')}${hatch('broken', 'M0 0V6M0 0H6')}</defs>`,
      element('rect', { width: '100%', height: '100%', fill: inks.paper }),
      write(MARGIN, 34, title(stage), { 'font-size': 19, 'font-weight': 600, fill: inks.ink }),
      write(MARGIN, 54, words, { 'font-size': 13, fill: inks.quiet }),
      placed(MARGIN, top + 12, body.markup),
      placed(MARGIN, top + 12 + body.height + 26, lines.map(({ markup }) => markup).join('')),
    ].join('\n'),
  )}\n`;
}
