// What the page asks of the model of the stories: one text is read, values are taken away or come from another text, a
// logit is taken apart.

/** @typedef {typeof import('./core.js')} Core */
/** @typedef {import('../../bindings/inside/index.js').LogitAttribution} Sum */
/** A head, or the stream that enters a layer at a position.
 * @typedef {{ layer: number, head: number } | { layer: number, position: number }} Place */
/**
 * @typedef {object} Asked
 * @property {string} prompt
 * @property {string} other a text to compare with
 * @property {string} word whose logit; '' for the likeliest
 * @property {string} instead a word whose logit is subtracted, or ''
 * @property {readonly Place[]} off what gives nothing
 * @property {readonly Place[]} from what gives what it gives in the other text
 * @property {'zero' | 'story'} value which of the two each head is tried with
 */
/** sum: of a logit. opened: the same with heads by the words that they read, and the products of each part.
 * @typedef {{ sum: Sum, opened: Sum }} Sums */
/** What the texts alone decide.
 * @typedef {object} Read
 * @property {string[]} tokens that the model read, <start> first
 * @property {string[]} others those of the other text
 * @property {string} word whose logit
 * @property {string} instead
 * @property {string[]} unknown words that it does not know
 * @property {Map<string, number>} likely probabilities of the likeliest words, and of `instead`
 * @property {Sums} intact the logit
 * @property {'zero' | 'story'} value what heads were tried with: nothing, where the other text has more tokens, or fewer
 * @property {number[][]} alone the logit with each head changed alone, by layer and head
 * @property {number[][] | null} words the logit with the stream of the other text at each position alone, by layer; null
 *   where that text has more tokens, or fewer
 * @property {number | null} target the logit in the other text
 * @property {{ nothing: boolean, everything: boolean | null }} check whether putting all back changes no bit, and patching
 *   everything gives the bits of the other text
 */
/**
 * @typedef {Read & Sums & {
 *   best: { word: string, before: number, after: number }[],
 *   says: string,
 * }} Told
 * sum, opened: the logit after what was changed. best: probabilities of the likeliest words, before that and after. says:
 * the likeliest word then.
 */

/** Likeliest words that are listed. */
const LISTED = 5;

export class Experiments {
  #core;
  #model;
  /** @type {{ key: string, read: Read } | null} */
  #last = null;

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

  /** The ids of a text, as the model reads them. @param {string} text */
  idsOf = (text) => this.#core.storyInputs(text).target;

  /** The sizes of the model. @returns {import('../../bindings/index.js').Config} */
  get config() {
    return this.#model.config;
  }

  /**
   * @param {Asked} asked
   * @returns {Promise<Told>}
   */
  async run({ off, from, ...texts }) {
    const key = JSON.stringify(texts);
    if (this.#last?.key !== key) this.#last = { key, read: await this.#read(texts) };
    const { read } = this.#last;
    const run = { run: this.#core.storyInputs(texts.other) };
    const taken = read.words ? from.map((place) => ({ ...place, value: run })) : [];
    const at = [...off, ...taken];
    const best = [];
    for (const [word, before] of read.likely) {
      const [token] = this.#core.vocabulary.encode([word]);
      const metric = /** @type {const} */ ({ kind: 'probability', token });
      const told = await this.#core.ablate(this.#model, this.#core.storyInputs(texts.prompt), {
        ...{ at, metric },
      });
      const after = Number(told?.after);
      best.push({ word, before, after });
    }
    best.sort((a, b) => b.before - a.before);
    const first = best.reduce((most, one) => (one.after > most.after ? one : most));
    const { token, against } = read.intact.sum;
    const sums =
      at.length > 0 ? await this.#sums(texts.prompt, { token, against, at }) : read.intact;
    return { ...read, ...sums, best, says: first.word };
  }

  /** A logit, taken apart.
   * @param {string} prompt
   * @param {{ token?: number, against: number | null, at?: any }} which
   * @returns {Promise<Sums>} */
  async #sums(prompt, { against, ...which }) {
    const asked = { ...which, ...(against !== null && { against }) };
    const told = (/** @type {object} */ more) =>
      this.#core.logitAttribution(this.#model, this.#core.storyInputs(prompt), {
        ...{ ...asked, ...more },
      });
    const sum = /** @type {Sum} */ (await told({}));
    const opened = await told({ token: sum.token, keys: true, products: true });
    return { sum, opened: /** @type {Sum} */ (opened) };
  }

  /** @param {Sum} sum
   * @returns {any} */
  #metric({ token, against }) {
    return against === null ? { kind: 'logit', token } : { kind: 'difference', token, against };
  }

  /** What the texts alone decide.
   * @param {Omit<Asked, 'off' | 'from'>} asked
   * @returns {Promise<Read>} */
  async #read({ prompt, other, word, instead, value }) {
    const { ablate, patch, storyInputs, tokenize, vocabulary } = this.#core;
    const model = this.#model;
    const [inputs, from] = [prompt, other].map((text) => storyInputs(text));
    const [asked, against] = [word, instead].map((one) =>
      one === '' ? undefined : vocabulary.encode([one])[0],
    );
    const intact = await this.#sums(prompt, { token: asked, against: against ?? null });
    const { token } = intact.sum;
    const metric = this.#metric(intact.sum);
    const fits = inputs.target.length === from.target.length;
    const same = fits ? await patch(model, inputs, { each: 'position', from, metric }) : null;
    const used = fits ? value : 'zero';
    const heads = await ablate(model, inputs, {
      each: 'head',
      value: used === 'zero' ? 'zero' : { run: from },
      metric,
    });
    const probabilities = this.#probabilities(inputs);
    const likeliest = [...probabilities.keys()]
      .sort((a, b) => probabilities[b] - probabilities[a])
      .slice(0, LISTED);
    const words = [prompt, other].flatMap((text) => tokenize(text));
    const known = vocabulary.encode(words);
    return {
      tokens: vocabulary.decode(inputs.target),
      others: vocabulary.decode(from.target),
      word: vocabulary.tokens[token],
      instead,
      unknown: [...new Set(words.filter((_, i) => vocabulary.tokens[known[i]] !== words[i]))],
      likely: new Map(
        [...likeliest, token, ...(against === undefined ? [] : [against])].map((id) => [
          vocabulary.tokens[id],
          probabilities[id],
        ]),
      ),
      ...{ intact, value: used },
      alone: heads?.grid?.values ?? [],
      words: same?.grid?.values ?? null,
      target: same?.other ?? null,
      check: {
        nothing: !!heads?.check.nothing && same?.check.nothing !== false,
        everything: same?.check.everything ?? null,
      },
    };
  }

  /** The probabilities behind the last token.
   * @param {{ target: number[] }} inputs */
  #probabilities(inputs) {
    const run = this.#model.forward(inputs);
    try {
      const last = run.logits.data.slice(-this.#core.vocabulary.size);
      const most = Math.max(...last);
      const shares = Array.from(last, (logit) => Math.exp(logit - most));
      const all = shares.reduce((a, b) => a + b, 0);
      return shares.map((share) => share / all);
    } finally {
      run.dispose();
    }
  }
}
