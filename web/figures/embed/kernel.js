// A figure whose numbers were computed elsewhere, by the kernel of a notebook: it shows them, and computes nothing
// again but how each of them arose.
import { fixedTrace } from '../../app/state/fixed.js';

/** @typedef {import('../../app/session.js').Session} Session */
/** @typedef {import('../../app/session.js').Step} Step */
/** A node as the kernel sends it: `data` are the bytes of its numbers.
 * @typedef {Omit<Step, 'data' | 'grad' | 'from' | 'removed'> & { data: string }} Sent */
/** @typedef {{ title: string, tokens: string[], sides?: Record<'source' | 'target', string[]>, steps: Sent[] }} Tape */

const TAG = 'gf-kernel';

/** @param {Sent} sent
 * @returns {Step} */
function stepOf(sent) {
  const { buffer } = Uint8Array.from(atob(sent.data), (letter) => letter.charCodeAt(0));
  const data = sent.kind === 'ids' ? new Int32Array(buffer) : new Float32Array(buffer);
  return { ...sent, data, removed: sent.bypassed !== null, from: 0, grad: null };
}

/**
 * The session of a figure that has nothing to show but what it was given.
 * @param {Session} session
 * @param {string} sent a tape as JSON
 */
function sessionOf(session, sent) {
  const { steps: all, ...names } = /** @type {Tape} */ (JSON.parse(sent));
  const steps = all.map(stepOf);
  const places = new Map(steps.map((step) => [step.name, step]));
  const trace = fixedTrace(steps, (name) => /** @type {Step} */ (places.get(name)));
  const example = { name: '', source: '', about: '', ...names };
  return Object.create(session, {
    examples: { value: {} },
    exampleOf: { value: () => example },
    run: { value: () => ({ example, trace, intact: null, before: null }) },
    told: { value: session.told, writable: true },
  });
}

/** The tag of the element, which is defined when the first of them is wanted; its `tape` is the kernel's. */
export function kernelTag() {
  if (customElements.get(TAG)) return TAG;
  const Attention = /** @type {typeof import('./figure-element.js').Exhibit} */ (
    customElements.get('gf-attention')
  );
  class Kernel extends Attention {
    constructor() {
      super();
      /** What the kernel sent. */
      this.tape = '';
      /** @type {Session | null} */
      this.own = null;
    }

    /** @param {Map<string, unknown>} changed */
    willUpdate(changed) {
      // biome-ignore lint/complexity/noUselessThisAlias: TypeScript takes an assignment to this.session for a declaration.
      const figure = /** @type {{ session: Session | null }} */ (this);
      if (figure.session !== this.own) {
        this.own = figure.session && sessionOf(figure.session, this.tape);
        figure.session = this.own;
      }
      super.willUpdate(changed);
    }
  }
  customElements.define(TAG, Kernel);
  return TAG;
}
