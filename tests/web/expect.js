// What the tests of the page's chapters expect of all of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { displays, displaysLess } from './rounding.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Where a cell lies in the data of its node. */
export const flat = (shape, index) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

/** Whether a text is a probability in percent, to hundredths; one that is neither 0 nor 1 never looks so.
 * @param {string} text @param {number} share */
export function displaysPercent(text, share) {
  const [, sign, number] = /^([<>]?)\s?(\d+(?:[.,]\d{1,2})?)\s?%$/.exec(text) ?? [];
  const percent = Number(number?.replace(',', '.'));
  if (sign === '<') return percent === 0.01 && share < 1e-4;
  if (sign === '>') return percent === 99.99 && share > 0.9999;
  return Math.abs(percent - 100 * share) <= 0.005 + 1e-9 && (share === 1) === (percent === 100);
}

/**
 * Every number on the page is that of the core, bit for bit, and its text is that, rounded.
 * @param {{ node: string, index: number[], value: string, run: string, text: string,
 *   isPixel: boolean }[]} shown
 * @param {Record<string, import('../../bindings/js/trace/trace-example.js').Trace>} runs page, and what is beside it
 */
export function compare(shown, runs) {
  assert.ok(shown.length > 0, 'no number on the page');
  for (const { node, index, value, run, text, isPixel } of shown) {
    const step = runs[run].step(node);
    assert.equal(index.length, step.shape.length, `${node} ${index}`);
    const computed = step.data[flat(step.shape, index)];
    const at = `${node}[${index}] shows ${text} (${value}), the core has ${computed}`;
    assert.ok(Object.is(Math.fround(Number(value)), computed), at);
    const shownAs = text.replace(/^.*: /s, '').replace(/[()]/g, '');
    const less = shownAs.startsWith('<') ? displaysLess : displays;
    const isShown = text.endsWith('%') ? displaysPercent : less;
    assert.ok(isPixel || isShown(shownAs, computed), at);
  }
}

/** The last moment of each stage. */
export const ends = (line) =>
  line.stages.map((_, k) => (line.first[k + 1] ?? line.moments.length) - 1);

/**
 * What axe finds.
 * @param {import('playwright-core').Page} page
 * @param {{ runOnly?: readonly string[] }} [options] which of its rules, if not all
 * @param {readonly string[]} [impacts] how bad it is, if not of all kinds
 */
export async function violations(page, options = {}, impacts = undefined) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ([asked, only]) => {
      const { violations } = await globalThis.axe.run(asked);
      return violations
        .filter(({ impact }) => !only || only.includes(impact))
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    /** @type {const} */ ([options, impacts]),
  );
}

/**
 * What axe finds that is serious or worse.
 * @param {import('playwright-core').Page} page
 * @param {{ runOnly?: readonly string[] }} [options]
 */
export const serious = (page, options) => violations(page, options, ['serious', 'critical']);

/**
 * How much wider and higher than the window the page is; on a desktop it cuts that off.
 * @param {import('playwright-core').Page} page
 */
export const overflow = (page) =>
  page.evaluate(() => {
    const { documentElement, body } = document;
    const over = [documentElement, ...body.children].map((one) => [
      one.scrollWidth - one.clientWidth,
      one.scrollHeight - one.clientHeight,
    ]);
    const [x, y] = [0, 1].map((axis) => Math.max(...over.map((by) => by[axis])));
    return { x, y };
  });
