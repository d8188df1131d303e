// Whether things move in a figure: once the reader has pressed Play, and what moves has come. Until then, and where it
// does not come, figures show the steps.
import { Moving as Free } from '../elements/moving.js';
import { part } from './beside.js';

let there = false;
/** @type {Promise<void> | null} */
let coming = null;

const fetched = async () => {
  await part('motion');
  there = true;
};

export class Moving extends Free {
  /** @param {import('lit').LitElement & { playing: boolean }} host */
  constructor(host) {
    super(host);
    this.host = host;
    this.waits = false;
  }

  get now() {
    return there && super.now;
  }

  /** Nobody waits for what moves. */
  hostUpdated() {
    if (this.waits || !this.host.playing || !super.now) return;
    this.waits = true;
    coming ??= fetched();
    coming.then(this.changed, () => {});
  }
}
