// Rows that are added up, as arrows laid end to end, and the words at the columns of a matrix towards which they may lead.
import { html, nothing, svg } from 'lit';
import { listed, text } from '../app/locale/text.js';
import { dot } from '../stage/draw/basis.js';
import { display } from '../stage/draw/format.js';
import { axes, labelAt, symbol } from '../stage/draw/names.js';
import { namesOf, paperOf } from '../stage/elements/arrow-names.js';
import { Lettering } from '../stage/elements/lettering.js';
import { bracketed, shadow } from '../stage/elements/projection.js';
import { cellsOf, rowOf } from './core.js';
import { arrowOf, CLEAR, cornerOf, planeOf, SIZE, takenBy } from './lens-plane.js';
import { Picture } from './picture.js';
import { numberSpan, scopeIn } from './telling.js';
import '../style/arrows.css';
import './lens.css';
import './sum.css';

/** @typedef {import('../stage/draw/tensor.js').Cell} Cell */
/** @typedef {import('./lenses.js').Point} Point */
/** Two numbers with a name. @typedef {{ name: string, tip: Point, cells: Cell[] }} Vector */
/** That of a word. @typedef {Vector & { id: number, word: string }} Word */

/** How much more than the farthest point is seen. */
const BEYOND = 1.2;

/** @param {readonly number[]} a @param {readonly number[]} b @returns {Point} */
const plus = ([ax, ay], [bx, by]) => [ax + bx, ay + by];

/** @extends {Picture<'sum'>} */
export class Sum extends Picture {
  lettering = new Lettering(this, '.plane svg', SIZE);

  /** A row: called as its token is, or as the step where that has no other row. @param {string} path @returns {Vector} */
  #row(path) {
    const { trace, example } = this.view;
    const scope = scopeIn(this.view);
    const cells = cellsOf(path, scope);
    const [{ node, index }] = cells;
    const step = trace.step(node);
    const { letter } = symbol(step);
    const isAlone = step.shape.at(-2) === 1;
    const name = isAlone ? letter : labelAt(axes(step).rows, Number(index.at(-2)), example);
    const [x, y] = rowOf(path, scope);
    return { name, tip: [x, y], cells };
  }

  /** The words, each at its vector: a column, or a row where columns are channels. @returns {Word[]} */
  #words() {
    const { towards } = this.picture;
    if (!towards) return [];
    const step = this.view.trace.step(towards);
    const { rows, columns } = axes(step);
    const areRows = columns === 'channel';
    const count = Number(step.shape.at(areRows ? -2 : -1));
    return Array.from({ length: count }, (_, id) => {
      const name = labelAt(areRows ? rows : columns, id, this.view.example);
      const cells = [0, 1].map((i) => ({ node: towards, index: areRows ? [id, i] : [i, id] }));
      const [x, y] = cells.map(
        ({ index: [row, column] }) => step.data[row * Number(step.shape.at(-1)) + column],
      );
      return { id, name, word: name, tip: [x, y], cells };
    });
  }

  render() {
    const parts = this.picture.parts.map((path) => this.#row(path));
    const words = this.#words();
    const isOne = parts.length === 1;
    /** @type {Point[]} */
    const ends = [[0, 0]];
    for (const { tip } of parts) ends.push(plus(ends[ends.length - 1], tip));
    const points = [...ends, ...[...parts, ...words].map(({ tip }) => tip)];
    const reach = BEYOND * Math.max(...points.flat().map(Math.abs));
    const plane = { ...planeOf(reach), extent: reach, seen: (/** @type {number[]} */ row) => row };
    /* Asked for, they stand side by side. */
    const starts = parts.map((_, i) => (this.hides ? ends[0] : ends[i]));
    return html`<div class="plane sum">
      ${this.#drawing(plane, { parts, starts, words, end: ends[ends.length - 1] })}
      <div class="rows">
        ${[...parts, ...(isOne ? words : [])].map((one) => vectorOf(one))}
        ${isOne ? this.#product(parts[0], words[this.picture.of ?? 0]) : this.#total(parts, ends[ends.length - 1])}
      </div>
    </div>`;
  }

  /** @param {import('./lens-plane.js').Plane & { extent: number, seen: (row: number[]) => number[] }} plane
   * @param {{ parts: Vector[], starts: Point[], words: Word[], end: Point }} of */
  #drawing(plane, { parts, starts, words, end }) {
    const { lettering, hides } = this;
    const paper = paperOf({ ...plane, size: SIZE, lettering });
    const names = parts.map(({ name, tip }, i) => ({
      ...{ role: 'x', letter: '', name, clear: CLEAR, broad: 8 },
      ...{ tip: plane.place(plus(starts[i], tip)), from: plane.place(starts[i]) },
    }));
    const [x, y] = plane.place(end);
    const isOne = parts.length === 1;
    const [best] = words.toSorted((a, b) => dot(b.tip, end) - dot(a.tip, end));
    const described = [...parts, ...words].map((one) => `${one.name} ${textOf(one)}`);
    return svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${`${text('plane/label')} ${described.join('; ')}`}>
      ${paper.drawn}
      ${
        isOne && words.length && !hides
          ? shadow(
              plane,
              [words[this.picture.of ?? 0].tip, parts[0].tip].map((row) => ({ row })),
            )
          : nothing
      }
      ${words.map((word) => cornerOf(plane, word, !hides && !isOne && word === best, lettering.type))}
      ${parts.map((part, i) => {
        const [dx, dy] = plane.place(starts[i]).map((x) => x - SIZE / 2);
        return svg`<g class="laid" style=${`transform: translate(${dx}px, ${dy}px); --i: ${i}`}>
          ${arrowOf(plane, part, { role: 'x' })}
        </g>`;
      })}
      ${hides || isOne ? nothing : svg`<circle class="end" cx=${x} cy=${y} r="9" />`}
      ${namesOf(names, { size: SIZE, lettering, taken: takenBy(plane, words, lettering), marks: paper.marks })}
    </svg>`;
  }

  /** @param {Vector[]} parts @param {Point} end */
  #total(parts, end) {
    const numbers = end.map((x) => (this.hides ? '?' : display(x)));
    return html`<p class="product">
      ${parts.map(({ name }) => name).join(' + ')} = <b class="number">(${listed(numbers)})</b>
    </p>`;
  }

  /** What a part adds to the logit of a word. @param {Vector} part @param {Vector | undefined} word */
  #product(part, word) {
    if (!word) return nothing;
    const terms = part.tip.map((x, i) => `${display(x)} · ${bracketed(display(word.tip[i]))}`);
    const product = this.hides ? '?' : display(dot(part.tip, word.tip));
    return html`<p class="product">
      ${part.name} · ${word.name} = ${terms.join(' + ')} = <b class="number">${product}</b>
    </p>`;
  }
}

/** @param {Vector} vector */
const textOf = ({ tip }) => `(${listed(tip.map((x) => display(x)))})`;

/** @param {Vector} vector */
const vectorOf = ({ name, tip, cells }) => html`<p class="vector">
  <b>${name}</b>
  <span class="numbers">${tip.map((x, i) => numberSpan(display(x), x, cells[i]))}</span>
</p>`;

customElements.define('gf-sum', Sum);
