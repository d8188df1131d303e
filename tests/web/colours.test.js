// The colours of the page, by the numbers of WCAG 2: text has 4.5 : 1 and marks have 3 : 1 on what they stand on, in
// both themes, and red is the colour of errors alone.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PALETTE, SCALES } from '../../bindings/js/base/palette.js';

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
  test(`${theme}: text and marks stand out from what is behind them`, () => {
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

/** How colours look to those who lack the cones for red, green or blue: Machado, Oliveira and Fernandes 2009, severity 1. */
const SIGHTS = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE L*a*b* of a colour as it is seen. */
function labOf(hex, sight) {
  const linear = partsOf(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const times = (matrix, of) => matrix.map((row) => row.reduce((sum, m, i) => sum + m * of[i], 0));
  const seen = times(sight, linear).map((c) => Math.min(1, Math.max(0, c)));
  const xyz = times(
    [
      [0.4339, 0.3762, 0.1899],
      [0.2126, 0.7152, 0.0722],
      [0.0178, 0.1095, 0.8727],
    ],
    seen,
  );
  const [x, y, z] = xyz.map((c) => (c > 0.008856 ? Math.cbrt(c) : 7.787 * c + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** ΔE of 1976: about 2.3 can just be told apart. */
const apart = (one, other, sight) =>
  Math.hypot(...labOf(one, sight).map((c, i) => c - labOf(other, sight)[i]));

for (const [name, sight] of Object.entries(SIGHTS)) {
  test(`${name}: roles differ from each other, and numbers by their sign`, () => {
    for (const [theme, colours] of Object.entries(PALETTE)) {
      const { signed } = SCALES[theme];
      const pairs = ['q', 'k', 'v', 'a'].flatMap((one, i, all) =>
        all.slice(0, i).map((other) => [`${one}, ${other}`, colours[one], colours[other]]),
      );
      for (const [what, one, other] of [...pairs, ['signs', signed[0], signed.at(-1)]]) {
        const far = apart(one, other, sight);
        assert.ok(far > 15, `${theme}: ${what}: ${far.toFixed(1)}`);
      }
    }
  });
}

test('a small number is told from zero, and a large one from a half', () => {
  /* Fills go by the square root: a twentieth and a quarter of the limit, and all of it. */
  for (const [theme, { signed }] of Object.entries(SCALES)) {
    for (const ends of [signed, [...signed].reverse()]) {
      const at = (/** @type {number} */ part) => {
        const place = 2 - 2 * Math.sqrt(part);
        const low = Math.min(1, Math.floor(place));
        const [a, b] = [ends[low], ends[low + 1]].map(partsOf);
        const hex = (/** @type {number} */ x) =>
          Math.round(255 * x)
            .toString(16)
            .padStart(2, '0');
        return `#${a.map((x, k) => hex(x + (b[k] - x) * (place - low))).join('')}`;
      };
      for (const [small, large, least] of [
        [0, 0.05, 10],
        [0.05, 0.25, 12],
        [0.25, 1, 20],
      ]) {
        const far = apart(at(small), at(large), SIGHTS.usual);
        assert.ok(far > least, `${theme}: ${small} and ${large}: ${far.toFixed(1)}`);
      }
    }
  }
});

test('positive numbers have no hue: blue is the queries’', () => {
  for (const { signed } of Object.values(SCALES)) {
    const [, a, b] = labOf(signed.at(-1), SIGHTS.usual);
    assert.ok(Math.hypot(a, b) < 12, `${a}, ${b}`);
  }
});

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
