// What becomes of things that nobody disposed of.

/** Calls `free` with what a thing was registered with, some time after the thing is gone, or never. Where nobody tells
 * that a thing is gone, as in Cloudflare Workers with a compatibility date before 2025-05-05, it stays until disposed of.
 * @template T
 * @param {(held: T) => void} free
 * @returns {Pick<FinalizationRegistry<T>, 'register' | 'unregister'>} */
export const onForgotten = (free) =>
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry(free)
    : { register() {}, unregister: () => false };
