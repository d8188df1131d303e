// Cleaning up after objects that were never disposed of.

/** Calls `free` with what an object was registered with, some time after the object was garbage collected, or never. Without
 * a FinalizationRegistry, as in Cloudflare Workers with a compatibility date before 2025-05-05, it stays until disposed of.
 * @template T
 * @param {(held: T) => void} free
 * @returns {Pick<FinalizationRegistry<T>, 'register' | 'unregister'>} */
export const onForgotten = (free) =>
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry(free)
    : { register() {}, unregister: () => false };
