// A language is a row and a folder: one that is made from English, with accents on all vowels and a decimal comma, is added
// to a copy of the sources. The exercises, the checker, the command line, the lessons and the page speak it, and no other file
// was changed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { inBrowser } from './web/browser.js';

const root = path.resolve(import.meta.dirname, '..');
const copy = mkdtempSync(path.join(tmpdir(), 'glassformer-language-'));
after(() => rmSync(copy, { recursive: true }));

const ACCENTS = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', A: 'Á', E: 'Ë', I: 'Ï', O: 'Ö', U: 'Ü' };
/** A text with accents, but for what is filled in, and formulas. @param {string} text */
const accented = (text) =>
  text.replace(/\{[^}]*\}|\w*_\w+|[aeiouAEIOU]/g, (part) => ACCENTS[part] ?? part);

/** A tree of texts with accents. */
const translated = (words) =>
  typeof words === 'string'
    ? accented(words)
    : Array.isArray(words)
      ? words.map(translated)
      : Object.fromEntries(Object.entries(words).map(([key, part]) => [key, translated(part)]));

/** The sentences of a lesson: a tree of the same form, which has nothing else. */
function sentencesOf(part) {
  if (typeof part !== 'object' || part === null) return undefined;
  if (typeof part.en === 'string') return accented(part.en);
  if (Array.isArray(part)) return part.map(sentencesOf);
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, sentencesOf(inner)]));
}

const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const write = (file, value) => writeFileSync(path.join(copy, file), JSON.stringify(value));
const run = (...args) => execFileSync('node', args, { cwd: copy, encoding: 'utf8' });
const english = read('bindings/words/en/page.json');
const lessons = readdirSync(path.join(root, 'web/lessons')).map((name) => `web/lessons/${name}`);

/* The copy, the row and the folder. */
for (const part of ['bindings', 'web', 'package.json', 'LICENSE', 'CHANGELOG.md'])
  cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
write('bindings/words/languages.json', [
  ...read('bindings/words/languages.json'),
  { code: 'zz', name: 'Zzïzz', decimal: ',', group: '.', separator: ';' },
]);
mkdirSync(path.join(copy, 'bindings/words/zz'));
for (const part of ['page', 'glossary', 'exercises', 'checker'])
  write(`bindings/words/zz/${part}.json`, translated(read(`bindings/words/en/${part}.json`)));
write(
  'bindings/words/zz/lessons.json',
  Object.fromEntries(lessons.map((file) => [read(file).name, sentencesOf(read(file))])),
);

run('bindings/build/words.js');
run('web/figures/embed/build.js');
run(
  'node_modules/vite/bin/vite.js',
  'build',
  '--config',
  'web/vite.config.js',
  '--logLevel',
  'error',
);

const browsing = inBrowser({ folder: path.join(copy, 'build/site') });
const inCopy = (file) => import(pathToFileURL(path.join(copy, file)).href);

test('the exercises and the checker speak it', async () => {
  const gf = await (await inCopy('bindings/index.js')).load();
  const { exercise, exportQuiz, hints, mark, recipes } = await inCopy(
    'bindings/learn/exercises/index.js',
  );
  const lang = 'zz';
  const { title } = recipes().find(({ name }) => name === 'weights');
  assert.equal(recipes({ lang }).find(({ name }) => name === 'weights').title, accented(title));
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'weights[0,0]';
  const marked = mark(gf, problem, { cells: { [cell]: '0.3' } }, { lang });
  assert.equal(marked.cells[cell].message, accented('Right, but in fewer digits than are asked.'));
  assert.match(hints(gf, problem, cell, { lang }).at(-1), /^Ït ïs 0,33/);
  const [sheet] = await exportQuiz(gf, [problem], { format: 'markdown', lang });
  assert.match(new TextDecoder().decode(sheet.data), /Röünd tö 2 dëcïmáls/);
  const { check } = await inCopy('bindings/learn/checker/index.js');
  const { flags } = check(gf, 'Scores: 1.1 × 0.2 + 0.1 × 1.2 = 0.43', { lang });
  assert.match(flags[0].message, /^Thë tëxt prïnts 0\.43; ït ïs 0\.34\. Twö dïgïts/);
});

test('the command line speaks it, and the lessons are as right as before', () => {
  const listed = JSON.parse(run('bindings/cli/bin.js', 'quiz', '--json', '--lang', 'zz'));
  assert.equal(listed[0].title, accented('Queries, keys and values'));
  const [lesson] = lessons.filter((file) => file.includes('one-score'));
  assert.match(run('bindings/cli/bin.js', 'lesson', 'check', lesson), /^0 findings/);
});

test('the figures have its words, and those of its lessons', () => {
  const unpacked = (name) => {
    const made = readFileSync(path.join(copy, 'bindings/generated', name), 'utf8');
    const [, packed] = /atob\('([^']+)'\)/.exec(made);
    return inflateSync(Buffer.from(packed, 'base64')).toString();
  };
  assert.ok(unpacked('element.js').includes(accented(english.nouns.scores)));
  assert.ok(unpacked('lessons.js').includes(accented(read(lessons[0]).title.en)));
});

test('the page speaks it: stage, numbers, terms, exercises, lessons', async () => {
  const { page, complaints, close } = await browsing.open('#v=1&example=three-tokens&lang=zz');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zz');
  const chooser = page.locator('gf-masthead .language select');
  assert.equal(await chooser.inputValue(), 'zz');
  assert.equal(await chooser.locator('option').last().textContent(), 'Zzïzz');
  assert.equal(await page.title(), accented(`${english.chapters.attention.title} · Glassformer`));
  const cells = page.locator('gf-stage [data-node]');
  await cells.filter({ hasText: /\d,\d/ }).first().waitFor();
  assert.equal(await cells.filter({ hasText: /\d\.\d/ }).count(), 0);
  await page.locator('.stage-head .term').first().focus();
  assert.match(
    (await page.locator('gf-term [role=tooltip]:popover-open').allTextContents()).join(),
    /[áëïöü]/,
  );
  await close();
  const lesson = await browsing.open('#v=1&lesson=one-score&scene=1&lang=zz', {
    ready: 'gf-learn .say p',
  });
  const said = await lesson.page.locator('gf-learn .say').textContent();
  assert.match(said, /[áëïöü]/);
  assert.doesNotMatch(said, /[aeiou]{2}|\bthe\b/);
  assert.deepEqual([...complaints, ...lesson.complaints], []);
  await lesson.close();
});
