// What every state of a chapter has to look like.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { follow } from './browser.js';
import { overflow, serious } from './expect.js';

/**
 * @param {ReturnType<typeof import('./browser.js').inBrowser>['open']} open
 * @param {string[]} states as links have them, without the '#'
 */
export function looks(open, states) {
  describe('looks', () => {
    for (const colorScheme of ['light', 'dark']) {
      test(`axe finds nothing serious, ${colorScheme}`, async () => {
        const { page, close } = await open('', { colorScheme });
        for (const state of states) {
          await follow(page, `#${state}`);
          assert.deepEqual(await serious(page), [], state);
        }
        await close();
      });
    }

    for (const [width, height] of [
      [320, 640],
      [768, 1024],
      [1440, 900],
    ]) {
      test(`fits ${width} px`, async () => {
        const { page, complaints, close } = await open('', { viewport: { width, height } });
        for (const state of states) {
          await follow(page, `#${state}`);
          const { x, y } = await overflow(page);
          assert.ok(x <= 0 && (width < 1440 || y <= 0), `${state}: ${x}, ${y}`);
        }
        assert.deepEqual(complaints, []);
        await close();
      });
    }
  });
}
