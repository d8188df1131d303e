// Texts that are made with mistakes: the wrong numbers are flagged, the right ones are not, and mistakes are named.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check } from '../../bindings/learn/checker/index.js';
import { full } from '../support/sample.js';
import { LESSONS } from './lessons.js';
import { drawnFor, mutated, NOTATIONS, printedOf } from './texts.js';

const gf = await load();

/** Where each printed number of a made text begins, in its order. */
function placesOf({ text, cells }) {
  let at = 0;
  return cells.map(({ text: printed }) => {
    const number = new RegExp(`(?<![\\d.\\w-])${printed.replace('.', '\\.')}(?![\\d.\\w])`, 'g');
    number.lastIndex = at;
    const { index } = number.exec(text);
    at = index + printed.length;
    return index;
  });
}

const startsOf = (text) => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];

/** What is found in texts of some seeds. @param {string} lesson @param {number} seeds */
function countsOf(lesson, seeds) {
  const counts = { wrong: 0, found: 0, right: 0, falsely: 0, mistaken: 0, named: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const made = mutated(seed, lesson);
    const starts = startsOf(made.text);
    const { flags } = check(gf, made.text);
    const flagged = new Set(flags.map(({ line, column }) => starts[line - 1] + column - 1));
    const places = placesOf(made);
    made.wrong.forEach((isWrong, i) => {
      const has = Number(flagged.has(places[i]));
      counts[isWrong ? 'wrong' : 'right'] += 1;
      counts[isWrong ? 'found' : 'falsely'] += has;
    });
    counts.mistaken += Number(made.mistake !== undefined && made.wrong.includes(true));
    counts.named += Number(flags.some(({ cause }) => cause === `misconception:${made.mistake}`));
  }
  return counts;
}

describe('of the wrong numbers of mutated texts at least 95 % are flagged, and of the right ones at most 1 %', () => {
  for (const lesson of Object.keys(LESSONS)) {
    test(lesson, () => {
      const seeds = full ? 1000 : lesson === 'attention' ? 200 : 60;
      const { wrong, found, right, falsely, mistaken, named } = countsOf(lesson, seeds);
      assert.ok(wrong > seeds && found >= 0.95 * wrong, `${found} of ${wrong}`);
      assert.ok(falsely <= 0.01 * right, `${falsely} of ${right}`);
      assert.ok(named >= 0.75 * mistaken, `${named} of ${mistaken} are named`);
    });
  }
});

describe('a right text has no flag, and its steps are understood', () => {
  for (const [name, lesson] of Object.entries(LESSONS)) {
    for (const notation of Object.keys(NOTATIONS)) {
      test(`${name} in ${notation}`, () => {
        for (let seed = 1; seed <= (full ? 50 : 8); seed++) {
          const { steps, results } = drawnFor(seed, lesson);
          const text = NOTATIONS[notation](printedOf(steps, 4, lesson), lesson);
          const { flags, relations, notUnderstood } = check(gf, text);
          assert.deepEqual(flags, [], text);
          assert.deepEqual(notUnderstood, [], text);
          assert.equal(relations.length, results.length, text);
        }
      });
    }
  }
});

test('a book is checked to its end', () => {
  const chapters = Array.from({ length: 60 }, (_, i) => mutated(i + 1, 'attention'));
  const text = chapters.map((made) => made.text).join('\n# Next\n\n');
  const wrong = chapters.flatMap((made) => made.wrong).filter(Boolean).length;
  const { flags, checked } = check(gf, text);
  assert.ok(text.length > 30_000 && checked > 1000, `${checked}`);
  assert.ok(flags.length >= 0.95 * wrong, `${flags.length} of ${wrong}`);
});
