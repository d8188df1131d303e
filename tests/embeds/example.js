// Opens the examples as their readers would, in a real browser.
import path from 'node:path';
import { unlessInstalled } from '../support/skips.js';
import { launch, open, serve } from '../web/browser.js';

export const root = path.resolve(import.meta.dirname, '../..');

/**
 * @param {import('node:test').TestContext} context that it lives as long as
 * @param {string} file of the folder
 * @param {{ folder?: string, ready?: string }} [options] where the host wrote its pages, if not here, in a repository
 * that is served whole; and what is waited for
 */
export async function example(context, file, { folder, ready = 'body' } = {}) {
  const [site, browser] = await Promise.all([serve({ folder: folder ?? root }), launch()]);
  context.after(async () => {
    await browser.close();
    site.close();
  });
  const address = `${site.url}${folder ? '' : 'tests/embeds/'}${file}`;
  return { ...(await open(browser, address, { ready })), browser, site };
}

/**
 * Why a test of an example cannot run here; false if it can.
 * @param {string} folder whose package.json names what it needs
 */
export const missing = (folder) => unlessInstalled(path.join(folder, 'node_modules'));
