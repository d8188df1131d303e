// The page in Chromium: how soon it can be used, how soon it shows an edit, and how evenly it plays. `make bench-page`.

import { parseArgs } from 'node:util';
import { follow, launch, open, serve } from '../web/browser.js';
import { verdictOf } from './figures.js';
import { summary } from './measure/statistics.js';
import { progress } from './progress.js';
import { figureTable } from './table.js';

const HELP = `node tests/bench/page.js [--loads N] [--edits N] [--plays S] [--check]

  --loads N   how often each chapter is loaded, 10 by default; 0 for not at all
  --edits N   how many edits are made at each moment, 200 by default; 0 for none
  --plays S   for how many seconds each step is played, 8 by default
  --check     exit status 1 where a bar is missed
`;
/** Milliseconds. */
const BARS = { interactive: 1000, lesson: 600, edit: 12, frame: 17, longest: 32 };
/** What stands in a chapter once it can be used. */
const CHAPTERS = {
  attention: 'gf-stage .matrix',
  heads: 'gf-multiples .matrix',
  positions: 'gf-waves .matrix',
  transformer: '.translation ol button',
  training: 'gf-curves',
};
/** What stands in a lesson's first scene once that can be answered. */
const LESSONS = {
  'why-attention': 'gf-gate button',
  'one-score': 'gf-plane svg',
  'whole-machine': 'gf-machine-picture .tile',
};
const SENTENCE = '16~16~1~1~p~each of the eight words sees all others';
const MOMENTS = {
  'at the start': 't=0',
  'at the weights': 'path=weights:7,7&t=40',
  'when all is computed': 't=1e6',
  'with its slopes': 't=1e6&gradient=1',
  'beside what is removed': 't=1e6&remove=scale',
};

/** Frames in which a page that was led to another moment comes to rest. */
const STILL = 10;

/** The steps in which much moves. */
const PLAYED = ['q', 'scores', 'weights', 'output'];

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

const { loads, edits, plays, check, help } = parseArgs({
  options: {
    loads: { type: 'string', default: '10' },
    edits: { type: 'string', default: '200' },
    plays: { type: 'string', default: '8' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
}).values;

/**
 * From the start of a navigation with nothing in any cache: to the first paint, and to the end of the
 * frame that shows a chapter's numbers.
 * @param {Browser} browser @param {string} url @param {string} sign
 */
async function load(browser, url, sign) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((selector) => {
    const { port1, port2 } = new MessageChannel();
    const ready = new Promise((done) => {
      port1.onmessage = () => done(performance.now());
    });
    const watcher = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      watcher.disconnect();
      requestAnimationFrame(() => port2.postMessage(0));
    });
    watcher.observe(document, { childList: true, subtree: true });
    Object.assign(globalThis, { ready });
  }, sign);
  const page = await context.newPage();
  await page.goto(url);
  const times = await page.evaluate(async () => {
    const interactive = await globalThis.ready;
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return { paint: paint.startTime, interactive };
  });
  await context.close();
  return times;
}

/**
 * Makes edits one after the other, each at the start of a frame, and marks when it was asked for and
 * when that frame was painted.
 * @param {Page} page @param {number} count
 */
const edited = (page, count) =>
  page.evaluate(async (many) => {
    const lesson = document.querySelector('main > *');
    const edit = (value) =>
      new Promise((done) => {
        requestAnimationFrame(() => {
          performance.mark('asked');
          const cell = { node: 'embedding', index: [0, 0] };
          const detail = { do: 'edit', cell, text: value };
          lesson.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.mark('painted'));
          port2.postMessage(0);
        });
      });
    for (let k = 0; k < many; k++) await edit(`0.${k + 1}`);
  }, count);

/**
 * What is asked for and painted meanwhile, and what each took in milliseconds: by the clock, and of the time of the
 * page's thread, which others on the same machine do not add to; and how far they are apart.
 * @template T
 * @param {Browser} browser @param {Page} page @param {() => Promise<T>} act
 */
async function timed(browser, page, act) {
  await browser.startTracing(page, { categories: ['blink.user_timing'] });
  const result = await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const marks = (name) =>
    traceEvents
      .filter((event) => event.name === name && event.cat === 'blink.user_timing')
      .sort((a, b) => a.ts - b.ts);
  const painted = marks('painted');
  const took = (clock) =>
    marks('asked')
      .slice(0, painted.length)
      .map((asked, k) => (painted[k][clock] - asked[clock]) / 1000);
  const apart = marks('asked').flatMap(({ ts }, k, all) =>
    k ? [(ts - all[k - 1].ts) / 1000] : [],
  );
  return { busy: took('tts'), wall: took('ts'), apart, result };
}

/** @param {string} what @param {{ median: number, p90: number }} times @param {number} [most] */
const figures = (what, { median, p90 }, most) => [
  { what: `${what}, median`, value: median, most, verdict: verdictOf(median, most) },
  { what: `${what}, p90`, value: p90 },
];

/** @param {Browser} browser @param {string} address @param {string} sign @param {string} name @param {number} most */
async function loading(browser, address, sign, name, most) {
  const times = [];
  for (let k = 0; k < Number(loads); k++) times.push(await load(browser, address, sign));
  return [
    ...figures(`ms, ${name}: first paint`, summary(times.map(({ paint }) => paint))),
    ...figures(
      `ms, ${name}: interactive`,
      summary(times.map(({ interactive }) => interactive)),
      most,
    ),
  ];
}

/** @param {Browser} browser @param {string} url @param {(what: string) => void} tell */
async function editing(browser, url, tell) {
  const { page, close } = await open(browser, `${url}#v=1&sentence=${SENTENCE}`, {
    reducedMotion: 'no-preference',
  });
  await edited(page, 100);
  const found = [];
  for (const [moment, part] of Object.entries(MOMENTS)) {
    tell(moment);
    await follow(page, `#v=1&sentence=${SENTENCE}&${part}`);
    await edited(page, 20);
    const { busy, wall, apart } = await timed(browser, page, () => edited(page, Number(edits)));
    found.push(...figures(`ms, edit ${moment}`, summary(busy), BARS.edit));
    found.push({ what: 'ms, by the clock, median', value: summary(wall).median });
    /* What stands beside the stage is drawn between edits. */
    found.push(...figures('ms, from edit to edit', summary(apart), BARS.frame));
  }
  await close();
  return found;
}

/**
 * Plays a step from its beginning, once the page stands there, marking when each frame begins and when it is painted;
 * the ms from frame to frame.
 * @param {Page} page @param {string} node @param {number} seconds
 */
const played = (page, node, seconds) =>
  page.evaluate(
    async ([name, length, still]) => {
      const lesson = document.querySelector('main > *');
      const stage = lesson.line.stages.findIndex((step) => step.name === name);
      lesson.visit(String(Math.max(0, lesson.line.first[stage] - 1)));
      await lesson.updateComplete;
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      /* Who presses Play has seen where it begins. */
      for (let i = 0; i < still; i++) await frame();
      const frames = [];
      const { port1, port2 } = new MessageChannel();
      await new Promise((done) => {
        const isOver = () => frames.at(-1) - frames[0] > length * 1000 || !lesson.playing;
        port1.onmessage = () => {
          performance.mark('painted');
          if (isOver()) done();
        };
        /* Asked for before the page asks for its own, it comes first in each frame. */
        const next = (now) => {
          if (frames.length > 0 && isOver()) return;
          performance.mark('asked');
          frames.push(now);
          port2.postMessage(0);
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
        lesson.play();
      });
      lesson.pause();
      return frames.slice(1).map((now, k) => now - frames[k]);
    },
    /** @type {const} */ ([node, seconds, STILL]),
  );

/** @param {Browser} browser @param {string} url @param {(what: string) => void} tell */
async function playing(browser, url, tell) {
  const { page, close } = await open(browser, `${url}#v=1&sentence=${SENTENCE}`, {
    reducedMotion: 'no-preference',
  });
  const found = [];
  for (const node of PLAYED) {
    tell(node);
    await played(page, node, 1);
    const play = () => played(page, node, Number(plays));
    const { busy, result: frames } = await timed(browser, page, play);
    const longest = Math.max(...frames);
    found.push(...figures(`ms, frame of ${node}`, summary(frames), BARS.frame));
    found.push({
      what: 'ms, longest',
      value: longest,
      most: BARS.longest,
      verdict: verdictOf(longest, BARS.longest),
    });
    found.push(...figures('ms, of which the page works', summary(busy), BARS.edit));
    found.push({ what: 'ms, longest', value: Math.max(...busy) });
  }
  await close();
  return found;
}

if (help) {
  process.stdout.write(HELP);
  process.exit();
}
const [site, browser] = await Promise.all([serve(), launch()]);
const tell = progress('page');
const reports = [];
try {
  const found = [];
  const loaded = [
    ...Object.entries(CHAPTERS).map(([name, sign]) => ({
      name,
      sign,
      part: 'chapter',
      most: BARS.interactive,
    })),
    ...Object.entries(LESSONS).map(([name, sign]) => ({
      name,
      sign,
      part: 'lesson',
      most: BARS.lesson,
    })),
  ];
  for (const { name, sign, part, most } of Number(loads) ? loaded : []) {
    tell(name);
    found.push(...(await loading(browser, `${site.url}#${part}=${name}`, sign, name, most)));
  }
  if (found.length > 0) reports.push({ name: 'loading, nothing cached', figures: found });
  const name = 'an edit, 8 words in 16 channels: the work of the page’s thread until it is painted';
  if (Number(edits)) reports.push({ name, figures: await editing(browser, site.url, tell) });
  const film = 'playing the same: from frame to frame';
  reports.push({ name: film, figures: await playing(browser, site.url, tell) });
} finally {
  tell('');
  await browser.close();
  site.close();
}
for (const report of reports) console.log(figureTable(report));
const missed = reports
  .flatMap((report) => report.figures)
  .filter(({ verdict }) => verdict === 'missed').length;
console.log(`${missed} bars missed`);
if (check && missed) process.exitCode = 1;
