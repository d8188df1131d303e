// The map above a lesson's picture: the path from tokens to the next word, the same in every lesson. The lit box is where the
// scene is; the boxes before it show the numbers that are computed by then. Later lessons add boxes to it.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { endOf } from '../app/state/timeline.js';
import { word } from '../stage/draw/names.js';
import { Base } from '../stage/elements/base.js';
import { thumbnail } from '../stage/elements/strip.js';
import { typeset, untypeset } from '../stage/telling/number.js';
import { BOXES, NONE } from './core.js';
import { linkTo, nameOf } from './head.js';
import { placesIn } from './lesson-files.js';
import { lessonOf, NAMES } from './list.js';
import { cellsIn, scopeIn, worded } from './telling.js';
import './map.css';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */
/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */
/** @typedef {import('../../bindings/learn/lessons/map.js').Box} Box */
/** @typedef {import('../app/state/view.js').View} View */
/** @typedef {import('../app/session.js').Step} Step */

/** What each box is called: the sign in it, or the key of a word, and what it means.
 * @type {Record<Box, { sign: string, word?: undefined, name: string } | { sign?: undefined, word: string, name: string }>} */
const TEXTS = {
  x: { sign: 'X', name: 'lessons/map/x' },
  q: { sign: 'Q', name: 'lessons/map/q' },
  k: { sign: 'K', name: 'lessons/map/k' },
  v: { sign: 'V', name: 'lessons/map/v' },
  scores: { sign: 'S', name: 'lessons/map/scores' },
  scale: { sign: '÷ √d_k', name: 'lessons/map/scale' },
  softmax: { sign: 'softmax', name: 'lessons/map/softmax' },
  weights: { sign: 'A', name: 'lessons/map/weights' },
  blend: { sign: '· V', name: 'lessons/map/blend' },
  output: { sign: 'O', name: 'lessons/map/output' },
  next: { word: 'lessons/map/sign/next', name: 'lessons/map/next' },
  positions: { sign: '+ P', name: 'lessons/map/positions' },
  heads: { word: 'lessons/map/sign/heads', name: 'lessons/map/heads' },
  norm: { word: 'lessons/map/sign/norm', name: 'lessons/map/norm' },
  layers: { word: 'lessons/map/sign/layers', name: 'lessons/map/layers' },
  decoder: { word: 'lessons/map/sign/decoder', name: 'lessons/map/decoder' },
};

/** The boxes of steps, by their roles; scaled scores have one of their own. @type {Record<string, Box>} */
const OF_ROLE = {
  tokens: 'x',
  embedding: 'x',
  input: 'x',
  positions: 'positions',
  position: 'positions',
  query: 'q',
  key: 'k',
  value: 'v',
  score: 'scores',
  weight: 'weights',
  mix: 'blend',
  concat: 'heads',
  output: 'output',
  residual: 'norm',
  norm: 'norm',
  logit: 'next',
  probability: 'next',
};

/** @param {Step} step @returns {Box | undefined} */
export function boxOfStep(step) {
  if (step.parameter) return undefined;
  return word(step) === 'scores.scaled' ? 'scale' : OF_ROLE[String(step.role)];
}

/** What a box is called. @param {Box} box */
export const nameOfBox = (box) => text(TEXTS[box].name);

/** The box of the numbers that a path names. @param {string} path @param {View} view */
function boxAt(path, view) {
  const [cell] = cellsIn(path, scopeIn(view));
  const step = cell && view.trace.steps.find(({ name }) => name === cell.node);
  return step && boxOfStep(step);
}

/** @type {Record<'bars' | 'powers' | 'shares', Box>} */
const OF_FORM = { bars: 'scores', powers: 'softmax', shares: 'softmax' };

/** Where a scene is on the map: where it says, or else at what its picture shows. @param {Scene} scene @param {View} view
 * @returns {Box | undefined} */
export function boxOf(scene, view) {
  const { map, picture } = scene;
  if (map && map !== NONE) return map;
  switch (picture.kind) {
    case 'plane':
      if (picture.blend) return 'blend';
      return picture.project ? 'scores' : boxAt(picture.arrows[0], view);
    case 'bars':
      return boxAt(picture.row, view) === 'next' ? 'next' : OF_FORM[picture.form];
    case 'next':
      return 'next';
    case 'clocks':
      return 'positions';
    case 'stage':
      return boxAt(scene.at ?? '', view);
    default:
      return 'weights';
  }
}

/** Longer rows are no more than confetti in a box. */
const MOST = 16;

/** px of the numbers in a box; on a narrow screen they are smaller. */
const THUMB = { cell: 7, width: 44, height: 32 };

/** What lies before each box, which is computed when that is. @param {Box} box */
const orderOf = (box) => BOXES.indexOf(/** @type {any} */ (box));

/** When all is computed that a scene is about, where its picture is none of the steps; undefined where no step is walked through.
 * @param {Scene} scene @param {View} view */
export function momentAbout(scene, view) {
  const box = boxOf(scene, view);
  if (scene.picture.kind === 'stage' || !box || !view.line) return undefined;
  const { stages } = view.line;
  const boxes = stages.map(boxOfStep);
  const place = orderOf(box);
  const exact = boxes.indexOf(box);
  /* Some boxes lie within a step. */
  const stage =
    exact < 0 && place >= 0 ? boxes.findIndex((one) => one && orderOf(one) > place) : exact;
  return stage < 0 ? undefined : endOf(view.line, stage);
}

export class LessonMap extends Base {
  static properties = {
    view: { attribute: false },
    scene: { attribute: false },
    called: { attribute: false },
    lesson: { attribute: false },
    passed: { attribute: false },
    beat: { attribute: false },
    named: { state: true },
    others: { state: true },
  };

  constructor() {
    super();
    /** @type {View} */
    this.view = /** @type {any} */ (null);
    /** @type {Scene} */
    this.scene = /** @type {any} */ (null);
    /** @type {Lesson} */
    this.lesson = /** @type {any} */ (null);
    /** What addresses call the lesson. */
    this.called = '';
    /** Whether the scene's gate is open. */
    this.passed = false;
    /** Where a film is, or a walk that plays. @type {Box | undefined} */
    this.beat = undefined;
    /** The box that is pointed at. @type {Box | null} */
    this.named = null;
    /** Lessons that boxes lead to, by their names, once one of these was pointed at. @type {Map<string, Lesson>} */
    this.others = new Map();
  }

  /** @returns {Box | undefined} */
  get lit() {
    return [this.beat, this.#place].find((box) => box && this.#has(box));
  }

  /** The scene's own box. @returns {Box | undefined} */
  get #place() {
    if (this.view) return boxOf(this.scene, this.view);
    const { map } = this.scene;
    return map === NONE ? undefined : map;
  }

  /** @param {Box} box */
  #has(box) {
    const order = orderOf(box);
    return order < 0 ? this.#grown.includes(box) : order <= this.#reached;
  }

  /** How far the path is drawn: in a lesson that begins without a map, up to where its scenes have led. */
  get #reached() {
    const { lesson, scene, passed, beat } = this;
    const { scenes } = lesson;
    const end = BOXES.length;
    if (scenes[0].map !== NONE) return end;
    const orders = scenes
      .slice(0, scenes.indexOf(scene) + 1)
      .map((one) => ('film' in one.picture ? end : orderOf(/** @type {Box} */ (one.map))));
    if (!passed && 'film' in scene.picture) orders.splice(-1, 1, beat ? orderOf(beat) : 0);
    return Math.max(...orders);
  }

  /** What a lesson has grown; what its scenes are about has, too. @returns {Box[]} */
  get #grown() {
    const { map = [], scenes } = this.lesson;
    return [
      ...map,
      ...scenes.flatMap(({ map }) => (map && map !== NONE ? [map] : [])),
      ...(this.#place ? [this.#place] : []),
    ];
  }

  /** The scene about a box: in this lesson, or else in the first of ours. @param {Box} box */
  #placeOf(box) {
    const here = this.lesson.scenes.findIndex(({ map }) => map === box);
    if (here >= 0) return { called: this.called, scene: here + 1 };
    const called = NAMES.find((name) => placesIn(name)[box]);
    return called ? { called, scene: placesIn(called)[box] } : null;
  }

  /** What a box is called; where it leads to another lesson, and that is loaded, which scene of it. @param {Box} box */
  #nameOf(box) {
    const name = nameOfBox(box);
    const place = this.#placeOf(box);
    const lesson = place && this.others.get(place.called);
    if (!lesson) return name;
    const [n, title] = [NAMES.indexOf(place.called) + 1, worded(lesson.title)];
    const leads = text('lessons/map/leads', { n, title, name: nameOf(lesson, place.scene) });
    return `${name} → ${leads}`;
  }

  /** @param {Box} box */
  async #show(box) {
    this.named = box;
    const called = this.#placeOf(box)?.called;
    if (!called || called === this.called) return;
    const lesson = await lessonOf(called).catch(() => null);
    if (lesson) this.others = new Map(this.others).set(called, lesson);
  }

  /** The step whose numbers stand in a box, once they are computed. @param {Box} box @returns {Step | undefined} */
  #step(box) {
    const { view } = this;
    const lit = this.lit ?? this.#place;
    const place = lit && orderOf(lit);
    /* A training, or an experiment, has no walk to show numbers of; and what spreads, none of these. */
    const isOther = this.scene.picture.kind === 'spread';
    if (!view?.limitOf || place === undefined || isOther) return undefined;
    /* Where the map has grown, it follows all that is done; else what is asked for stays covered. */
    const isOpen = this.passed || !this.scene.gate || this.scene.gate.do === 'drag';
    const grows = this.lesson.scenes[0].map === NONE;
    const isComputed = orderOf(box) < place || (isOpen && (box === lit || grows));
    if (!isComputed || orderOf(box) < 0) return undefined;
    const [cell] = cellsIn(this.scene.at ?? '', scopeIn(view));
    const here = view.trace.steps.find(({ name }) => name === cell?.node);
    const isNear = (/** @type {Step} */ step) =>
      !here || (step.layer === here.layer && step.part === here.part && step.stack === here.stack);
    return view.trace.steps.find(
      (step) => boxOfStep(step) === box && step.role !== 'tokens' && isNear(step),
    );
  }

  /** @param {Box} box */
  #box(box) {
    if (!this.#has(box)) return nothing;
    const step = this.#step(box);
    const { sign, word } = TEXTS[box];
    const place = this.#placeOf(box);
    const show = () => this.#show(box);
    const hide = () => {
      this.named = null;
    };
    return html`<a
      class="box"
      data-box=${box}
      href=${place ? linkTo(place.called, place.scene) : nothing}
      aria-current=${box === this.lit ? 'step' : nothing}
      @pointerenter=${show}
      @pointerleave=${hide}
      @focus=${show}
      @blur=${hide}
      ><span class="sign" aria-hidden="true">${typeset(sign ?? text(word))}</span
      ><span class="hidden">${untypeset(this.#nameOf(box))}</span>${
        step && Number(step.shape.at(-1)) <= MOST
          ? html`<canvas data-thumb=${step.name} aria-hidden="true"></canvas>`
          : nothing
      }</a>`;
  }

  render() {
    if (!this.lesson) return nothing;
    const box = (/** @type {Box} */ name) => this.#box(name);
    const grown = this.#grown;
    const named = this.named ?? this.lit;
    const name = named ? this.#nameOf(named) : '';
    return html`<nav aria-label=${text('lessons/map/label')}>
        <div class="path">
          <span class="pair">${box('x')}${box('positions')}</span>
          <span
            class="block ${grown.includes('heads') ? 'several' : ''} ${grown.includes('layers') ? 'stacked' : ''}"
            >${box('heads')}<span class="qkv">${box('q')}${box('k')}${box('v')}</span>
            ${box('scores')}${box('scale')}${box('softmax')}${box('weights')}${box('blend')}${box('output')}
            ${box('norm')}${box('layers')}</span
          >
          ${box('decoder')}${box('next')}
        </div>
      </nav>
      <p class="name" title=${named ? untypeset(name) : nothing}><span>${typeset(name)}</span></p>`;
  }

  updated() {
    requestAnimationFrame(this.#draw);
  }

  /** Draws the numbers, and brings the lit box into sight. */
  #draw = () => {
    const { view } = this;
    for (const canvas of this.querySelectorAll('canvas')) {
      const { thumb = '' } = canvas.dataset;
      const step = view.trace.steps.find(({ name }) => name === thumb);
      if (step) thumbnail(canvas, step, view.limitOf(step), view.theme, THUMB);
    }
    const path = this.querySelector('.path');
    const lit = this.querySelector('[aria-current]');
    if (
      !path ||
      !(lit instanceof HTMLElement) ||
      !this.changedSince(`${this.lit} ${path.scrollWidth}`)
    )
      return;
    path.scrollLeft = lit.offsetLeft - path.clientWidth / 2;
  };
}

customElements.define('gf-lesson-map', LessonMap);
