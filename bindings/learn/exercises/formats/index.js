// A quiz in the form that a teacher's platform reads.

import { checkArray, checkCore, checkText, checkWord } from '../../../js/base/errors.js';
import { jsonValue } from '../../../js/base/file.js';
import { checkSolved } from '../marking/states.js';
import { rangeError } from '../problem/texts.js';
import { languageOf } from '../speech/language.js';
import { zip } from './zip.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../speech/language.js').Language} Language */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').Speech} Speech */

/** A file of an export: its path within the folder that holds them all. @typedef {{ path: string, data: Uint8Array }} ExportedFile */

/** @typedef {'scorm12' | 'scorm2004' | 'json' | 'markdown' | 'latex' | 'html' | 'moodle' | 'qti'
 *   | 'prairielearn'} Format */

/** @typedef {(gf: Glassformer, problems: readonly Problem[], speech: Speech, options: { title: string })
 *   => { path: string, text: string }[] | Promise<{ path: string, text: string }[]>} Writer */

/** The files of a writer, in a zip if it is one package.
 * @typedef {{ write: Writer, zipped?: string }} Form */

/* Each writer is loaded when a quiz is written in its format. */
/** @param {keyof typeof import('./sheet.js').FORMS} form
 * @returns {Writer} */
const sheet = (form) => async (gf, problems, speech, options) =>
  (await import('./sheet.js')).sheets(gf, problems, speech, { ...options, form });

/** @param {'scorm12' | 'scorm2004'} form
 * @returns {Writer} */
const scorm = (form) => async (gf, problems, speech, options) =>
  (await import('./scorm.js')).scorm(form)(gf, problems, speech, options);

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, jsonValue, 1)}\n`;

/** @type {Readonly<Record<Format, Form>>} */
const FORMATS = {
  scorm12: { write: scorm('scorm12'), zipped: 'exercise.zip' },
  scorm2004: { write: scorm('scorm2004'), zipped: 'exercise.zip' },
  json: { write: (_, problems) => [{ path: 'quiz.json', text: json(problems) }] },
  markdown: { write: sheet('markdown') },
  latex: { write: sheet('latex') },
  html: { write: sheet('html') },
  moodle: { write: async (...quiz) => (await import('./moodle.js')).moodle(...quiz) },
  qti: { write: async (...quiz) => (await import('./qti.js')).qti(...quiz), zipped: 'quiz.zip' },
  prairielearn: {
    write: async (...quiz) => (await import('./prairielearn.js')).prairielearn(...quiz),
    zipped: 'question.zip',
  },
};

/** The formats that exportQuiz writes. */
export const formats = /** @type {readonly Format[]} */ (Object.keys(FORMATS));

/** Writes problems in a format: the same problems give the same bytes.
 * @param {Glassformer} gf what load() gave
 * @param {readonly Problem[]} problems of exercise()
 * @param {{ format: Format, lang?: Language, title?: string }} options lang is English by default
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
  const speech = languageOf('exportQuiz', options, ['format', 'title']);
  const { format, title = speech.words.sheet.title } = /** @type {typeof options} */ (
    Object(options)
  );
  checkWord('exportQuiz: format', format, formats);
  checkText('exportQuiz: title', title);
  if (/\p{Cc}/u.test(title))
    throw rangeError('controls', { where: 'exportQuiz: title', given: title });
  const { write, zipped } = FORMATS[format];
  const encoder = new TextEncoder();
  const written = await write(gf, problems, speech, { title });
  const files = written.map(({ path, text }) => ({ path, data: encoder.encode(text) }));
  return zipped ? [{ path: zipped, data: zip(files) }] : files;
}
