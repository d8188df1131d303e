/** A browser may read a file after the click, and some ask the reader first where to. */
const MINUTE_MS = 60_000;

/**
 * Saves a file on the reader's disk.
 * @param {string} name
 * @param {Blob} content
 */
export function saveFile(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), MINUTE_MS);
}
