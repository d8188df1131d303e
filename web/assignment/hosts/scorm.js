// SCORM 1.2 and 2004. Their API is an object of a window around this one, or of the one that opened it; it may be slow,
// refuse or throw, and none of that may stop a learner.

/** @typedef {import('./host.js').Host} Host */
/** @typedef {import('./host.js').Report} Report */
/** @typedef {(element: string, value: string) => void} Setter */

/** A commit waits so long for more to be typed. */
const PAUSE = 3000;
/** Of cells that were checked: platforms need not keep more. */
const INTERACTIONS = 250;

/** What an attempt that goes on may be. */
const STATUSES = ['not attempted', 'unknown', 'incomplete', 'completed', 'passed', 'failed'];

/** @param {number} n */
const two = (n) => String(n).padStart(2, '0');
/** The time of day where the learner is. @param {Date} now */
const clock = (now) => [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
/** @param {Date} now */
const day = (now) => [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
/** @param {number} seconds */
const split = (seconds) => [
  Math.floor(seconds / 3600),
  Math.floor(seconds / 60) % 60,
  seconds % 60,
];

/** How each version says the same things. */
export const VERSIONS = {
  scorm12: {
    api: 'API',
    method: (/** @type {string} */ name) => `LMS${name}`,
    end: 'LMSFinish',
    status: 'cmi.core.lesson_status',
    exit: 'cmi.core.exit',
    mode: 'cmi.core.lesson_mode',
    session: 'cmi.core.session_time',
    duration: (/** @type {number} */ seconds) => {
      const [hours, minutes, rest] = split(seconds);
      return [String(hours).padStart(4, '0'), two(minutes), two(rest)].join(':');
    },
    score: (/** @type {number} */ score, /** @type {Setter} */ set) => {
      set('cmi.core.score.min', '0');
      set('cmi.core.score.max', '100');
      set('cmi.core.score.raw', percent(score));
    },
    /* It knows no other type for a number that may be a fraction. */
    type: 'fill-in',
    time: 'time',
    timestamp: clock,
    response: 'student_response',
    wrong: 'wrong',
    says: false,
  },
  scorm2004: {
    api: 'API_1484_11',
    method: (/** @type {string} */ name) => name,
    end: 'Terminate',
    status: 'cmi.completion_status',
    exit: 'cmi.exit',
    mode: 'cmi.mode',
    session: 'cmi.session_time',
    duration: (/** @type {number} */ seconds) => {
      const [hours, minutes, rest] = split(seconds);
      return `PT${hours}H${minutes}M${rest}S`;
    },
    score: (/** @type {number} */ score, /** @type {Setter} */ set) => {
      set('cmi.score.min', '0');
      set('cmi.score.max', '100');
      set('cmi.score.raw', percent(score));
      set('cmi.score.scaled', String(Number(score.toFixed(4))));
    },
    type: 'other',
    time: 'timestamp',
    timestamp: (/** @type {Date} */ now) => `${day(now)}T${clock(now)}`,
    response: 'learner_response',
    wrong: 'incorrect',
    says: true,
  },
};

/** @param {number} score */
const percent = (score) => String(Number((100 * score).toFixed(2)));

/**
 * The API of a version, in the windows around this one or around its opener.
 * @param {typeof VERSIONS[keyof typeof VERSIONS]} version
 */
function apiOf({ api, method }) {
  /** @type {Set<any>} */
  const seen = new Set();
  for (const start of [window, window.opener, window.top?.opener]) {
    for (let at = start; at && !seen.has(at); at = at.parent) {
      seen.add(at);
      try {
        if (typeof at[api]?.[method('Initialize')] === 'function') return at[api];
      } catch {
        /* A window of another origin has none for this page. */
      }
    }
  }
  return null;
}

/** One learner's attempt. @implements {Host} */
export class Scorm {
  /** @type {(kept: unknown) => void} */
  take = () => {};
  /** When this session began. */
  #begun = Date.now();
  /** What was told last of each cell. @type {Map<string, string>} */
  #told = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;
  /** Nothing is written: a look back, or the end. */
  #closed = false;

  /** @param {typeof VERSIONS[keyof typeof VERSIONS]} version @param {any} api */
  constructor(version, api) {
    this.version = version;
    this.api = api;
  }

  /**
   * The attempt that this page belongs to, begun; null where there is none.
   * @param {keyof typeof VERSIONS} first the version that is looked for first
   */
  static connect(first) {
    const others = Object.values(VERSIONS).filter((one) => one !== VERSIONS[first]);
    for (const version of [VERSIONS[first], ...others]) {
      const api = apiOf(version);
      if (!api) continue;
      const attempt = new Scorm(version, api);
      if (attempt.#begin()) return attempt;
    }
    return null;
  }

  /** @param {string} name @param {...string} given */
  #call(name, ...given) {
    try {
      return String(this.api[name](...given) ?? '');
    } catch {
      return '';
    }
  }

  /** @param {string} element */
  #get(element) {
    return this.#call(this.version.method('GetValue'), element);
  }

  /** @param {string} element @param {string} value */
  #set = (element, value) => this.#call(this.version.method('SetValue'), element, value);

  /** A platform that began the attempt itself refuses to begin it again. */
  #begin() {
    const { method, mode, status, exit } = this.version;
    const begun =
      this.#call(method('Initialize'), '') === 'true' || STATUSES.includes(this.#get(status));
    if (!begun) return false;
    if (['review', 'browse'].includes(this.#get(mode))) {
      this.#closed = true;
      return true;
    }
    if (!STATUSES.slice(2).includes(this.#get(status))) this.#set(status, 'incomplete');
    this.#set(exit, 'suspend');
    return true;
  }

  /** Whether what is done is kept. */
  get keeps() {
    return !this.#closed;
  }

  ask() {
    this.take(this.#get('cmi.suspend_data'));
  }

  /** @param {string} work */
  save(work) {
    if (this.#closed) return;
    this.#set('cmi.suspend_data', work);
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#commit(), PAUSE);
  }

  #commit() {
    clearTimeout(this.#waiting);
    if (!this.#closed) this.#call(this.version.method('Commit'), '');
  }

  hide() {
    this.#commit();
  }

  /** @param {Report} report */
  report(report) {
    if (this.#closed) return;
    this.save(report.work);
    this.version.score(report.score, this.#set);
    for (const cell of report.cells) this.#interaction(cell);
    this.#commit();
  }

  /** @param {Report['cells'][number]} marked */
  #interaction({ cell, answer, points, message }) {
    if (answer === '' || this.#told.get(cell) === answer) return;
    const { type, time, timestamp, response, wrong, says } = this.version;
    const n = Number(this.#get('cmi.interactions._count'));
    if (!(n < INTERACTIONS)) return;
    this.#told.set(cell, answer);
    const set = (/** @type {string} */ part, /** @type {string} */ value) =>
      this.#set(`cmi.interactions.${n}.${part}`, value);
    /* The identifier comes first, with no sign that it may not have. */
    set('id', cell.replace(/\W+/g, '_').replace(/_$/, ''));
    set('type', type);
    set(time, timestamp(new Date()));
    set(response, answer);
    set('result', points === 1 ? 'correct' : points === 0 ? wrong : String(points));
    if (says) set('description', message.slice(0, 250));
  }

  /**
   * Ends the attempt, once: a page may be left by several ways at a time. The end commits; a commit before it would
   * wait for an answer, which no browser lets a page do that is left.
   * @param {Report | null} report
   */
  leave(report) {
    clearTimeout(this.#waiting);
    if (this.#closed) return;
    const { status, session, duration, end } = this.version;
    /* What the platform calls passed or failed stays so. */
    if (report?.done && this.#get(status) === 'incomplete') this.#set(status, 'completed');
    this.#set(session, duration(Math.round((Date.now() - this.#begun) / 1000)));
    this.#closed = true;
    this.#call(end, '');
  }
}
