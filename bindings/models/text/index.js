// The entry for texts, glassformer/text: functions of a model and its tokenizer that applications ask for.

export { classify, trainClassifier } from './classify.js';
export { embed, nearest } from './embed.js';
export { fillMask } from './fill-mask.js';
export { generateText, generateTexts, generateTokens } from './generate.js';
export { classifyTokens } from './own-classes.js';
export { pad, unpad } from './pad.js';

/** @typedef {import('./choose.js').Process} Process */
/** @typedef {import('./classify.js').Classifier} Classifier */
/** @typedef {import('./classify.js').ClassifierOptions} ClassifierOptions */
/** @typedef {import('./classify.js').ClassifierStep} ClassifierStep */
/** @typedef {import('./classify.js').LabelledText} LabelledText */
/** @typedef {import('./embed.js').EmbedOptions} EmbedOptions */
/** @typedef {import('./embed.js').Neighbour} Neighbour */
/** @typedef {import('./embed.js').Pooling} Pooling */
/** @typedef {import('./fill-mask.js').Filling} Filling */
/** @typedef {import('./fill-mask.js').FillOptions} FillOptions */
/** @typedef {import('./generate.js').ChosenToken} ChosenToken */
/** @typedef {import('./generate.js').Ended} Ended */
/** @typedef {import('./generate.js').Generated} Generated */
/** @typedef {import('../../js/model/decode/hooks.js').Hook} Hook */
/** @typedef {import('../../js/model/decode/hooks.js').Hooks} Hooks */
/** @typedef {import('../../js/model/decode/hooks.js').HookStep} HookStep */
/**
 * @template T
 * @typedef {import('./generate.js').GenerationStream<T>} GenerationStream */
/** @typedef {import('./options.js').GenerationProgress} GenerationProgress */
/** @typedef {import('./options.js').ChoiceOptions} ChoiceOptions */
/** @typedef {import('./options.js').StopOptions} StopOptions */
/** @typedef {import('./options.js').TextOptions} TextOptions */
/** @typedef {import('./options.js').TokenOptions} TokenOptions */
/** @typedef {import('./own-classes.js').Classified} Classified */
/** @typedef {import('./own-classes.js').ClassifiedToken} ClassifiedToken */
/** @typedef {import('./own-classes.js').ClassifyOptions} ClassifyOptions */
/** @typedef {import('./pad.js').Padded} Padded */
/** @typedef {import('./pad.js').PadOptions} PadOptions */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */
