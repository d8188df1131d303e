// The entry for texts, glassformer/text: functions of a model and its tokenizer that applications ask for.

export { generateText, generateTexts, generateTokens } from './generate.js';

/** @typedef {import('./choose.js').Process} Process */
/** @typedef {import('./generate.js').ChosenToken} ChosenToken */
/** @typedef {import('./generate.js').Ended} Ended */
/** @typedef {import('./generate.js').Generated} Generated */
/**
 * @template T
 * @typedef {import('./generate.js').GenerationStream<T>} GenerationStream */
/** @typedef {import('./options.js').GenerationProgress} GenerationProgress */
/** @typedef {import('./options.js').TextOptions} TextOptions */
/** @typedef {import('./options.js').TokenOptions} TokenOptions */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */
