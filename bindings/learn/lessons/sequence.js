// The order in which steps can be computed.

/** Those of some steps that a step is computed from, directly or by others between.
 * @param {string} name @param {readonly string[]} among @param {import('./expression.js').Scope} scope
 * @returns {string[]} */
export function neededFor(name, among, scope) {
  /** @type {Set<string | null>} */
  const seen = new Set();
  const open = [name];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const inputs = scope.step(one)?.inputs ?? [];
    for (const input of inputs) {
      if (input && !seen.has(input)) open.push(input);
      seen.add(input);
    }
  }
  return among.filter((one) => seen.has(one));
}

/** The first place of an order at which a step does not follow from those before it; -1 if each does.
 * @param {readonly string[]} order @param {readonly string[]} among all that are to be ordered
 * @param {import('./expression.js').Scope} scope */
export const firstTooEarly = (order, among, scope) =>
  order.findIndex((name, i) => {
    const before = order.slice(0, i);
    return neededFor(name, among, scope).some((one) => !before.includes(one));
  });
