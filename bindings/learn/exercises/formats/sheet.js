// A sheet and its key, as Markdown, LaTeX or HTML.

import { escaped, html, table } from './html.js';
import { capitalised, equationOf, pageOf, SUBSCRIPT } from './page.js';
import { rulesOf } from './rules.js';

/** @typedef {import('./page.js').Matrix} Matrix */
/** @typedef {import('./page.js').Page} Page */
/** @typedef {import('./page.js').SheetSpeech} Speech */

/** How a form writes the parts of a sheet.
 * @typedef {object} Form
 * @property {string} extension
 * @property {(title: string, lang: string, body: string) => string} whole
 * @property {(level: 1 | 2, text: string) => string} heading
 * @property {(text: string) => string} paragraph
 * @property {(label: string) => string} blank a line to write on
 * @property {(matrix: Matrix, cell: (cell: import('./page.js').Cell) => string) => string} matrix
 * @property {(rows: string[]) => string} lines
 */

/** @param {string} text */
const markdown = (text) => text.replace(/[\\`*_[\]<>|#]/g, '\\$&');

/** What LaTeX takes for something else, and the signs that its fonts lack.
 * @type {Readonly<Record<string, string>>} */
const LATEX = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '^': '\\textasciicircum{}',
  _: '\\_',
  '%': '\\%',
  '~': '\\textasciitilde{}',
  '−': '$-$',
  '∞': '$\\infty$',
  '≈': '$\\approx$',
  '·': '$\\cdot$',
  '√': '$\\surd$',
  ᵀ: '$^{\\mathsf T}$',
  ᵗ: '$^t$',
  θ: '$\\theta$',
  β: '$\\beta$',
  '₁': '$_1$',
  '₂': '$_2$',
  ε: '$\\varepsilon$',
  σ: '$\\sigma$',
  '∂': '$\\partial$',
  '⁰': '$^0$',
};

/** Signs that stand side by side share their dollars; what a root or subscript is of stands in it.
 * @param {string} text */
const latex = (text) =>
  text
    .split(/(√?(?<![\p{L}\p{N}_])\p{L}_[\p{L}\p{N}]+|√\d+)/gu)
    .map((part, i) => (i % 2 ? subscripts(part) : signs(part)))
    .join('');

/** @param {string} text */
const signs = (text) =>
  text
    .replace(/[\\{}$&#^_%~−∞≈·√ᵀᵗθβ₁₂εσ∂⁰]/gu, (sign) => LATEX[sign])
    .replaceAll(/(?<!\\)\$\$/g, '');

/** @param {string} text */
function subscripts(text) {
  const symbol = text.replace('√', '').replace(SUBSCRIPT, (_, sign, sub) => {
    const letter = LATEX[sign]?.replaceAll('$', '') ?? sign;
    return sub.length > 1 ? `${letter}_{\\mathrm{${sub}}}` : `${letter}_{${sub}}`;
  });
  return text.startsWith('√') ? `$\\sqrt{${symbol}}$` : `$${symbol}$`;
}

/** @type {Readonly<Record<'markdown' | 'latex' | 'html', Form>>} */
export const FORMS = {
  markdown: {
    extension: 'md',
    whole: (_title, _lang, body) => `${body}\n`,
    heading: (level, text) => `${'#'.repeat(level)} ${markdown(text)}`,
    paragraph: markdown,
    blank: (label) => `${markdown(label)}: ${markdown('_'.repeat(40))}`,
    matrix: ({ title, symbol, rows, columns, cells }, cell) => {
      const head = `| ${markdown(symbol)} | ${columns.map(markdown).join(' | ')} |`;
      const rule = `| --- |${' ---: |'.repeat(columns.length)}`;
      const body = cells.map(
        (row, i) =>
          `| ${markdown(rows[i])} | ${row.map((one) => markdown(cell(one))).join(' | ')} |`,
      );
      return [...(title ? [markdown(capitalised(title)), ''] : []), head, rule, ...body].join('\n');
    },
    lines: (rows) => rows.map((row) => `- ${markdown(row)}`).join('\n'),
  },
  latex: {
    extension: 'tex',
    whole: (title, lang, body) =>
      [
        '\\documentclass[11pt,a4paper]{article}',
        '\\usepackage[utf8]{inputenc}',
        '\\usepackage[T1]{fontenc}',
        `\\usepackage[${{ en: 'english', fr: 'french', de: 'ngerman' }[lang]}]{babel}`,
        '\\usepackage[margin=2.2cm]{geometry}',
        '\\usepackage{array,textcomp}',
        '\\setlength{\\parindent}{0pt}\\setlength{\\parskip}{6pt}',
        '\\renewcommand{\\arraystretch}{1.4}',
        `\\title{${latex(title)}}\\date{}`,
        '\\begin{document}',
        body,
        '\\end{document}',
        '',
      ].join('\n'),
    heading: (level, text) => `\\${level === 1 ? 'section*' : 'subsection*'}{${latex(text)}}`,
    paragraph: latex,
    blank: (label) => `${latex(label)}: \\hrulefill`,
    matrix: ({ title, symbol, rows, columns, cells }, cell) => {
      const wide = 'p{1.6cm}|'.repeat(columns.length);
      const head = `${latex(symbol)} & ${columns.map(latex).join(' & ')} \\\\ \\hline`;
      const body = cells.map(
        (row, i) =>
          `${latex(rows[i])} & ${row.map((one) => latex(cell(one))).join(' & ')} \\\\ \\hline`,
      );
      return [
        '\\begin{minipage}{\\linewidth}',
        ...(title ? [`${latex(capitalised(title))}\\\\[4pt]`] : []),
        `\\begin{tabular}{l|${wide}}`,
        head,
        ...body,
        '\\end{tabular}',
        '\\end{minipage}',
      ].join('\n');
    },
    lines: (rows) =>
      `\\begin{itemize}\n${rows.map((row) => `\\item ${latex(row)}`).join('\n')}\n\\end{itemize}`,
  },
  html: {
    extension: 'html',
    whole: (title, lang, body) =>
      [
        '<!doctype html>',
        `<html lang="${lang}">`,
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        `<title>${escaped(title)}</title>`,
        `<style>
body { font: 12pt/1.45 Georgia, serif; margin: 2cm auto; max-width: 44rem; padding: 0 1rem; color: #111 }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem }
table { display: inline-table; vertical-align: top; border-collapse: collapse; margin: .6rem 2rem 1rem 0;
  break-inside: avoid }
caption { text-align: left; font-style: italic; padding-bottom: .2rem }
th { font-weight: normal; color: #555; padding: .1rem .6rem; text-align: right }
td { border: 1px solid #999; min-width: 3.4rem; height: 1.7rem; padding: .1rem .4rem; text-align: right;
  font-variant-numeric: tabular-nums }
td small { display: block; color: #555; font-size: 8pt; white-space: nowrap }
.blank { display: flex; gap: .5rem; margin: 0 0 1.4rem } .blank::after { content: ''; flex: 1; border-bottom: 1px solid #111 }
@page { size: A4; margin: 16mm }
@media print {
  body { margin: 0; max-width: none; padding: 0; font-size: 11pt }
  h1 { break-before: page } h1:first-of-type { break-before: auto } h1, h2 { break-after: avoid }
  p { margin: .5em 0 } table { margin-right: 1.2rem } td { min-width: 3rem } li { break-inside: avoid }
}
</style>`,
        body,
        '</html>',
        '',
      ].join('\n'),
    heading: (level, text) => `<h${level}>${html(text)}</h${level}>`,
    paragraph: (text) => `<p>${html(text)}</p>`,
    blank: (label) => `<p class="blank">${html(label)}</p>`,
    matrix: (matrix, cell) => table(matrix, (one) => html(cell(one))),
    lines: (rows) => `<ul>\n${rows.map((row) => `<li>${html(row)}</li>`).join('\n')}\n</ul>`,
  },
};

/** The sheet, and its key with the working.
 * @param {import('../../../js/glassformer.js').Glassformer} gf
 * @param {readonly import('../problem/problem.js').Problem[]} problems @param {Speech} speech
 * @param {import('./index.js').Quiz} quiz
 * @returns {{ path: string, text: string }[]} */
export function write(gf, problems, speech, { format, title }) {
  const { heading, paragraph, blank, matrix, lines, whole, extension } =
    FORMS[/** @type {keyof typeof FORMS} */ (format)];
  const { sheet } = speech.words;
  const pages = problems.map((problem) => ({ problem, page: pageOf(gf, problem, speech) }));
  /** @param {number} i @param {Page} page */
  const titleOf = (i, { title }) =>
    problems.length > 1 ? speech.say(sheet.variant, { title, n: String(i + 1) }) : title;
  const asked = pages.flatMap(({ page, problem }, i) => [
    heading(1, titleOf(i, page)),
    blank(sheet.name),
    paragraph(page.task),
    paragraph(page.rounding),
    paragraph(rulesOf(gf, problem, speech)),
    heading(2, sheet.given),
    ...(page.sizes ? [paragraph(page.sizes)] : []),
    ...page.given.map((one) => matrix(one, ({ text }) => text)),
    heading(2, sheet.asked),
    ...page.asked.map((one) => matrix(one, ({ text }) => text)),
  ]);
  const key = pages.flatMap(({ page, problem }, i) => {
    const values = new Map(
      page.key.map(({ name, value, accepted }) => [
        name,
        accepted ? `${value} (${accepted})` : value,
      ]),
    );
    const workings = page.key.map(equationOf).filter(Boolean);
    return [
      heading(1, `${titleOf(i, page)}: ${sheet.key}`),
      /* A teacher's numbers come from no seed. */
      ...(problem.indistinct
        ? []
        : [paragraph(speech.say(sheet.seed, { recipe: problem.recipe, seed: `${problem.seed}` }))]),
      ...(page.key.some(({ accepted }) => accepted) ? [paragraph(sheet.byRule)] : []),
      ...page.asked.map((one) =>
        matrix(one, ({ name, text }) => (name ? (values.get(name) ?? '') : text)),
      ),
      ...(workings.length ? [heading(2, sheet.working), lines(workings)] : []),
    ];
  });
  const [sheetText, keyText] = [asked, key].map((parts) => parts.join('\n\n'));
  return [
    { path: `sheet.${extension}`, text: whole(title, speech.lang, sheetText) },
    { path: `key.${extension}`, text: whole(`${title}: ${sheet.key}`, speech.lang, keyText) },
  ];
}
