// What a chapter's own panels share: they know their room, and show matrices of a trace in it.
import { html } from 'lit/static-html.js';
import { role } from '../draw/names.js';
import { ViewElement } from './base.js';
import { tagOf } from './matrix-tag.js';
import { roomObserver, unitOf } from './room.js';

export class Panel extends ViewElement {
  static properties = { box: { state: true } };

  constructor() {
    super();
    /** px of the element with the class room */
    this.box = { width: 0, height: 0 };
    this.observer = roomObserver((box) => {
      this.box = box;
    });
  }

  firstUpdated() {
    const room = this.querySelector('.room');
    if (room) this.observer.observe(room);
  }

  /** How many px one px of the design is here. */
  get unit() {
    return unitOf(this);
  }

  /**
   * @param {import('../../app/session.js').Step} step
   * @param {import('../draw/crossing.js').Size} size
   * @param {{ name: string, head?: number, transposed?: boolean, onlyRow?: number | null,
   *   rowLabels?: string[] | null, columnLabels?: string[] | null, run?: string,
   *   skipped?: boolean }} how
   */
  matrix(step, size, how) {
    const { name, head = 0, transposed = false, onlyRow = null, run = 'page' } = how;
    const { rowLabels = null, columnLabels = null, skipped = false } = how;
    const down = onlyRow === null ? null : { from: onlyRow, count: 1 };
    const tag = tagOf(size);
    return html`<figure class="role-${role(step)}">
      <${tag}
        .view=${this.view} .step=${step} .head=${head} .transposed=${transposed} .size=${size}
        .down=${down} .rowLabels=${rowLabels} .columnLabels=${columnLabels} .run=${run}
        .skipped=${skipped} .name=${name}
      ></${tag}>
    </figure>`;
  }
}
