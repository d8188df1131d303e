// Large texts of the package, which it has deflated.

/** @param {string} base64 of a zlib stream @returns {Promise<string>} */
export function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(text).text();
}

/** What stands for the core in the page of an exercise: the package has it once. */
export const NO_CORE = "''/*core*/";
