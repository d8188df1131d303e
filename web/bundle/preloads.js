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
  /** @param {string} file */
  const isStyled = (file) => Object(files[file]).viteMetadata?.importedCss.size > 0;
  return {
    name: 'preloads',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies(file, needed, { hostId, hostType }) {
            if (hostType === 'html') return needed;
            const entries = Object.values(files).flatMap((one) =>
              one.type === 'chunk' && one.isEntry ? [one.fileName] : [],
            );
            const there = new Set([hostId, ...entries].flatMap((one) => [...broughtBy(one)]));
            const missing = needed.filter((one) => !there.has(one));
            if (!LESSONS.test(Object(files[hostId]).moduleIds)) return missing;
            /* Code waits for its styles, which are asked for in any case: it comes beside them. */
            return missing.some(isStyled) ? [file] : [];
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
