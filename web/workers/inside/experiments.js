// What the page asks of a model: one text is read, values are taken away or come from another text, a logit is taken apart.

/** @typedef {typeof import('./core.js')} Core */
/** What is to be known of a model, and how texts are to it what it reads.
 * @typedef {object} Subject
 * @property {any} model
 * @property {readonly string[]} names of its tokens, by their ids
 * @property {(text: string) => Text} read
 * @property {(word: string) => number} idOf the token that a reader means
 * @property {() => Promise<HeadRoles | null>} roles of its heads in stories; null of a model that did not learn them
 */
/** @typedef {{ target: number[] }} Inputs */
/** @typedef {import('../../../bindings/lab/inside/index.js').HeadRoles} HeadRoles */
/** unknown: words that are no tokens of the model. @typedef {{ inputs: Inputs, unknown: string[] }} Text */
/** @typedef {import('../../../bindings/lab/inside/index.js').LogitAttribution} Sum */
/** A head, a feed-forward, or the stream that enters a layer at a position.
 * @typedef {{ layer: number, head: number } | { layer: number, part: 'feed_forward' } | { layer: number, position: number }} Place */
/**
 * @typedef {object} Asked
 * @property {string} prompt
 * @property {string} other a text to compare with
 * @property {string} word whose logit; '' for the likeliest
 * @property {string} instead a word whose logit is subtracted, or ''
 * @property {readonly Place[]} off what gives nothing
 * @property {readonly Place[]} from what gives what it gives in the other text
 * @property {'zero' | 'story'} value which of the two each head is tried with
 * @property {string} open the name of the part of the sum that comes with its products; of a head also by the word that it reads
 */
/** sum: of a logit. opened: the same with heads by the words that they read, and with products.
 * @typedef {{ sum: Sum, opened: Sum }} Sums */
/** What the texts alone decide.
 * @typedef {object} Read
 * @property {number[][]} ids what the model read of both texts
 * @property {string[]} tokens of the first
 * @property {string[]} others those of the other text
 * @property {string} word whose logit
 * @property {string} instead
 * @property {string[]} unknown words that it does not know
 * @property {Map<number, number>} likely probabilities of the likeliest tokens, and of `instead`
 * @property {Sum} intact the logit
 * @property {'zero' | 'story'} value what heads are tried with: nothing, where the other text has more tokens, or fewer
 * @property {boolean} fits whether the other text has as many
 */
/** Layers, each changed in one place alone.
 * @typedef {object} Rows
 * @property {number[]} layers
 * @property {number[][]} alone the logit with each head changed alone, by layer and head
 * @property {number[][] | null} contrast the same with the other of the two values, where both are asked for and possible
 * @property {number[][] | null} words the logit with the stream of the other text at each position alone, by layer; null
 *   where that text has more tokens, or fewer
 * @property {number | null} target the logit in the other text
 * @property {{ nothing: boolean, everything: boolean | null }} check whether putting all back changes no bit, and patching
 *   everything gives the bits of the other text
 */
/** @typedef {Sum['parts'][number]} Part */
/** @typedef {Pick<Asked, 'prompt' | 'other' | 'word' | 'instead' | 'value'>} Texts */
/** @typedef {import('../../../bindings/lab/inside/index.js').Why} Why */
/**
 * @typedef {Read & Sums & {
 *   best: { word: string, before: number, after: number }[],
 *   says: string,
 *   open: string,
 *   why: Why | null,
 * }} Result
 * sum, opened: the logit after what was changed. best: probabilities of the likeliest words, before that and after. says:
 * the likeliest word then. open: the part that comes with its products. why: if that is a word that a head reads, and nothing
 * is changed, the score with which it does.
 */
/** What each place of each layer does alone, as far as it is known: null where it is not yet.
 * @typedef {{ alone: (number | null)[][], contrast: (number | null)[][] | null, words: (number | null)[][] | null, target: number | null,
 *   check: Rows['check'] | null }} Grid */
/** @typedef {Result & Grid} Whole */
/** What heads attend to. heads: in one text, and in random tokens. roles: how far, and on the words that decide others, in
 * stories that the model has not seen.
 * @typedef {{ heads: import('../../../bindings/lab/inside/index.js').HeadScore[], tokens: number, roles: HeadRoles | null }} Scores */
/**
 * @typedef {object} Listener
 * @property {AbortSignal} [signal] nobody wants the answer any more
 * @property {(part: number) => void} [onProgress]
 */

/** The part of a run's time that its two sums take, about. */
const SUMS_PART = 0.4;
/** Likeliest words that are listed. */
const LISTED_WORDS = 5;

/** A token as a word: the space that it begins with is left out. @param {string} token */
const plain = (token) => token.replace(/^·(?=.)/, '');

/** The last answer, kept with its question. @template T */
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
  #subject;
  /** Of the texts alone. @type {Last<{ read: Read, sums: Sums }>} */
  #read = new Last();
  /** Of what was changed, too. @type {Last<Omit<Result, 'open' | 'why'>>} */
  #result = new Last();
  /** What is opened. @type {Last<Part[]>} */
  #opened = new Last();
  /** @type {Last<Why>} */
  #why = new Last();

  /** @param {Core} core @param {Subject} subject */
  constructor(core, subject) {
    this.#core = core;
    this.#subject = subject;
  }

  get #model() {
    return this.#subject.model;
  }

  /**
   * @param {Asked} asked
   * @param {Listener} [listener]
   * @returns {Promise<Result>}
   */
  async run({ open, ...asked }, listener = {}) {
    const { signal } = listener;
    const result = await this.#result.of(asked, () => this.#run(asked, listener));
    const [owner] = open.split(' at ');
    const { parts } = result.opened;
    const name = [open, owner].find((one) => parts.some((part) => part.name === one));
    const withProducts = name
      ? await this.#opened.of({ asked, name }, () => this.#products(asked, result, name, signal))
      : [];
    const why = await this.#reason(asked, parts, open, signal);
    return {
      ...result,
      ...{ open, why },
      opened: {
        ...result.opened,
        parts: parts.map((part) => withProducts.find((one) => one.name === part.name) ?? part),
      },
    };
  }

  /** The part that is opened, with its products.
   * @param {Omit<Asked, 'open'>} asked @param {Omit<Result, 'open' | 'why'>} result @param {string} name
   * @param {AbortSignal} [signal] @returns {Promise<Part[]>} */
  async #products(asked, { sum, fits }, name, signal) {
    const more = { keys: true, products: name };
    const { parts } = await this.#sum(asked, { ...sum, fits }, more, signal);
    return parts.filter(({ products }) => products);
  }

  /** Why a head reads a word, if that is what is opened.
   * @param {Omit<Asked, 'open'>} asked @param {Part[]} parts @param {string} open @param {AbortSignal} [signal]
   * @returns {Promise<Why | null>} */
  async #reason({ prompt, off, from }, parts, open, signal) {
    const { layer, head, key } = parts.find(({ name }) => name === open) ?? {};
    if (key === undefined || off.length + from.length > 0) return null;
    const place = { layer: Number(layer), head: Number(head), query: -1, key };
    const { inputs } = this.#subject.read(prompt);
    return this.#why.of({ prompt, place }, () =>
      this.#core.why(this.#model, inputs, { ...place, signal }),
    );
  }

  /** @param {string} prompt @param {AbortSignal} [signal] @returns {Promise<Scores>} */
  async scores(prompt, signal) {
    const { inputs } = this.#subject.read(prompt);
    const { heads } = await this.#core.headScores(this.#model, inputs, { signal });
    return { heads, tokens: inputs.target.length, roles: await this.#subject.roles() };
  }

  /** What places take from the other text, where they can. @param {Omit<Asked, 'open'>} asked @param {boolean} fits */
  #changes({ other, off, from }, fits) {
    if (!fits) return [...off];
    const value = { run: this.#subject.read(other).inputs };
    return [...off, ...from.map((place) => ({ ...place, value }))];
  }

  /**
   * @param {Omit<Asked, 'open'>} asked
   * @param {Listener} listener
   * @returns {Promise<Omit<Result, 'open' | 'why'>>}
   */
  async #run(asked, { signal, onProgress }) {
    const { off, from, ...texts } = asked;
    const { read, sums } = await this.#begin(texts, signal);
    onProgress?.(SUMS_PART);
    const changes = this.#changes(asked, read.fits);
    const { inputs } = this.#subject.read(texts.prompt);
    const best = [];
    for (const [token, before] of read.likely) {
      const metric = /** @type {const} */ ({ kind: 'probability', token });
      const options = { at: changes, metric, signal };
      const after =
        changes.length === 0
          ? before
          : Number((await this.#core.ablate(this.#model, inputs, options)).after);
      best.push({ word: this.#subject.names[token], before, after });
      onProgress?.(SUMS_PART + ((1 - SUMS_PART) * best.length) / (read.likely.size + 1));
    }
    best.sort((a, b) => b.before - a.before);
    const first = best.reduce((most, one) => (one.after > most.after ? one : most));
    const changed =
      changes.length > 0
        ? await this.#sums(asked, { ...read.intact, fits: read.fits }, signal)
        : sums;
    return { ...read, ...changed, best, says: plain(first.word) };
  }

  /** A logit, taken apart.
   * @param {Omit<Asked, 'open'>} asked
   * @param {{ token?: number, against: number | null, fits: boolean }} which
   * @param {{ keys?: boolean, products?: string }} more
   * @param {AbortSignal} [signal]
   * @returns {Promise<Sum>} */
  #sum(asked, { token, against, fits }, more, signal) {
    const { inputs } = this.#subject.read(asked.prompt);
    const changes = this.#changes(asked, fits);
    return this.#core.logitAttribution(this.#model, inputs, {
      ...(token !== undefined && { token }),
      ...(against !== null && { against }),
      ...(changes.length > 0 && { at: changes }),
      ...{ ...more, signal },
    });
  }

  /** @param {Omit<Asked, 'open'>} asked
   * @param {{ token?: number, against: number | null, fits: boolean }} which
   * @param {AbortSignal} [signal]
   * @returns {Promise<Sums>} */
  async #sums(asked, which, signal) {
    const sum = await this.#sum(asked, which, {}, signal);
    const same = { ...which, token: sum.token };
    return { sum, opened: await this.#sum(asked, same, { keys: true }, signal) };
  }

  /** What the texts alone decide; the same for all that is changed.
   * @param {Texts} texts
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ read: Read, sums: Sums }>} */
  #begin({ prompt, other, word, instead, value }, signal) {
    const texts = { prompt, other, word, instead, value };
    return this.#read.of(texts, async () => {
      const { names, idOf, read } = this.#subject;
      const first = read(prompt);
      const others = other === '' ? { inputs: { target: [] }, unknown: [] } : read(other);
      const ids = [first, others].map(({ inputs }) => inputs.target);
      const fits = ids[0].length === ids[1].length;
      const [asked, against] = [word, instead].map((one) => (one === '' ? undefined : idOf(one)));
      const which = { token: asked, against: against ?? null, fits };
      const sums = await this.#sums({ ...texts, off: [], from: [] }, which, signal);
      const { token } = sums.sum;
      const probabilities = this.#probabilities(first.inputs);
      const likeliest = [...probabilities.keys()]
        .sort((a, b) => probabilities[b] - probabilities[a])
        .slice(0, LISTED_WORDS);
      const listed = [...likeliest, token, ...(against === undefined ? [] : [against])];
      const facts = {
        ...{ ids, fits },
        tokens: ids[0].map((id) => names[id]),
        others: ids[1].map((id) => names[id]),
        word: plain(names[token]),
        instead: against === undefined ? '' : plain(names[against]),
        unknown: [...new Set([...first.unknown, ...others.unknown])],
        likely: new Map(listed.map((id) => [id, probabilities[id]])),
        ...{ intact: sums.sum, value: fits ? value : /** @type {const} */ ('zero') },
      };
      return { read: facts, sums };
    });
  }

  /**
   * What changes the logit in some layers: each head alone, and the stream at each word of the other text.
   * @param {Texts & { layers: number[], both?: boolean }} asked both: with each head's other value, too
   * @param {Listener} [listener]
   * @returns {Promise<Rows>}
   */
  async rows({ layers, both = false, ...texts }, { signal, onProgress } = {}) {
    const { ablate, patch } = this.#core;
    const model = this.#model;
    const { read } = await this.#begin(texts, signal);
    const { intact, ids, value, fits } = read;
    const { token, against } = intact;
    /** @type {any} */
    const metric =
      against === null ? { kind: 'logit', token } : { kind: 'difference', token, against };
    const [inputs, from] = ids.map((target) => ({ target }));
    /* Each layer is tried at each position, then with each head. */
    const stream = fits ? ids[0].length / (ids[0].length + model.config.heads) : 0;
    const words = fits
      ? await patch(model, inputs, {
          ...{ each: 'position', layers, from, metric, signal },
          onProgress: (part) => onProgress?.(stream * part),
        })
      : null;
    const values = both && fits ? [value, value === 'zero' ? 'story' : 'zero'] : [value];
    const grids = [];
    for (const [i, each] of values.entries()) {
      const done = stream + ((1 - stream) * i) / values.length;
      const heads = await ablate(model, inputs, {
        ...{ each: 'head', layers, metric, signal },
        value: each === 'zero' ? 'zero' : { run: from },
        onProgress: (part) => onProgress?.(done + ((1 - stream) * part) / values.length),
      });
      grids.push(heads);
    }
    const [alone, contrast] = grids.map(({ grid }) => grid?.values ?? []);
    return {
      layers,
      ...{ alone, contrast: contrast ?? null },
      words: words?.grid?.values ?? null,
      target: words?.other ?? null,
      check: {
        nothing: grids.every(({ check }) => check.nothing) && words?.check.nothing !== false,
        everything: words?.check.everything ?? null,
      },
    };
  }

  /** The probabilities behind the last token.
   * @param {Inputs} inputs */
  #probabilities(inputs) {
    const run = this.#model.forward(inputs);
    try {
      const last = run.logits.data.slice(-this.#model.config.vocab);
      /** @type {number} */
      const largest = last.reduce((/** @type {number} */ a, /** @type {number} */ b) =>
        Math.max(a, b),
      );
      const powers = Array.from(last, (logit) => Math.exp(logit - largest));
      const sum = powers.reduce((a, b) => a + b, 0);
      return powers.map((power) => power / sum);
    } finally {
      run.dispose();
    }
  }
}
