// The lenses of lesson one, and the spread of lesson three: what is seen against float64, by pointer, keyboard and finger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load } from '../../bindings/index.js';
import { EDGE, sharesOf, widthOf } from '../../web/player/spread-numbers.js';
import { reference } from '../reference/attention64.js';
import { addressOf, follow, inBrowser, settled, until } from './browser.js';
import { PASSED } from './learner.js';

const browsing = inBrowser();
const { open } = browsing;
const ready = 'gf-lens .sentence';
const gf = await load();

/** Pocket in float64, with W_Q turned and other ids. */
function turned(degrees, ids = examples.pocket.inputs.tokens) {
  const angle = (degrees * Math.PI) / 180;
  const w_q = examples.pocket.inputs.w_q.map(([a, b]) => [
    a * Math.cos(angle) - b * Math.sin(angle),
    a * Math.sin(angle) + b * Math.cos(angle),
  ]);
  return reference({ ...examples.pocket, inputs: { ...examples.pocket.inputs, w_q, tokens: ids } });
}
/** Of the last token: the likeliest of the four verbs, as the page shows them. */
const verbs = ({ probabilities }) => probabilities.data.slice(-4);
const shown = (page) =>
  page
    .locator('gf-lens .next-words .number')
    .evaluateAll((all) => all.map((one) => Number(one.dataset.value)));
const near = (actual, expected) => {
  assert.equal(actual.length, expected.length);
  for (const [i, x] of expected.entries())
    assert.ok(Math.abs(actual[i] - x) < 2e-4, `${actual}, float64: ${expected}`);
};

test('a lens turns by keyboard, and weights, output and next word follow as in float64', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=7', { ready });
  near(await shown(page), verbs(turned(0)));
  const slider = page.locator('gf-lens .slider input');
  await slider.focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
  await settled(page);
  /* Halfway, both names weigh alike, and two words are as likely. */
  near(await shown(page), verbs(turned(-45)));
  assert.equal(await page.locator('gf-lens .most').count(), 2);
  assert.equal(await page.locator(PASSED).count(), 0);
  assert.match(await page.locator('.reply.wrong').innerText(), /key of Ben/);
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
  await page.waitForSelector(PASSED);
  near(await shown(page), verbs(turned(-90)));
  assert.match(await slider.getAttribute('aria-valuetext'), /-90°.*“runs”/);
  const output = await page
    .locator('gf-lens [data-node=output]')
    .evaluateAll((all) => all.map((one) => Number(one.dataset.value)));
  near(output, turned(-90).output.data.slice(-2));
  assert.match(await addressOf(page), /scene=7/);
  assert.deepEqual(complaints, []);
  await close();
});

test('where all lenses can be turned and nothing is asked, they turn', async () => {
  const { page, close } = await open('#lesson=why-attention&scene=10', { ready });
  await page.locator('gf-lens .slider input').first().fill('-90');
  await settled(page);
  near(await shown(page), verbs(turned(-90)));
  await close();
});

test('shuffled words move the lines along; output and next word stay, as in float64', async () => {
  const { page, complaints, close } = await open('#lesson=where-am-i&scene=2', { ready });
  const outputOf = () =>
    page
      .locator('gf-lens [data-node=output]')
      .evaluateAll((all) => all.map((one) => Number(one.dataset.value)));
  const before = turned(0, [0, 4, 1, 5, 6, 7, 8]);
  near(await outputOf(), before.output.data.slice(-2));
  await page.locator('gf-lens .shuffle').click();
  await page.waitForSelector(PASSED);
  const words = await page.locator('gf-lens .token > text:not(.share)').allTextContents();
  assert.deepEqual(words, ['and', 'are', '.', 'Anna', 'Eva', 'here', 'She']);
  const after = turned(0, [4, 5, 7, 0, 1, 6, 8]);
  near(await outputOf(), after.output.data.slice(-2));
  near(await outputOf(), before.output.data.slice(-2));
  near(await shown(page), verbs(before));
  const shares = await page
    .locator('gf-lens .share')
    .evaluateAll((all) => all.map((one) => one.dataset.index));
  assert.deepEqual(shares, ['6,3', '6,4']);
  assert.deepEqual(complaints, []);
  await close();
});

test('the arrow that asks is turned by a pointer', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=7', { ready });
  await page.locator('gf-lens .grip').hover();
  const grip = await page.locator('gf-lens .grip').boundingBox();
  const drawing = await page.locator('gf-lens figure svg').first().boundingBox();
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
  const middle = drawing.y + drawing.height / 2;
  await page.mouse.down();
  /* From up right to down right, where the key of Ben lies. */
  await page.mouse.move(x, 2 * middle - y, { steps: 8 });
  await settled(page);
  near(await shown(page), verbs(turned(-90)));
  assert.equal(await page.locator(PASSED).count(), 0, 'nothing is said while it is held');
  await page.mouse.up();
  await page.waitForSelector(PASSED);
  assert.deepEqual(complaints, []);
  await close();
});

test('a word of the sentence and a corner of the plane are clicked as their buttons are', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=2', { ready });
  const token = (i) => page.locator(`gf-lens [data-gate="tokens:${i}"]`);
  await token(2).click();
  assert.equal(await token(2).evaluate((one) => getComputedStyle(one).outlineStyle), 'none');
  await page.locator('.reply.wrong p', { hasText: '“he”' }).waitFor();
  /* Where it looks is not told yet: a thin line leads to each word. */
  assert.equal(await page.locator('gf-lens .line.asked[stroke-width="1"]').count(), 7);
  await token(0).click();
  await page.waitForSelector(PASSED);
  assert.equal(await page.locator('gf-lens .line:not(.asked)').count(), 7);
  const [weight] = turned(0).weights.data.slice(-7);
  const told = await page.locator('gf-lens .share').textContent();
  assert.equal(told, `${Math.round(100 * weight)}%`);
  await page.locator('gf-learn .next').click();
  await page.waitForFunction(() => location.hash.includes('scene=3'));
  await page.locator('.scenes summary').click();
  await page.locator('.scenes li a').nth(4).click();
  /* Of the values only the one that is spoken of is drawn. */
  const values = page.locator('gf-lens .arrow.role-v:not(.silent)');
  await page.locator('gf-lens [data-gate="vocabulary:12"]').waitFor();
  assert.equal(await values.count(), 1);
  await page.locator('gf-lens [data-gate="vocabulary:12"] text').click();
  await page.waitForSelector(PASSED);
  assert.equal(await values.count(), 2);
  assert.deepEqual(complaints, []);
  await close();
});

test('without motion the film stands at its end at once, and the gate is open', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=6', { ready });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await page.locator('gf-lens .blend').count(), 0);
  await page.locator('.options button').click();
  await page.waitForSelector(PASSED);
  near(await shown(page), verbs(turned(0)));
  assert.equal(await page.locator('gf-lens .blend').count(), 1);
  assert.deepEqual(complaints, []);
  await close();
});

test('a film is held and goes on, the map follows it, and what is over plays once more', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=6', { ready });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  /* The boxes that the map lights, one after the other. */
  await page.evaluate(() => {
    globalThis.lit = [];
    const watch = () => {
      const box = document.querySelector('gf-lesson-map [aria-current]')?.dataset.box;
      if (box !== globalThis.lit.at(-1)) globalThis.lit.push(box);
      requestAnimationFrame(watch);
    };
    watch();
  });
  const button = page.locator('.options button');
  await button.click();
  await page.locator('.options button:text("Pause")').click();
  await page.locator('.options button:text("Play")').click();
  await page.locator('.beat:text("attention weights")').waitFor();
  await page.locator('.options button:text("Replay")').waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.lit.slice(-5)), [
    'scores',
    'weights',
    'blend',
    'output',
    'next',
  ]);
  await button.click();
  await page.locator('gf-lesson-map [data-box=scores][aria-current]').waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('in another language the words are others, the numbers the same', async () => {
  for (const [lang, words] of [
    ['fr', 'Anna et Eva sont là . Elle'],
    ['de', 'Anna und Eva sind da . Sie'],
  ]) {
    const link = `#v=1&lesson=why-attention&scene=8&lang=${lang}`;
    const { page, close } = await open(link, { ready });
    const tokens = await page.locator('gf-lens .token > text:first-of-type').allTextContents();
    assert.equal(tokens.join(' '), words);
    await page.locator('.options button').last().click();
    await page.waitForSelector(PASSED);
    assert.match(await page.locator('gf-lens .coming').textContent(), /^\w+ \/ \w+$/);
    near(await shown(page), verbs(turned(0, [0, 4, 1, 5, 6, 7, 8])));
    await close();
  }
});

test('on a phone all letters can be read, and planes, lens and next word are seen together', async () => {
  const viewport = { width: 375, height: 740 };
  const { page, close } = await open('#lesson=why-attention&scene=7', { ready, viewport });
  const sizes = await page.locator('gf-lens svg').evaluateAll((all) =>
    all.flatMap((drawing) => {
      const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
      return Array.from(
        drawing.querySelectorAll('text'),
        (one) => scale * Number.parseFloat(getComputedStyle(one).fontSize),
      );
    }),
  );
  assert.ok(Math.min(...sizes) >= 12, `${sizes}`);
  const [plane, words] = await Promise.all(
    ['figure', '.next-words'].map((part) => page.locator(`gf-lens ${part}`).first().boundingBox()),
  );
  const foot = await page.locator('.scene > footer').boundingBox();
  assert.ok(words.y + words.height - plane.y < foot.y, 'they fit above the buttons');
  await close();
});

/** In the page: whether the names of arrows leave each other, and words, their room, and stay within their drawing. */
const faultsOfNames = (page) =>
  page.locator('gf-learn figure svg').evaluateAll((drawings) => {
    const apart = (a, b) =>
      a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    return drawings.flatMap((drawing) => {
      const room = drawing.getBoundingClientRect();
      const names = [...drawing.querySelectorAll('.arrow-names text')];
      const others = [...drawing.querySelectorAll('.verb .word')];
      return names.flatMap((one, i) => {
        const box = one.getBoundingClientRect();
        const isIn =
          box.left > room.left - 1 &&
          box.right < room.right + 1 &&
          box.top > room.top - 1 &&
          box.bottom < room.bottom + 1;
        const over = [...names.slice(0, i), ...others].filter(
          (other) => !apart(box, other.getBoundingClientRect()),
        );
        return [...(isIn ? [] : ['the edge']), ...over.map((other) => other.textContent)].map(
          (other) => `${one.textContent} over ${other}`,
        );
      });
    });
  });

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 1920, height: 1080, mode: '&mode=present' },
])
  test(`no name of an arrow lies over another, a word, or the edge at ${viewport.width} px`, async () => {
    const { mode = '', ...size } = viewport;
    const { page, close } = await open(`#lesson=why-attention&scene=10${mode}`, {
      ...{ ready, viewport: size },
    });
    const faults = [];
    const look = async (what) => {
      await settled(page);
      for (const fault of await faultsOfNames(page)) faults.push(`${what}: ${fault}`);
    };
    const sliders = page.locator('gf-lens .slider input');
    for (const turn of ['0', '-45', '-90', '120', '180'])
      for (let i = 0; i < 3; i++) {
        await sliders.nth(i).fill(turn);
        await look(`lens ${i} at ${turn}`);
      }
    for (const place of ['why-attention&scene=4', 'why-attention&scene=8', 'the-output&scene=2']) {
      await follow(page, `#lesson=${place}${mode}`);
      await page.waitForSelector('gf-lens .arrow-names text');
      const last = page.locator('.options button').last();
      if (await last.isVisible()) await last.click();
      await look(place);
    }
    await follow(page, `#lesson=how-it-learns&scene=2${mode}`);
    const step = page.locator('gf-learning .slider input');
    await step.waitFor();
    for (const to of ['1', '5', '10', '20', '50', '100']) {
      await step.fill(to);
      await look(`step ${to}`);
    }
    assert.deepEqual(faults, []);
    await close();
  });

test('tokens at 0 stand below their drawing, and a score at the name of its key', async () => {
  const { page, close } = await open('#lesson=why-attention&scene=10', { ready });
  const notes = await page.locator('gf-lens .note').allInnerTexts();
  assert.match(notes[0], /Numbers: scores\s+At 0: and, are, here, “\.”$/);
  assert.match(notes[1], /^At 0: and, are, here, “\.”, She$/);
  const names = await page.locator('gf-lens .role-k text').allTextContents();
  const scores = turned(0).scores.data.slice(-7);
  assert.deepEqual(
    names,
    [0, 2, 6].map((j) => `K ${['Anna', '', 'Ben', '', '', '', 'She'][j]} ${Math.round(scores[j])}`),
  );
  await close();
});

test('what is known, the sentence and the drawings stand at the same place in each scene', async () => {
  const { page, close } = await open('#lesson=why-attention', {
    ...{ ready, viewport: { width: 1440, height: 900 } },
  });
  const seen = new Set();
  for (const scene of [1, 2, 3, 4, 5, 6, 7, 8, 10]) {
    await follow(page, `#lesson=why-attention&scene=${scene}`);
    await page.waitForSelector('.say p');
    await settled(page);
    const tops = await page.evaluate(() =>
      ['.say p', '.people', '.sentence', '.lens figure svg'].map((part) => {
        const one = document.querySelector(`gf-learn ${part}`);
        return one && Math.round(one.getBoundingClientRect().top);
      }),
    );
    /* Two scenes have no drawing yet. */
    seen.add(JSON.stringify(scene < 3 ? tops.slice(0, 3) : tops));
  }
  assert.equal(seen.size, 2, [...seen].join('; '));
  assert.ok([...seen][1].startsWith([...seen][0].slice(0, -1)), [...seen].join('; '));
  await close();
});

test('the words of a sentence stand equally far apart, a full stop at its word', async () => {
  const { page, close } = await open('#lesson=why-attention', { ready });
  const words = await page.locator('gf-lens .token > text').evaluateAll((all) =>
    all.map((one) => {
      const { left, right } = one.getBoundingClientRect();
      return { left, right, word: one.textContent };
    }),
  );
  const gaps = words.slice(1).map(({ left }, i) => left - words[i].right);
  const [stop] = gaps.splice(words.findIndex(({ word }) => word === '.') - 1, 1);
  assert.ok(stop < 5, `${stop} px before the full stop`);
  assert.ok(Math.max(...gaps) - Math.min(...gaps) < 2, `${gaps}`);
  await close();
});

test('the keys of a slider do not leave its scene', async () => {
  const { page, close } = await open('#lesson=why-attention&scene=7', { ready });
  const slider = page.locator('gf-lens .slider input');
  await slider.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('PageDown');
  await settled(page);
  assert.match(await addressOf(page), /scene=7/);
  assert.notEqual(await slider.inputValue(), '0');
  await close();
});

test('on a phone all that is turned is seen at once, and the arrows of a question', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, close } = await open('#lesson=why-attention&scene=10', { ready, viewport });
  const within = async (part) => {
    const [box, foot] = await Promise.all(
      [page.locator(part).last(), page.locator('.scene > footer')].map((one) => one.boundingBox()),
    );
    assert.ok(box.y + box.height <= foot.y, `${part}: ${box.y + box.height}, bar: ${foot.y}`);
  };
  await within('gf-lens .slider');
  await follow(page, '#lesson=why-attention&scene=4');
  await page.waitForSelector('.options button');
  await settled(page);
  await within('gf-lens figure svg');
  const title = page.locator('gf-lens figcaption b');
  assert.ok(await title.evaluate((one) => one.scrollWidth <= one.clientWidth), 'its title is cut');
  assert.equal(await page.locator('.where h2').innerText(), 'Who is “she”?');
  await close();
});

test('where two words are as likely, the reply gives both what they have', async () => {
  const { page, close } = await open('#lesson=the-output&scene=2', { ready });
  await page.locator('gf-lens .slider input').fill('6');
  const reply = await page.locator('.reply.wrong p').innerText();
  assert.match(reply, /“sings” with (\d+%), “runs” with \1/);
  await close();
});

test('what a term means opens at the term, above it: below stands what is not read yet', async () => {
  const { page, close } = await open('#lesson=scores-to-weights&scene=9', {
    ready: 'gf-learn .say .term',
  });
  const term = page.locator('.say .term').last();
  await term.hover();
  const tip = await page.locator('[role=tooltip]:popover-open').boundingBox();
  const word = await term.boundingBox();
  const apart = word.y - tip.y - tip.height;
  assert.ok(apart >= 0 && apart < 10 && tip.x <= word.x + 1, `${apart} px apart`);
  await close();
});

test('in front of a class names of arrows are read from afar, and the sentence is larger', async () => {
  const { page, close } = await open('#lesson=why-attention&scene=4&mode=present', {
    ...{ ready, viewport: { width: 1920, height: 1080 } },
  });
  await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
  await settled(page);
  const [known, name, said] = await Promise.all(
    ['.people', '.arrow-names text', '.token text'].map((part) =>
      page
        .locator(`gf-lens ${part}`)
        .first()
        .evaluate((one) => {
          const { width = 1 } = one.ownerSVGElement?.viewBox.baseVal ?? {};
          const scale = (one.ownerSVGElement?.getBoundingClientRect().width ?? 1) / width;
          return scale * Number.parseFloat(getComputedStyle(one).fontSize);
        }),
    ),
  );
  assert.ok(name >= 24 && said > 1.2 * known, `${known}, ${name}, ${said}`);
  await close();
});

test('in Explore the words follow their ids, and the last steps are of the vocabulary', async () => {
  const link = '#v=1&example=pocket&edits=tokens:6=9&t=1e5&lang=de';
  const { page, complaints, close } = await open(link);
  await page.locator('gf-stage .matrix').first().waitFor();
  assert.match(await page.locator('gf-stage').innerText(), /Er/);
  assert.match(await page.locator('gf-stage').innerText(), /schwimmt/);
  await follow(page, '#v=1&example=pocket&t=300');
  await settled(page);
  assert.match((await page.locator('gf-stage').innerText()).replace(/\s/g, ''), /W_?U/);
  assert.deepEqual(complaints, []);
  await close();
});

test('scores of random rows spread as the root of their length, in float64 too', () => {
  for (const d of [1, 2, 4, 8, 16, 32, 64, 128, 256]) {
    const [q, k] = [
      [1000, 1, d],
      [1000, d, 1],
    ].map((shape, stream) => gf.normal(shape, { seed: d, stream }));
    const products = Array.from({ length: 1000 }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += q.data[i * d + j] * k.data[i * d + j];
      return sum;
    });
    assert.ok(Math.max(...products.map(Math.abs)) < EDGE, `d = ${d}`);
    const width = widthOf(products);
    assert.ok(Math.abs(width / Math.sqrt(d) - 1) < 0.1, `d = ${d}: ${width}`);
  }
});

test('shares are those of a softmax, and only the root keeps them alike', () => {
  /* ln 1, ln 2, … ln 8: shares of 8, 7, … 1 thirty-sixths. */
  const scores = Array.from({ length: 8 }, (_, i) => Math.log(i + 1));
  const shares = sharesOf([...scores, ...scores.toReversed()]);
  for (const [i, share] of shares.entries()) assert.ok(Math.abs(share - (8 - i) / 36) < 1e-12);
});

test('the reader sees how far scores spread, and what each division makes of it', async () => {
  const link = '#lesson=scores-to-weights&scene=9';
  const { page, complaints, close } = await open(link, { ready: 'gf-spread svg' });
  const largest = async () =>
    Number.parseFloat(await page.locator('gf-spread li span').first().innerText());
  const slider = page.locator('gf-spread .slider input');
  const at = async (key, divisor) => {
    await page.getByRole('button', { name: divisor, exact: true }).click();
    await slider.focus();
    await page.keyboard.press(key);
    await settled(page);
    return largest();
  };
  /* A thousand scores in bars of a quarter: from one to the next they rise to the middle, and fall behind it. */
  const bars = await page
    .locator('gf-spread rect')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('width'))));
  assert.ok(bars.length < 40 && bars[0] >= 9, String(bars));
  const [rootSmall, rootLarge] = [await at('Home', '÷ √d'), await at('End', '÷ √d')];
  assert.ok(Math.abs(rootSmall - rootLarge) < 8, `${rootSmall} % and ${rootLarge} %`);
  assert.ok((await at('End', '÷ 1')) > 85);
  assert.ok((await at('End', '÷ d')) < 16);
  assert.match(await page.locator('gf-spread figcaption').first().innerText(), /width, .*: 0\.06/);
  assert.equal(await slider.getAttribute('aria-valuetext'), 'd = 256');
  assert.deepEqual(complaints, []);
  await close();
});

test('the words that no output points at have a bar of what is left', async () => {
  const { page, close } = await open('#lesson=why-attention&scene=10', { ready });
  const rest = 1 - verbs(turned(0)).reduce((sum, x) => sum + x, 0);
  const share = await page
    .locator('gf-lens .others')
    .evaluate((bar) => Number(getComputedStyle(bar).getPropertyValue('--share')));
  near([share], [rest]);
  const label = await page.locator('gf-lens .others b').innerText();
  assert.match(label, /^10 /);
  await close();
});

test('a word of the table goes through the three lenses', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=9', {
    ready: 'gf-rows figure',
  });
  const made = () => page.locator('gf-rows figcaption span').allInnerTexts();
  assert.deepEqual(await made(), ['Q She = (2, 2)', 'K She = (−1.5, 1.5)', 'V She = (0, 0)']);
  await page.locator('gf-rows th button', { hasText: /^Tom$/ }).click();
  assert.deepEqual(await made(), ['Q Tom = (−2, −2)', 'K Tom = (1.5, −1.5)', 'V Tom = (−2, −2)']);
  assert.deepEqual(complaints, []);
  await close();
});

test('the plane of the keys says what its axes mean, until W_K turns them', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention&scene=10', { ready });
  const written = () =>
    page
      .locator('gf-lens figure')
      .first()
      .locator('.paper text')
      .evaluateAll((all) => all.map((one) => one.textContent).filter((one) => /[a-z]/.test(one)));
  assert.deepEqual(await written(), ['pronoun', 'name', 'he', 'she']);
  await page.locator('gf-lens input[type=range]').nth(1).fill('90');
  await until(page, () => !document.querySelector('gf-lens .paper')?.textContent?.includes('name'));
  assert.deepEqual(await written(), []);
  assert.deepEqual(complaints, []);
  await close();
});

test('words are drawn as often as their shares say, anew at another temperature', async () => {
  const { page, complaints, close } = await open('#lesson=whole-machine&scene=10', {
    ready: 'gf-next li',
  });
  assert.equal(await page.locator('gf-next .draws').count(), 0, 'not before the answer');
  await page.getByRole('button', { name: 'more alike' }).click();
  const draw = page.getByRole('button', { name: 'Draw a word' });
  const written = async () => (await page.locator('gf-next .draws p').innerText()).split(' · ');
  for (let i = 0; i < 12; i++) await draw.click();
  /* It has more than 99.9 %. */
  assert.deepEqual(await written(), Array(12).fill('black'));
  await page.locator('gf-next input').fill('5');
  assert.deepEqual(await written(), ['']);
  for (let i = 0; i < 12; i++) await draw.click();
  const drawn = await written();
  const share = Number.parseFloat(await page.locator('gf-next .value').first().innerText()) / 100;
  /* Of twelve, within four standard deviations. */
  const blacks = drawn.filter((one) => one === 'black').length;
  assert.ok(Math.abs(blacks - 12 * share) < 4 * Math.sqrt(12 * share * (1 - share)), `${blacks}`);
  assert.ok(new Set(drawn).size > 3, String(drawn));
  assert.equal(await page.locator('gf-next .before b').innerText(), drawn.at(-1));
  assert.deepEqual(complaints, []);
  await close();
});
