// Says on standard error what is being done: on a terminal in one line, elsewhere once per workload.

const CLEAR = '\r\x1b[K';

/** @param {string} where
 * @returns {(what: string) => void} */
export function progress(where) {
  const { stderr } = process;
  if (stderr.isTTY) return (what) => stderr.write(`${CLEAR}${what && `${where}: ${what}`}`);
  stderr.write(`${where}\n`);
  return () => {};
}
