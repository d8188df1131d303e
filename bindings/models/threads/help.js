// The work of a thread other than the one that runs tapes: it computes parts of large nodes, for ever.

/** What a thread receives: the module, its memory, where the team and the thread's stack lie, and its number.
 * @typedef {object} Post
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {number} team @property {number} stack the end of it
 * @property {number} thread */

/** Does not return.
 * @param {Post} post @param {() => void} ready */
export function help({ module, memory, team, stack, thread }, ready) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const {
    __stack_pointer: pointer,
    gf_team_help: work,
    gf_team_lose: lose,
  } = /** @type {any} */ (exports);
  pointer.value = stack;
  ready();
  try {
    work(team, thread);
  } catch (error) {
    /* The thread that runs tapes waits for the part. */
    lose(team);
    throw error;
  }
}
