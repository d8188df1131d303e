// Whether the stage shows motion. The code for it is loaded when something first plays; until then the stage shows the
// steps alone.
import { motion } from '#capabilities';

/** Where nothing moves: for readers who ask for that, and on paper. */
const STILL = ['(prefers-reduced-motion: reduce)', 'print'].map((query) => matchMedia(query));

/** Knows whether things move, and draws its host anew when that changes. */
export class Moving {
  /** @param {import('lit').LitElement & { playing: boolean }} host */
  constructor(host) {
    this.host = host;
    this.changed = () => host.requestUpdate();
    this.asked = false;
    host.addController(this);
  }

  get now() {
    return motion.isReady && this.#isWanted;
  }

  get #isWanted() {
    return !STILL.some(({ matches }) => matches);
  }

  /** Nobody waits for what moves. */
  hostUpdated() {
    if (motion.isReady || this.asked || !this.host.playing || !this.#isWanted) return;
    this.asked = true;
    motion.load().then(this.changed, () => {});
  }

  hostConnected() {
    for (const query of STILL) query.addEventListener('change', this.changed);
  }

  hostDisconnected() {
    for (const query of STILL) query.removeEventListener('change', this.changed);
  }
}
