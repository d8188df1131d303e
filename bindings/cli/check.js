// glassformer check: whether the numbers of a worked text are right.

import { writeFileSync } from 'node:fs';
import { check as checkText, fixed } from '../checker/index.js';
import { load } from '../index.js';
import { reasonOf, refusing, string, UsageError } from './usage.js';

const HELP = `glassformer check FILE

Checks the numbers of a worked text in Markdown, LaTeX, HTML, Python or prose: finds
matrices and equations, computes them again, and lists each printed number that is
wrong by its own last digit, with the cause. FILE may be -, standard input.

  --fix OUT   write the text with the numbers corrected; all else stays as it is
  --json      {"flags": [...], "relations": [...], "notUnderstood": [...]}
  --quiet     the number of flags alone

Exit status: 0 nothing wrong, 3 wrong numbers found, 1 a file cannot be read or
written, 2 usage error.

Examples
  glassformer check lesson.md
  glassformer check lesson.tex --fix corrected.tex
  echo '1.1 × 0.2 + 0.1 × 1.2 = 0.43' | glassformer check -
`;

const FLAGGED = 3;

/** @param {import('../checker/index.js').Flag} flag @param {number} i */
function lineOf({ line, column, printed, computed, cause, follows }, i) {
  const from = follows ? `carried from ${follows}` : cause;
  return `${i + 1}. ${line}:${column}  printed ${printed}, computed ${Number(computed.toPrecision(6))}  (${from})\n`;
}

/** @param {import('../checker/index.js').Checked} checked */
function textOf({ flags, relations, notUnderstood }) {
  const unread = notUnderstood.map(
    ({ line, text }) => `not understood, line ${line}: ${text.replace(/\s+/g, ' ').slice(0, 60)}\n`,
  );
  const total = `${flags.length} wrong of what ${relations.length} relations give\n`;
  return flags.map(lineOf).join('') + unread.join('') + total;
}

/** @type {import('./usage.js').Command} */
export const check = {
  help: HELP,
  flags: { fix: { type: 'string' } },
  async run({ flags, words, terminal }) {
    if (words.length !== 1) {
      const received = words.length ? words.join(' ') : 'nothing';
      throw new UsageError(`check: expected one FILE, received ${received}`);
    }
    const [file] = words;
    const text = await terminal.text(file);
    const gf = await load();
    const checked = refusing(file, () => checkText(gf, text));
    const out = string(flags, 'fix');
    if (out !== undefined) {
      try {
        writeFileSync(out, fixed(text, checked.flags));
      } catch (error) {
        throw reasonOf(out, error);
      }
    }
    const told = flags.quiet ? `${checked.flags.length}\n` : textOf(checked);
    await terminal.print(flags.json ? `${JSON.stringify(checked, infinite)}\n` : told);
    return checked.flags.length ? FLAGGED : 0;
  },
};

/** JSON has no infinities. @param {string} _ @param {unknown} value */
const infinite = (_, value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
