// The service worker: stores one whole build, and answers from it. `BUILD`, which build.js writes before
// these lines, names its files. Another build is another worker with a store of its own. It takes over
// when no page of the old one is open, so that no page gets files of two builds.

/** @typedef {{ waitUntil: (done: Promise<unknown>) => void }} Lasting */
/** @typedef {Lasting & { request: Request, respondWith: (answer: Promise<Response>) => void }} Fetching */

const worker = /** @type {any} */ (self);
/** @type {{ version: string, files: Record<string, string> }} */
const { version, files } = worker.BUILD;
/** @type {string} */
const scope = worker.registration.scope;
/** Several copies of the page may lie on one host. */
const ours = `glassformer ${scope} `;
const kept = ours + version;

worker.addEventListener('install', (/** @type {Lasting} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {Lasting} */ event) => event.waitUntil(begin()));
worker.addEventListener('message', (/** @type {Lasting} */ event) => event.waitUntil(succeed()));
worker.addEventListener('fetch', (/** @type {Fetching} */ event) => {
  const file = fileOf(event.request);
  if (file !== null) event.respondWith(answer(file));
});

/** All files or none: one that is not of this build fails its integrity. */
async function keep() {
  const requests = Object.entries(files).map(
    ([file, integrity]) => new Request(scope + file, { cache: 'no-cache', integrity }),
  );
  const store = await caches.open(kept);
  try {
    await store.addAll(requests);
  } catch (error) {
    /* Where there is no room for all, this build comes from the network; an old one must not stay for that. */
    if (/** @type {Error} */ (error).name !== 'QuotaExceededError') throw error;
  }
}

/** Forgets older builds; the page that is open already is served, too. */
async function begin() {
  const names = await caches.keys();
  const old = names.filter((other) => other.startsWith(ours) && other !== kept);
  await Promise.all(old.map((other) => caches.delete(other)));
  await worker.clients.claim();
  /* There may be room now. */
  if (!(await (await caches.open(kept)).match(`${scope}index.html`))) await keep().catch(() => {});
}

/** A page asks at its start whether this build may take the older one's place: if it is the only one. */
async function succeed() {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const inScope = pages.filter((/** @type {{ url: string }} */ { url }) => url.startsWith(scope));
  if (inScope.length <= 1) await worker.skipWaiting();
}

/** @param {Request} request @returns {string | null} the file that is asked for, if it is of this build */
function fileOf({ method, url }) {
  const [address] = url.split(/[?#]/);
  if (method !== 'GET' || !address.startsWith(scope)) return null;
  const file = address.slice(scope.length) || 'index.html';
  return Object.hasOwn(files, file) ? file : null;
}

/** @param {string} file */
async function answer(file) {
  /* A browser whose storage fails still has the network. */
  const stored = await caches
    .open(kept)
    .then((store) => store.match(scope + file))
    .catch(() => undefined);
  return stored ?? fetch(scope + file);
}
