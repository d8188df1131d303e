// What is computed within a function of a program from what it is called with, which nobody knows.

/** @typedef {import('../read/statements.js').Statement} Statement */

/** A function of a program, and the names that stand in it for what is not known. @typedef {{ start: number, end: number, names: Set<string> }} Scope */

const DEFINITION = /^([ \t]{0,40})def \w{1,60}\(([^()]{0,300})\)[^\n:]{0,60}:/gm;
const NAME = /(?<![\w.])[A-Za-z_]\w*/g;

/** The functions of a text. */
export class Locals {
  #text;
  /** Those that end behind the statements so far. @type {Scope[]} */ #scopes;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
    this.#scopes = [...text.matchAll(DEFINITION)].map(({ 0: head, 1: indent, 2: names, index }) => {
      const start = index + head.length;
      const end = new RegExp(`\\n${indent}(?=\\S)`, 'g');
      end.lastIndex = start;
      const inputs = names.split(',').map((one) => /\w+/.exec(one)?.[0] ?? '');
      return { start, end: end.exec(text)?.index ?? text.length, names: new Set(inputs) };
    });
  }

  /** Whether a statement computes with what a function is called with. Its name is then not known there, either.
   * @param {Statement} statement */
  has({ label, titled, start, end }) {
    while (this.#scopes[0]?.end <= start) this.#scopes.shift();
    const [scope] = this.#scopes;
    if (!scope || start < scope.start || titled) return false;
    const source = this.#text.slice(start + label.length, Math.min(end, start + 500));
    const isUnknown = source.match(NAME)?.some((name) => scope.names.has(name)) ?? false;
    if (isUnknown) scope.names.add(label);
    return isUnknown;
  }
}
