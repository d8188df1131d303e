// A course of training as the page sees it: what is wanted on one side, the worker on the other. It asks
// for one thing after the other until what is wanted is there, and drops what is wanted no more.
import { Remote } from '../../workers/remote/remote.js';
import { Record } from './record.js';

/** @typedef {import('../../workers/trainer/protocol.js').Questions} Questions */
/** @typedef {import('../../workers/trainer/protocol.js').Answers} Answers */
/** @typedef {import('../../workers/trainer/protocol.js').Side} Side */
/** @typedef {import('../../workers/trainer/protocol.js').Plan} Plan */
/** @typedef {import('../../workers/trainer/protocol.js').Started} Started */
/** @typedef {import('../../workers/trainer/protocol.js').Opened} Opened */
/** @typedef {import('../../workers/trainer/protocol.js').Replay} Replay */
/** @typedef {import('../../workers/trainer/protocol.js').Progress} Progress */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/** @typedef {{ id: number, name: string, bytes: Uint8Array }} File id: which opening of a file it was */
/**
 * @typedef {object} Wanted
 * @property {Plan} plan
 * @property {File | null} file a saved model to go on with
 * @property {number} to train until that many steps are taken
 * @property {{ side: Side, step: number } | null} open the step to take apart
 * @property {number | null} row the sequence of its batch whose nodes are wanted
 * @property {Cell | null} weight whose update is wanted
 */
/** @typedef {{ key: string, run: (signal: AbortSignal) => Promise<void> }} Task */

export class Course {
  #remote;
  #changed;
  /** @type {Wanted | null} */
  #wanted = null;
  /** @type {string | null} the plan that was started */
  #planned = null;
  /** @type {{ key: string, stop: AbortController } | null} */
  #doing = null;
  #pumping = false;
  #rest = Promise.resolve();
  /** @type {string | null} what the row's nodes are of */
  #traced = null;
  /** @type {string | null} */
  #updated = null;

  /**
   * @param {() => import('../../workers/remote/remote.js').Port} open starts a trainer
   * @param {() => void} changed is called when there is something new
   */
  constructor(open, changed) {
    this.#changed = changed;
    /** @type {Remote<Questions, Answers>} */
    this.#remote = new Remote(open, {
      heard: (telling) => {
        if ('progress' in telling) return this.#progress(telling.progress.runs);
        this.replay = telling.replay;
        changed();
      },
      ended: (reason) => {
        this.lost = reason;
        changed();
      },
    });
    /** @type {import('../../workers/remote/failure.js').Ended | null} why the trainer is no more, and all that it knew; until restart() */
    this.lost = null;
    /** @type {Started | null} */
    this.started = null;
    /** @type {Partial<globalThis.Record<Side, Record>>} */
    this.records = {};
    /** @type {Opened | null} */
    this.opened = null;
    /** @type {Step[] | null} the nodes of one sequence of the opened step */
    this.nodes = null;
    /** @type {import('../../workers/trainer/core.js').Update | null} */
    this.update = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {{ key: string, error: Error } | null} what could not be done */
    this.failure = null;
  }

  /** What is being done: 'start', 'train', 'open', 'trace', 'update'; or '' at rest. */
  get doing() {
    return this.#doing?.key.split(' ', 1)[0] ?? '';
  }

  /**
   * Whether what is there is of this plan.
   * @param {Plan} plan
   * @param {File | null} file
   */
  isOf(plan, file) {
    return keyOf(plan, file) === this.#planned;
  }

  /** Steps that were taken by the run that went furthest. */
  get last() {
    return Math.max(0, ...Object.values(this.records).map(({ last }) => last));
  }

  /** Whether no run can take another step. */
  get ended() {
    const records = Object.values(this.records);
    return records.length > 0 && records.every(({ ended }) => ended);
  }

  /**
   * Tells what is wanted from now on.
   * @param {Wanted} wanted
   */
  want(wanted) {
    this.#wanted = wanted;
    const due = this.#due();
    if (this.#doing && this.#doing.key !== due?.key) this.#doing.stop.abort();
    this.#pump();
  }

  /**
   * Asks beside what is wanted: after what is being done.
   * @template {keyof Questions & string} K
   * @param {K} what
   * @param {Questions[K]} question
   * @param {AbortSignal} [signal]
   */
  async ask(what, question, signal) {
    if (this.lost) throw this.lost;
    return this.#remote.ask(what, question, signal);
  }

  /** Resolves when nothing is being done any more. */
  rest() {
    return this.#rest;
  }

  /** Lets the same plan begin anew, with another trainer if that one is lost. */
  restart() {
    this.#planned = null;
    this.failure = null;
    this.lost = null;
  }

  close() {
    this.#remote.close();
  }

  #pump() {
    if (!this.#pumping) this.#rest = this.#work();
  }

  async #work() {
    this.#pumping = true;
    for (let due = this.#due(); due && due.key !== this.failure?.key; due = this.#due()) {
      const { key, run } = due;
      this.#doing = { key, stop: new AbortController() };
      this.replay = null;
      this.#changed();
      try {
        await run(this.#doing.stop.signal);
        this.failure = null;
      } catch (error) {
        if (!this.lost) this.failure = { key, error: /** @type {Error} */ (error) };
      }
      this.#doing = null;
      this.#changed();
    }
    this.#pumping = false;
  }

  /** The first thing that is wanted and not there. @returns {Task | null} */
  #due() {
    if (!this.#wanted || this.lost) return null;
    const { plan, file, to } = this.#wanted;
    const planned = keyOf(plan, file);
    if (planned !== this.#planned) {
      return { key: planned, run: () => this.#start(planned, plan, file) };
    }
    /* A training that runs goes on after a step of it is taken apart. */
    const apart = this.#apart(this.#wanted);
    if (apart) return apart;
    if (to <= this.last || this.ended) return null;
    return {
      key: `train ${to}`,
      run: async (signal) => void (await this.#remote.ask('train', { to }, signal)),
    };
  }

  /** What is wanted of a step that was taken. @param {Wanted} wanted @returns {Task | null} */
  #apart({ open, row, weight }) {
    if (!open || open.step > (this.records[open.side]?.last ?? 0)) return null;
    const { side, step } = open;
    if (this.opened?.side !== side || this.opened.step !== step) {
      return { key: `open ${side} ${step}`, run: (signal) => this.#open(open, signal) };
    }
    const traced = `trace ${side} ${step} ${row}`;
    if (row !== null && row < this.opened.batch.rows && traced !== this.#traced) {
      return { key: traced, run: () => this.#trace(traced, row) };
    }
    const updated = `update ${side} ${step} ${weight?.node} ${weight?.index}`;
    if (weight && updated !== this.#updated) {
      return { key: updated, run: () => this.#update(updated, weight) };
    }
    return null;
  }

  /**
   * @param {string} planned
   * @param {Plan} plan
   * @param {File | null} file
   */
  async #start(planned, plan, file) {
    /** @type {Partial<globalThis.Record<Side, Record>>} */
    const before = this.records;
    this.records = {};
    try {
      const started = file
        ? await this.#remote.ask('load', { plan, bytes: file.bytes })
        : await this.#remote.ask('start', { plan });
      this.started = started;
      this.#planned = planned;
      this.#forget();
      for (const record of Object.values(this.records)) record.first = started.first;
    } catch (error) {
      this.records = before;
      throw error;
    }
  }

  #forget() {
    this.opened = null;
    this.nodes = null;
    this.update = null;
    this.#traced = null;
    this.#updated = null;
  }

  /** @param {Progress['runs']} runs */
  #progress(runs) {
    for (const [side, news] of Object.entries(runs)) {
      this.records[/** @type {Side} */ (side)] ??= new Record(0);
      this.records[/** @type {Side} */ (side)]?.add(news);
    }
    this.#changed();
  }

  /**
   * @param {{ side: Side, step: number }} open
   * @param {AbortSignal} signal
   */
  async #open(open, signal) {
    const opened = await this.#remote.ask('open', open, signal);
    if (!opened) return;
    this.#forget();
    this.opened = opened;
  }

  /**
   * @param {string} traced
   * @param {number} row
   */
  async #trace(traced, row) {
    const { steps } = await this.#remote.ask('trace', { row });
    this.nodes = steps;
    this.#traced = traced;
  }

  /**
   * @param {string} updated
   * @param {Cell} weight
   */
  async #update(updated, { node, index }) {
    this.update = await this.#remote.ask('update', { parameter: node, index });
    this.#updated = updated;
  }
}

/**
 * @param {Plan} plan
 * @param {File | null} file
 */
const keyOf = (plan, file) => `start ${file?.id ?? ''} ${JSON.stringify(plan, finite)}`;

/**
 * JSON has no infinity.
 * @param {string} _
 * @param {unknown} value
 */
const finite = (_, value) => (value === Number.POSITIVE_INFINITY ? 'inf' : value);
