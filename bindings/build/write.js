import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a file beside its place, then renames it: whoever reads it meanwhile, or writes it too, meets a whole one.
 * @param {string} file @param {string | Uint8Array} content
 */
export function write(file, content) {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  const beside = path.join(folder, `.${process.pid}.${path.basename(file)}`);
  writeFileSync(beside, content);
  renameSync(beside, file);
}
