// What the page asks of the model of the stories: one text is read, heads are switched off, a logit is taken apart.

/** @typedef {typeof import('./core.js')} Core */
/** @typedef {import('../../bindings/inside/index.js').LogitAttribution} Sum */
/** @typedef {{ layer: number, head: number }} Head */
/**
 * @typedef {object} Asked
 * @property {string} prompt
 * @property {string} word whose logit; '' for the likeliest
 * @property {string} instead a word whose logit is subtracted, or ''
 * @property {readonly Head[]} off
 * @property {string | null} other a text whose values heads get that are switched off; null: nothing
 */
/**
 * @typedef {object} Told
 * @property {string[]} tokens that the model read, <start> first
 * @property {string} word whose logit
 * @property {string} instead
 * @property {string[] | null} others those of the other text, where it is read
 * @property {string[]} unknown words that it does not know
 * @property {{ word: string, before: number, after: number }[]} best probabilities of the likeliest words, all heads on,
 *   and without those that are off
 * @property {Sum} sum of the logit, all heads on
 * @property {number} after the logit without those that are off
 * @property {number[][]} alone the logit with each head switched off alone, by layer and head
 * @property {number[][][]} attention of the last position, by layer, head and position
 */

/** Likeliest words that are listed. */
const LISTED = 5;

export class Experiments {
  #core;
  #model;

  /**
   * @param {Core} core
   * @param {any} gf what load() gave
   * @param {Uint8Array} bytes of the model
   */
  constructor(core, gf, bytes) {
    this.#core = core;
    this.#model = core.trained(gf, bytes);
  }

  /** Words to choose from. */
  get words() {
    return this.#core.vocabulary.tokens.filter((token) => !token.startsWith('<'));
  }

  /** How many tokens it reads. @returns {number} */
  get most() {
    return this.#model.config.maxLength;
  }

  /**
   * @param {Asked} asked
   * @returns {Promise<Told>}
   */
  async run({ prompt, word, instead, off, other }) {
    const { ablate, logitAttribution, storyInputs, tokenize, vocabulary } = this.#core;
    const model = this.#model;
    const inputs = storyInputs(prompt);
    const [token, against] = [word, instead].map((one) =>
      one === '' ? undefined : vocabulary.encode([one])[0],
    );
    const sum = /** @type {Sum} */ (await logitAttribution(model, inputs, { token, against }));
    const value = other === null ? 'zero' : { run: storyInputs(other) };
    const kind = against === undefined ? 'logit' : 'difference';
    const metric = { kind, token: sum.token, against };
    const changed = async (/** @type {any} */ measured) => {
      const told = await ablate(model, inputs, { at: off, value, metric: measured });
      return Number(told?.after);
    };
    const { probabilities, attention } = this.#read(inputs);
    const likeliest = [...probabilities.keys()]
      .sort((a, b) => probabilities[b] - probabilities[a])
      .slice(0, LISTED);
    const best = [];
    for (const id of likeliest) {
      const after = await changed({ kind: 'probability', token: id });
      best.push({ word: vocabulary.tokens[id], before: probabilities[id], after });
    }
    const each = await ablate(model, inputs, {
      each: 'head',
      value,
      metric: /** @type {any} */ (metric),
    });
    const words = tokenize(prompt);
    const known = vocabulary.encode(words);
    return {
      tokens: vocabulary.decode(inputs.target),
      word: vocabulary.tokens[sum.token],
      instead,
      others: other === null ? null : vocabulary.decode(storyInputs(other).target),
      unknown: words.filter((_, i) => vocabulary.tokens[known[i]] !== words[i]),
      best,
      sum,
      after: await changed(metric),
      alone: each?.grid?.values ?? [],
      attention,
    };
  }

  /** The probabilities behind the last token, and its attention.
   * @param {{ target: number[] }} inputs */
  #read(inputs) {
    const run = this.#model.forward(inputs);
    try {
      const { size } = this.#core.vocabulary;
      const last = run.logits.data.slice(-size);
      const most = Math.max(...last);
      const shares = Array.from(last, (logit) => Math.exp(logit - most));
      const all = shares.reduce((a, b) => a + b, 0);
      return {
        probabilities: shares.map((share) => share / all),
        attention: this.#core.attentionsOf(run.tape).map(({ heads, weights: { shape, data } }) => {
          const [, , queries, keys] = shape;
          return Array.from({ length: heads }, (_, head) => {
            const from = (head * queries + queries - 1) * keys;
            return Array.from(data.subarray(from, from + keys));
          });
        }),
      };
    } finally {
      run.dispose();
    }
  }
}
