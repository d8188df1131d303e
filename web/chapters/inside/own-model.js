// Opens a model of the reader's own, as the chapter Transformer does; the worker that experiments on it keeps it.
import { html } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { lackOf } from '../transformer/missing-file.js';
import { factsOf } from '../transformer/model-facts.js';
import '../transformer/opener.js';
import { wait } from '../transformer/waiting.js';
import { reasonOf } from './words.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/transformer',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../transformer/opener.js').Wanted} Wanted */
/** @typedef {import('../transformer/waiting.js').Work} Work */
/** @typedef {import('../../workers/inside/answers.js').Answers['take']} Taken */
/** @typedef {import('../../workers/remote/remote.js').Remote<import('../../workers/inside/answers.js').Questions,
 *   import('../../workers/inside/answers.js').Answers>} Experiments */

export class Opening {
  /** @type {Work | null} */
  #work = null;
  #remote;
  #changed;

  /** @param {Experiments} remote @param {() => void} changed is called when something else is to be seen */
  constructor(remote, changed) {
    this.#remote = remote;
    this.#changed = changed;
  }

  get work() {
    return this.#work;
  }

  set work(work) {
    this.#work = work;
    this.#changed();
  }

  /** @param {string} label @param {number | null} part */
  #progress(label, part) {
    if (this.#work) this.work = { ...this.#work, label, part };
  }

  /** How far the reading of files is, or the taking over of weights.
   * @param {{ part?: number, progress?: import('../../workers/reader/answers.js').Progress }} message */
  hear({ part, progress }) {
    if (this.#work?.failure) return;
    if (part !== undefined) this.#progress(text('chapters/transformer/checkpoint/taking'), part);
    if (!progress) return;
    const { file, loaded, total } = progress;
    const reading = text('chapters/transformer/checkpoint/reading', { file });
    this.#progress(reading, total && loaded / total);
  }

  /**
   * Opens files.
   * @param {Wanted} wanted
   * @returns {Promise<Taken | null>} null: the reader cancelled, or it failed
   */
  async open({ name, files }) {
    /** @type {Taken | null} */
    let taken = null;
    const reading = text('chapters/transformer/checkpoint/reading', { file: name });
    /** @param {import('../transformer/waiting.js').Listener} listener */
    const task = async ({ signal, agree }) => {
      /* A worker in the midst of a file is ended: the next question starts another one. */
      signal.addEventListener('abort', () => this.#remote.close(signal.reason));
      const offer = await this.#remote.ask('open', { files });
      if (offer) {
        await agree(factsOf(offer));
        this.#progress(text('chapters/transformer/checkpoint/taking'), 0);
      }
      taken = await this.#remote.ask('take', {});
    };
    const explain = (/** @type {unknown} */ error) =>
      text('chapters/transformer/checkpoint/refused', {
        message: lackOf(error) ?? reasonOf(error),
      });
    await wait(this, reading, task, { explain });
    return taken;
  }

  /** @param {string} address that a link asks for, if any */
  render(address) {
    return html`<gf-opener .work=${this.#work} .address=${address}></gf-opener>`;
  }
}
