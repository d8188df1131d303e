// The colours of the page, by the numbers of WCAG 2: text has 4.5 : 1 and marks have 3 : 1 on what they stand on, in
// both themes, and red is the colour of errors alone.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PALETTE } from '../../bindings/js/base/palette.js';

const partsOf = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

function luminance(hex) {
  const linear = partsOf(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function contrast(one, other) {
  const [high, low] = [one, other].map(luminance).sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Degrees around the circle of colours: 0 is red, 120 green, 240 blue. */
function hue(hex) {
  const [r, g, b] = partsOf(hex);
  return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
}

const INKS = ['ink', 'quiet', 'accent', 'error', 'mismatch', 'good'];
const ROLES = ['q-ink', 'k-ink', 'v-ink', 'a-ink'];
const CURVES = ['curve-1', 'curve-2', 'curve-3', 'curve-4'];

for (const [theme, colours] of Object.entries(PALETTE)) {
  test(`${theme}: text and marks can be told from what they stand on`, () => {
    const pairs = [
      ...[...INKS, ...ROLES].flatMap((ink) =>
        ['paper', 'raised'].map((ground) => [ink, ground, 4.5]),
      ),
      ...['accent', 'error', 'mismatch'].flatMap((ink) => [
        [ink, `${ink}-soft`, 4.5],
        ['ink', `${ink}-soft`, 4.5],
      ]),
      ...CURVES.map((curve) => [curve, 'paper', 4.5]),
    ];
    for (const [ink, ground, least] of pairs) {
      const told = contrast(colours[ink], colours[ground]);
      assert.ok(told >= least, `${ink} on ${ground}: ${told.toFixed(2)}`);
    }
  });

  test(`${theme}: red is an error, and each other meaning has a colour of its own`, () => {
    const isRed = (name) => Math.abs(hue(colours[name])) < 18;
    assert.ok(isRed('error'));
    for (const name of ['accent', 'mismatch', 'good', ...ROLES, ...CURVES.slice(0, 3)]) {
      assert.ok(!isRed(name), `${name} is red: ${hue(colours[name]).toFixed(0)} degrees`);
    }
    const kinds = ['accent', 'error', 'mismatch', 'good'].map((name) => hue(colours[name]));
    for (const [k, one] of kinds.entries()) {
      for (const other of kinds.slice(0, k)) {
        const apart = Math.abs(((one - other + 540) % 360) - 180);
        assert.ok(apart > 20, `${one} and ${other} degrees`);
      }
    }
  });
}

test('a colour is stated in palette.js alone', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const isGrey = (hex) => new Set(hex.match(/../g)).size === 1;
  const stated = ['web', 'bindings'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => path.join(folder, name))
      .filter((name) => /\.(js|css|html|json|py|svg)$/.test(name))
      .filter((name) => !/generated|node_modules|native|palette\.js$/.test(name))
      .flatMap((name) =>
        [...readFileSync(path.join(root, name), 'utf8').matchAll(/(?:#|%23)([\da-f]{6})\b/gi)]
          .filter(([, hex]) => !isGrey(hex))
          .map(([colour]) => `${name}: ${colour}`),
      ),
  );
  assert.deepEqual(stated, []);
});
