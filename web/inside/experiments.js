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
 * @property {string} open the part of the sum whose products are told, by its name; of a head also by the word that it reads
 */
/** sum: of a logit. opened: the same with heads by the words that they read, and with products.
 * @typedef {{ sum: Sum, opened: Sum }} Sums */
/** What the texts alone decide.
 * @typedef {object} Read
 * @property {number[][]} ids what the model read of both texts
 * @property {string[]} tokens of the first, <start> first
 * @property {string[]} others those of the other text
 * @property {string} word whose logit
 * @property {string} instead
 * @property {string[]} unknown words that it does not know
 * @property {Map<string, number>} likely probabilities of the likeliest words, and of `instead`
 * @property {Sum} intact the logit
 * @property {'zero' | 'story'} value what heads were tried with: nothing, where the other text has more tokens, or fewer
 * @property {number[][]} alone the logit with each head changed alone, by layer and head
 * @property {number[][] | null} words the logit with the stream of the other text at each position alone, by layer; null
 *   where that text has more tokens, or fewer
 * @property {number | null} target the logit in the other text
 * @property {{ nothing: boolean, everything: boolean | null }} check whether putting all back changes no bit, and patching
 *   everything gives the bits of the other text
 */
/** @typedef {import('../../bindings/inside/index.js').Why} Why */
/**
 * @typedef {Read & Sums & {
 *   best: { word: string, before: number, after: number }[],
 *   says: string,
 *   open: string,
 *   why: Why | null,
 * }} Told
 * sum, opened: the logit after what was changed. best: probabilities of the likeliest words, before that and after. says:
 * the likeliest word then. open: the part that comes with its products. why: if that is a word that a head reads, and nothing
 * is changed, the score with which it does.
 */
/** What heads attend to. heads: in one text, and in random tokens. jobs: on the words that decide others, by what these are, in
 * stories that the model has not seen.
 * @typedef {{ heads: import('../../bindings/inside/index.js').HeadScore[], tokens: number,
 *   jobs: ReturnType<typeof import('../../bindings/stories/index.js').headJobs> }} Scores */
/**
 * @typedef {object} Listener
 * @property {AbortSignal} [signal] nobody wants the answer any more
 * @property {(part: number) => void} [onProgress]
 */

/** Likeliest words that are listed. */
const LISTED = 5;
/** Stories in which jobs are measured, and their seed. */
export const [STORIES, SEED] = [20, 2];

/** @template T @param {AbortSignal | undefined} signal @param {Promise<T | undefined>} asked
 * @returns {Promise<T>} what is given before the signal comes */
async function given(signal, asked) {
  const answer = await asked;
  signal?.throwIfAborted();
  return /** @type {T} */ (answer);
}

/** What was answered last, by what was asked. @template T */
class Last {
  key = '';
  /** @type {T | undefined} */
  answer;

  /** @param {object} asked @param {() => Promise<T>} compute @returns {Promise<T>} */
  async of(asked, compute) {
    const key = JSON.stringify(asked);
    if (key === this.key) return /** @type {T} */ (this.answer);
    const answer = await compute();
    Object.assign(this, { key, answer });
    return answer;
  }
}

export class Experiments {
  #core;
  #model;
  /** Of the texts alone. @type {Last<{ read: Read, sums: Sums }>} */
  #read = new Last();
  /** Of what was changed, too. @type {Last<Omit<Told, 'open' | 'why'>>} */
  #told = new Last();
  /** @type {Last<Why>} */
  #why = new Last();
  /** @type {Scores['jobs'] | null} */
  #jobs = null;

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

  /** The sizes of the model. @returns {import('../../bindings/index.js').Config} */
  get config() {
    return this.#model.config;
  }

  /**
   * @param {Asked} asked
   * @param {Listener} [listener]
   * @returns {Promise<Told>}
   */
  async run({ open, ...asked }, listener = {}) {
    const told = await this.#told.of(asked, () => this.#run(asked, listener));
    const [owner] = open.split(' at ');
    const parts = told.opened.parts.map(({ products, ...part }) =>
      part.name === open || part.name === owner ? { ...part, products } : part,
    );
    const why = await this.#reason(asked, parts, open, listener);
    return { ...told, open, opened: { ...told.opened, parts }, why };
  }

  /** Why a head reads a word, if that is what is opened.
   * @param {Omit<Asked, 'open'>} asked @param {Sum['parts']} parts @param {string} open @param {Listener} listener
   * @returns {Promise<Why | null>} */
  async #reason({ prompt, off, from }, parts, open, { signal }) {
    const { layer, head, key } = parts.find(({ name }) => name === open) ?? {};
    if (key === undefined || off.length + from.length > 0) return null;
    const place = { layer: Number(layer), head: Number(head), query: -1, key };
    const inputs = this.#core.storyInputs(prompt);
    return this.#why.of({ prompt, place }, () =>
      given(signal, this.#core.why(this.#model, inputs, { ...place, signal })),
    );
  }

  /** @param {string} prompt @param {AbortSignal} [signal] @returns {Promise<Scores>} */
  async scores(prompt, signal) {
    const { headJobs, headScores, heldOutStories, storyInputs } = this.#core;
    const inputs = storyInputs(prompt);
    const { heads } = await given(signal, headScores(this.#model, inputs, { signal }));
    this.#jobs ??= headJobs(this.#model, heldOutStories(STORIES, SEED));
    return { heads, tokens: inputs.target.length, jobs: this.#jobs };
  }

  /**
   * @param {Omit<Asked, 'open'>} asked
   * @param {Listener} listener
   * @returns {Promise<Omit<Told, 'open' | 'why'>>}
   */
  async #run({ off, from, ...texts }, listener) {
    const { read, sums } = await this.#read.of(texts, () => this.#begin(texts, listener));
    const { signal } = listener;
    const run = { run: this.#core.storyInputs(texts.other) };
    const taken = read.words ? from.map((place) => ({ ...place, value: run })) : [];
    const at = [...off, ...taken];
    const best = [];
    for (const [word, before] of read.likely) {
      const [token] = this.#core.vocabulary.encode([word]);
      const metric = /** @type {const} */ ({ kind: 'probability', token });
      const inputs = this.#core.storyInputs(texts.prompt);
      const told = this.#core.ablate(this.#model, inputs, { at, metric, signal });
      const { after } = await given(signal, told);
      best.push({ word, before, after: Number(after) });
    }
    best.sort((a, b) => b.before - a.before);
    const first = best.reduce((most, one) => (one.after > most.after ? one : most));
    const { token, against } = read.intact;
    const changed =
      at.length > 0 ? await this.#sums(texts.prompt, { token, against, at }, signal) : sums;
    return { ...read, ...changed, best, says: first.word };
  }

  /** A logit, taken apart.
   * @param {string} prompt
   * @param {{ token?: number, against: number | null, at?: any }} which
   * @param {AbortSignal} [signal]
   * @returns {Promise<Sums>} */
  async #sums(prompt, { against, ...which }, signal) {
    const asked = { ...which, ...(against !== null && { against }), signal };
    const told = (/** @type {object} */ more) =>
      given(
        signal,
        this.#core.logitAttribution(this.#model, this.#core.storyInputs(prompt), {
          ...{ ...asked, ...more },
        }),
      );
    const sum = await told({});
    return { sum, opened: await told({ token: sum.token, keys: true, products: true }) };
  }

  /** @param {Sum} sum
   * @returns {any} */
  #metric({ token, against }) {
    return against === null ? { kind: 'logit', token } : { kind: 'difference', token, against };
  }

  /** What the texts alone decide.
   * @param {Omit<Asked, 'off' | 'from' | 'open'>} asked
   * @param {Listener} listener
   * @returns {Promise<{ read: Read, sums: Sums }>} */
  async #begin({ prompt, other, word, instead, value }, { signal, onProgress }) {
    const { ablate, patch, storyInputs, tokenize, vocabulary } = this.#core;
    const model = this.#model;
    const [inputs, from] = [prompt, other].map((text) => storyInputs(text));
    const [asked, against] = [word, instead].map((one) =>
      one === '' ? undefined : vocabulary.encode([one])[0],
    );
    const sums = await this.#sums(prompt, { token: asked, against: against ?? null }, signal);
    const intact = sums.sum;
    const { token } = intact;
    const metric = this.#metric(intact);
    const length = inputs.target.length;
    const fits = length === from.target.length;
    /* Each layer is tried at each position, then with each head. */
    const stream = fits ? length / (length + model.config.heads) : 0;
    const same = fits
      ? await given(
          signal,
          patch(model, inputs, {
            ...{ each: 'position', from, metric, signal },
            onProgress: (part) => onProgress?.(stream * part),
          }),
        )
      : null;
    const used = fits ? value : 'zero';
    const heads = await given(
      signal,
      ablate(model, inputs, {
        ...{ each: 'head', value: used === 'zero' ? 'zero' : { run: from }, metric, signal },
        onProgress: (part) => onProgress?.(stream + (1 - stream) * part),
      }),
    );
    const probabilities = this.#probabilities(inputs);
    const likeliest = [...probabilities.keys()]
      .sort((a, b) => probabilities[b] - probabilities[a])
      .slice(0, LISTED);
    const words = [prompt, other].flatMap((text) => tokenize(text));
    const known = vocabulary.encode(words);
    const read = {
      ids: [inputs.target, from.target],
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
      alone: heads.grid?.values ?? [],
      words: same?.grid?.values ?? null,
      target: same?.other ?? null,
      check: {
        nothing: heads.check.nothing && same?.check.nothing !== false,
        everything: same?.check.everything ?? null,
      },
    };
    return { read, sums };
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
