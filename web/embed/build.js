// Builds what course pages use. element.js is complete; the other forms (a classic script, an anywidget, embed.html)
// are kept without the figures' code, which is the same in all and fills most of each: `glassformer figures` puts it
// in. And what an exercise of a package is: one page, complete, which has a hole for the problems. Run by
// `make package`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
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
    define: { 'import.meta.env.WEIGHTS': 'glassformerWeights', ...define },
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

const { code, modules } = await bundle('figures.js', 'iife', [
  substitutes(FIGURE),
  words(ofFigures),
  looks(),
]);
const notices = noticesOf(modules);

/* For glassformer/chat: a library, as one module of the package. */
const jinja = await bundle('jinja.js', 'iife', []);
const jinjaNotices = noticesOf(jinja.modules);
const figures = `${BEGIN}/*!\n${notices}\n*/${code}${END}`;

/* Where the translator lies: beside the script. Of a module, in the one form that bundlers know, so that a
   bundle of it carries them along; here they are left where they are. They come before the figures, in whose minified
   code tools that read only tokens lose their way. */
const WEIGHTS = {
  es: "new URL('french-english.js', import.meta.url)",
  iife: "new URL('french-english.js', document.currentScript?.src || document.baseURI)",
};

/* A page may load two of these files, or one twice: the first one defines the elements. A server has none. */
const guarded = (/** @type {'es' | 'iife'} */ format) =>
  `if(globalThis.customElements&&!customElements.get('gf-attention')){` +
  `((figures)=>figures(()=>${WEIGHTS[format]}))((glassformerWeights)=>{${HOLE}})}`;

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

mkdirSync(forms, { recursive: true });
writeFileSync(
  path.join(generated, 'THIRD-PARTY.txt'),
  `The figures for course pages contain the following libraries.\n\n${notices}\n\n` +
    `glassformer/chat contains the following library.\n\n${jinjaNotices}\n`,
);
writeFileSync(
  path.join(generated, 'jinja.js'),
  `// @ts-nocheck Written by build.js.\n/*!\n${jinjaNotices}\n*/\n${jinja.code.trim()}\n` +
    '/** @type {new (template: string) => { render: (items: Record<string, unknown>) => string }} */\n' +
    'export const Template = glassformer.Template;\n',
);
writeFileSync(path.join(generated, 'element.js'), filled(await form('element.js', 'es')));
writeFileSync(path.join(forms, 'element.classic.js'), await form('element.classic.js', 'iife'));
writeFileSync(path.join(forms, 'anywidget.js'), await form('anywidget.js', 'es'));

/* As part of the package, the widget has the elements beside it. */
const { code: widget } = await bundle('anywidget.js', 'es', [beside('./element.js')]);
writeFileSync(path.join(generated, 'anywidget.js'), widget);

const weights = readFileSync(path.join(here, '../../bindings/models/french-english.safetensors'));
const translator = await bundle('translator.js', 'iife', [], {
  'import.meta.env.TRANSLATOR': JSON.stringify(weights.toString('base64')),
});
writeFileSync(path.join(generated, 'french-english.js'), translator.code);

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

writeFileSync(path.join(forms, 'embed.html'), sealed(frame, filled(frame)));

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
writeFileSync(
  path.join(generated, 'assignment.js'),
  `// Written by build.js.\n/** @type {string} */\nexport const page = ${JSON.stringify(sealed(page, page))};\n`,
);
