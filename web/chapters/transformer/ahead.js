// What a checkpoint computes ahead of what is shown, giving the page its turns: its opening, other texts, removals, edits.
import { text } from '../../app/locale/text.js';
import { reduce } from '../../app/state/actions.js';
import { Checkpoint } from './checkpoint.js';
import { openCheckpoint } from './open-checkpoint.js';
import './opener.js';
import { firstAttention, opening } from './state.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('../../stage/elements/base.js').Action} Action */
/** @typedef {import('./waiting.js').Listener} Listener */

export class Ahead {
  #chapter;
  /** Models that gave their place to another, until that one is shown. @type {Checkpoint[]} */
  #replaced = [];

  /** Hears what is asked of a chapter before the chapter itself does.
   * @param {import('./element.js').Transformer} chapter */
  constructor(chapter) {
    this.#chapter = chapter;
    chapter.addEventListener('gf-act', this.#act, { capture: true });
    chapter.addEventListener('gf-open', (event) =>
      this.#open(/** @type {CustomEvent} */ (event).detail),
    );
    chapter.addEventListener('gf-opened', () => {
      for (const model of this.#replaced.splice(0)) model.dispose();
    });
  }

  /** The checkpoint that is shown. */
  get #shown() {
    const { models, shown } = this.#chapter;
    const subject = models.get(shown?.model);
    return subject instanceof Checkpoint ? subject : null;
  }

  /** Whether a state has to wait; what it waits for is then computed. @param {State} state */
  waits(state) {
    const chapter = this.#chapter;
    const subject = chapter.models.get(state.model);
    const runs = chapter.computed.some((key) => state[key] !== chapter.shown?.[key]);
    if (!(subject instanceof Checkpoint) || !runs || subject.isReady(state)) return false;
    if (!chapter.work) this.#prepare(subject, state, () => chapter.requestUpdate('state'));
    return true;
  }

  /**
   * Of a large model gradients come later: whether they are there; undefined of a small one.
   * @param {import('../../app/session.js').Trace} trace
   * @param {import('../../stage/draw/tensor.js').Cell} target
   */
  derive(trace, target) {
    const shown = this.#shown;
    if (!shown || shown.slopes) return undefined;
    return shown.derive(trace, target, () => this.#chapter.requestUpdate());
  }

  /**
   * A checkpoint, and the first text that it reads.
   * @param {import('./opener.js').Wanted} wanted
   */
  #open({ key, name, files }) {
    const chapter = this.#chapter;
    const { model: _, ...anew } = opening;
    const message = text('chapters/transformer/checkpoint/reading', { file: name });
    const task = async (/** @type {Listener} */ listener) => {
      const checkpoint = await openCheckpoint(chapter.session.core, name, files, listener);
      try {
        const { model, text: before } = chapter.state;
        const wanted = model === key && before !== opening.text ? before : null;
        const change = {
          ...anew,
          model: key,
          text: await checkpoint.sample(wanted, listener.signal),
          block: firstAttention(checkpoint.model.config),
        };
        await checkpoint.prepare(/** @type {any} */ (change), listener);
        const last = chapter.models.get(key);
        if (last instanceof Checkpoint) this.#replaced.push(last);
        chapter.models.set(key, checkpoint);
        chapter.choosing = false;
        chapter.ask(change);
      } catch (error) {
        if (chapter.models.get(key) !== checkpoint) checkpoint.dispose();
        throw error;
      }
    };
    chapter.wait(message, task, () => {
      chapter.choosing = true;
    });
  }

  /**
   * Makes a text into tokens and runs the model on them, before the state is taken over.
   * @param {Checkpoint} checkpoint
   * @param {State} state
   * @param {() => void} then
   */
  #prepare(checkpoint, state, then) {
    const chapter = this.#chapter;
    const task = async (/** @type {Listener} */ listener) => {
      try {
        await checkpoint.prepare(state, listener, (edits) => chapter.over(checkpoint.model, edits));
      } finally {
        if (this.#shown === checkpoint) chapter.over(checkpoint.model, chapter.shown.edits);
      }
      then();
    };
    const message = text('chapters/transformer/checkpoint/running');
    chapter.wait(message, task, () => this.#prepare(checkpoint, state, then));
  }

  /** What makes a large model run anew waits until that is done. @param {Event} event */
  #act = (event) => {
    const action = /** @type {Action} */ (/** @type {CustomEvent} */ (event).detail);
    const subject = this.#shown;
    const state = subject && this.#asked(action);
    if (!state || subject.isReady(state)) return;
    event.stopImmediatePropagation();
    this.#prepare(subject, state, () => this.#chapter.act(action));
  };

  /** The state that an action leads to, if the model is to run for it. @param {Action} action @returns {State | null} */
  #asked(action) {
    const chapter = this.#chapter;
    const { shown, view } = chapter;
    const change =
      action.do === 'edit'
        ? chapter.edited(action)
        : reduce(
            shown,
            action,
            /** @type {import('../../app/state/view.js').View} */ (view),
            opening,
          );
    if (!change || !['text', 'remove', 'edits'].some((key) => key in change)) return null;
    return { ...shown, ...change, ...chapter.following(change, action) };
  }
}
