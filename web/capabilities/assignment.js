// What the page of a package can do: the exports of page.js that one exercise needs.
import { worksheet } from '../../bindings/exercises/formats/page.js';
import { hints } from '../../bindings/exercises/marking/hints.js';
import { mark } from '../../bindings/exercises/marking/mark.js';
import { load } from '../../bindings/index.js';

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
