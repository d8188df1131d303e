// Calls a function with the milliseconds of each frame while something plays. There is one loop, however often it is
// started.

export class Player {
  #pass;
  /** @type {object | null} the loop that runs; an older one ends when it finds another here */
  #run = null;

  /** @param {(ms: number) => boolean} pass lets so much time pass; whether there is more to come */
  constructor(pass) {
    this.#pass = pass;
  }

  get running() {
    return this.#run !== null;
  }

  start() {
    if (this.#run) return;
    const run = {};
    this.#run = run;
    let before = performance.now();
    const frame = (/** @type {number} */ now) => {
      if (this.#run !== run) return;
      const ms = now - before;
      before = now;
      if (this.#pass(ms)) requestAnimationFrame(frame);
      else this.stop();
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.#run = null;
  }
}
