// Words by their keys, tree by tree.

/**
 * Puts what more has into a tree of the same form.
 * @param {any} tree
 * @param {any} more
 */
export function merge(tree, more) {
  for (const [key, value] of Object.entries(more)) {
    if (typeof value === 'object' && typeof tree[key] === 'object') merge(tree[key], value);
    else tree[key] = value;
  }
}
