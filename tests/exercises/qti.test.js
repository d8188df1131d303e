// The package for Canvas, read by the rules of Canvas' own importer: whichever range a numerical question has, its
// numbers are right answers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exportQuiz, misconceptions } from '../../bindings/learn/exercises/index.js';
import { onlyInFull } from '../support/skips.js';
import { workedOut } from './by-hand.js';
import { gf, LEVELS, problemOf, RECIPES, seeds } from './setup.js';
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

/** The questions of a package as Canvas reads them. @param {any} problems @param {object} [options] */
async function questionsOf(problems, options) {
  const [{ path: name, data }] = await exportQuiz(gf, problems, { format: 'qti', ...options });
  assert.equal(name, 'quiz.zip');
  const files = [...unzipped(data)].map(([file, bytes]) => [file, decoder.decode(bytes)]);
  for (const [, xml] of files) checkBalance(xml);
  const [manifest, assessment, meta] = files;
  assert.equal(manifest[0], 'imsmanifest.xml');
  for (const [, href] of manifest[1].matchAll(/<file href="([^"]+)"/g))
    assert.ok(files.some(([file]) => file === href));
  const idents = [...assessment[1].matchAll(/<item ident="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(idents).size, idents.length);
  const items = assessment[1].split('<item ').slice(1);
  const points = Number(/<points_possible>([\d.]+)</.exec(meta[1])[1]);
  const questions = items.map((item) => ({
    title: /title="([^"]*)"/.exec(item)[1],
    type: /<fieldentry>(\w+_question)</.exec(item)[1],
    points: Number(/points_possible<\/fieldlabel><fieldentry>(\d+)</.exec(item)[1]),
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
  assert.equal(
    questions.reduce((sum, one) => sum + one.points, 0),
    points,
  );
  return questions;
}

const SENTENCES = new Map(misconceptions().map(({ name, sentence }) => [sentence, name]));

for (const recipe of RECIPES) {
  test(`${recipe}: Canvas takes the right numbers, no mistake's, and tells what mistakes give`, async () => {
    for (const level of LEVELS) {
      for (const seed of seeds(8, 1)) {
        const problem = problemOf(recipe, { seed, level });
        const [given, ...questions] = await questionsOf([problem]);
        assert.equal(given.type, 'text_only_question');
        assert.deepEqual(questions.map(({ title }) => title).sort(), [...problem.asked].sort());
        const byHand = workedOut(problem);
        for (const { title, type, right, wrong, text } of questions) {
          const due = byHand[title];
          const { band } = problem.solution[title];
          assert.equal(text.match(/<strong>\?<\/strong>/g)?.length, 1);
          assert.equal(right.length, 1, 'each condition with numbers is a right answer');
          const [equal, [low], [high]] = right[0];
          if (type === 'short_answer_question') {
            assert.equal(due, -Infinity);
            assert.ok(equal.includes('-inf') && equal.includes('−∞'));
            continue;
          }
          assert.equal(type, 'numerical_question');
          for (const number of [...equal, low, high]) assert.match(number, /^-?\d+(\.\d+)?$/);
          /* Canvas: the number, and the distance of its upper bound. */
          const exact = Number(equal[0]);
          const margin = Number(high) - exact;
          assert.ok(Math.abs(exact - due) <= NEAR * Math.max(1, Math.abs(due)));
          assert.ok(due === 0 || Math.abs(exact) >= 1e-4);
          assert.ok(
            Math.abs(margin - band) < 1e-5 && Math.abs(exact - Number(low) - margin) < 1e-8,
          );
          for (const [, mistake, told] of wrong.matchAll(/<li>([^:]+): (.*?)<\/li>/g)) {
            const name = SENTENCES.get(told.replaceAll(/<sub>(\w+)<\/sub>/g, '_$1'));
            assert.ok(name, told);
            const made = workedOut(problem, name)[title];
            const decimals = problem.policy.digits;
            assert.ok(Math.abs(Number(mistake.replace('−', '-')) - made) < 0.51 * 10 ** -decimals);
            assert.ok(Math.abs(made - exact) > margin);
          }
        }
      }
    }
  });
}

test('thirty problems are one quiz, in every language', async () => {
  const problems = Array.from({ length: 30 }, (_, i) => problemOf('softmax-row', { seed: i + 1 }));
  for (const lang of ['en', 'fr', 'de'])
    assert.equal(
      (await questionsOf(problems, { lang })).length,
      30 + 30 * problems[0].asked.length,
    );
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
