// docs/syllabus.md: each number of its sentences is what the bindings compute, to the digit that the page prints. A number
// that nothing computes needs a line in WRITTEN.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { load, traceExample } from '../../bindings/index.js';
import { printedAs } from '../../bindings/js/number/judge.js';
import { birth, unborn } from '../../bindings/lab/stories/index.js';
import { onlyInFull } from '../support/skips.js';
import { factsOf, TRAININGS } from './syllabus-facts.js';

const page = readFileSync(new URL('../../docs/syllabus.md', import.meta.url), 'utf8');
const links = new Map(
  [...page.matchAll(/^\[([\w-]+)\]: \S+#(\S+)$/gm)].map(([, id, hash]) => [id, hash]),
);
/** What the course says, without its headings and the names of its links, on one line. */
const prose = page
  .split('\n## Where the texts are wrong\n')[0]
  .slice(page.indexOf('\n## 1. '))
  .replace(/^## .*$/gm, '')
  .replace(/^\| (Guide|Walkthrough|Architecture|Numerical|Three tokens): [^|]*\|/gm, '|')
  .replace(/\[[^\][]+\](\[[\w-]+\]|\([^)]*\))/g, 'LINK')
  .replace(/\s+/g, ' ');

/** Numbers that are names, choices or the texts' words, or that another test reads. */
const WRITTEN = [
  'of weights adds up to 1',
  'Weights between 0 and 1 that',
  'of b_K is 0 but for rounding',
  'scaled by 1/3',
  'seeds 1, 2 and 3',
  'seed 1,',
  'seed 2,',
  'one seed, 1;',
  'and 1 after the scaling',
  'need not add up to 1',
  'softmax makes them 0',
  'to copy 6 letters yet fails at 8',
  '= −0.9589, not 0.1',
  'et al. (2018)',
  'et al., 2019',
  'et al., 2020',
  'not 2K',
  'rounds to 100',
  '2 n² d',
  '4 n d²',
  'at 1,000 positions of 512',
  'Pair 3 ',
  'from step 100 on',
  'at step 600',
  '1 − ε',
  'set to 0',
  'by 1 − p',
  'weights of 4 bits',
  'of 16 bits, and of 8:',
  'step 4,000',
  'up to 3 digits',
  'length 1,',
  'GPT-2',
  '√3: 4 becomes',
  ': 1.22 becomes',
  'PE(0), PE(1), PE(2)',
  'PE(3)',
  '*Example 1*',
  'Layer 1 looks',
  'layer 2 only',
  'stays above 2',
];

const ONES = [
  'none',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];
const NUMBER = `[−-]?\\d[\\d,]*(?:\\.\\d+)?(?:e-?\\d+)?|${ONES.join('|')}`;

/** A printed number, and what one in its last digit is worth. @param {string} text */
function printedOf(text) {
  if (ONES.includes(text.toLowerCase()))
    return { value: ONES.indexOf(text.toLowerCase()), unit: 1 };
  const plain = text.replaceAll(',', '').replace('−', '-');
  const [, decimals = '', power = '0'] = /^[^.e]*(?:\.(\d+))?(?:e(-?\d+))?$/.exec(plain) ?? [];
  return { value: Number(plain), unit: 10 ** (Number(power) - decimals.length) };
}

const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Where the course has a sentence, with its numbers. @param {string} sentence */
const placesOf = (sentence) => [
  ...prose.matchAll(
    new RegExp(sentence.split('#').map(escaped).join(`(${NUMBER})(?![\\d.]*\\d)`), 'gi'),
  ),
];

/** What is wrong with a sentence whose numbers were computed. @param {string} sentence @param {(number | string)[]} numbers */
function faults(sentence, numbers) {
  const places = placesOf(sentence);
  if (places.length !== 1) return [`“${sentence}” is there ${places.length} times`];
  const [, ...printed] = places[0];
  if (printed.length !== numbers.length) return [`“${sentence}”: ${numbers.length} numbers`];
  return printed.flatMap((text, i) =>
    printedAs(printedOf(text), Number(numbers[i])) === 'rounded'
      ? []
      : [`“${sentence}”: ${text} is ${numbers[i]}`],
  );
}

const gf = await load();
const facts = await factsOf(gf);

test('each number of a sentence is what is computed, to its last digit', () => {
  assert.deepEqual(
    facts.flatMap(([sentence, numbers]) => faults(sentence, numbers())),
    [],
  );
});

test('every number is computed, or said to be written', () => {
  const sentences = [...facts.map(([sentence]) => sentence), ...TRAININGS.map((x) => x.sentence)];
  const covered = [...sentences.flatMap(placesOf), ...WRITTEN.flatMap(placesOf)].map((place) => ({
    from: place.index,
    to: place.index + place[0].length,
  }));
  const open = [...prose.matchAll(/(?<![\wₐ-ₜ])\d[\d,.]*/g)]
    .filter(({ index }) => !covered.some(({ from, to }) => from <= index && index < to))
    .map(({ index }) => prose.slice(index - 30, index + 20));
  assert.deepEqual(open, []);
  for (const written of WRITTEN) assert.ok(placesOf(written).length > 0, written);
  for (const { sentence } of TRAININGS) assert.equal(placesOf(sentence).length, 1, sentence);
});

test('where all printed numbers are said to be right, they are', () => {
  assert.equal(placesOf('All printed numbers are right').length, 4);
  for (const name of ['positions', 'layer-norm', 'label-smoothing']) {
    const trace = traceExample(gf, name);
    const verdicts = Object.values(trace.printed).flatMap(({ verdict }) => verdict);
    assert.deepEqual([...new Set(verdicts.filter(Boolean))], ['rounded'], name);
    trace.dispose();
  }
});

/** What compare.js prints of a link, seed by seed.
 * @param {string} link @param {number[]} seeds @returns {import('./syllabus-facts.js').Runs[string]} */
function compared(link, seeds) {
  const program = path.join(import.meta.dirname, 'compare.js');
  const args = [program, String(links.get(link)), '--seeds', seeds.join()];
  const told = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const numbers =
    /^seed (\d+), .* ([AB]) {2}held-out loss (\S+), (\d+) of (\d+) right(?:, (\d+) of (\d+) longer than (\d+))?, tokens right (\S+), sure (\S+), apart (\S+)$/gm;
  const runs = new Map(seeds.map((seed) => [seed, /** @type {any} */ ({})]));
  for (const [, seed, side, ...rest] of told.matchAll(numbers)) {
    const [loss, right, of, longer, longerOf, longest, share, sure, apart] = rest.map(Number);
    const all = { loss, right, of, longer, longerOf, longest, share, sure, apart };
    runs.get(Number(seed))[side.toLowerCase()] = all;
  }
  return [...runs.values()];
}

describe('the numbers of trainings', () => {
  for (const { links: needed, sentence, numbers } of TRAININGS) {
    test(Object.keys(needed).join(), { skip: onlyInFull }, () => {
      const runs = Object.entries(needed).map(([link, seeds]) => [link, compared(link, seeds)]);
      assert.deepEqual(faults(sentence, numbers(Object.fromEntries(runs))), []);
    });
  }

  test('one layer: the loss stays above 2', async () => {
    const losses = [];
    for await (const { loss } of birth(unborn(gf, 1, { layers: 1 }))) losses.push(loss ?? Infinity);
    assert.ok(losses.length > 20 && Math.min(...losses) > 2, losses.join());
  });
});
