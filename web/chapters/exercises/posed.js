// What a state asks for: the problem, its sheet in the reader's language, and the marks of the answers.
import { language, short, text } from '../../app/locale/text.js';
import { optionsOf } from './state.js';

/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Matrix} Matrix */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Marks} Marks */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Worksheet} Worksheet */

/** Each part is computed again only when its key is another one. */
export class Posed {
  problem = /** @type {Problem} */ (/** @type {unknown} */ (null));
  sheet = /** @type {Worksheet} */ (/** @type {unknown} */ (null));
  /** The points are those of the answers that were checked. */
  marks = /** @type {Marks} */ (/** @type {unknown} */ (null));
  /** Of the problem in a language. */
  sheetKey = '';
  #problemKey = '';
  #answersKey = '';

  /**
   * Computes what is new. If the state cannot be shown, throws and nothing changed.
   * @param {import('./element.js').Exercises} element
   * @returns {boolean} whether it is another problem
   */
  update({ engine, session, state, assigned, variants, exam }) {
    const { exercise, recipes, worksheet, mark } = /** @type {import('./element.js').Engine} */ (
      engine
    );
    const { recipe, level, seed, digits, numbers, checked } = state;
    /* What was changed since an exam was handed in is not marked, nor does it change the mark of another cell. */
    const answers = exam
      ? state.answers.map((answer, place) => (checked[place] === '1' ? answer : ''))
      : state.answers;
    const { core } = session;
    const lang = language();
    const problemKey = JSON.stringify(assigned ?? [recipe, level, seed, digits, numbers]);
    const sheetKey = problemKey + lang;
    const answersKey = sheetKey + JSON.stringify([answers, checked]);
    if (this.#answersKey === answersKey) return false;
    const isNew = this.#problemKey !== problemKey;
    if (isNew && !assigned && !recipes({ lang }).some(({ name }) => name === recipe)) {
      throw new RangeError(text('chapters/exercises/none', { name: short(recipe) }));
    }
    const problem = isNew
      ? (assigned ?? exercise(core, recipe, optionsOf(state, seed)))
      : this.problem;
    const sheet = this.sheetKey === sheetKey ? this.sheet : worksheet(core, problem, { lang });
    const cells = Object.fromEntries(problem.asked.map((name, i) => [name, answers[i] ?? '']));
    const counted = problem.asked.filter((_, i) => checked[i] === '1');
    const marks = mark(core, problem, { cells }, { lang, variants, counted });
    Object.assign(this, { problem, sheet, sheetKey, marks });
    this.#problemKey = problemKey;
    this.#answersKey = answersKey;
    return isNew;
  }

  /** The place of a cell among those that are asked, by its name. @param {string} name */
  placeOf(name) {
    return this.problem.asked.indexOf(name);
  }

  /** The asked matrices, each with the places of its cells. */
  get asked() {
    return this.sheet.asked.map((matrix) => ({
      matrix,
      places: matrix.cells
        .flat()
        .flatMap(({ name }) => (name === null ? [] : [this.placeOf(name)])),
    }));
  }
}
