// Computes what a scene's link shows: the steps that its paths name.

import { examples, sentence, traceExample, traceModel } from '../../index.js';
import { near } from '../../js/base/errors.js';
import { exampleIn } from '../../js/trace/example-text.js';
import { layerExample, likeliest } from '../../lab/stories/index.js';
import { heldOut } from '../../lab/tasks/held-out.js';
import { END, idsOf, START, tasks, untrained } from '../../lab/tasks/index.js';
import { exercise, traceProblem } from '../exercises/index.js';
import { experimentOf } from './experiments.js';
import { birthSteps, LETTERS } from './inside-steps.js';
import { failure, rangeError } from './lint-texts.js';
import { scopeOf } from './scope.js';
import { rangeError as unread } from './texts.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {{ node: string, index: number[], value: number }} Edit */
/** Trained models. model: the translator; stories: the one that learned the stories.
 * @typedef {{ model?: Model, stories?: Model }} Models */
/**
 * @typedef {object} Computed
 * @property {import('./expression.js').Scope} scope
 * @property {(name: string) => { kind: string } | undefined} step
 * @property {readonly { name: string, possible: boolean }[]} removable
 * @property {() => void} dispose
 */

/** The parts that links of the page have. */
export const PARTS = `
  answers arrows at beams beside block cells channels chapter checked claim count digits divide draw edits
  example film from gain gone gradient headOff heads instead kernel lang layer layers length level
  mark matrices measured mode model moment nudge numbers off open order other pair panel path play prompt recipe
  remove role roleHead round row scale scheme score seed sentence settings shift side size speed step story t target task temperature
  text theme topK v value view way weight width word working`
  .trim()
  .split(/\s+/);

/** @param {string} value as a link has it */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    throw unread('unreadable', { source: value, at: 1 });
  }
}

/** The parts of a link's hash. @param {string} link
 * @returns {Record<string, string>} */
function partsOf(link) {
  const parts = Object.fromEntries(
    link
      .slice(1)
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const equals = pair.indexOf('=');
        return [pair.slice(0, equals), decoded(pair.slice(equals + 1))];
      }),
  );
  const other = Object.keys(parts).find((key) => !PARTS.includes(key));
  if (other !== undefined) throw rangeError('noPart', { value: other, hint: near(other, PARTS) });
  return parts;
}

/** @param {string} [written] cells with their values: x:0,1=2~x:0,2=3
 * @returns {Edit[]} */
const editsOf = (written = '') =>
  written
    .split('~')
    .filter(Boolean)
    .map((edit) => {
      const [, node, index, value] = /^(.+):([\d,]+)=(.+)$/.exec(edit) ?? [];
      if (!node) throw unread('unreadable', { source: edit, at: 1 });
      return { node, index: index.split(',').map(Number), value: Number(value) };
    });

/** @param {string} written */
function sentenceOf(written) {
  const [, dModel, dK, heads, seed, flags, text] =
    /^(\d+)~(\d+)~(\d+)~(\d+)~(p?c?)~(.+)$/s.exec(written) ?? [];
  if (!text) throw unread('unreadable', { source: written, at: 1 });
  return sentence(text, {
    dModel: Number(dModel),
    dK: Number(dK),
    heads: Number(heads),
    seed: Number(seed),
    positions: flags.includes('p'),
    causal: flags.includes('c'),
  });
}

/** @param {string} name @returns {any} */
function namedExample(name) {
  if (Object.hasOwn(examples, name)) return /** @type {any} */ (examples)[name];
  throw rangeError('noExample', { value: name, hint: near(name, Object.keys(examples)) });
}

/** A text's attention, one's own matrices, or a worked example. @param {Record<string, string>} parts @param {string} name */
function exampleOf({ sentence, matrices }, name) {
  if (sentence) return sentenceOf(sentence);
  const nameless = { name: 'own', title: '', source: '', about: '' };
  return matrices ? { ...nameless, ...exampleIn(matrices) } : namedExample(name);
}

/** Computes what a link asks for.
 * @param {Glassformer} gf @param {string} link
 * @param {Models & { edits?: Edit[] }} [options] edits: more than the link's
 * @returns {Computed} */
export function computed(gf, link, { model, stories, edits = [] } = {}) {
  const parts = partsOf(link);
  const remove = (parts.remove ?? '').split(',').filter(Boolean);
  const options = {
    remove: /** @type {any[]} */ (remove),
    edits: [...editsOf(parts.edits), ...edits],
  };
  if (parts.chapter === 'transformer') return translationOf(model, parts, options);
  if (parts.chapter === 'exercises') return problemOf(gf, parts);
  if (parts.chapter === 'training') return untrainedOf(gf, parts);
  if (parts.chapter === 'inside') return insideOf(stories, parts);
  const name = parts.example ?? 'i-love-robotics';
  if (name === 'stories') return storyOf(gf, stories, parts, options);
  const example = exampleOf(parts, name);
  const trace = traceExample(gf, example, options);
  const { vocabulary } = example;
  return computedOf(trace, { tokens: trace.tokens, ...(vocabulary && { vocabulary }) });
}

/** @param {{ steps: readonly import('../../js/trace/steps.js').Step[], removable?: Computed['removable'], dispose?: () => void }} trace
 * @param {Record<string, readonly string[]>} words
 * @returns {Computed} */
function computedOf(trace, words) {
  const { steps, removable = [] } = trace;
  return {
    scope: scopeOf(steps, words),
    step: (name) => steps.find((one) => one.name === name),
    removable,
    dispose: () => trace.dispose?.(),
  };
}

/** A layer of the model of the stories, on a text that it goes on with.
 * @param {Glassformer} gf @param {Model | undefined} model @param {Record<string, string>} parts
 * @param {{ remove: any[], edits: Edit[] }} options
 * @returns {Computed} */
function storyOf(gf, model, { story = '', layer = '0' }, options) {
  if (!model) throw failure('GF_ESTATE', 'noStories', {});
  const example = layerExample(model, story, Number(layer));
  const { tokens } = example;
  return computedOf(traceExample(gf, example, options), { tokens, next: likeliest(model, tokens) });
}

/** An experiment on the model of the stories; of a birth what there is before its first step: which letters the model reads, the
 * page says.
 * @param {Model | undefined} model @param {Record<string, string>} parts
 * @returns {Computed} */
function insideOf(model, parts) {
  if (parts.view === 'birth') {
    const steps = birthSteps();
    return computedOf({ steps: /** @type {any} */ (steps) }, { tokens: Array(LETTERS).fill('?') });
  }
  if (!model) throw failure('GF_ESTATE', 'noStories', {});
  const { steps, words } = experimentOf(model, parts);
  return computedOf({ steps: /** @type {any} */ (steps) }, words);
}

/** @param {Model | undefined} model @param {Record<string, string>} parts @param {{ remove: any[], edits: Edit[] }} options
 * @returns {Computed} */
function translationOf(model, { text = 'le chat noir dort' }, options) {
  if (!model) throw failure('GF_ESTATE', 'noModel', {});
  const task = tasks['french-english'];
  const tokens = task.tokenize('source', text);
  const ids = task.vocabulary.encode(tokens);
  const limits = { start: START, stopTokens: [END], remove: options.remove };
  const written = model.generateSync(ids, limits);
  const trace = traceModel(model, { source: [ids], target: [[START, ...written]] }, options);
  return computedOf(trace, { source: tokens, target: task.vocabulary.decode(written) });
}

/** A problem of the exercises, worked out.
 * @param {Glassformer} gf @param {Record<string, string>} parts
 * @returns {Computed} */
function problemOf(gf, { recipe = 'weights', seed = '1', numbers }) {
  const options = { seed: Number(seed), ...(numbers && { given: numbers }) };
  const problem = exercise(gf, recipe, options);
  const { steps } = traceProblem(gf, problem);
  const { tokens = [], memory } = problem;
  return computedOf({ steps }, { tokens, ...(memory && { source: memory }) });
}

/** The model of a training before its first step, with the example that the page shows: it has every step, but untrained
 * numbers.
 * @param {Glassformer} gf @param {Record<string, string>} parts
 * @returns {Computed} */
function untrainedOf(gf, { task: name = 'copy', settings = '' }) {
  if (!Object.hasOwn(tasks, name)) {
    throw rangeError('noTask', { name, hint: near(name, Object.keys(tasks)) });
  }
  const task = tasks[name];
  const seed = Number(/\bseed:(\d+)/.exec(settings)?.[1] ?? 1);
  const [pair] = heldOut(task, seed).examples;
  const { source, target } = idsOf(task, pair);
  const model = untrained(gf, task, seed);
  const trace = traceModel(model, { source: [source], target: [[START, ...target]] });
  const words = {
    source: task.vocabulary.decode(source),
    target: [...task.vocabulary.decode(target), task.vocabulary.tokens[END]],
  };
  const dispose = () => {
    trace.dispose();
    model.dispose();
  };
  return computedOf({ steps: trace.steps, dispose }, words);
}
