// Draws the elements of a large model one after the other, with pauses, so that the page responds.
import { turn } from '../../../bindings/js/base/turn.js';
import { memoized } from '../draw/memoized.js';
import { Base } from './base.js';

/** Milliseconds of drawing between two turns. */
const BUDGET_MS = 10;
/** A trace of more steps, or one that reads a larger matrix, is large. */
const LARGE = { steps: 400, numbers: 2e5 };

const isLarge = memoized(
  (/** @type {import('../../app/session.js').Trace} */ { steps }) =>
    steps.length > LARGE.steps ||
    steps.some(({ shape }) => shape.reduce((a, b) => a * b, 1) > LARGE.numbers),
);

/** What lets the elements that wait be drawn, in order. @type {((value?: undefined) => void)[]} */
const waiting = [];
let draws = false;

async function drawing() {
  draws = true;
  while (waiting.length > 0) {
    await turn();
    const since = performance.now();
    do {
      waiting.shift()?.();
      /* It is drawn before this goes on. */
      await null;
    } while (waiting.length > 0 && performance.now() - since < BUDGET_MS);
  }
  draws = false;
}

/** Whether an element shows a large trace. What a training shows is of no trace. @param {Base} element */
function isLong(element) {
  const { elementProperties } = /** @type {typeof Base} */ (element.constructor);
  const { trace } = (elementProperties.has('view') && /** @type {any} */ (element).view) || {};
  return trace && isLarge(trace);
}

/** From now on elements that show a large trace are drawn one after the other. */
export function drawInTurns() {
  Base.turnOf = (element) => {
    if (!isLong(element)) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (!draws) drawing();
    });
  };
}
