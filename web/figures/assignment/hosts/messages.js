// Hosts that talk by messages with the frames in their pages: SPLICE (Runestone, PreTeXt, OpenDSA, Doenet), and who
// keeps xAPI statements.

/** @typedef {import('./host.js').Host} Host */
/** @typedef {import('./host.js').Report} Report */

/** @param {Record<string, unknown>} message */
const post = (message) => parent.postMessage(message, '*');

/** @implements {Host} */
export class Splice {
  /** @type {(kept: unknown) => void} */
  take = () => {};
  keeps = false;
  #asked = crypto.randomUUID?.() ?? String(Math.random());

  /** @param {string} id of the activity */
  constructor(id) {
    this.id = id;
    addEventListener('message', ({ source, data }) => {
      if (source !== parent || data?.subject !== 'SPLICE.getState.response') return;
      if (data.message_id !== this.#asked || data.error) return;
      this.keeps = true;
      this.take(data.state);
    });
  }

  /** @param {string} subject @param {Record<string, unknown>} [what] */
  #tell(subject, what) {
    post({ subject: `SPLICE.${subject}`, activity_id: this.id, ...what });
  }

  ask() {
    this.#tell('getState', { message_id: this.#asked });
  }

  /** @param {Report} report */
  report({ work, points, max, score, cells }) {
    this.#tell('reportScoreAndState', { score, state: work });
    this.#tell('sendEvent', { name: 'checked', data: { points, max, cells } });
  }
}

/** @implements {Host} */
export class Statements {
  /** @param {{ id: string, title: string, lang: string }} assignment */
  constructor({ id, title, lang }) {
    this.object = {
      objectType: 'Activity',
      id: `urn:glassformer:${id}`,
      definition: {
        name: { [lang]: title },
        type: 'http://adlnet.gov/expapi/activities/assessment',
      },
    };
  }

  /** @param {Report} report */
  report({ points, max, score, done }) {
    const statement = {
      verb: { id: 'http://adlnet.gov/expapi/verbs/scored', display: { en: 'scored' } },
      object: this.object,
      result: {
        score: { scaled: score, raw: points, min: 0, max },
        completion: done,
      },
      timestamp: new Date().toISOString(),
    };
    post({ action: 'xAPI', statement });
  }
}
