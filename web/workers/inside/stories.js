// The model of the stories, as experiments take it.

/** @typedef {import('./experiments.js').Subject} Subject */

/** Stories in which roles of heads are measured, and their seed: those of `glassformer inside roles stories`. */
export const [STORIES, SEED] = [200, 1];

/**
 * @param {typeof import('./core.js')} core
 * @param {any} gf what load() gave
 * @param {Uint8Array} bytes of the model
 * @returns {Subject}
 */
export function storiesOf(core, gf, bytes) {
  const { headRoles, heldOutStories, linkedStories, storyInputs, tokenize, trained, vocabulary } =
    core;
  const model = trained(gf, bytes);
  /** @type {Promise<any> | null} */
  let roles = null;
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
    roles() {
      roles ??= headRoles(model, linkedStories(heldOutStories(STORIES, SEED)));
      return roles;
    },
  };
}

/** Words of the stories to choose from. @param {Subject} subject */
export const wordsOf = ({ names }) => names.filter((word) => !word.startsWith('<'));
