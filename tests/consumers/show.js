// How a page tells its result: in its <output>, where browser.js finds it.

/** @param {Promise<string>} hashes */
export async function show(hashes) {
  document.querySelector('output').textContent = await hashes;
}
