// Reads the files of a checkpoint, in a worker, as they may be large. It is the only part that fetches from another
// origin, and only addresses that the reader typed or agreed to; the content security policy forbids it to the page
// itself.
//
// While it reads, it posts { progress }. To cancel, the page ends the worker, as a pattern of a tokenizer may run without
// end. The page then gives the next worker the tokenizer that the last one read.

import { openTokenizer, parse, readModel, refusing } from './core.js';
import { collect, download, Missing } from './download.js';
import { NAMES, nameOf, TOKENS } from './files.js';
import { isByteLevel, plainOf, visible } from './plain.js';

/**
 * @typedef {File | string} Given a file, or its address
 * @typedef {{ weights: Given, parts?: File[], config?: Given, tokenizer?: Given, tokenizerConfig?: Given,
 *   chatTemplate?: Given, generation?: Given }} Files
 * parts: all files of the weights, where there are several; of llama2.c, tokenizer is tokenizer.bin
 * @typedef {{ file: string, loaded: number, total: number | null }} Progress
 * @typedef {{ tokenizer: string, config: string | null }} Words tokenizer.json, tokenizer_config.json
 * @typedef {object} Read
 * @property {Record<string, any>} config
 * @property {[string, { shape: number[], data: Float32Array | Int32Array }][]} parameters
 * @property {number} step training steps taken, where all is there that it takes to go on
 * @property {string[] | null} vocabulary null without a tokenizer
 * @property {Words | null} words likewise
 * @typedef {object} Opened a model of which the header was read
 * @property {import('../../../bindings/models/checkpoints/open.js').Header} header without its tokenizer
 * @property {{ name: string, size: number }[]} sources which have its weights
 * @property {Offer} offer
 * @property {string[] | null} vocabulary null without a tokenizer
 * @property {string | null} template of chats, in Jinja; null if it cannot chat
 * @property {number | null} start with which token a target starts, as config.json says
 *
 * @typedef {object} Offer what is known of a model before its weights are read
 * @property {string} family
 * @property {Readonly<Record<string, any>>} config
 * @property {string[]} types of its weights, those of most numbers first
 * @property {number} numbers
 * @property {number} bytes in the file
 * @property {{ stored: number, float32: number }} memory
 * @property {ReturnType<typeof import('./headers.js').warningsOf>} warnings what the file does not say
 * @typedef {{ source: number, begin: number, end: number }} Piece
 * @typedef {{ way: import('../../../bindings/models/formats/cutting.js').Way, known: number,
 *   words: import('../../../bindings/models/formats/cutting.js').CutWord[], right: boolean }} Cut right: its tokens are the tokenizer's
 * @typedef {import('../../../bindings/models/text/fit.js').Chat} Chat
 * @typedef {{ ids: number[], trimmed: number, read: { text: string, special: boolean }[], stops: number[] }} Prompt
 * @typedef {{ read: { files: Files }, open: { files: Files }, bytes: Piece, words: { words: Words | null },
 *   encode: { text: string }, cut: { text: string }, prompt: Chat,
 *   write: { token: number | null }, download: { address: string, most: number } }} Questions
 * @typedef {{ read: Read, open: Opened, bytes: Uint8Array, words: void, encode: number[], cut: Cut | null, prompt: Prompt,
 *   write: string, download: Uint8Array }} Answers
 */

/**
 * With which token a target starts, of those that a model has.
 * @param {Record<string, any>} settings
 * @param {number} vocab
 */
function startOf({ decoder_start_token_id: start = null }, vocab) {
  if (start === null || (Number.isInteger(start) && start >= 0 && start < vocab)) return start;
  const params = { where: 'decoder_start_token_id', low: 0, high: vocab - 1, given: start };
  return refusing('config.json')('integerFrom', params);
}

/** What a tokenizer's files say.
 * @param {Words} words
 * @param {string | null} template of chats, where it has a file of its own
 * @param {string | null} ends generation_config.json, which lists the tokens that end a text */
function tokenizerOf(words, template = null, ends = null) {
  const settings = words.config === null ? {} : parse('tokenizer_config.json', words.config);
  const config = template === null ? settings : { ...Object(settings), chat_template: template };
  const generation = ends === null ? {} : parse('generation_config.json', ends);
  return openTokenizer({ tokenizer: parse('tokenizer.json', words.tokenizer), config, generation });
}

/** The types of weights, those of most numbers first; integers are none. @param {Opened['header']['tensors']} tensors */
function typesOf(tensors) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { dtype, shape } of tensors.values()) {
    const count = shape.reduce((product, d) => product * d, 1);
    counts.set(dtype, (counts.get(dtype) ?? 0) + count);
  }
  const types = [...counts].sort(([, a], [, b]) => b - a).map(([dtype]) => dtype);
  return types.filter((dtype) => !/^([IU]\d|BOOL)/.test(dtype));
}

/** What tells how texts are cut, and whether the tokens are bytes. @param {{ lists?: any, file?: any }} from */
const cutting = ({ lists, file }) => ({
  ...{ lists, file },
  isBytes: lists ? lists.model === 'gpt2' : isByteLevel(file),
});

/** The same of a tokenizer's files. @param {Words} words */
const cuttingOf = ({ tokenizer }) => cutting({ file: JSON.parse(tokenizer) });

/** @typedef {{ chatTemplate: string, tokenizer: import('../../../bindings/models/formats/token-lists.js').ListedTokenizer }} Chatting */

/**
 * What a model needs to chat; null if it cannot.
 * @param {Readonly<Record<string, any>>} config
 * @param {Chatting['tokenizer'] | null} tokenizer
 * @param {string | null} [chatTemplate]
 * @returns {Chatting | null}
 */
function chattingOf({ kind, head }, tokenizer, chatTemplate = null) {
  const writes = kind === 'gpt' && head !== 'none';
  return writes && tokenizer && chatTemplate !== null ? { chatTemplate, tokenizer } : null;
}

/** @param {Uint8Array} bytes */
const decoded = (bytes) => new TextDecoder().decode(bytes);

class Reader {
  #tell;
  /** @type {{ encode: (text: string) => number[], tokens: (ids: Iterable<number>) => string[] } | null} */
  #tokenizer = null;
  /** @type {ReturnType<typeof cutting> | null} */
  #cuts = null;
  /** @type {Chatting | null} */
  #chatting = null;
  /** What turns the tokens of an answer into text. @type {import('../../../bindings/models/text/writer.js').Writer | null} */
  #writer = null;
  /** What has the weights of the model that was opened. @type {import('../../../bindings/models/formats/source.js').Source[]} */
  #sources = [];

  /** @param {import('../remote/server.js').Tell} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /** @param {Questions['read']} question @returns {Promise<Read>} */
  async read({ files }) {
    /* The small files first: what they lack is told before the large one is read. */
    const words = await this.#words(files);
    this.words({ words });
    const model = readModel(await this.#bytes(files.weights, NAMES.weights));
    const { vocab = 0 } = model.config;
    return {
      config: /** @type {any} */ (model.config),
      parameters: /** @type {any} */ ([...model.parameters]),
      step: model.step ?? 0,
      vocabulary: this.#vocabulary(vocab),
      words,
    };
  }

  /** @param {Questions['open']} question @returns {Promise<Opened>} */
  async open({ files }) {
    const { weights, parts, config, tokenizer } = files;
    const { checkpointOf, headerOf, warningsOf } = await import('./headers.js');
    const isBin = nameOf(weights).endsWith('.bin');
    const options = {
      config: config && parse(NAMES.config, decoded(await this.#bytes(config, NAMES.config))),
      tokenizer: isBin ? await this.#maybe(tokenizer, TOKENS) : undefined,
    };
    const words = isBin ? null : await this.#words(files);
    const template = words && (await this.#optional(files, 'chatTemplate'));
    const ends = words && (await this.#optional(files, 'generation'));
    const { sources, header } = await headerOf(parts ?? weights, options);
    const { tokenizer: listed, ...checkpoint } = await checkpointOf(sources, header);
    const beside = words && tokenizerOf(words, template, ends);
    this.#tokenizer = listed ?? beside;
    const { lists } = header;
    this.#cuts = lists ? cutting({ lists }) : words && cuttingOf(words);
    this.#chatting = chattingOf(
      checkpoint.config,
      listed ?? beside,
      checkpoint.chatTemplate ?? beside?.chatTemplate,
    );
    this.#sources = sources;
    return {
      header: { ...header, lists: null, chatTemplate: null },
      sources: sources.map(({ name, size }) => ({ name, size })),
      offer: {
        family: checkpoint.family,
        config: checkpoint.config,
        types: typesOf(header.tensors),
        numbers: checkpoint.memory.float32 / 4,
        bytes: checkpoint.bytes,
        memory: checkpoint.memory,
        warnings: warningsOf(lists),
      },
      vocabulary: this.#vocabulary(checkpoint.config.vocab),
      template: this.#chatting?.chatTemplate ?? null,
      start: startOf(Object(options.config), checkpoint.config.vocab),
    };
  }

  /** A token as it is shown. @param {string} token */
  #shown(token) {
    return visible(this.#cuts?.isBytes ? plainOf(token) : token);
  }

  /** All tokens of a model, as they are shown, those without a text by their ids; null without a tokenizer.
   * @param {number} size */
  #vocabulary(size) {
    const ids = Array.from({ length: size }, (_, id) => id);
    return (
      this.#tokenizer?.tokens(ids).map((token, id) => this.#shown(token) || String(id)) ?? null
    );
  }

  /** Some of the weights of the model that was opened. @param {Piece} question */
  async bytes({ source, begin, end }) {
    /* A copy, which is handed over: what was read last may be read again. */
    return (await this.#sources[source].read(begin, end)).slice();
  }

  /** @param {Questions['words']} question */
  words({ words }) {
    this.#tokenizer = words && tokenizerOf(words);
    this.#cuts = words && cuttingOf(words);
  }

  /** How a text is cut, step by step; null if the tokenizer is of a kind without steps.
   * @param {Questions['cut']} question
   * @returns {Promise<Cut | null>} */
  async cut({ text }) {
    if (!this.#cuts) return null;
    const { cutterOfFile, cutterOfLists } = await import('./cutting.js');
    const { lists, file } = this.#cuts;
    const cutter = lists ? cutterOfLists(lists) : cutterOfFile(file);
    if (!cutter) return null;
    const words = cutter.cut(text);
    const ids = words.flatMap(({ tokens }) => tokens.map(({ id }) => id));
    const right = `,${this.encode({ text })},`.includes(`,${ids},`);
    const shown = (/** @type {string} */ piece) => this.#shown(piece);
    const read = words.map((word) => ({
      ...word,
      parts: word.parts.map(shown),
      steps: word.steps.map((step) => ({ ...step, pieces: step.pieces.map(shown) })),
      tokens: word.tokens.map(({ token, id }) => ({ token: shown(token), id })),
    }));
    return { way: cutter.way, known: cutter.known, words: read, right };
  }

  /** What a chat is to its model.
   * @param {Questions['prompt']} chat
   * @returns {Promise<Prompt>} */
  async prompt(chat) {
    const { fitted, Writer } = await import('./talk.js');
    if (!this.#chatting) throw new Error('no model that chats is open');
    const { tokenizer } = this.#chatting;
    const { ids, trimmed } = fitted(this.#chatting, chat);
    this.#writer = new Writer(tokenizer, ids);
    const names = tokenizer.tokens(ids);
    const read = ids.map((id, i) => {
      const piece = tokenizer.decode([id]);
      return {
        text: piece.includes('\ufffd') ? this.#shown(names[i]) : piece || names[i],
        special: piece === '',
      };
    });
    return { ids, trimmed, read, stops: [...tokenizer.stops] };
  }

  /** The text that is certain once a token of the answer has come; null: no more of them comes.
   * @param {Questions['write']} question */
  write({ token }) {
    return (token === null ? this.#writer?.end() : this.#writer?.add(token)) ?? '';
  }

  /** A small file, for another part of the page.
   * @param {Questions['download']} question @param {AbortSignal} signal */
  download({ address, most }, signal) {
    return download(address, { signal, most });
  }

  /** @param {Questions['encode']} question */
  encode({ text }) {
    return this.#tokenizer?.encode(text) ?? [];
  }

  /** @param {Given} source @param {string} file */
  #bytes(source, file) {
    const listener = {
      onProgress: (/** @type {number} */ loaded, /** @type {number | null} */ total) =>
        this.#tell({ progress: { file, loaded, total } }),
    };
    return typeof source === 'string'
      ? download(source, listener)
      : collect(source.stream(), source.size, listener);
  }

  /** The tokenizer's files; null if there are none. @param {Files} files @returns {Promise<Words | null>} */
  async #words(files) {
    const tokenizer = await this.#optional(files, 'tokenizer');
    if (tokenizer === null) return null;
    return { tokenizer, config: await this.#optional(files, 'tokenizerConfig') };
  }

  /**
   * The text of a file that need not be there; null if it is not.
   * @param {Files} files
   * @param {keyof typeof NAMES} key
   */
  async #optional(files, key) {
    const bytes = await this.#maybe(files[key], NAMES[key]);
    return bytes ? decoded(bytes) : null;
  }

  /** Its bytes, likewise. @param {Given | undefined} source @param {string} file */
  async #maybe(source, file) {
    try {
      return source ? await this.#bytes(source, file) : undefined;
    } catch (error) {
      if (error instanceof Missing && error.status !== null) return undefined;
      throw error;
    }
  }
}

/** @param {import('../remote/server.js').Tell} tell */
export const answersOf = async (tell) => new Reader(tell);
