// Transformer: the trained French-English model at work, block by block; or a checkpoint of one's own.
import { choice, flag, match, whole, within } from '../../app/state/parts.js';
import { OPENING, WALK_PARTS } from '../../app/state/walk.js';

export const PANELS = [
  'attention',
  'stage',
  'next',
  'masks',
  'cost',
  'size',
  'paths',
  'recurrence',
];
/** Those that only a checkpoint has, or only the translator. */
const OWN = ['chat', 'tokenizer', 'roles', 'meaning', 'bits'];
/** In their order: what shows the model at work. */
export const LOOKS = ['attention', 'stage', 'next', 'masks', 'chat'];
/** What measures it, and compares it with others. */
export const EXPERIMENTS = [
  ...['roles', 'meaning', 'cost', 'size', 'tokenizer', 'bits'],
  ...['paths', 'recurrence'],
];
/** What heads are compared by: two measures, and pairs of words. */
export const ROLES = [
  ...['distance', 'previous', 'nounDeterminer', 'determinerNoun', 'adjectiveNoun'],
  ...['prepositionObject', 'objectPreposition', 'verbSubject', 'subjectVerb', 'far'],
];
/** What is measured of the translator's vectors. */
export const MEASURED = ['senses', 'similar', 'values', 'redundancy'];
export const WAYS = ['greedy', 'sampled', 'beam'];
/** How long the film of a whole sentence takes, in ms; null for as long as it likes to. @type {Record<string, number | null>} */
export const FILMS = { off: null, short: 30_000, long: 120_000, full: null };
export const TRANSLATOR = 'translator';
/** The reader's own files: a link cannot carry them. */
export const DISK = 'disk';
/** Of a model that is only counted: from, to. @type {Record<string, [number, number]>} */
export const SIZES = {
  layers: [1, 48],
  dModel: [1, 16384],
  heads: [1, 128],
  dFF: [1, 65536],
  vocab: [1, 1e6],
};
/** Of the recurrent network: its steps, and what its random W is multiplied by, from and to. */
export const STEPS = 100;
/** @type {[number, number]} */
export const GAIN = [0.5, 3];
/** Later than any moment: all of a block is computed. */
export const END = 1e6;

const { sentence, ...walk } = OPENING;
const { example, sentence: _, ...walkParts } = WALK_PARTS;

export const opening = {
  ...walk,
  t: END,
  model: TRANSLATOR,
  text: 'le chat noir dort',
  way: 'greedy',
  temperature: 1,
  topK: 5,
  seed: 1,
  beams: 4,
  step: null,
  beside: false,
  block: 'decoder.1.cross_attn',
  panel: 'attention',
  /* whether all blocks are played, token by token, and for how long */
  film: 'off',
  /* what heads are compared by; the layer and the head that is chosen, '' for the one that has most; whether it is removed */
  role: 'distance',
  roleHead: '',
  headOff: false,
  measured: 'senses',
  word: 'lit',
  /* of what is measured: a state of the stream, or a head */
  mark: 0,
  length: 50,
  width: 512,
  kernel: 3,
  gain: 1,
  moment: STEPS,
  /* the paper's base model */
  size: { layers: 6, dModel: 512, heads: 8, dFF: 2048, vocab: 37000 },
};

const sizes = Object.entries(SIZES).map(([name, range]) => ({ name, part: whole(...range) }));

/** @type {import('../../app/state/parts.js').Part} 6.512.8.2048.37000 */
const size = {
  write: (of) => sizes.map(({ name }) => of[name]).join('.'),
  read(text) {
    const values = match(text, /^\d{1,9}(\.\d{1,9}){4}$/)[0].split('.');
    return Object.fromEntries(sizes.map(({ name, part }, i) => [name, part.read(values[i])]));
  },
};

export const parts = {
  ...walkParts,
  /* translator, disk, or the address of a checkpoint */
  model: {
    write: String,
    read: (/** @type {string} */ text) =>
      match(text, /^(translator|disk|https?:\/\/\S{1,500})$/)[0],
  },
  text: { write: String, read: (/** @type {string} */ text) => match(text, /^[\s\S]{1,400}$/)[0] },
  way: choice(WAYS),
  temperature: within(0.01, 100),
  topK: whole(0, 1e6),
  seed: whole(0, 2 ** 32 - 1),
  beams: whole(2, 16),
  /* how many tokens are written already; all of them if it is left out */
  step: whole(0, 4096),
  beside: flag,
  block: { write: String, read: (/** @type {string} */ text) => match(text, /^[\w.]{1,200}$/)[0] },
  panel: choice([...PANELS, ...OWN]),
  film: choice(Object.keys(FILMS)),
  role: choice(ROLES),
  roleHead: { write: String, read: (/** @type {string} */ text) => match(text, /^\d\.\d$/)[0] },
  headOff: flag,
  measured: choice(MEASURED),
  word: { write: String, read: (/** @type {string} */ text) => match(text, /^\S{1,40}$/)[0] },
  mark: whole(0, 7),
  length: whole(1, 1e5),
  width: whole(1, 1e5),
  kernel: whole(2, 1000),
  gain: within(...GAIN),
  moment: whole(1, STEPS),
  size,
};

/** The path of the first attention of a model, as links have it; null if it has none.
 * @param {Record<string, any>} config */
export function firstAttention({ kind, layers, decoderLayers }) {
  if (layers > 0) return `${kind === 'gpt' ? 'decoder' : 'encoder'}.0.self_attn`;
  return decoderLayers > 0 ? 'decoder.0.self_attn' : null;
}
