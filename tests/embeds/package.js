// Packages of exercises as their hosts have them: unpacked beside a page of the host's.

import { load } from '../../bindings/index.js';
import { unmasked } from '../../bindings/learn/exercises/formats/masked.js';
import { exercise, exportQuiz } from '../../bindings/learn/exercises/index.js';
import { unzipped } from '../exercises/unzipped.js';
import { launch, open, serve } from '../web/browser.js';
import { root } from './example.js';

const gf = await load();

/**
 * The problems of a recipe, by their seeds.
 * @param {string} recipe @param {readonly number[]} seeds
 */
export const problemsOf = (recipe, seeds = [1]) =>
  seeds.map((seed) => exercise(gf, recipe, { seed }));

/**
 * The files of a package, as texts.
 * @param {import('../../bindings/learn/exercises/index.js').Problem[]} problems
 * @param {Partial<Parameters<typeof exportQuiz>[2]>} [options]
 */
export async function unpacked(problems, options) {
  const [{ data }] = await exportQuiz(gf, problems, { format: 'scorm12', ...options });
  return new Map([...unzipped(data)].map(([file, bytes]) => [file, bytes.toString()]));
}

/** The head of what a package keeps of its first problem: how it names it. @param {Map<string, string>} files */
export function headOf(files) {
  const [, content] = /id="package">"([^"]*)"</.exec(files.get('index.html'));
  const [{ recipe, seed }] = JSON.parse(unmasked(content)).problems;
  return `1;${recipe};${seed}`;
}

/** The right answers, in the order in which they are asked.
 * @param {import('../../bindings/learn/exercises/index.js').Problem} problem */
export const rightOf = ({ asked, solution }) => asked.map((name) => String(solution[name].value));

/**
 * A host's page from this repository, with a package beside it.
 * @param {import('node:test').TestContext} context that it lives as long as
 * @param {string} folder of the host's page
 * @param {Map<string, string>} files
 */
export async function hosted(context, folder, files) {
  const [site, browser] = await Promise.all([serve({ folder: root }), launch()]);
  context.after(async () => {
    await browser.close();
    site.close();
  });
  const at = `tests/embeds/${folder}/`;
  for (const [file, text] of files) site.pages.set(`${at}package/${file}`, text);
  /** @param {string} [query] @param {Parameters<typeof open>[2]} [options] */
  const visit = async (query = '', options = {}) => {
    const opened = await open(browser, `${site.url}${at}index.html${query}`, {
      ready: 'iframe',
      ...options,
    });
    return { ...opened, frame: opened.page.frameLocator('iframe') };
  };
  return { site, browser, at, visit };
}

/** @param {any} frame @param {number} place */
export const field = (frame, place) => frame.locator(`input[data-place="${place}"]`);

/** Types answers, each into its cell. @param {any} frame @param {readonly string[]} answers */
export async function type(frame, answers) {
  for (const [place, answer] of answers.entries()) {
    await field(frame, place).fill(answer);
    await field(frame, place).press('Enter');
  }
}

/** What stands in the cells. @param {any} frame @param {number} n */
export async function typed(frame, n) {
  await field(frame, 0).waitFor();
  return Promise.all(Array.from({ length: n }, (_, place) => field(frame, place).inputValue()));
}

export const checkAll = (frame) => frame.getByRole('button', { name: 'Check all' }).click();
export const score = (frame) => frame.locator('.score p').textContent();
export const keeper = (frame) => frame.locator('.keeper p').textContent();
/** What it says of a platform that answers. */
export const PLATFORM_KEEPS =
  'Your learning platform saves your work. Check as often as you like: the best mark counts. Cells that you never checked count as empty.';
