// Generation for applications: text as it comes, why it ended, and how likely each token was.

import { checkArray } from '../../js/base/errors.js';
import { turns } from '../../js/base/turn.js';
import { reads } from '../../js/model/config/architecture.js';
import { Decoder, rowOf } from '../../js/model/decode/decoder.js';
import { decoding } from '../../js/model/decode/decoding.js';
import { hooksOn } from '../../js/model/decode/hooks.js';
import { checkScores, choosing } from '../../js/model/decode/sample.js';
import { weightsOf } from '../../js/model/model.js';
import { readPrompt, readsAtOnce } from '../../js/model/prompt.js';
import { Chooser } from './choose.js';
import { Lookup } from './lookup.js';
import { checkPrompt, checkSettings } from './options.js';
import { keepPrefix, resumePrefix } from './prefix.js';
import { unwritten, withWhole } from './stream.js';
import { checkTokenizer, idsOf } from './tokenizer.js';
import { Writer } from './writer.js';

/** @typedef {import('../../js/model/decode/decoder.js').Scores} Scores */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/model/weights.js').Weights} Weights */
/** @typedef {import('./options.js').Prompt} Prompt */
/** @typedef {import('./options.js').Settings & { keeper?: object }} Settings */
/** @typedef {import('./options.js').TextOptions} TextOptions */
/** @typedef {import('./options.js').TokenOptions} TokenOptions */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */

/** Why a text ended: by a stop token, by one of the texts in `stop`, as its schema is fulfilled, after maxNewTokens, at the
 * model's maxLength, or by the signal. A text of a schema that had to close before the model would have closed it ended after
 * maxNewTokens, or at maxLength, though it is whole JSON.
 * @typedef {'stop-token' | 'stop-text' | 'schema' | 'max-new-tokens' | 'max-length' | 'signal'} Ended */

/** A token that was chosen.
 * @typedef {object} ChosenToken
 * @property {number} token
 * @property {number} logProb the model's own, whatever temperature, penalties and bans made of it
 * @property {{ token: number, logProb: number }[]} best the likeliest tokens, best first, as many as `best` asks for */

/** What was written, so far and at the end.
 * @typedef {object} Generated
 * @property {ChosenToken[]} tokens
 * @property {string} text '' without a tokenizer. It goes on behind the prompt: where a new word begins, it begins with a space. A
 *   character that is not complete at its end is left out
 * @property {number} kept how many tokens of the prompt were not read again, as their keys and values were kept
 * @property {number} guessed with `lookup`, how many tokens were read along with others, as their guesses were right
 * @property {Ended | null} ended null while it goes on
 * @property {number | null} seed of the draws; null if the likeliest tokens are taken */

/** Read it with for await; or await it: that writes the whole text, and gives its result. Nothing is written before. Its
 * `result` grows with it, and says at the end why it ended. `whole()` does what await does.
 * @template T
 * @typedef {import('../../js/base/turn.js').Stream<T, Generated> & { readonly result: Generated, whole: () => Promise<Generated> }}
 *   GenerationStream */

/** What a session adds: whose keys and values are kept, and how long its texts may be.
 * @typedef {{ keeper?: object, maxLength?: number }} Keeping */

/** How many new tokens fit at first. */
const FIRST_CAPACITY = 16;

/** A text in the making. */
class Draft {
  result = unwritten();
  /** Leaves the tokens that a schema allows.
   * @type {import('./schema/grammar.js').Grammar | undefined} */
  grammar;
  /** @type {number[]} */
  #tokens = [];
  #writer;

  /** @param {Prompt} prompt @param {Tokenizer | null} tokenizer @param {readonly string[]} stop */
  constructor(prompt, tokenizer, stop) {
    this.prompt = prompt;
    this.#writer = tokenizer && new Writer(tokenizer, prompt.source ? [] : prompt.prompt, stop);
    this.result.seed = prompt.chance?.seed ?? null;
    if (!prompt.most) this.result.ended = 'max-new-tokens';
  }

  /** Prompt and new tokens. @returns {number} */
  get length() {
    return this.prompt.prompt.length + this.#tokens.length;
  }

  /** The token of a place, or the last one.
   * @param {number} place */
  at(place) {
    const { prompt } = this.prompt;
    return (
      prompt[place] ?? this.#tokens[place - prompt.length] ?? this.#tokens.at(-1) ?? prompt.at(-1)
    );
  }

  /** Chooses what follows; gives the text that became certain.
   * @param {Scores} scores of this text @param {Chooser} chooser @param {Settings} settings */
  choose(scores, chooser, { forced, best }) {
    const { prompt, most, asked, stops } = this.prompt;
    const place = this.#tokens.length;
    checkScores('generate', scores, this.length);
    const mask = this.grammar?.mask(stops, most - place);
    const token = forced[place] ?? chooser.choose(scores, prompt, this.#tokens, mask);
    const full = most === asked ? 'max-new-tokens' : 'max-length';
    const isCut = this.grammar?.isCut;
    if (stops.has(token)) return this.end(isCut ? full : 'stop-token');
    const { logProbs } = scores;
    this.#tokens.push(token);
    this.result.tokens.push({
      token,
      logProb: logProbs[token],
      best: chooser.likeliest(scores, best),
    });
    const added = this.#add(this.#writer?.add(token));
    if (this.#writer?.stopped) return added + this.end('stop-text');
    if (this.grammar?.ends(token)) return added + this.end(isCut ? full : 'schema');
    return place + 1 < most ? added : added + this.end(full);
  }

  /** Gives what was held back.
   * @param {Ended} why */
  end(why) {
    const rest = this.#add(this.#writer?.end());
    this.result.ended = why;
    return rest;
  }

  #add(text = '') {
    this.result.text += text;
    return text;
  }
}

/** Texts of a schema begin with it: what reads schemas comes with the first of them.
 * @param {Settings} settings @param {Tokenizer} tokenizer @param {readonly Draft[]} drafts */
async function constrain({ where, config, schema }, tokenizer, drafts) {
  if (schema === undefined) return;
  const { grammars } = await import('./schema/grammar.js');
  const make = await grammars(where, schema, tokenizer, config.vocab);
  for (const draft of drafts) draft.grammar = make(draft.prompt.most);
}

/** @typedef {{ draft: Draft, text: string }} Added what became certain of a text */

/** Reads the tokens of several texts side by side: all their tokens of the same place at once, be they of the prompt or new.
 * @param {Weights} weights @param {Settings} settings @param {readonly Draft[]} drafts */
function columnsOf(weights, settings, drafts) {
  const { where, config, onProgress, keeper = weights, hooks, lookup: looksUp } = settings;
  const remove = settings.remove ?? [];
  const { source, chance } = drafts[0].prompt;
  const longest = drafts.reduce((most, { prompt }) => Math.max(most, prompt.prompt.length), 0);
  const hooked = hooks && hooksOn(where, weights, config, { hooks, remove });
  /** @param {number} count tokens, before the first new one */
  const make = (count) =>
    decoding(
      weights,
      config,
      { remove },
      {
        ...{ size: drafts.length, source, temperature: chance?.temperature, hooked },
        capacity: count + FIRST_CAPACITY,
      },
    );
  let decoder = make(longest);
  /** @type {Lookup | null} */
  let lookup = null;
  /** What hooks changed is of this text alone, as is what steps left out change. */
  const isKept = drafts.length === 1 && !source && !hooked && !remove.length;
  /** The places whose keys and values the decoder has; null where it does not begin with the first. */
  let whole = /** @type {number | null} */ (0);

  /** @param {number} place */
  const tokensAt = (place) => drafts.map((draft) => /** @type {number} */ (draft.at(place)));

  /** @param {number} place
   * @returns {Generator<null, Scores>} */
  function* one(place) {
    const scores = yield* decoder.feeding(tokensAt(place));
    if (whole !== null && decoder instanceof Decoder) whole = decoder.length;
    return scores;
  }

  return {
    /** Reads one place; gives the scores of the tokens that may follow.
     * @param {number} place
     * @returns {Generator<null, Scores>} */
    *read(place) {
      if (!lookup) return yield* one(place);
      const scores = yield* lookup.read(tokensAt(place)[0]);
      whole = lookup.length;
      drafts[0].result.guessed = lookup.right;
      return scores;
    },

    /** Reads places whose scores are not needed: many of them at once.
     * @param {number} from @param {number} end
     * @returns {Generator<null, void>} */
    *readAll(from, end) {
      if (!readsAtOnce(config, decoder, end - from)) {
        for (let place = from; place < end; place++) {
          yield* one(place);
          yield* this.tell(place + 1);
        }
        return;
      }
      const columns = Array.from({ length: end - from }, (_, i) => tokensAt(from + i));
      const rows = drafts.map((_, row) => columns.map((tokens) => tokens[row]));
      for (const part of readPrompt(weights, decoder, rows)) {
        yield* this.tell(from + part * (end - from));
      }
      if (whole !== null) whole = decoder.length;
    },

    /** Reads the places before one, but for those that an earlier text read.
     * @param {number} end
     * @returns {Generator<null, void>} */
    *readPrompt(end) {
      /* To make a tape takes a while, and reading makes another one. */
      yield null;
      if (isKept) {
        whole = resumePrefix(keeper, weights, decoder, drafts[0].prompt.prompt);
        drafts[0].result.kept = whole;
      }
      yield* this.readAll(whole ?? 0, end);
      if (!looksUp || hooked || drafts.length > 1 || !Lookup.reads(config, decoder)) return;
      const text = drafts[0].prompt.prompt.slice(0, end);
      lookup = new Lookup(weights, decoder, text, chance?.temperature);
    },

    /** Starts again with the last places before one.
     * @param {number} count @param {number} place
     * @returns {Generator<null, void>} */
    *slide(count, place) {
      lookup?.dispose();
      lookup = null;
      decoder.dispose();
      whole = null;
      decoder = make(count);
      if (decoder instanceof Decoder) decoder.origin = place - count;
      yield* this.readAll(place - count, place);
    },

    /** Reports how far it is, and pauses.
     * @param {number} read places, a part of one included
     * @returns {Generator<null, void>} */
    *tell(read) {
      onProgress?.({
        read: Math.min(Math.floor(read), longest),
        prompt: longest,
        written: drafts.reduce((sum, { result }) => sum + result.tokens.length, 0),
      });
      yield null;
    },

    dispose() {
      lookup?.dispose();
      if (!isKept || whole === null) decoder.dispose();
      else {
        const tokens = Array.from({ length: whole }, (_, i) => tokensAt(i)[0]);
        keepPrefix(keeper, weights, decoder, tokens);
      }
    },
  };
}

/** Writes texts side by side: none is padded, and each is written as it would be alone. Pauses within and between tokens:
 * null.
 * @param {Weights} weights @param {Settings} settings @param {readonly Draft[]} drafts
 * @returns {Generator<Added | null, void>} */
const writing = (weights, settings, drafts) =>
  choosing(weights.engine, settings.config.vocab, function* (room) {
    const { maxLength } = settings.config;
    const { chance } = drafts[0].prompt;
    const isOver = () => drafts.every(({ result }) => result.ended);
    const columns = columnsOf(weights, settings, drafts);
    const chooser = new Chooser(weights.engine, room, { ...settings, chance });
    try {
      /* All places after which no text needs a choice. */
      const shortest = drafts.reduce((least, { length }) => Math.min(least, length), maxLength + 1);
      let place = isOver() ? 0 : shortest - 1;
      let kept = place;
      yield* columns.readPrompt(place);
      for (; !isOver(); place++, kept++) {
        if (settings.slides && kept === maxLength) {
          kept = Math.floor(maxLength / 2);
          yield* columns.slide(kept, place);
        }
        const scores = yield* columns.read(place);
        for (const [row, draft] of drafts.entries()) {
          if (draft.result.ended || place + 1 < draft.length) continue;
          const text = draft.choose(rowOf(scores, row, drafts.length), chooser, settings);
          yield { draft, text };
        }
        yield* columns.tell(place + 1);
      }
    } finally {
      columns.dispose();
      chooser.dispose();
    }
  });

/** The same, with turns for everything else. After the signal all texts end.
 * @param {Weights} weights @param {Settings} settings @param {readonly Draft[]} drafts
 * @returns {AsyncGenerator<Added, void, undefined>} */
async function* inTurns(weights, settings, drafts) {
  const { signal } = settings;
  const turn = turns();
  function* rest() {
    for (const draft of drafts) {
      if (!draft.result.ended) yield { draft, text: draft.end('signal') };
    }
  }
  if (signal?.aborted) {
    yield* rest();
    return;
  }
  for (const added of writing(weights, settings, drafts)) {
    if (added) yield added;
    await turn();
    if (!signal?.aborted) continue;
    yield* rest();
    return;
  }
}

/** @template T
 * @param {string} where @param {Draft} draft @param {AsyncGenerator<T, void, undefined>} generator
 * @returns {GenerationStream<T>} */
const streamOf = (where, draft, generator) => withWhole(where, generator, draft.result);

/** Where no stop tokens are given, those that a tokenizer names.
 * @param {TextOptions} options @param {Tokenizer} tokenizer
 * @returns {TextOptions} */
const withStops = (options, { stops }) =>
  stops && Object(options).stopTokens === undefined ? { ...options, stopTokens: stops } : options;

/** Writes token by token, each with its log-probability. What `model.generate` takes besides ids, and more: penalties,
 * bans, your own function, the likeliest tokens of each step.
 * @param {Model} model a gpt or a transformer @param {ArrayLike<number>} prompt of a transformer the source
 * @param {TokenOptions} [options]
 * @returns {GenerationStream<ChosenToken>}
 * @example
 * import { generateTokens } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const tokens = [];
 * const stream = generateTokens(model, [1, 2], { maxNewTokens: 3, banned: [0], best: 2 });
 * for await (const { token } of stream) tokens.push(token);
 * tokens.length; // = 3
 * stream.result.ended; // = 'max-new-tokens'
 * stream.result.tokens[0].best.length; // = 2
 * model.dispose(); */
export function generateTokens(model, prompt, options) {
  return writeTokens('generateTokens', model, prompt, options);
}

/** The settings of a text; a session keeps its keys and values, and may hold it shorter.
 * @param {string} where @param {Model} model @param {TextOptions} options @param {Keeping} keeping
 * @param {readonly string[]} [unknown] options that this call does not take */
function settingsOf(
  where,
  model,
  options,
  { keeper, maxLength = model.config.maxLength },
  unknown,
) {
  return { ...checkSettings(where, { ...model.config, maxLength }, options, unknown), keeper };
}

/** The same of a session.
 * @param {string} where @param {Model} model @param {ArrayLike<number>} prompt @param {TokenOptions} [options]
 * @param {Keeping} [keeping]
 * @returns {GenerationStream<ChosenToken>} */
export function writeTokens(where, model, prompt, options = {}, keeping = {}) {
  const weights = weightsOf(where, model);
  const settings = settingsOf(where, model, options, keeping, ['stop', 'schema']);
  const draft = new Draft(checkPrompt(settings, prompt), null, []);
  async function* tokens() {
    let count = 0;
    for await (const _ of inTurns(weights, settings, [draft])) {
      const { tokens: all } = draft.result;
      if (all.length > count) yield all[count++];
    }
  }
  return streamOf(where, draft, tokens());
}

/** Writes text as it comes, in whole characters. Its `result` has the tokens, the text, and why it ended.
 * @param {Model} model a gpt or a transformer @param {Tokenizer} tokenizer
 * @param {string | ArrayLike<number>} prompt a text or its ids; of a transformer the source
 * @param {TextOptions} [options]
 * @returns {GenerationStream<string>}
 * @example
 * import { generateText } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const letters = [...'abcdefgh'];
 * model.tokenizer = {
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 * };
 * let text = '';
 * const stream = generateText(model, model.tokenizer, 'ab', { maxNewTokens: 5, frequencyPenalty: 1 });
 * for await (const part of stream) text += part;
 * text === stream.result.text; // = true
 * text.length; // = 5
 * model.dispose(); */
export function generateText(model, tokenizer, prompt, options) {
  return writeText('generateText', model, tokenizer, prompt, options);
}

/** The same of a session.
 * @param {string} where @param {Model} model @param {Tokenizer} tokenizer @param {string | ArrayLike<number>} prompt
 * @param {TextOptions} [options] @param {Keeping} [keeping]
 * @returns {GenerationStream<string>} */
export function writeText(where, model, tokenizer, prompt, options = {}, keeping = {}) {
  const weights = weightsOf(where, model);
  checkTokenizer(where, tokenizer);
  const settings = settingsOf(where, model, withStops(options, tokenizer), keeping);
  const ids = idsOf(`${where}: prompt`, tokenizer, prompt);
  const draft = new Draft(checkPrompt(settings, ids), tokenizer, settings.stop);
  async function* parts() {
    await constrain(settings, tokenizer, [draft]);
    for await (const { text } of inTurns(weights, settings, [draft])) if (text) yield text;
  }
  return streamOf(where, draft, parts());
}

/** Writes the texts of several prompts, of any lengths, side by side: each is what `generateText` would write alone.
 * After the signal it gives what was written.
 * @param {Model} model a gpt or a transformer @param {Tokenizer} tokenizer
 * @param {readonly (string | ArrayLike<number>)[]} prompts @param {TextOptions} [options]
 * @returns {Promise<Generated[]>} one for each prompt
 * @example
 * import { generateTexts } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const letters = [...'abcdefgh'];
 * model.tokenizer = {
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 * };
 * const texts = await generateTexts(model, model.tokenizer, ['abc', 'h'], { maxNewTokens: 4 });
 * texts.map(({ text }) => text.length); // = [4, 4]
 * model.dispose(); */
export async function generateTexts(model, tokenizer, prompts, options = {}) {
  const where = 'generateTexts';
  const weights = weightsOf(where, model);
  checkTokenizer(where, tokenizer);
  checkArray(`${where}: prompts`, prompts);
  const settings = checkSettings(where, model.config, withStops(options, tokenizer), ['hooks']);
  const drafts = Array.from(prompts, (prompt, i) => {
    const ids = idsOf(`${where}: prompts[${i}]`, tokenizer, prompt);
    return new Draft(checkPrompt(settings, ids), tokenizer, settings.stop);
  });
  await constrain(settings, tokenizer, drafts);
  /* Sources of a transformer are read before the first token, each for itself. */
  const groups = reads(model.config, 'source') ? drafts.map((draft) => [draft]) : [drafts];
  for (const group of groups.filter(({ length }) => length)) {
    for await (const _ of inTurns(weights, settings, group));
  }
  return drafts.map(({ result }) => result);
}
