// Several files, as an <input> gives them.

/** @typedef {import('../formats/source.js').FileLike} FileLike */

/** Folders within each other. */
const MAX_FOLDERS = 100;

/** @param {unknown} source
 * @returns {source is Iterable<FileLike> | ArrayLike<FileLike>} */
export const isFiles = (source) =>
  typeof source === 'object' &&
  source !== null &&
  !ArrayBuffer.isView(source) &&
  (Symbol.iterator in source || source.constructor?.name === 'FileList');

/** What a file is called, with its folders where an <input> for folders gave it; '' if it has no name.
 * @param {FileLike} file */
export function pathOf(file) {
  if (typeof file === 'string' || file instanceof URL) return String(file);
  const { webkitRelativePath, name = '' } = /** @type {File} */ (Object(file));
  return webkitRelativePath || name;
}

/** Paths within the folder that all of them are in.
 * @param {readonly string[]} paths */
export function withinFolder(paths) {
  const parts = paths.map((path) => path.split('/'));
  const shortest = Math.min(...parts.map(({ length }) => length - 1), MAX_FOLDERS);
  let common = 0;
  while (common < shortest && parts.every((part) => part[common] === parts[0][common])) common++;
  return parts.map((part) => part.slice(common).join('/'));
}
