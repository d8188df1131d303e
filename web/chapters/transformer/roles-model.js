// The translator, as the panel on roles of heads takes it: what its encoder's heads look at in held-out sentences, and what
// it writes without one of them.
import {
  headRoles,
  linkedSentences,
  sentenceLevels,
  sentenceLinks,
  withoutHead,
} from './roles-core.js';

/** @typedef {import('./translator.js').Translator} Translator */
/** @typedef {import('../../../bindings/lab/inside/index.js').HeadRoles} HeadRoles */
/** @typedef {import('../../../bindings/lab/inside/index.js').HeadPlace} HeadPlace */
/** @typedef {{ layer: number, head: number }} Head */
/** What is written of the text, and how many of the other texts come out right. @typedef {{ text: string, right: number }} Answers */
/** @typedef {{ signal: AbortSignal, onProgress: (part: number) => void }} Listener */

/** Sentences, and their seed: those of `glassformer inside roles french-english`. */
const [SENTENCES, SEED] = [200, 1];
/** Sentences that are read or translated between two turns of the page. */
const AT_ONCE = 4;

/** What texts on transformers claim: that a head does one of these. */
export const CLAIMS = {
  determiners: ['determinerNoun', 'nounDeterminer'],
  prepositions: ['prepositionObject', 'objectPreposition'],
  subjects: ['verbSubject', 'subjectVerb'],
  far: ['far'],
};

/** Lets the page respond. */
const turn = () => new Promise((done) => setTimeout(done));

export class TranslatorRoles {
  #model;
  #translator;
  #pairs;
  /** Heads are removed one after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {Translator} translator @param {any} model a copy of its own */
  constructor(translator, model) {
    this.#translator = translator;
    this.#model = model;
    this.#pairs = /** @type {any} */ (translator.task).heldOut(SENTENCES, SEED);
  }

  get count() {
    return this.#pairs.length;
  }

  /** @param {Listener} listener @returns {Promise<HeadRoles>} */
  async measure(listener) {
    /** @type {ReturnType<typeof linkedSentences>} */
    const texts = [];
    /* Reading a sentence by the grammar takes as long as running the model on it. */
    for (const [i, pair] of this.#pairs.entries()) {
      if (i % AT_ONCE === 0) await turn();
      texts.push(...linkedSentences([pair]));
    }
    return headRoles(this.#model, texts, {
      ...{ stack: 'encoder', levels: sentenceLevels },
      ...listener,
    });
  }

  /** The words of a sentence that belong together; null if the grammar does not have it. @param {string} text */
  links(text) {
    return sentenceLinks(text);
  }

  /** @param {string} source */
  #translated(source) {
    const { task, marks } = this.#translator;
    const tokens = this.#model.generateSync(
      task.vocabulary.encode(task.tokenize('source', source)),
      { start: marks.START, stopTokens: [marks.END] },
    );
    return this.#translator.say(tokens.filter((/** @type {number} */ id) => id !== marks.END));
  }

  /** What the model writes, without a head if one is removed; undefined after the signal.
   * @param {string} text @param {Head | null} head @param {Listener} listener @returns {Promise<Answers | undefined>} */
  answers(text, head, listener) {
    const work = () => this.#answers(text, listener);
    const place = head && /** @type {HeadPlace} */ ({ stack: 'encoder', ...head });
    const result = this.#last.then(() => (place ? withoutHead(this.#model, place, work) : work()));
    this.#last = result.catch(() => {});
    return result;
  }

  /** @param {string} text @param {Listener} listener */
  async #answers(text, { signal, onProgress }) {
    let right = 0;
    for (const [i, { source, target }] of this.#pairs.entries()) {
      if (i % AT_ONCE === 0) {
        onProgress(i / this.#pairs.length);
        await turn();
        if (signal.aborted) return undefined;
      }
      if (this.#translated(source) === target) right += 1;
    }
    return { text: this.#translated(text), right };
  }
}
