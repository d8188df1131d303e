// Serves the playground from its sources, and makes anew what an edit touches: the core, little optimised, and the tables of the
// ops. Run by `make dev`, which has made both once.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createServer } from 'vite';

const root = path.join(import.meta.dirname, '../..');
const CORE = path.join(root, 'build/dev/core.js');
const MADE = ['build/dev/core.js', 'bindings/generated/tables.stamp'];
/** What these are made of. */
const SOURCES = [
  'src',
  'bindings/js/ops',
  'bindings/build',
  'bindings/data/examples',
  'bindings/js/runtime',
];

/** The core of this page, wherever another one is asked for.
 * @returns {import('vite').Plugin} */
const core = () => ({
  name: 'core',
  enforce: 'pre',
  resolveId: (id) => (/\/generated\/(simd|threads|relaxed)\.js$/.test(id) ? CORE : null),
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (!/\/generated\/glassformer\.wasm/.test(request.url ?? '')) return next();
      response.setHeader('Content-Type', 'application/wasm');
      response.end(readFileSync(path.join(root, 'build/wasm/dev.wasm')));
    });
  },
});

const server = await createServer({
  configFile: path.join(import.meta.dirname, '../vite.config.js'),
  cacheDir: path.join(root, 'build/vite'),
  plugins: [core()],
  server: { port: Number(process.argv[2] ?? 8080) },
});

let making = false;
let again = false;
/** Makes what an edit touched, then loads the page anew; one at a time. */
function make() {
  again = making;
  if (making) return;
  making = true;
  execFile(
    'make',
    MADE,
    { cwd: root, env: { ...process.env, MAKEFLAGS: '' } },
    (error, _, stderr) => {
      making = false;
      if (again) return make();
      if (error) server.ws.send({ type: 'error', err: { message: stderr, stack: '' } });
      else server.ws.send({ type: 'full-reload' });
    },
  );
}
server.watcher.add(SOURCES.map((folder) => path.join(root, folder)));
server.watcher.on('all', (_, file) => {
  const name = path.relative(root, file);
  if (SOURCES.some((folder) => name.startsWith(`${folder}/`))) make();
});

await server.listen();
server.printUrls();
