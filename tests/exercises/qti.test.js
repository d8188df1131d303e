// The package for Canvas, read by the rules of Canvas' own importer: whichever range a numerical question has, its
// numbers are right answers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exportQuiz, misconceptions, worksheet } from '../../bindings/learn/exercises/index.js';
import { onlyInFull } from '../support/skips.js';
import { workedOut } from './by-hand.js';
import { penOf } from './learner.js';
import {
  askedByPlatforms,
  gf,
  LEVELS,
  marked,
  problemOf,
  RECIPES,
  rightAnswers,
  seeds,
} from './setup.js';
import { unzipped } from './unzipped.js';

const NEAR = 1e-4;
const decoder = new TextDecoder();

const unescaped = (text) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Every tag has its end. @param {string} xml */
function checkBalance(xml) {
  const open = [];
  for (const [, end, name, closed] of xml.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/g)) {
    if (closed) continue;
    if (end) assert.equal(open.pop(), name);
    else open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(xml, /&(?!amp;|lt;|gt;|quot;)/);
}

/** The quizzes of a package as Canvas reads them: each resource of an assessment is one.
 * @param {any} problems @param {object} [options] */
async function quizzesOf(problems, options) {
  const [{ path: name, data }] = await exportQuiz(gf, problems, { format: 'qti', ...options });
  assert.equal(name, 'quiz.zip');
  const files = new Map([...unzipped(data)].map(([file, bytes]) => [file, decoder.decode(bytes)]));
  for (const xml of files.values()) checkBalance(xml);
  const [first] = files.keys();
  assert.equal(first, 'imsmanifest.xml');
  const manifest = files.get(first);
  const named = [...manifest.matchAll(/<file href="([^"]+)"/g)].map(([, href]) => href);
  assert.deepEqual([first, ...named].sort(), [...files.keys()].sort());
  const resources = [
    ...manifest.matchAll(
      /<resource identifier="([^"]+)" type="imsqti_xmlv1p2"><file href="([^"]+)"\/><dependency identifierref="([^"]+)"/g,
    ),
  ];
  const quizzes = resources.map(([, id, href, meta]) => {
    const about = new RegExp(`<resource identifier="${meta}" [^>]*href="([^"]+)"`).exec(manifest);
    assert.ok(files.get(about[1]).includes(`<quiz identifier="${id}"`));
    assert.ok(files.get(href).includes(`<assessment ident="${id}"`));
    return quizOf(files.get(href), files.get(about[1]));
  });
  const idents = quizzes.flatMap((quiz) => quiz.idents);
  assert.equal(new Set(idents).size, idents.length, 'no two questions of a course have one name');
  return quizzes;
}

/** @param {string} assessment @param {string} meta */
function quizOf(assessment, meta) {
  const idents = [...assessment.matchAll(/<item ident="([^"]+)"/g)].map(([, id]) => id);
  const items = assessment.split('<item ').slice(1);
  const points = Number(/<points_possible>([\d.]+)</.exec(meta)[1]);
  const questions = items.map((item) => ({
    title: /title="([^"]*)"/.exec(item)[1],
    type: /<fieldentry>(\w+_question)</.exec(item)[1],
    points: Number(/points_possible<\/fieldlabel><fieldentry>([\d.]+)</.exec(item)[1]),
    text: unescaped(/<mattext[^>]*>([^<]*)</.exec(item)[1]),
    right: [...item.matchAll(/<respcondition[^>]*>(.*?)<\/respcondition>/gs)].flatMap(([, one]) => {
      const bounds = ['varequal', 'vargte', 'varlte'].map((kind) =>
        [...one.matchAll(new RegExp(`<${kind} respident="response1">([^<]*)<`, 'g'))].map(
          ([, text]) => text,
        ),
      );
      if (!bounds.flat().length) return [];
      assert.match(one, /<setvar action="Set" varname="SCORE">100</);
      return [bounds];
    }),
    wrong: unescaped(
      /ident="general_incorrect_fb">.*?<mattext[^>]*>([^<]*)</s.exec(item)?.[1] ?? '',
    ),
  }));
  assert.equal(Math.round(questions.reduce((sum, one) => sum + 100 * one.points, 0)) / 100, points);
  const title = /<assessment ident="[^"]*" title="([^"]*)"/.exec(assessment)[1];
  assert.ok(meta.includes(`<title>${title}</title>`));
  return { title, idents, questions };
}

const SENTENCES = new Map(misconceptions().map(({ name, sentence }) => [sentence, name]));

for (const recipe of RECIPES) {
  test(`${recipe}: Canvas takes the right numbers, no mistake's, and tells what mistakes give`, async () => {
    for (const level of LEVELS) {
      for (const seed of seeds(8, 1)) {
        const problem = problemOf(recipe, { seed, level });
        const [quiz, ...others] = await quizzesOf([problem]);
        assert.deepEqual(others, []);
        const [given, ...questions] = quiz.questions;
        assert.equal(given.type, 'text_only_question');
        const names = new Map(worksheet(gf, problem).key.map(({ label, name }) => [label, name]));
        assert.equal(names.size, problem.asked.length, 'titles that tell every cell');
        assert.deepEqual(
          questions.map(({ title }) => names.get(unescaped(title))).sort(),
          askedByPlatforms(problem).sort(),
        );
        for (const { points } of questions) assert.ok(points > 0, 'no question for nothing');
        const byHand = workedOut(problem);
        for (const { title: label, type, right, wrong, text } of questions) {
          const title = names.get(unescaped(label));
          const due = byHand[title];
          const { band } = problem.solution[title];
          assert.equal(text.match(/<strong>\?<\/strong>/g)?.length, 1);
          assert.equal(right.length, 1, 'each condition with numbers is a right answer');
          const [equal, [low], [high]] = right[0];
          if (type === 'short_answer_question') {
            assert.equal(due, -Infinity);
            for (const way of ['-inf', '−∞', '-1e9']) assert.ok(equal.includes(way));
            assert.match(given.text, /Write −∞ as -inf\./);
            continue;
          }
          assert.equal(type, 'numerical_question');
          for (const number of [...equal, low, high]) assert.match(number, /^-?\d+(\.\d+)?$/);
          /* Canvas: the number, and the distance of its upper bound. */
          const exact = Number(equal[0]);
          const margin = Number(high) - exact;
          assert.ok(Math.abs(exact - due) <= NEAR * Math.max(1, Math.abs(due)));
          assert.ok(Math.abs(due) < 1e-9 || Math.abs(exact) >= 1e-4);
          assert.ok(
            Math.abs(margin - band) < 1e-5 && Math.abs(exact - Number(low) - margin) < 1e-8,
          );
          for (const [, mistake, told] of wrong.matchAll(/<li>([^:]+): (.*?)<\/li>/g)) {
            const name = SENTENCES.get(told.replaceAll(/<sub>(\w+)<\/sub>/g, '_$1'));
            assert.ok(name, told);
            const made = workedOut(problem, name)[title];
            const decimals = problem.policy.digits;
            /* Beside its last digit, what float32 leaves of a large number. */
            const near = 0.51 * 10 ** -decimals + 1e-6 * Math.abs(made);
            assert.ok(Math.abs(Number(mistake.replace('−', '-')) - made) < near);
            assert.ok(Math.abs(made - exact) > margin);
          }
        }
      }
    }
  });
}

test('thirty problems are thirty quizzes, in every language', async () => {
  const problems = Array.from({ length: 30 }, (_, i) => problemOf('softmax-row', { seed: i + 1 }));
  for (const [lang, title] of [
    ['en', 'Exercises: Softmax of one row'],
    ['fr', 'Exercices: Softmax d’une ligne'],
    ['de', 'Aufgaben: Softmax einer Zeile'],
  ]) {
    const quizzes = await quizzesOf(problems, { lang });
    assert.equal(quizzes.length, 30);
    quizzes.forEach((quiz, i) => {
      assert.equal(quiz.questions.length, 1 + problems[i].asked.length);
      assert.equal(quiz.title, `${title}, ${i + 1}`);
    });
  }
});

/** The gaps of the Moodle question of a problem, in their order: points, and which answers are right. @param {any} problem */
async function gapsOf(problem) {
  const [{ data }] = await exportQuiz(gf, [problem], { format: 'moodle' });
  const gaps = decoder.decode(data).matchAll(/\{(\d+):(NUMERICAL|SHORTANSWER):([^}]*)\}/g);
  return Array.from(gaps, ([, points, kind, answers]) => {
    const [value, band] = /^=([^:#]*):([^#]*)/.exec(answers)?.slice(1).map(Number) ?? [];
    const takes = (/** @type {number} */ x) =>
      kind === 'NUMERICAL' ? Math.abs(x - value) <= band + 1e-9 : x === -Infinity;
    return { points: Number(points), takes };
  });
}

test('what a cell is worth is its part of what mark() takes off without its step', async () => {
  for (const recipe of RECIPES) {
    const problem = problemOf(recipe, { seed: 2 });
    const [{ questions }] = await quizzesOf([problem]);
    const points = questions.slice(1).map((one) => one.points);
    const gaps = await gapsOf(problem);
    const inMoodle = gaps.reduce((sum, one) => sum + one.points, 0);
    gaps.forEach((one, i) => {
      assert.ok(Math.abs((100 * one.points) / inMoodle - points[i]) < 0.011, 'Moodle as Canvas');
    });
    const names = new Map(worksheet(gf, problem).key.map(({ label, name }) => [label, name]));
    const worth = new Map(
      questions.slice(1).map(({ title, points }) => [names.get(unescaped(title)), points]),
    );
    const sum = points.reduce((all, one) => all + one, 0);
    const right = rightAnswers(problem);
    const whole = marked(problem, right);
    for (const step of new Set(problem.asked.map((cell) => cell.split('[')[0]))) {
      const cells = problem.asked.filter((cell) => cell.startsWith(`${step}[`));
      const others = Object.entries(right).filter(([cell]) => !cells.includes(cell));
      const lost = whole.points - marked(problem, Object.fromEntries(others)).points;
      const of = (/** @type {string[]} */ some) =>
        some.reduce((all, cell) => all + (worth.get(cell) ?? 0), 0) / sum;
      const isNear = (/** @type {number} */ a, /** @type {number} */ b) =>
        assert.ok(Math.abs(a - b) <= 0.06 * b, `${recipe}: ${step}: ${a}, not ${b}`);
      isNear(of(cells), lost / whole.points);
      const zeros = cells.filter((cell) => {
        const { value, band } = problem.solution[cell];
        return Math.abs(value) <= band;
      });
      const masked = cells.filter((cell) => right[cell] === '-Infinity');
      if (zeros.length < cells.length) assert.equal(of(zeros), 0, `${recipe}: ${step}`);
      if (masked.length) isNear(of(masked), of(cells) / 2);
    }
  }
});

test('a sheet of zeros earns no more than a fifth in Canvas and in Moodle', async () => {
  for (const recipe of RECIPES) {
    const problem = problemOf(recipe, { seed: 23 });
    const valuesOf = (step) =>
      Object.entries(problem.solution).flatMap(([cell, { value }]) =>
        cell.startsWith(`${step}[`) ? [value] : [],
      );
    /* A step whose numbers are all zero is right with zeros. */
    if (Object.keys(problem.points).some((step) => valuesOf(step).every((x) => x === 0))) continue;
    const gaps = await gapsOf(problem);
    const earned = (/** @type {number} */ x) =>
      gaps.reduce((sum, { points, takes }) => sum + (takes(x) ? points : 0), 0);
    const all = gaps.reduce((sum, { points }) => sum + points, 0);
    assert.ok(earned(0) <= all / 5, `${recipe}: ${earned(0)} of ${all}`);
  }
});

test('variants have the same points in Canvas', async () => {
  const problems = Array.from({ length: 6 }, (_, i) => problemOf('weights', { seed: i + 8 }));
  for (const { questions } of await quizzesOf(problems)) {
    const sum = questions.reduce((all, one) => all + one.points, 0);
    assert.ok(Math.abs(sum - 100) < 1e-9, String(sum));
  }
});

/** What a sheet earns in Moodle, as a part. @param {any} problem @param {Record<string, number>} answers by cell */
async function partOf(problem, answers) {
  const gaps = await gapsOf(problem);
  const asked = askedByPlatforms(problem);
  const earned = gaps.reduce(
    (sum, { points, takes }, i) => sum + (takes(answers[asked[i]]) ? points : 0),
    0,
  );
  return earned / gaps.reduce((sum, { points }) => sum + points, 0);
}

/** What docs/teaching.md says that kinds of sheets earn of causal attention in Moodle and Canvas, over twenty variants.
 * @type {Record<string, { mean: number, most: number, of: (problem: any, next: any) => any }>} */
const SHEETS = {
  zeros: { mean: 0, most: 0, of: (problem) => stock(problem, () => 0) },
  'zeros, −∞ and equal weights': {
    ...{ mean: 0.17, most: 0.25 },
    of: (problem) =>
      stock(problem, (cell, value) => {
        if (value === -Infinity) return value;
        if (!cell.startsWith('weights')) return 0;
        return value && Number((1 / (1 + Number(cell.at(-4)))).toFixed(2));
      }),
  },
  "a neighbour's": { mean: 0.22, most: 0.43, of: (_, next) => workedOut(next, '', PEN) },
  'no mask': { mean: 0.66, most: 0.83, of: (problem) => workedOut(problem, 'mask-forgotten', PEN) },
  'no √d_k': { mean: 0.26, most: 0.29, of: (problem) => workedOut(problem, 'no-scaling', PEN) },
};
const PEN = penOf({ digits: 2 });

/** @param {any} problem @param {(cell: string, value: number) => number} numberIn */
const stock = ({ asked, solution }, numberIn) =>
  Object.fromEntries(asked.map((cell) => [cell, numberIn(cell, solution[cell].value)]));

test('sheets earn in Moodle and Canvas what docs/teaching.md says', async () => {
  const problems = Array.from({ length: 21 }, (_, i) =>
    problemOf('causal-attention', { seed: i + 1 }),
  );
  for (const [what, { mean, most, of }] of Object.entries(SHEETS)) {
    const parts = [];
    for (const [i, problem] of problems.slice(0, 20).entries()) {
      parts.push(await partOf(problem, of(problem, problems[i + 1])));
    }
    const sum = parts.reduce((all, part) => all + part, 0);
    const facts = `${what}: ${sum / parts.length} on average, at most ${Math.max(...parts)}`;
    if (process.env.SHOW) console.log(facts);
    if (!process.env.SHOW)
      assert.ok(sum / parts.length <= mean + 0.005 && Math.max(...parts) <= most + 0.005, facts);
  }
});

test('a number that takes a zero has no weight', async () => {
  for (const [recipe, seed] of [
    ['weights', 12],
    ['attention', 19],
  ]) {
    const problem = problemOf(recipe, { seed });
    assert.equal(
      await partOf(
        problem,
        stock(problem, () => 0),
      ),
      0,
      recipe,
    );
  }
});

/** Which elements stand in which, with which attributes. */
const SHAPES = `
import sys, zipfile, xml.etree.ElementTree as tree
def shapes(path):
    found = set()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith('.xml'): continue
            def walk(element, above):
                here = above + '/' + element.tag
                found.add(here)
                for key in element.attrib: found.add(here + '@' + key)
                for child in element: walk(child, here)
            walk(tree.fromstring(archive.read(name)), '')
    return found
from text2qti.config import Config
from text2qti.quiz import Quiz
from text2qti.qti import QTI
text = open(sys.argv[2], encoding='utf-8').read()
config = Config()
QTI(Quiz(text, config=config, source_name='quiz')).save(sys.argv[3])
print('\\n'.join(sorted(shapes(sys.argv[1]) - shapes(sys.argv[3]))))
`;

const TEXT = `Quiz title: Test

Text title: Given
Text: what is given

1. One
+ Right.
- Wrong.
= 1.5 +- 0.01

2. Two
+ Right.
* -inf
`;

test('text2qti writes no quiz otherwise: the same elements and attributes, each where it has them', {
  skip: onlyInFull,
}, async () => {
  const root = path.resolve(import.meta.dirname, '../../build/text2qti');
  const python = path.join(root, 'bin/python3');
  if (!existsSync(path.join(root, 'bin/text2qti'))) {
    execFileSync('python3', ['-m', 'venv', root]);
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'text2qti==0.8.0']);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-qti-'));
  const [ours, text, theirs] = ['ours.zip', 'quiz.txt', 'theirs.zip'].map((name) =>
    path.join(folder, name),
  );
  const [file] = await exportQuiz(gf, [problemOf('causal-attention')], { format: 'qti' });
  writeFileSync(ours, file.data);
  writeFileSync(text, TEXT);
  const extra = execFileSync(python, ['-c', SHAPES, ours, text, theirs], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  assert.equal(extra.trim(), '');
});
