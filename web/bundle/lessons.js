// A lesson's file holds its words in every language, so that a lecturer copies one file. A reader loads those of one:
// `one-score.json?fr` is the lesson with its French alone.

const ONE = /\/lessons\/[\w-]+\.json\?(\w\w)$/;

/** @returns {import('vite').Plugin} */
export const lessons = () => ({
  name: 'lessons',
  enforce: 'pre',
  transform(code, id) {
    const [, lang] = ONE.exec(id) ?? [];
    if (!lang) return null;
    const cut = (/** @type {string} */ _, /** @type {any} */ value) =>
      typeof value?.en === 'string' ? { [lang]: value[lang] } : value;
    return {
      code: `export default ${JSON.stringify(JSON.parse(code, cut))}`,
      moduleType: 'js',
    };
  },
});
