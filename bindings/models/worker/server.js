// The server in a worker: its models, and the functions on them, by name.

import { Server } from '../../js/base/call-server.js';
import { checkOptions, checkWord } from '../../js/base/errors.js';
import { train } from '../../js/model/train.js';
import { load } from '../../models.js';
import { openModel } from '../open/index.js';
import { bytesOf } from '../open/place.js';
import {
  classify,
  classifyTokens,
  embed,
  fillMask,
  generateText,
  generateTexts,
  generateTokens,
  trainClassifier,
} from '../text/index.js';
import { failure } from './texts.js';

/** @typedef {import('../formats/tokenizer.js').TextTokenizer} TextTokenizer */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../open/index.js').Opened} Opened */
/** @typedef {import('../text/index.js').Tokenizer} Tokenizer */

/** The page or the main thread, as the worker uses it.
 * @typedef {object} ServerPort
 * @property {(message: object) => void} post
 * @property {(hear: (message: unknown) => void) => void} listen */

/** The input of a call; `hears` names the listeners that wait on the other side.
 * @typedef {{ model: number, args: unknown[], hears: { onProgress?: boolean } }} Input */
/** @typedef {import('../../js/base/call-server.js').Context} Context */

/** Openers of files other than models.
 * @typedef {object} Openers
 * @property {import('../open/tokenizer.js').OpenTokenizer} [openTokenizer] of glassformer/tokenizer: tokenizer.json, by a
 *   package of its own */

/** A chat, and the answer that it gave last.
 * @typedef {{ session: import('../../chat.js').Session, last: Promise<unknown> }} Talk */

/** A model, its chats by their numbers, and why it has no tokenizer, where a file says so.
 * @typedef {{ model: Model, talks: Map<number, Talk>, reason: unknown }} Held */

/** What the client made of a file, or of several, so that they cross.
 * @param {unknown} file
 * @returns {any} */
const fileOf = (file) => {
  if (Array.isArray(file)) return file.map(fileOf);
  const { href, blob, path } = Object(file);
  if (blob instanceof Blob) return path ? new File([blob], path) : blob;
  return typeof href === 'string' ? new URL(href) : file;
};

/** The tokenizer of a model.
 * @param {Held} held
 * @returns {Tokenizer} */
function tokenizerOf({ model: { tokenizer }, reason }) {
  if (tokenizer) return tokenizer;
  throw reason ?? failure('GF_ESTATE', 'noTokenizer', { where: 'worker' });
}

/** A function of glassformer/text, as one of a model that this worker has.
 * @template T
 * @param {(model: Model, tokenizer: Tokenizer, ...args: any[]) => T} work
 * @returns {(held: Held, ...args: any[]) => T} */
const onText =
  (work) =>
  (held, ...args) =>
    work(held.model, tokenizerOf(held), ...args);

/** Calls with one answer. Options come last, with the signal and the listeners restored; the functions check the arguments.
 * @type {Record<string, (held: Held, ...args: any[]) => Promise<unknown>>} */
const ANSWERS = {
  generateTexts: onText(generateTexts),
  embed: onText(embed),
  classify: onText(classify),
  classifyTokens: onText(classifyTokens),
  trainClassifier: onText(trainClassifier),
  fillMask: onText(fillMask),
  encode: async (held, text, { signal: _, ...options }) =>
    /** @type {any} */ (tokenizerOf(held)).encode(text, options),
  decode: async (held, ids) => tokenizerOf(held).decode(ids),
  tokens: async (held, ids) => tokenizerOf(held).tokens?.(ids),

  async session(held, { signal: _, ...options }) {
    const { session } = await import('../../chat.js');
    tokenizerOf(held);
    const number = held.talks.size;
    held.talks.set(number, { session: session(held.model, options), last: Promise.resolve() });
    return { number, ...stateOf(talkOf(held, number)) };
  },
  async sessionState(held, number) {
    const talk = talkOf(held, number);
    await talk.last;
    return stateOf(talk);
  },
  async sessionDispose(held, number) {
    talkOf(held, number).session.dispose();
  },
};

/** @param {Held} held @param {number} number */
const talkOf = ({ talks }, number) => /** @type {Talk} */ (talks.get(number));

/** What there is to tell of a chat.
 * @param {Talk} talk */
function stateOf({ session: { messages, trimmed, bytes, maxLength } }) {
  return { messages, trimmed, bytes, maxLength };
}

/** Experiments come with the first of them. */
const EXPERIMENTS = [
  ...['ablate', 'attributionPatch', 'circuits', 'contexts', 'headRoles', 'headScores'],
  ...['labelShares', 'logitAttribution', 'logitLens', 'neighbours', 'patch', 'paths', 'probe'],
  ...['rollout', 'symmetry', 'why'],
];
for (const name of EXPERIMENTS) {
  ANSWERS[name] = async ({ model }, ...args) => {
    /** @type {any} */
    const experiments = await import('../../lab/inside/index.js');
    return experiments[name](model, ...args);
  };
}

/** Calls whose answer comes in parts.
 * @type {Record<string, (held: Held, first: any, options: any) => AsyncIterable<unknown> | Promise<{ stream: AsyncIterable<unknown> }>>} */
const STREAMS = {
  generateTokens: ({ model }, prompt, options) => generateTokens(model, prompt, options),
  generateText: onText(generateText),
  chat: async (held, messages, options) => {
    const { chat } = await import('../../chat.js');
    /* A stream that is awaited would be read. */
    return { stream: chat(held.model, /** @type {any} */ (held.model), messages, options) };
  },
  ask: (held, { number, message }, options) => talkOf(held, number).session.ask(message, options),
  train: ({ model }, batches, options) => train(model, batches, options),
};

/** What is asked of a model. */
const CALLS = ['dispose', 'save', ...Object.keys(ANSWERS), ...Object.keys(STREAMS)];

/** Batches that the other side has, one at a time.
 * @param {Context['ask']} ask */
async function* batchesFrom(ask) {
  for (;;) {
    const batch = /** @type {IteratorResult<unknown> | undefined} */ (await ask({ next: true }));
    if (!batch || batch.done) return;
    yield batch.value;
  }
}

/** Posts the parts of a stream, each when it is asked for; gives its result.
 * @param {AsyncIterable<unknown>} stream @param {Context['ask']} ask */
async function postParts(stream, ask) {
  const { result } = /** @type {{ result?: import('../text/index.js').Generated }} */ (stream);
  let posted = 0;
  for await (const part of stream) {
    const tokens = result?.tokens.slice(posted);
    posted = result?.tokens.length ?? 0;
    await ask({ part, tokens });
  }
  return result;
}

/** Why a model has no tokenizer. @param {Opened} opened */
function reasonOf(opened) {
  try {
    return void opened.tokenizer;
  } catch (error) {
    return error;
  }
}

/** The models of a worker, and the calls that make them.
 * @param {Openers} openers */
function modelsOf({ openTokenizer }) {
  const core = load();
  /** @type {Map<number, Held>} */
  const models = new Map();
  let last = 0;

  /** @param {Model} model @param {Partial<Opened>} [facts] @param {unknown} [reason] why there is no tokenizer
   * @returns {import('./client.js').Made} */
  function keep(model, { family = null, labels = null, multiLabel = false } = {}, reason) {
    models.set(++last, { model, talks: new Map(), reason });
    const { config, size, arithmetic, chatTemplate, tokenizer } = model;
    const facts = { config, size, arithmetic, family, chatTemplate, labels, multiLabel };
    return { number: last, facts: { ...facts, stops: tokenizer && [...(tokenizer.stops ?? [])] } };
  }

  /** @param {unknown} file @param {any} options */
  async function open(file, { tokenizer, tokenizerFiles, ...options } = {}) {
    if (tokenizerFiles !== undefined && !openTokenizer) {
      throw failure('GF_ESTATE', 'noOpener', { where: 'open: tokenizerFiles' });
    }
    const { signal } = options;
    const opened = await openModel(
      load,
      fileOf(file),
      { ...options, gf: await core, ...(openTokenizer && { openTokenizer }) },
      /* What was passed comes before what lies there. */
      (place) => ({
        ...place,
        async read(name, ...more) {
          if (name === 'tokenizer.bin' && tokenizer !== undefined) {
            return bytesOf(fileOf(tokenizer), signal);
          }
          return place.read(name, ...more);
        },
      }),
    );
    const { model } = opened;
    if (tokenizerFiles !== undefined) {
      const words = await openTokenizer?.(tokenizerFiles);
      model.tokenizer = words ?? null;
      model.chatTemplate = words?.chatTemplate ?? model.chatTemplate;
    }
    return keep(model, opened, model.tokenizer ? undefined : reasonOf(opened));
  }

  return {
    models,
    /** @type {Record<string, (...args: any[]) => any>} */
    makers: {
      ready: async () => void (await core),
      open,
      create: async (options) => keep((await core).model(options)),
      read: (bytes) => open(bytes),
    },
  };
}

/** Answers the other end of a port.
 * @param {ServerPort} port @param {Openers} openers */
export function answering(port, openers = {}) {
  checkOptions('serve', openers, ['openTokenizer']);
  const { models, makers } = modelsOf(openers);

  /** @param {string} call @param {unknown} input @param {Context} context */
  async function answer(call, input, { signal, tell, ask }) {
    /* Names that every object has are no calls. */
    checkWord('call', call, [...Object.keys(makers), ...CALLS]);
    const { model, args, hears } = /** @type {Input} */ (input);
    /** @type {Record<string, unknown>} */
    const options = { .../** @type {object} */ (args.at(-1)), signal };
    if (hears.onProgress)
      options.onProgress = (/** @type {unknown} */ progress) => tell({ progress });
    const inputs = [...args.slice(0, -1), options];
    if (call in makers) return makers[call](...(call === 'open' ? inputs : args));
    const held = models.get(model);
    if (!held) throw failure('GF_EDISPOSED', 'modelDisposed', { where: call });
    if (call === 'dispose') {
      models.delete(model);
      held.model.dispose();
      return undefined;
    }
    if (call === 'save') return held.model.save(/** @type {object} */ (args[0]));
    if (call in ANSWERS) return ANSWERS[call](held, ...inputs);
    const [first] = call === 'train' ? [batchesFrom(ask)] : inputs;
    const begun = STREAMS[call](held, first, options);
    const stream = begun instanceof Promise ? (await begun).stream : begun;
    const answered = postParts(stream, ask);
    if (call === 'ask') {
      const { number } = /** @type {{ number: number }} */ (first);
      talkOf(held, number).last = answered.catch(() => {});
    }
    return answered;
  }

  const server = new Server((message) => port.post(message), answer);
  port.listen((message) => server.hear(message));
}
