// What the table of wrong-calls.test.js does not have: chats, schemas, training of tapes, exercises, lessons, files of the
// command line, cores. Each argument and each option gets every odd value. It is taken, or refused in a sentence of ours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { session } from '../../bindings/chat.js';
import { linesOf, writeFiles } from '../../bindings/cli/index.js';
import { load, open, train } from '../../bindings/index.js';
import { check, fixed } from '../../bindings/learn/checker/index.js';
import {
  exercise,
  exportQuiz,
  hints,
  mark,
  traceProblem,
  worksheet,
} from '../../bindings/learn/exercises/index.js';
import { checkLesson, readLesson } from '../../bindings/learn/lessons/index.js';
import { external, relaxed } from '../../bindings/models/cores/node/index.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';
import { generateText } from '../../bindings/models/text/index.js';
import { serve } from '../../bindings/models/worker/node/index.js';

const gf = await load();

const circle = {};
circle.self = circle;
const detached = new Float32Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const ODD = [
  ...[undefined, null, true, NaN, Infinity, -1, 1.5, 0, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), 5n],
  ...['', 'x', '1', '__proto__', 'constructor', '\ud800', Symbol('s'), () => {}, new Date(0)],
  ...[
    [],
    [[]],
    [null],
    ['a'],
    [NaN],
    {},
    { length: 3 },
    { length: -1 },
    Object.create(null),
    circle,
  ],
  ...[new Float32Array(3), detached, new Map(), /x/, Promise.resolve(1), AbortSignal.abort()],
];

/** A sentence of ours, or what the signal says. */
const isOurs = ({ code, detail, name }) =>
  name === 'AbortError' || (/^GF_/.test(code) && typeof detail === 'string');

/** @param {string} name @param {(odd: any) => unknown} call @param {unknown[]} [values] */
async function tries(name, call, values = ODD) {
  for (const [i, odd] of values.entries()) {
    try {
      await call(odd);
    } catch (error) {
      assert.ok(isOurs(error), `${name}, value ${i}: ${error.stack}`);
    }
  }
}

/** Each option of a list in turn. @param {string} name @param {string} keys @param {(options: any) => unknown} call */
async function options(name, keys, call) {
  await tries(`${name}: options`, call);
  for (const key of keys.split(' ')) await tries(`${name}: ${key}`, (odd) => call({ [key]: odd }));
}

const LETTERS = [...'abcdefgh'];
const tokenizer = {
  stops: [7],
  encode: (text) => Array.from(text, (letter) => Math.max(0, LETTERS.indexOf(letter))),
  decode: (ids) => Array.from(ids, (id) => LETTERS[id]).join(''),
  tokens: (ids) => Array.from(ids, (id) => LETTERS[id]),
};
const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 32 });
Object.assign(model, {
  tokenizer,
  chatTemplate: '{% for m in messages %}{{ m.content }}{% endfor %}',
});
const SHORT = { maxNewTokens: 2, seed: 1 };

test('a session and its questions', async () => {
  const asking = (more, message = 'a', of = {}) =>
    session(model, { ...SHORT, ...more })
      .ask(message, of)
      .whole();
  await tries('session', (odd) => session(odd, {}));
  const each =
    'maxNewTokens temperature topK topP minP seed repetitionPenalty frequencyPenalty presencePenalty ' +
    'banned forced process best stopTokens stop schema hooks lookup signal onProgress whenFull';
  await options(
    'session',
    `${each} system messages maxLength tokenizer chatTemplate tools variables`,
    (more) => asking(more),
  );
  await options('ask', each, (of) => asking({}, 'a', of));
  await tries('ask', (odd) => asking({}, odd));
  for (const key of ['role', 'content', 'name', 'tool_calls'])
    await tries(`message: ${key}`, (odd) => asking({}, { role: 'user', content: 'a', [key]: odd }));
  for (const key of ['encode', 'decode', 'tokens'])
    await tries(`tokenizer: ${key}`, (odd) =>
      asking({ tokenizer: { ...tokenizer, [key]: () => odd } }),
    );
});

test('a schema', async () => {
  const write = (schema) => generateText(model, tokenizer, 'a', { ...SHORT, schema }).whole();
  await options('schema', 'type properties enum const items anyOf $ref', write);
  await tries('minimum', (odd) => write({ type: 'integer', minimum: odd, maximum: odd }));
  await tries('items', (odd) =>
    write({ type: 'array', items: { type: 'null' }, minItems: odd, maxItems: odd }),
  );
  let deep = { type: 'null' };
  for (let i = 0; i < 100_000; i++) deep = { type: 'array', items: deep };
  const endless = { type: 'array' };
  endless.items = endless;
  for (const one of [deep, endless, { anyOf: [deep] }])
    await assert.rejects(write(one), {
      message: /^generateText: schema: expected a schema of at most 100 levels/,
    });
});

test('the training of a tape', async () => {
  const tape = gf.tape();
  const made = tape.linear(tape.input('x', [2, 3]), tape.parameter('w', [3, 2]), null, 'y');
  tape.mean(made, {}, 'loss');
  tape.plan();
  const batch = {
    x: [
      [1, 2, 3],
      [4, 5, 6],
    ],
  };
  const steps = async (batches, how = { steps: 1 }) => {
    for await (const _ of train(tape, batches, how));
  };
  await tries('batches', (odd) => steps(odd));
  await tries('batch', (odd) => steps([odd]));
  await tries('x', (odd) => steps([{ x: odd }]));
  await options(
    'train',
    'steps optimizer schedule rate warmup total betas epsilon weightDecay groups clip restart signal loss',
    (how) => steps([batch], how),
  );
  await tries('rate()', (odd) => steps([batch], { rate: () => odd }));
  await tries('groups()', (odd) => steps([batch], { groups: () => odd }));
  for (const odd of [null, 5, 'x'])
    await assert.rejects(steps([odd]), { message: /^train: batch: expected an object, received / });
  const other = gf.tape();
  await assert.rejects(steps([batch], { loss: other.input('loss', [1]) }), {
    message: /^train: loss: the tensor "loss" belongs to another tape/,
  });
  other.dispose();
  tape.dispose();
});

test('exercises, marks and lessons', async () => {
  const problem = exercise(gf, 'scores', { seed: 1 });
  const cells = { cells: {} };
  await options('exercise', 'seed level given points follow', (how) => exercise(gf, 'scores', how));
  await tries('recipe', (odd) => exercise(gf, odd));
  for (const key of Object.keys(problem)) {
    await tries(`mark: ${key}`, (odd) => mark(gf, { ...problem, [key]: odd }, cells));
    await tries(`hints: ${key}`, (odd) => hints(gf, { ...problem, [key]: odd }, 'scores[0,0]'));
  }
  await tries('answers', (odd) => mark(gf, problem, odd));
  await tries('answer', (odd) => mark(gf, problem, { cells: { 'scores[0,0]': odd } }));
  await tries('hints', (odd) => hints(gf, problem, odd));
  await tries('hints of an answer', (odd) =>
    hints(gf, problem, 'scores[0,1]', { answers: { cells: { 'scores[0,0]': odd } } }),
  );
  await options('worksheet', 'lang', (how) => worksheet(gf, problem, how));
  await options('traceProblem', 'mistake', (how) => traceProblem(gf, problem, how));
  await options('exportQuiz', 'format lang title attempts', (how) =>
    exportQuiz(gf, [problem], { format: 'json', ...how }),
  );
  await tries('exportQuiz', (odd) => exportQuiz(gf, odd, { format: 'json' }));
  await tries('readLesson', readLesson);
  await tries('checkLesson', (odd) => checkLesson(gf, odd));
  await tries('check', (odd) => check(odd));
  await options('check', 'rounding', (how) => check('2 + 2 = 5', how));
  await tries('fixed', (odd) => fixed(odd));
});

test('files and cores', async () => {
  await tries('writeFiles', (odd) => writeFiles(odd));
  const notText = ODD.filter((odd) => typeof odd !== 'string');
  await tries('a file', (odd) => writeFiles([[odd, 'x']]), notText);
  await tries('its content', (odd) => writeFiles([['no/folder', odd]]), notText);
  await tries('linesOf', async (odd) => {
    for await (const _ of linesOf(odd));
  });
  await tries('a limit', async (odd) => {
    for await (const _ of linesOf([Buffer.from('a')], { limit: odd }));
  });
  await options('load', 'core module simd', (how) => load(how));
  await tries('what a core gives', (odd) => load({ core: () => odd }));
  await tries('open', (odd) => open(odd));
  await options('open', 'signal tokenizer config arithmetic stored', (how) =>
    open(new Uint8Array(80), how),
  );
  await tries('openTokenizer', (odd) => openTokenizer(odd));
  for (const odd of [null, 5, 'x', [], { odd: 1 }]) assert.throws(() => serve(odd), isOurs);
  for (const core of [external, relaxed]) await tries('a core', (odd) => load({ core: core(odd) }));
});
