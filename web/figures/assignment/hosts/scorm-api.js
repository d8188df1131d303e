// The API object of a SCORM platform: finds it, calls it, and judges how far its answers can be believed.
import { VERSIONS } from './scorm-versions.js';

/** @typedef {import('./scorm-versions.js').Version} Version */

/** What an attempt that goes on may be. */
export const STATUSES = ['not attempted', 'unknown', 'incomplete', 'completed', 'passed', 'failed'];
/** An error of a platform that has no session: the attempt must begin again. */
const NO_SESSION = /^(301|1[1-4]2)$/;
/** A read that fails may succeed at once when it is repeated. */
const READS = 3;

/**
 * The API of a version, in the windows around this one or around its opener.
 * @param {Version} version
 */
function apiOf({ api, method }) {
  /** @type {Set<any>} */
  const seen = new Set();
  for (const start of [window, window.opener, window.top?.opener]) {
    for (let frame = start; frame && !seen.has(frame); frame = frame.parent) {
      seen.add(frame);
      try {
        if (typeof frame[api]?.[method('Initialize')] === 'function') return frame[api];
      } catch {
        /* A window of another origin has none for this page. */
      }
    }
  }
  return null;
}

export class Api {
  /** Whether its last error was seen to be "0" after a success. Some platforms always report the same error. */
  #honest = false;
  /** The error of the last call that failed, for the reader; '' if the platform reports none. */
  error = '';

  /** @param {Version} version @param {any} object */
  constructor(version, object) {
    this.version = version;
    this.object = object;
  }

  /**
   * The API that this page belongs to, its attempt begun; null where there is none.
   * @param {keyof typeof VERSIONS} first the version that is looked for first
   */
  static find(first) {
    const others = Object.values(VERSIONS).filter((one) => one !== VERSIONS[first]);
    for (const version of [VERSIONS[first], ...others]) {
      const object = apiOf(version);
      if (!object) continue;
      const api = new Api(version, object);
      /* A platform that began the attempt itself refuses to begin it again. */
      if (api.does('Initialize', '') || STATUSES.includes(api.get(version.status).value))
        return api;
    }
    return null;
  }

  /** Begins again where the platform lost the session, or has another API object now. */
  renew() {
    const object = apiOf(this.version) ?? this.object;
    if (object === this.object && !NO_SESSION.test(this.error)) return;
    this.object = object;
    this.does('Initialize', '');
  }

  #code() {
    try {
      return String(this.object[this.version.method('GetLastError')]() ?? '');
    } catch {
      return '';
    }
  }

  /** A call that succeeded must leave error 0. */
  #calibrate() {
    this.#honest ||= this.#code() === '0';
  }

  /**
   * A call that answers with true or false.
   * @param {string} name @param {...string} params
   * @returns {boolean} whether the platform says that it succeeded
   */
  does(name, ...params) {
    try {
      const method = name === 'End' ? this.version.end : this.version.method(name);
      const isDone = /^(true|1)$/.test(String(this.object[method](...params)));
      if (isDone) this.#calibrate();
      else this.error = this.#code();
      return isDone;
    } catch {
      this.error = '';
      return false;
    }
  }

  /** @param {string} element @param {string} value */
  set = (element, value) => this.does('SetValue', element, value);

  /**
   * A value, and the error where there is none: '0' if the platform says that all is well, '' if it
   * cannot be known, 'thrown' if the call threw.
   * @param {string} element
   * @returns {{ value: string, error: string }}
   */
  get(element) {
    let error = '';
    for (let read = 0; read < READS; read++) {
      try {
        const value = String(this.object[this.version.method('GetValue')](element) ?? '');
        /* Some platforms answer a failed read as they answer a failed write. */
        if (!/^(\s*|null|undefined|false|0)$/.test(value)) {
          this.#calibrate();
          return { value, error: '0' };
        }
        error = this.#honest ? this.#code() : '';
      } catch {
        error = 'thrown';
      }
      if (error === '0' || error === '403') break;
    }
    return { value: '', error };
  }
}
