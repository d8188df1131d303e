// SmolLM2 of 135 million parameters, stored as Q4_1, as `make setup-models` downloads it: ours against llama.cpp, as wasm
// in Chromium and in native code. The rate is in bytes of the file for a token.

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { session } from '../../../bindings/chat.js';
import { load, openCheckpoint } from '../../../bindings/models.js';
import { now } from '../players/clock.js';
import { reading } from '../players/machine.js';
import { inChromium } from '../writers/chromium.js';
import { nativeLlama } from '../writers/llama.js';
import { timed, writer } from '../writers/ours.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('../players/player.js').Player} Player */
/** @typedef {import('../writers/ours.js').Write} Write */

const MODEL = fileURLToPath(new URL('../../../build/models/smollm2.gguf', import.meta.url));
const SIZE = existsSync(MODEL) ? statSync(MODEL).size : 0;
const PARAMETERS = 134_515_008;

/** Tokens of a sample of decoding: there and back they outweigh the prompt's. */
const TOKENS = 8;
const SHORT = 'Once upon a time, there was a little cat that';
/** 256 tokens: each time another beginning, so that nobody remembers it. */
const long = (/** @type {number} */ i) =>
  `${i % 10}${' the cat sat on the mat,'.repeat(36)} and then so`;
/** A text that goes on by copying, and how many tokens of it are measured. */
const COPIED = ' the cat sat on the mat,'.repeat(12);
const COPIES = 48;
let asked = 0;

/** What a sample measures. @type {Record<string, (write: Write) => Promise<number>>} */
const MEASURES = {
  token: async (write) => (await write(SHORT, TOKENS + 1)).rest / TOKENS,
  first: async (write) => (await write(`${asked++ % 10}${SHORT}`, 1)).first,
  copy: async (write) => (await write(COPIED, COPIES + 1)).rest / COPIES,
  prompt: async (write) => (await write(long(asked++), 1)).first,
};

/** @param {{ write: Write, close?: () => Promise<void> }} made @param {string} measure
 * @returns {Player} */
const playerOf = ({ write, close }, measure) => ({
  async sample(count) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += await MEASURES[measure](write);
    return sum;
  },
  dispose: close,
});

/** @param {string} name @param {string} measure @param {number} tokens @param {Record<string, number>} bars
 * @returns {Workload} */
const inPages = (name, measure, tokens, bars) => ({
  name: `SmolLM2 in Chromium: ${name}`,
  work: tokens * SIZE,
  unit: 'B',
  bars,
  players: () =>
    Object.fromEntries(
      ['ours', ...Object.keys(bars)].map((way) => [
        way,
        async () => playerOf(await inChromium(way, MODEL), measure),
      ]),
    ),
});

/** @param {string} name @param {string} measure @param {number} tokens @param {Record<string, number>} bars
 * @returns {Workload} */
const inNode = (name, measure, tokens, bars) => ({
  name: `SmolLM2 in Node: ${name}`,
  work: tokens * SIZE,
  unit: 'B',
  bars,
  players: () => ({
    ours: async () => playerOf({ write: await writer(MODEL, { stored: true }, now) }, measure),
    f32: async () => playerOf({ write: await writer(MODEL, {}, now) }, measure),
    'llama.cpp': async () => playerOf(await nativeLlama(MODEL), measure),
    ...(measure === 'token' && { 'read as f32': () => reading(4 * PARAMETERS) }),
  }),
});

/** @param {string} name @param {string} measure @param {number} tokens @param {Record<string, number>} bars
 * @returns {Workload} */
const inIntegers = (name, measure, tokens, bars) => ({
  name: `SmolLM2 in integers, in Node: ${name}`,
  work: tokens * SIZE,
  unit: 'B',
  bars,
  players: () => ({
    ours: async () =>
      playerOf({ write: await writer(MODEL, { arithmetic: 'integer' }, now) }, measure),
    exact: async () => playerOf({ write: await writer(MODEL, { stored: true }, now) }, measure),
    f32: async () => playerOf({ write: await writer(MODEL, {}, now) }, measure),
    'llama.cpp': async () => playerOf(await nativeLlama(MODEL), measure),
  }),
});

/** The same text with guesses from what it said before, and without. A text that copies nothing shows what guessing costs.
 * @param {string} name @param {string} measure @param {Record<string, number>} bars
 * @returns {Workload} */
const withGuesses = (name, measure, bars) => ({
  name: `SmolLM2 in Node, with guesses: ${name}`,
  work: SIZE,
  unit: 'B',
  bars,
  players: () => ({
    ours: async () =>
      playerOf({ write: await writer(MODEL, { stored: true }, now, { lookup: true }) }, measure),
    alone: async () => playerOf({ write: await writer(MODEL, { stored: true }, now) }, measure),
  }),
});

/** Keys and values of 16 tokens: 30 layers, 3 heads of 64. */
const CACHE = 16 * 30 * 2 * 3 * 64 * 4;
const PEAK = fileURLToPath(new URL('../writers/peak.js', import.meta.url));
/** @param {string[]} file */
const processOf = (...file) =>
  JSON.parse(execFileSync(process.execPath, [PEAK, ...file], { encoding: 'utf8' }));

/** @type {import('../figures.js').Figures} */
const beginning = {
  name: 'SmolLM2 in Node: from the file to the first token',
  async figures() {
    const empty = processOf();
    const { seconds, bytes } = processOf(MODEL);
    return [
      { what: 's', value: seconds, most: 2 },
      {
        what: 'MB of memory at most, more than an empty process',
        value: (bytes - empty.bytes) / 1e6,
        most: (1.25 * SIZE + CACHE + 64 * 2 ** 20) / 1e6,
      },
    ];
  },
};

const CHATS = 3;
const QUESTIONS = [
  'Who are you?',
  'What is a transformer?',
  'Why does it use attention?',
  'Give an example.',
  'What was my first question?',
];

/** The first piece of each turn, in milliseconds.
 * @param {import('../../../bindings/chat.js').Session} talk */
async function firstPieces(talk) {
  const times = [];
  for (const question of QUESTIONS) {
    times.push((await timed(talk.ask(question, { maxNewTokens: 40 }), now)).first);
  }
  talk.dispose();
  return times;
}

/** @type {import('../figures.js').Figures} */
const chat = {
  name: 'SmolLM2 in Node: a chat, the first token of turn 5 beside that of turn 1',
  async figures() {
    const gf = await load();
    const checkpoint = /** @type {import('../../../bindings/models.js').Checkpoint} */ (
      await openCheckpoint(MODEL)
    );
    const model = /** @type {any} */ (await gf.openModel(checkpoint, { stored: true }));
    const ratios = [];
    for (let i = 0; i < CHATS; i++) {
      const times = await firstPieces(session(model, { system: `Answer briefly, reader ${i}.` }));
      ratios.push(/** @type {number} */ (times.at(-1)) / times[0]);
    }
    model.dispose();
    return [
      { what: 'times, the median of 3 chats', value: ratios.sort((a, b) => a - b)[1], most: 1.5 },
    ];
  },
};

/* Of a q4_1 four numbers are expanded and used by six instructions, each after the last: where memory gives float32
 * at 30 GB/s, that is as long as to read them. */
export const language = SIZE
  ? [
      inPages('a token', 'token', 1, { wllama: 4, f32: 0.85 }),
      inPages('the first token after 12', 'first', 12, { wllama: 3 }),
      inPages('the first token after 256', 'prompt', 256, { wllama: 2 }),
      inNode('a token', 'token', 1, { f32: 0.85, 'llama.cpp': 0.333 }),
      inNode('the first token after 256', 'prompt', 256, {}),
      inIntegers('a token', 'token', 1, { exact: 2.2, f32: 1.8 }),
      inIntegers('the first token after 256', 'prompt', 256, { exact: 1.2 }),
      withGuesses('a token of a text that copies', 'copy', { alone: 1.8 }),
      withGuesses('a token of another text', 'token', { alone: 0.95 }),
      beginning,
      chat,
    ]
  : [];
