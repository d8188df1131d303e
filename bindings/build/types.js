// Trims the types that tsc wrote: what throws errors within the package has types of all its sentences, which nobody
// outside can call; modules that no entry leads to declare nothing for users; nothing is indented, and a
// comment of one line takes one; and comments need no types, which the declarations below them say. What may be
// absent may be undefined, which exactOptionalPropertyTypes tells apart and no function does. tsc loses what the source says
// of a type beside @typedef: it is put before the type.
// `node bindings/build/types.js FOLDER`
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(process.argv[2]);
const root = path.resolve(import.meta.dirname, '../..');

/** What sentences() of js/base/errors.js gives. */
const MAKERS =
  /^export declare const (?:failure|message|rangeError|refusing|typeError): <D extends.*?;\n(?=export |\/\*\*|$(?![\s\S]))/gms;

/** A sentence of these: what is public has its name alone. */
const SENTENCE = /(?<=^ +(?:readonly )?\w+: )(["'])(?:[^\\\n]|\\.)*\1(?=;$)/gm;

/** Comments that declare types. */
const TYPEDEFS = /^[ \t]*\/\*\*((?:(?!\*\/)[\s\S])*?@(?:typedef|callback)\b[\s\S]*?)\*\/\n/gm;

/** A type in braces, which may hold more of them, three deep. */
const BRACES = [0, 1, 2].reduce((inner) => `\\{(?:[^{}]|${inner})*\\}`, '\\{[^{}]*\\}');
/** What such a comment says before its tags, the name of the type, and what it says behind the name. */
const TYPEDEF = new RegExp(`^([^@]*)[^]*?@typedef\\s+${BRACES}\\s+(\\w+)([^@]*)`);
const TYPE = new RegExp(`(?<=@(?:param|returns|type|template)) ${BRACES}`, 'g');
/** What says nothing without its type, such as the name of a parameter. */
const SILENT = /[\s*]*@(?:type|returns|param \[?[\w.]+(?:=[^\]\n]*)?\]?)(?=[\s*]*(?:@|$))/g;

/** A comment without types; in one line if it has no tags. @param {string} comment what stands in it */
function untyped(comment) {
  const text = comment.replace(TYPE, '').replace(SILENT, '');
  const lines = text.includes('@')
    ? text.replace(/^\s*\* */, ' ').replace(/\n\s*\*/g, '\n*')
    : text.replace(/\s*\n\s*\* */g, ' ');
  return /[^\s*]/.test(lines) ? `/**${lines.trimEnd()} */` : '';
}

/** What a module's source says of each type that it declares. @param {string} source */
const descriptionsIn = (source) =>
  new Map(
    Array.from(source.matchAll(TYPEDEFS), ([, comment]) => {
      const [, before, name, behind] = TYPEDEF.exec(comment.replace(/\n\s*\*/g, '\n')) ?? [];
      return [name, `${before} ${behind}`.replace(/\s+/g, ' ').trim()];
    }),
  );

/** Folders of entries that may change in any minor version: MIGRATION.md names them. */
const EXPERIMENTAL = ['lab/inside/', 'lab/pocket/', 'lab/stories/', 'models/relaxed/'];
const DECLARED = 'export declare (?:abstract )?(?:class|const|function) ';

/** Marks what modules of these folders declare. @param {string} text @param {string} file */
function marked(text, file) {
  if (!EXPERIMENTAL.some((begin) => file.startsWith(begin))) return text;
  return text
    .replace(new RegExp(`(?<!\\*/\\n)^(?=${DECLARED})`, 'gm'), '/** */\n')
    .replace(new RegExp(` \\*/\\n(?=${DECLARED})`, 'g'), '\n * @experimental */\n')
    .replaceAll('/**\n * @experimental', '/** @experimental');
}

/** A property that may be absent, and its type or the line on which that begins. */
const OPTIONAL = /^(\t+(?:readonly )?\w+\?: )(?!unknown;)(.*)/gm;

/** The same, which may be undefined. @param {string} _ @param {string} name @param {string} type */
const orUndefined = (_, name, type) =>
  `${name}undefined | ${/^\(.*=>/.test(type) ? `(${type.slice(0, -1)});` : type}`;

/** The declarations that a file names. @param {string} file @param {string} text */
const namedIn = (file, text) =>
  [...text.matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.js["']/g)].map(([, name]) =>
    path.join(path.dirname(file), `${name}.d.ts`),
  );

/** How long all are. @param {Map<string, string>} texts */
const sum = (texts) => [...texts.values()].reduce((length, text) => length + text.length, 0);

const { exports: entries } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const made = path.join(root, 'bindings/generated/types');
const entered = Object.values(entries)
  .map((entry) => path.relative(made, path.join(root, entry.types ?? '')))
  .filter((file) => !file.startsWith('..'));

/** Sentences by their names, which nobody outside reads. @type {Readonly<Record<string, string>>} */
const SENTENCES = { 'generated/exercises-words.d.ts': 'WORDS', 'js/base/texts.d.ts': 'TEXTS' };

/** The declarations of a module, as they are shipped. @param {string} name */
function trimmed(name) {
  const sentences = SENTENCES[name.replaceAll(path.sep, '/')];
  if (sentences) return `export declare const ${sentences}: Record<string, unknown>;\n`;
  const source = readFileSync(path.join(root, 'bindings', name.replace(/\.d\.ts$/, '.js')), 'utf8');
  const descriptions = descriptionsIn(source);
  const text = readFileSync(path.join(folder, name), 'utf8')
    .replace(MAKERS, '')
    .replace(name.endsWith('texts.d.ts') ? SENTENCE : /$^/, 'string')
    .replace(TYPEDEFS, '')
    .replace(/^export type (\w+)/gm, (line, type) =>
      descriptions.get(type) ? `/** ${descriptions.get(type)} */\n${line}` : line,
    )
    .replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))
    .replace(/\/\*\*(.*?)\*\//gs, (_, comment) => untyped(comment))
    .replace(/^\t*\n/gm, '')
    .replace(OPTIONAL, orUndefined)
    .replace(/\bPartial<([^<>]+)>/g, '{ [K in keyof $1]?: undefined | $1[K] }');
  return marked(text, name);
}

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.d.ts'),
);
const texts = new Map(names.map((name) => [name, trimmed(name)]));

/* What an entry hands on as a whole is its own. */
for (const name of entered) {
  const handed = (texts.get(name) ?? '').match(/^export (?:type )?\* from .*/gm) ?? [];
  entered.push(...namedIn(name, handed.join('\n')));
}

/** The modules that entries lead to. */
function reached() {
  const all = new Set(entered);
  for (const name of all) {
    for (const file of namedIn(name, texts.get(name) ?? '')) if (texts.has(file)) all.add(file);
  }
  return all;
}

/** Leaves out the modules that no entry leads to. */
function prune() {
  const named = reached();
  for (const name of texts.keys()) if (!named.has(name)) texts.delete(name);
}

/** A declaration with its comment, up to the next one. */
const DECLARATION =
  /(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?^export (?:declare (?:abstract )?(?:class|const|function)|type) (\w+).*?\n(?=[\w/]|$(?!.))/gms;

/** Without the imports that nothing in the module names any more. @param {string} text */
function withoutImports(text) {
  const words = new Set(text.replace(/^import .*\n/gm, '').match(/[\w$]+/g));
  return text.replace(/^import \{ ([^}]*) \} (from .*\n)/gm, (_, list, from) => {
    const named = (/** @type {string} */ one) => words.has(one.replace(/^.* as /, ''));
    const left = list.split(', ').filter(named);
    return left.length > 0 ? `import { ${left.join(', ')} } ${from}` : '';
  });
}

/* What nobody names goes, until all that is left is named. */
for (let before = -1; sum(texts) !== before; ) {
  before = sum(texts);
  prune();
  /** How often each word stands in all. @type {Map<string, number>} */
  const words = new Map();
  for (const [word] of [...texts.values()].join(' ').matchAll(/[\w$]+/g)) {
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  for (const [name, text] of texts) {
    if (entered.includes(name)) continue;
    texts.set(
      name,
      withoutImports(text.replace(DECLARATION, (all, word) => (words.get(word) === 1 ? '' : all))),
    );
  }
}

/** A type that only stands for one of another module. */
const ALIAS =
  /(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?^export type (\w+)(?:<[^=]*>)? = import\(["'](\.[^"']+)["']\)\.(\w+)(?:<[^;]*>)?;\n/gms;

/** What modules take from each other, as 'MODULE NAME'. */
function taken() {
  const all = new Set();
  for (const [name, text] of texts) {
    const moduleOf = (/** @type {string} */ file) => path.join(path.dirname(name), file);
    for (const [, file, one] of text.matchAll(/import\(["'](\.[^"']+)["']\)\.(\w+)/g))
      all.add(`${moduleOf(file)} ${one}`);
    for (const [, list, file] of text.matchAll(/\{([^{}]*)\} from ["'](\.[^"']+)["']/g))
      for (const [one] of list.matchAll(/\w+/g)) all.add(`${moduleOf(file)} ${one}`);
  }
  return all;
}

/** A module whose aliases are imports, where nobody takes them from it. @param {string} name @param {string} text @param {Set<string>} all */
function withImports(name, text, all) {
  /** @type {Map<string, string[]>} */
  const imported = new Map();
  const rest = text.replace(ALIAS, (whole, alias, file, type) => {
    if (all.has(`${name.replace(/\.d\.ts$/, '.js')} ${alias}`)) return whole;
    imported.set(file, [
      ...(imported.get(file) ?? []),
      alias === type ? type : `${type} as ${alias}`,
    ]);
    return '';
  });
  /* One line for each module. */
  const bare = rest.replace(/^import \{ ([^}]*) \} from ["'](.*)["'];\n/gm, (_, list, file) => {
    imported.set(file, [...(imported.get(file) ?? []), ...list.split(', ')]);
    return '';
  });
  const lines = Array.from(
    imported,
    ([file, types]) => `import { ${[...new Set(types)].join(', ')} } from '${file}';\n`,
  );
  /* References stand before anything else. */
  return withoutImports(bare.replace(/^(?:\/\/\/.*\n)*/, (head) => head + lines.join('')));
}

/** Nobody reads the columns of a declaration; where a line ends, so does what it declares, unless the next one may go on.
 * @param {string} text */
const flat = (text) => text.replace(/^[\t ]+/gm, '').replace(/^(?![*/])(.*);\n(?![[(<])/gm, '$1\n');

const all = taken();
for (const name of names) {
  const text = texts.get(name);
  if (text !== undefined && !entered.includes(name)) texts.set(name, withImports(name, text, all));
}

/* An alias may have been all that led to a module. */
prune();
for (const name of names) {
  const text = texts.get(name);
  if (text === undefined) rmSync(path.join(folder, name));
  else writeFileSync(path.join(folder, name), flat(text));
}
