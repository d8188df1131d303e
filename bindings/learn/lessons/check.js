// The linter of lessons: it finds paths that lead nowhere, conditions that never hold, long sentences.

import { checkCore, checkOptions, english } from '../../js/base/errors.js';
import { languages } from '../../js/base/speech.js';
import { cellsOf, holds, numberOf, rowOf } from './expression.js';
import { message } from './lint-texts.js';
import { readLesson } from './read.js';
import { computed } from './scene.js';
import { bare, filled, piecesOf } from './sentence.js';
import { firstTooEarly, neededFor } from './sequence.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./read.js').Lesson} Lesson */
/** @typedef {import('./read.js').Scene} Scene */
/** @typedef {import('./read.js').Gate} Gate */
/** @typedef {import('./read.js').Text} Text */
/** @typedef {import('./scene.js').Computed} Computed */
/** @typedef {import('../../js/base/errors.js').Message} Message */

/**
 * @typedef {object} Finding
 * @property {number} scene from 1; 0 is the lesson itself
 * @property {string} at where in it, such as gate.until
 * @property {string} message what is wrong, in a sentence
 */
/**
 * @typedef {object} CheckLessonOptions
 * @property {Model} [model] the trained translator, for scenes that need it
 * @property {Model} [stories] the model that learned the stories, likewise
 */

/** Words of a sentence. */
const MAX_WORDS = 25;
/** Values that are tried of each number that a reader can move. */
const TRIED_VALUES = 25;

/** What a picture says that is no path. */
const NOT_PATHS = [
  'kind',
  'form',
  'after',
  'shows',
  'turns',
  'legend',
  'columns',
  'lenses',
  'divide',
];

/** Checks one scene. */
class SceneCheck {
  /** @param {Glassformer} gf @param {Scene} scene @param {number} number @param {CheckLessonOptions} models */
  constructor(gf, scene, number, models) {
    this.gf = gf;
    this.scene = scene;
    this.number = number;
    this.models = models;
    /** @type {Finding[]} */
    this.findings = [];
  }

  /** @param {string} place @param {Message} text */
  #find(place, text) {
    this.findings.push({ scene: this.number, at: place, message: english(text) });
  }

  /** An error that is thrown becomes a finding. @template T @param {string} place @param {() => T} work
   * @returns {T | undefined} */
  #try(place, work) {
    try {
      return work();
    } catch (error) {
      if (!Object(error).detail) throw error;
      this.#find(place, /** @type {Message} */ (error));
      return undefined;
    }
  }

  run() {
    const { state, gate } = this.scene;
    /** @type {Computed} */
    let values;
    try {
      values = computed(this.gf, state, this.models);
    } catch (error) {
      const reason = /** @type {Error} */ (error).message;
      this.#find('state', message('state', { link: state, reason }));
      return this.findings;
    }
    this.#paths(values);
    for (const [place, text] of textsOf(this.scene)) this.#text(place, text, values);
    if (gate) this.#gate(gate, values);
    values.dispose();
    return this.findings;
  }

  /** @param {Computed} values */
  #paths({ scope }) {
    const { at, lit = [], picture, shows } = this.scene;
    if (picture.kind === 'stage' && shows && !shows.includes('stage'))
      this.#find('shows', message('emptyScene', {}));
    if (picture.kind === 'machine') this.#try('picture.kind', () => cellsOf('attention', scope));
    if (at && at !== 'start' && at !== 'end') this.#try('at', () => cellsOf(at, scope));
    for (const [i, path] of lit.entries()) this.#try(`lit[${i}]`, () => cellsOf(path, scope));
    for (const [key, paths] of Object.entries(picture)) {
      if (NOT_PATHS.includes(key) || !/string|object/.test(typeof paths)) continue;
      for (const path of [paths].flat()) this.#try(`picture.${key}`, () => cellsOf(path, scope));
    }
  }

  /** @param {string} place @param {Text} text @param {Computed} values */
  #text(place, text, { scope }) {
    for (const lang of languagesOf(text)) {
      const where = `${place}.${lang}`;
      this.#try(where, () => piecesOf(text[lang], scope, lang));
      lintText(text[lang], (finding) => this.#find(where, finding));
      const number = typedIn(text[lang]);
      const example = `{${filled(text[lang])[0] ?? 'weights[0,1]'}}`;
      if (number) this.#find(where, message('typedNumber', { number, example }));
    }
  }

  /** @param {Gate} gate @param {Computed} values */
  #gate(gate, values) {
    const { scope } = values;
    const { to, among, choice, steps, until, texts = [], what: moved = gate.cell } = gate;
    if (to) this.#try('gate.to', () => cellsOf(to, scope));
    if (among) this.#among(among, gate.by, scope);
    this.#numbers(gate, scope);
    if (choice) this.#choice(choice, scope);
    for (const key of /** @type {const} */ (['largest', 'order'])) {
      const path = gate[key];
      if (path) this.#differing(`gate.${key}`, () => rowOf(path, scope));
    }
    if (steps) this.#sequence(steps, scope);
    if (moved && until) this.#until(moved, until, values);
    else if (until && this.#try('gate.until', () => holds(until, scope)))
      this.#find('gate.until', message('already', { source: until }));
    this.#removals(gate, values);
    for (const [i, text] of texts.entries()) {
      const link = withText(this.scene.state, text);
      this.#try(`gate.texts[${i}]`, () => computed(this.gf, link, this.models).dispose());
    }
  }

  /** The numbers that it asks for. @param {Gate} gate @param {Computed['scope']} scope */
  #numbers({ numbers = [], mistakes = [] }, scope) {
    for (const [i, path] of numbers.entries()) {
      this.#try(`gate.numbers[${i}]`, () => numberOf(path, scope));
    }
    for (const [i, { is }] of mistakes.entries()) {
      this.#try(`gate.mistakes[${i}].is`, () => numberOf(is, scope));
    }
  }

  /** The switches that the reader is to turn off. @param {Gate} gate @param {Computed} values */
  #removals({ names = [], replies }, { removable }) {
    for (const name of names) {
      const able = removable.some((one) => one.name === name && one.possible);
      if (!able) this.#find('gate.names', message('notThere', { name }));
    }
    if (replies && replies.length !== names.length) {
      this.#find('gate.replies', message('otherCount', { n: replies.length, all: names.length }));
    }
  }

  /** Steps to be put in order: the trace has each of them, and they are not in order yet.
   * @param {string[]} steps @param {Computed['scope']} scope */
  #sequence(steps, scope) {
    const place = 'gate.steps';
    if (steps.some((name) => !this.#try(place, () => rowOf(name, scope)))) return;
    const isPlaced = (/** @type {string} */ name) =>
      neededFor(name, steps, scope).length > 0 ||
      steps.some((other) => neededFor(other, steps, scope).includes(name));
    const lone = steps.find((name) => !isPlaced(name));
    if (lone !== undefined) this.#find(place, message('unordered', { name: lone }));
    else if (firstTooEarly(steps, steps, scope) < 0) this.#find(place, message('ordered', {}));
  }

  /** @param {string} place @param {() => number[]} row */
  #differing(place, row) {
    const numbers = this.#try(place, row);
    if (numbers?.every((x) => x === numbers[0])) this.#find(place, message('allEqual', {}));
  }

  /** @param {string[]} among @param {Gate['by']} by @param {Computed['scope']} scope */
  #among(among, by, scope) {
    this.#differing('gate.among', () => among.map((path) => numberOf(`${by}(${path})`, scope)));
  }

  /** @param {NonNullable<Gate['choice']>} choice @param {Computed['scope']} scope */
  #choice(choice, scope) {
    const right = choice.map(({ when }, i) =>
      this.#try(`gate.choice[${i}].when`, () => holds(when, scope)),
    );
    if (right.includes(undefined)) return;
    if (!right.includes(true)) this.#find('gate.choice', message('noRight', {}));
    if (!right.includes(false)) this.#find('gate.choice', message('allRight', {}));
  }

  /** Whether a condition can hold: every number that the reader can move is tried.
   * @param {string} moved @param {string} until @param {Computed} values */
  #until(moved, until, { scope, step }) {
    const place = this.scene.gate?.what ? 'gate.what' : 'gate.cell';
    const cells = this.#try(place, () => cellsOf(moved, scope));
    const met = this.#try('gate.until', () => holds(until, scope));
    if (!cells || met === undefined) return;
    if (met) return this.#find('gate.until', message('already', { source: until }));
    const data = Array.from(scope.step(cells[0].node)?.data ?? []).filter(Number.isFinite);
    if (!step(cells[0].node)) return this.#find(place, message('notDragged', { source: moved }));
    const limit = 3 * Math.max(1, ...data.map(Math.abs));
    const values = Array.from(
      { length: TRIED_VALUES },
      (_, i) => limit * ((2 * i) / (TRIED_VALUES - 1) - 1),
    );
    const tries =
      cells.length === 2
        ? values.flatMap((a) => values.map((b) => [a, b]))
        : this.scene.picture.kind === 'lens' && cells.length > 2
          ? values.map((_, i) => turned(data, (2 * Math.PI * i) / TRIED_VALUES))
          : values.map((a) => cells.map(() => a));
    const holdsFor = (/** @type {number[]} */ numbers) => {
      const edits = cells.map((cell, i) => ({ ...cell, value: numbers[i] }));
      const edited = computed(this.gf, this.scene.state, { ...this.models, edits });
      const isMet = holds(until, edited.scope);
      edited.dispose();
      return isMet;
    };
    if (this.#try(place, () => tries.some(holdsFor)) === false)
      this.#find('gate.until', message('never', { source: until }));
  }
}

/** The rows of two numbers, turned by an angle. @param {number[]} data @param {number} angle */
const turned = (data, angle) =>
  data.map((x, i) => {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    return i % 2 ? data[i - 1] * sine + x * cosine : x * cosine - data[i + 1] * sine;
  });

/** The link with another text: of a link's parts that are alike the last one counts. @param {string} link @param {string} text */
const withText = (link, text) =>
  `${link}&${/\bexample=stories\b/.test(link) ? 'story' : 'text'}=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))}`;

/** Every text of a scene, with where it is. @param {Scene} scene
 * @returns {[string, Text][]} */
function textsOf({ say, after, gate, picture }) {
  /** @type {[string, Text | undefined][]} */
  const all = [
    ['say', say],
    ['after', after],
    ['gate.right', gate?.right],
    ['gate.wrong', gate?.wrong],
    ['picture.legend', picture.kind === 'lens' ? picture.legend : undefined],
  ];
  const columns = picture.kind === 'rows' ? picture.columns : [];
  for (const [i, column] of columns.entries()) all.push([`picture.columns[${i}]`, column]);
  for (const [i, { say: words, reply }] of (gate?.choice ?? []).entries()) {
    all.push([`gate.choice[${i}].say`, words], [`gate.choice[${i}].reply`, reply]);
  }
  for (const [i, words] of (gate?.replies ?? []).entries()) all.push([`gate.replies[${i}]`, words]);
  for (const [i, mistake] of (gate?.mistakes ?? []).entries()) {
    all.push([`gate.mistakes[${i}].say`, mistake.say]);
  }
  return /** @type {[string, Text][]} */ (all.filter(([, text]) => text));
}

/** @param {string} text @param {(said: Message) => void} find */
function lintText(text, find) {
  for (const part of bare(text).split(/[.!?:](?:\s|$)/)) {
    const n = part.split(/\s+/).filter(Boolean).length;
    if (n > MAX_WORDS) find(message('longSentence', { n, most: MAX_WORDS }));
  }
}

/** A number outside of braces. @param {string} text */
const typedIn = (text) => /\d+(?:[.,]\d+)?/.exec(bare(text))?.[0];

/** The languages of a text; what several say alike is checked once. @param {Text} text */
const languagesOf = (text) =>
  languages.filter(
    (lang, i) => text[lang] && languages.findIndex((one) => text[one] === text[lang]) === i,
  );

/** What is wrong with a text that no trace fills in: of the lesson itself, or the name of a scene.
 * @param {string} place @param {Text} text @param {Finding[]} findings @param {number} [scene] */
function checkAlone(place, text, findings, scene = 0) {
  for (const lang of languagesOf(text)) {
    const find = (/** @type {Message} */ text) =>
      findings.push({ scene, at: `${place}.${lang}`, message: english(text) });
    lintText(text[lang], find);
    const number = typedIn(text[lang]);
    if (number) find(message('spelled', { number }));
    for (const source of filled(text[lang])) find(message('noScene', { example: `{${source}}` }));
  }
}

/** Checks what a lesson says: every path leads somewhere in its scene's trace, every condition can hold, no sentence
 * has more than 25 words, no number is typed.
 * @param {Glassformer} gf what load() gave
 * @param {Lesson} lesson of readLesson()
 * @param {CheckLessonOptions} [options]
 * @returns {Finding[]} empty if all is well
 * @example
 * import { checkLesson, readLesson } from 'glassformer/lessons';
 *
 * const title = { en: 'A score', fr: 'Un score', de: 'Ein Score' };
 * const say = { ...title, en: 'It is {scores[0,9]}.' };
 * const scene = { state: '#example=hi-how', picture: { kind: 'stage' }, say };
 * const lesson = { name: 'mine', title, minutes: 1, learned: [title], scenes: [scene] };
 * checkLesson(gf, readLesson(lesson))[0].at; // = 'say.en' */
export function checkLesson(gf, lesson, options = {}) {
  checkCore('checkLesson', gf);
  checkOptions('checkLesson', options, ['model', 'stories']);
  const { scenes, title, learned } = readLesson(lesson);
  /** @type {Finding[]} */
  const findings = [];
  checkAlone('title', title, findings);
  for (const [i, one] of learned.entries()) checkAlone(`learned[${i}]`, one, findings);
  for (const [i, scene] of scenes.entries()) {
    const { name } = scene;
    const names = /** @type {Text} */ (typeof name === 'string' ? { en: name } : name);
    if (name) checkAlone('name', names, findings, i + 1);
    findings.push(...new SceneCheck(gf, scene, i + 1, options).run());
  }
  return findings;
}
