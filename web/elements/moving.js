// Whether things move, which the page knows before it loads what does.

/** Where nothing moves: for readers who ask for that, and on paper. */
const STILL = ['(prefers-reduced-motion: reduce)', 'print'].map((query) => matchMedia(query));

/** Knows whether things move, and draws its host anew when that changes. */
export class Moving {
  /** @param {import('lit').LitElement} host */
  constructor(host) {
    this.changed = () => host.requestUpdate();
    host.addController(this);
  }

  get now() {
    return !STILL.some(({ matches }) => matches);
  }

  hostConnected() {
    for (const query of STILL) query.addEventListener('change', this.changed);
  }

  hostDisconnected() {
    for (const query of STILL) query.removeEventListener('change', this.changed);
  }
}
