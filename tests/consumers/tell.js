// How a consumer without a page tells its result: the engine, the way in, the hashes.

/** @param {string} way @param {Promise<string>} hashes */
export async function tell(way, hashes) {
  const { bun, deno, node } = process.versions;
  const engine = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node.js ${node}`;
  console.log(`${engine}, ${way}\t${await hashes}`);
}
