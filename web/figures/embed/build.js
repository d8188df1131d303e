// Builds what course pages use, and the page of an exercise's package. `make package` runs it.
// element.js is complete, and so are the files that figures load from beside it. The other forms (a classic script, an
// anywidget, embed.html) are kept without the figures' code, which is the same in all and most of each: `glassformer
// figures` puts it in. The page of a package is complete but for the problems.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, defaultClientConditions } from 'vite';
import { deflated } from '../../../bindings/build/deflated.js';
import { write } from '../../../bindings/build/write.js';
import { BEGIN, CORE, END, HOLE, IMPORT_CORE, NO_WEIGHTS } from '../../../bindings/cli/figures.js';
import { packed as core } from '../../../bindings/generated/simd.js';
import { NO_CORE } from '../../../bindings/learn/exercises/formats/packed.js';
import { lessons } from '../../bundle/lessons.js';
import { noticesOf } from '../../bundle/notices.js';
import { palette } from '../../bundle/palette.js';
import { columns } from './columns.js';
import { shadowStyles } from './shadow-styles.js';
import { ASSIGNMENT, FIGURE, words } from './words.js';

const here = import.meta.dirname;
const generated = path.join(here, '../../../bindings/generated');
const forms = path.join(generated, 'figures');

/**
 * The same code in plain ASCII: a page that does not say its encoding reads it right, too. And it ends no script
 * that it stands in.
 * @param {string} code
 */
const plain = (code) =>
  code
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('</script', '<\\/script');

/** What a script calls what it exports. */
const NAME = 'glassformer';

/** What all builds here have in common. */
const common = {
  configFile: /** @type {const} */ (false),
  root: here,
  logLevel: /** @type {const} */ ('warn'),
};
const target = { write: false, target: 'es2022', modulePreload: { polyfill: false } };

/**
 * Chooses the capabilities (`imports` in web/package.json).
 * @param {'figure' | 'assignment'} condition
 */
const resolve = (condition) => ({
  conditions: [condition, ...defaultClientConditions],
});

/**
 * One file's text, and the modules it was made of.
 * @param {string} entry
 * @param {'es' | 'iife'} format
 * @param {import('vite').InlineConfig} [more]
 * @param {Record<string, string>} [globals] where a script finds what it does not contain
 */
async function bundle(entry, format, more = {}, globals = {}) {
  const result = await build({
    ...common,
    ...more,
    build: {
      ...target,
      lib: { entry: path.join(here, entry), formats: [format], name: NAME },
      rolldownOptions: {
        /* What the page loads later is among the rest here. */
        checks: { ineffectiveDynamicImport: false },
        output: { codeSplitting: false, minify: true, globals },
      },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
  const [chunk, styles, ...others] = output;
  if (others.length > 0)
    throw new Error(`${entry}: made ${output.map(({ fileName }) => fileName)}`);
  const css = styles?.type === 'asset' ? String(styles.source) : '';
  return { code: plain(chunk.code), css, modules: chunk.moduleIds };
}

/** The files of the figures' own code, in the order in which they load: each may import from those before it. */
const PARTS = ['figures', 'motion', 'lessons'];
/** Where figures keep what each part exports, by its name. */
const EXPORTS = 'glassformerParts';

/** What figures say in other languages than English, by the language. @type {Record<string, unknown>} */
const spoken = {};
/** What lessons say and show, by language and file; what is the same in all is English. @type {Record<string, Record<string, unknown>>} */
const said = {};

/** The file of a text of lessons, and its language. @param {string} id */
function textOf(id) {
  const [, of] = /([\w-]+)\/page\.json\?lessons$/.exec(id) ?? [];
  if (of) return { name: 'page', language: of };
  const [, name, language = 'en'] =
    /\/(lessons\/[\w-]+|inside\/trained)\.json(?:\?(\w\w))?$/.exec(id) ?? [];
  return name ? { name, language } : null;
}

/** Takes it out of the code: it is packed. @type {import('vite').Plugin} */
const apart = {
  name: 'apart',
  enforce: 'pre',
  transform(code, id) {
    const [, spokenIn] = /\/words\/(?!en\/)(\w+)\/page\.json$/.exec(id) ?? [];
    const text = textOf(id);
    if (!spokenIn && !text) return null;
    const value = JSON.parse(code.replace('export default ', ''));
    if (spokenIn) spoken[spokenIn] = value;
    else if (text) said[text.language] = { ...said[text.language], [text.name]: value };
    const place = text
      ? `said.${text.language}[${JSON.stringify(text.name)}]`
      : `words.${spokenIn}`;
    return { code: `export default import.meta.env.PARTS.${place}`, moduleType: 'js' };
  },
};

/** How the page's sources become figures. @type {import('vite').InlineConfig} */
const FIGURES = {
  plugins: [words(FIGURE), lessons(), apart, palette()],
  css: { postcss: { plugins: [shadowStyles] } },
  resolve: resolve('figure'),
  define: {
    'import.meta.env.FILES': 'glassformerFiles',
    'import.meta.env.BUILD': 'glassformerBuild',
    'import.meta.env.STYLES': 'glassformerStyles',
    'import.meta.env.PARTS': EXPORTS,
  },
};

/** Divides the modules: each goes to the first part that uses it. Gives ES modules and their styles. */
async function divided() {
  const alone = await Promise.all(PARTS.map((name) => bundle(`${name}.js`, 'es', FIGURES)));
  const result = await build({
    ...common,
    ...FIGURES,
    build: {
      ...target,
      cssCodeSplit: true,
      lib: {
        entry: Object.fromEntries(PARTS.map((name) => [name, path.join(here, `${name}.js`)])),
        formats: ['es'],
      },
      rolldownOptions: {
        /* What the page loads later is among the rest here. */
        checks: { ineffectiveDynamicImport: false },
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: '[name].js',
          assetFileNames: '[name][extname]',
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              {
                debugName: 'parts',
                name: (id) => PARTS.find((_, i) => alone[i].modules.includes(id)) ?? null,
              },
            ],
          },
        },
      },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
  for (const [i, name] of PARTS.entries()) {
    const chunk = output.find(({ fileName }) => fileName === `${name}.js`);
    const late = PARTS.slice(i + 1).find((part) => Object(chunk).imports.includes(`${part}.js`));
    if (late) throw new Error(`${name}.js imports from ${late}.js, which comes after it`);
  }
  return output;
}

/**
 * A part as an expression whose value is what it exports.
 * @param {string} name
 * @param {Map<string, string>} files all code: the parts, and what the bundler adds for all of them
 */
async function expressionOf(name, files) {
  const entry = `./${name}.js`;
  const globals = Object.fromEntries(PARTS.map((part) => [`./${part}.js`, `${EXPORTS}.${part}`]));
  /** @type {import('vite').Plugin} */
  const source = {
    name: 'part',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id in globals && id !== entry ? { id, external: true } : `\0${importer ? id : entry}`,
    load: (id) => files.get(path.basename(id)),
  };
  const { code } = await bundle(name, 'iife', { plugins: [source] }, globals);
  /* Motion exports nothing. What is left of lines is in templates, which need no indentation. */
  return `(()=>{var ${NAME}={};${code.replace(/\n +/g, '\n')};return ${NAME}})()`;
}

/** The parts: what gives the exports of each, its styles, and the notices of its libraries. */
async function parts() {
  const output = await divided();
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const file of output) {
    files.set(file.fileName, file.type === 'chunk' ? file.code : String(file.source));
  }
  return Promise.all(
    PARTS.map(async (name) => ({
      name,
      code: await expressionOf(name, files),
      styles: files.get(`${name}.css`) ?? '',
      notices: noticesOf(
        output.flatMap((file) => (Object(file).name === name ? Object(file).moduleIds : [])),
      ),
    })),
  );
}

/** Modules are transformed in no fixed order. @param {Record<string, unknown>} texts */
const sorted = (texts) =>
  Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));

const [shown, ...later] = await parts();
const languages = sorted(spoken);
const texts = columns(
  sorted(Object.fromEntries(Object.entries(said).map(([code, files]) => [code, sorted(files)]))),
);
/* Each part knows of which build it is: what it shares with the figures has other names in another. */
const digest = createHash('sha256')
  .update(JSON.stringify([shown, later, languages, texts]))
  .digest('hex')
  .slice(0, 16);

/** Code whose value is a promise of what is packed in it. @param {unknown} value */
const packed = async (value) =>
  `new Response(new Blob([Uint8Array.from(atob('${await deflated(JSON.stringify(value))}'),` +
  `(letter)=>letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate'))).json()`;

const figures =
  `${BEGIN}'use strict';/*!\n${shown.notices}\n*/const glassformerBuild='${digest}',` +
  `glassformerStyles=${plain(JSON.stringify(shown.styles))},${EXPORTS}={said:{},` +
  `words:{${Object.keys(languages).map((language) => `${language}:{}`)}},unpack:()=>${await packed(columns(languages))}};` +
  `${EXPORTS}.figures=${shown.code};${END}`;

/** The file of a part that lies beside the figures. @param {typeof shown} part */
const laid = async ({ name, code, styles, notices }) =>
  `'use strict';/*!\n${notices}\n*/document.currentScript?.dispatchEvent(` +
  `new CustomEvent('glassformer-file',{detail:{build:'${digest}',` +
  `packed:${await packed({ styles, texts: name === 'lessons' ? texts : null })},run:(${EXPORTS})=>${code}}}));`;

/* What lies beside the script. Of a module, in the one form that bundlers know, so that a bundle of it carries them
   along; here they are left where they are. They come before the figures, in whose minified code tools that read only
   tokens lose their way. Weights are in the package once: `glassformer figures` makes scripts of them. */
const MODELS = ['french-english', 'stories'];
const BESIDE = ['french-english.js', 'lessons.js', 'motion.js'];
const BASE = { es: 'import.meta.url', iife: 'document.currentScript?.src || document.baseURI' };
/** @param {'es' | 'iife'} format @param {(model: string) => string} weightsOf */
function filesFrom(format, weightsOf) {
  const places = [
    ...BESIDE.map((name) => [name, name]),
    ...MODELS.map((name) => [name, weightsOf(name)]),
  ];
  return `({${places.map(([name, place]) => `'${name}':()=>new URL('${place}', ${BASE[format]})`).join()}})`;
}

/* A page may load two of these files, or one twice: the first one defines the elements. A server has none. */
const guarded = (/** @type {string} */ files) =>
  `if(globalThis.customElements&&!customElements.get('gf-attention')){` +
  `((figures)=>figures(${files}))((glassformerFiles)=>{${HOLE}})}`;

/**
 * The entries of all forms import the figures: what stands for them is code, or a file beside.
 * @param {{ code?: string, external?: string }} other
 * @returns {import('vite').Plugin}
 */
const inPlaceOfFigures = ({ code, external }) => ({
  name: 'in-place-of-figures',
  enforce: 'pre',
  resolveId(source) {
    if (source !== './figures.js') return null;
    const id = external ?? '\0figures';
    return { id, external: Boolean(external), moduleSideEffects: true };
  },
  load: (id) => (id === '\0figures' ? code : null),
});

/**
 * One form, with a hole for the figures.
 * @param {string} file @param {'es' | 'iife'} format @param {(model: string) => string} [weightsOf] where they lie
 */
async function form(file, format, weightsOf = (name) => `${name}.js`) {
  const { code } = await bundle(file, format, {
    plugins: [inPlaceOfFigures({ code: 'glassformerFigures();' })],
  });
  const [before, after, ...more] = code.split(/\bglassformerFigures\(\)[;,]?/);
  if (after === undefined || more.length)
    throw new Error(`${file}: expected one place for the figures`);
  return `${before}${guarded(filesFrom(format, weightsOf))};${after}`;
}

const filled = (/** @type {string} */ text) => text.replace(HOLE, () => figures);

write(path.join(forms, 'element.classic.js'), await form('element.classic.js', 'iife'));
write(path.join(forms, 'anywidget.js'), await form('anywidget.js', 'es'));

/* As part of the package, the widget has the elements beside it. */
const { code: widget } = await bundle('anywidget.js', 'es', {
  plugins: [inPlaceOfFigures({ external: './element.js' })],
});
write(path.join(generated, 'anywidget.js'), widget);

/* Models, each with what figures have to know of it besides. */
const withoutWeights = async (/** @type {string} */ name) => {
  const { code } = await bundle(`${name}.js`, 'iife', {
    define: { 'import.meta.env.WEIGHTS': 'glassformerWeights' },
  });
  return code.replace('glassformerWeights', NO_WEIGHTS);
};
write(path.join(generated, 'french-english.js'), await withoutWeights('french-english'));
write(path.join(forms, 'stories.js'), await withoutWeights('stories'));
for (const part of later) {
  write(path.join(generated, `${part.name}.js`), await laid(part));
}

/** The core is in the package once: something else stands for it. @param {string} code @param {string} other */
function withoutCore(code, other) {
  const [before, after, ...more] = code.split(`\`${core.base64}\``);
  if (after === undefined || more.length) throw new Error('expected the core once');
  return `${before}${other}${after}`;
}

const script = await form('frame.js', 'iife');
const frame = readFileSync(path.join(here, 'frame.html'), 'utf8').replace(
  '/* the figure */',
  () => script,
);
/** The same page, which says what may run in it. @param {string} page @param {string} whole with what is filled in */
function sealed(page, whole) {
  const hashOf = (/** @type {'script' | 'style'} */ tag) => {
    const [, content] = /** @type {RegExpExecArray} */ (
      new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(whole)
    );
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  };
  return page.replace("'the script'", hashOf('script')).replace("'the style'", hashOf('style'));
}

write(path.join(forms, 'embed.html'), sealed(frame, filled(frame)));

const assignment = await bundle('../assignment/index.js', 'iife', {
  plugins: [words(ASSIGNMENT), palette()],
  resolve: resolve('assignment'),
});
const page = readFileSync(path.join(here, '../assignment/assignment.html'), 'utf8')
  .replace('/* the style */', () => assignment.css.trim())
  .replace(
    '/* the script */',
    () => `/*!\n${noticesOf(assignment.modules)}\n*/${assignment.code.trim()}`,
  );
write(
  path.join(generated, 'assignment.js'),
  `// Written by build.js: the page, deflated.\n/** @type {string} */\nexport const packed = '${await deflated(withoutCore(sealed(page, page), NO_CORE))}';\n`,
);

/* The last one: by its date make tells whether all are there. */
write(
  path.join(generated, 'element.js'),
  IMPORT_CORE +
    withoutCore(
      filled(await form('element.js', 'es', (name) => `../data/models/${name}.safetensors`)),
      CORE,
    ),
);
