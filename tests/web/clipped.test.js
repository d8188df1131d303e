// Every panel of every chapter and every scene of every lesson on a phone, a tablet and a desk: no text is cut, and no ring around what has the focus. What
// is larger than its room scrolls, and says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../bindings/js/base/speech.js';
import { sample } from '../support/sample.js';
import { follow, inBrowser } from './browser.js';
import { lessons } from './learner.js';
import { PANELS, show } from './looks.js';

const { open } = inBrowser();

/** In the page: what of it is cut by something around it. */
function helpers() {
  const nameOf = (one) => {
    const around = [...document.querySelectorAll('*')].findLast(
      (e) => e.tagName.startsWith('GF-') && e.contains(one),
    );
    const own = one.getAttribute?.('class');
    return `${one.tagName.toLowerCase()}${own ? `.${own}` : ''} in ${around?.tagName.toLowerCase()}`;
  };
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isScrolled = (value) => value === 'auto' || value === 'scroll';
  /** Whether it shows that there is more: a bar, or what lies over its edge until that is reached. */
  const saysSo = ({ scrollbarWidth, backgroundAttachment }) =>
    scrollbarWidth !== 'none' || backgroundAttachment.includes('local');
  /** What is cut by an element in a direction, if it is: what scrolls cuts nothing that it can show. */
  function cut(box, around, style, axis) {
    const overflow = style[axis === 'x' ? 'overflowX' : 'overflowY'];
    if (overflow === 'visible') return 0;
    const outer = around.getBoundingClientRect();
    const [from, to, own] =
      axis === 'x'
        ? [outer.left + around.clientLeft, outer.right - around.clientLeft, [box.left, box.right]]
        : [outer.top + around.clientTop, outer.bottom - around.clientTop, [box.top, box.bottom]];
    return Math.max(from - own[0], own[1] - to);
  }
  /** What hides a part of something on purpose: it is told elsewhere, or a title has it whole. */
  const isMeant = (one, style) =>
    style.clipPath !== 'none' ||
    ((style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') &&
      (one.closest('[title]') !== null || one.querySelector('[title]') !== null)) ||
    one.matches('select, option, [role=tooltip], canvas');
  function* around(one) {
    for (let at = one; at && at !== document.documentElement; at = at.parentElement) yield at;
  }

  /** Texts that something cuts. */
  globalThis.textsCut = () => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const own = node.parentElement;
      if (!node.data.trim() || !own || !isSeen(own)) continue;
      if ([...around(own)].some((at) => isMeant(at, getComputedStyle(at)))) continue;
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(
        ({ width, height }) => width > 0 && height > 0,
      );
      if (boxes.length === 0) continue;
      /* Letters take less than their line. */
      const size = Number.parseFloat(getComputedStyle(own).fontSize);
      const box = {
        left: Math.min(...boxes.map(({ left }) => left)),
        right: Math.max(...boxes.map(({ right }) => right)),
        top: Math.min(...boxes.map(({ top, height }) => top + Math.max(0, (height - size) / 2))),
        bottom: Math.max(
          ...boxes.map(({ bottom, height }) => bottom - Math.max(0, (height - size) / 2)),
        ),
      };
      for (const at of around(own)) {
        const style = getComputedStyle(at);
        for (const axis of ['x', 'y']) {
          const overflow = style[axis === 'x' ? 'overflowX' : 'overflowY'];
          if (cut(box, at, style, axis) <= 1.5) continue;
          const scrolls = isScrolled(overflow);
          if (scrolls && saysSo(style)) continue;
          found.push(`"${node.data.trim().slice(0, 40)}" by ${nameOf(at)} (${axis})`);
        }
        /* What scrolls out of sight is not looked for further out. */
        if (isScrolled(style.overflowX) || isScrolled(style.overflowY)) break;
      }
    }
    return [...new Set(found)];
  };

  const NATIVE = 'a[href], button, input, select, textarea, summary, [tabindex]';
  /** Rings that something cuts. */
  globalThis.ringsCut = () => {
    const found = [];
    for (const one of document.querySelectorAll(NATIVE)) {
      if (one.disabled || one.tabIndex < 0 || !isSeen(one) || one.closest('.hidden')) continue;
      one.focus();
      if (document.activeElement !== one) continue;
      one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
      const wide = Number.parseFloat(outlineWidth);
      if (outlineStyle === 'none' || wide < 1) continue;
      const off = Number.parseFloat(outlineOffset) + wide;
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const ring = { left: left - off, top: top - off, right: right + off, bottom: bottom + off };
      /* What has no room itself is told by its label. */
      if (right - left <= 1) continue;
      for (const at of around(one.parentElement)) {
        const style = getComputedStyle(at);
        for (const axis of ['x', 'y']) {
          const by = cut(ring, at, style, axis);
          /* Wider than its room it cannot be seen whole, and is scrolled. */
          const [own, room] =
            axis === 'x' ? [right - left, at.clientWidth] : [bottom - top, at.clientHeight];
          if (by > 1 && own <= room)
            found.push(`${nameOf(one)} by ${nameOf(at)} (${axis}, ${by.toFixed(1)})`);
        }
      }
    }
    return [...new Set(found)];
  };
}

/** Every scene of every lesson. */
const SCENES = lessons.flatMap(({ name, scenes }) =>
  scenes.map((_, i) => ({ hash: `v=1&lesson=${name}&scene=${i + 1}`, ready: 'gf-learn .say p' })),
);
const SCREENS = [
  [375, 812],
  [768, 1024],
  [1440, 900],
];
for (const [width, height] of sample(SCREENS, 1)) {
  test(`no text and no focus ring is cut: ${width} px`, async () => {
    const { page, complaints, close } = await open('', { viewport: { width, height } });
    await page.evaluate(`(${helpers})()`);
    /* Rings are for those who use the keyboard. */
    await page.keyboard.press('Shift');
    const faults = [];
    for (const look of [...sample(PANELS, 6), ...sample(SCENES, 3)]) {
      const name = await show(page, look);
      const cut = await page.evaluate(() => [...globalThis.textsCut(), ...globalThis.ringsCut()]);
      faults.push(...cut.map((what) => `${name}: ${what}`));
    }
    assert.equal(faults.join('\n'), '');
    assert.deepEqual(complaints, []);
    await close();
  });
}

/** The least that a reader may ask for (WCAG 2.1, 1.4.12), in every element. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`;
/* On a desktop the page is as high as the window, and a figure that fits it as it is may lose its last name. */
for (const [width, height] of sample(SCREENS.slice(0, 2), 1)) {
  test(`no text is cut where its letters, words and lines stand further apart: ${width} px`, async () => {
    const { page, close } = await open('', { viewport: { width, height } });
    await page.evaluate(`(${helpers})()`);
    await page.addStyleTag({ content: SPACED });
    const faults = [];
    for (const look of [...sample(PANELS, 6), ...sample(SCENES, 3)]) {
      const name = await show(page, look);
      const cut = await page.evaluate(() => globalThis.textsCut());
      faults.push(...cut.map((what) => `${name}: ${what}`));
    }
    assert.equal(faults.join('\n'), '');
    await close();
  });
}

/** px that the arrow of a menu takes */
const ARROW = 18;

test('on a phone the timeline of a film has two rows, and its choices are read whole', async () => {
  const viewport = { width: 375, height: 812 };
  const hash = '#v=1&chapter=transformer&panel=stage&t=40';
  const { page, close } = await open(hash, {
    ready: 'gf-timeline .film',
    viewport,
  });
  const middles = await page.locator('gf-timeline > :not(.track)').evaluateAll((all) =>
    all
      .map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ top, bottom }) => Math.round((top + bottom) / 2)),
  );
  assert.equal(middles.length, 3);
  assert.ok(Math.max(...middles) - Math.min(...middles) < 4, String(middles));
  for (const lang of languages) {
    await follow(page, `${hash}&lang=${lang}`);
    const cut = await page.locator('gf-timeline .film select').evaluate((select, arrow) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = font;
      const sides = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      const room = select.clientWidth - sides - arrow;
      const labels = Array.from(select.options, ({ label }) => label.trim());
      return labels.filter((label) => pen.measureText(label).width > room);
    }, ARROW);
    assert.deepEqual(cut, [], lang);
  }
  await close();
});

test('on a phone a caption of four lines is seen whole', async () => {
  const { page, close } = await open('#v=1&chapter=positions&panel=distance', {
    viewport: { width: 390, height: 844 },
    ready: 'gf-caption p',
  });
  const hidden = await page
    .locator('gf-caption')
    .evaluate((caption) => caption.scrollHeight - caption.clientHeight);
  assert.equal(hidden, 0);
  await close();
});
