// glassformer check: whether the numbers of a worked text are right.

import { existsSync } from 'node:fs';
import { load } from '../index.js';
import { jsonValue } from '../js/base/file.js';
import { languages } from '../js/base/speech.js';
import { check as checkText, fixed } from '../learn/checker/index.js';
import { languageOf } from '../learn/checker/speech/language.js';
import { encodingOf, refuseUtf32 } from './encoding.js';
import { areSame, writeFiles } from './files.js';
import { defined, FORCE, LANG, onOneLine, path, refusing, UsageError, word } from './usage.js';

const HELP = `glassformer check FILE

Checks the numbers of a worked text in Markdown, LaTeX, HTML, Python, prose or a
notebook: finds tables, matrices and equations, computes them again, and lists
each printed number that is wrong by its own last digit, with the cause. A
number is right if it is the computed one, rounded; an equation in prose may
also hold for the rounded numbers that it prints. Lists truncated numbers, and
what it does not understand and why. FILE may be -, standard input.

  --fix OUT     write the text with the numbers corrected; all else stays as it
                is. Prints the changed lines first and, at a terminal, asks
    --yes       do not ask
    --force     replace OUT if it exists, even if it is FILE
  --rounding lenient|strict
                strict: a number that is cut off (2/3 = 0.66) is wrong, and
                --fix also corrects what was computed from numbers that were
                rounded too early; lenient, the default, notes both
  --lang LANG   ${LANG}
  --json        {"checked", "flags", "truncated", "relations", "notUnderstood"},
                as docs/schemas/check.schema.json has it
  --quiet       the number of wrong numbers alone

Exit status: 0 nothing wrong, 3 wrong numbers found, 1 a file cannot be read or
written, 2 usage error. Numbers before which another was rounded too early are
listed, but alone they give 0, except with --rounding strict.

Examples
  glassformer check lesson.md
  glassformer check lesson.tex --fix corrected.tex
  glassformer check lesson.ipynb --json --lang fr
  echo '1.1 × 0.2 + 0.1 × 1.2 = 0.43' | glassformer check -
`;

const FLAGGED = 3;

/** Characters of a text that are shown where it is not understood. */
const MAX_SHOWN_CHARACTERS = 60;

/** What may be a character of UTF-8 beyond ASCII, or a byte that is none, each byte as a character. */
const BYTES =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

/** Where such a byte is kept as a character: as half of a pair, which no text has. */
const STRAY_BYTE = 0xdc00;

/** A file's text, and what makes bytes of it again: the same ones where nothing is changed.
 * @param {string} file @param {Uint8Array} content
 * @returns {{ text: string, encoded: (text: string) => Buffer }} */
function decoded(file, content) {
  refuseUtf32(file, content);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const encoding = encodingOf(bytes);
  /* Node writes no big-endian UTF-16: it is little-endian with its bytes swapped. */
  const isSwapped = encoding === 'utf-16be' && bytes.length % 2 === 0;
  const ordered = isSwapped ? Buffer.from(bytes).swap16() : bytes;
  const name = encoding === 'utf-8' ? 'utf8' : 'utf16le';
  const ours = ordered.toString(name);
  const written = (/** @type {string} */ text) => {
    const made = Buffer.from(text, name);
    return isSwapped ? made.swap16() : made;
  };
  if (bytes.equals(written(ours))) return { text: ours, encoded: written };
  const latin = bytes.toString('latin1');
  const text = latin.replace(BYTES, (part) => {
    const character = Buffer.from(part, 'latin1').toString();
    if (!character.includes('\uFFFD')) return character;
    return part.replace(/./g, (byte) => String.fromCharCode(STRAY_BYTE + byte.charCodeAt(0)));
  });
  const isLatin = !/[^\0-\x7f\udc80-\udcff]/u.test(text);
  if (isLatin) return { text: latin, encoded: (text) => Buffer.from(text, 'latin1') };
  const encoded = (/** @type {string} */ text) =>
    Buffer.concat(
      text
        .split(/([\udc80-\udcff])/u)
        .map((part, i) => (i % 2 ? Buffer.of(part.charCodeAt(0) - STRAY_BYTE) : Buffer.from(part))),
    );
  return { text, encoded };
}

/** @param {import('../learn/checker/index.js').Checked} checked @param {import('../learn/checker/index.js').Language} [lang] */
function textOf({ checked, flags, truncated, notUnderstood }, lang) {
  const speech = languageOf('check', defined({ lang }));
  const { words } = speech;
  const lines = [
    ...flags.map(
      ({ line, column, message }, i) => `${i + 1}. ${line}:${column}  ${onOneLine(message, 400)}`,
    ),
    ...truncated.map(({ line, column, message }) => `   ${line}:${column}  ${message}`),
    ...notUnderstood.map(({ line, text, message }) =>
      speech.say(words.notUnderstood, {
        line: String(line),
        text: onOneLine(text, MAX_SHOWN_CHARACTERS),
        why: message,
      }),
    ),
    checked > 0
      ? speech.say(words.total, { wrong: String(flags.length), checked: String(checked) })
      : words.nothing,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The lines that differ, as diff shows them. @param {string} before @param {string} after with as many lines */
function diffOf(before, after) {
  const lines = after.split('\n');
  return before
    .split('\n')
    .flatMap((line, i) =>
      line === lines[i] ? [] : [`@@ ${i + 1} @@`, `- ${line.trimEnd()}`, `+ ${lines[i].trimEnd()}`],
    )
    .join('\n');
}

/** Writes the corrected text, once its changes are shown and agreed to.
 * @param {{ file: string, out: string, text: string, corrected: string, encoded: (text: string) => Buffer }} files
 * @param {{ force: boolean, yes: boolean }} flags @param {import('./terminal.js').Terminal} terminal */
async function write({ file, out, text, corrected, encoded }, { force, yes }, terminal) {
  const diff = diffOf(text, corrected);
  /* What is refused needs no changes shown. */
  if (diff && (force || !existsSync(out))) terminal.note(diff);
  const isAsked = !yes && file !== '-' && diff && (force || !existsSync(out));
  const isAgreed = !isAsked || (await terminal.agrees(`Write ${out}? [y/N]`));
  if (!isAgreed) {
    terminal.note(`${out} is not written`);
    return;
  }
  const isInPlace = areSame(out, file);
  await writeFiles([[out, encoded(corrected)]], { force, signal: terminal.signal });
  if (isInPlace) terminal.note(`replaced ${out} by its corrected text`);
}

/** @type {import('./usage.js').Command} */
export const check = {
  help: HELP,
  flags: {
    fix: { type: 'string' },
    yes: { type: 'boolean' },
    ...FORCE,
    rounding: { type: 'string' },
    lang: { type: 'string' },
  },
  async run({ flags, words, terminal }) {
    if (words.length !== 1) {
      const received = words.length ? words.join(' ') : 'nothing';
      throw new UsageError(`check: expected one FILE, received ${received}`);
    }
    const lang = /** @type {any} */ (word(flags, 'lang', languages));
    const rounding = /** @type {any} */ (word(flags, 'rounding', ['lenient', 'strict']));
    const out = path(flags, 'fix');
    const [file] = words;
    const { text, encoded } = decoded(file, await terminal.bytes(file));
    const gf = await load();
    const checked = refusing(file, () => checkText(gf, text, defined({ lang, rounding })));
    if (out !== undefined) {
      const corrected = fixed(text, checked.flags, defined({ rounding }));
      const how = { force: flags.force === true, yes: flags.yes === true };
      await write({ file, out, text, corrected, encoded }, how, terminal);
    }
    const resultText = flags.quiet ? `${checked.flags.length}\n` : textOf(checked, lang);
    await terminal.print(flags.json ? `${JSON.stringify(checked, jsonValue)}\n` : resultText);
    const isWrong = checked.flags.some(({ cause }) => cause !== 'rounded' || rounding === 'strict');
    return isWrong ? FLAGGED : 0;
  },
};
