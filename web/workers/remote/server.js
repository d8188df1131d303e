// The far end: answers what the page asks, one question after the other, in their order.
import { Server } from '../../../bindings/js/base/call-server.js';
import { pass } from '../../../bindings/js/base/passed.js';

/** @typedef {(telling: Record<string, any>, transfer?: Transferable[]) => void} Tell */
/** By the names of the questions. @typedef {Record<string, any>} Answers */

/**
 * @param {Answers | Promise<Answers>} answers
 * @param {Tell} tell
 */
export function serverOf(answers, tell) {
  const ready = Promise.resolve(answers);
  ready.catch((error) => tell({ fatal: pass(error) })).catch(() => {});
  /** @type {Promise<unknown>} */
  let last = ready;
  /** @param {string} name @param {unknown} question @param {AbortSignal} signal */
  const answer = async (name, question, signal) => {
    const all = await ready;
    /* Names that every object has are no questions. */
    const answering = name in Object.prototype ? undefined : all[name];
    if (typeof answering !== 'function') throw new TypeError(`no answer to "${name}"`);
    return answering.call(all, question, signal);
  };
  return new Server(
    (/** @type {any} */ message) => tell(message, [...buffersOf(message.answer)]),
    (name, question, { signal }) => {
      const next = () => answer(name, question, signal);
      const answered = last.then(next, next);
      last = answered;
      return answered;
    },
  );
}

/**
 * Answers from the worker that this runs in.
 * @param {(tell: Tell) => Promise<Answers>} answersOf
 */
export function serve(answersOf) {
  /** @type {Tell} */
  const tell = (telling, transfer = []) => postMessage(telling, { transfer });
  const server = serverOf(answersOf(tell), tell);
  addEventListener('message', ({ data }) => {
    if (data?.live) holdLock(data.live, tell);
    else server.hear(data);
  });
  /* Which question it was cannot be known: nobody shall wait for its answer. */
  addEventListener('messageerror', () => {
    tell({ fatal: pass(new Error('a question could not be read')) });
  });
}

/**
 * Holds a lock until this worker is no more, which the page cannot know otherwise.
 * @param {string} lock
 * @param {Tell} tell
 */
function holdLock(lock, tell) {
  const held = () => {
    tell({ living: lock });
    return new Promise(() => {});
  };
  navigator.locks?.request(lock, held).catch(() => {});
}

/**
 * The memory of all typed arrays in a message, however they nest: it is handed over, not copied.
 * @param {unknown} message
 * @returns {Set<Transferable>}
 */
export function buffersOf(message) {
  /** @type {Set<Transferable>} */
  const buffers = new Set();
  const objects = new Set([Object(message)]);
  for (const value of objects) {
    if (ArrayBuffer.isView(value)) buffers.add(/** @type {ArrayBuffer} */ (value.buffer));
    else for (const part of Object.values(value)) if (Object(part) === part) objects.add(part);
  }
  return buffers;
}
