// Writes build/python/glassformer: the Python package as it is imported, the sources of bindings/python beside
// what is made for it. Nothing is said twice: sentences, options, examples and the C declarations are data, made
// from what JavaScript and the C header say. Run by `make python`.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formOf } from '../cli/figures.js';
import { load } from '../index.js';
import { TEXTS as ofCells } from '../js/base/cell.js';
import { TINY } from '../js/base/errors.js';
import { MAX_LEVELS } from '../js/base/file.js';
import { TEXTS as ofFiles } from '../js/base/file-texts.js';
import { TEXTS as ofBase } from '../js/base/texts.js';
import { TEXTS as ofFormats } from '../js/formats/texts.js';
import { checkConfig, FIELDS } from '../js/model/config/config.js';
import { checkRemovals } from '../js/model/config/remove.js';
import { checkGeneration } from '../js/model/decode/generate.js';
import { TEXTS as ofModels } from '../js/model/texts.js';
import { Training } from '../js/model/train.js';
import { OF_TAPES } from '../js/model/train-tape.js';
import { LEAF, SOURCES } from '../js/trace/example.js';
import { LISTS } from '../js/trace/example-layers.js';
import { TEXTS as ofTraces } from '../js/trace/texts.js';
import { TEXTS as ofInside } from '../lab/inside/texts.js';
import * as verdicts from '../lab/inside/verdicts.js';
import { write as prairielearn } from '../learn/exercises/formats/prairielearn.js';
import { exercise, recipes } from '../learn/exercises/index.js';
import { TEXTS as ofExercises } from '../learn/exercises/problem/texts.js';
import { languageOf } from '../learn/exercises/speech/language.js';
import { TEXTS as ofCheckpoints } from '../models/checkpoints/texts.js';
import { VARIANT } from '../models/checkpoints/variant.js';
import { TYPES } from '../models/formats/gguf.js';
import { ENDS, LLAMA3_WORDS, NO_ENDS, WORDS } from '../models/formats/token-lists.js';
import { TEXTS as ofLora } from '../models/lora/texts.js';
import { TEXTS as ofOpen } from '../models/open/texts.js';
import * as embedding from '../models/text/embed.js';
import * as masks from '../models/text/fill-mask.js';
import * as fit from '../models/text/fit.js';
import { checkSettings } from '../models/text/options.js';
import * as automata from '../models/text/schema/automaton.js';
import * as schemas from '../models/text/schema/compile.js';
import { TEXTS as ofSchemas } from '../models/text/schema/texts.js';
import { TEXTS as ofTexts } from '../models/text/texts.js';
import { constants, header, structs } from './layout.js';
import { ops, root, sentences } from './table.js';
import { write } from './write.js';

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');

// ---- Names: dFF is d_ff in Python ----

/** @param {string} name */
const snake = (name) =>
  name.replace(/([a-z])([A-Z]+)/g, (_, before, after) => `${before}_${after.toLowerCase()}`);

/** @param {Record<string, unknown>} options */
const snakes = (options) =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [snake(key), value]));

// ---- Options: what each may be, as the check itself tells when it refuses NaN ----

/** @param {() => unknown} check
 * @returns {Record<string, unknown>} */
function ruleOf(check) {
  try {
    check();
  } catch (error) {
    const { detail, params } = /** @type {import('../js/base/errors.js').Told} */ (
      /** @type {unknown} */ (error)
    );
    const { low, high, words } = params;
    if (detail === 'boolean' || detail === 'array' || detail === 'twoNumbers') return { detail };
    if (detail === 'word') return { detail, words: JSON.parse(`[${words}]`) };
    if (detail === 'aboveZeroTo') return { detail, low: TINY, high };
    if (detail in { integerFrom: 1, numberFrom: 1, numberBelow: 1, zeroOrFrom: 1, finite: 1 }) {
      return { detail, low, high };
    }
    throw error;
  }
  throw new Error('NaN was taken');
}

const gf = await load();
const small = gf.model({ kind: 'gpt', vocab: 4, dModel: 4, heads: 1, layers: 1, maxLength: 4 });
const training = new Training('train', small);

const TRAINING = [
  ...[
    'steps',
    'optimizer',
    'schedule',
    'rate',
    'warmup',
    'total',
    'betas',
    'epsilon',
    'weightDecay',
  ],
  ...['clip', 'accumulate', 'labelSmoothing', 'dropout', 'seed', 'restart'],
  ...['validation', 'validateEvery', 'keepBest'],
];
const GENERATION = [
  ...['maxNewTokens', 'temperature', 'topK', 'topP', 'seed', 'beams', 'lengthPenalty'],
];

/** What texts take besides. */
const CHOICE = [
  ...['whenFull', 'minP', 'repetitionPenalty', 'frequencyPenalty', 'presencePenalty'],
];

/** @param {string[]} names @param {(given: object) => unknown} check */
const rulesOf = (names, check) =>
  Object.fromEntries(names.map((name) => [snake(name), ruleOf(() => check({ [name]: NaN }))]));

/** What is left out, where a schedule or an optimiser has its own.
 * @param {object} options */
function defaultsOf(options) {
  const checked = /** @type {Record<string, unknown>} */ ({
    ...training.check({ steps: 1, ...options }),
  });
  const left = Object.entries(checked).filter(
    ([name]) => !(name in { steps: 1, dropout: 1, shift: 1 }),
  );
  /* JSON has no infinity: no limit. */
  return snakes(
    Object.fromEntries(
      left.map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? null : value]),
    ),
  );
}

const fields = Object.fromEntries(
  Object.entries(FIELDS).map(([key, { check }]) => [snake(key), ruleOf(() => check('', NaN))]),
);
const variant = Object.fromEntries(
  Object.entries(VARIANT).map(([key, { check }]) => [snake(key), ruleOf(() => check('', NaN))]),
);
const uint32 = { detail: 'integerFrom', low: 0, high: 2 ** 32 - 1 };
const [kinds, removals] = [fields.kind.words, ruleOf(() => checkRemovals('', [NaN])).words];

const options = {
  model: { ...fields, seed: uint32 },
  variant,
  removals,
  /** What each kind is when nothing but its vocab is given; the core's struct begins with the kind. */
  defaults: Object.fromEntries(
    /** @type {string[]} */ (kinds).map((kind) => [
      kind,
      snakes({ ...checkConfig({ kind, vocab: 1 }) }),
    ]),
  ),
  training: rulesOf(TRAINING, (options) => training.check(options)),
  trainingDefaults: {
    adam: defaultsOf({}),
    adamw: defaultsOf({ optimizer: 'adamw' }),
    noam: defaultsOf({ schedule: 'noam' }),
  },
  generation: rulesOf(GENERATION, (options) =>
    checkGeneration('generate', small.config, [1], options),
  ),
  choice: rulesOf(CHOICE, (options) => checkSettings('generateText', small.config, options)),
};
/** As files and sentences have them. */
const camels = Object.fromEntries(
  [...Object.keys({ ...FIELDS, ...VARIANT }), 'seed', 'remove', ...TRAINING, ...GENERATION].map(
    (name) => [snake(name), name],
  ),
);
small.dispose();

// ---- The same for programs that check types ----

/** What an option takes, as Python writes it.
 * @param {Record<string, unknown>} rule */
function annotation({ detail, words }) {
  if (detail === 'word') return `Literal[${JSON.stringify(words).slice(1, -1)}]`;
  if (detail === 'boolean') return 'bool';
  if (detail === 'integerFrom') return 'int';
  return (
    { array: 'Sequence[Mapping[str, Any]]', twoNumbers: 'Sequence[float]' }[
      /** @type {'array'} */ (detail)
    ] ?? 'float'
  );
}

/** @param {string} name @param {string} about @param {Record<string, Record<string, unknown>>} rules
 * @param {Record<string, string>} [more] */
const typedDict = (name, about, rules, more = {}) =>
  [
    `class ${name}(TypedDict, total=False):`,
    `    """${about}"""\n`,
    ...Object.entries(rules).map(([key, rule]) => `    ${key}: ${annotation(rule)} | None`),
    ...Object.entries(more).map(([key, type]) => `    ${key}: ${type} | None`),
  ].join('\n');
const GROUPS = { groups: 'Callable[[str, tuple[int, ...]], Mapping[str, float] | None]' };
/** A rate may be a function of the step. */
const [RATE, RATES] = [/rate: float/, 'Callable[[int], float]'];
const ofTapes = Object.fromEntries(
  Object.entries(options.training).filter(([name]) => OF_TAPES.map(snake).includes(name)),
);
const REMOVE = { remove: `Sequence[Literal[${JSON.stringify(removals).slice(1, -1)}]]` };
const typed = [
  typedDict('ModelOptions', 'What Model() takes.', options.model, REMOVE),
  typedDict('TrainingOptions', 'What train() takes of a model.', options.training, GROUPS).replace(
    RATE,
    `$& | ${RATES}`,
  ),
  typedDict('TapeTrainingOptions', 'What train() takes of a tape.', ofTapes, {
    ...{ ...GROUPS, loss: 'str | Any' },
  }).replace(RATE, `$& | ${RATES}`),
  typedDict('GenerationOptions', 'What model.generate() takes.', options.generation, {
    ...{ start: 'int | Sequence[int]', stop_tokens: 'Sequence[int]' },
    ...{ ...REMOVE, hooks: 'Mapping[str, Callable[..., Any]]' },
  }),
  typedDict('TokenOptions', 'What text.generate_tokens() takes.', options.choice, {
    ...{ best: 'int', banned: 'Sequence[int]', forced: 'Sequence[int]' },
    process: 'Callable[..., Any]',
  }).replace('(TypedDict', '(GenerationOptions'),
  typedDict(
    'TextOptions',
    'What model.generate_text() takes.',
    {},
    {
      stop: 'Sequence[str]',
      schema: 'Mapping[str, Any]',
    },
  ).replace('(TypedDict', '(TokenOptions'),
];

// ---- The header of C: structs, functions, numbers ----

/** A type as ctypes is asked for it. @param {string} type */
function typeOf(type) {
  const plain = type.replace(/\bconst\b/g, '').trim();
  if (/\bchar\b.*\*/.test(plain)) return 'text';
  if (plain.endsWith('*')) return 'pointer';
  return /^gf_(error|type)$/.test(plain) ? 'int' : plain;
}

/** By name: the result's type, then those of the arguments. @type {Record<string, string[]>} */
const functions = {};
for (const [, result, name, list] of header.matchAll(
  /^((?:const )?\w+ \*?)(gf_\w+)\(([^)]*)\);/gm,
)) {
  if (/^gf_(attention_config|model) $/.test(result)) continue; /* a struct by value */
  const args = list.replace(/\s+/g, ' ').split(', ');
  functions[name] = [
    typeOf(result),
    ...(list === 'void'
      ? []
      : args.map((arg) => typeOf(/** @type {string[]} */ (/^(.*?)\w+$/.exec(arg))[1]))),
  ];
}

// ---- The ops: a method of a tape and a function on arrays for each row ----

/** What an attribute is where nobody gives it; any other must be given. */
const LEFT_OUT = {
  offset: '0',
  smoothing: '0.0',
  softcap: '0.0',
  epsilon: '1e-5',
  ignore_index: '-100',
};
const PYTHON = {
  FLAG: 'bool',
  INTEGER: 'int',
  ANY_INTEGER: 'int',
  REAL: 'float',
  WORD: 'str',
  AXES: 'Sequence[int]',
  SIZES: 'Sequence[int]',
};
const table = read('src/ops.def');

/** @type {Map<string, string>} an attribute's type and, if it has one, its default, as Python writes them */
const attributes = new Map(
  [...table.matchAll(/^GF_ATTRIBUTE\(\w+, (\w+), (\w+)(?:\("(\w+)")?/gm)].map(
    ([, name, kind, first]) => {
      const type = PYTHON[/** @type {keyof typeof PYTHON} */ (kind)];
      const left = /** @type {Record<string, string>} */ (LEFT_OUT)[name];
      const fallback = { FLAG: 'False', WORD: `"${first}"` }[kind] ?? left;
      return [name, `${name}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}`];
    },
  ),
);

/** The contracts of an op's builders, as its file has them. @param {string} op */
function contractOf(op) {
  const all = [
    ...read(`src/op/${op}.c`).matchAll(/^(\/\*(?:(?!\*\/)[\s\S])*?)\*\/\nint gf_\w+\(/gm),
  ];
  return all.map(([, text]) =>
    text
      .split('\n')
      .map((line) => line.replace(/^(\/\*| \*) ?/, '').trimEnd())
      .join('\n')
      .trim()
      /* The binding's own words for what C calls so. */
      .replace(/\bGF_(NONE|ALL)\b/g, 'None')
      .replace(/\bGF_(MEAN|SUM)\b/g, (_, word) => `"${word.toLowerCase()}"`)
      .replace(/\bGF_EACH\b/g, '"none"')
      .replace(/\bgf_(?=\w)/g, ''),
  );
}

/** @param {string} op */
function rowOf(op) {
  const [, row] = /** @type {string[]} */ (
    new RegExp(`^GF_OP\\(${op},([\\s\\S]*?)\\)\\n(?=GF_OP|\\n)`, 'm').exec(table)
  );
  const operands = [
    ...(/OPERANDS\(((?:\w+\(\w+\)(?:, )?)*)\)/.exec(row)?.[1] ?? '').matchAll(/(\w+)\((\w+)\)/g),
  ].map(([, kind, name]) => ({ name, optional: kind.endsWith('_OR_NONE') }));
  const attributeNames = [...row.matchAll(/A\((\w+)\)/g)].map(([, name]) => name);
  return { operands, attributeNames };
}

/** Ops whose second operand may be a number, as their methods say. */
const pairs = ops.filter((op) => /this\.pair\(/.test(read(`bindings/js/ops/${op}.js`)));

/** A list of arguments: what must be given before what need not, as Python wants it.
 * @param {string} op @param {string} type of an operand @param {string[]} last */
function signature(op, type, last) {
  const { operands, attributeNames } = rowOf(op);
  const first = operands.map(({ name, optional }) =>
    optional
      ? `${name}: ${type} | None = None`
      : `${name}: ${type}${type === 'Tensor' && name === 'b' && pairs.includes(op) ? ' | float' : ''}`,
  );
  /* What takes one axis away can take all. */
  const some = new Map(attributes);
  if (attributeNames.includes('keep_dims')) some.set('axis', 'axis: int | None = None');
  const keywords = [
    ...attributeNames.map((name) => /** @type {string} */ (some.get(name))),
    ...last,
  ];
  const due = [
    ...keywords.filter((word) => !word.includes(' = ')),
    ...keywords.filter((word) => word.includes(' = ')),
  ];
  return [...first, ...(due.length ? ['*', ...due] : [])].join(', ');
}

/** @param {string} op @param {string} indent */
function docstring(op, indent) {
  const text = contractOf(op).join('\n\n').replace(/\\/g, '\\\\');
  return `${indent}"""${text.replace(/\n(?=.)/g, `\n${indent}`)}\n${indent}"""\n`;
}

/** @param {string[]} names */
const dict = (names) => `{${names.map((name) => `"${name}": ${name}`).join(', ')}}`;
const made = ops.filter((op) => op !== 'leaf');
const methods = made.map((op) => {
  const { operands, attributeNames } = rowOf(op);
  return (
    `    def ${op}(self, ${signature(op, 'Tensor', ['name: str'])}) -> Tensor:\n${docstring(op, '        ')}` +
    `        return self.push("${op}", ${dict(operands.map(({ name }) => name))}, ${dict(attributeNames)}, name)\n`
  );
});
/** Ops over the last dimension, which have an axis on arrays, as in numpy and PyTorch. */
const ALONG = ['softmax', 'log_softmax'];
/* Attention on arrays is a function of its own, which tells its steps; a cache has nothing to remember. */
const functional = made
  .filter((op) => op !== 'attention' && op !== 'cache')
  .map((op) => {
    const { operands, attributeNames } = rowOf(op);
    const along = ALONG.includes(op);
    const takes = signature(op, 'ArrayLike', []) + (along ? ', axis: int | None = None' : '');
    const values = `${dict(operands.map(({ name }) => name))}, ${dict(attributeNames)}`;
    return (
      `def ${op}(${takes}) -> Array:\n${docstring(op, '    ')}` +
      `    return call("${op}", ${values}${along ? ', axis' : ''})\n`
    );
  });

// ---- Write ----

const sources = new URL('bindings/python/glassformer/', root);
const target = new URL('build/python/glassformer/', root);
/** The files of the package. @type {Set<string>} */
const files = new Set();
/** @param {string} name @param {string | Uint8Array} content */
function put(name, content) {
  files.add(name);
  write(fileURLToPath(new URL(name, target)), content);
}
/** @param {string} path */
const bytesOf = (path) => readFileSync(new URL(path, root));

for (const name of readdirSync(sources)) {
  if (/\.(py|typed)$/.test(name)) put(name, readFileSync(new URL(name, sources)));
}
put('libglassformer.so', bytesOf('build/libglassformer.so'));
put('../LICENSE', bytesOf('LICENSE'));

const NOTE =
  '"""Written by bindings/build/python.js from the op table and the contracts of src/op."""';
put(
  'ops.py',
  `${NOTE}\n# ruff: noqa: D, E501\nfrom __future__ import annotations\n\nfrom collections.abc import Sequence\n\n` +
    'from ._nodes import Nodes, Tensor\n\n\n' +
    `class Ops(Nodes):\n    """The steps of a tape, one method per op."""\n\n${methods.join('\n')}`,
);
put(
  'functional.py',
  `${NOTE}\n# ruff: noqa: D, E501\nfrom __future__ import annotations\n\nfrom collections.abc import Sequence\n\n` +
    `from ._eager import Array, ArrayLike, call\n\n\n${functional.join('\n\n')}`,
);

put(
  '_options.py',
  '"""Written by bindings/build/python.js from what checks options."""\n# ruff: noqa: E501\n' +
    'from __future__ import annotations\n\nfrom collections.abc import Callable, Mapping, Sequence\n' +
    `from typing import Any, Literal, TypedDict\n\n\n${typed.join('\n\n\n')}\n`,
);

/* What figures in notebooks run. */
put('anywidget.js', formOf('anywidget.js'));

/* Exercises, and what marks them: Python's one marker is that of the questions for PrairieLearn. */
const SEEDS = [1, 2, 3, 4];
const problems = recipes().flatMap(({ name }) => SEEDS.map((seed) => exercise(gf, name, { seed })));
const questions = await prairielearn(gf, problems, languageOf('python', {}), {
  title: 'Glassformer',
});
const variants = /** @type {{ text: string }} */ (
  questions.find(({ path }) => path.endsWith('variants.json'))
);
put('exercises.json', variants.text);

/** What Python alone has to say. */
const OWN = {
  beyondMachine: 'out of memory: {wanted} MB wanted, {free} MB are free',
  beyondProcess: 'out of memory: {wanted} MB wanted, which this process cannot have',
  adaptersMerged: 'these adapters are merged into their model: use that one',
  parameterKept:
    'a parameter cannot be replaced: write into its data, parameters["{name}"].data[:] = values',
  notWritten:
    'the wheel has seeds 1 to 4: glassformer quiz --format prairielearn writes others, which quiz() opens',
  figureTooLarge:
    'a figure shows at most {most} MB of numbers, and these are {n} MB: show a smaller model, or fewer tokens',
  inFewBits: 'this parameter stays as its file stores it, in few bits: model.stored has it',
  noClasses: 'this model has no head for classes: pass a classifier of train_classifier',
  classifier: 'expected a Classifier, as train_classifier gives it',
  noTokenizer:
    'the file of this model has no tokenizer: open it with tokenizer="tokenizer.json", or give ids',
  notCopied:
    'a tape cannot be copied or pickled: it is memory of this process. Take what you need as arrays, by numpy()',
  readOnly:
    'these numbers cannot be written: they are stored in few bits, or bound to a read-only array',
  shown: 'expected a Tape, a Trace, a Run, a Model, or the name of an example',
  /* What JavaScript says of values that Python has others for. */
  anArray: 'a list of {n}',
  anInstance: 'a value of type {name}',
  answers: 'expected a dict: of each cell what the learner wrote',
  array: 'expected a list or a tuple',
  beamsAlone: 'a beam search has no temperature, top_k, top_p and hooks',
  boolean: 'expected True or False',
  bytes: 'expected a path, or the bytes of a file',
  floats: 'expected a contiguous array of float32, or of int32 for ids',
  floatsOf: 'expected {n} numbers in float32',
  names: 'expected a list of names',
  operandNumber: "expected an operand's number or None",
  options: 'expected a dict',
  path: 'expected a path: a str or a pathlib.Path',
  otherAbi: 'the library has ABI {abi}, this package needs {needed}: versions are mixed',
  steps: 'expected True, False or names',
  trainedAlready: 'it is already being trained: end that loop first, by break or close()',
  writable: 'expected an array that can be written',
  values: 'expected nested lists of numbers, or an array',
};
/** What JavaScript calls otherwise. */
const CALLED = { exportModel: 'export', generateTexts: 'generate_texts' };
const word = new RegExp(
  `\\b(${[...Object.keys(CALLED), ...Object.values(camels).filter((name) => /[A-Z]/.test(name))].join('|')})\\b`,
  'g',
);
const texts = Object.fromEntries(
  Object.entries({
    ...{ ...ofBase, ...ofFormats, ...ofModels, ...ofTraces },
    ...{
      ...ofCheckpoints,
      ...ofExercises,
      ...{ ...ofTexts, ...ofSchemas },
      ...ofLora,
      ...ofOpen,
      ...ofInside,
      ...ofFiles,
      ...ofCells,
      ...OWN,
    },
  }).map(([name, text]) => [
    name,
    text.replace(word, (name) => CALLED[/** @type {keyof typeof CALLED} */ (name)] ?? snake(name)),
  ]),
);
const { examples } = await import('../generated/examples.js');
const families = await import('../generated/families.js');
/** The numbers and lists of modules, by their names there. @param {object[]} modules */
const rulesIn = (...modules) =>
  Object.fromEntries(modules.flatMap(Object.entries).filter(([name]) => /^[A-Z_]+$/.test(name)));
const { version } = JSON.parse(read('package.json'));
put(
  'data.json',
  `${JSON.stringify({
    version,
    texts,
    problems: Object.keys(sentences),
    structs,
    functions,
    constants,
    options,
    camels,
    pairs,
    leaves: LEAF,
    lists: [...LISTS],
    sources: SOURCES,
    examples,
    rules: {
      verdicts: rulesIn(verdicts),
      schemas: rulesIn(schemas, automata, { MAX_LEVELS }),
      texts: rulesIn(embedding, fit, masks),
    },
    /* Families of checkpoints, and what formats have lists of. */
    families: {
      families: families.FAMILIES,
      neutral: families.NEUTRAL,
      gguf: families.GGUF,
      llama3: families.LLAMA3,
      llama2c: families.LLAMA2C,
    },
    formats: {
      types: TYPES,
      words: WORDS,
      llama3Words: LLAMA3_WORDS,
      ends: ENDS,
      noEnds: NO_ENDS,
    },
  })}\n`,
);

/* What an earlier version had. */
for (const name of readdirSync(target)) {
  if (/\.\w+$/.test(name) && !name.startsWith('.') && !files.has(name))
    rmSync(new URL(name, target));
}
