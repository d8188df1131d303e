import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { offline } from './offline/build.js';

// Static files with relative addresses: the page works from any sub-path.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  worker: { format: 'es' },
  plugins: [offline()],
  build: {
    outDir: fileURLToPath(new URL('../build/site', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
