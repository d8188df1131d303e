// Opening a model of one's own files, as a reader does.

/** @typedef {import('playwright-core').Page} Page */

/** @param {Record<string, Uint8Array>} files by their names */
const chosen = (files) =>
  Object.entries(files).map(([name, bytes]) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  }));

/** @param {Page} page @param {Record<string, Uint8Array>} files by their names */
export const choose = (page, files) =>
  page.locator('.opener [type=file]').setInputFiles(chosen(files));

/** The reader agrees to what was told of a model. @param {Page} page */
export const agree = (page) => page.getByRole('button', { name: 'Load the model' }).click();

/** Why a model was not opened. @param {Page} page */
export async function refusal(page) {
  await page.waitForSelector('.opener .refusal');
  return page.locator('.opener .refusal').textContent();
}
