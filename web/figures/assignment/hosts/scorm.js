// A learner's attempt in a SCORM platform, which may fail and not say so: what it keeps is read before it is written,
// read again after, and committed. What it refuses is tried again.
import { Api, STATUSES } from './scorm-api.js';

/** @typedef {import('./host.js').Host} Host */
/** @typedef {import('./host.js').Report} Report */
/** @typedef {'absent' | 'unread' | 'foreign' | 'review' | 'open' | 'ended'} State */

const WORK = 'cmi.suspend_data';
/** How long a commit waits for more to be typed. */
const COMMIT_DELAY_MS = 3000;
/** Between two looks for an API, or two tries to read. */
const LOOK_MS = 1000;
/** How often an API is looked for that is not there. */
const MAX_LOOKS = 120;
/** How long an empty answer must stand before it is believed: a platform may fail and report no error. */
const SETTLE_MS = 3000;
/** Between two tries to write, at first and at most. */
const RETRY_MS = [2000, 60_000];
/** How many texts are remembered for the next visit. */
const MAX_TEXTS = 16;
/** Platforms need not keep more checked cells. */
const MAX_INTERACTIONS = 250;

/** @implements {Host} */
export class Scorm {
  /** Set by the keeper: takes what the platform keeps, and gives what it must keep then; null for a text that is not
   * understood. @type {(kept: string, base: string) => string | null} */
  take = () => null;
  /** Set by the keeper: whether every cell was answered and checked. @type {() => boolean} */
  isDone = () => false;
  /** Set by the keeper: the platform is there now. @type {() => void} */
  arrived = () => {};
  /** Set by the keeper: what can be said of the platform has changed. @type {() => void} */
  follow = () => {};
  /** @type {State} */
  state = 'absent';
  /** Who the platform says is working; '' if it does not say. */
  learner = '';
  /** Whether the platform says that this attempt is a new one. */
  fresh = false;
  /** The text that the platform confirmed last, '' for none. */
  saved = '';
  /** When it did. @type {Date | null} */
  savedAt = null;
  /** Whether it did after it had refused. */
  again = false;
  /** Since when it refuses. @type {{ since: Date, error: string } | null} */
  trouble = null;

  /** @type {Api} */
  #api = /** @type {any} */ (null);
  #begun = performance.now();
  /** What this page read or wrote of the learner's work: anything else is of another window. @type {Set<string>} */
  #texts = new Set(['']);
  /** What waits to be written. @type {{ work: string | null, report: Report | null, cells: Report['cells'] }} */
  #waiting = { work: null, report: null, cells: [] };
  /** Whether something was written since the last commit. */
  #uncommitted = false;
  /** Whether the work was complete when it was read, and the platform may not know. */
  #owesStatus = false;
  /** Whether the attempt has been marked as one that goes on. */
  #marked = false;
  /** The last answer that was reported of each cell. @type {Map<string, string>} */
  #reported = new Map();
  #interactions = 0;
  #looks = 0;
  #pause = RETRY_MS[0];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {'scorm12' | 'scorm2004'} first the version that is looked for first */
  constructor(first) {
    this.first = first;
  }

  // ---- What the platform has ----

  ask = () => {
    const api = Api.find(this.first);
    if (!api) {
      this.#looks += 1;
      if (this.#looks < MAX_LOOKS) this.#after(LOOK_MS, this.ask);
      return;
    }
    const { version } = api;
    this.#api = api;
    this.#begun = performance.now();
    const status = api.get(version.status).value;
    this.fresh =
      api.get(version.entry).value === 'ab-initio' || STATUSES.slice(0, 2).includes(status);
    this.#interactions = Number(
      /^interactions (\d+)$/.exec(api.get(version.place).value)?.[1] ?? 0,
    );
    this.state = this.#isReview ? 'review' : 'unread';
    this.#identify();
  };

  /** Whether the learner was asked for. */
  #isIdentified = false;

  /** Before anything else: the browser keeps its copy under the learner's name. A platform without one is believed, and
   * asked again for a while: it may have failed and reported no error. */
  #identify = () => {
    if (this.state === 'ended') return;
    const { value, error } = this.#api.get(this.#api.version.learner);
    const isAgreed =
      value !== '' || ['401', '403'].includes(error) || performance.now() - this.#begun > SETTLE_MS;
    const isAnswer = isAgreed || ['', '0'].includes(error);
    if (isAnswer && !(this.#isIdentified && value === this.learner)) {
      this.#isIdentified = true;
      this.learner = value;
      this.arrived();
      this.#read();
    }
    if (!isAgreed) setTimeout(this.#identify, LOOK_MS);
    this.follow();
  };

  get #isReview() {
    return ['review', 'browse'].includes(this.#api.get(this.#api.version.mode).value);
  }

  #read = () => {
    const { value, error } = this.#api.get(WORK);
    if (value === '' && !this.#isEmpty(error)) {
      this.#after(LOOK_MS, this.#read);
      return;
    }
    this.saved = value;
    this.#meet(value);
    const work = this.take(value, '');
    if (this.state === 'review') return;
    this.state = work === null ? 'foreign' : 'open';
    if (work !== null && work !== value) this.#waiting.work = work;
    /* An attempt that was cut off may still be called incomplete. */
    this.#owesStatus = work !== null && this.isDone();
    this.follow();
    this.#flush();
  };

  /** Whether "nothing" is what the platform keeps, and no read that failed. @param {string} error */
  #isEmpty(error) {
    if (this.fresh || error === '403') return true;
    return ['0', ''].includes(error) && performance.now() - this.#begun > SETTLE_MS;
  }

  /** The reader has decided: the exercise replaces what is not understood. */
  replace() {
    this.state = 'open';
    this.#meet(this.#api.get(WORK).value);
  }

  // ---- What it must keep ----

  /** @param {number} wait @param {() => void} what */
  #after(wait, what) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(what, wait);
  }

  /** Whether what was typed or checked last is still on its way. */
  get saving() {
    const { work, report } = this.#waiting;
    return work !== null || report !== null || this.#owesStatus || this.#uncommitted;
  }

  /** Whether what is done is kept. */
  get keeps() {
    return this.state === 'open' && !this.trouble;
  }

  /** @param {string} work */
  save(work) {
    if (!['open', 'unread', 'foreign'].includes(this.state)) return;
    this.#waiting.work = work;
    this.#flush();
  }

  /** @param {Report} report */
  report(report) {
    if (!['open', 'unread', 'foreign'].includes(this.state)) return;
    const { cells } = this.#waiting;
    this.#waiting = { work: report.work, report, cells: [...cells, ...report.cells] };
    this.#flush();
    this.#commit();
  }

  /** Writes what waits; what is refused waits on. */
  #flush() {
    if (this.state === 'unread' && this.#waiting.cells.length > 0) this.#reportCells();
    if (this.state !== 'open' || !this.saving) return;
    const isWritten = this.#mark() && this.#write() && this.#score() && this.#status();
    /* Another window's work may have been no work of this exercise. */
    if (/** @type {State} */ (this.state) === 'foreign') return;
    this.#reportCells();
    if (!isWritten) this.#refused();
    else if (!this.trouble) this.#after(COMMIT_DELAY_MS, this.#commit);
    this.follow();
  }

  /** The attempt goes on, and may be interrupted: said once, with the first thing that is written. */
  #mark() {
    const { set, version } = this.#api;
    if (this.#marked) return true;
    if (this.fresh) set(version.status, 'incomplete');
    this.#marked = set(version.exit, 'suspend');
    return this.#marked;
  }

  /** @param {string} text */
  #meet(text) {
    this.#texts.delete(text);
    this.#texts.add(text);
  }

  /** The texts that this page read or wrote last. The platform may have any of them, whatever it says. */
  get met() {
    return [...this.#texts].slice(-MAX_TEXTS);
  }

  /** Whether this page read or wrote a text, which the platform may have cut since. @param {string} text */
  #isOurs(text) {
    return [...this.#texts].some((one) => one.startsWith(text));
  }

  #write() {
    if (this.#waiting.work === null) return true;
    const before = this.#api.get(WORK).value;
    if (!this.#isOurs(before)) {
      const work = this.take(before, this.saved);
      if (work === null) {
        this.state = 'foreign';
        return false;
      }
      this.#meet(before);
      this.#waiting.work = work;
    }
    const { work } = this.#waiting;
    this.#meet(work);
    const isSet = this.#api.set(WORK, work);
    /* Some platforms cut a text, or drop it, and say nothing. */
    const kept = this.#api.get(WORK).value;
    if (!isSet || kept !== work) return false;
    this.#waiting.work = null;
    this.#sent = work;
    this.#uncommitted = true;
    return true;
  }

  /** What was written last. */
  #sent = '';

  #score() {
    const { report } = this.#waiting;
    if (!report) return true;
    const { version, set } = this.#api;
    /* A window that has not heard of a better score may be older than the one that earned it. */
    const { value } = this.#api.get(`${version.score}.raw`);
    const isBetter = value === '' || !(Number(value) > 100 * report.score);
    if (isBetter && !version.setScore(report.score, set)) return false;
    this.#uncommitted = true;
    if (report.done && !this.#complete()) return false;
    this.#waiting.report = null;
    return true;
  }

  #status() {
    if (this.#owesStatus && !this.#complete()) return false;
    this.#owesStatus = false;
    return true;
  }

  /** Every cell was answered and checked: said at once, because a page that is killed says nothing. What the platform
   * calls passed or failed stays so. */
  #complete() {
    const { version, set } = this.#api;
    const { value, error } = this.#api.get(version.status);
    if (STATUSES.slice(3).includes(value)) return true;
    if (value === '' && !['', '0', '403'].includes(error)) return false;
    this.#uncommitted = true;
    return set(version.status, 'completed');
  }

  #commit = () => {
    if (this.state !== 'open' || !this.saving) return;
    const { work, report } = this.#waiting;
    if (work === null && report === null && this.#api.does('Commit', '')) this.#confirmed();
    else this.#refused();
  };

  #confirmed() {
    this.#uncommitted = false;
    if (this.#sent) this.saved = this.#sent;
    this.savedAt = new Date();
    this.again ||= this.trouble !== null;
    this.trouble = null;
    this.#pause = RETRY_MS[0];
    clearTimeout(this.#timer);
    this.follow();
  }

  #refused() {
    this.trouble ??= { since: new Date(), error: '' };
    this.trouble.error = this.#api.error;
    this.#after(this.#pause, this.#retry);
    this.#pause = Math.min(2 * this.#pause, RETRY_MS[1]);
    this.follow();
  }

  #retry = () => {
    this.#api.renew();
    this.#uncommitted = true;
    this.#waiting.work ??= this.#sent || null;
    this.#flush();
    this.#commit();
  };

  // ---- The cells that were checked ----

  /** Interactions are optional: a platform that refuses them may keep all the rest. */
  #reportCells() {
    this.#waiting.cells = this.#waiting.cells.filter((cell) => !this.#interaction(cell));
    if (this.#interactions > 0 && this.#uncommitted) this.#place();
  }

  /** Platforms that do not count their interactions would write one over the other at the next visit. */
  #place() {
    this.#api.set(this.#api.version.place, `interactions ${this.#interactions}`);
  }

  /**
   * @param {Report['cells'][number]} marked
   * @returns {boolean} whether there is no more to say of it
   */
  #interaction({ cell, answer, points, message }) {
    if (answer === '' || this.#reported.get(cell) === answer) return true;
    const { type, time, timestamp, response, wrong, hasDescriptions } = this.#api.version;
    const count = Number(this.#api.get('cmi.interactions._count').value) || 0;
    let n = Math.max(count, this.#interactions);
    if (n >= MAX_INTERACTIONS) return true;
    const set = (/** @type {string} */ part, /** @type {string} */ value) =>
      this.#api.set(`cmi.interactions.${n}.${part}`, value);
    /* The identifier comes first, with no sign that it may not have. */
    const id = cell.replace(/\W+/g, '_').replace(/_$/, '');
    if (!set('id', id)) {
      /* A platform that counts allows no gap. */
      if (count === n || count === 0) return false;
      n = count;
      if (!set('id', id)) return false;
    }
    this.#interactions = n + 1;
    this.#reported.set(cell, answer);
    set('type', type);
    set(time, timestamp(new Date()));
    set(response, answer.replace(/\p{Cc}/gu, ' '));
    const results = { 0: wrong, 1: 'correct', none: 'neutral' };
    set('result', results[/** @type {0} */ (points ?? 'none')] ?? String(points));
    if (hasDescriptions && message) set('description', message.slice(0, 250));
    return true;
  }

  // ---- The end ----

  #time() {
    const { version, set } = this.#api;
    const seconds = Math.round((performance.now() - this.#begun) / 1000);
    set(version.session, version.duration(seconds));
  }

  hide() {
    if (this.state !== 'open' || !this.saving) return;
    this.#time();
    this.#flush();
    this.#commit();
  }

  /**
   * Ends the attempt, once: a page may be left by several ways at a time. The end commits; a commit before it would
   * wait for an answer, which no browser lets a page do that is left.
   */
  leave() {
    clearTimeout(this.#timer);
    if (['absent', 'review', 'ended'].includes(this.state)) return;
    this.#flush();
    clearTimeout(this.#timer);
    /* Without these a platform may take a page that was only opened for one that was completed, or drop the work. */
    this.#mark();
    this.#time();
    const { work } = this.#waiting;
    this.state = 'ended';
    if (this.#api.does('End', '') && work === null) this.#confirmed();
  }
}
