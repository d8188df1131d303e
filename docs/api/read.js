// Reads what the package declares to TypeScript: its entries, their functions, types and comments.

import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const types = path.join(root, 'bindings/generated/types');

/** The entries that have functions, and the declarations of each. */
const ENTRIES = {
  glassformer: 'index.d.ts',
  'glassformer/tasks': 'tasks/index.d.ts',
  'glassformer/tokenizer': 'formats/tokenizer.d.ts',
  'glassformer/self-test': 'self-test/index.d.ts',
  'glassformer/cli': 'cli/index.d.ts',
};

/**
 * @typedef {{ name: string, about: string, signature: string, examples: string[],
 *   told: { name: string, text: string }[] }} Item a function, method, field or type
 * @typedef {Item & { members: Item[] }} Group a class, or an object's type
 * @typedef {{ name: string, functions: Item[], constants: Item[], groups: Group[] }} Entry
 */

const program = ts.createProgram(
  Object.values(ENTRIES).map((file) => path.join(types, file)),
  { module: ts.ModuleKind.NodeNext, lib: ['lib.es5.d.ts'], types: [] },
);
const checker = program.getTypeChecker();

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
    .replace(/;?\s*\n\s*/g, (gap) => (gap.startsWith(';') ? '; ' : ' '));
}

/** Types that signatures name, by name, whether an entry exports them or not. */
const named = new Map();

/** The first declaration of a type that others only pass on. */
function originOf(symbol) {
  const declaration = symbol?.declarations?.[0];
  if (!declaration) return undefined;
  const passed = ts.isTypeAliasDeclaration(declaration) && declaration.type;
  if (!passed || !ts.isImportTypeNode(passed) || !passed.qualifier) return symbol;
  return originOf(checker.getSymbolAtLocation(passed.qualifier));
}

/** Notes the package's own types that a declaration names. */
function note(node) {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node) && node.qualifier;
  const symbol = name && originOf(checker.getSymbolAtLocation(name));
  const [declaration] = symbol?.declarations ?? [];
  const own = declaration?.getSourceFile().fileName.startsWith(types);
  if (own && !ts.isTypeParameterDeclaration(declaration)) named.set(symbol.name, symbol);
  ts.forEachChild(node, note);
}

const textOf = (parts) =>
  ts
    .displayPartsToString(parts)
    .replace(/\s*\n\s*/g, ' ')
    .trim();

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
    about: textOf(symbol.getDocumentationComment(checker)),
    signature: signatureOf(declaration),
    examples: tags
      .filter(({ name }) => name === 'example')
      .map(({ text }) => ts.displayPartsToString(text)),
    told,
  };
}

/** What a user meets of a type: no symbols, nothing that begins with an underscore or is private. */
function membersOf(type) {
  return checker
    .getPropertiesOfType(type)
    .filter(({ name, declarations }) => declarations && /^(?![_#])/.test(name))
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
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
  const groups = [];
  const functions = [];
  const constants = [];
  const seen = new Set();
  for (const symbol of exported) {
    const { flags } = symbol;
    if (flags & ts.SymbolFlags.Class || flags & ts.SymbolFlags.TypeAlias) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) continue;
      const own = type.aliasSymbol ?? type.symbol;
      const key = checker.typeToString(type);
      if (seen.has(key)) continue;
      seen.add(key);
      const told = own?.name === symbol.name || !own?.declarations ? symbol : own;
      groups.push({ ...itemOf(told), name: symbol.name, members: membersOf(type) });
    } else {
      (isFunction(symbol) ? functions : constants).push(itemOf(symbol));
    }
  }
  return { name, functions, constants, groups };
}

/** @returns {Entry[]} */
export const entries = () => Object.entries(ENTRIES).map(([name, file]) => entryOf(name, file));

/** The types that the entries' signatures name, and those that these name, but no entry exports.
 * @param {Entry[]} entries
 * @returns {Group[]} */
export function furtherTypes(entries) {
  const groups = entries.flatMap((entry) => entry.groups);
  const known = new Set(groups.map(({ name }) => name));
  const further = [];
  /* What is read of one may name others: they are visited, too. */
  for (const [name, symbol] of named) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    /* A class that no entry exports is nobody's to hold. */
    if (known.has(name) || type.isClass()) continue;
    const isObject = type.flags & ts.TypeFlags.Object && !checker.isArrayLikeType(type);
    const isFunctionType = type.getCallSignatures().length > 0;
    const members = isObject && !isFunctionType ? membersOf(type) : [];
    further.push({ ...itemOf(symbol), name, members });
  }
  return further.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
