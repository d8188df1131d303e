// Moodle XML: a category for each recipe, one cloze question for each problem, one gap for each cell. Each gap knows the values of the known
// mistakes, with their sentences, so that the question bank needs nothing but this file.

import { escaped, html, introduction, table, workingList, writing, XML } from './html.js';
import { pageOf } from './page.js';
import { infinities, plain, worthIn, wrongAnswers } from './wrong.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').SheetSpeech} Speech */

/** What ends an answer or a gap in Moodle's cloze grammar. @param {string} text */
const cloze = (text) => escaped(text).replace(/[\\}#~/"]/g, '\\$&');

/** @param {Problem} problem @param {string} cell @param {number | undefined} worth @param {Speech} speech */
function gap(problem, cell, worth, { words }) {
  const { value, band } = problem.solution[cell];
  if (!Number.isFinite(value)) {
    return `{${worth}:SHORTANSWER:${infinities(value)
      .map((way) => `=${cloze(way)}`)
      .join('~')}}`;
  }
  const answers = [
    `=${plain(value)}:${plain(band)}#${cloze(words.states.right)}`,
    ...wrongAnswers(problem, cell, words).map(
      (one) => `%0%${plain(one.value)}:${plain(band)}#${cloze(one.sentence)}`,
    ),
  ];
  return `{${worth}:NUMERICAL:${answers.join('~')}}`;
}

/** @param {string} title of the quiz @param {string} recipe by its title */
function categoryOf(title, recipe) {
  const path = ['$course$', ...[title, recipe].map((part) => part.replaceAll('/', '//'))].join('/');
  return `<question type="category"><category><text>${escaped(path)}</text></category></question>`;
}

/** The question bank.
 * @param {import('../../../js/glassformer.js').Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {{ path: string, text: string }[]} */
export function write(gf, problems, speech, { title }) {
  const { sheet } = speech.words;
  let category = '';
  const questions = problems.flatMap((problem) => {
    const page = pageOf(gf, problem, speech);
    const worth = worthIn(gf, problem);
    const values = new Map(page.key.map(({ name, value }) => [name, value]));
    /* A random question takes all of a category: other recipes and titles have others. */
    const next = categoryOf(title, page.title);
    const heading = next === category ? [] : [next];
    category = next;
    const text = [
      ...introduction(page, speech),
      `<h4>${html(sheet.asked)}</h4>`,
      writing(problem, speech),
      ...page.asked.map((matrix) =>
        table(matrix, ({ name, text }) =>
          name && worth.get(name)
            ? gap(problem, name, worth.get(name), speech)
            : html(name ? (values.get(name) ?? '') : text),
        ),
      ),
    ].join('\n');
    return [
      ...heading,
      '<question type="cloze">',
      `<name><text>${escaped(`${page.title}, ${problem.seed}`)}</text></name>`,
      `<questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>`,
      `<generalfeedback format="html"><text><![CDATA[${workingList(page)}]]></text></generalfeedback>`,
      '</question>',
    ].join('\n');
  });
  const xml = [XML, '<quiz>', ...questions, '</quiz>', ''];
  return [{ path: 'quiz.xml', text: xml.join('\n') }];
}
