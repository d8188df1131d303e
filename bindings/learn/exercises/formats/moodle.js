// Moodle XML: one cloze question for each problem, one gap for each cell. Each gap knows the values of the known
// mistakes, with their sentences, so that the question bank needs nothing but this file.

import { escaped, html, introduction, table, workingList, XML } from './html.js';
import { pageOf } from './page.js';
import { infinities, plain, wrongAnswers } from './wrong.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').Speech} Speech */

/** What ends an answer or a gap in Moodle's cloze grammar. @param {string} text */
const cloze = (text) => escaped(text).replace(/[\\}#~/"]/g, '\\$&');

/** @param {Problem} problem @param {string} cell @param {Speech} speech */
function gap(problem, cell, { words }) {
  const { value, band } = problem.solution[cell];
  if (!Number.isFinite(value)) {
    return `{1:SHORTANSWER:${infinities(value)
      .map((way) => `=${cloze(way)}`)
      .join('~')}}`;
  }
  const answers = [
    `=${plain(value)}:${plain(band)}#${cloze(words.states.right)}`,
    ...wrongAnswers(problem, cell, words).map(
      (one) => `%0%${plain(one.value)}:${plain(band)}#${cloze(one.sentence)}`,
    ),
  ];
  return `{1:NUMERICAL:${answers.join('~')}}`;
}

/** The question bank.
 * @param {import('../../../js/glassformer.js').Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {{ path: string, text: string }[]} */
export function moodle(gf, problems, speech, { title }) {
  const { sheet } = speech.words;
  const questions = problems.map((problem) => {
    const page = pageOf(gf, problem, speech);
    const text = [
      ...introduction(page, speech),
      `<h4>${html(sheet.asked)}</h4>`,
      ...page.asked.map((matrix) =>
        table(matrix, ({ name, text }) => (name ? gap(problem, name, speech) : html(text))),
      ),
    ].join('\n');
    return [
      '<question type="cloze">',
      `<name><text>${escaped(`${page.title}, ${problem.recipe} ${problem.seed}`)}</text></name>`,
      `<questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>`,
      `<generalfeedback format="html"><text><![CDATA[${workingList(page)}]]></text></generalfeedback>`,
      '</question>',
    ].join('\n');
  });
  const category = `<question type="category"><category><text>$course$/${escaped(title.replaceAll('/', '//'))}</text></category></question>`;
  const xml = [XML, '<quiz>', category, ...questions, '</quiz>', ''];
  return [{ path: 'quiz.xml', text: xml.join('\n') }];
}
