// The entry for stories: texts whose words are partly decided by those before them, and a small GPT that learned them.

export { headJobs, linkedStories } from './jobs.js';
export { layerExample } from './layer.js';
export { likeliest } from './likeliest.js';
export { evaluate, learn, testBatch, trained, untrained } from './model.js';
export { birth, changeOf, repeats, unborn } from './repeats.js';
export {
  detokenize,
  heldOutStories,
  story,
  storyInputs,
  tokenize,
  trainingStories,
  vocabulary,
} from './story.js';

/** @typedef {import('./draw.js').Decided} Decided */
/** @typedef {import('./draw.js').Kind} Kind */
/** @typedef {import('./jobs.js').Job} Job */
/** @typedef {import('./layer.js').LayerExample} LayerExample */
/** @typedef {import('./model.js').Result} Result */
/** @typedef {import('./repeats.js').BirthScores} BirthScores */
/** @typedef {import('./repeats.js').Change} Change */
/** @typedef {import('./repeats.js').Point} Point */
/** @typedef {import('./model.js').WrongWord} WrongWord */
/** @typedef {import('./story.js').Story} Story */
