// The package as npm publishes it, and as npm would install it: npm itself would not take a changed tarball of the
// same version.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The tarball. */
export function pack() {
  const folder = path.join(root, 'build/consumers');
  mkdirSync(folder, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  return path.join(folder, JSON.parse(printed)[0].filename);
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
