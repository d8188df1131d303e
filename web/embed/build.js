// Builds what course pages use. element.js is complete, and so is what figures load from beside it; the other forms (a classic script, an anywidget, embed.html)
// are kept without the figures' code, which is the same in all and fills most of each: `glassformer figures` puts it
// in. And what an exercise of a package is: one page, complete, which has a hole for the problems. Run by
// `make package`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { write } from '../../bindings/build/write.js';
import { BEGIN, END, HOLE } from '../../bindings/cli/figures.js';
import { noticesOf } from '../bundle/notices.js';
import {
  ASSIGNMENT,
  beside,
  FIGURE,
  looks,
  ofAssignments,
  ofFigures,
  provided,
  substitutes,
  words,
} from './plugins.js';

const here = import.meta.dirname;
const generated = path.join(here, '../../bindings/generated');
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

/**
 * One file's text, and the modules it was made of.
 * @param {string} entry
 * @param {'es' | 'iife'} format
 * @param {import('vite').Plugin[]} plugins
 * @param {Record<string, string>} [define]
 */
async function bundle(entry, format, plugins, define = {}) {
  const result = await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    plugins,
    define,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      lib: { entry: path.join(here, entry), formats: [format], name: 'glassformer' },
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
  const [chunk, styles, ...more] = output;
  if (more.length > 0) throw new Error(`${entry}: made ${output.map(({ fileName }) => fileName)}`);
  const css = styles?.type === 'asset' ? String(styles.source) : '';
  return { code: plain(chunk.code), css, modules: chunk.moduleIds };
}

/** The files of the figures' own code: the figures, and what they load from beside them when it is needed. */
const PARTS = ['figures', 'lessons', 'motion'];
/** What modules of the figures import, but lessons alone use. */
const LATE = [
  'marking.js',
  '../../bindings/base/random.js',
  '../../bindings/model/batches.js',
  '../../bindings/model/slices.js',
].map((file) => path.join(here, file));
/** What must not run before it is asked for: the core that is not there. */
const APART = path.join(here, 'scalar.js');

/** Where each part's code goes. What one of them shares with another is among the figures.
 * @param {import('vite').Rolldown.ChunkingContext} context @returns {(id: string) => string} */
function sorting(context) {
  const needed = PARTS.map((name) => {
    /** @type {Set<string>} */
    const found = new Set();
    const visit = (/** @type {string} */ id) => {
      if (found.has(id) || (name === 'figures' && LATE.includes(id))) return;
      found.add(id);
      const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
      for (const other of [...importedIds, ...dynamicallyImportedIds]) visit(other);
    };
    visit(path.join(here, `${name}.js`));
    return found;
  });
  return (id) => {
    const users = PARTS.filter((_, at) => needed[at].has(id));
    return users.length === 1 ? users[0] : 'figures';
  };
}

/** Bundles the parts as CommonJS: the modules of each, and the notices of their libraries. */
async function parts() {
  /** @type {((id: string) => string) | null} */
  let sort = null;
  const result = await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    plugins: [substitutes(FIGURE), words(ofFigures), looks()],
    define: {
      'import.meta.env.FILES': 'glassformerFiles',
      'import.meta.env.BUILD': 'glassformerBuild',
      'import.meta.env.MODULES': 'glassformerModules',
      'import.meta.env.REQUIRE': 'glassformerRequire',
    },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      lib: {
        entry: Object.fromEntries(PARTS.map((name) => [name, path.join(here, `${name}.js`)])),
        formats: ['cjs'],
      },
      rolldownOptions: {
        /* What the page loads later is among the rest here. */
        checks: { ineffectiveDynamicImport: false },
        output: {
          minify: true,
          dynamicImportInCjs: false,
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          codeSplitting: {
            groups: [
              {
                debugName: 'parts',
                name(id, context) {
                  sort ??= sorting(context);
                  return id === APART ? null : sort(id);
                },
              },
            ],
          },
        },
      },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
  return PARTS.map((_, at) => {
    const chunks = output.filter(({ fileName }) => ownerOf(fileName) === at);
    const modules = chunks.map((chunk) => {
      if (chunk.type !== 'chunk') throw new Error(`a part has ${chunk.fileName} beside it`);
      const strange = chunk.imports.find((file) => ![0, at].includes(ownerOf(file)));
      if (strange) throw new Error(`${chunk.fileName} needs ${strange}, of another part`);
      /* What is left of lines is in templates, which need no indentation. */
      const code = plain(chunk.code).replace(/\n +/g, '\n');
      return `'./${chunk.fileName}':(exports,require)=>{${code}}`;
    });
    const ids = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    return { code: `{${modules.join()}}`, notices: noticesOf(ids) };
  });
}

/** Which part a chunk belongs to: its own name, or the figures for what all need. @param {string} file */
const ownerOf = (file) =>
  Math.max(
    0,
    PARTS.findIndex((name) => new RegExp(`^${name}\\d*\\.js$`).test(file)),
  );

const [shown, ...later] = await parts();
/* Each part knows of which build it is: what it shares with the figures has other names in another. */
const digest = createHash('sha256')
  .update(JSON.stringify([shown, later]))
  .digest('hex')
  .slice(0, 16);

/* The modules of all parts that are there, each run when it is first required. */
const figures =
  `${BEGIN}'use strict';/*!\n${shown.notices}\n*/const glassformerBuild='${digest}',glassformerModules=${shown.code},` +
  `glassformerMade={},glassformerRequire=(name)=>{if(!glassformerMade[name]){` +
  `glassformerModules[name](glassformerMade[name]={},glassformerRequire)}return glassformerMade[name]};` +
  `glassformerRequire('./figures.js')${END}`;

/** The file of a part that lies beside the figures. @param {{ code: string, notices: string }} part */
const laid = ({ code, notices }) =>
  `'use strict';/*!\n${notices}\n*/document.currentScript?.dispatchEvent(` +
  `new CustomEvent('glassformer-file',{detail:{build:'${digest}',modules:${code}}}));`;

/* What lies beside the script. Of a module, in the one form that bundlers know, so that a bundle of it carries them
   along; here they are left where they are. They come before the figures, in whose minified code tools that read only
   tokens lose their way. */
const BESIDE = ['french-english.js', 'lessons.js', 'motion.js', 'stories.js'];
const BASE = { es: 'import.meta.url', iife: 'document.currentScript?.src || document.baseURI' };
const filesFrom = (/** @type {string} */ base) =>
  `({${BESIDE.map((name) => `'${name}':()=>new URL('${name}', ${base})`).join()}})`;

/* A page may load two of these files, or one twice: the first one defines the elements. A server has none. */
const guarded = (/** @type {'es' | 'iife'} */ format) =>
  `if(globalThis.customElements&&!customElements.get('gf-attention')){` +
  `((figures)=>figures(${filesFrom(BASE[format])}))((glassformerFiles)=>{${HOLE}})}`;

/**
 * One form, with a hole for the figures.
 * @param {string} file @param {'es' | 'iife'} format
 */
async function form(file, format) {
  const { code } = await bundle(file, format, [provided('glassformerFigures();')]);
  const [before, after, ...more] = code.split(/\bglassformerFigures\(\)[;,]?/);
  if (after === undefined || more.length)
    throw new Error(`${file}: expected one place for the figures`);
  return `${before}${guarded(format)};${after}`;
}

const filled = (/** @type {string} */ text) => text.replace(HOLE, () => figures);

write(
  path.join(generated, 'THIRD-PARTY.txt'),
  `The figures for course pages contain the following libraries.\n\n${shown.notices}\n`,
);
write(path.join(forms, 'element.classic.js'), await form('element.classic.js', 'iife'));
write(path.join(forms, 'anywidget.js'), await form('anywidget.js', 'es'));

/* As part of the package, the widget has the elements beside it. */
const { code: widget } = await bundle('anywidget.js', 'es', [beside('./element.js')]);
write(path.join(generated, 'anywidget.js'), widget);

/* Models, each with what figures have to know of it besides. */
for (const [name, entry] of Object.entries({
  'french-english': 'translator.js',
  stories: 'told-stories.js',
})) {
  const weights = readFileSync(path.join(here, `../../bindings/models/${name}.safetensors`));
  const { code } = await bundle(entry, 'iife', [], {
    'import.meta.env.WEIGHTS': JSON.stringify(weights.toString('base64')),
  });
  write(path.join(generated, `${name}.js`), code);
}
for (const [at, part] of later.entries()) {
  write(path.join(generated, `${PARTS[at + 1]}.js`), laid(part));
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

const assignment = await bundle('../assignment/index.js', 'iife', [
  substitutes(ASSIGNMENT),
  words(ofAssignments),
]);
const page = readFileSync(path.join(here, '../assignment/assignment.html'), 'utf8')
  .replace('/* the style */', () => assignment.css.trim())
  .replace(
    '/* the script */',
    () => `/*!\n${noticesOf(assignment.modules)}\n*/${assignment.code.trim()}`,
  );
write(
  path.join(generated, 'assignment.js'),
  `// Written by build.js.\n/** @type {string} */\nexport const page = ${JSON.stringify(sealed(page, page))};\n`,
);

/* The last one: by its date make tells whether all are there. */
write(path.join(generated, 'element.js'), filled(await form('element.js', 'es')));
