// What a model is and needs, in plain words, before its weights are read.
import { brings, count, list, message, text as words } from '../../app/locale/text.js';
import { numbersOfToken } from './count.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?models',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../workers/reader/answers.js').Offer} Offer */

/** Multiply-adds of a second, on a laptop of today: each weight is used once for each token. */
const MULTIPLY_ADDS_PER_SECOND = 2e9;
/** Tokens of a short sentence. */
const SENTENCE_TOKENS = 10;
/** Bytes of each number of a run: its value and its gradient in the core, and the copy that is shown. */
const BYTES_PER_NUMBER = 12;
/** Runs at the same time, where a step is removed and a number edited. */
const MAX_RUNS = 3;
/** Bytes that WebAssembly cannot have, beside what a run takes. */
const MAX_BYTES = 3.5e9;
/** Bytes that a phone may not have for a page. */
const MAX_PHONE_BYTES = 2e8;

const MB = 1e6;
const GB = 1e9;

/** @param {number} bytes */
const amount = (bytes) =>
  bytes < 1000 * MB
    ? words('models/mb', { n: count(Math.max(1, Math.round(bytes / MB))) })
    : words('models/gb', { n: count(Math.round(bytes / (GB / 10)) / 10) });

/** Whether so many bytes are much for this device. @param {number} bytes */
function isMuch(bytes) {
  const { deviceMemory } = /** @type {{ deviceMemory?: number }} */ (navigator);
  const little = deviceMemory !== undefined && bytes > (deviceMemory * GB) / 8;
  return little || (bytes > MAX_PHONE_BYTES && matchMedia('(pointer: coarse)').matches);
}

/**
 * What a model is and takes, in plain words. Refuses one that takes too much.
 * @param {Offer} offer
 * @returns {{ lines: string[], warnings: string[] }}
 */
export function factsOf({ family, config, types, numbers, memory, warnings }) {
  const size = amount(memory.stored);
  if (memory.stored > MAX_BYTES) throw new RangeError(words('models/tooLarge', { size }));
  const { layers, decoderLayers = 0, heads, dModel, vocab } = config;
  const run = BYTES_PER_NUMBER * SENTENCE_TOKENS * numbersOfToken(config);
  const most = memory.stored + MAX_RUNS * run;
  const seconds = Math.round((numbers * SENTENCE_TOKENS) / MULTIPLY_ADDS_PER_SECOND);
  return {
    lines: [
      words('models/what', {
        family,
        numbers: count(numbers),
        layers: layers + decoderLayers,
        heads,
        width: dModel,
        vocab: count(vocab),
      }),
      memory.stored === memory.float32
        ? words('models/float32', { size })
        : words('models/memory', { types: list(types), size, whole: amount(memory.float32) }),
      words('models/speed', { tokens: SENTENCE_TOKENS, n: Math.max(1, seconds) }),
      words('models/run', { tokens: SENTENCE_TOKENS, size: amount(run) }),
    ],
    warnings: [
      ...warnings.map((warning) => message(warning)),
      ...(isMuch(most) ? [words('models/phone', { size: amount(most) })] : []),
    ],
  };
}
