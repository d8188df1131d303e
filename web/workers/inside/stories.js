// The model of the stories, as experiments take it.

/** @typedef {import('./experiments.js').Subject} Subject */

/** Stories in which jobs are measured, and their seed. */
export const [STORIES, SEED] = [20, 2];

/**
 * @param {typeof import('./core.js')} core
 * @param {any} gf what load() gave
 * @param {Uint8Array} bytes of the model
 * @returns {Subject}
 */
export function storiesOf(core, gf, bytes) {
  const { headJobs, heldOutStories, storyInputs, tokenize, trained, vocabulary } = core;
  const model = trained(gf, bytes);
  /** @type {Subject['jobs']} */
  let jobs = null;
  return {
    model,
    names: vocabulary.tokens,
    read(text) {
      const words = tokenize(text);
      const readBack = vocabulary.decode(vocabulary.encode(words));
      return {
        inputs: storyInputs(text),
        unknown: words.filter((word, i) => readBack[i] !== word),
      };
    },
    idOf: (word) => vocabulary.encode([word])[0],
    get jobs() {
      jobs ??= headJobs(model, heldOutStories(STORIES, SEED));
      return jobs;
    },
  };
}

/** Words of the stories to choose from. @param {Subject} subject */
export const wordsOf = ({ names }) => names.filter((word) => !word.startsWith('<'));
