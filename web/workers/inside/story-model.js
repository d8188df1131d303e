// The model of the stories, for a view of the heads of one of its layers.
import {
  layerExample,
  likeliest,
  storyInputs,
  tokenize,
  vocabulary,
} from '../../../bindings/lab/stories/index.js';

export class StoryModel {
  #model;

  /** @param {any} model that learned the stories */
  constructor(model) {
    this.#model = model;
  }

  /** The tokens that it reads, and words that are none of its own. @param {string} text */
  read(text) {
    const words = tokenize(text);
    const readBack = vocabulary.decode(vocabulary.encode(words));
    return {
      tokens: vocabulary.decode(storyInputs(text).target),
      unknown: words.filter((word, i) => readBack[i] !== word),
    };
  }

  /**
   * What the attention of a layer reads of a text, and its weights.
   * @param {string} text
   * @param {number} layer
   * @returns {import('../../app/session.js').Example}
   */
  example(text, layer) {
    return layerExample(this.#model, text, layer);
  }

  /** The likeliest word behind each token. @param {readonly string[]} tokens */
  next(tokens) {
    return likeliest(this.#model, tokens);
  }
}
