// Builds what course pages use: the elements (a module, a classic script, an anywidget) and embed.html, each one
// file with everything in it. Run by `make package`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { looks, provided, substitutes, words } from './plugins.js';

const here = import.meta.dirname;
const generated = path.join(here, '../../bindings/generated');

/**
 * The same code in plain ASCII: a page that does not say its encoding reads it right, too.
 * @param {string} code
 */
const plain = (code) =>
  code.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * One file's text.
 * @param {string} entry
 * @param {'es' | 'iife'} format
 * @param {import('vite').Plugin[]} plugins
 */
async function bundle(entry, format, plugins) {
  const result = await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    plugins,
    define: { 'import.meta.env.WEIGHTS': 'glassformerWeights' },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      lib: { entry: path.join(here, entry), formats: [format], name: 'glassformer' },
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
  if (output.length > 1)
    throw new Error(`${entry}: made ${output.map(({ fileName }) => fileName)}`);
  return plain(output[0].code);
}

const figures = await bundle('figures.js', 'iife', [substitutes(), words(), looks()]);

/* Where the translator's weights lie: beside the script. Of a module, in the one form that bundlers know, so that a
   bundle of it carries them along; here they are left where they are. They come before the figures, in whose minified
   code tools that read only tokens lose their way. */
const LEFT = '/* @vite-ignore */';
const WEIGHTS = {
  es: `new URL(${LEFT} 'french-english.js', import.meta.url)`,
  iife: "new URL('french-english.js', document.currentScript?.src || document.baseURI)",
};

/* A page may load two of these files, or one twice: the first one defines the elements. A server has none. */
const guarded = (/** @type {'es' | 'iife'} */ format) => `
  if (globalThis.customElements && !customElements.get('gf-attention')) {
    ((figures) => figures(() => ${WEIGHTS[format]}))((glassformerWeights) => {${figures}});
  }`;

const entry = async (/** @type {string} */ file, /** @type {'es' | 'iife'} */ format) => {
  const code = await bundle(file, format, [provided(guarded(format))]);
  return code.replace(LEFT, '');
};

mkdirSync(generated, { recursive: true });
writeFileSync(path.join(generated, 'element.js'), await entry('element.js', 'es'));
writeFileSync(
  path.join(generated, 'element.classic.js'),
  await entry('element.classic.js', 'iife'),
);
writeFileSync(path.join(generated, 'anywidget.js'), await entry('anywidget.js', 'es'));

const weights = readFileSync(path.join(here, '../../bindings/models/french-english.safetensors'));
writeFileSync(
  path.join(generated, 'french-english.js'),
  `document.currentScript.dispatchEvent(new CustomEvent('glassformer-model', { detail: '${weights.toString('base64')}' }));\n`,
);

const script = (await entry('frame.js', 'iife')).replaceAll('</script', '<\\/script');
const frame = readFileSync(path.join(here, 'frame.html'), 'utf8').replace(
  '/* the figure */',
  () => script,
);
const hashOf = (/** @type {'script' | 'style'} */ tag) => {
  const [, content] = /** @type {RegExpExecArray} */ (
    new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(frame)
  );
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
};
writeFileSync(
  path.join(generated, 'embed.html'),
  frame.replace("'the script'", hashOf('script')).replace("'the style'", hashOf('style')),
);
