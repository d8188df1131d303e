// Worked texts for the tests: a lesson's steps written in several notations, and mutated.

import { dice } from '../../bindings/js/base/random.js';
import { LESSONS } from './lessons.js';

/** @typedef {Record<string, string[][] | string>} Printed rows, or a number alone, by the names of the steps */

/** What a seed draws for a lesson: what is given, all steps, and the names of those that are computed.
 * @param {number} seed */
export function drawnFor(seed, lesson = LESSONS.attention) {
  const given = lesson.draw(dice(seed, 7));
  const steps = lesson.steps(given);
  return { given, steps, results: Object.keys(steps).filter((name) => !(name in given)) };
}

/** Cells as a text prints them: what is given and exact in full, the rest in so many decimals.
 * @returns {Printed} */
export const printedOf = (steps, decimals, { exact } = LESSONS.attention) =>
  Object.fromEntries(
    Object.entries(steps).map(([name, rows]) => {
      const isFull = exact.includes(name);
      const print = (x) => (isFull ? String(x + 0) : fixed(x, decimals));
      return [name, Array.isArray(rows) ? rows.map((row) => row.map(print)) : print(rows)];
    }),
  );

const fixed = (x, decimals) => x.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1');

const titleOf = (name, { titles }) => titles[name] ?? name;

/** @type {Record<string, (printed: Printed, lesson?: typeof LESSONS.attention) => string>} */
export const NOTATIONS = {
  markdown: (printed, lesson = LESSONS.attention) =>
    `# Worked by hand\n\n${Object.entries(printed)
      .map(([name, rows]) => {
        if (!Array.isArray(rows)) return `- ${titleOf(name, lesson)} = ${rows}\n`;
        const head = rows[0].map((_, j) => ` c${j} |`).join('');
        const rule = rows[0].map(() => '---|').join('');
        const body = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
        return `### ${titleOf(name, lesson)}\n\n|${head}\n|${rule}\n${body}\n`;
      })
      .join('\n')}`,
  latex: (printed, lesson = LESSONS.attention) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        const { titles, written } = lesson;
        const left = titles[name]
          ? `\\text{${titles[name]}}`
          : name
              .replace(/^(theta|beta|epsilon)/, '\\$1')
              .replace(/^([mv])_hat$/, '\\hat{$1}')
              .replace('_model', '_{model}');
        const middle = written[name] ? ` = ${written[name]}` : '';
        if (!Array.isArray(rows)) return `Let $${left}${middle} = ${rows}$.\n`;
        const body = rows.map((row) => row.join(' & ')).join(' \\\\\n');
        return `We get\n$$\n${left}${middle} = \\begin{bmatrix}\n${body}\n\\end{bmatrix}\n$$\n`;
      })
      .join('\n'),
  numpy: (printed, lesson = LESSONS.attention) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        const left = titleOf(name, lesson).toLowerCase().replace(' ', '_');
        if (!Array.isArray(rows)) return `${left} = ${rows}\n`;
        const body = rows.map((row) => `[${row.join(', ')}]`).join(',\n              ');
        return `${left} = np.array([${body}])\n`;
      })
      .join(''),
  prose: (printed, lesson = LESSONS.attention) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        if (!Array.isArray(rows)) return `${titleOf(name, lesson)}: ${rows}\n`;
        return `${titleOf(name, lesson)}:\n[${rows.map((r) => `[${r.join(', ')}]`).join(',\n ')}]\n`;
      })
      .join('\n'),
  html: (printed, lesson = LESSONS.attention) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        if (!Array.isArray(rows)) return `<p>${titleOf(name, lesson)} = ${rows}</p>\n`;
        const body = rows
          .map((row) => `<tr>${row.map((x) => `<td>${x}</td>`).join('')}</tr>`)
          .join('\n');
        return `<h3>${titleOf(name, lesson)}</h3>\n<table>\n${body}\n</table>\n`;
      })
      .join(''),
};

/** Whether a printed number is wrong by its own last digit. @param {string} text @param {number} value */
export function isWrong(text, value) {
  const unit = 10 ** -(text.split('.')[1] ?? '').length;
  return !(Math.abs(Number(text) - value) < unit * (1 - 1e-4));
}

/** A text with mistakes, and which of its numbers are wrong.
 * @param {number} seed @param {string} [name] of a lesson */
export function mutated(seed, name = 'attention') {
  const lesson = LESSONS[name];
  const roll = dice(seed, 99);
  const { given, steps: right, results } = drawnFor(seed, lesson);
  const kind = ['digit', 'rows', 'misconception'][roll(3)];
  const decimals = (name === 'schedule' ? 4 : 2) + roll(3);
  const mistake =
    kind === 'misconception' ? lesson.mistakes[roll(lesson.mistakes.length)] : undefined;
  const printed = printedOf(lesson.steps(given, mistake), decimals, lesson);
  const turnable = results.filter((step) => Array.isArray(right[step]) && right[step].length > 1);
  const isDigit = kind === 'digit' || (kind === 'rows' && !turnable.length);
  const at = isDigit ? results[roll(results.length)] : turnable[roll(turnable.length || 1)];
  if (isDigit) {
    for (let n = 1 + roll(2); n > 0; n--) {
      const rows = printed[at];
      const row = Array.isArray(rows) ? rows[roll(rows.length)] : [rows];
      const j = roll(row.length);
      row[j] = withOtherDigit(row[j], roll);
      if (!Array.isArray(rows)) [printed[at]] = row;
    }
  } else if (kind === 'rows') {
    const [first, second, ...others] = printed[at];
    printed[at] = [second, first, ...others];
  }
  const notation = Object.keys(NOTATIONS)[roll(Object.keys(NOTATIONS).length)];
  const cells = Object.entries(printed).flatMap(([step, rows]) =>
    (Array.isArray(rows) ? rows : [[rows]]).flatMap((row, i) =>
      row.map((text, j) => ({ step, text, value: right[step][i]?.[j] ?? right[step] })),
    ),
  );
  return {
    text: NOTATIONS[notation](printed, lesson),
    notation,
    kind,
    mistake,
    wrong: cells.map(({ text, value }) => isWrong(text, value)),
    cells,
  };
}

/** @param {string} text @param {(n: number) => number} roll */
function withOtherDigit(text, roll) {
  const places = [...text].flatMap((c, at) => (/\d/.test(c) ? [at] : []));
  const at = places[roll(places.length)];
  const digit = (Number(text[at]) + 1 + roll(8)) % 10;
  return text.slice(0, at) + digit + text.slice(at + 1);
}
