// What a part of the page asks for ahead of its turn: the files that it needs, but for those that are there already,
// because the page itself or the part that asks for it brought them. Each name left out is one less in every part.
// A lesson's pictures come while it is read, and each brings its own.

/** What plays lessons. */
const LESSONS = /\/web\/teaching\/player\.js/;

/** @returns {import('vite').Plugin} */
export function preloads() {
  /** @type {import('vite').Rolldown.OutputBundle} */
  let files = {};
  /** A file and all that comes with it. @param {string} file @param {Set<string>} [seen] */
  const broughtBy = (file, seen = new Set()) => {
    const chunk = files[file];
    if (chunk?.type !== 'chunk' || seen.has(file)) return seen;
    seen.add(file);
    for (const one of chunk.imports) broughtBy(one, seen);
    return seen;
  };
  return {
    name: 'preloads',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies(_, needed, { hostId, hostType }) {
            if (hostType === 'html') return needed;
            if (LESSONS.test(Object(files[hostId]).moduleIds)) {
              return needed.filter((file) => file.endsWith('.css'));
            }
            const entries = Object.values(files).flatMap((file) =>
              file.type === 'chunk' && file.isEntry ? [file.fileName] : [],
            );
            const there = new Set([hostId, ...entries].flatMap((file) => [...broughtBy(file)]));
            return needed.filter((file) => !there.has(file));
          },
        },
      },
    }),
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        files = bundle;
      },
    },
  };
}
