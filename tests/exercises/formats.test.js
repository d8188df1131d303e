// What platforms and printers get: every number of it is that of the problem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import { html } from '../../bindings/learn/exercises/formats/html.js';
import {
  exercise,
  exportQuiz,
  formats,
  misconceptions,
  recipes,
} from '../../bindings/learn/exercises/index.js';
import { waits } from '../support/sample.js';
import { workedOut } from './by-hand.js';
import { askedByPlatforms } from './setup.js';

const gf = await load();
const problems = recipes().map(({ name }) => exercise(gf, name, { seed: 2 }));
const SENTENCES = new Map(misconceptions().map(({ name, sentence }) => [sentence, name]));
const text = (file) => new TextDecoder().decode(file.data);

/** What Moodle's cloze grammar finds in a text: the gaps, each with its kind and its answers. */
function gapsOf(xml) {
  const gaps = /\{(\d*):(NUMERICAL|SHORTANSWER):((?:\\.|[^\\}])*)\}/g;
  return [...xml.matchAll(gaps)].map(([, weight, kind, answers]) => ({
    weight,
    kind,
    answers: answers.split(/(?<!\\)~/).map((answer) => {
      const [, grade = '', key, feedback = ''] =
        /^(=|%-?\d+%)?((?:\\.|[^\\#])*)(?:(?<!\\)#(.*))?$/s.exec(answer);
      return { grade, key, feedback: feedback.replace(/\\(.)/g, '$1') };
    }),
  }));
}

for (const problem of problems) {
  test(`${problem.recipe}: each gap of the Moodle question takes its number, and knows the mistakes`, async () => {
    const [file] = await exportQuiz(gf, [problem], { format: 'moodle' });
    const gaps = gapsOf(text(file));
    const asked = askedByPlatforms(problem);
    assert.equal(gaps.length, asked.length);
    const left = new Set(asked);
    const byHand = workedOut(problem);
    for (const { kind, answers } of gaps) {
      const [right, ...wrong] = answers;
      assert.equal(right.grade, '=');
      const cell = [...left].find((name) => {
        const { value, band } = problem.solution[name];
        if (kind === 'SHORTANSWER') return !Number.isFinite(value);
        const [number, tolerance] = right.key.split(':').map(Number);
        return Math.abs(number - value) < 1e-6 && Math.abs(tolerance - band) < 1e-6;
      });
      assert.ok(cell, right.key);
      left.delete(cell);
      if (kind === 'SHORTANSWER') continue;
      const { value, band } = problem.solution[cell];
      assert.ok(Math.abs(value - byHand[cell]) < 1e-4 * Math.max(1, Math.abs(value)));
      for (const { grade, key, feedback } of wrong) {
        assert.equal(grade, '%0%');
        const [number, tolerance] = key.split(':').map(Number);
        assert.ok(
          Math.abs(number - value) > band + tolerance,
          'no wrong answer reaches a right one',
        );
        const mistake = SENTENCES.get(feedback);
        assert.ok(mistake, feedback);
        const made = workedOut(problem, mistake)[cell];
        assert.ok(Math.abs(number - made) < 1e-4 * Math.max(1, Math.abs(made)));
      }
    }
    assert.equal(left.size, 0);
  });
}

for (const format of ['markdown', 'latex', 'html']) {
  test(`${format}: the sheet tells no answer, the key tells all`, async () => {
    for (const problem of problems) {
      const [sheet, key] = (await exportQuiz(gf, [problem], { format })).map(text);
      assert.ok(sheet.length > 200);
      const blanks = {
        markdown: /\| {2}(?=\|)/g,
        latex: /& {1,2}(?=&|\\\\)/g,
        html: /<td><\/td>/g,
      };
      const count = (page) => (page.match(blanks[format]) ?? []).length;
      const [asked, open] = [count(sheet), count(key)];
      /* A part without working or with labels of its own has other blanks. */
      assert.ok(asked - open >= problem.asked.length, problem.recipe);
      assert.match(key, new RegExp(`seed ${problem.seed}`));
    }
  });
}

test('every format comes in every language, and the same bytes again', async (t) => {
  if (waits(t)) return;
  for (const format of formats) {
    for (const lang of languages) {
      const [one, two] = await Promise.all(
        [0, 1].map(() => exportQuiz(gf, problems.slice(0, 4), { format, lang })),
      );
      assert.deepEqual(one, two);
      assert.ok(one.every(({ data }) => data.length > 100));
    }
  }
});

test('a decimal comma in French and German, a point in English', async () => {
  const [, key] = await exportQuiz(gf, [exercise(gf, 'weights')], { format: 'html', lang: 'fr' });
  assert.match(text(key), /\d,\d\d/);
  assert.doesNotMatch(text(key), /<td>\d+\.\d/);
});

/** Names that only the files of problems have. */
const KEYS =
  /dModel|d_model\d|beta[12]|m\.before|v\.before|\btheta\b(?!\.)|warmup|\bvocab\b|w_[qkvo12]|\b[pm]_(?!\d)|undefined/;

for (const lang of languages) {
  test(`${lang}: a sheet calls everything by a word or a symbol, no name of the file's`, async () => {
    for (const problem of problems) {
      for (const format of ['html', 'markdown']) {
        const [sheet] = (await exportQuiz(gf, [problem], { format, lang })).map(text);
        const plain = sheet.replaceAll('\\', '').replace(/<style>[\s\S]*<\/style>/, '');
        assert.doesNotMatch(plain, KEYS, problem.recipe);
      }
    }
  });
}

test('subscripts are set as such, and the moments of Adam are no values', async () => {
  const sheetOf = async (recipe, format) =>
    text((await exportQuiz(gf, [exercise(gf, recipe)], { format }))[0]);
  assert.match(await sheetOf('projection', 'html'), /<th>W<sub>Q<\/sub><\/th>/);
  assert.match(await sheetOf('projection', 'latex'), /\$W_\{Q\}\$ & 1 & 2/);
  assert.match(await sheetOf('scaled-scores', 'latex'), /\$\\sqrt\{d_\{k\}\}\$/);
  assert.match(
    await sheetOf('adam-step', 'markdown'),
    /learning rate = 0\.5, β₁ = 0\.\d+, β₂ = 0\.\d+/,
  );
  assert.doesNotMatch(await sheetOf('adam-step', 'markdown'), /values/);
});

/** What pdflatex refuses first: environments, braces and dollars that do not match, and signs without a glyph. */
function isWellFormed(source) {
  const open = [];
  for (const [, kind, name] of source.matchAll(/\\(begin|end)\{(\w+)\}/g)) {
    if (kind === 'begin') open.push(name);
    else assert.equal(open.pop(), name);
  }
  assert.deepEqual(open, []);
  const bare = source.replaceAll(/\\[\\{}$&#_%]/g, '');
  let depth = 0;
  for (const sign of bare) {
    depth += { '{': 1, '}': -1 }[sign] ?? 0;
    assert.ok(depth >= 0);
  }
  assert.equal(depth, 0);
  for (const line of bare.split('\n')) {
    const parts = line.split('$');
    assert.equal(parts.length % 2, 1, line);
    parts.forEach((part, i) => {
      if (i % 2) assert.ok(part, `an empty formula: ${line}`);
      else assert.doesNotMatch(part, /[_^]/, line);
    });
  }
  for (const [, columns, body] of source.matchAll(
    /\\begin\{tabular\}\{(.*)\}\n([\s\S]*?)\\end\{tabular\}/g,
  )) {
    const width = columns.split('|').filter(Boolean).length;
    for (const row of body.trim().split('\n'))
      assert.equal(row.split(/(?<!\\)&/).length, width, row);
  }
  assert.doesNotMatch(source, /[^\n -~À-ÿœŒ–—‘’“”„…«»¿¡\u00a0\u202f]/);
}

test('LaTeX: environments, braces, dollars and columns match, and every sign has a glyph', async () => {
  for (const lang of languages) {
    for (const file of await exportQuiz(gf, problems, { format: 'latex', lang }))
      isWellFormed(text(file));
  }
});

test('Moodle: a category for each recipe and title, and no two of them mix', async () => {
  const categories = async (recipes, options) => {
    const quiz = recipes.map((name) => problems.find(({ recipe }) => recipe === name));
    const [file] = await exportQuiz(gf, quiz, { format: 'moodle', ...options });
    const parts = text(file).split('<question type="category">').slice(1);
    return parts.map((part) => [
      /<text>([^<]*)<\/text>/.exec(part)[1],
      part.split('<question type="cloze">').length - 1,
    ]);
  };
  assert.deepEqual(await categories(['weights', 'causal-attention', 'causal-attention']), [
    ['$course$/Exercises/Attention weights', 1],
    ['$course$/Exercises/Causal attention', 2],
  ]);
  assert.deepEqual(await categories(['weights'], { title: 'A/B & C', lang: 'de' }), [
    ['$course$/A//B &amp; C/Attention-Gewichte', 1],
  ]);
});

test('HTML has powers of e and subscripts, and nothing that it would read', () => {
  assert.equal(
    html('S_1: e^(−1.50)/(e^2 + e^0.5) = 0.1 < 1'),
    'S<sub>1</sub>: e<sup>−1.50</sup>/(e<sup>2</sup> + e<sup>0.5</sup>) = 0.1 &lt; 1',
  );
  assert.equal(html('the^2 and e^x'), 'the^2 and e^x');
});

test('sheets and keys of a hand-out have the number of their variant', async () => {
  const problems = [1, 2].map((seed) => exercise(gf, 'scores', { seed }));
  for (const format of ['markdown', 'latex', 'html']) {
    const files = await exportQuiz(gf, problems, { format });
    for (const { data } of files) {
      const text = new TextDecoder().decode(data);
      for (const n of [1, 2]) assert.match(text, new RegExp(`Scores, variant ${n}\\b`), format);
    }
  }
});

test('a sheet says what each step is worth, and what earns half', async () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  for (const [lang, points, half] of [
    ['en', 'Points: scores 1, scaled scores 1, attention weights 2.', 'earns half of its points'],
    ['fr', 'Points\u00a0: scores 1,', 'la moitié de ses points'],
    ['de', 'Punkte: Scores 1,', 'die Hälfte ihrer Punkte'],
    ['es', 'Puntos: puntuaciones 1,', 'la mitad de sus puntos'],
  ]) {
    for (const format of ['html', 'markdown', 'latex']) {
      const [sheet] = (await exportQuiz(gf, [problem], { format, lang })).map(text);
      const plain = sheet.replaceAll('~', '\u00a0');
      for (const part of [points, half]) assert.ok(plain.includes(part), `${format}: ${part}`);
    }
  }
  const whole = exercise(gf, 'scores', { seed: 1, follow: 'none' });
  const [sheet] = (await exportQuiz(gf, [whole], { format: 'markdown' })).map(text);
  assert.match(sheet, /Points: scores 9\./);
});
