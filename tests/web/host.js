// Pages of others that show our figures: written here, served beside the site.

export const MODULE = '<script type="module" src="element.js"></script>';
export const CLASSIC = '<script src="element.classic.js"></script>';

/**
 * @param {string} body
 * @param {{ head?: string, script?: string, lang?: string }} [options]
 */
export const pageOf = (body, { head = '', script = MODULE, lang = 'en' } = {}) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Somebody’s page</title>
  <link rel="icon" href="data:,"><script>(${note})()</script>${head}</head>
  <body>${body}${script}</body></html>`;

/**
 * Opens such a page, and waits until its figures are there.
 * @param {ReturnType<typeof import('./browser.js').inBrowser>} browsing
 * @param {string} html
 * @param {Parameters<typeof import('./browser.js').open>[2]} [options]
 */
export async function host(browsing, html, options) {
  browsing.site.pages.set('host.html', html);
  const opened = await browsing.open('host.html', { ready: 'body', ...options });
  await shown(opened.page);
  return opened;
}

/** Runs in the page, before all else: notes what figures say. */
function note() {
  globalThis.said = [];
  for (const type of ['gf-ready', 'gf-state', 'gf-progress', 'gf-error']) {
    addEventListener(type, ({ target, detail }) => {
      globalThis.said.push({ type, id: target.id, ...detail });
    });
  }
  addEventListener('message', ({ data, origin }) => globalThis.said.push({ ...data, origin }));
}

/**
 * Waits until figures show something, a number or why there is none.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 */
export const shown = (page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll('gf-attention, gf-transformer, gf-lesson')].every((figure) =>
      figure.shadowRoot?.querySelector('.lesson, .say p, .learned, .failure, .waiting .main'),
    ),
  );

/**
 * Waits until a figure has drawn its last state.
 * @param {import('playwright-core').Locator} figure
 */
export const calm = (figure) =>
  figure.evaluate(async (element) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let rounds = 0; rounds < 2; ) {
      const all = [element, ...element.shadowRoot.querySelectorAll('*')];
      const drawn = await Promise.all(all.map((one) => one.updateComplete ?? true));
      rounds = drawn.every(Boolean) ? rounds + 1 : 0;
      await frame();
    }
  });

/**
 * Every number of a tensor that a figure shows.
 * @param {import('playwright-core').Locator} figure
 */
export const numbersOf = (figure) =>
  figure.evaluate((element) =>
    [...element.shadowRoot.querySelectorAll('[data-node]')].map((shown) => ({
      node: shown.dataset.node,
      index: shown.dataset.index.split(',').map(Number),
      value: shown.dataset.value,
      run: shown.dataset.run ?? 'page',
      text: shown.textContent.trim(),
    })),
  );
