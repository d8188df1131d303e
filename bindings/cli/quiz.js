// glassformer quiz: exercises in the form that a teacher's platform reads.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../index.js';
import { languages } from '../js/base/speech.js';
import { turns } from '../js/base/turn.js';
import { exercise, exportQuiz, formats, recipes } from '../learn/exercises/index.js';
import { FOLLOW } from '../learn/exercises/problem/points.js';
import { LEVELS } from '../learn/exercises/problem/problem.js';
import { writeFiles } from './files.js';
import {
  defined,
  FORCE,
  integer,
  LANG,
  path,
  refusing,
  string,
  UsageError,
  unknown,
  word,
} from './usage.js';

/** @typedef {import('../learn/exercises/index.js').Problem} Problem */

const HELP = `glassformer quiz RECIPE [--format FORMAT] [--out PATH]

Writes exercises with small numbers. The same recipe, seed and options give the
same bytes. Without RECIPE, lists the recipes.

  --seed N         seed of the first exercise (default: 1; of an exam, a secret
                   one: whoever has it can print the key)
  --count N        how many, each with the next seed that gives another one
                   (default: 1)
  --level LEVEL    steps asks for every step (default), faded for every other
                   cell, end for the result alone
  --digits N       decimals in each step (default: 2)
  --given FILE     your own numbers, as JSON or as text: X = 1 0; 0 1. FILE may
                   be -, standard input. Sizes alone, such as scale = 1/3, leave
                   the matrices to the seed
  --points LIST    points of steps, such as scores=2,weights=5; others keep the
                   recipe's own
  --follow WHAT    what a cell earns that only follows from a wrong step: full,
                   half (default) or none of its points
  --lang LANG      ${LANG}
  --title TEXT     title of the sheet or question bank
  --exam           scorm12 and scorm2004: no hints, marked when it is handed in;
                   the best mark counts; no cell is marked before the last
  --attempts N     how often an exam can be handed in (default: 1)
  --format FORMAT  scorm12 (default if PATH ends in .zip) and scorm2004 (a zip
                   for learning platforms), moodle, qti (a zip for Canvas),
                   prairielearn (a zip), html, latex, markdown, json (default
                   otherwise)
  --out PATH       the file to write, or the folder for a sheet and its key;
                   json and moodle go to standard output without it
  --force          replace files that exist and are others
  --json           the files written, as JSON; without RECIPE, the recipes
  --quiet          nothing but errors, and what goes to standard output

docs/schemas/quiz.schema.json describes what --format json writes.

Examples
  glassformer quiz
  glassformer quiz attention --format markdown --out attention
  glassformer quiz attention --count 30 --out attention.zip
  glassformer quiz attention --count 30 --exam --attempts 2 --out exam.zip
  glassformer quiz softmax-row --count 30 --format moodle --out softmax.xml
  glassformer quiz weights --count 10 --format qti --out weights.zip
  glassformer quiz adam-step --seed 7 --level end --lang fr
  glassformer quiz attention --given exam.txt --format html --out exam
  echo "scale = 1/3" | glassformer quiz attention --given - --count 30 --out exam.zip
`;

const MAX_COUNT = 1000;

/** @param {import('./usage.js').Flags} flags @param {string} name @param {number} low @param {number} high */
function between(flags, name, low, high) {
  const value = integer(flags, name);
  if (value === undefined || (value >= low && value <= high)) return value;
  throw new UsageError(`--${name}: expected ${low} to ${high}, received ${value}`);
}

/** Platforms that somebody names in place of what they read. @type {Readonly<Record<string, string>>} */
const READ_BY = { canvas: 'qti', scorm: 'scorm12' };

/** @param {import('./usage.js').Flags} flags @param {string | undefined} out
 * @returns {any} */
function formatOf(flags, out) {
  const { format } = flags;
  const meant = typeof format === 'string' ? READ_BY[format.toLowerCase()] : undefined;
  if (meant) throw new UsageError(`unknown format "${format}". Write --format ${meant}`);
  return word(flags, 'format', formats) ?? (out?.endsWith('.zip') ? 'scorm12' : 'json');
}

/** How often an exam can be handed in; undefined where there is no exam.
 * @param {import('./usage.js').Flags} flags @param {string} format */
function attemptsOf(flags, format) {
  const attempts = between(flags, 'attempts', 1, 99);
  if (!flags.exam) {
    if (attempts !== undefined)
      throw new UsageError('--attempts: only an exam counts them: add --exam');
    return undefined;
  }
  if (!format.startsWith('scorm')) {
    throw new UsageError(`--exam: ${format} cannot be one: use scorm12 or scorm2004`);
  }
  return attempts ?? 1;
}

/** Points of steps, as --points has them: scores=2,weights=5. @param {import('./usage.js').Flags} flags */
function pointsIn(flags) {
  const text = string(flags, 'points');
  if (text === undefined) return undefined;
  const pairs = text.split(',').map((part) => /^\s*([\w.]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(part));
  if (pairs.includes(null)) {
    throw new UsageError(`--points: expected STEP=NUMBER,..., received ${text}`);
  }
  return Object.fromEntries(
    pairs.map((pair) => [/** @type {string[]} */ (pair)[1], Number(Object(pair)[2])]),
  );
}

/** Whether a file is a package that this command wrote before: the next one may take its place. The name of its folder, or the
 * identifier of its manifest, stands at the beginning, as nothing is compressed.
 * @param {string} file */
function isPackage(file) {
  if (!file.endsWith('.zip') || !existsSync(file)) return false;
  const start = readFileSync(file).subarray(0, 4096).toString('latin1');
  return start.startsWith('PK') && /\bglassformer[-_][0-9a-f]{8}/.test(start);
}

/** @param {readonly import('../learn/exercises/formats/index.js').ExportedFile[]} files @param {string} out
 * @param {boolean} force @param {AbortSignal} [signal] */
async function write(files, out, force, signal) {
  const isOne = files.length === 1;
  const paths = isOne ? [out] : files.map((file) => join(out, file.path));
  const contents = paths.map((file, i) => /** @type {const} */ ([file, files[i].data]));
  const isReplaced = force || (isOne && isPackage(out));
  await writeFiles(contents, { force: isReplaced, signal, ...(!isOne && { folder: out }) });
  return paths;
}

/** Refuses to print what is no text of one file.
 * @param {string} format @param {readonly import('../learn/exercises/formats/index.js').ExportedFile[]} files */
function checkPrintable(format, files) {
  if (files.length > 1) {
    throw new UsageError(
      `--format ${format} writes ${files.length} files: give a folder with --out`,
    );
  }
  if (files[0].path.endsWith('.zip')) {
    throw new UsageError(`--format ${format} writes a zip: give its file with --out`);
  }
}

/** Draws that bring nothing new, for each problem that was found, after which a recipe has no more. */
const MAX_MISSES = 10;

/** Problems of a recipe, all of them different, each with the next seed that gives another one.
 * @param {number} count @param {number} seed @param {(seed: number) => Problem} draw
 * @returns {Generator<Problem, void, undefined>} */
function* different(count, seed, draw) {
  const seen = new Set();
  let misses = 0;
  for (let i = 0; seen.size < count; i++) {
    const problem = draw((seed + i) % 2 ** 32);
    const key = JSON.stringify([problem.given, problem.sizes]);
    misses = seen.has(key) ? misses + 1 : 0;
    if (misses > MAX_MISSES * (seen.size + MAX_MISSES)) {
      const { recipe } = problem;
      throw new UsageError(
        `--count: ${recipe} has about ${seen.size} different problems, fewer than ${count}. ` +
          'Choose fewer, or another --level or --digits',
      );
    }
    if (misses) continue;
    seen.add(key);
    yield problem;
  }
}

/** A teacher's numbers, as text, and the file that has them.
 * @param {import('./usage.js').Flags} flags @param {import('./terminal.js').Terminal} terminal */
async function numbersOf(flags, terminal) {
  const file = string(flags, 'given');
  return { file: file ?? 'quiz', text: file && (await terminal.text(file)) };
}

/** Refuses to make several exercises of a teacher's numbers, and says which mistakes these hide.
 * @param {Problem} problem @param {number} count @param {import('./terminal.js').Terminal} terminal */
function checkGiven({ indistinct }, count, terminal) {
  if (!indistinct) return;
  if (count > 1) throw new UsageError(`--count: these numbers make one exercise, not ${count}`);
  if (!indistinct.length) return;
  const names = indistinct.join(', ');
  terminal.note(`With these numbers the answers do not show every mistake by itself: ${names}`);
}
/** @param {ReturnType<typeof recipes>} list @param {boolean} isJson */
function listed(list, isJson) {
  const width = Math.max(...list.map(({ name }) => name.length));
  const lines = list.map(({ name, title }) => `${name.padEnd(width)}  ${title}\n`);
  return isJson ? `${JSON.stringify(list)}\n` : lines.join('');
}

/** @param {number} n @param {number} cells */
const variants = (n, cells) => `${n} variants with ${cells} cells each: each learner gets one`;

/** How learners come to different numbers, by the format; paper and JSON are handed out as they are.
 * @type {Readonly<Record<string, (n: number, cells: number) => string>>} */
const MADE = {
  qti: (n, cells) =>
    `${n} quizzes, each with a question for each of ${cells} cells: assign each quiz to other learners`,
  moodle: (n, cells) =>
    `${n} questions with ${cells} cells each: add a random question to the quiz`,
  prairielearn: variants,
  scorm12: variants,
  scorm2004: variants,
};

/** The seed of the first exercise: of an exam one that nobody finds by trying, which the teacher is to keep.
 * @param {import('./usage.js').Flags} flags @param {number} count @param {import('./terminal.js').Terminal} terminal */
function seedOf(flags, count, terminal) {
  const chosen = between(flags, 'seed', 0, 2 ** 32 - 1 - count);
  if (chosen !== undefined || !flags.exam) return chosen ?? 1;
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] % (2 ** 32 - MAX_COUNT);
  terminal.note(
    `Keep this seed secret: ${seed}. With --seed ${seed} the command writes the exam again, without --exam its problems`,
  );
  return seed;
}

/** @type {import('./usage.js').Command} */
export const quiz = {
  help: HELP,
  flags: {
    seed: { type: 'string' },
    count: { type: 'string' },
    level: { type: 'string' },
    digits: { type: 'string' },
    given: { type: 'string' },
    points: { type: 'string' },
    follow: { type: 'string' },
    lang: { type: 'string' },
    title: { type: 'string' },
    exam: { type: 'boolean' },
    attempts: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
    ...FORCE,
  },
  async run({ flags, words, terminal }) {
    if (words.length > 1)
      throw new UsageError(`quiz: expected one recipe, received ${words.join(' ')}`);
    const lang = /** @type {any} */ (word(flags, 'lang', languages));
    const list = recipes(defined({ lang }));
    const [recipe] = words;
    if (recipe === undefined) return terminal.print(listed(list, flags.json === true));
    const names = list.map(({ name }) => name);
    if (!names.includes(recipe)) unknown('recipe', recipe, names);
    const out = path(flags, 'out');
    const format = formatOf(flags, out);
    const attempts = attemptsOf(flags, format);
    const level = word(flags, 'level', LEVELS);
    const digits = between(flags, 'digits', 0, 6);
    const points = pointsIn(flags);
    const follow = word(flags, 'follow', Object.keys(FOLLOW));
    const count = between(flags, 'count', 1, MAX_COUNT) ?? 1;
    const seed = seedOf(flags, count, terminal);
    const { file, text } = await numbersOf(flags, terminal);
    const gf = await load();
    const options = defined({ format, lang, title: string(flags, 'title'), attempts });
    /** @param {Problem[]} problems */
    const exported = (problems) => exportQuiz(gf, problems, /** @type {any} */ (options));
    const turn = turns();
    const problems = [];
    const draw = (/** @type {number} */ next) => {
      const chosen = defined({ seed: next, level, digits, points, follow, given: text });
      return refusing(file, () => exercise(gf, recipe, /** @type {any} */ (chosen)));
    };
    for (const problem of different(count, seed, draw)) {
      problems.push(problem);
      checkGiven(problem, count, terminal);
      await turn();
      terminal.signal?.throwIfAborted();
      terminal.progress(`exercise ${problems.length} of ${count}`);
      if (problems.length === 1 && out === undefined)
        checkPrintable(format, await exported(problems));
    }
    const files = await exported(problems);
    if (out === undefined) return terminal.print(new TextDecoder().decode(files[0].data));
    const paths = await write(files, out, flags.force === true, terminal.signal);
    if (flags.json) return terminal.print(`${JSON.stringify({ files: paths })}\n`);
    if (!flags.quiet) await terminal.print(paths.map((file) => `${file}\n`).join(''));
    if (count > 1 && format in MADE) terminal.note(MADE[format](count, problems[0].asked.length));
  },
};
