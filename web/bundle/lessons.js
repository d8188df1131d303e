// A lesson's file holds its words in every language, so that a lecturer copies one file; those of a language that came
// later may stand in `bindings/words/LANG/lessons.json` instead. A reader loads those of one language:
// `one-score.json?fr` is the lesson with its French alone, but for the names of scenes, by whose English the reader's
// progress is stored, and `one-score.json?languages` loads any of these.
// `one-score.json?map` says which of its scenes is the first about each box of the map; `one-score.json?brief` is what a list
// says of it: its title in every language, how long it takes, what its scenes are stored by and which of them must be solved.
import { readFileSync } from 'node:fs';

const words = new URL('../../bindings/words/', import.meta.url);
/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(file, words), 'utf8'));

/** @type {string[]} */
const CODES = read('languages.json').map((/** @type {{ code: string }} */ { code }) => code);

/** Sentences of lessons that stand in a file of their own: of each language, lesson by lesson.
 * @type {[code: string, lessons: Record<string, any>][]} */
const SEPARATE = CODES.flatMap((code) => {
  try {
    return [[code, read(`${code}/lessons.json`)]];
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
});

/** Whether a part of a lesson is a text, with the same in each language. @param {any} part */
const isText = (part) => typeof part?.en === 'string';

/** A part of a lesson with the sentences of one more language, which stand in a tree of the same form.
 * @param {any} part @param {any} sentences @param {string} code @returns {any} */
function joined(part, sentences, code) {
  if (!sentences) return part;
  if (isText(part)) return { ...part, [code]: sentences };
  if (Array.isArray(part)) return part.map((inner, i) => joined(inner, sentences[i], code));
  const keys = Object.entries(part);
  return Object.fromEntries(keys.map(([key, inner]) => [key, joined(inner, sentences[key], code)]));
}

/** A lesson with its words in all languages. @param {any} lesson */
export const whole = (lesson) =>
  SEPARATE.reduce((all, [code, lessons]) => joined(all, lessons[lesson.name], code), lesson);

/** @returns {import('vite').Plugin} */
export const lessons = () => ({
  name: 'lessons',
  enforce: 'pre',
  transform(code, id) {
    const [, file, part] = /\/lessons\/([\w-]+\.json)(?:\?(\w+))?$/.exec(id) ?? [];
    if (!file) return null;
    if (part === 'map') {
      const scenes = [...JSON.parse(code).scenes.entries()].reverse();
      const places = scenes.flatMap(([i, { map }]) => (map ? [[map, i + 1]] : []));
      return {
        code: `export default ${JSON.stringify(Object.fromEntries(places))}`,
        moduleType: 'js',
      };
    }
    if (part === 'brief') {
      const { name, title, minutes, next, scenes } = whole(JSON.parse(code));
      const asking = scenes.map((/** @type {any} */ { name: called, gate, optional }) => ({
        ...(called && { name: called.en }),
        ...(gate && !optional && { gate: {} }),
      }));
      const brief = { name, title, minutes, next, scenes: asking };
      return { code: `export default ${JSON.stringify(brief)}`, moduleType: 'js' };
    }
    if (part === 'languages') {
      const loading = CODES.map(
        (lang) =>
          `${lang}: () => import(${JSON.stringify(`./${file}?${lang}`)}).then((words) => words.default)`,
      );
      return { code: `export default { ${loading.join(', ')} }`, moduleType: 'js' };
    }
    const lesson = JSON.stringify(whole(JSON.parse(code)), (key, value) =>
      part && isText(value)
        ? { ...(key === 'name' && { en: value.en }), [part]: value[part] ?? value.en }
        : value,
    );
    return part ? { code: `export default ${lesson}`, moduleType: 'js' } : lesson;
  },
});
