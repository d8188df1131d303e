import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { offline } from './app/offline/build.js';
import { cards } from './bundle/cards.js';
import { layers } from './bundle/layers.js';
import { lessons } from './bundle/lessons.js';
import { notices } from './bundle/notices.js';
import { palette } from './bundle/palette.js';
import { preloads } from './bundle/preloads.js';
import { words } from './bundle/words.js';

const { page, worker } = notices();

/* Names stand in every list of what to load: short and of few different characters they pack better. */
const names = {
  hashCharacters: /** @type {const} */ ('hex'),
  entryFileNames: 'assets/[name]-[hash:7].js',
  /** What a language brings has its code for a name. @param {{ name: string, facadeModuleId?: string | null }} chunk */
  chunkFileNames: ({ name, facadeModuleId }) => {
    const [, code] = /\/words\/(\w+)\/\w+\.json$/.exec(facadeModuleId ?? '') ?? [];
    return `assets/${code ?? name}-[hash:7].js`;
  },
  assetFileNames: 'assets/[name]-[hash:7][extname]',
};

/* `make site` puts the documentation beside the page, which then links to it. */
const { DOCS } = process.env;
/** @type {import('vite').Plugin} */
const documentation = {
  name: 'documentation',
  transformIndexHtml: () => (DOCS ? [{ tag: 'link', attrs: { rel: 'help', href: DOCS } }] : []),
};

// Static files with relative addresses: the page works from any sub-path. Its core is a file of its own, so
// that the page and the worker that trains load the same one.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  worker: {
    format: 'es',
    plugins: () => [worker],
    rolldownOptions: { output: names },
  },
  plugins: [palette(), lessons(), words(), preloads(), page, documentation, cards(), offline()],
  resolve: {
    alias: [{ find: /^(.*)\/embedded\.js$/, replacement: '$1/external/fetched.js' }],
  },
  build: {
    outDir: fileURLToPath(new URL('../build/site', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        ...names,
        codeSplitting: {
          includeDependenciesRecursively: false,
          /* What all pictures of lessons share, in one file: it packs better than three. */
          groups: [
            { name: 'page', tags: ['$initial'] },
            { name: layers() },
            {
              name: 'telling',
              test: /\/(player\/(telling|picture|core)|lessons\/(expression|scope|sentence|texts))\.js$/,
            },
          ],
        },
      },
    },
  },
});
