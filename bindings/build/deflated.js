import { zlibAsync } from '@gfx/zopfli';

/** A text as deflated as can be, in base64. @param {string} text */
export async function deflated(text) {
  const bytes = await zlibAsync(new TextEncoder().encode(text), {});
  return Buffer.from(bytes).toString('base64');
}
