// A limit of time for what may run without end, where an engine can end it: Node. In a page a worker can.

/** Node's vm, without an import that bundlers would follow.
 * @type {any} */
const vm = /** @type {any} */ (globalThis).process?.getBuiltinModule?.('node:vm');

/** What ends work that takes too long; null where nothing does.
 * @type {{ script: any, context: any } | null | undefined} */
let engine;

function ready() {
  try {
    return { script: new vm.Script('work()'), context: vm.createContext({}) };
  } catch {
    return null;
  }
}

/** What the work gives, unless it takes longer.
 * @template T
 * @param {number} milliseconds @param {() => T} work @param {() => T} late
 * @returns {T} */
export function withinTime(milliseconds, work, late) {
  engine ??= ready();
  if (!engine) return work();
  engine.context.work = work;
  try {
    return engine.script.runInContext(engine.context, { timeout: milliseconds });
  } catch (error) {
    if (/** @type {any} */ (error)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return late();
  } finally {
    engine.context.work = undefined;
  }
}
