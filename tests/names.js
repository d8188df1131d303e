// Nobody reads a meaning out of a node's name: nodes say what they are (role, axes, stack, layer, part, ...).
// Finds where JavaScript takes a name apart, or looks for a pattern in it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** Rooms that know no nodes: their names are those of words, files, ops, or tensors in files. */
const STRANGERS =
  /^(bindings\/(build|learn\/checker|models\/checkpoints|(js|models)\/formats|lab\/tasks)|web\/(bundle|app\/locale|app\/offline|workers\/reader))\//;

/** Who may take names apart, and what for. */
export const EXCEPTIONS = {
  'bindings/js/base/near-node.js': 'finds the node that a misspelt name stands for',
  'bindings/models/lora/model.js': 'finds the layers that the caller names',
  'web/chapters/transformer/find.js': 'finds the steps that the reader names',
  'web/stage/export/snippet.js': 'spells them as variables of a program',
};

/** Methods of a text that look into it, or cut it. */
const LOOKING = new Set(
  [
    'startsWith endsWith includes indexOf lastIndexOf search match matchAll',
    'replace replaceAll split slice substring substr charAt charCodeAt codePointAt',
  ].flatMap((words) => words.split(' ')),
);
/** Methods of a regular expression that look into the text they are given. */
const MATCHING = new Set(['test', 'exec']);
/** Methods whose result is still the name. */
const KEEPING = new Set(['trim', 'toLowerCase', 'toUpperCase', 'normalize', 'toString', 'concat']);
/** What names of nodes are called. */
const CALLED = new Set(['name', 'node']);

/** The words of which the core makes names: 'self_attn', 'scores.scaled', 'linear1'. */
const WORDS = [
  'description.c',
  ...readdirSync(path.join(root, 'src/model')).map((file) => `model/${file}`),
]
  .filter((file) => file.endsWith('.c'))
  .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
  .flatMap((text) => [...text.matchAll(/"([a-z][a-z\d_.]{3,})"/g)].map(([, word]) => word));
const PARTS = [...new Set(WORDS.flatMap((word) => word.match(/[a-z]{4,}/g) ?? []))].join('|');
/** Those that mean nothing else, and the others beside a joint of a name: '_attn', 'norm1', 'layers.'. */
const SOUGHT = new RegExp(
  `\\b(decoder|encoder|logits|residual|scores)\\b|[._](${PARTS})(?![a-z])|(?<![a-z])(${PARTS})[._\\d]`,
);

/** @param {any} tree @param {(node: any) => void} visit */
function walk(tree, visit) {
  if (!tree || typeof tree !== 'object') return;
  if (typeof tree.type === 'string') visit(tree);
  for (const value of Object.values(tree)) {
    if (Array.isArray(value)) for (const one of value) walk(one, visit);
    else walk(value, visit);
  }
}

/** Without what surrounds it: a?.b, (a). */
const bare = (node) =>
  node?.type === 'ChainExpression' || node?.type === 'ParenthesizedExpression'
    ? bare(node.expression)
    : node;

/** The name of a method that is called, and on what. */
function callOf(node) {
  const callee = bare(node.callee);
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return null;
  const { object, property, computed } = callee;
  return computed ? null : { on: bare(object), method: property.name };
}

/** Whether an expression is the name of a node, or made of one.
 * @param {any} given @param {Set<string>} known variables that are */
function isName(given, known) {
  const node = bare(given);
  const is = (one) => isName(one, known);
  switch (node?.type) {
    case 'Identifier':
      return CALLED.has(node.name) || known.has(node.name);
    case 'MemberExpression':
      return !node.computed && CALLED.has(node.property.name);
    case 'TemplateLiteral':
      return node.expressions.some(is);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return ['??', '||', '+'].includes(node.operator) && (is(node.left) || is(node.right));
    case 'ConditionalExpression':
      return is(node.consequent) || is(node.alternate);
    case 'CallExpression': {
      if (bare(node.callee)?.name === 'String') return is(node.arguments[0]);
      const call = callOf(node);
      return !!call && KEEPING.has(call.method) && is(call.on);
    }
    default:
      return false;
  }
}

/** The variables that hold names under another name: const full = step.name, ({ name: full }) => ... */
function aliasesIn(tree) {
  const known = new Set();
  walk(tree, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      if (node.init && isName(node.init, known)) known.add(node.id.name);
    }
    for (const { key, value, computed } of node.type === 'ObjectPattern' ? node.properties : []) {
      if (!computed && CALLED.has(key?.name) && value.type === 'Identifier') known.add(value.name);
    }
  });
  return known;
}

/** Whether a text, a template or a regular expression seeks words of names, as far as it is written there. */
function seeksWords(node) {
  let sought = '';
  if (node?.regex) sought = node.regex.pattern.replaceAll('\\d', '0').replaceAll('\\', '');
  else if (node?.type === 'Literal') sought = String(node.value);
  else if (node?.type === 'TemplateLiteral') {
    sought = node.quasis.map(({ value }) => value.raw).join('');
  }
  return SOUGHT.test(sought);
}

/** The lines of a file of JavaScript that read names.
 * @param {string} file @param {string} text
 * @returns {{ line: number, what: string }[]} */
export function readingsIn(file, text) {
  if (STRANGERS.test(file) || file in EXCEPTIONS) return [];
  const tree = parseAst(text);
  const known = aliasesIn(tree);
  const found = [];
  const tell = ({ start, end }) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ line, what: text.slice(start, end).split('\n')[0].slice(0, 80) });
  };
  walk(tree, (node) => {
    /* Whatever it is held against, and wherever it is kept. */
    if (node.regex && seeksWords(node)) tell(node);
    const call = callOf(node);
    if (!call) return;
    if (MATCHING.has(call.method) && isName(node.arguments[0], known)) tell(node);
    if (!LOOKING.has(call.method)) return;
    const [pattern] = node.arguments.map(bare);
    if (isName(call.on, known) || (!pattern?.regex && seeksWords(pattern))) tell(node);
  });
  return found;
}
