// The door to the model of the stories and to experiments on it; of this folder only take.js imports the bindings besides.
export { load } from '../../../bindings/index.js';
export { attentionsOf } from '../../../bindings/lab/inside/attention.js';
export {
  ablate,
  headRoles,
  headScores,
  logitAttribution,
  patch,
  why,
} from '../../../bindings/lab/inside/index.js';
export {
  heldOutStories,
  linkedStories,
  storyInputs,
  tokenize,
  trained,
  vocabulary,
} from '../../../bindings/lab/stories/index.js';
