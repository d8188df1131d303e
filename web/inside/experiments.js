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
/** What the texts alone decide.
 * @typedef {object} Read
 * @property {string[]} tokens that the model read, <start> first
 * @property {string[]} others those of the other text
 * @property {string} word whose logit
 * @property {string} instead
 * @property {string[]} unknown words that it does not know
 * @property {Map<string, number>} likely probabilities of the likeliest words, and of `instead`
 * @property {Sum} sum of the logit
 * @property {Sum} opened the same with heads by the words that they read, and the products of each part
 * @property {number[][][]} attention of the last position, by layer, head and position
 * @property {'zero' | 'story'} value what heads were tried with: nothing, where the other text has more tokens, or fewer
 * @property {number[][]} alone the logit with each head changed alone, by layer and head
 * @property {number[][] | null} words the logit with the stream of the other text at each position alone, by layer; null
 *   where that text has more tokens, or fewer
 * @property {number | null} target the logit in the other text
 * @property {{ nothing: boolean, everything: boolean | null }} check whether putting all back changes no bit, and patching
 *   everything gives the bits of the other text
 */
/**
 * @typedef {Read & {
 *   best: { word: string, before: number, after: number }[],
 *   after: number,
 *   says: string,
 * }} Told
 * best: probabilities of the likeliest words, before and after what was changed. after: the logit then. says: the likeliest
 * word then.
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
      const after = await this.#changed(texts.prompt, at, { kind: 'probability', token });
      best.push({ word, before, after });
    }
    best.sort((a, b) => b.before - a.before);
    const first = best.reduce((most, one) => (one.after > most.after ? one : most));
    const after = await this.#changed(texts.prompt, at, this.#metric(read.sum));
    return { ...read, best, after, says: first.word };
  }

  /** A metric without some values. @param {string} prompt @param {any} at @param {any} metric */
  async #changed(prompt, at, metric) {
    const told = await this.#core.ablate(this.#model, this.#core.storyInputs(prompt), {
      at,
      metric,
    });
    return Number(told?.after);
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
    const { ablate, logitAttribution, patch, storyInputs, tokenize, vocabulary } = this.#core;
    const model = this.#model;
    const [inputs, from] = [prompt, other].map((text) => storyInputs(text));
    const [asked, against] = [word, instead].map((one) =>
      one === '' ? undefined : vocabulary.encode([one])[0],
    );
    const sum = /** @type {Sum} */ (
      await logitAttribution(model, inputs, { token: asked, against })
    );
    const { token } = sum;
    const whole = { token, against, keys: true, products: true };
    const opened = /** @type {Sum} */ (await logitAttribution(model, inputs, whole));
    const metric = this.#metric(sum);
    const fits = inputs.target.length === from.target.length;
    const same = fits ? await patch(model, inputs, { each: 'position', from, metric }) : null;
    const used = fits ? value : 'zero';
    const heads = await ablate(model, inputs, {
      each: 'head',
      value: used === 'zero' ? 'zero' : { run: from },
      metric,
    });
    const { probabilities, attention } = this.#forward(inputs);
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
      ...{ sum, opened, attention, value: used },
      alone: heads?.grid?.values ?? [],
      words: same?.grid?.values ?? null,
      target: same?.other ?? null,
      check: {
        nothing: !!heads?.check.nothing && same?.check.nothing !== false,
        everything: same?.check.everything ?? null,
      },
    };
  }

  /** The probabilities behind the last token, and its attention.
   * @param {{ target: number[] }} inputs */
  #forward(inputs) {
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
