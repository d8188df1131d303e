// The sentences of docs/syllabus.md that hold numbers, each with what computes them: `#` stands for a number, in digits or,
// up to ten, in words. What a text prints comes from the examples, too, which have it beside what is computed.
import { readFileSync } from 'node:fs';
import { traceExample } from '../../bindings/index.js';
import { headRoles, information, recurrence } from '../../bindings/lab/inside/index.js';
import {
  headJobs,
  heldOutStories,
  linkedStories,
  trained as storyteller,
} from '../../bindings/lab/stories/index.js';
import { linkedSentences, sentenceLevels, tasks, trained } from '../../bindings/lab/tasks/index.js';
import { closest } from '../../web/chapters/positions/closest.js';
import { claims } from '../../web/stage/experiments/claims.js';

/** @typedef {import('../../bindings/index.js').Glassformer} Glassformer */
/** @typedef {[sentence: string, numbers: () => (number | string)[]]} Fact */

/** A file of a model that the package has. @param {string} name */
const stored = (name) =>
  readFileSync(new URL(`../../bindings/data/models/${name}.safetensors`, import.meta.url));

/** What the facts read of an example: numbers, shapes, and what its text prints.
 * @param {Glassformer} gf @param {string} name @param {object} [changes] */
function read(gf, name, changes) {
  const trace = traceExample(gf, name, changes);
  const step = (/** @type {string} */ node) => {
    const { data, shape } = trace.step(node);
    const columns = shape[shape.length - 1];
    const row = (/** @type {number} */ i) => [...data.slice(i * columns, (i + 1) * columns)];
    return { all: [...data], shape, row, cell: (i, j) => data[i * columns + j] };
  };
  const printed = (/** @type {string} */ node) => {
    const { text, verdict } = trace.printed[node];
    const columns = step(node).shape.at(-1);
    const row = (/** @type {number} */ i) => text.slice(i * columns, (i + 1) * columns);
    const wrong = verdict.filter((/** @type {string} */ one) => one === 'wrong').length;
    const count = verdict.filter(Boolean).length;
    return { row, cell: (i, j) => row(i)[j], wrong, count };
  };
  return { step, printed };
}

const times = (/** @type {number[]} */ row, /** @type {number} */ by) => row.map((x) => x * by);
const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
  a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The weight of a row's first score, all scores times a number. @param {number[]} row @param {number} by */
const sharpened = (row, by) => {
  const powers = row.map((score) => Math.exp(by * score));
  return powers[0] / powers.reduce((sum, power) => sum + power, 0);
};

/** The codes of so many positions, in float64. @param {number} count @param {number} channels */
const sinusoids = (count, channels) => ({
  shape: [count, channels],
  data: Array.from({ length: count * channels }, (_, i) => {
    const [p, c] = [Math.floor(i / channels), i % channels];
    const angle = p / 10000 ** ((c - (c % 2)) / channels);
    return c % 2 ? Math.cos(angle) : Math.sin(angle);
  }),
});

/** @param {Glassformer} gf @returns {Fact[]} */
function ofSmallTexts(gf) {
  const [robot, three, hi] = ['i-love-robotics', 'three-tokens', 'hi-how'].map((x) => read(gf, x));
  const ten = read(gf, 'ten-tokens');
  const [x, scores, weights] = ['x', 'scores', 'weights'].map(three.step);
  const toEach = hi.printed('weights').row;
  const mixed = (/** @type {number} */ i) =>
    [0, 1].map((j) =>
      dot(
        toEach(i).map(Number),
        [0, 1].map((k) => hi.step('v').cell(k, j)),
      ),
    );
  const hot = { node: 'scores.scaled', index: [1, 0], value: 100 };
  const edits = [hot, { ...hot, index: [1, 1], value: 1 }, { ...hot, index: [1, 2], value: 2 }];
  return [
    [
      'embeddings of # numbers, projections to #',
      () => ['x', 'q'].map((s) => robot.step(s).shape[1]),
    ],
    ['The query is [#, #, #]', () => robot.step('q').row(1)],
    ['[#, #, #], [#, #, #] and [#, #, #]: each token', () => robot.step('k').all],
    ['[#, #, #], [#, #, #] and [#, #, #].', () => robot.step('v').all],
    ['agrees equally with all three keys: #, #, #', () => robot.step('scores').row(1)],
    [
      'here √#: 4 becomes #',
      () => [robot.step('k').shape[1], robot.step('scores.scaled').cell(1, 0)],
    ],
    ['three weights of 1/#', () => [1 / robot.step('weights').cell(1, 0)]],
    [
      'has a softmax of [#, #, #]',
      () => read(gf, 'i-love-robotics', { edits }).step('weights').row(1),
    ],
    [
      'The text multiplies by # and prints #; it is #.',
      () => [
        robot.printed('weights').cell(1, 0),
        robot.printed('output').cell(1, 0),
        robot.step('output').cell(1, 0),
      ],
    ],
    ['# tokens of # channels: # numbers', () => [...ten.step('x').shape, ten.step('x').all.length]],
    [
      '# × # matrices and no bias: each number is a sum of #',
      () => [...ten.step('w_q').shape, ten.step('x').shape[1]],
    ],
    [
      '# queries times # keys: # scores',
      () => [ten.step('q').shape[0], ten.step('k').shape[0], ten.step('scores').all.length],
    ],
    [
      'Weights [#, #] times values [#, #]',
      () => ['weights', 'v'].flatMap((s) => ten.step(s).shape),
    ],
    ['| # tokens of # channels. |', () => x.shape],
    [
      'K is X / #, V is # X',
      () => [x.cell(0, 1) / three.step('k').cell(0, 1), three.step('v').cell(0, 1) / x.cell(0, 1)],
    ],
    [
      'The text prints # where # + # is #, and # of its # scores are wrong',
      () => [
        three.printed('scores').cell(0, 1),
        ...x.row(0).map((q, i) => q * three.step('k').cell(1, i)),
        scores.cell(0, 1),
        three.printed('scores').wrong,
        three.printed('scores').count,
      ],
    ],
    [
      'Scores over √#, then a softmax by rows. # of the # printed weights are wrong, most even for the printed scores: # is #.',
      () => {
        const { wrong, count, cell } = three.printed('weights');
        return [three.step('k').shape[1], wrong, count, cell(0, 1), weights.cell(0, 1)];
      },
    ],
    ['Its own example says otherwise, # against #', () => [weights.cell(0, 1), weights.cell(1, 0)]],
    [
      '# of the # printed numbers are wrong: # is #',
      () => {
        const { wrong, count, cell } = three.printed('output');
        return [wrong, count, cell(0, 1), three.step('output').cell(0, 1)];
      },
    ],
    [
      'the first output: # %, not # %',
      () => [100 * weights.cell(0, 1), 100 * Number(three.printed('weights').cell(0, 1))],
    ],
    [
      'to each embedding: # + #',
      () => [hi.step('embedding').cell(0, 0), hi.step('position').cell(0, 0)],
    ],
    ['agrees with itself by # and with “How” by #', () => hi.step('scores').row(0)],
    ['here √#: 1.22 becomes #', () => [hi.step('k').shape[1], hi.step('scores.scaled').cell(0, 0)]],
    ['over their sum: # % and # %', () => times(hi.step('weights').row(0), 100)],
    [
      'exp(#) = # is right for the rounded score; for the score itself it is #',
      () => {
        const score = hi.step('scores.scaled').cell(1, 1);
        return [score, Math.exp(Number(score.toFixed(2))), Math.exp(score)];
      },
    ],
    [
      'The text prints [#, #] for “Hi”, where its own weights give [#, #], and # for “How”, where they give #',
      () => [
        ...hi.printed('output').row(0),
        ...mixed(0),
        hi.printed('output').cell(1, 1),
        mixed(1)[1],
      ],
    ],
    ['# % of “How” in “Hi”', () => [100 * hi.step('weights').cell(0, 1)]],
  ];
}

/** @param {Glassformer} gf @returns {Fact[]} */
function ofTheGuide(gf) {
  const [cat, projected] = ['the-cat-sat', 'the-cat-sat-projected'].map((name) => read(gf, name));
  const { step, printed } = projected;
  const scores = step('scores').cell(0, 1);
  const schedule = read(gf, 'schedule');
  const late = schedule.step('step').all.indexOf(2000);
  const relative = 'learning_rate.relative';
  const bias = [1, 2, 0, 3];
  const keys = [0, 1, 2].flatMap((i) =>
    bias.map((b, j) => ({ node: 'k', index: [i, j], value: cat.step('k').cell(i, j) + b })),
  );
  const lookUp = read(gf, 'look-up').step('scores').row(0);
  const digit = read(gf, 'digit').step('x').shape;
  const [wide, eight, two] = ['wide-values', 'eight-heads', 'two-heads'].map(
    (x) => read(gf, x).step,
  );
  const codes = read(gf, 'positions').step;
  const norm = read(gf, 'layer-norm').step;
  return [
    [
      'The text invents #, #, # and #;',
      () => read(gf, 'what-did-the-cat-do').step('weights').row(0),
    ],
    [
      'Scores times #, #, # give “animal” a weight of #, #, #',
      () => [1, 3, 10, ...[1, 3, 10].map((by) => sharpened(lookUp, by))],
    ],
    ['a digit in patches of # × # pixels', () => Array(2).fill(8 / Math.sqrt(digit[0]))],
    ['as # rows of # numbers', () => step('x').shape],
    ['prints [#, #, #]; it is [#, #, #]', () => [...printed('q').row(0), ...step('q').row(0)]],
    ['is printed as [#, #, #]', () => printed('scores').row(0)],
    [
      'Here # / √#, not # / √#',
      () => [scores, step('k').shape[1], printed('scores').cell(0, 1), step('k').shape[1]],
    ],
    ['printed [#, #, #] from the wrong query', () => printed('weights').row(0)],
    ['carries its wrong query on to # and #', () => printed('output').row(0).slice(1)],
    [
      'measures it from # to # channels',
      () => [claims.scale.places[0], claims.scale.places.at(-1)],
    ],
    [
      'Here b = [#, #, #, #] is added to every key of *Example 1*: each row of scores rises by one number, #, # or #',
      () => {
        const raised = read(gf, 'the-cat-sat', { edits: keys }).step('scores');
        return [
          ...bias,
          ...[0, 1, 2].map((i) => raised.cell(i, 0) - cat.step('scores').cell(i, 0)),
        ];
      },
    ],
    ['d_v = #, d_k = #', () => [wide('v').shape[1], wide('k').shape[1]]],
    [
      'keeps # to itself. The text carries the rounded weight # on to #; it is #',
      () => [
        cat.step('weights').cell(1, 1),
        cat.printed('weights').cell(0, 1),
        cat.printed('output').cell(0, 1),
        cat.step('output').cell(0, 1),
      ],
    ],
    [
      'd_model = # and # heads, with random weights: a score of the last head is a sum of d_k = #',
      () => [eight('x').shape[1], eight('q.heads').shape[0], eight('q.heads').shape[2]],
    ],
    [
      '# channels in # heads of #',
      () => [two('x').shape[1], two('q.heads').shape[0], two('q.heads').shape[2]],
    ],
    ['PE(0), PE(1), PE(2) in # channels', () => [codes('pe.4').shape[1]]],
    ['PE(3) in # channels', () => [codes('pe.6').shape[1]]],
    ['position # begins with sin # = #', () => [5, 5, sinusoids(6, 4).data[20]]],
    [
      'of # in # channels, the nearest are # apart',
      () => [50, 6, closest(sinusoids(50, 6)).distance],
    ],
    ['[#, #, #, #] becomes [#, #, #, #]', () => [...norm('x').row(0), ...norm('norm').row(0)]],
    [
      'At # steps it is # of the peak, not #',
      () => [2000, schedule.step(relative).all[late], schedule.printed(relative).cell(0, late)],
    ],
    [
      'of the printed row, #, # and # bits. The text says that attention maximises this; # bits',
      () => [...information(cat.printed('weights').row(1).map(Number)), information([0, 1, 0])[1]],
    ],
    ["The paper's # tokens make # sentences of #", () => [25000, 25000 / 50, 50]],
  ];
}

/** @param {Glassformer} gf @returns {Fact[]} */
function ofModels(gf) {
  const options = {
    kind: 'transformer',
    vocab: 37000,
    dModel: 512,
    heads: 8,
    layers: 6,
    dFF: 2048,
  };
  const count = (/** @type {object} */ more = {}) =>
    gf.summary({ ...options, maxLength: 2, ...more });
  const { rows, parameters } = count();
  const sum = (/** @type {(row: any) => boolean} */ has) =>
    rows.filter(has).reduce((all, row) => all + row.parameters, 0);
  const attention = sum(
    (row) => row.stack === 'encoder' && row.layer === 0 && row.part === 'self_attn',
  );
  const norms = sum((row) => row.stack === 'decoder' && row.layer === 0 && row.role === 'norm');
  const networks = [1, 3].map((gain) => {
    const network = recurrence(gf, { gain });
    const reached = network.reach(100);
    network.dispose();
    return reached;
  });
  const [{ recurrent, attention: one }, wild] = networks;
  return [
    ['# layers, d_model #, d_ff #, # words', () => [6, 512, 2048, 37000]],
    ['# numbers in all three', () => [norms]],
    [
      'the total is # million; three tables make it # million',
      () => [parameters, count({ sourceVocab: 37000, tied: false }).parameters].map((n) => n / 1e6),
    ],
    [
      'matrices of # × # are # weights, and # biases',
      () => [512, 512, 4 * 512 ** 2, attention - 4 * 512 ** 2],
    ],
    [
      'the derivative of state # after input # is #, through attention #; one state of # numbers',
      () => [100, 1, recurrent.derivatives[0], one.derivatives[0], recurrent.kept],
    ],
    [
      'At a gain of # the signal does not fade: it explodes, to #',
      () => [3, wild.recurrent.derivatives[0]],
    ],
  ];
}

/** Numbers that only count where the verdict is the one of their sentence. @param {boolean} isSo @param {number[]} numbers */
const where = (isSo, numbers) => (isSo ? numbers : []);

/** @param {Glassformer} gf @returns {Promise<Fact[]>} */
async function ofHeads(gf) {
  const task = tasks['french-english'];
  const translator = trained(gf, task, stored('french-english'));
  const options = { stack: /** @type {const} */ ('encoder'), levels: sentenceLevels };
  const sentences = linkedSentences(task.heldOut(200, 1));
  const { relations, heads, verdicts } = await headRoles(translator, sentences, options);
  const best = (/** @type {string} */ name) =>
    Math.max(...heads.map((head) => head.relations[name].attention));
  const says = (/** @type {string} */ name) => verdicts.relations[name]?.says;
  const model = storyteller(gf, stored('stories'));
  const { objects } = headJobs(model, heldOutStories(20, 2));
  const ofStories = await headRoles(model, linkedStories(heldOutStories(200, 1)));
  const pronouns = ofStories.heads.find(({ layer, head }) => layer === 1 && head === 0);
  return [
    ['a head that gives # of its attention', () => [objects.grid.values[0][0]]],
    ['and one that gives # and is not', () => [objects.grid.values[1][1]]],
    [
      'Measured in # sentences. Determiner and noun, preposition and object: in part (# and #, where even attention has # and #). Subject and verb: not here (# against #)',
      () =>
        where(
          says('nounDeterminer') === 'partly' &&
            says('objectPreposition') === 'partly' &&
            says('verbSubject') === 'fails' &&
            says('far') === 'fails',
          [
            sentences.length,
            best('nounDeterminer'),
            best('objectPreposition'),
            relations.nounDeterminer.even,
            relations.objectPreposition.even,
            best('verbSubject'),
            relations.verbSubject.even,
          ],
        ),
    ],
    [
      '(centres at layers #, # and #)',
      () =>
        where(
          verdicts.order?.says === 'holds',
          Object.values(verdicts.order?.depth ?? {}).map((depth) => Number(depth) + 1),
        ),
    ],
    [
      'Layer 1 looks # words away on average, layer 2 only #',
      () => where(verdicts.reach.says === 'fails', verdicts.reach.layers),
    ],
    [
      'layer #, head # attends to the name behind a pronoun with #, where even attention has #',
      () => [
        2,
        1,
        Number(pronouns?.relations.pronouns.attention),
        ofStories.relations.pronouns.even,
      ],
    ],
  ];
}

/** @param {Glassformer} gf */
export const factsOf = async (gf) => [
  ...ofSmallTexts(gf),
  ...ofTheGuide(gf),
  ...ofModels(gf),
  ...(await ofHeads(gf)),
];

/** @typedef {{ right: number, of: number, share: number, sure: number, apart: number, longer: number, longerOf: number,
 *   longest: number, loss: number }} Side what tests/web/compare.js says of a run */
/** By the name of a link, seed by seed. @typedef {Record<string, { a: Side, b: Side }[]>} Runs */
const ANSWERS = {
  a: (/** @type {Runs[string]} */ runs) => runs.map(({ a }) => a.right),
  b: (/** @type {Runs[string]} */ runs) => runs.map(({ b }) => b.right),
};
const both = (/** @type {Runs[string]} */ runs) => [...ANSWERS.a(runs), ...ANSWERS.b(runs)];
const three = [1, 2, 3];

/** The sentences on trainings: the links that they need, with the seeds of each, and what these give.
 * @type {{ links: Record<string, number[]>, sentence: string, numbers: (runs: Runs) => number[] }[]} */
export const TRAININGS = [
  {
    links: { 'norm-rate': [1] },
    sentence: 'at twice the usual rate, # of # answers are right with norms and # without',
    numbers: ({ 'norm-rate': [{ a, b }] }) => [a.right, a.of, b.right],
  },
  {
    links: { 'norm-fast': [1] },
    sentence: 'the claim fails: # are right with norms and # without',
    numbers: ({ 'norm-fast': runs }) => both(runs),
  },
  {
    links: { warmup: three },
    sentence: '#, # and # of # answers are right with warm-up, #, # and # without',
    numbers: ({ warmup }) => [...ANSWERS.a(warmup), warmup[0].a.of, ...ANSWERS.b(warmup)],
  },
  {
    links: { smoothing: three },
    sentence:
      '#, # and # answers are right with smoothing, #, # and # without. “Better calibrated” fails each time: with seed 1, the smoothed model gives its likeliest tokens # on average, and # of them are right',
    numbers: ({ smoothing }) => {
      const fails = smoothing.every(({ a, b }) => a.apart > b.apart);
      const [{ a }] = smoothing;
      return where(fails, [...both(smoothing), a.sure, a.share]);
    },
  },
  {
    links: { compare: [1] },
    sentence: ': # of # answers are right with residuals, # without',
    numbers: ({ compare: [{ a, b }] }) => [a.right, a.of, b.right],
  },
  {
    links: { 'one-head': [1] },
    sentence: 'With one head in place of four, # are',
    numbers: ({ 'one-head': runs }) => ANSWERS.b(runs),
  },
  {
    links: { 'one-head-sort': three },
    sentence: 'four heads have #, # and # right and one has #, # and #',
    numbers: ({ 'one-head-sort': runs }) => both(runs),
  },
  {
    links: { 'one-head-dates': three },
    sentence: 'for dates #, # and # against #, # and #',
    numbers: ({ 'one-head-dates': runs }) => both(runs),
  },
  {
    links: { biases: [1] },
    sentence: 'Without biases, it is # again',
    numbers: ({ biases }) => ANSWERS.b(biases),
  },
  {
    links: { layers: [1] },
    sentence: '# of # answers are right with two, # with one',
    numbers: ({ layers: [{ a, b }] }) => [a.right, a.of, b.right],
  },
  {
    links: { 'layers-copy': [1] },
    sentence: 'Copying does not: # are right with two layers, # with one',
    numbers: ({ 'layers-copy': runs }) => both(runs),
  },
  {
    links: { 'layers-sort': [1, 2] },
    sentence: 'Sorting does: # are right with two layers, # with one, and with seed 2, # and #',
    numbers: ({ 'layers-sort': runs }) => runs.flatMap(({ a, b }) => [a.right, b.right]),
  },
  {
    links: { 'layers-dates': three },
    sentence: '#, # and # are right with two, #, # and # with one',
    numbers: ({ 'layers-dates': runs }) => both(runs),
  },
  {
    links: { length: [1] },
    sentence: 'trained on up to # letters copies # of # longer words',
    numbers: ({ length: [{ b }] }) => [b.longest, b.longer, b.longerOf],
  },
  {
    links: { addition: [1] },
    sentence: '# of # sums are right at step 4,000',
    numbers: ({ addition: [{ a }] }) => [a.right, a.of],
  },
];
