// The opened step of a training, for one sequence of its batch: every node forward, with its gradient
// backward, down to the terms of one number.
import { html, nothing } from 'lit';
import { fixedTrace } from '../../app/state/fixed.js';
import { blocksOf, blockWith } from '../../stage/draw/blocks.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import '../transformer/map.js';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { dropoutList, dropoutsIn, isDropout } from './dropouts.js';
import { opening } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const STEP_TEXTS = {
  back: 'chapters/training/lesson/back',
  forward: 'chapters/training/lesson/forward',
};

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../app/state/walk.js').State} State */
/**
 * @typedef {object} Sequence
 * @property {Step[]} nodes
 * @property {Record<'source' | 'target', string[]>} sides
 * @property {string[]} predicted what is to follow each token of the target
 * @property {readonly string[]} vocabulary
 * @property {number} row its place in the batch
 * @property {number} rows of the batch
 */

const PADDING = '<pad>';

export class StepWalkthrough extends Walkthrough {
  /** @type {import('../../stage/draw/blocks.js').Block[]} */
  blocks = [];

  get opening() {
    return opening;
  }

  /* A step that was taken cannot change: open() refuses an edit. */
  get computed() {
    return ['sequence', 'edits'];
  }

  get scoped() {
    return ['open', 'block'];
  }

  /** The loss, whose gradients the step went by. */
  get target() {
    return { node: 'loss', index: [0] };
  }

  /** @param {State} state */
  open({ sequence, edits }) {
    if (edits.length > 0) throw new RangeError(text('chapters/training/lesson/fixed'));
    const { nodes, sides, predicted, vocabulary } = /** @type {Sequence} */ (sequence);
    const names = new Map(nodes.map((node) => [node.name, node]));
    /* The loss is that of the whole batch, which has a view of its own. */
    this.blocks = blocksOf(nodes).filter(({ steps }) => steps[0].role !== 'loss');
    return {
      example: {
        name: '',
        title: '',
        source: '',
        about: '',
        tokens: [],
        sides,
        predicted,
        vocabulary,
      },
      trace: fixedTrace(nodes, (name) => {
        const node = names.get(name);
        if (node) return node;
        throw new RangeError(text('chapters/training/lesson/noNode', { name }));
      }),
      intact: null,
    };
  }

  telling() {
    return { about: text('chapters/training/lesson/about') };
  }

  /** @param {State} state */
  #block({ block }) {
    return this.blocks.find(({ name }) => name === block) ?? this.blocks[0];
  }

  /** @param {State} state */
  stages(state) {
    return this.#block(state).steps;
  }

  /** As with every model: a step and its operands have a scale of their own. @param {Step} stage */
  inSight(stage) {
    const names = [stage.name, ...stage.inputs.filter((name) => name !== null)];
    return names.map((name) => this.opened.trace.step(name));
  }

  /** A number of another block leads there. @param {Partial<State>} change */
  following({ path, open }) {
    const node = (open ?? path?.at(-1))?.node;
    const block = node && blockWith(this.blocks, node);
    return block ? { block: block.name } : {};
  }

  /** Which sequence of the batch it is, and the ways to those beside it. */
  head() {
    const { row, rows, sides } = /** @type {Sequence} */ (this.shown.sequence);
    const words = (/** @type {string[]} */ tokens) =>
      tokens.filter((token) => token !== PADDING).join(' ');
    const turn = (/** @type {'back' | 'forward'} */ way, /** @type {number} */ to) =>
      html`<button
        ?disabled=${to < 0 || to >= rows}
        aria-label=${text(STEP_TEXTS[way])}
        title=${text(STEP_TEXTS[way])}
        @click=${() => change(this, { row: to, path: [], open: null }, { passing: true })}
      >${way === 'back' ? '‹' : '›'}</button>`;
    return html`<div class="controls pair">
      ${turn('back', row - 1)} <span class="quiet">${text('chapters/training/lesson/pair', { n: row + 1, rows })}</span>
      ${turn('forward', row + 1)}
      <p><i>${words(sides.source)}</i> → <i>${words(sides.target)}</i></p>
    </div>`;
  }

  /** @param {import('./dropouts.js').Dropout} dropout */
  #toDropout = ({ block, step }) => {
    const path = [{ node: step.name, index: step.shape.map(() => 0) }];
    this.act({
      do: 'set',
      change: { block: block.name, path, t: block.steps.indexOf(step), open: null },
    });
  };

  /** @param {import('../../app/state/view.js').View} view */
  aside(view) {
    const dropouts = isDropout(view.stage) ? dropoutsIn(this.blocks) : [];
    const lit = new Set(dropouts.map(({ block }) => block.name));
    return html`<gf-model-map .view=${view} .blocks=${this.blocks} .lit=${lit}></gf-model-map>
      ${dropouts.length > 0 ? dropoutList(dropouts, this.#block(view.state), this.#toDropout) : nothing}`;
  }
}

customElements.define('gf-training-walkthrough', StepWalkthrough);
