// The tensors of a file under the names of their family's table, whatever prefix they come with.

/** @typedef {import('./table.js').Family} Family */

/** A tensor of a file, with its numbers if they were read.
 * @typedef {{ dtype: string, shape: number[], data?: Float32Array | Int32Array }} Named */

/**
 * @template {Named} [T=Named]
 * @typedef {{ key: string, tensor: T }} Found */

/** Whether two tensors are equal. Numbers that were not read yet are compared when they come.
 * @param {Named} a @param {Named} b */
export const isEqual = (a, b) =>
  String(a.shape) === String(b.shape) &&
  (!a.data || !b.data || a.data.every((value, i) => Object.is(value, b.data?.[i])));

/** @template {Named} [T=Named] */
export class File {
  #prefix;
  /** @type {[RegExp, string][]} */
  #renames;
  /** @type {RegExp | null} */
  #ignored;
  /** @type {Map<string, Found<T>>} */
  #tensors = new Map();
  /** What says again what another key says. @type {Found<T>[]} */
  doubles = [];

  /** @param {Family} family @param {Map<string, T>} tensors */
  constructor(family, tensors) {
    this.#prefix = family.prefix;
    this.#renames = Object.entries(family.rename).map(([old, by]) => [new RegExp(old), by]);
    this.#ignored = family.ignored === undefined ? null : new RegExp(family.ignored);
    /** Whether this is a model without a head, whose names lack the prefix. */
    this.bare = ![...tensors.keys()].some((key) => key.startsWith(family.prefix));
    for (const [key, tensor] of tensors) {
      const name = this.#plain(key);
      if (this.#tensors.has(name)) this.doubles.push({ key, tensor });
      else this.#tensors.set(name, { key, tensor });
    }
  }

  /** @param {string} key */
  #plain(key) {
    const name = key.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : key;
    return this.#renames.reduce((text, [old, by]) => text.replace(old, by), name);
  }

  /** @param {string} name as the table has it
   * @returns {Found<T> | undefined} */
  find(name) {
    return this.#tensors.get(this.#plain(name));
  }

  /** Takes a tensor out.
   * @param {string} name */
  take(name) {
    const entry = this.find(name);
    this.#tensors.delete(this.#plain(name));
    return entry;
  }

  /** A name of the table as this file would have it.
   * @param {string} name */
  called(name) {
    return this.bare ? this.#plain(name) : name;
  }

  /** Whether any key starts so.
   * @param {string} start */
  has(start) {
    return [...this.#tensors.keys()].some((name) => name.startsWith(this.#plain(start)));
  }

  /** What nobody took, and nobody need take.
   * @returns {Found<T>[]} */
  get rest() {
    return [...this.#tensors].flatMap(([name, entry]) =>
      this.#ignored?.test(name) ? [] : [entry],
    );
  }

  /** Whether the logits are made with the embedding's weights: the head is not there, or the same.
   * @param {unknown} setting what config.json says; the config's check refuses what is no boolean
   * @param {string} head @param {string[]} tables names of the embedding */
  isTied(setting, head, tables) {
    const wanted = /** @type {boolean} */ (setting);
    const there = this.find(head);
    if (!there) return wanted || this.bare;
    const table = tables.map((name) => this.find(name)).find((entry) => entry);
    return wanted && (!table || isEqual(there.tensor, table.tensor));
  }
}
