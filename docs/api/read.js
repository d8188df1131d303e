// Reads what the package declares to TypeScript: its entries, their functions, types and comments.

import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const types = path.join(root, 'bindings/generated/types');

/** The entries that have functions, and the declarations of each. */
const ENTRIES = {
  glassformer: 'index.d.ts',
  'glassformer/exercises': 'learn/exercises/index.d.ts',
  'glassformer/checker': 'learn/checker/index.d.ts',
  'glassformer/inside': 'lab/inside/index.d.ts',
  'glassformer/lessons': 'learn/lessons/index.d.ts',
  'glassformer/models': 'models.d.ts',
  'glassformer/cores': 'models/cores/index.d.ts',
  'glassformer/text': 'models/text/index.d.ts',
  'glassformer/lora': 'models/lora/index.d.ts',
  'glassformer/threads': 'models/threads/index.d.ts',
  'glassformer/relaxed': 'models/relaxed/index.d.ts',
  'glassformer/worker': 'models/worker/index.d.ts',
  'glassformer/chat': 'chat.d.ts',
  'glassformer/tasks': 'lab/tasks/index.d.ts',
  'glassformer/stories': 'lab/stories/index.d.ts',
  'glassformer/pocket': 'lab/pocket/index.d.ts',
  'glassformer/tokenizer': 'models/formats/tokenizer.d.ts',
  'glassformer/self-test': 'js/self-test/index.d.ts',
  'glassformer/cli': 'cli/index.d.ts',
};

/**
 * @typedef {{ name: string, about: string, signature: string, examples: string[],
 *   told: { name: string, text: string }[], experimental: boolean }} Item a function, method, field or type
 * @typedef {Item & { members: Item[] }} Group a class, or an object's type
 * @typedef {{ name: string, functions: Item[], constants: Item[], groups: Group[], experimental: boolean }} Entry
 */

const program = ts.createProgram(
  Object.values(ENTRIES).map((file) => path.join(types, file)),
  { module: ts.ModuleKind.NodeNext, lib: ['lib.es5.d.ts'], types: [] },
);
const checker = program.getTypeChecker();

/** How build/types.js says that what may be absent may be undefined; functions are put in brackets. */
const NESTED = '(?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*';
const OR_UNDEFINED = new RegExp(`\\?: undefined \\| (?:\\((${NESTED}=>${NESTED})\\)(?=;|$))?`, 'g');

/** The text of a declaration on one line, without comments and what goes without saying. */
function signatureOf(declaration) {
  const text = ts
    .createPrinter({ removeComments: true })
    .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile());
  return text
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/import\("[^"]*"\)\./g, '')
    .replace(/import\('[^']*'\)\./g, '')
    .replace(/;$/, '')
    .replace(/;?\s*\n\s*/g, (gap) => (gap.startsWith(';') ? '; ' : ' '))
    .replace(OR_UNDEFINED, (_, type) => `?: ${type ?? ''}`)
    .replace(/\{ \[K in keyof (.+?)\]\?: \1\[K\]; \}/g, 'Partial<$1>');
}

/** The package's own types that signatures name, and those that entries export: their first declarations. */
const named = new Set();
const exported = new Set();

/** The first declaration of a type that others only pass on. */
function originOf(passedOn) {
  const declaration = passedOn?.declarations?.[0];
  if (!declaration) return undefined;
  if (passedOn.flags & ts.SymbolFlags.Alias) return originOf(checker.getAliasedSymbol(passedOn));
  const symbol = checker.getExportSymbolOfSymbol(passedOn);
  const passed = ts.isTypeAliasDeclaration(declaration) && declaration.type;
  if (!passed || !ts.isImportTypeNode(passed) || !passed.qualifier) return symbol;
  return originOf(checker.getSymbolAtLocation(passed.qualifier));
}

const INSIDE = [ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword];

/** What a user does not write: how objects are made, and what is for the heirs of a class. */
const isInside = (node) =>
  ts.isConstructorDeclaration(node) ||
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'protected') ||
  (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => INSIDE.includes(kind)));

/** Notes the package's own types that a declaration names. */
function note(node) {
  if (isInside(node)) return;
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node) && node.qualifier;
  const symbol = name && originOf(checker.getSymbolAtLocation(name));
  const [declaration] = symbol?.declarations ?? [];
  const own = declaration?.getSourceFile().fileName.startsWith(types);
  if (own && !ts.isTypeParameterDeclaration(declaration)) named.add(symbol);
  ts.forEachChild(node, note);
}

const textOf = (parts) =>
  ts
    .displayPartsToString(parts)
    .replace(/\s*\n\s*/g, ' ')
    .trim();

/** What is said of a name, last that it is deprecated. */
const aboutOf = (symbol, tags) =>
  [
    textOf(symbol.getDocumentationComment(checker)),
    ...tags
      .filter(({ name }) => name === 'deprecated')
      .map(({ text }) => `Deprecated: ${textOf(text)}.`),
  ]
    .filter(Boolean)
    .join(' ');

/** @returns {Item} */
function itemOf(symbol, declaration = symbol.declarations[0]) {
  note(declaration);
  const tags = symbol.getJsDocTags(checker);
  const told = tags
    .filter(({ name }) => name === 'param' || name === 'returns')
    .map(({ name, text = [] }) => {
      const [first, ...rest] = text;
      if (name === 'returns') return { name, text: textOf(text) };
      return { name: first?.text ?? name, text: textOf(rest) };
    })
    .filter(({ text }) => text);
  return {
    name: symbol.name,
    about: aboutOf(symbol, tags),
    signature: signatureOf(declaration),
    examples: tags
      .filter(({ name }) => name === 'example')
      .map(({ text }) => ts.displayPartsToString(text)),
    told,
    experimental: tags.some(({ name }) => name === 'experimental'),
  };
}

/** What a user meets of a type: no symbols, nothing that begins with an underscore or is private, nothing
 * that every array or map has. */
function membersOf(type) {
  const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
  if (!isObject || checker.isArrayLikeType(type) || type.getCallSignatures().length > 0) return [];
  return checker
    .getPropertiesOfType(type)
    .filter(({ name, declarations: [declaration] = [] }) => {
      const isOwn = declaration?.getSourceFile().fileName.startsWith(types);
      return isOwn && !isInside(declaration) && /^(?![_#])/.test(name);
    })
    .map((symbol) => itemOf(symbol));
}

const isFunction = (symbol) => {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return false;
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  return type.getCallSignatures().length > 0;
};

/** @returns {Entry} */
function entryOf(name, file) {
  const source = program.getSourceFile(path.join(types, file));
  const symbols = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
  const groups = [];
  const functions = [];
  const constants = [];
  for (const symbol of symbols) {
    const { flags } = symbol;
    if (flags & ts.SymbolFlags.Class || flags & ts.SymbolFlags.TypeAlias) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const origin = originOf(symbol);
      if (exported.has(origin)) continue;
      exported.add(origin);
      groups.push({ ...itemOf(origin), name: symbol.name, members: membersOf(type) });
    } else {
      (isFunction(symbol) ? functions : constants).push(itemOf(symbol));
    }
  }
  const experimental = functions.every((item) => item.experimental);
  return { name, functions, constants, groups, experimental };
}

/** @type {Entry[]} */
export const entries = Object.entries(ENTRIES).map(([name, file]) => entryOf(name, file));

/** Types that the signatures of the entries name, but that no entry exports: nobody could write them.
 * @returns {string[]} */
export const unexported = () =>
  [...named].filter((symbol) => !exported.has(symbol)).map(({ name }) => name);
