// A formula of the page as plain data, for what is not a page: the MathML that telling/ makes, read back.
import { nothing } from 'lit';

/** @typedef {{ tag: string, attributes: Record<string, string>, children: (Node | string)[] }} Node */

/** What a template would write into a document.
 * @param {unknown} part
 * @returns {string} */
function markup(part) {
  if (part === nothing || part === null || part === undefined) return '';
  if (Array.isArray(part)) return part.map(markup).join('');
  if (typeof part === 'object' && 'strings' in part) {
    const { strings, values } = /** @type {{ strings: string[], values: unknown[] }} */ (part);
    return strings
      .map((text, i) => text + (i < values.length ? hole(text, values[i]) : ''))
      .join('');
  }
  return encode(String(part));
}

/** A value in its place: an attribute's is quoted.
 * @param {string} before @param {unknown} value */
function hole(before, value) {
  if (!before.endsWith('=')) return markup(value);
  return `"${value === nothing ? '' : encode(String(value))}"`;
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @param {string} text */
export const encode = (text) => text.replace(/[&<>"]/g, (c) => ENTITIES[c]);

/** @param {string} text */
const decode = (text) =>
  Object.entries(ENTITIES).reduceRight((rest, [c, entity]) => rest.replaceAll(entity, c), text);

/** The tree of a formula, or of several pieces of one.
 * @param {unknown} formula
 * @returns {Node} */
export function parse(formula) {
  /** @type {Node} */
  const root = { tag: 'mrow', attributes: {}, children: [] };
  const open = [root];
  for (const [, close, tag, attributes, text] of markup(formula).matchAll(
    /<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*\/?>|([^<]+)/g,
  )) {
    if (text !== undefined) {
      if (text.trim()) open[open.length - 1].children.push(decode(text.trim()));
    } else if (close) open.pop();
    else {
      const matches = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)];
      const pairs = matches.map(([, name, value]) => [name, decode(value)]);
      /** @type {Node} */
      const node = { tag, attributes: Object.fromEntries(pairs), children: [] };
      open[open.length - 1].children.push(node);
      open.push(node);
    }
  }
  return root;
}

/** The number that a token shows, in full: what it shows may be rounded.
 * @param {Node} node */
export function exact({ attributes, children }) {
  const shown = children.join('');
  const number = attributes['data-value'] ?? shown;
  return shown.startsWith('(') ? `(${number})` : number;
}

/** Text on a line: `level` is how far above (1) or below (-1) the line it stands.
 * @typedef {{ text: string, level: number, node: Node }} Piece */

/** @param {(Node | string)[]} children @param {number} level
 * @returns {Piece[]} */
const inLine = (children, level) =>
  children.flatMap((child) => (typeof child === 'string' ? [] : pieces(child, level)));

/** @param {string} text @param {number} level
 * @returns {Piece} */
const mark = (text, level) => ({ text, level, node: { tag: 'mo', attributes: {}, children: [] } });

/** Operators with room around them. */
const SPACED = ['=', '≈', '+', '·', '⋯'];

/** How an element reads in a line of text. @type {Record<string, (node: Node, level: number) => Piece[]>} */
const READINGS = {
  msub: ({ children: [base, below] }, level) => [...inLine([base], level), ...inLine([below], -1)],
  msup: ({ children: [base, above] }, level) => [...inLine([base], level), ...inLine([above], 1)],
  msubsup: ({ children: [base, below, above] }, level) => [
    ...inLine([base], level),
    ...inLine([above], 1),
    ...inLine([below], -1),
  ],
  munder: (node, level) => READINGS.msub(node, level),
  munderover: ({ children: [base, below, above] }, level) => [
    ...inLine([base], level),
    ...inLine([below], -1),
    ...inLine([above], 1),
  ],
  mfrac: ({ children: [above, below] }, level) => [
    ...inLine([above], level),
    mark(' / ', level),
    ...inLine([below], level),
  ],
  msqrt: ({ children }, level) => [mark('√', level), ...inLine(children, level)],
};

/** A formula as text that goes from left to right.
 * @param {Node} node @param {number} [level]
 * @returns {Piece[]} */
export function pieces(node, level = 0) {
  const { tag, children } = node;
  if (READINGS[tag]) return READINGS[tag](node, level);
  const shown = children.filter((child) => typeof child === 'string').join('');
  if (shown === '') return inLine(children, level);
  const spaced = tag === 'mo' && SPACED.includes(shown) && level === 0;
  return [{ text: spaced ? ` ${shown} ` : shown, level, node }];
}
