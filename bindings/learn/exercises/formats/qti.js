// QTI 1.2 in the dialect of Canvas: a quiz for each problem, with what is given as a text, then one question for each cell.
// Canvas could draw one question of several, but each by itself: the cells of a problem would be of different ones.
//
// Canvas takes every range of a numerical question for a right answer, whatever score the range sets. So the known
// mistakes are in what it shows after any wrong answer, each with its number.

import { decimalsOf } from '../problem/problem.js';
import { escaped, html, introduction, table, writing, XML, XSI } from './html.js';
import { equationOf, pageOf } from './page.js';
import { BEYOND, infinities, plain, worthIn, wrongAnswers } from './wrong.js';
import { digest } from './zip.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').Page} Page */
/** @typedef {import('./page.js').SheetSpeech} Speech */

/** Points of each quiz, so that variants are worth the same. */
const POINTS = 100;

const SCHEMA = 'http://www.imsglobal.org/xsd';

/** @param {string} content as HTML */
const material = (content) =>
  `<material><mattext texttype="text/html">${escaped(content)}</mattext></material>`;

/** @param {Record<string, string>} fields */
const metadata = (fields) =>
  `<qtimetadata>${Object.entries(fields)
    .map(
      ([label, entry]) =>
        `<qtimetadatafield><fieldlabel>${label}</fieldlabel><fieldentry>${entry}</fieldentry></qtimetadatafield>`,
    )
    .join('')}</qtimetadata>`;

/** @param {string} name of a feedback @param {string} content as HTML */
const feedback = (name, content) =>
  `<itemfeedback ident="${name}"><flow_mat>${material(content)}</flow_mat></itemfeedback>`;

/** @param {string} name of a feedback */
const shown = (name) => `<displayfeedback feedbacktype="Response" linkrefid="${name}"/>`;

/** @param {string} id @param {string} title @param {string} type @param {number} points @param {string} body */
const item = (id, title, type, points, body) =>
  [
    `<item ident="${id}" title="${escaped(title)}">`,
    `<itemmetadata>${metadata({
      question_type: type,
      points_possible: String(points),
      original_answer_ids: '',
      assessment_question_identifierref: `${id}_question`,
    })}</itemmetadata>`,
    body,
    '</item>',
  ].join('\n');

/** Which answers are right. @param {{ value: number, band: number }} solution */
function rightAnswers({ value, band }) {
  const equal = (/** @type {string} */ answer) =>
    `<varequal respident="response1">${escaped(answer)}</varequal>`;
  if (!Number.isFinite(value)) return infinities(value).map(equal).join('');
  const off = band + BEYOND;
  const [low, high] = [plain(value - off), plain(value + off)];
  const range = `<vargte respident="response1">${low}</vargte><varlte respident="response1">${high}</varlte>`;
  return `<or>${equal(plain(value))}<and>${range}</and></or>`;
}

/** One cell. @param {Problem} problem @param {import('./page.js').KeyEntry} entry of the key @param {string} id
 * @param {string} question as HTML @param {number} points @param {Speech} speech */
function questionOf(problem, entry, id, question, points, speech) {
  const { name: cell } = entry;
  const { words } = speech;
  const solution = problem.solution[cell];
  const isNumber = Number.isFinite(solution.value);
  const wrong = isNumber ? wrongAnswers(problem, cell, words) : [];
  const decimals = decimalsOf(problem.policy);
  const mistakes = wrong.map(
    ({ value, sentence }) => `<li>${html(`${speech.number(value, decimals)}: ${sentence}`)}</li>`,
  );
  const incorrect = `<p>${html(words.sheet.mistakes)}</p><ul>${mistakes.join('')}</ul>`;
  const body = [
    '<presentation>',
    material(question),
    '<response_str ident="response1" rcardinality="Single">',
    isNumber
      ? '<render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib>'
      : '<render_fib><response_label ident="answer1" rshuffle="No"/></render_fib>',
    '</response_str>',
    '</presentation>',
    '<resprocessing>',
    '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>',
    `<respcondition continue="No"><conditionvar>${rightAnswers(solution)}</conditionvar>`,
    `<setvar action="Set" varname="SCORE">100</setvar>${shown('correct_fb')}</respcondition>`,
    ...(mistakes.length
      ? [
          `<respcondition continue="Yes"><conditionvar><other/></conditionvar>${shown('general_incorrect_fb')}</respcondition>`,
        ]
      : []),
    '</resprocessing>',
    feedback('correct_fb', html([words.states.right, equationOf(entry)].filter(Boolean).join(' '))),
    ...(mistakes.length ? [feedback('general_incorrect_fb', incorrect)] : []),
  ];
  const type = isNumber ? 'numerical_question' : 'short_answer_question';
  return item(id, entry.label, type, points, body.join('\n'));
}

/** The points of each cell, to hundredths, so that all together are those of a quiz.
 * @param {ReadonlyMap<string, number>} worth of each cell */
function pointsFrom(worth) {
  const all = [...worth.values()].reduce((sum, one) => sum + one, 0);
  let before = 0;
  let shared = 0;
  return new Map(
    [...worth].map(([cell, one]) => {
      before += one;
      const points = Math.round((100 * POINTS * before) / all) - shared;
      shared += points;
      return [cell, points / 100];
    }),
  );
}

/** @param {Problem} problem @param {Page} page @param {Map<string, number>} worth @param {string} id @param {Speech} speech */
function itemsOf(problem, page, worth, id, speech) {
  const text = [...introduction(page, speech), writing(problem, speech)].join('\n');
  const presentation = `<presentation>${material(text)}</presentation>`;
  const entries = new Map(page.key.map((entry) => [entry.name, entry]));
  const questions = page.asked.flatMap((matrix) =>
    matrix.cells.flat().flatMap(({ name: asked }) => {
      const entry = entries.get(asked ?? '');
      const points = worth.get(asked ?? '');
      if (!entry || !points) return [];
      const cellOf = (/** @type {import('./page.js').Cell} */ { name, text }) => {
        if (name === asked) return '<strong>?</strong>';
        return html(name && !worth.get(name) ? (entries.get(name)?.value ?? '') : text);
      };
      const cell = `${id}_${problem.asked.indexOf(entry.name) + 1}`;
      return [questionOf(problem, entry, cell, table(matrix, cellOf), points, speech)];
    }),
  );
  return [item(`${id}_given`, page.title, 'text_only_question', 0, presentation), ...questions];
}

/** What Canvas keeps of a quiz beside its questions. @param {string} id @param {string} title */
const about = (id, title) =>
  [
    XML,
    `<quiz identifier="${id}" xmlns="http://canvas.instructure.com/xsd/cccv1p0" ${XSI} xsi:schemaLocation="http://canvas.instructure.com/xsd/cccv1p0 https://canvas.instructure.com/xsd/cccv1p0.xsd">`,
    `<title>${escaped(title)}</title>`,
    '<shuffle_answers>false</shuffle_answers>',
    '<scoring_policy>keep_highest</scoring_policy>',
    '<quiz_type>assignment</quiz_type>',
    `<points_possible>${POINTS}.0</points_possible>`,
    '<show_correct_answers>false</show_correct_answers>',
    '<allowed_attempts>1</allowed_attempts>',
    '<one_question_at_a_time>false</one_question_at_a_time>',
    '<available>false</available>',
    '</quiz>',
    '',
  ].join('\n');

/** @param {string} id @param {string} title @param {readonly string[]} items */
const assessment = (id, title, items) =>
  [
    XML,
    `<questestinterop xmlns="${SCHEMA}/ims_qtiasiv1p2" ${XSI} xsi:schemaLocation="${SCHEMA}/ims_qtiasiv1p2 ${SCHEMA}/ims_qtiasiv1p2p1.xsd">`,
    `<assessment ident="${id}" title="${escaped(title)}">`,
    metadata({ cc_maxattempts: '1' }),
    '<section ident="root_section">',
    ...items,
    '</section>',
    '</assessment>',
    '</questestinterop>',
    '',
  ].join('\n');

/** @param {string} id @param {string} title @param {readonly string[]} quizzes their identifiers */
const manifest = (id, title, quizzes) =>
  [
    XML,
    `<manifest identifier="${id}_manifest" xmlns="${SCHEMA}/imsccv1p1/imscp_v1p1" xmlns:imsmd="${SCHEMA}/imsmd_v1p2" ${XSI} xsi:schemaLocation="${SCHEMA}/imsccv1p1/imscp_v1p1 ${SCHEMA}/imscp_v1p1.xsd ${SCHEMA}/imsmd_v1p2 ${SCHEMA}/imsmd_v1p2p2.xsd">`,
    '<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion>',
    `<imsmd:lom><imsmd:general><imsmd:title><imsmd:string>${escaped(title)}</imsmd:string></imsmd:title></imsmd:general></imsmd:lom>`,
    '</metadata>',
    '<organizations/>',
    '<resources>',
    ...quizzes.flatMap((quiz) => [
      `<resource identifier="${quiz}" type="imsqti_xmlv1p2"><file href="${quiz}/${quiz}.xml"/><dependency identifierref="${quiz}_meta"/></resource>`,
      `<resource identifier="${quiz}_meta" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="${quiz}/assessment_meta.xml"><file href="${quiz}/assessment_meta.xml"/></resource>`,
    ]),
    '</resources>',
    '</manifest>',
    '',
  ].join('\n');

/** The files of the package.
 * @param {import('../../../js/glassformer.js').Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {{ path: string, text: string }[]} */
export function write(gf, problems, speech, { title }) {
  const id = `glassformer_${digest(JSON.stringify([speech.lang, problems]))}`;
  const quizzes = problems.map((problem, i) => {
    const page = pageOf(gf, problem, speech);
    const worth = pointsFrom(worthIn(gf, problem));
    const name =
      problems.length > 1 ? `${title}: ${page.title}, ${i + 1}` : `${title}: ${page.title}`;
    const quiz = `${id}_${i + 1}`;
    return { quiz, name, items: itemsOf(problem, page, worth, quiz, speech) };
  });
  const files = quizzes.flatMap(({ quiz, name, items }) => [
    { path: `${quiz}/${quiz}.xml`, text: assessment(quiz, name, items) },
    { path: `${quiz}/assessment_meta.xml`, text: about(quiz, name) },
  ]);
  const names = quizzes.map(({ quiz }) => quiz);
  return [{ path: 'imsmanifest.xml', text: manifest(id, title, names) }, ...files];
}
