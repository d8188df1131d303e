// Moodle XML: one cloze question for each problem, one gap for each cell. Each gap knows the values of the known
// mistakes, with their sentences, so that the question bank needs nothing but this file.

import { pageOf } from './page.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').Matrix} Matrix */
/** @typedef {import('./page.js').Speech} Speech */

/** @param {string} text */
const html = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** What ends an answer or a gap in Moodle's cloze grammar. @param {string} text */
const cloze = (text) => html(text).replace(/[\\}#~/"]/g, '\\$&');

/** A number as Moodle reads it: plain decimals. @param {number} x */
const plain = (x) => {
  const text = x.toFixed(9).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

/** @param {Problem} problem @param {string} cell @param {Speech} speech */
function gap({ solution, misconceptions }, cell, { words }) {
  const { value, band } = solution[cell];
  if (!Number.isFinite(value)) {
    const ways =
      value > 0 ? ['∞', 'inf', 'infinity', '+∞'] : ['−∞', '-∞', '-inf', '−inf', '-infinity'];
    return `{1:SHORTANSWER:${ways.map((way) => `=${cloze(way)}`).join('~')}}`;
  }
  const answers = [`=${plain(value)}:${plain(band)}#${cloze(words.states.right)}`];
  /* Where two mistakes give the same number, neither is named. */
  const wrong = Object.entries(misconceptions)
    .filter(([, cells]) => cell in cells && Number.isFinite(cells[cell]))
    .map(([name, cells]) => ({ name, value: cells[cell] }))
    .filter((one) => Math.abs(one.value - value) > 2 * band);
  for (const one of wrong) {
    if (wrong.some((other) => other !== one && Math.abs(other.value - one.value) <= 2 * band))
      continue;
    const sentence =
      words.misconceptions[/** @type {keyof typeof words.misconceptions} */ (one.name)];
    answers.push(`%0%${plain(one.value)}:${plain(band)}#${cloze(sentence)}`);
  }
  return `{1:NUMERICAL:${answers.join('~')}}`;
}

/** @param {Matrix} matrix @param {(cell: import('./page.js').Cell) => string} cell */
const table = ({ title, symbol, rows, columns, cells }, cell) =>
  [
    '<table>',
    ...(title ? [`<caption>${html(title)}</caption>`] : []),
    `<tr><th>${html(symbol)}</th>${columns.map((label) => `<th scope="col">${html(label)}</th>`).join('')}</tr>`,
    ...cells.map(
      (row, i) =>
        `<tr><th scope="row">${html(rows[i])}</th>${row.map((one) => `<td>${cell(one)}</td>`).join('')}</tr>`,
    ),
    '</table>',
  ].join('');

/** The question bank.
 * @param {import('../../glassformer.js').Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {{ path: string, text: string }[]} */
export function moodle(gf, problems, speech, { title }) {
  const { sheet } = speech.words;
  const questions = problems.map((problem) => {
    const page = pageOf(gf, problem, speech);
    const text = [
      `<p>${html(page.task)} ${html(page.rounding)}</p>`,
      `<h4>${html(sheet.given)}</h4>`,
      ...page.given.map((matrix) => table(matrix, ({ text }) => html(text))),
      `<h4>${html(sheet.asked)}</h4>`,
      ...page.asked.map((matrix) =>
        table(matrix, ({ name, text }) => (name ? gap(problem, name, speech) : html(text))),
      ),
    ].join('\n');
    const working = page.key
      .filter((one) => one.working)
      .map((one) => `<li>${html(`${one.working} = ${one.value}`)}</li>`);
    return [
      '<question type="cloze">',
      `<name><text>${html(`${page.title}, ${problem.recipe} ${problem.seed}`)}</text></name>`,
      `<questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>`,
      `<generalfeedback format="html"><text><![CDATA[<ul>${working.join('')}</ul>]]></text></generalfeedback>`,
      '</question>',
    ].join('\n');
  });
  const category = `<question type="category"><category><text>$course$/${html(title.replaceAll('/', '//'))}</text></category></question>`;
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<quiz>',
    category,
    ...questions,
    '</quiz>',
    '',
  ];
  return [{ path: 'quiz.xml', text: xml.join('\n') }];
}
