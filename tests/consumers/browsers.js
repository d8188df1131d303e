// Chromium and Firefox, whose drivers speak alike as far as is needed here.

import puppeteer from 'puppeteer-core';
import { launch } from '../web/browser.js';

/** What Playwright's pages have from the start. */
const VIEWPORT = { width: 1280, height: 720 };

/** @returns {Promise<{ close: () => Promise<void>, version: string, newPage: () => Promise<any> }[]>} */
export async function browsers() {
  const chromium = await launch();
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    defaultViewport: VIEWPORT,
  });
  return [
    {
      version: `Chromium ${chromium.version()}`,
      newPage: () => chromium.newPage({ viewport: VIEWPORT }),
      close: () => chromium.close(),
    },
    {
      version: (await firefox.version()).replace('/', ' ').replace(/^f/, 'F'),
      newPage: () => firefox.newPage(),
      close: () => firefox.close(),
    },
  ];
}
