// What the page of a package can do: the exports of page.js that one exercise needs.

import { load } from '../../bindings/index.js';
import { worksheet } from '../../bindings/learn/exercises/formats/page.js';
import { hints } from '../../bindings/learn/exercises/marking/hints.js';
import { mark } from '../../bindings/learn/exercises/marking/mark.js';

export const exercises = async () => ({ hints, mark, worksheet });

export class Session {
  /** @param {Awaited<ReturnType<typeof load>>} core */
  constructor(core) {
    this.core = core;
  }

  static async start() {
    return new Session(await load());
  }
}
