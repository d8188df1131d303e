// The form of a lesson, as JSON Schema: docs/schemas/lesson.schema.json is written from it, and readLesson() checks by it.

import { LANGUAGES } from '../../generated/languages.js';
import { BOXES, GROWTHS, NONE } from './map.js';

/** @param {string} description @param {string} [pattern] */
const string = (description, pattern = '\\S') => ({ type: 'string', pattern, description });

/** @param {Record<string, object>} properties @param {string[]} [optional] */
const object = (properties, optional = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});

/** @param {object} items @param {number} minItems @param {number} [maxItems] */
const list = (items, minItems, maxItems = 64) => ({ type: 'array', items, minItems, maxItems });

/** @param {string} value */
const only = (value) => ({ const: value });

const text = { $ref: '#/$defs/text' };
const path = { $ref: '#/$defs/path' };
const condition = { $ref: '#/$defs/condition' };

/** What the reader is to do, and what is said where it is right or wrong.
 * @param {string} does @param {Record<string, object>} fields @param {string[]} [optional] of the fields */
const gate = (does, fields, optional = []) =>
  object({ do: only(does), ...fields, right: text, wrong: text }, [...optional, 'right', 'wrong']);

const gates = [
  object({ do: only('play'), to: path }, ['to']),
  gate('click', {
    among: list(path, 2),
    by: { enum: ['entropy', 'max', 'min', 'sum', 'mean', 'norm'] },
    take: { enum: ['most', 'least'] },
  }),
  gate(
    'predict',
    {
      numbers: list(path, 1, 16),
      digits: { type: 'integer', minimum: 0, maximum: 4 },
      mistakes: list(object({ is: path, say: text }), 1, 8),
      to: path,
    },
    ['mistakes', 'to'],
  ),
  gate(
    'predict',
    {
      choice: list(object({ say: text, when: condition, reply: text }, ['reply']), 2, 6),
      guess: { type: 'boolean' },
    },
    ['guess'],
  ),
  gate('predict', { largest: path }),
  gate('predict', { order: path }),
  gate('predict', { steps: list(string('the name of a step'), 3, 6) }),
  gate('drag', { what: path, until: condition }),
  gate('try', { until: condition }),
  object({ do: only('edit'), cell: path, until: condition, right: text }, ['right']),
  object(
    {
      do: only('edit'),
      texts: list(string('a sentence for the translator, or the beginning of a story'), 2, 8),
      right: text,
    },
    ['right'],
  ),
  object(
    {
      do: only('remove'),
      names: list(string('a switch', '^[a-z_]+$'), 1, 8),
      count: { type: 'integer', minimum: 1, maximum: 8 },
      replies: list(text, 1, 8),
      right: text,
    },
    ['count', 'replies', 'right'],
  ),
];

const form = { enum: ['bars', 'powers', 'shares'] };

/** What a picture of lenses may show: value is that of the token with the most attention, values those of all. */
const LENS_PARTS = 'lines query keys scores value values corners output next'.split(' ');
const lensParts = list({ enum: LENS_PARTS }, 0, LENS_PARTS.length);

/** Matrices that make queries, keys and values. */
const lenses = list({ enum: ['w_q', 'w_k', 'w_v'] }, 1, 3);

/** Which word of a row of logits. */
const word = { type: 'integer', minimum: 0, maximum: 65535 };

const pictures = [
  object({ kind: only('stage'), row: path }, ['row']),
  object(
    { kind: only('plane'), arrows: list(path, 1, 6), project: list(path, 2, 2), blend: path },
    ['project', 'blend'],
  ),
  object({ kind: only('bars'), row: path, form, after: form, whole: path, becomes: path }, [
    ...['after', 'whole', 'becomes'],
  ]),
  object({ kind: only('sentence'), of: path, row: path, map: { type: 'boolean' } }, [
    'of',
    'row',
    'map',
  ]),
  object({ kind: only('tokens'), row: path, heads: list(path, 2, 12) }, ['row', 'heads']),
  object(
    {
      kind: only('lens'),
      row: path,
      shows: lensParts,
      after: lensParts,
      film: { type: 'boolean' },
      turns: lenses,
      shuffles: { type: 'boolean' },
      legend: text,
    },
    ['shows', 'after', 'film', 'turns', 'shuffles', 'legend'],
  ),
  object({ kind: only('spread'), divide: list({ enum: ['one', 'root', 'all'] }, 1, 3) }, [
    'divide',
  ]),
  object({ kind: only('next'), row: path, fixed: { type: 'boolean' } }, ['fixed']),
  object({ kind: only('machine'), follows: { type: 'integer', minimum: 0, maximum: 63 } }, [
    'follows',
  ]),
  object({ kind: only('sum'), parts: list(path, 1, 6), towards: path, of: word }, [
    'towards',
    'of',
  ]),
  object({ kind: only('rows'), table: path, columns: list(text, 1, 8), lenses }),
  object(
    {
      kind: only('clocks'),
      codes: path,
      adds: list(path, 2, 2),
      position: { type: 'integer', minimum: 0, maximum: 63 },
    },
    ['adds', 'position'],
  ),
  object(
    {
      kind: only('slope'),
      row: path,
      target: word,
      of: word,
      at: path,
      times: path,
      rate: { type: 'number', minimum: 0, maximum: 1 },
    },
    ['times', 'rate'],
  ),
  object(
    {
      kind: only('learning'),
      seed: { type: 'integer', minimum: 0, maximum: 4294967295 },
      more: { type: 'boolean' },
    },
    ['more'],
  ),
];

/** A short name: one for all languages, or one in each. */
const label = { oneOf: [string('a name for all languages'), text] };

const scene = object(
  {
    name: label,
    map: { enum: [...BOXES, ...GROWTHS, NONE] },
    state: string('the hash of a link to the page: #example=hi-how', '^#'),
    at: { ...string('a path, "start" or "end": where the walk stands') },
    picture: { oneOf: pictures },
    lit: list(path, 1, 16),
    shows: list(
      { enum: ['stage', 'caption', 'formula', 'microscope', 'timeline', 'switches', 'legend'] },
      0,
      7,
    ),
    say: text,
    gate: { oneOf: gates },
    after: text,
    optional: { type: 'boolean' },
  },
  ['name', 'map', 'at', 'lit', 'shows', 'gate', 'after', 'optional'],
);

/** A sentence in each language, and the languages whose sentences may be missing, because a file of their own has them. */
const SENTENCES = Object.fromEntries(
  Object.entries(LANGUAGES).map(([code, { name }]) => [code, string(name)]),
);
const APART = Object.entries(LANGUAGES).flatMap(([code, { apart }]) => (apart ? [code] : []));

/** Of lesson.json. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'lesson.schema.json',
  title: 'A lesson of Glassformer',
  ...object(
    {
      $schema: string('where this schema is'),
      name: string('letters, digits and hyphens', '^[a-z0-9][a-z0-9-]{0,60}$'),
      title: text,
      minutes: { type: 'integer', minimum: 1, maximum: 60 },
      next: string('the name of the lesson that follows', '^[a-z0-9][a-z0-9-]{0,60}$'),
      exercise: string('a recipe of glassformer/exercises', '^[a-z-]+$'),
      page: string('the hash of a link to the page: where the reader goes on', '^#'),
      learned: list(text, 1, 6),
      map: list({ enum: [...GROWTHS] }, 0, GROWTHS.length),
      scenes: list({ $ref: '#/$defs/scene' }, 1, 40),
    },
    ['$schema', 'next', 'exercise', 'page', 'map'],
  ),
  $defs: {
    text: {
      description:
        'One sentence or two, for all languages or in each. {weights[1,2]} is that number of the trace, {weights[1,2]:percent} a percentage, {tokens[1]} a token; *query* marks a new term.',
      anyOf: [string('one sentence or two'), object(SENTENCES, APART)],
    },
    path: string(
      'numbers of the trace: weights, weights[1], weights[1,2], or an expression of them',
    ),
    condition: string('a condition on the trace: weights[0,1] > 0.9'),
    scene,
  },
};
