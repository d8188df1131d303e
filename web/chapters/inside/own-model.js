// A model of the reader's own: chosen and told of as in the chapter Transformer, and kept by the worker that experiments on it.
import { html } from 'lit';
import { brings, text } from '../../locale/text.js';
import { lackOf } from '../transformer/missing-file.js';
import { factsOf } from '../transformer/model-facts.js';
import '../transformer/opener.js';
import { reasonOf } from './words.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/transformer',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../transformer/opener.js').Wanted} Wanted */
/** @typedef {import('../transformer/element.js').Work} Work */
/** @typedef {import('../../inside/answers.js').Answers['take']} Taken */
/** @typedef {import('../../remote/remote.js').Remote<import('../../inside/answers.js').Questions,
 *   import('../../inside/answers.js').Answers>} Experiments */

export class Opening {
  /** @type {Work | null} */
  work = null;
  #remote;
  #changed;

  /** @param {Experiments} remote @param {() => void} changed is called when something else is to be seen */
  constructor(remote, changed) {
    this.#remote = remote;
    this.#changed = changed;
  }

  /** @param {Partial<Work>} part */
  #set(part) {
    this.work = { .../** @type {Work} */ (this.work), ...part };
    this.#changed();
  }

  /** How far the reading of files is, or the taking over of weights.
   * @param {{ part?: number, progress?: import('../../reader/answers.js').Progress }} telling */
  hear({ part = undefined, progress }) {
    if (!this.work || this.work.failure) return;
    if (part !== undefined)
      this.#set({ told: text('chapters/transformer/checkpoint/taking'), part });
    if (!progress) return;
    const { file, loaded, total } = progress;
    this.#set({
      told: text('chapters/transformer/checkpoint/reading', { file }),
      part: total && loaded / total,
    });
  }

  /**
   * Opens files.
   * @param {Wanted} wanted
   * @returns {Promise<Taken | null>} null: the reader cancelled, or was told why not
   */
  async open(wanted) {
    const stop = new AbortController();
    /* A worker in the midst of a file is ended: the next question starts another one. */
    stop.signal.addEventListener('abort', () => this.#remote.close(stop.signal.reason));
    const what = text('chapters/transformer/checkpoint/reading', { file: wanted.name });
    this.work = { told: what, part: null, failure: '', stop, again: () => {} };
    this.#changed();
    try {
      const offer = await this.#remote.ask('open', { files: wanted.files });
      if (offer) await this.#agreed(factsOf(offer), stop.signal);
      const taken = await this.#remote.ask('take', {});
      this.work = null;
      return taken;
    } catch (error) {
      this.#set({
        failure: stop.signal.aborted
          ? text('chapters/transformer/cancelled')
          : text('chapters/transformer/checkpoint/refused', {
              message: lackOf(error) ?? reasonOf(error),
            }),
      });
      return null;
    }
  }

  /** Resolves once the reader wants the model that is told of.
   * @param {{ lines: string[], warnings: string[] }} offer @param {AbortSignal} signal
   * @returns {Promise<void>} */
  #agreed(offer, signal) {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const agree = () => {
        this.#set({ offer: null, told: text('chapters/transformer/checkpoint/taking'), part: 0 });
        resolve();
      };
      this.#set({ offer: { ...offer, agree } });
    });
  }

  /** @param {string} address that a link asks for, if any */
  render(address) {
    return html`<gf-opener .work=${this.work} .address=${address}></gf-opener>`;
  }
}
