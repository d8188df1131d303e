// Random states of every chapter, part by part: what a link must carry, whether it can be shown or not.
import fc from 'fast-check';
import { LANGUAGES } from '../../web/app/locale/text.js';
import { SPEEDS } from '../../web/app/state/store.js';
import { LEVELS } from '../../web/app/state/timeline.js';
import { NUDGES } from '../../web/app/state/walk.js';
import * as attention from '../../web/chapters/attention/state.js';
import * as exercises from '../../web/chapters/exercises/state.js';
import * as heads from '../../web/chapters/heads/state.js';
import * as stories from '../../web/chapters/heads/story-state.js';
import * as inside from '../../web/chapters/inside/state.js';
import * as positions from '../../web/chapters/positions/state.js';
import { RANGES, switches, tasks } from '../../web/chapters/training/settings.js';
import * as training from '../../web/chapters/training/state.js';
import * as transformer from '../../web/chapters/transformer/state.js';
import { DIGITS } from '../../web/stage/draw/format.js';
import { cellKey } from '../../web/stage/draw/tensor.js';
import { claims } from '../../web/stage/experiments/claims.js';
import { SHARPNESS } from '../../web/stage/experiments/names.js';

/** The chapters by their names, as far as links know them. */
export const chapters = Object.fromEntries(
  Object.entries({
    attention,
    heads: stories,
    positions,
    transformer,
    training,
    inside,
    exercises,
  }).map(([name, { opening, parts }]) => [name, { name, opening, parts }]),
);

const record = (parts) => fc.record(parts, { noNullPrototype: true });
const whole = (min, max) => fc.integer({ min, max });
const double = (min, max) => fc.double({ min, max, noNaN: true }).filter((x) => !Object.is(x, -0));
const text = (maxLength) =>
  fc
    .oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.string({ minLength: 40, maxLength, size: 'max' }),
    )
    .filter((drawn) => drawn.length <= maxLength);

const node = fc.constantFrom('x', 'scores.scaled', 'pe.4', 'decoder.layers.1.cross_attn.weights');
const index = fc.array(fc.nat(4095), { minLength: 1, maxLength: 3 });
const cell = record({ node, index });
const SMALLEST = 2 ** -149;
const LARGEST = (2 - 2 ** -23) * 2 ** 127;
/** Any float32 that can be typed, those at the edges often. */
const value = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, SMALLEST, -SMALLEST, 2 ** -126, LARGEST, -LARGEST, -Infinity),
);
export const edit = record({ node, index, value });

const common = {
  theme: fc.constantFrom('auto', 'light', 'dark'),
  lang: fc.constantFrom('auto', ...Object.keys(LANGUAGES)),
  speed: fc.constantFrom(...SPEEDS),
  mode: fc.constantFrom('explore', 'plain', 'present'),
  round: fc.constantFrom(...DIGITS),
};
const walk = {
  remove: fc.uniqueArray(fc.constantFrom('scale', 'mask', 'softmax', 'w_o', 'residual')),
  edits: fc.uniqueArray(edit, { maxLength: 60, size: 'max', selector: cellKey }),
  t: fc.oneof(whole(0, 1e6), double(0, 1e6)),
  path: fc.uniqueArray(cell, { selector: cellKey }),
  open: fc.option(cell),
  level: fc.constantFrom(...LEVELS),
  gradient: fc.boolean(),
  scale: fc.constantFrom('shared', 'own'),
  target: fc.option(cell),
  nudge: fc.constantFrom(...NUDGES),
  claim: fc.option(fc.constantFrom(...Object.keys(claims), SHARPNESS)),
  arrows: fc.boolean(),
};
const sentence = record({
  text: text(2000),
  dModel: whole(1, 64),
  dK: whole(1, 64),
  heads: whole(1, 12),
  seed: whole(0, 2 ** 32 - 1),
  positions: fc.boolean(),
  causal: fc.boolean(),
  wO: fc.boolean(),
});
const example = fc.constantFrom('i-love-robotics', 'three-tokens', 'two-heads');
const { channels, count, at, shift } = positions.LIMITS;
const setting = ({ choices, low, high, whole: integer }) => {
  if (choices) return fc.constantFrom(...choices);
  return integer ? whole(low, high) : double(low, high);
};
const writing = { temperature: double(0.01, 100), beams: whole(2, 16) };

const PARTS = {
  attention: {
    ...walk,
    example,
    sentence: fc.option(sentence),
    matrices: text(attention.MAX_MATRICES),
    divide: fc.constantFrom(...attention.DIVISORS),
  },
  heads: {
    ...walk,
    example,
    sentence: fc.option(sentence),
    heads: whole(1, heads.MAX_HEADS),
    panel: fc.constantFrom(...heads.PANELS),
    story: text(stories.LIMITS.characters),
    layer: whole(0, stories.LAYERS - 1),
  },
  positions: {
    ...walk,
    sentence,
    panel: fc.constantFrom(...positions.OF_CODES, ...positions.OF_SENTENCE),
    channels: whole(1, channels[1] / 2).map((half) => 2 * half),
    count: whole(...count),
    at: whole(...at),
    shift: whole(...shift),
    scheme: fc.constantFrom(...positions.SCHEMES),
    order: fc.option(fc.array(whole(0, 23), { minLength: 1 })),
  },
  transformer: {
    ...walk,
    ...writing,
    model: fc.constantFrom(
      transformer.TRANSLATOR,
      transformer.DISK,
      'http://localhost:8000/x?y=1&z=2#w',
    ),
    text: text(400),
    way: fc.constantFrom(...transformer.WAYS),
    film: fc.constantFrom(...Object.keys(transformer.FILMS)),
    topK: whole(0, 1e6),
    seed: whole(0, 2 ** 32 - 1),
    step: fc.option(whole(0, 4096)),
    beside: fc.boolean(),
    block: fc.constantFrom('logits', 'encoder.0.norm1', 'decoder.11.self_attn'),
    panel: fc.constantFrom(...transformer.PANELS),
    role: fc.constantFrom(...transformer.ROLES),
    roleHead: fc.constantFrom('', '0.1', '1.3'),
    headOff: fc.boolean(),
    length: whole(1, 1e5),
    width: whole(1, 1e5),
    kernel: whole(2, 1000),
    gain: double(...transformer.GAIN),
    moment: whole(1, transformer.STEPS),
    measured: fc.constantFrom(...transformer.MEASURED),
    word: fc.constantFrom('lit', 'porte', 'très'),
    mark: whole(0, 7),
    size: record(
      Object.fromEntries(
        Object.entries(transformer.SIZES).map(([name, range]) => [name, whole(...range)]),
      ),
    ),
  },
  training: {
    ...walk,
    ...writing,
    task: fc.constantFrom(...tasks),
    settings: fc.record(
      Object.fromEntries(Object.entries(RANGES).map(([name, range]) => [name, setting(range)])),
      { requiredKeys: [], noNullPrototype: true },
    ),
    off: fc.option(fc.constantFrom(...switches)),
    step: fc.option(whole(0, 20000)),
    view: fc.constantFrom(...training.VIEWS),
    side: fc.constantFrom('a', 'b'),
    pair: whole(0, 63),
    row: whole(0, 4095),
    block: fc.constantFrom('encoder.embedding', 'decoder.1.cross_attn'),
    weight: fc.option(cell),
    text: fc.oneof(fc.constant(''), text(120)),
    topK: whole(0, 4096),
    draw: whole(0, 2 ** 32 - 1),
  },
  inside: {
    model: fc.constantFrom('', 'disk', 'https://example.org/model.gguf'),
    prompt: fc.oneof(fc.constant(''), text(inside.MAX.characters)),
    other: text(inside.MAX.characters),
    word: fc.constantFrom('', 'red', 'Ben', '"'),
    instead: fc.constantFrom('', 'blue', 'she'),
    off: fc.uniqueArray(fc.constantFrom('0.0', '1.3', '2.ff', '29.11')),
    from: fc.uniqueArray(fc.constantFrom('0.1', '2.0', '1.ff', '0@3', '11@31')),
    value: fc.constantFrom(...inside.VALUES),
    open: fc.constantFrom('', 'layer 2 head 0', 'layer 2 head 0 at 3', 'embedding', 'nothing'),
    score: fc.constantFrom('', ...Object.values(inside.SCORES).flat()),
    view: fc.constantFrom(...inside.VIEWS),
    seed: whole(0, inside.MAX.seed),
    layers: whole(1, inside.MAX.layers),
    at: fc.option(whole(0, 1200)),
    gone: fc.uniqueArray(fc.constantFrom('0.0', '1.3')),
    t: fc.option(whole(0, inside.MAX.steps)),
    weight: fc.option(cell),
  },
  exercises: {
    panel: fc.constantFrom(...exercises.PANELS),
    recipe: fc.constantFrom('scores', 'attention', 'adam-step'),
    numbers: fc.constantFrom('', '{"scale":"1/3"}', '{"x":"1 0\\n0 1","tokens":"a b"}'),
    level: fc.constantFrom(...exercises.LEVELS),
    seed: whole(0, exercises.LARGEST_SEED),
    digits: fc.constantFrom(...exercises.DIGITS),
    cells: fc.constantFrom(...exercises.CELLS),
    working: fc.boolean(),
    answers: fc
      .array(fc.oneof(fc.constantFrom('', '~', '!-', '1,5', '−∞'), text(200)), {
        maxLength: 63,
        size: 'max',
      })
      .map((all) => all.slice(0, all.findLastIndex(Boolean) + 1)),
    checked: fc.constantFrom('', '1', '0101'),
    play: fc.constantFrom('', 'working', 'no-scaling'),
  },
};

/** Any state of a chapter, by the chapter's name. */
export const states = Object.fromEntries(
  Object.entries(PARTS).map(([name, parts]) => [name, record({ ...parts, ...common })]),
);
