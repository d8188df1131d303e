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

/** What each version calls things, and how it writes values: 1.2 first. */
const NAMES = {
  api: ['API', 'API_1484_11'],
  prefix: ['LMS', ''],
  end: ['LMSFinish', 'Terminate'],
  status: ['cmi.core.lesson_status', 'cmi.completion_status'],
  exit: ['cmi.core.exit', 'cmi.exit'],
  mode: ['cmi.core.lesson_mode', 'cmi.mode'],
  entry: ['cmi.core.entry', 'cmi.entry'],
  learner: ['cmi.core.student_id', 'cmi.learner_id'],
  place: ['cmi.core.lesson_location', 'cmi.location'],
  session: ['cmi.core.session_time', 'cmi.session_time'],
  score: ['cmi.core.score', 'cmi.score'],
  /* 1.2 has no other type for a number that may be a fraction. */
  type: ['fill-in', 'other'],
  time: ['time', 'timestamp'],
  response: ['student_response', 'learner_response'],
  wrong: ['wrong', 'incorrect'],
};

/** @param {0 | 1} n */
function versionOf(n) {
  const names = /** @type {Record<keyof typeof NAMES, string>} */ (
    Object.fromEntries(Object.entries(NAMES).map(([name, both]) => [name, both[n]]))
  );
  return {
    ...names,
    hasDescriptions: n === 1,
    method: (/** @type {string} */ name) => `${names.prefix}${name}`,
    duration: (/** @type {number} */ seconds) => {
      const [hours, minutes, rest] = split(seconds);
      return n === 1
        ? `PT${hours}H${minutes}M${rest}S`
        : [String(hours).padStart(4, '0'), two(minutes), two(rest)].join(':');
    },
    timestamp: (/** @type {Date} */ now) => (n === 1 ? `${day(now)}T${clock(now)}` : clock(now)),
    /* Minimum, maximum and scaled are optional; whether the score itself was accepted counts. */
    setScore: (/** @type {number} */ score, /** @type {Setter} */ set) => {
      if (n === 1) set(`${names.score}.scaled`, String(Number(score.toFixed(4))));
      set(`${names.score}.min`, '0');
      set(`${names.score}.max`, '100');
      return set(`${names.score}.raw`, String(Number((100 * score).toFixed(2))));
    },
  };
}

export const VERSIONS = { scorm12: versionOf(0), scorm2004: versionOf(1) };
