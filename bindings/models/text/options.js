// The options of generation, checked.

import {
  checkBoolean,
  checkInteger,
  checkListener,
  checkReal,
  checkText,
  checkWord,
  readOptions,
  TINY,
} from '../../js/base/errors.js';
import { isList } from '../../js/base/values.js';
import { reads } from '../../js/model/config/architecture.js';
import { checkGeneration } from '../../js/model/decode/generate.js';
import { checkHooks } from '../../js/model/decode/hooks.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('../../js/model/config/config.js').Config} Config */
/** @typedef {import('./choose.js').Process} Process */

/** @typedef {object} ChoiceOptions
 * @property {'end' | 'slide'} [whenFull] what happens at the model's maxLength: the text ends, by default; or the older
 *   half is forgotten, and the newer half is read again from position 0
 * @property {number} [minP] before topK and topP, leaves out tokens less likely than this times the likeliest: 0 by default
 *   (Nguyen et al. 2024). With it the temperature is 1 by default
 * @property {number} [repetitionPenalty] divides the logits above 0 of tokens in prompt or text, and multiplies those below:
 *   1, the default, does nothing (Keskar et al. 2019)
 * @property {number} [frequencyPenalty] taken from a token's logit for each time that it was written: 0 by default
 * @property {number} [presencePenalty] taken once from the logit of each token that was written: 0 by default
 * @property {readonly number[]} [banned] tokens that are never written
 * @property {readonly number[]} [forced] tokens that the text begins with
 * @property {Process} [process] your own function, which changes the logits in place, after penalties and bans
 * @property {number} [best] of how many likeliest tokens each step tells the log-probability, at most as many as the vocabulary
 *   has: 0 by default
 * @property {boolean} [lookup] guesses the next tokens from those that followed the same tokens earlier, and checks some at once:
 *   faster where a text copies, a little slower elsewhere, the same text. false by default. For one text at a time, of a
 *   model without windows or a source
 * @property {(progress: GenerationProgress) => void} [onProgress] receives how far it is, after each token read */

/** What model.generate takes, but for beams, and more.
 * @typedef {Omit<import('../../js/model/decode/generate.js').GenerateOptions, 'beams' | 'lengthPenalty' | 'onStep'> &
 *   ChoiceOptions} TokenOptions */

/** @typedef {object} StopOptions
 * @property {string | readonly string[]} [stop] the text, or texts, that end what is written, and are not part of it
 * @property {unknown} [schema] a JSON schema: the text is JSON that fits it. docs/files.md lists what it may say */
/** @typedef {TokenOptions & StopOptions} TextOptions */

/** @typedef {object} GenerationProgress
 * @property {number} read tokens of the longest prompt
 * @property {number} prompt how many those are
 * @property {number} written new tokens, of all texts */

/** Options that model.generate checks. */
const SHARED = /** @type {const} */ ([
  'maxNewTokens',
  'temperature',
  'topK',
  'topP',
  'seed',
  'start',
  'stopTokens',
  'remove',
  'hooks',
  'signal',
]);

const MAX_BEST = 1000;
const MAX_PENALTY = 100;

/** @param {string} where @param {unknown} stop */
function checkStops(where, stop) {
  const isOne = typeof stop === 'string';
  if (!isOne && !Array.isArray(stop)) throw typeError('texts', { where, given: stop });
  for (const [i, text] of (isOne ? [stop] : stop).entries()) {
    const place = isOne ? where : `${where}[${i}]`;
    if (!checkText(place, text)) throw rangeError('stopEmpty', { where: place, given: text });
  }
}

/** @param {string} where @param {unknown} ids */
function checkList(where, ids) {
  if (!isList(ids)) throw typeError('ids', { where, given: ids });
}

/** @type {Record<string, import('../../js/base/errors.js').Rule>} */
const TEXT_RULES = {
  whenFull: [checkWord, ['end', 'slide']],
  lookup: [checkBoolean],
  minP: [checkReal, 0, 1],
  repetitionPenalty: [checkReal, TINY, MAX_PENALTY],
  frequencyPenalty: [checkReal, -MAX_PENALTY, MAX_PENALTY],
  presencePenalty: [checkReal, -MAX_PENALTY, MAX_PENALTY],
  banned: [checkList],
  forced: [checkList],
  process: [checkListener],
  onProgress: [checkListener],
  hooks: [checkHooks],
  stop: [checkStops],
  schema: null,
};
/** The rules of every model; `best` depends on its vocab.
 * @type {Record<string, import('../../js/base/errors.js').Rule>} */
const RULES = { ...Object.fromEntries(SHARED.map((key) => [key, null])), ...TEXT_RULES };

/** The names of all that texts take. */
export const TEXT_KEYS = [...Object.keys(RULES), 'best'];

/** What a schema does not leave to others. */
const NOT_WITH_SCHEMA = /** @type {const} */ (['stop', 'forced', 'whenFull']);

const DEFAULTS = {
  ...{ minP: 0, repetitionPenalty: 1, frequencyPenalty: 0, presencePenalty: 0, best: 0 },
  lookup: false,
  stop: /** @type {string | readonly string[]} */ ([]),
};

/** @typedef {ReturnType<typeof checkSettings>} Settings */

/** The settings that all texts of a call share.
 * @param {string} where @param {Config} config @param {TextOptions} options @param {readonly string[]} [unknown] options that
 *   this call does not take */
export function checkSettings(where, config, options, unknown = []) {
  /** @type {Record<string, import('../../js/base/errors.js').Rule>} */
  const all = { ...RULES, best: [checkInteger, 0, Math.min(MAX_BEST, config.vocab)] };
  const rules = Object.fromEntries(Object.entries(all).filter(([key]) => !unknown.includes(key)));
  const read = readOptions(where, options, rules);
  const { whenFull = 'end', stop, ...rest } = { ...DEFAULTS, ...read };
  /** @param {'banned' | 'forced'} key */
  const idsOf = (key) =>
    Array.from(read[key] ?? [], (id, i) =>
      checkInteger(`${where}: ${key}[${i}]`, id, 0, config.vocab - 1),
    );
  if (whenFull === 'slide' && reads(config, 'source')) {
    throw typeError('oneStack', { where: `${where}: whenFull` });
  }
  for (const option of NOT_WITH_SCHEMA) {
    if (read.schema === undefined || read[option] === undefined) continue;
    throw typeError('schemaAlone', { where: `${where}: schema`, option });
  }
  const shared = Object.fromEntries(SHARED.map((key) => [key, read[key]]));
  if (rest.minP > 0 && shared.temperature === undefined) shared.temperature = 1;
  return {
    ...rest,
    ...{ where, config, shared, slides: whenFull === 'slide' },
    stop: typeof stop === 'string' ? [stop] : stop,
    ...{ banned: idsOf('banned'), forced: idsOf('forced') },
  };
}

/** One text's prompt, checked, and how many tokens may follow.
 * @param {Settings} settings @param {unknown} ids */
export function checkPrompt({ where, config, shared, slides }, ids) {
  const { source, prompt, most, chance, stops } = checkGeneration(
    where,
    config,
    ids,
    /** @type {import('../../js/model/decode/generate.js').GenerateOptions} */ (shared),
  );
  const asked = /** @type {number | undefined} */ (shared.maxNewTokens) ?? Number.POSITIVE_INFINITY;
  return { source, prompt, asked, most: slides ? asked : most, chance, stops };
}

/** @typedef {ReturnType<typeof checkPrompt>} Prompt */
