// Checks of arguments: a model, stories, points of a birth.

import {
  checkArray,
  checkFinite,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../../js/base/errors.js';
import { rangeError, typeError } from '../tasks/texts.js';
import { KINDS } from './draw.js';

const STORY = ['text', 'tokens', 'decided'];
const DECIDED = ['position', 'kind', 'token', 'from'];
const POINT = ['step', 'loss', 'induction', 'copying'];

/** @param {string} where @param {unknown} model */
export function checkModel(where, model) {
  if (typeof Object(model).forward !== 'function')
    throw typeError('model', { where, given: model });
}

/** @param {string} where @param {unknown} stories */
export function checkStories(where, stories) {
  checkArray(`${where}: stories`, stories);
  for (const [i, story] of /** @type {any[]} */ (stories).entries()) {
    const place = `${where}: stories[${i}]`;
    checkOptions(place, story, STORY);
    checkArray(`${place}: tokens`, story.tokens);
    checkArray(`${place}: decided`, story.decided);
    const last = story.tokens.length - 1;
    for (const [j, one] of story.decided.entries()) {
      const decidedPlace = `${place}: decided[${j}]`;
      checkOptions(decidedPlace, one, DECIDED);
      checkInteger(`${decidedPlace}: position`, one.position, 0, last);
      checkWord(`${decidedPlace}: kind`, one.kind, KINDS);
      checkText(`${decidedPlace}: token`, one.token);
      checkArray(`${decidedPlace}: from`, one.from);
      for (const [k, key] of one.from.entries())
        checkInteger(`${decidedPlace}: from[${k}]`, key, 0, one.position);
    }
  }
}

/** Points that have the same heads, two at least. @param {string} where @param {unknown} points */
export function checkPoints(where, points) {
  checkArray(`${where}: points`, points);
  const all = /** @type {any[]} */ (points);
  for (const [i, point] of all.entries()) {
    const place = `${where}: points[${i}]`;
    checkOptions(place, point, POINT);
    checkFinite(`${place}: step`, point.step);
    checkArray(`${place}: induction`, point.induction);
    for (const [layer, heads] of all[0].induction.entries()) {
      const row = `${place}: induction[${layer}]`;
      checkArray(row, point.induction[layer]);
      for (const head of heads.keys()) checkFinite(`${row}[${head}]`, point.induction[layer][head]);
    }
  }
  if (all.length < 2) throw rangeError('points', { where, n: all.length });
}
