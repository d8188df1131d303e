// Moves an arrow of the plane, by a pointer or by keys: its row is edited.
import { movedTo } from '../draw/basis.js';

/** What a key or a pointer moves by; less where the arrows are short. */
const GRAIN = 0.1;
/** @type {Record<string, readonly [number, number]>} */
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class Drag {
  /** @param {import('./arrows.js').Arrows} arrows */
  constructor(arrows) {
    this.arrows = arrows;
    /** Which arrow is held; -1 for none. */
    this.held = -1;
    /** Whether it has moved since. */
    this.moved = false;
  }

  get grain() {
    return Math.min(GRAIN, 10 ** Math.floor(Math.log10(this.arrows.extent / 10)));
  }

  /** @param {SVGElement} handle @param {number} pointer @param {number} index */
  grip(handle, pointer, index) {
    this.held = index;
    this.moved = false;
    handle.setPointerCapture(pointer);
    /* A ring around the focus belongs to the keyboard. */
    handle.dataset.pointed = '';
    handle.focus();
  }

  drop() {
    /* The link leads to where it was dropped. */
    if (this.held >= 0 && this.moved) {
      this.arrows.act({ do: 'drag', edits: [], begins: false, ends: true });
    }
    this.held = -1;
  }

  /** @param {PointerEvent} event */
  move({ clientX, clientY }) {
    if (this.held < 0) return;
    const { arrows } = this;
    const drawing = /** @type {SVGSVGElement} */ (arrows.querySelector('svg'));
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    const [x, y] = arrows.place([0, 0]);
    const px = [(clientX - box.left) * scale - x, y - (clientY - box.top) * scale];
    const to = px.map((length) => length / arrows.unit);
    const moves = this.#move(this.held, to, { begins: !this.moved, ends: false });
    this.moved ||= moves;
  }

  /** @param {string} name @param {number} index */
  key(name, index) {
    const { arrows, grain } = this;
    for (const one of arrows.querySelectorAll('[data-pointed]'))
      one.removeAttribute('data-pointed');
    const [right, up] = DIRECTIONS[name] ?? [0, 0];
    const [x, y] = arrows.seen(arrows.arrows[index].row);
    this.#move(index, [x + right * grain, y + up * grain], { begins: true, ends: true });
  }

  /**
   * What was rounded once stays on round numbers; along principal directions there are none.
   * @param {number} index @param {number[]} to
   * @param {{ begins: boolean, ends: boolean }} how
   * @returns {boolean} whether it moved
   */
  #move(index, to, how) {
    const { arrows } = this;
    const { cells, row } = arrows.arrows[index];
    const grain = arrows.direction.along ? this.grain : this.grain / 1000;
    const seen = arrows.seen(row);
    const wanted = to.map((part) => Math.min(Math.max(part, arrows.least), arrows.extent));
    if (wanted.every((part, i) => Math.abs(part - seen[i]) < this.grain / 2)) return false;
    const edits = movedTo(arrows.basis, row, wanted).flatMap((part, i) => {
      const value = Number((Math.round(part / grain) * grain).toPrecision(6));
      return Math.abs(part - row[i]) < grain / 2
        ? []
        : [{ ...cells[i], value: Math.fround(value) }];
    });
    if (edits.length > 0) arrows.act({ do: 'drag', edits, ...how });
    return edits.length > 0;
  }
}
