// How SCORM 1.2 and 2004 say the same things.

/** @typedef {(element: string, value: string) => boolean} Setter whether the platform accepted the value */
/** @typedef {typeof VERSIONS[keyof typeof VERSIONS]} Version */

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

/** Minimum and maximum are optional; whether the score itself was accepted counts.
 * @param {string} element @param {number} score @param {Setter} set */
function setScore(element, score, set) {
  set(`${element}.min`, '0');
  set(`${element}.max`, '100');
  return set(`${element}.raw`, String(Number((100 * score).toFixed(2))));
}

/** The elements of each version, and how it writes their values. */
export const VERSIONS = {
  scorm12: {
    api: 'API',
    method: (/** @type {string} */ name) => `LMS${name}`,
    end: 'LMSFinish',
    status: 'cmi.core.lesson_status',
    exit: 'cmi.core.exit',
    mode: 'cmi.core.lesson_mode',
    entry: 'cmi.core.entry',
    learner: 'cmi.core.student_id',
    place: 'cmi.core.lesson_location',
    raw: 'cmi.core.score.raw',
    session: 'cmi.core.session_time',
    duration: (/** @type {number} */ seconds) => {
      const [hours, minutes, rest] = split(seconds);
      return [String(hours).padStart(4, '0'), two(minutes), two(rest)].join(':');
    },
    score: (/** @type {number} */ score, /** @type {Setter} */ set) =>
      setScore('cmi.core.score', score, set),
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
    entry: 'cmi.entry',
    learner: 'cmi.learner_id',
    place: 'cmi.location',
    raw: 'cmi.score.raw',
    session: 'cmi.session_time',
    duration: (/** @type {number} */ seconds) => {
      const [hours, minutes, rest] = split(seconds);
      return `PT${hours}H${minutes}M${rest}S`;
    },
    score: (/** @type {number} */ score, /** @type {Setter} */ set) => {
      set('cmi.score.scaled', String(Number(score.toFixed(4))));
      return setScore('cmi.score', score, set);
    },
    type: 'other',
    time: 'timestamp',
    timestamp: (/** @type {Date} */ now) => `${day(now)}T${clock(now)}`,
    response: 'learner_response',
    wrong: 'incorrect',
    says: true,
  },
};
