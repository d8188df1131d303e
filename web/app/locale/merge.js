// Trees of texts by their keys.

/**
 * Adds the entries of another tree of the same form.
 * @param {any} tree
 * @param {any} more
 */
export function merge(tree, more) {
  for (const [key, value] of Object.entries(more)) {
    if (typeof value === 'object' && typeof tree[key] === 'object') merge(tree[key], value);
    else tree[key] = value;
  }
}

/**
 * The same for several trees, by the names that they share.
 * @param {Record<string, any>} trees
 * @param {Record<string, any>} more
 */
export function mergeAll(trees, more) {
  for (const [name, tree] of Object.entries(trees)) merge(tree, more[name]);
}
