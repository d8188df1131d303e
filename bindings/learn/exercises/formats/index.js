// A quiz in the form that a teacher's platform reads.

import {
  checkArray,
  checkCore,
  checkInteger,
  checkText,
  checkWord,
} from '../../../js/base/errors.js';
import { checkSolved } from '../marking/states.js';
import { rangeError } from '../problem/texts.js';
import { languageOf } from '../speech/language.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../js/base/speech.js').Language} Language */
/** @typedef {import('../problem/problem.js').Problem} Problem */

/** A file of an export. path: its place within the folder that holds them all. data: its bytes.
 * @typedef {{ path: string, data: Uint8Array }} ExportedFile */

/** @typedef {'scorm12' | 'scorm2004' | 'json' | 'markdown' | 'latex' | 'html' | 'moodle' | 'qti'
 *   | 'prairielearn'} Format */

/** What a writer must know besides the problems.
 * @typedef {{ title: string, format: Format, attempts?: number }} Quiz attempts of an exam */

const sheet = { load: () => import('./sheet.js') };
const scorm = { load: () => import('./scorm.js'), zipped: 'exercise.zip' };

/** @type {Readonly<Record<Format, import('./page.js').Form>>} */
const FORMATS = {
  scorm12: scorm,
  scorm2004: scorm,
  json: { load: () => import('./json.js') },
  markdown: sheet,
  latex: sheet,
  html: sheet,
  moodle: { load: () => import('./moodle.js') },
  qti: { load: () => import('./qti.js'), zipped: 'quiz.zip' },
  prairielearn: { load: () => import('./prairielearn.js'), zipped: 'question.zip' },
};

/** How often an exam can be handed in, at most. */
const MAX_ATTEMPTS = 99;

/** The formats that exportQuiz writes. */
export const formats = /** @type {readonly Format[]} */ (Object.keys(FORMATS));

/** Writes problems in a format: the same problems give the same bytes.
 * @param {Glassformer} gf what load() gave
 * @param {readonly Problem[]} problems of exercise()
 * @param {{ format: Format, lang?: Language, title?: string, attempts?: number }} options lang is English by default;
 *   attempts makes an exam of a SCORM package: without hints, marked when it is handed in, which it can be so often
 * @returns {Promise<ExportedFile[]>}
 * @example
 * import { exercise, exportQuiz } from 'glassformer/exercises';
 *
 * const problems = [1, 2, 3].map((seed) => exercise(gf, 'softmax-row', { seed }));
 * const files = await exportQuiz(gf, problems, { format: 'markdown' });
 * files.map(({ path }) => path); // = ['sheet.md', 'key.md'] */
export async function exportQuiz(gf, problems, options) {
  checkCore('exportQuiz', gf);
  checkArray('exportQuiz: problems', problems);
  problems.forEach((problem, i) => {
    checkSolved(`exportQuiz: problems[${i}]`, gf, problem);
  });
  const speech = languageOf('exportQuiz', options, ['format', 'title', 'attempts']);
  const {
    format,
    title = speech.words.sheet.title,
    attempts,
  } = /** @type {typeof options} */ (Object(options));
  checkWord('exportQuiz: format', format, formats);
  checkText('exportQuiz: title', title);
  if (/\p{Cc}/u.test(title))
    throw rangeError('controls', { where: 'exportQuiz: title', given: title });
  if (attempts !== undefined) {
    checkInteger('exportQuiz: attempts', attempts, 1, MAX_ATTEMPTS);
    if (FORMATS[format] !== scorm)
      throw rangeError('examFormat', { where: 'exportQuiz: attempts', value: format });
  }
  const { load, zipped } = FORMATS[format];
  const { write } = await load();
  const written = await write(gf, problems, speech, { title, format, attempts });
  const encoder = new TextEncoder();
  const files = written.map(({ path, text }) => ({ path, data: encoder.encode(text) }));
  if (!zipped) return files;
  const { zip } = await import('./zip.js');
  return [{ path: zipped, data: zip(files) }];
}
