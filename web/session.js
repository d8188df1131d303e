// The page's door to the core; no other file of the page imports the bindings.
import { examples, explain, load, sentence } from '../bindings/index.js';

/**
 * @typedef {{
 *   name: string, op: string, kind: 'input' | 'parameter' | 'ids' | 'op', shape: number[],
 *   inputs: (string | null)[], attributes: Record<string, number>, bypassed: number | null,
 *   frozen: boolean, data: Float32Array | Int32Array, grad: Float32Array | null,
 * }} Step
 * @typedef {{ node: string, index: number[], printed: number, computed: number,
 *   cause: 'step' | 'carried', from?: 'rounded' | 'wrong' }} Mismatch
 * @typedef {{
 *   steps: Step[], step: (name: string) => Step,
 *   removable: { name: string, possible: boolean, reason: string | null }[],
 *   printed: Record<string, { shape: number[], text: (string | null)[] }>,
 *   mismatches: Mismatch[],
 *   asides: { text: string, printed: string | number, computed: number, right: boolean }[],
 *   gradient: (node: string, index: number[]) => void, dispose: () => void,
 * }} Trace
 * @typedef {{ name: string, title: string, source: string, about: string, tokens: string[] }} Example
 * @typedef {import('./draw/tensor.js').Cell} Cell
 * @typedef {Cell & { value: number }} Valued
 * @typedef {Valued & { [part: string]: any }} Explanation
 * @typedef {{ example: Example, trace: Trace, intact: Trace | null }} Opened
 * intact: the same without the removals, if there are any.
 */

export class Session {
  /** @param {any} core what load() gave */
  constructor(core) {
    this.core = core;
    /** @type {Opened | null} */
    this.opened = null;
  }

  static async start() {
    return new Session(await load());
  }

  /** What there is to choose from, in order. */
  get examples() {
    return /** @type {Record<string, Example>} */ (/** @type {unknown} */ (examples));
  }

  /**
   * Computes what a state asks for. If that fails, it throws and what was open stays open.
   * @param {Pick<import('./store.js').State, 'example' | 'sentence' | 'remove' | 'edits'>} state
   * @returns {Opened}
   */
  open({ example: name, sentence: own, remove, edits }) {
    if (!own && !Object.hasOwn(this.examples, name)) {
      throw new RangeError(`no example is called ${name}`);
    }
    const example = /** @type {any} */ (own ? written(own) : this.examples[name]);
    const trace = this.core.trace(example, { remove, edits });
    const intact = remove.length > 0 ? this.core.trace(example, { edits }) : null;
    this.opened?.trace.dispose();
    this.opened?.intact?.dispose();
    this.opened = { example: { ...example, tokens: example.tokens ?? [] }, trace, intact };
    return this.opened;
  }

  /**
   * How one number arose.
   * @param {Trace} trace
   * @param {Cell} cell
   * @returns {Explanation}
   */
  explain(trace, { node, index }) {
    return /** @type {any} */ (explain(/** @type {any} */ (trace), node, index, this.core));
  }
}

/** @param {import('./store.js').Sentence} own */
const written = ({ text, ...options }) => sentence(text, options);
