// The trained translator: what a sentence becomes, token by token, and what the model is given at a step.
import { html } from 'lit';
import { measurements } from '#capabilities';
import { text as words } from '../../app/locale/text.js';
import { traceModel } from '../../app/session.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/**
 * What a model is to be run on, for a state.
 * @typedef {object} Reading
 * @property {Record<string, any>} inputs
 * @property {Record<'source' | 'target', string[]>} sides the tokens, by their names
 * @property {string[]} predicted what each of the target's own tokens is followed by, by its name, if the model writes
 * @property {number} own how many of the target's tokens are the sequence's own, padding aside
 * @property {Written | null} written null if the model does not write
 */
/**
 * @typedef {object} Written
 * @property {string} source as it was read
 * @property {number[]} tokens without the one that ends
 * @property {number[]} intact the same of the model with nothing removed
 * @property {number | null} end the token that ends, if it came to it
 * @property {number} step how many of them the decoder has read
 * @property {string} doubt why the translation may be wrong, in words of the page; '' if the grammar has the sentence
 * @property {string | null} expected the grammar's own translation
 * @property {{ tokens: number[], score: number }[]} found of a beam search
 */

/** A sentence that is longer than most: beside it in a batch, others are padded. */
const COMPANION = 'nous ne jouons pas dans le jardin';

export class Translator {
  /**
   * @param {any} model
   * @param {import('../../workers/reader/model.js').Trained['task']} task
   * @param {import('../../workers/reader/model.js').Trained['marks']} marks
   * @param {Uint8Array} weights the file of the model
   */
  constructor(model, task, marks, weights) {
    this.weights = weights;
    this.model = model;
    this.task = task;
    this.marks = marks;
    this.name = task.title;
    this.writes = true;
    /** @type {readonly string[]} */
    this.vocabulary = task.vocabulary.tokens;
  }

  /** The panels of this model alone: a figure has none. */
  get panels() {
    return Object.keys(measurements);
  }

  /** One of them, if it is open. @param {import('../../app/state/view.js').View} view */
  panel(view) {
    const { panel } = view.state;
    if (!Object.hasOwn(measurements, panel)) return null;
    measurements[panel]();
    if (panel === 'bits') return html`<gf-bits .view=${view}></gf-bits>`;
    return panel === 'roles'
      ? html`<gf-roles .view=${view} .subject=${this}></gf-roles>`
      : html`<gf-meaning .view=${view} .subject=${this}></gf-meaning>`;
  }

  /** The words to choose from. */
  get dictionary() {
    return this.task.dictionary;
  }

  /** Why a translation may be wrong, in words of the page; '' if the grammar has the sentence, or the model cannot
   * read it at all.
   * @param {string} sentence */
  doubt(sentence) {
    const { task } = this;
    /** @type {string[]} */
    const tokens = task.tokenize('source', sentence);
    if (tokens.length === 0 || tokens.length > this.most) return '';
    const unknown = task.unknown(sentence);
    if (unknown.length > 0) {
      return words('chapters/transformer/unknown', { words: unknown.join(', ') });
    }
    const { answer, fits } = task.solve(sentence);
    if (answer !== null || fits === null) return '';
    if (fits === tokens.length) return words('chapters/transformer/outside/end');
    const word = tokens[fits];
    if (fits === 0) return words('chapters/transformer/outside/first', { word });
    const before = task.detokenize('source', tokens.slice(0, fits));
    return words('chapters/transformer/outside/word', { word, before });
  }

  /** The longest target that it can read. */
  get most() {
    return this.model.config.maxLength;
  }

  /** @param {string} sentence */
  #read(sentence) {
    const { task, most } = this;
    /** @type {string[]} */
    const tokens = task.tokenize('source', sentence);
    if (tokens.length === 0) throw new RangeError(words('chapters/transformer/empty'));
    if (tokens.length > most) {
      throw new RangeError(words('chapters/transformer/long', { n: tokens.length, most }));
    }
    return { tokens, ids: /** @type {number[]} */ (task.vocabulary.encode(tokens)) };
  }

  /**
   * @param {number[]} source
   * @param {State} state
   * @param {string[]} remove
   * @returns {{ tokens: number[], ended: boolean, found: Written['found'] }}
   */
  #write(source, { way, temperature, topK, seed, beams }, remove) {
    const { START: start, END: end } = this.marks;
    const limits = { start, stopTokens: [end], remove };
    const room = this.most;
    if (way === 'beam') {
      const results = this.model.searchSync(source, { ...limits, beams });
      const { tokens, finished } = results[0];
      return { tokens: finished ? tokens.slice(0, -1) : tokens, ended: finished, found: results };
    }
    const chance = way === 'sampled' ? { temperature, topK, seed } : {};
    const tokens = this.model.generateSync(source, { ...limits, ...chance });
    return { tokens, ended: tokens.length < room, found: [] };
  }

  /**
   * @param {State} state
   * @returns {Reading}
   */
  read(state) {
    const { START, END, UNKNOWN } = this.marks;
    const { tokens, ids } = this.#read(state.text);
    const { tokens: written, ended, found: beams } = this.#write(ids, state, state.remove);
    const intact = state.remove.length > 0 ? this.#write(ids, state, []).tokens : written;
    const step = Math.min(state.step ?? written.length, written.length, this.most - 1);
    const target = [START, ...written.slice(0, step)];
    const inputs = state.beside ? this.#beside(ids, target) : { source: [ids], target: [target] };
    const padded = (/** @type {number[][]} */ [ids, other = []]) => [
      ...ids,
      ...Array(Math.max(0, other.length - ids.length)).fill(0),
    ];
    const names = (/** @type {number[]} */ list) => list.map((id) => this.vocabulary[id]);
    const next = [...written, ...(ended ? [END] : [])].slice(0, target.length);
    const source = names(padded(inputs.source)).map((name, i) =>
      ids[i] === UNKNOWN ? tokens[i] : name,
    );
    return {
      inputs,
      sides: { source, target: names(padded(inputs.target)) },
      predicted: names(next),
      own: target.length,
      written: {
        source: this.task.detokenize('source', tokens),
        tokens: written,
        intact,
        end: ended ? END : null,
        step,
        doubt: this.doubt(state.text),
        expected: this.task.solve(state.text).answer,
        found: beams,
      },
    };
  }

  /**
   * @param {number[]} source
   * @param {number[]} target
   */
  #beside(source, target) {
    const { START, END } = this.marks;
    const { ids } = this.#read(COMPANION);
    const other = this.model.generateSync(ids, { start: START, stopTokens: [END] });
    return { source: [source, ids], target: [target, [START, ...other]] };
  }

  /**
   * The trace that a state asks for.
   * @param {Reading} reading
   * @param {State} _state
   * @param {{ remove: string[], edits: import('../../app/state/walk.js').Edit[] }} how
   */
  trace({ inputs }, _state, how) {
    return traceModel(this.model, inputs, how);
  }

  /** What the tokens say. @param {number[]} tokens */
  say(tokens) {
    return this.task.detokenize('target', this.task.vocabulary.decode(tokens));
  }
}
