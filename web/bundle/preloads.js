// Chooses the files that a part of the page preloads: those that it needs and that neither the page nor the importing part
// has loaded. Each name left out makes every part smaller. A lesson's pictures load while it is read, each with its own.
// The two upright faces come beside the styles that name them: nothing is laid out twice.

/** The player of lessons. */
const LESSONS = /\/web\/player\/player\.js/;

/** @returns {import('vite').Plugin} */
export function preloads() {
  /** @type {import('vite').Rolldown.OutputBundle} */
  let files = {};
  /** A file and all that comes with it. @param {string} file @param {Set<string>} [seen] */
  const loadedWith = (file, seen = new Set()) => {
    const chunk = files[file];
    if (chunk?.type !== 'chunk' || seen.has(file)) return seen;
    seen.add(file);
    for (const one of chunk.imports) loadedWith(one, seen);
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
            const loaded = new Set([hostId, ...entries].flatMap((one) => [...loadedWith(one)]));
            const missing = needed.filter((one) => !loaded.has(one));
            if (!LESSONS.test(Object(files[hostId]).moduleIds)) return missing;
            /* Code waits for its styles, which are asked for in any case: it comes beside them. */
            return missing.some(isStyled) ? [file] : [];
          },
        },
      },
    }),
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /-normal-\w+\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `./${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
            },
          })),
    },
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        files = bundle;
      },
    },
  };
}
