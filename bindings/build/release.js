// Gathers what a release consists of in build/release: the npm package, the wheels, a list of what they contain (CycloneDX),
// and their SHA-256. Equal sources give equal bytes. Run by `make release`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const build = path.join(root, 'build');
const release = path.join(build, 'release');
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** What npm knows of the package's dependencies, without the time and the number of this listing. */
function bill() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  const { serialNumber, metadata, ...listing } = JSON.parse(printed);
  const { timestamp, tools, component, ...about } = metadata;
  /* npm takes the folder's name. */
  const named = { ...component, name };
  return `${JSON.stringify({ ...listing, metadata: { ...about, component: named } }, null, 2)}\n`;
}

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
for (const folder of [build, path.join(build, 'wheels')].filter((one) => existsSync(one))) {
  const made = readdirSync(folder).filter(
    (file) => file.startsWith(`${name}-${version}`) && /\.(tgz|whl)$/.test(file),
  );
  for (const file of made) cpSync(path.join(folder, file), path.join(release, file));
}
writeFileSync(path.join(release, `${name}-${version}.cdx.json`), bill());
const sums = readdirSync(release).map((file) => {
  const bytes = readFileSync(path.join(release, file));
  return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
});
writeFileSync(path.join(release, 'SHA256SUMS'), sums.join(''));
console.log(sums.join('').trimEnd());
