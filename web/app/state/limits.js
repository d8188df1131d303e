// What a link and the state that it holds may have at most.

/** Characters of a link, packed or not. */
export const MAX_LINK = 1e5;

/** Edited cells, cells of a path, removals, characters of a sentence. */
export const MAX = { edits: 512, path: 256, remove: 64, text: 2000 };
