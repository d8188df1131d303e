// What a reader has to wait for: all that Chromium asks for before a chapter stands, packed as a host packs it. Nobody waits
// for the faces: text stands in those of the system until they come.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sample } from '../support/sample.js';
import { site as built, follow, inBrowser, settled } from './browser.js';
import { lessons } from './learner.js';
import { chapters } from './states.js';

const LIMIT = 325_000;
/** What a lesson may add to the chapters that it shows. */
const LESSON = 39_500;
/** The lenses or the table of words, the sentence with its lines, the names of arrows, and the plane of arrows that two lessons show besides. */
const LENSES = 13_000;

const browsing = inBrowser();
const { open } = browsing;

/** The files that some links ask for, one after the other. @param {string[]} hashes @param {string} ready */
async function askedFor([first, ...more], ready) {
  browsing.site.asked.clear();
  const { page, close } = await open(first, { ready, alone: true });
  for (const hash of [first, ...more]) {
    await follow(page, hash);
    await page.waitForLoadState('networkidle');
    await settled(page);
  }
  await close();
  return [...browsing.site.asked].filter((file) => !/\.(safetensors|woff2)$/.test(file));
}

test('four faces weigh less than 123 kB, and two of them come first', async () => {
  const folder = path.join(built, 'assets');
  const faces = (await readdir(folder)).filter((file) => file.endsWith('.woff2'));
  const page = await readFile(path.join(built, 'index.html'), 'utf8');
  assert.equal(faces.length, 4);
  const first = faces.filter((file) =>
    page.includes(`<link rel="preload" href="./assets/${file}" as="font"`),
  );
  assert.equal(first.length, 2, String(first));
  const sizes = await Promise.all(
    faces.map(async (file) => (await readFile(path.join(folder, file))).length),
  );
  assert.ok(sizes.reduce((a, b) => a + b) < 123_000, String(sizes));
});

/** Files as a host packs them, the heaviest first. @param {string[]} files */
async function weigh(files) {
  const sizes = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(built, file));
      assert.ok(!bytes.includes('torch.'), `${file} holds programs, which only an export needs`);
      return /** @type {const} */ ([gzipSync(bytes, { level: 9 }).length, file]);
    }),
  );
  const told = sizes.sort(([a], [b]) => b - a).map((pair) => pair.join(' '));
  return { total: sizes.reduce((sum, [size]) => sum + size, 0), told: told.join(', ') };
}

/** The files of a chapter's page. @type {Map<string, Promise<string[]>>} */
const pages = new Map();

/** @param {string} name */
function pageOf(name) {
  const known = pages.get(name) ?? askedFor([`#chapter=${name}`], `gf-chapter-${name} > *`);
  pages.set(name, known);
  return known;
}

/** The files of a birth, which is a view of a chapter. */
const birth = () => askedFor(['#chapter=inside&view=birth&at=1175'], '.birth .bits');

/** Each chapter as it opens, and a view that computes something else, opened by its link. */
const openings = [
  ...Object.keys(chapters).map((name) => ({ name, files: () => pageOf(name) })),
  {
    name: 'inside, at the birth of a head,',
    files: birth,
  },
];
for (const { name, files } of openings) {
  test(`chapter ${name} weighs less than 325 kB before its model`, async () => {
    const asked = await files();
    assert.ok(asked.includes('index.html') && asked.length > 5, String(asked));
    const { total, told } = await weigh(asked);
    assert.ok(total < LIMIT, `${total} bytes: ${told}`);
  });
}

/** The first page, with Pocket and the pictures below it, before any chapter. */
const HOME = 253_000;
test('the first page weighs less than 253 kB', async () => {
  const asked = await askedFor(['#chapter=learn'], '.ends a');
  const { total, told } = await weigh(asked);
  assert.ok(total > 50_000 && total < HOME, `${total} bytes: ${told}`);
});

for (const { name, scenes } of sample(lessons, 3)) {
  test(`lesson ${name} adds at most 39.5 kB, and 13 kB for lenses, to the chapters that it shows`, async () => {
    const names = new Set(
      scenes.map(({ state }) => /chapter=(\w+)/.exec(state)?.[1] ?? 'attention'),
    );
    /** @type {string[]} */
    const known = [];
    for (const chapter of names) known.push(...(await pageOf(chapter)));
    if (scenes.some(({ state }) => state.includes('view=birth'))) known.push(...(await birth()));
    const links = scenes.map((_, i) => `#lesson=${name}&scene=${i + 1}`);
    const files = await askedFor(links, 'gf-learn .say p');
    const { total, told } = await weigh(files.filter((file) => !known.includes(file)));
    const most =
      LESSON +
      (scenes.some(({ picture }) => ['lens', 'rows', 'learning', 'sum'].includes(picture.kind))
        ? LENSES
        : 0);
    assert.ok(total > 1000 && total <= most, `${total} bytes: ${told}`);
  });
}
