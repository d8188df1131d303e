// Lessons as data: the form that is checked, what their expressions compute, and what the linter finds.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { LANGUAGES } from '../../bindings/generated/languages.js';
import { load, readModel } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import { ablate } from '../../bindings/lab/inside/index.js';
import { storyInputs, vocabulary } from '../../bindings/lab/stories/index.js';
import { heldOut } from '../../bindings/lab/tasks/held-out.js';
import { tasks } from '../../bindings/lab/tasks/index.js';
import { checkLesson, lessonSchema, readLesson } from '../../bindings/learn/lessons/index.js';
import {
  cellsOf,
  holds,
  numberOf,
  numberText,
  piecesOf,
  rowOf,
  scopeOf,
} from '../../bindings/learn/lessons/play.js';
import { computed } from '../../bindings/learn/lessons/scene.js';
import { firstTooEarly, neededFor } from '../../bindings/learn/lessons/sequence.js';
import { whole } from '../../web/bundle/lessons.js';

const root = path.resolve(import.meta.dirname, '../..');
const gf = await load();
const shipped = (name) =>
  gf.open(readModel(readFileSync(path.join(root, `bindings/data/models/${name}.safetensors`))));
const models = { model: shipped('french-english'), stories: shipped('stories') };

/** The same schema, as others read it. */
const asOthers = new Ajv().compile(lessonSchema);

const words = (en) => ({ en, fr: en, de: en });
const sceneOf = (more = {}) => ({
  state: '#example=i-love-robotics',
  picture: { kind: 'stage' },
  say: words('A sentence.'),
  ...more,
});
const lessonOf = (...scenes) => ({
  name: 'mine',
  title: words('Mine'),
  minutes: 5,
  learned: [words('This.')],
  scenes,
});

describe('readLesson', () => {
  const good = lessonOf(sceneOf());

  test('takes text and objects', () => {
    assert.deepEqual(readLesson(JSON.stringify(good)), good);
    assert.equal(readLesson(good), good);
    assert.ok(asOthers(good));
  });

  test('takes plain sentences, which every language has', () => {
    const picture = { kind: 'bars', row: 'weights[0]', form: 'bars', after: 'powers' };
    const gate = { do: 'predict', largest: 'weights[0]', right: 'Yes.', wrong: 'No.' };
    const scene = {
      state: '#example=hi-how',
      picture,
      say: 'Which is the largest?',
      gate,
      after: 'Go on.',
    };
    const plain = { ...lessonOf(scene), title: 'Mine', learned: ['A mask hides.'] };
    const { title, learned, scenes } = readLesson(JSON.stringify(plain));
    const each = (words) => Object.fromEntries(languages.map((code) => [code, words]));
    assert.deepEqual([title, learned], [each('Mine'), [each('A mask hides.')]]);
    assert.deepEqual(scenes[0].picture, picture);
    assert.deepEqual([scenes[0].gate.wrong, scenes[0].after], [each('No.'), each('Go on.')]);
    assert.ok(asOthers(plain));
    const typed = { ...plain, scenes: [{ ...scene, say: 'It is 3.' }] };
    const found = checkLesson(gf, readLesson(typed)).map(({ at }) => at);
    assert.deepEqual(found, ['say.en']);
    assert.throws(() => readLesson({ ...plain, title: '' }), /title/);
  });

  test('a scene whose picture is a stage that is not shown is empty', () => {
    const scene = sceneOf({ picture: { kind: 'stage' }, shows: ['caption', 'timeline'] });
    const found = checkLesson(gf, readLesson(lessonOf(scene)));
    assert.deepEqual(
      found.map(({ at }) => at),
      ['shows'],
    );
    const full = { ...scene, shows: ['stage', 'caption'] };
    assert.deepEqual(checkLesson(gf, readLesson(lessonOf(full))), []);
  });

  for (const [what, lesson, message] of [
    ['text that is no JSON', '{', /^lesson: /],
    ['lists in lists', '['.repeat(1e5), /^lesson: expected JSON with at most 100 levels/],
    ['a list', [], /^lesson: expected object, received an array of 0/],
    ['a key that is missing', { ...good, title: undefined }, /^lesson\.title: expected object/],
    ['a name with blanks', { ...good, name: 'my lesson' }, /^lesson\.name: expected letters/],
    ['a language that is missing', { ...good, title: { en: 'x', fr: 'x' } }, /missing "de"/],
    ['no scene', lessonOf(), /^lesson\.scenes: expected at least 1/],
    [
      'a key that nobody reads',
      lessonOf(sceneOf({ sayy: 1 })),
      /scenes\[0\]: unknown key "sayy" \(did you mean "say"\?\)/,
    ],
    [
      'a picture that there is not',
      lessonOf(sceneOf({ picture: { kind: 'stge' } })),
      /scenes\[0\]\.picture\.kind: .*stage.*\(did you mean "stage"\?\)/,
    ],
    [
      'a gate that asks for nothing',
      lessonOf(sceneOf({ gate: { do: 'drag', what: 'x[0]' } })),
      /scenes\[0\]\.gate: missing "until"/,
    ],
    [
      'minutes that are none',
      { ...good, minutes: 0 },
      /^lesson\.minutes: expected 1 to 60, received 0/,
    ],
    [
      'a state that is no hash',
      lessonOf(sceneOf({ state: 'hi-how' })),
      /scenes\[0\]\.state: expected the hash/,
    ],
  ]) {
    test(`refuses ${what}, with its place`, () => {
      assert.ok(!asOthers(lesson));
      assert.throws(
        () => readLesson(lesson),
        (error) => {
          assert.equal(error.code, 'GF_EFILE');
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  test('refuses what is no lesson at all', () => {
    assert.throws(() => readLesson(5), { code: 'GF_ETYPE' });
  });
});

describe('expressions', () => {
  const steps = [
    { name: 'weights', shape: [2, 3], data: Float32Array.of(0.5, 0.25, 0.25, 0, 1, 0) },
    { name: 'scores.scaled', shape: [2, 2], data: Float32Array.of(1, -2, 3, 4) },
  ];
  const scope = scopeOf(steps, { tokens: ['I', 'love', 'robotics'] });

  for (const [source, value] of [
    ['weights[0,1]', 0.25],
    ['scores.scaled[0,1]', -2],
    ['scores.scaled[0,1] * -3 + 1', 7],
    ['(weights[0,0] + weights[0,1]) / 3', 0.25],
    ['max(weights[1])', 1],
    ['argmax(weights[1])', 1],
    ['weights[1,argmax(weights[1])]', 1],
    ['sum(scores.scaled)', 6],
    ['norm(scores.scaled[1])', 5],
    ['dot(scores.scaled[0], scores.scaled[1])', -5],
    ['entropy(weights[0])', 0.5 * Math.log(2) + 0.5 * Math.log(4)],
    ['entropy(weights[1])', 0],
    ['exp(scores.scaled[0,0])', Math.E],
    ['sqrt(length(weights[0]) + 1)', 2],
  ]) {
    test(`${source} is ${value}`, () => {
      assert.ok(Math.abs(numberOf(source, scope) - value) < 1e-12);
    });
  }

  for (const [condition, is] of [
    ['weights[0,0] > 0.4', true],
    ['weights[0,0] > 0.4 and weights[0,1] > 0.4', false],
    ['abs(scores.scaled[0,1]) <= 2', true],
    ['weights[0,1] = weights[0,2]', true],
    ['weights[0,1] != weights[0,2]', false],
  ]) {
    test(`${condition} is ${is}`, () => assert.equal(holds(condition, scope), is));
  }

  for (const [source, detail] of [
    ['weights[0,3]', 'noCellHere'],
    ['weights[-1]', 'noCellHere'],
    ['waits[0]', 'noStepHere'],
    ['weights[0', 'unreadable'],
    ['weights[0] 1', 'unreadable'],
    ['weights[0]', 'notOneNumber'],
    ['median(weights[0])', 'noFunction'],
    ['max(weights[0], 1)', 'arguments'],
    ['', 'unreadable'],
    ['weights[0,1/2]', 'noCellHere'],
    ['dot(weights[0], scores.scaled[0])', 'otherLength'],
    [`${'('.repeat(1e5)}1${')'.repeat(1e5)}`, 'longExpression'],
    [`1${' + 1'.repeat(1e5)}`, 'longExpression'],
    [`${'('.repeat(400)}1${')'.repeat(400)}`, 'deepExpression'],
    [`${'abs('.repeat(100)}1${')'.repeat(100)}`, 'deepExpression'],
    [`${'weights['.repeat(100)}1${']'.repeat(100)}`, 'deepExpression'],
    [`${'-'.repeat(999)}1`, 'deepExpression'],
  ]) {
    test(`${source.slice(0, 40) || 'nothing'} is refused: ${detail}`, () => {
      assert.throws(() => numberOf(source, scope), { detail });
    });
  }

  test('a name that is nearly one of a step or a function is told which', () => {
    assert.throws(() => numberOf('weight[0,1]', scope), /did you mean "weights"\?/);
    assert.throws(() => numberOf('maxi(weights[0])', scope), /did you mean "max"\?/);
  });

  test('the longest chain is computed', () => {
    assert.equal(numberOf(`1${'+1'.repeat(499)}`, scope), 500);
    assert.equal(holds(`1>0${' and 1>0'.repeat(120)}`, scope), true);
  });

  test('a row may have more numbers than a call takes arguments', () => {
    const data = Float32Array.from({ length: 300_000 }, (_, i) => i);
    const wide = scopeOf([{ name: 'x', shape: [data.length], data }], {});
    assert.deepEqual(
      ['max', 'min', 'argmax', 'argmin'].map((name) => numberOf(`${name}(x)`, wide)),
      [299_999, 0, 299_999, 0],
    );
  });

  test('a path names its cells', () => {
    assert.deepEqual(cellsOf('weights[1]', scope), [
      { node: 'weights', index: [1, 0] },
      { node: 'weights', index: [1, 1] },
      { node: 'weights', index: [1, 2] },
    ]);
    assert.deepEqual(cellsOf('weights[1,2]', scope), [{ node: 'weights', index: [1, 2] }]);
    assert.equal(cellsOf('weights', scope).length, 6);
  });

  test('a sentence is filled in as each language writes numbers', () => {
    const say = (text, lang) =>
      piecesOf(text, scope, lang)
        .map((piece) => piece.text)
        .join('');
    assert.equal(say('A *share* of {weights[0,1]:percent}', 'en'), 'A share of 25%');
    assert.equal(say('{tokens[1]}: {weights[0,1]}, {scores.scaled[0,1]}', 'fr'), 'love: 0,25, −2');
    assert.equal(say('la clé de {tokens[0]} et de {tokens[1]}', 'fr'), 'la clé d’I et de love');
    assert.equal(say('{scores.scaled[0]}', 'de'), '(1;\u00a0−2)');
    assert.equal(numberText(1 / 3, 'de'), '0,33');
    assert.equal(numberText(-1 / 3, 'en', '3'), '−0.333');
    assert.equal(numberText(-0.001, 'en'), '0.00');
    assert.equal(numberText(-Infinity, 'en'), '−∞');
    assert.equal(numberText(Math.fround(1.1), 'en'), '1.1', 'what needs no more digits has none');
    assert.equal(
      numberText(Math.fround(0.3) * -3, 'en'),
      '−0.9',
      'nor what only float32 made longer',
    );
    assert.equal(numberText(1.1045, 'en'), '1.10', 'zeros at the end tell a rounded number');
    const percentages = [0, 0.0004, 0.004, 0.09, 0.996, 0.9999, 1];
    assert.deepEqual(
      percentages.map((share) => numberText(share, 'en', 'percent')),
      ['0%', '<\u202f0.1%', '0.4%', '9%', '99.6%', '>\u202f99.9%', '100%'],
    );
  });
});

describe('checkLesson finds', () => {
  const finds = (scene) => checkLesson(gf, readLesson(lessonOf(sceneOf(scene))), models);
  const choice = (...when) => ({
    gate: { do: 'predict', choice: when.map((one) => ({ say: words('x'), when: one })) },
  });

  for (const [what, scene, at, message] of [
    ['nothing where all is well', {}, null],
    [
      'a path that leads nowhere',
      { say: words('So {scores[0,3]}.') },
      'say.en',
      /no index 0, 3 there/,
    ],
    ['a step that there is not', { lit: ['scroes'] }, 'lit[0]', /no step "scroes"/],
    [
      'a row of weights that there is not',
      { picture: { kind: 'stage', row: 'kk[0]' } },
      'picture.row',
      /no step "kk"/,
    ],
    [
      'no fault in bars that are shares after the answer',
      { picture: { kind: 'bars', row: 'scores[0]', form: 'bars', after: 'shares' } },
      null,
    ],
    ['a place that there is not', { at: 'scores[9]' }, 'at', /no index 9 there/],
    [
      'what is to be tried, but is so already',
      { gate: { do: 'try', until: 'weights[0,0] > 0' } },
      'gate.until',
      /holds before/,
    ],
    ['a link that cannot be computed', { state: '#example=none' }, 'state', /cannot compute/],
    [
      'an example of a name that every object has',
      { state: '#example=constructor' },
      'state',
      /no example/,
    ],
    ['a link that is half encoded', { state: '#example=%E0%A4%A' }, 'state', /cannot read/],
    [
      'a path of a hundred thousand brackets',
      { lit: [`${'('.repeat(1e5)}scores${')'.repeat(1e5)}`] },
      'lit[0]',
      /at most 1000 characters/,
    ],
    ['a line break within braces', { say: words('So {\n}.') }, 'say.en', /cannot read/],
    ['half a character in a text', { gate: { do: 'edit', texts: ['le \ud800', 'le chat'] } }, null],
    ['a long sentence', { say: words('a '.repeat(26)) }, 'say.en', /26 words in one sentence/],
    [
      'no fault in two sentences that are short',
      { say: words(`${'a '.repeat(20)}. ${'a '.repeat(20)}`) },
      null,
    ],
    ['a number that is typed', { say: words('It is 0.33.') }, 'say.en', /0\.33 is typed/],
    [
      'a condition that never holds',
      { gate: { do: 'drag', what: 'q[0]', until: 'weights[0,0] > 2' } },
      'gate.until',
      /holds for no value/,
    ],
    [
      'a condition that holds already',
      { gate: { do: 'drag', what: 'q[0]', until: 'weights[0,0] > 0' } },
      'gate.until',
      /before the reader/,
    ],
    [
      'no fault in a condition that can hold',
      { gate: { do: 'drag', what: 'scores.scaled[0,1]', until: 'weights[0,1] > 0.9' } },
      null,
    ],
    [
      'a choice without a right option',
      choice('weights[0,0] > 2', 'weights[0,0] < 0'),
      'gate.choice',
      /no option is right/,
    ],
    [
      'a choice without a wrong option',
      choice('weights[0,0] < 2', 'weights[0,0] > 0'),
      'gate.choice',
      /every option is right/,
    ],
    [
      'a largest of equal numbers',
      { gate: { do: 'predict', largest: 'scores[1]' } },
      'gate.largest',
      /all numbers are equal/,
    ],
    [
      'steps that stand in order already',
      { gate: { do: 'predict', steps: ['q', 'scores', 'weights'] } },
      'gate.steps',
      /stand in order already/,
    ],
    [
      'a step that has no place in the order of the others',
      { gate: { do: 'predict', steps: ['weights', 'scores', 'v'] } },
      'gate.steps',
      /"v" is computed from none/,
    ],
    [
      'a step that there is not, among those to be put in order',
      { gate: { do: 'predict', steps: ['weights', 'scores', 'waits'] } },
      'gate.steps',
      /no step "waits"/,
    ],
    [
      'no fault in steps that are to be put in order',
      { gate: { do: 'predict', steps: ['output', 'scores', 'v', 'q'] } },
      null,
    ],
    [
      'a switch that there is not',
      { gate: { do: 'remove', names: ['mask'] } },
      'gate.names',
      /"mask" cannot be removed/,
    ],
    [
      'another number of replies than of removals',
      {
        gate: {
          do: 'remove',
          names: ['scale', 'softmax'],
          replies: [{ en: 'Gone.', fr: 'Partie.', de: 'Weg.' }],
        },
      },
      'gate.replies',
      /one reply for each of 2 names, got 1/,
    ],
  ]) {
    test(what, () => {
      const findings = finds(scene);
      if (at === null) return assert.deepEqual(findings, []);
      assert.equal(findings[0].scene, 1);
      assert.equal(findings[0].at, at);
      assert.match(findings[0].message, message);
    });
  }

  test('a fault that all languages share, once', () => {
    assert.deepEqual(
      finds({ say: words('It is 0.33.') }).map(({ at }) => at),
      ['say.en'],
    );
    const say = { ...words('It is 0.33.'), fr: 'C’est 0,33.' };
    assert.deepEqual(
      finds({ say }).map(({ at }) => at),
      ['say.en', 'say.fr'],
    );
  });

  test('in the name of a scene, a path; a name may be one text for all languages', () => {
    const named = (name, more = {}) =>
      checkLesson(gf, readLesson(lessonOf(sceneOf({ name, ...more }))), models);
    assert.deepEqual(named('One row', { map: 'weights' }), []);
    assert.deepEqual(named(words('One row')), []);
    assert.deepEqual(named('Row {tokens[0]}'), [
      {
        scene: 1,
        at: 'name.en',
        message: '{tokens[0]} belongs to no scene here; write it in words',
      },
    ]);
    assert.throws(() => named(7), { detail: 'otherType' });
    assert.throws(() => named('One row', { map: 'wieghts' }), /scenes\[0\]\.map.*"weights"/);
  });

  test('in what was learned, a path that no scene can fill in, and a number that is typed', () => {
    const lesson = lessonOf(sceneOf());
    const learned = [words('They add up to {sum(weights[0])}.'), words('They add up to 1.')];
    assert.deepEqual(checkLesson(gf, readLesson({ ...lesson, learned })), [
      {
        scene: 0,
        at: 'learned[0].en',
        message: '{sum(weights[0])} belongs to no scene here; write it in words',
      },
      {
        scene: 0,
        at: 'learned[1].en',
        message: 'the number 1 is typed; write it as a word',
      },
    ]);
  });

  test('a scene of the translator without one', () => {
    const scene = sceneOf({ state: '#chapter=transformer' });
    const [{ at, message }] = checkLesson(gf, readLesson(lessonOf(scene)));
    assert.equal(at, 'state');
    assert.match(message, /trained translator/);
  });

  test('a scene of the stories without their model', () => {
    const scene = sceneOf({ state: '#chapter=heads&example=stories&story=Anna' });
    const [{ at, message }] = checkLesson(gf, readLesson(lessonOf(scene)));
    assert.equal(at, 'state');
    assert.match(message, /that learned the stories; pass it as stories/);
  });
});

test('steps follow from those before them, in any order that does', () => {
  const { scope, dispose } = computed(gf, '#example=i-love-robotics');
  const all = ['output', 'scores', 'v', 'q'];
  assert.deepEqual(neededFor('output', all, scope), ['scores', 'v', 'q']);
  assert.deepEqual(neededFor('v', all, scope), []);
  for (const order of ['v q scores output', 'q v scores output', 'q scores v output']) {
    assert.equal(firstTooEarly(order.split(' '), all, scope), -1, order);
  }
  assert.equal(firstTooEarly(['q', 'output', 'scores', 'v'], all, scope), 1);
  assert.equal(firstTooEarly(['scores', 'q', 'v', 'output'], all, scope), 0);
  dispose();
});

describe('our lessons', () => {
  const folder = path.join(root, 'web/lessons');
  /** The sentences of a lesson: of each, that of every language. */
  const textsOf = (part) =>
    typeof part !== 'object' || part === null
      ? []
      : typeof part.en === 'string'
        ? [part]
        : Object.values(part).flatMap(textsOf);
  /** What a sentence fills in, in any order. */
  const filledIn = (sentence) => (sentence.match(/\{[^}]*\}/g) ?? []).sort();

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    test(`${file} says what is so, and has six gates or more`, () => {
      const lesson = readLesson(whole(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))));
      assert.equal(`${lesson.name}.json`, file);
      for (const text of textsOf(lesson))
        assert.deepEqual(Object.keys(text).sort(), [...languages].sort(), text.en);
      for (const code of languages.filter((one) => LANGUAGES[one].apart))
        for (const text of textsOf(lesson))
          assert.deepEqual(filledIn(text[code]), filledIn(text.en), text[code]);
      assert.deepEqual(checkLesson(gf, lesson, models), []);
      const gates = lesson.scenes.filter(({ gate }) => gate);
      assert.ok(gates.length >= 6, `${gates.length} gates`);
      /* What is wrong with one choice is said of no other: but for the right one, only one has no reply of its own. */
      for (const { name, gate } of gates)
        if (gate.choice && !gate.guess)
          assert.ok(gate.choice.filter(({ reply }) => !reply).length <= 2, name.en);
    });
  }
});

/** The numbers with a fraction that a scene asks for, as its digits write them. */
function askedIn({ gate }, scope) {
  return (gate?.numbers ?? [])
    .map((path) => numberText(numberOf(path, scope), 'en', String(gate.digits ?? 2)))
    .filter((number) => /[.]\d*[1-9]/.test(number));
}

/** What a reader reads of a scene, in English. */
const readIn = ({ say, after, gate }, scope) =>
  [say, after, gate?.right]
    .filter(Boolean)
    .map(({ en }) =>
      piecesOf(en, scope, 'en')
        .map(({ text }) => text)
        .join(''),
    )
    .join(' ');

for (const file of readdirSync(path.join(root, 'web/lessons')))
  test(`${file}: a number that is asked for stands in no sentence of the two scenes before`, () => {
    const json = readFileSync(path.join(root, 'web/lessons', file), 'utf8');
    const { scenes } = readLesson(whole(JSON.parse(json)));
    const read = scenes.map((scene) => {
      const { scope, dispose } = computed(gf, scene.state, models);
      const [asked, text] = [askedIn(scene, scope), readIn(scene, scope)];
      dispose();
      return { asked, text };
    });
    for (const [i, { asked }] of read.entries())
      for (const number of asked)
        for (const { text } of read.slice(Math.max(0, i - 2), i))
          assert.ok(
            !text.split(/[^−\d.]+/).includes(number),
            `scene ${i + 1}: ${number} in: ${text}`,
          );
  });

describe('a scene of another chapter', () => {
  test('a layer of the model of the stories has its attention, and the words that it goes on with', () => {
    const story = 'Anna and Ben are in the park. Anna has a red ball. Then';
    const link = `#chapter=heads&example=stories&layer=2&story=${encodeURIComponent(story)}`;
    const { scope, dispose } = computed(gf, link, models);
    const run = models.stories.forward(storyInputs(story));
    const weights = run.tape.nodes.find(
      ({ layer, op, role }) => layer === 2 && op === 'softmax' && role === 'weight',
    );
    assert.deepEqual(rowOf('weights', scope), Array.from(weights.data));
    assert.deepEqual([scope.words.tokens.at(-1), scope.words.next.at(-1)], ['Then', 'she']);
    run.dispose();
    dispose();
    assert.throws(
      () => computed(gf, link.replace('layer=2', 'layer=3'), models),
      /layer: expected .*received 3/,
    );
  });

  test('an experiment has the logit difference of a plain run, and what each head changes', async () => {
    const prompt = 'Anna and Ben are in the park. Anna has a red ball. Anna gives the ball to';
    const other = prompt.replace('Ben', 'Tom');
    const parts = { prompt, other, instead: 'Tom', off: '2.0', from: '2.1' };
    const link = `#chapter=inside&${Object.entries(parts)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')}`;
    const { scope, dispose } = computed(gf, link, models);
    const [ben, tom] = vocabulary.encode(['Ben', 'Tom']);
    const inputs = storyInputs(prompt);
    const run = models.stories.forward(inputs);
    const last = run.logits.data.slice(-vocabulary.size);
    run.dispose();
    const near = (path, value) =>
      assert.ok(Math.abs(numberOf(path, scope) - value) < 1e-4, `${path}: ${value}`);
    near('intact', last[ben] - last[tom]);
    assert.deepEqual(scope.words.next, ['Ben', 'Ben', 'Tom']);
    const metric = { kind: 'difference', token: ben, against: tom };
    const value = { run: storyInputs(other) };
    for (const [name, more] of [
      ['removed', {}],
      ['replaced', { value }],
    ]) {
      const at = [{ layer: 1, head: 0 }];
      const { before, after } = await ablate(models.stories, inputs, { at, metric, ...more });
      near(`${name}[1,0]`, after - before);
    }
    const at = [
      { layer: 2, head: 0 },
      { layer: 2, head: 1, value },
    ];
    near('margin', (await ablate(models.stories, inputs, { at, metric })).after);
    assert.deepEqual(rowOf('off[2]', scope), [1, 2, 0, 0]);
    dispose();
    /* Another text that is longer has nothing to give. */
    const longer = computed(gf, link.replace('other=', 'other=Anna%20'), models);
    assert.throws(() => numberOf('replaced[0,0]', longer.scope), /no step "replaced"/);
    longer.dispose();
  });

  test('an exercise has the steps of its working', () => {
    const state = '#chapter=exercises&recipe=cross-entropy&seed=221';
    const { scope, dispose } = computed(gf, state);
    const labels = rowOf('labels', scope);
    for (const [i, label] of labels.entries()) {
      const powers = rowOf(`logits[${i}]`, scope).map(Math.exp);
      const loss = -Math.log(powers[label] / powers.reduce((all, x) => all + x, 0));
      assert.ok(Math.abs(numberOf(`losses[${i}]`, scope) - loss) < 1e-6);
    }
    dispose();
  });

  test('a training has the example that the page looks at, and the model that knows nothing yet', () => {
    const { scope, dispose } = computed(gf, '#chapter=training&task=copy&settings=seed:3');
    const [{ source, target }] = heldOut(tasks.copy, 3).examples;
    assert.deepEqual(scope.words, { source: [...source], target: [...target, '<end>'] });
    for (let i = 0; i <= target.length; i++) {
      const row = rowOf(`attention[${i}]`, scope);
      assert.equal(row.length, source.length);
      assert.ok(Math.abs(row.reduce((all, x) => all + x, 0) - 1) < 1e-6);
    }
    dispose();
    assert.throws(() => computed(gf, '#chapter=training&task=none'), { detail: 'noTask' });
    assert.throws(
      () => computed(gf, '#example=hi-hwo'),
      /no example "hi-hwo" \(did you mean "hi-how"\?\)/,
    );
  });
});

test('docs/schemas/lesson.schema.json is the schema that is checked by', () => {
  const { status, stderr } = spawnSync(process.execPath, ['docs/api/schemas.js', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.equal(lessonSchema.title, 'A lesson of Glassformer');
});
