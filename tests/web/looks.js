// The states of the page that are looked at: each of them has to pass axe in both themes, and to fit every screen.

import { lookup } from '../../web/app/locale/text.js';
import { examples } from '../../web/app/session.js';
import * as positions from '../../web/chapters/positions/state.js';
import { settled } from './browser.js';

/**
 * One thing to look at.
 * @typedef {object} Look
 * @property {string} hash of the link to it, without '#'
 * @property {string} [ready] what has to be there besides
 * @property {(page: import('playwright-core').Page) => Promise<void>} [act] opens what no link opens
 * @property {string} [sheet] a sheet that has to lie within the window
 */

/** @param {string} chapter @param {string[]} more @returns {Look[]} */
const of = (chapter, more) => more.map((rest) => ({ hash: `v=1&chapter=${chapter}${rest}` }));

const WORDS = `${'all twenty four of them '.repeat(4)} and four more here`;
const LONG =
  'Donaudampfschifffahrtsgesellschaft incomprehensibilities antidisestablishmentarianism';

/** Every example at three of its moments, and two sentences. @type {Look[]} */
const attention = [
  ...Object.keys(examples).map((name) => `v=1&example=${name}`),
  'v=1&sentence=16~16~2~1~pc~every word sees those before it, and itself',
  `v=1&sentence=64~64~8~1~pc~${WORDS}`,
]
  .flatMap((state) => ['', '&t=40', '&t=1e5'].map((more) => state + more))
  .concat([
    'v=1&example=masked&t=99&path=weights:1,0',
    'v=1&example=masked&remove=mask',
    'v=1&example=two-heads&t=70&remove=scale',
    'v=1&example=i-love-robotics&edits=scores:0,0=9&t=99',
    'v=1&example=three-tokens&t=60&gradient=1&path=x:2,0',
    'v=1&example=ten-tokens&t=900&gradient=1&path=x:9,0',
    'v=1&example=nowhere',
  ])
  .map((hash) => ({ hash }));

const heads = of(
  'heads',
  ['heads', 'stage', 'numbers'].flatMap((panel) => [
    `&panel=${panel}`,
    `&panel=${panel}&heads=12&t=300`,
    `&panel=${panel}&heads=12&sentence=64~64~1~1~pc~${WORDS}`,
  ]),
);

const places = of('positions', [
  ...[...positions.OF_CODES, ...positions.OF_SENTENCE].flatMap((panel) => [
    `&panel=${panel}`,
    `&panel=${panel}&channels=64&count=100&scheme=rotary&sentence=64~64~8~1~pc~${WORDS}`,
  ]),
  ...['shuffle', 'sentence'].map((panel) => `&panel=${panel}&sentence=8~8~2~1~p~${LONG}`),
]);

const transformer = of('transformer', [
  '',
  '&panel=stage&block=encoder.embedding',
  '&panel=stage&block=decoder.0.self_attn&t=2500',
  '&panel=stage&block=decoder.0.norm2',
  '&panel=stage&block=logits&remove=positions',
  '&panel=stage&block=probabilities',
  '&panel=next&way=sampled&temperature=2',
  '&panel=masks&beside=1',
  '&panel=cost',
  '&panel=size',
  '&panel=paths',
  '&panel=roles&role=nounDeterminer',
  ...['senses&mark=5', 'similar', 'values', 'redundancy'].map(
    (claim) => `&panel=meaning&measured=${claim}`,
  ),
  '&panel=recurrence',
  '&panel=bits',
  '&model=disk',
]).map((look) => ({ ...look, ready: 'gf-chapter-transformer :is(.lesson, .opener)' }));

/** What has to be there of each view of a training. */
const VIEWS = {
  run: 'gf-training-attention canvas',
  batch: 'gf-batch td',
  values: 'gf-stage .matrix',
  update: 'gf-adam .next',
};

/** @type {Look[]} */
const training = Object.entries(VIEWS).map(([view, ready]) => ({
  hash: `v=1&chapter=training&settings=steps:60,tokens:96,dModel:16,heads:2,dFF:24,warmup:10&step=8&off=norm&view=${view}`,
  ready,
}));

/** Each panel of each chapter once. @type {Look[]} */
export const PANELS = [
  ...['', '&t=40', '&t=1e5', '&remove=scale&t=60', '&gradient=1&t=60'].map((more) => ({
    hash: `v=1&example=i-love-robotics${more}`,
  })),
  ...of(
    'heads',
    ['heads', 'stage', 'numbers'].map((panel) => `&panel=${panel}`),
  ),
  ...of(
    'positions',
    [...positions.OF_CODES, ...positions.OF_SENTENCE].map((panel) => `&panel=${panel}`),
  ),
  ...transformer,
  ...training,
  { hash: 'v=1&chapter=exercises', ready: '.sheet-matrix input' },
];

/** Answers of every kind: by mistake, by a slip, rounded, unreadable, none. */
const ANSWERS = '&answers=1~2~0~1%2F0x~4~~3~3~3~0.5&checked=111111111111';

const inside = of('inside', [
  '',
  '&value=zero&off=0.0,2.1&open=layer%202%20head%200',
  '&from=2.0,2.1,0@3&open=layer%202%20head%200%20at%203',
  '&instead=&prompt=zug',
])
  .map((look) => ({ ...look, ready: '.inside svg' }))
  .concat(of('inside', ['&model=disk']).map((look) => ({ ...look, ready: '.opener' })));

const exercises = of('exercises', [
  '',
  ANSWERS,
  `&recipe=attention${ANSWERS}`,
  '&recipe=two-heads&level=faded&working=0',
  '&recipe=adam-step&level=end',
]).map((look) => ({ ...look, ready: '.sheet-matrix input' }));

/** @type {Look[]} */
const sheets = [
  {
    hash: 'v=1&chapter=exercises',
    ready: '.sheet-matrix input',
    sheet: 'gf-quiz dialog',
    async act(page) {
      await page.locator('gf-quiz-button > button').click();
      await page.locator('gf-quiz dialog .main').waitFor();
    },
  },
  {
    hash: 'v=1&sentence=4~4~1~1~pc~a b c',
    sheet: 'gf-evidence dialog',
    async act(page) {
      const name = `Test the claim about ${lookup('switches/scale')}`;
      await page.getByRole('button', { name }).click();
      await page.locator('gf-evidence dialog .verdict b').waitFor();
    },
  },
  ...['SVG', 'CSV', 'PyTorch'].map((format) => ({
    hash: 'v=1&example=two-heads&t=99',
    sheet: 'gf-export dialog',
    async act(/** @type {import('playwright-core').Page} */ page) {
      await page.keyboard.press('e');
      await page.locator('gf-export dialog .main:not([disabled])').waitFor();
      await page
        .locator('gf-export dialog')
        .getByRole('radio', { name: format, exact: true })
        .check();
    },
  })),
];

/** Lessons, and what a class sees. @type {Look[]} */
const lessons = [
  ...[
    'chapter=learn',
    'lesson=one-score&scene=1',
    'lesson=one-score&scene=4',
    'lesson=scores-to-weights&scene=3',
    'lesson=scores-to-weights&scene=5',
    'lesson=the-output&scene=8',
    'lesson=why-attention&scene=1',
    'lesson=why-attention&scene=6',
    'lesson=why-attention&scene=10',
    'lesson=the-output&scene=2',
    'lesson=scores-to-weights&scene=8',
    'lesson=many-heads&scene=1',
    'lesson=many-heads&scene=2',
    'lesson=where-am-i&scene=4',
    'lesson=whole-machine&scene=7',
    'lesson=whole-machine&scene=11',
    'lesson=how-it-learns&scene=5',
    'lesson=how-it-learns&scene=2',
    'lesson=where-am-i&scene=2',
    'lesson=cheat-sheet',
    'lesson=how-it-learns&scene=10',
    'lesson=how-it-learns&scene=11',
    'lesson=one-score&scene=4&mode=present',
    'lesson=why-attention&scene=5&mode=present',
    'lesson=the-output&scene=8&mode=present',
    'example=i-love-robotics&t=40&mode=present',
  ].map((rest) => ({ hash: `v=1&${rest}` })),
  /* Choices that are right, one after a wrong one. */
  ...[
    ['why-attention&scene=4', ['Anna', 'Ben']],
    ['the-output&scene=1', ['a little short of it']],
  ].map(([scene, answers]) => ({
    hash: `v=1&lesson=${scene}`,
    async act(/** @type {import('playwright-core').Page} */ page) {
      for (const answer of answers) {
        await page.locator('gf-gate').getByRole('button', { name: answer, exact: true }).click();
      }
      await page.waitForSelector('gf-learn .reply.right p');
    },
  })),
  /* A mistake, and the machine that makes it. */
  ...['', '&mode=present'].map((mode) => ({
    hash: `v=1&lesson=where-am-i&scene=5${mode}`,
    async act(/** @type {import('playwright-core').Page} */ page) {
      await page.locator('gf-gate input').fill('0.54');
      await page.keyboard.press('Enter');
      await page.locator('gf-machine .run.intact .matrix').first().waitFor();
    },
  })),
].map((look) => ({
  ...look,
  ready: 'gf-learn :is(.say p, .lessons li, .learned li, .columns), gf-chapter-attention .matrix',
}));

export const LOOKS = [
  ...attention,
  ...heads,
  ...places,
  ...transformer,
  ...training,
  ...inside,
  ...exercises,
  ...lessons,
  ...sheets,
];

/**
 * Brings a look about; returns how it is called in a message.
 * @param {import('playwright-core').Page} page
 * @param {Look} look
 */
export async function show(page, { hash, ready, act }) {
  await page.evaluate(() => {
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  });
  await page.evaluate(async (to) => {
    if (location.hash === to) return;
    const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    location.hash = to;
    await changed;
  }, `#${hash}`);
  await settled(page);
  if (ready) await page.waitForSelector(ready);
  await act?.(page);
  await settled(page);
  return hash.slice(0, 120);
}
