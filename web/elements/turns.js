// What takes long gives the page its turns: it goes on drawing and hears the reader. Elements that show a model of many
// steps are drawn one after the other.
import { Base } from './base.js';

/** Milliseconds of work between two turns. */
const BUDGET = 10;
/** A trace of more steps, or one that reads a larger matrix, is large. */
const MANY = { steps: 400, numbers: 2e5 };

/** Traces that were asked about. @type {WeakMap<object, boolean>} */
const known = new WeakMap();

/** @param {import('../session.js').Trace} trace */
function isLarge(trace) {
  const told = known.get(trace);
  if (told !== undefined) return told;
  const large =
    trace.steps.length > MANY.steps ||
    trace.steps.some(({ shape }) => shape.reduce((a, b) => a * b, 1) > MANY.numbers);
  known.set(trace, large);
  return large;
}

/** A turn of the page: a message comes at once, while timers wait. */
export async function turn() {
  const { port1, port2 } = new MessageChannel();
  await new Promise((done) => {
    port1.onmessage = done;
    port2.postMessage(null);
  });
  port1.close();
}

/** Does a work that pauses, giving the page turns. @param {Generator<unknown>} work */
export async function inTurns(work) {
  for (let since = performance.now(); !work.next().done; ) {
    if (performance.now() - since < BUDGET) continue;
    await turn();
    since = performance.now();
  }
}

/** What lets the elements that wait be drawn, in order. @type {(() => void)[]} */
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
    } while (waiting.length > 0 && performance.now() - since < BUDGET);
  }
  draws = false;
}

const elements = /** @type {any} */ (Base.prototype);
const { scheduleUpdate } = elements;

/* Pages without a large model do without this. */
elements.scheduleUpdate = /** @this {any} */ function () {
  const { elementProperties } = this.constructor;
  /* What a training shows is of no trace. */
  const { trace } = (elementProperties.has('view') && this.view) || {};
  if (!trace || !isLarge(trace)) return scheduleUpdate.call(this);
  return new Promise((done) => {
    waiting.push(() => done(null));
    if (!draws) drawing();
  }).then(() => scheduleUpdate.call(this));
};
