// Writes build/glassformer-VERSION.tgz, the package as it is published: what package.json lists, with the manual for
// JavaScript as its README, and without what only this repository needs. Run by `make pack`.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const root = path.resolve(import.meta.dirname, '../..');
const build = path.join(root, 'build');

/** Packs a folder into another; returns the tarball.
 * @param {string} from @param {string} to */
function pack(from, to) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', to];
  const printed = execFileSync('npm', args, { cwd: from, encoding: 'utf8', stdio: 'pipe' });
  return path.join(to, JSON.parse(printed)[0].filename);
}

mkdirSync(build, { recursive: true });
/* Of its own, so that two of these do not meet. */
const room = mkdtempSync(path.join(build, 'package-'));
const stage = path.join(room, 'package');
mkdirSync(stage);
const all = pack(root, room);
execFileSync('tar', ['-xzf', all, '-C', stage, '--strip-components=1']);

const { scripts, devDependencies, ...manifest } = JSON.parse(
  readFileSync(path.join(stage, 'package.json'), 'utf8'),
);
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest)}\n`);
/* It lies a folder higher than in the repository. */
const manual = readFileSync(path.join(root, 'bindings/README.md'), 'utf8');
writeFileSync(path.join(stage, 'README.md'), manual.replaceAll('](../docs/', '](docs/'));
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
/** What the package leaves out is read where the repository is. @param {string} page */
function linkOut(page) {
  const folder = path.dirname(page);
  /* The manual is the package's own page. */
  const text = readFileSync(path.join(stage, page), 'utf8').replaceAll(
    '](../bindings/README.md',
    '](../README.md',
  );
  const linked = text.replace(/\]\(([^)#\s]+)/g, (whole, link) => {
    const file = path.join(folder, link);
    const isOut = existsSync(path.join(root, file)) && !existsSync(path.join(stage, file));
    return isOut ? `](${repository}/blob/HEAD/${file}` : whole;
  });
  writeFileSync(path.join(stage, page), linked);
}

/** The files below the stage. @param {RegExp} ending */
const staged = (ending) =>
  readdirSync(stage, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));

for (const name of staged(/\.md$/)) linkOut(name);
for (const name of staged(/\.schema\.json$/)) {
  const file = path.join(stage, name);
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
}

/** Node prints the whole line from which an error comes: no line of a module is much longer than this. */
const LINE = 200;

/** Where code may have a line break: before statements and members, and behind the commas of lists.
 * @param {unknown} node @returns {number[]} */
function breaksIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const parts = Object.values(node);
  if (!Array.isArray(node)) return parts.flatMap(breaksIn);
  const starts = node.flatMap((part, i) => {
    /* The first of a list may stand behind a `return`; texts in a template have no place for a break. */
    const isPlace = i > 0 && part?.type !== 'TemplateElement';
    return isPlace ? [part?.start ?? 0] : [];
  });
  return [...starts, ...parts.flatMap(breaksIn)];
}

/** Code in lines. @param {string} code */
function inLines(code) {
  const places = breaksIn(parseAst(code)).sort((a, b) => a - b);
  let [lines, from] = ['', 0];
  for (const [i, place] of places.entries()) {
    if (place === from || (places[i + 1] ?? code.length) - from < LINE) continue;
    lines += `${code.slice(from, place)}\n`;
    from = place;
  }
  return lines + code.slice(from);
}

/**
 * Leaves comments and blanks out of the modules, which the repository has; lines stay short. Each stays a module of its own, and its functions and
 * classes keep their names: a stack of calls says where an error comes from.
 */
async function minify() {
  /* What build.js of the figures made is minified. */
  const made =
    /^bindings\/generated\/(?:figures\/|element|anywidget|assignment|french-english|lessons|motion)/;
  const names = staged(/^bindings\/.*\.js$/).filter((name) => !made.test(name));
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, path.join(stage, name)])),
    treeshake: false,
    external: (_, importer) => importer !== undefined,
    makeAbsoluteExternalsRelative: false,
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name]',
    preserveModules: true,
    preserveModulesRoot: stage,
    /* Bundlers go by these. */
    comments: { annotation: true, legal: true, jsdoc: false },
    minify: { mangle: { toplevel: false } },
    minifyInternalExports: false,
  });
  const files = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
  if (String(files.map(({ fileName }) => fileName).sort()) !== String(names.sort()))
    throw new Error('expected one minified file for each module');
  for (const { fileName, code } of files) {
    /* Not every bundler knows an address in a template. */
    const plain = code.replace(/\b(new URL|import)\(`([^`$\\]*)`/g, '$1("$2"');
    writeFileSync(path.join(stage, fileName), inLines(plain));
  }
}

await minify();
const packed = pack(stage, room);
const target = path.join(build, path.basename(packed));
renameSync(packed, target);
rmSync(room, { recursive: true });
console.log(path.relative(root, target));
