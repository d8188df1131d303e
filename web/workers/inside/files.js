// A model of the reader's own files, as experiments take it: read in this worker, and kept here.
import { answersOf } from '../reader/answers.js';
import { isStored } from '../reader/files.js';

/** @typedef {import('./experiments.js').Subject} Subject */
/** @typedef {import('../reader/answers.js').Files} Files */
/** @typedef {import('../reader/answers.js').Offer} Offer */
/** @typedef {Awaited<ReturnType<typeof answersOf>>} Reader */
/** @typedef {{ signal: AbortSignal, onProgress: (part: number) => void }} Taking */
/** Two texts of as many tokens, a word that goes on with the first, and one that goes on with the second.
 * @typedef {{ prompt: string, other: string, word: string, instead: string }} Sample */

/** Longer texts take long, and their river is hard to read. */
const MAX_TOKENS = 64;
/** The river has a level for each. */
const MAX_LAYERS = 99;
/** Who is given something is who did not go on giving (Wang et al. 2022).
 * @type {Sample} */
const SAMPLE = {
  prompt: 'When Mary and John went to the store, John gave a drink to',
  other: 'When Mary and John went to the store, Mary gave a drink to',
  word: 'Mary',
  instead: 'John',
};

/** A failure that the page explains, by the name of a text. */
class Unfit extends Error {
  /** @param {string} says @param {Record<string, string | number>} [values] */
  constructor(says, values = {}) {
    super(says);
    this.params = { says, ...values };
  }
}

/** Without a tokenizer a text is a list of ids. @param {string} text */
function idsOf(text) {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
  throw new Unfit('noTokenizer');
}

/** The first text of a model: one that says something, if it has its words.
 * @param {Subject} subject @param {boolean} reads texts
 * @returns {Sample | null} */
function sampleOf({ idOf, read, model }, reads) {
  const none = { other: '', word: '', instead: '' };
  if (!reads) return { prompt: [0, 1, 2].slice(0, model.config.vocab).join(' '), ...none };
  try {
    const { prompt, other, word, instead } = SAMPLE;
    const [length, otherLength] = [prompt, other].map((text) => read(text).inputs.target.length);
    return length === otherLength && idOf(word) !== idOf(instead) ? SAMPLE : null;
  } catch {
    return null;
  }
}

export class OwnModel {
  /** @type {Promise<Reader>} */
  #reader;
  #load;
  /** Takes over the weights of what was opened.
   * @type {(listener: Taking) => Promise<any>} */
  #taking = async () => undefined;
  /** @type {readonly string[] | null} */
  #vocabulary = null;
  /** What was opened. */
  #file = { name: '', isOurs: false };
  /** @type {Subject | null} */
  subject = null;

  /** @param {import('../remote/server.js').Tell} tell @param {() => Promise<any>} load gives a core, for files of ours */
  constructor(tell, load) {
    this.#reader = answersOf(tell);
    this.#load = load;
  }

  /** Reads all but the weights. @param {Files} files @returns {Promise<Offer | null>} null: of a file of ours nothing is known yet */
  async open(files) {
    const reader = await this.#reader;
    this.subject?.model.dispose();
    this.subject = null;
    const { weights } = files;
    const isOurs = !isStored(files);
    this.#file = { name: typeof weights === 'string' ? weights : weights.name, isOurs };
    if (isOurs) {
      const { config, parameters, step, vocabulary } = await reader.read({ files });
      checkFit(config);
      this.#vocabulary = vocabulary;
      this.#taking = async (listener) =>
        (await this.#load()).openInTurns(
          { config, parameters: new Map(parameters), step },
          listener,
        );
      return null;
    }
    const opened = await reader.open({ files });
    const { modelOf } = await import('../reader/stored.js');
    checkFit(opened.offer.config);
    this.#vocabulary = opened.vocabulary;
    this.#taking = (listener) => modelOf(opened, (piece) => reader.bytes(piece), listener);
    return opened.offer;
  }

  /** Takes over the weights.
   * @param {Taking} listener */
  async take(listener) {
    const model = await this.#taking(listener);
    const reader = await this.#reader;
    const { vocab, maxLength } = model.config;
    const most = Math.min(maxLength, MAX_TOKENS);
    const isRead = this.#vocabulary !== null;
    const names = this.#vocabulary ?? Array.from({ length: vocab }, (_, id) => String(id));
    this.subject = {
      ...{ model, names, roles: async () => null },
      read(text) {
        const target = isRead ? reader.encode({ text }) : idsOf(text);
        if (target.length === 0) throw new Unfit('empty');
        if (target.length > most) throw new Unfit('long', { n: target.length, most });
        const beyond = target.find((id) => id >= vocab);
        if (beyond !== undefined) throw new Unfit('beyond', { id: beyond, vocab });
        return { inputs: { target }, unknown: [] };
      },
      idOf(word) {
        /* In the midst of a text a word begins with its space. */
        const id = [`·${word}`, word]
          .map((name) => names.indexOf(name))
          .find((place) => place >= 0);
        if (id === undefined) throw new Unfit('noToken', { word });
        return id;
      },
    };
    return {
      ...{ config: model.config, file: this.#file },
      sample: sampleOf(this.subject, isRead),
    };
  }
}

/** Refuses a model that does not say what comes next. @param {Record<string, any>} config */
function checkFit({ kind, vocab, layers, head }) {
  if (kind !== 'gpt' || !vocab || head === 'none') throw new Unfit('kind');
  if (layers > MAX_LAYERS || layers < 1) throw new Unfit('layers', { n: layers, most: MAX_LAYERS });
}
