// A learning platform that speaks SCORM 1.2 or 2004 and fails on demand. What is set belongs to the session; a commit
// stores it. Runs in Node and, as text, in a page.

/**
 * @typedef {object} Faults what goes wrong with a call: an answer in place of the right one
 *   throw, false, undefined, empty: the call does nothing; drop: it says "true" and does nothing; cut: it keeps half
 * @property {(name: string, element: string) => '' | 'throw' | 'false' | 'undefined' | 'empty' | 'drop' | 'cut'} fault
 * @property {'honest' | 'always 101' | 'always 0' | 'none'} errors what GetLastError says
 * @property {boolean} numbers whether 1 and 0 stand for "true" and "false"
 */

/**
 * @param {'scorm12' | 'scorm2004'} standard
 * @param {Record<string, string>} stored what the platform has of the attempt, changed by commits
 * @param {Partial<Faults>} [faults]
 */
export function platform(standard, stored, faults = {}) {
  const is12 = standard === 'scorm12';
  const session = { ...stored };
  /** @type {{ name: string, given: string[], fault: string }[]} */
  const calls = [];
  let error = '0';
  let isOpen = false;
  const answer = (ok) => (faults.numbers ? Number(ok) : String(ok));
  const store = () => Object.assign(stored, session);
  const count = () =>
    Object.keys(session).filter((name) => /^cmi\.interactions\.\d+\.id$/.test(name)).length;
  const right = {
    Initialize: () => {
      isOpen = true;
      return answer(true);
    },
    GetValue: (element) =>
      element === 'cmi.interactions._count' ? String(count()) : (session[element] ?? ''),
    SetValue: (element, value, fault) => {
      if (fault !== 'drop')
        session[element] = fault === 'cut' ? value.slice(0, value.length / 2) : value;
      return answer(true);
    },
    Commit: () => {
      store();
      return answer(true);
    },
    End: () => {
      store();
      isOpen = false;
      return answer(true);
    },
  };
  const wrong = { false: () => answer(false), undefined: () => undefined, empty: () => '' };
  const made =
    (name) =>
    (...given) => {
      const fault = faults.fault?.(name, given[0]) ?? '';
      calls.push({ name, given, fault });
      error = '101';
      if (fault === 'throw') throw new Error('the platform is down');
      if (Object.hasOwn(wrong, fault)) return wrong[fault]();
      if (name !== 'Initialize' && !isOpen) {
        error = '301';
        return name === 'GetValue' ? '' : answer(false);
      }
      error = '0';
      return right[name](...(name === 'SetValue' ? [...given, fault] : given));
    };
  const named = (name) => (name === 'End' ? (is12 ? 'Finish' : 'Terminate') : name);
  const prefix = is12 ? 'LMS' : '';
  const api = Object.fromEntries(
    Object.keys(right).map((name) => [`${prefix}${named(name)}`, made(name)]),
  );
  if (faults.errors !== 'none') {
    api[`${prefix}GetLastError`] = () =>
      faults.errors === 'always 101' ? '101' : faults.errors === 'always 0' ? '0' : error;
  }
  return { api, name: is12 ? 'API' : 'API_1484_11', calls, session };
}

/** The elements that the standards name differently. */
export const ELEMENTS = {
  scorm12: {
    status: 'cmi.core.lesson_status',
    entry: 'cmi.core.entry',
    mode: 'cmi.core.lesson_mode',
    learner: 'cmi.core.student_id',
    raw: 'cmi.core.score.raw',
    session: 'cmi.core.session_time',
    fresh: 'not attempted',
  },
  scorm2004: {
    status: 'cmi.completion_status',
    entry: 'cmi.entry',
    mode: 'cmi.mode',
    learner: 'cmi.learner_id',
    raw: 'cmi.score.raw',
    session: 'cmi.session_time',
    fresh: 'unknown',
  },
};
