// The present step as a picture of its own, in SVG: matrices with their labels and numbers, and the
// formula of the number in focus as text.
import { css, fill, ink } from '../draw/colour.js';
import { crossing, flow } from '../draw/crossing.js';
import { abbreviate, display, shortest } from '../draw/format.js';
import { axes, labels, role, scaleOf, symbol } from '../draw/names.js';
import { cellKey, indexAt, matrices } from '../draw/tensor.js';
import { derivation } from '../telling/derivation.js';
import { title } from '../telling/words.js';
import { encode, parse, pieces } from './formula.js';

/** @typedef {import('../view.js').View} View */
/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/crossing.js').Size} Size */
/** @typedef {{ markup: string, width: number, height: number }} Box */

/** px */
const ROOM = { width: 900, height: 560 };
const MARGIN = 28;
const GUTTER = 36;
const HEADS = 24;
const NAME = 26;
const LINE = 24;
const ARROW = 76;
/** Of a letter, as a share of the font's size. */
const LETTER = 0.62;

/** As the page has them. */
const INKS = {
  light: {
    paper: '#fbfaf6',
    ink: '#1c1b18',
    quiet: '#5d5a51',
    line: '#dcd8cb',
    accent: '#a5321c',
    q: '#005c90',
    k: '#7d5600',
    v: '#006a4d',
    a: '#8f3f6f',
    x: '#1c1b18',
  },
  dark: {
    paper: '#15161a',
    ink: '#eceae4',
    quiet: '#a8a599',
    line: '#363840',
    accent: '#ff9678',
    q: '#6bb8ea',
    k: '#f0b73c',
    v: '#4fcaa3',
    a: '#e6a3cb',
    x: '#eceae4',
  },
};

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
const at = (x, y, inside) =>
  element('g', { transform: `translate(${round(x)} ${round(y)})` }, inside);

/** A line of text.
 * @param {number} x @param {number} y @param {string} words
 * @param {Record<string, string | number>} [attributes] */
const write = (x, y, words, attributes = {}) =>
  element('text', { x, y, ...attributes }, encode(words));

/** A letter in its role's colour, and what stands below it.
 * @param {Step} step @param {View} view @param {boolean} transposed @param {number} head */
function name(step, view, transposed, head) {
  const { letter, below } = symbol(step.name, step.shape.length > 2 ? head : undefined);
  const colour = INKS[view.theme][role(step.name)];
  const sub = below
    ? element('tspan', { dy: 4, 'font-size': 10, 'font-style': 'normal' }, encode(below))
    : '';
  const back = below ? -4 : 0;
  const sup = transposed
    ? element('tspan', { dy: back - 5, 'font-size': 10, 'font-style': 'normal' }, 'T')
    : '';
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  const [r, c] = transposed ? [columns, rows] : [rows, columns];
  const size = element(
    'tspan',
    {
      dy: transposed ? 5 : back,
      'font-size': 11,
      'font-weight': 400,
      'font-style': 'normal',
      fill: INKS[view.theme].quiet,
    },
    `  ${r} × ${c}`,
  );
  return element(
    'text',
    { 'font-size': 15, 'font-weight': 600, 'font-style': 'italic', fill: colour },
    `${encode(letter)}${sub}${sup}${size}`,
  );
}

/** How a cell looks: what it is filled with, what it says.
 * @param {Step} step @param {number} flat @param {View} view @param {Size} size */
function look(step, flat, view, size) {
  const value = step.data[flat];
  const graded = view.state.gradient && step.grad;
  const rgb = graded
    ? fill(/** @type {Float32Array} */ (step.grad)[flat], 'signed', view.slope, view.theme)
    : fill(value, scaleOf(step), view.limit, view.theme);
  const masked = value === Number.NEGATIVE_INFINITY;
  const bare = masked || step.kind === 'ids';
  return {
    background: masked ? 'url(#masked)' : step.kind === 'ids' ? 'none' : css(rgb),
    colour: bare ? INKS[view.theme].ink : ink(rgb),
    shown: size.mode === 'numbers' ? display(value) : abbreviate(value),
  };
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

/** One matrix with its cells, its labels at the left and above, and its name below.
 * @param {View} view @param {Step} step @param {Size} size
 * @param {{ rows?: boolean, columns?: boolean, transposed?: boolean, head?: number, named?: 'below' | 'beside' }} how
 * @returns {Box & { left: number, top: number }} left and top: what the labels take */
function matrix(
  view,
  step,
  size,
  {
    rows: withRows = false,
    columns: withColumns = false,
    transposed = false,
    head = view.head,
    named = 'below',
  },
) {
  const { rows, columns } = matrices(step.shape, step.kind === 'ids');
  const [down, across] = transposed ? [columns, rows] : [rows, columns];
  const known = view.known(step);
  const first = step.shape.length > 2 ? head * rows * columns : 0;
  const place = (/** @type {number} */ row, /** @type {number} */ column) =>
    first + (transposed ? column * columns + row : row * columns + column);
  const inks = INKS[view.theme];
  const spoken = new Set(view.operands.flatMap((keys) => [...keys]));
  const focus = view.focus && cellKey(view.focus);
  let longest = 6;
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      longest = Math.max(longest, display(step.data[place(row, column)]).length);
    }
  }
  const digits =
    size.mode === 'numbers'
      ? Math.min(size.height * 0.4, (size.width - 6) / (longest * LETTER))
      : Math.min(size.height * 0.66, size.width * 0.31);
  /** @type {string[]} */
  const cells = [];
  /** @type {string[]} */
  const frames = [];
  /** @type {Frame[]} */
  const operands = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const flat = place(row, column);
      const [x, y] = [column * size.width, row * size.height];
      const box = { x, y, width: size.width, height: size.height };
      if (flat >= known) {
        cells.push(element('rect', { ...box, fill: 'none', stroke: inks.line }));
        continue;
      }
      const { background, colour, shown } = look(step, flat, view, size);
      const index = indexAt(step.shape, flat);
      const key = cellKey({ node: step.name, index });
      const data = {
        'data-node': step.name,
        'data-index': index.join(),
        'data-value': step.kind === 'ids' ? String(step.data[flat]) : shortest(step.data[flat]),
      };
      const numbered = size.mode !== 'colours';
      cells.push(
        element('rect', {
          ...box,
          fill: background,
          stroke: numbered ? inks.line : undefined,
          ...(numbered ? {} : data),
        }),
      );
      if (numbered) {
        cells.push(
          write(x + size.width / 2, y + size.height / 2 + digits * 0.35, shown, {
            'font-size': digits,
            'text-anchor': 'middle',
            fill: colour,
            ...data,
          }),
        );
      }
      if (key === focus) frames.push(frame(box, inks.accent, 2.5));
      else if (spoken.has(key)) operands.push(box);
    }
  }
  /* Small cells have one frame around all of them. */
  const each = size.mode === 'colours' ? around(operands) : operands;
  frames.unshift(...each.map((box) => frame(box, inks.accent, 1.25)));
  const axis = axes(step.name);
  const positions =
    step.kind === 'ids'
      ? step.data
      : /^pe\.[^.]+$/.test(step.name)
        ? view.trace.step(`${step.name}.positions`).data
        : undefined;
  const names = { tokens: view.example.tokens, positions };
  const [downs, acrosses] = [
    labels(transposed ? axis.columns : axis.rows, down, names),
    labels(transposed ? axis.rows : axis.columns, across, names),
  ];
  const legible = size.height >= 11;
  const left = withRows && legible ? Math.max(...downs.map((word) => wide(word, 12))) + 10 : 0;
  const turned = Math.max(...acrosses.map((word) => wide(word, 11))) > size.width;
  const top =
    withColumns && size.mode !== 'colours'
      ? turned
        ? Math.max(...acrosses.map((word) => wide(word, 11))) * 0.75 + 10
        : HEADS
      : 0;
  const sides = [
    ...(left
      ? downs.map((word, row) =>
          write(-8, (row + 0.5) * size.height + 4, word, {
            'font-size': 12,
            'text-anchor': 'end',
            fill: inks.quiet,
          }),
        )
      : []),
    ...(top
      ? acrosses.map((word, column) => {
          const x = (column + 0.5) * size.width;
          /** @type {Record<string, string>} */
          const how = turned
            ? { 'text-anchor': 'start', transform: `rotate(-45 ${round(x)} -8)` }
            : { 'text-anchor': 'middle' };
          return write(x, -8, word, { 'font-size': 11, fill: inks.quiet, ...how });
        })
      : []),
  ];
  const [width, height] = [across * size.width, down * size.height];
  const label = name(step, view, transposed, head);
  const beside = named === 'beside';
  const called = beside ? at(width + 10, height / 2 + 5, label) : at(0, height + 20, label);
  return {
    markup: at(left, top, [...cells, ...frames, ...sides, called].join('')),
    left,
    top,
    width: left + Math.max(width, beside ? width + 120 : 80),
    height: top + height + (beside ? 0 : NAME),
  };
}

/** Row operand at the left, column operand above, the result where they cross.
 * @param {View} view @param {Step} stage
 * @returns {Box} */
function product(view, stage) {
  const [left, above] = stage.inputs.slice(0, 2).map((input) => view.trace.step(String(input)));
  const bias = stage.inputs[2] ? view.trace.step(stage.inputs[2]) : null;
  const { rows, columns } = matrices(stage.shape);
  const inner = left.shape[left.shape.length - 1];
  const sizes = crossing({ rows, columns, inner }, ROOM);
  const transposed = stage.attributes.transposed === 1;
  const a = matrix(view, left, sizes.left, { rows: true });
  const b = matrix(view, above, sizes.above, {
    rows: true,
    columns: true,
    transposed,
    named: 'beside',
  });
  const y = matrix(view, stage, sizes.result, {});
  const x = a.left + inner * sizes.left.width + GUTTER + b.left;
  const below = b.height + GUTTER / 2;
  const c =
    bias && matrix(view, bias, { ...sizes.result, height: Math.max(sizes.result.height, 10) }, {});
  const colour = INKS[view.theme].quiet;
  return {
    markup: [
      at(x - b.left, 0, b.markup),
      at(0, below, a.markup),
      at(x, below, y.markup),
      write(x - GUTTER / 2 - b.left / 2, below - GUTTER / 4, '×', {
        'font-size': 18,
        fill: colour,
        'text-anchor': 'middle',
      }),
      ...(c
        ? [
            write(x - 16, below + y.height + 22, '+', { 'font-size': 18, fill: colour }),
            at(x, below + y.height, c.markup),
          ]
        : []),
    ].join(''),
    width: Math.max(x + Math.max(y.width, b.width - b.left)),
    height: below + Math.max(a.height, y.height + (c ? c.height : 0)),
  };
}

/** Operands, an arrow with what happens, the result.
 * @param {View} view @param {Step} stage
 * @returns {Box} */
function along(view, stage) {
  const { trace } = view;
  const names = stage.bypassed === null ? stage.inputs : [stage.inputs[stage.bypassed]];
  const operands = names.filter((one) => one !== null).map((one) => trace.step(String(one)));
  /* An id looks up a row of the table, so the ids come first. */
  if (stage.op === 'embed') operands.reverse();
  const shown = [...operands, stage];
  const heads = (/** @type {Step} */ step) =>
    step.shape.length > 2 && stage.op === 'heads'
      ? Array.from({ length: step.shape[0] }, (_, h) => h)
      : [view.head];
  const shapes = shown.map((step) => {
    const { rows, columns } = matrices(step.shape, step.kind === 'ids');
    return { rows, columns: columns * heads(step).length };
  });
  const { size } = flow(shapes, ROOM, { width: ARROW, height: 1e6, name: 0 });
  const adds = stage.op === 'add' && stage.bypassed === null;
  const inks = INKS[view.theme];
  /** @type {string[]} */
  const parts = [];
  let x = 0;
  let height = 0;
  shown.forEach((step, place) => {
    if (place > 0) {
      const mark = place < operands.length ? (adds ? '+' : '') : adds ? '=' : '→';
      if (mark)
        parts.push(
          write(x + GUTTER / 2, 80, mark, {
            'font-size': 20,
            'text-anchor': 'middle',
            fill: inks.quiet,
          }),
        );
      x += GUTTER;
    }
    for (const head of heads(step)) {
      const box = matrix(view, step, size, { rows: true, columns: true, head });
      parts.push(at(x, 0, box.markup));
      x += box.width + 14;
      height = Math.max(height, box.height);
    }
  });
  return { markup: parts.join(''), width: x, height };
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
    const { class: kind = '', mathvariant, 'data-node': own } = node.attributes;
    const of = /role-([qkvax])/.exec(kind)?.[1];
    return element(
      'tspan',
      {
        dy: dy || undefined,
        'font-size': to === 0 ? undefined : part,
        'font-style': node.tag === 'mi' && mathvariant !== 'normal' ? 'italic' : undefined,
        fill: of ? INKS[view.theme][/** @type {'q'} */ (of)] : undefined,
        'data-node': own,
        'data-index': node.attributes['data-index'],
        'data-value': node.attributes['data-value'],
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
  const sum = (stage.op === 'linear' || stage.op === 'matmul') && stage.bypassed === null;
  const body = sum ? product(view, stage) : along(view, stage);
  const { symbols, indices, numbers, result } = derivation(view);
  const top = 64;
  /* What is copied needs to be said once. */
  const copied = texts(numbers) === texts(result);
  const lines = [symbols, indices, copied ? result : [...numbers, ...result]]
    .filter((formula) => formula.length > 0)
    .map((formula, at) => line(formula, at * LINE, view));
  const words = example.tokens.length > 0 ? example.tokens.join(' ') : example.title;
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
  const hatch =
    '<pattern id="masked" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">';
  return `${element(
    'svg',
    attributes,
    [
      element('title', {}, encode(`${title(stage)}: ${words}`)),
      `<defs>${hatch}${element('path', { d: 'M0 0V6', stroke: inks.quiet, 'stroke-width': 1 })}</pattern></defs>`,
      element('rect', { width: '100%', height: '100%', fill: inks.paper }),
      write(MARGIN, 34, title(stage), { 'font-size': 19, 'font-weight': 600, fill: inks.ink }),
      write(MARGIN, 54, words, { 'font-size': 13, fill: inks.quiet }),
      at(MARGIN, top + 12, body.markup),
      at(MARGIN, top + 12 + body.height + 26, lines.map(({ markup }) => markup).join('')),
    ].join('\n'),
  )}\n`;
}
