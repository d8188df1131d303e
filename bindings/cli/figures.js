// glassformer figures: writes the files that course pages use, each one file with everything in it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packed } from '../generated/simd.js';
import { writeFiles } from './files.js';
import { FORCE, UsageError } from './usage.js';

const HELP = `glassformer figures [FOLDER]

Writes the files that show figures in course pages into a folder (by default
the present one), each complete in itself:

  embed.html           for frames: Moodle, Canvas, WordPress, Notion, slides
  element.js           for pages: <gf-attention>, <gf-transformer>, <gf-lesson>
  element.classic.js   the same for pages of other hosts or opened from a disk
  anywidget.js         for notebooks, MyST and Jupyter Book
  french-english.js    the translator, which <gf-transformer> loads
  lessons.js           the lessons, which <gf-lesson> loads
  motion.js            motion and arrows, which figures load on demand
  stories.js           the model that learned stories, for lessons that show it

  --force    replace files that exist and are others
  --json     the files written, as JSON
  --quiet    no list of files

Examples
  glassformer figures course/assets
  glassformer figures --json
`;

/** Around the figures' code in element.js, and what stands for it in the other forms. */
export const BEGIN = '/*figures[*/';
export const END = '/*]figures*/';
export const HOLE = '/*figures*/';

/** What stands for a model's weights in the script that carries them. */
export const NO_WEIGHTS = '""/*weights*/';

/** What stands for the core in element.js, which imports it: the package has it once. */
export const CORE = 'glassformerCore.base64';
export const IMPORT_CORE = "import{packed as glassformerCore}from'./simd.js';";

const generated = new URL('../generated/', import.meta.url);
/** Complete as they are in the package. */
const COMPLETE = ['lessons.js', 'motion.js'];
/** In the package without the figures' code. */
const FORMS = ['embed.html', 'element.classic.js', 'anywidget.js'];

/** @param {string} file below the generated ones */
const read = (file) => readFileSync(new URL(file, generated), 'utf8');

/** The element with the core in it, sign by sign as it was built: the frame's seal is of that. */
const withCore = () =>
  read('element.js')
    .replace(IMPORT_CORE, '')
    .replace(CORE, () => `\`${packed.base64}\``);

/** One of the forms with the figures' code in it, as a host takes it.
 * @param {string} name */
export function formOf(name) {
  const element = withCore();
  const code = element.slice(element.indexOf(BEGIN), element.indexOf(END) + END.length);
  return read(`figures/${name}`).replace(HOLE, () => code);
}

/** In the package the weights are a file for all: the element as it loads scripts of them from beside it. */
const element = () => withCore().replace(/\.\.\/data\/models\/([\w-]+)\.safetensors/g, '$1.js');

/** A script with a model's weights: pages from a disk and sandboxed frames load no other files.
 * @param {string} file @param {string} model */
function withWeights(file, model) {
  const weights = readFileSync(new URL(`../data/models/${model}.safetensors`, generated));
  return read(file).replace(NO_WEIGHTS, () => `"${weights.toString('base64')}"`);
}

/** @type {import('./usage.js').Command} */
export const figures = {
  help: HELP,
  flags: FORCE,
  async run({ flags, words, terminal }) {
    if (words.length > 1)
      throw new UsageError(`figures: expected one folder, received ${words.join(' ')}`);
    const [folder = '.'] = words;
    const contents = [
      ['element.js', element()],
      ['french-english.js', withWeights('french-english.js', 'french-english')],
      ['stories.js', withWeights('figures/stories.js', 'stories')],
      ...COMPLETE.map((name) => [name, read(name)]),
      ...FORMS.map((name) => [name, formOf(name)]),
    ].map(([name, content]) => /** @type {const} */ ([join(folder, String(name)), content]));
    const { signal } = terminal;
    await writeFiles(contents, { force: flags.force === true, folder, signal });
    const files = contents.map(([file]) => file);
    if (flags.json) return terminal.print(`${JSON.stringify({ files })}\n`);
    if (!flags.quiet) await terminal.print(files.map((file) => `${file}\n`).join(''));
  },
};
