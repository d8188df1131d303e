// The package as it is published, and as npm would install it: npm itself would not take a changed tarball of the
// same version.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The tarball, of what `make package` made. */
export function pack() {
  const script = path.join(root, 'bindings/build/package.js');
  return path.join(root, execFileSync('node', [script], { encoding: 'utf8' }).trim());
}

/**
 * @param {string} tarball
 * @param {string} project its folder
 */
export function unpack(tarball, project) {
  const target = path.join(project, 'node_modules/glassformer');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
}
