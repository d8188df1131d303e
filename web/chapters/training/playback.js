// Playing a training: which steps may be taken by now, and the step that is taken apart meanwhile.
import { change } from '../../stage/elements/ask.js';

/** In a lesson or a figure a training takes at least so long, in so many parts: it is watched like a film. */
const FILM = { ms: 8000, parts: 100 };

/** @typedef {import('lit').ReactiveController} Controller */

/** @implements {Controller} */
export class Playback {
  #host;
  isPlaying = false;
  /** The step that is taken apart while others are taken. @type {number | null} */
  held = null;
  /** Steps that may be taken by now, while it is played. */
  allowed = 0;
  #timer = 0;
  /** Whether another chapter was opened while it was playing. */
  #wasPlaying = false;

  /** @param {import('./element.js').Training} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    if (this.#wasPlaying && !this.#host.lens) this.play();
    this.#wasPlaying = false;
  }

  /** No step is taken while another chapter is open; the run goes on when this one is opened again. */
  hostDisconnected() {
    this.#wasPlaying = this.isPlaying;
    this.pause();
  }

  get #isOver() {
    const { last, plan, course } = this.#host;
    return last >= plan.steps || course?.ended;
  }

  /** Trains until all steps are taken; in a lesson or a figure from the beginning where they are. */
  async play() {
    const host = this.#host;
    if (this.#isOver && host.shows) {
      this.reset();
      await host.updateComplete;
      await host.course?.rest();
    }
    if (this.#isOver) return;
    this.held = host.state.view === 'run' ? null : host.shown;
    if (host.state.step !== null) change(host, { step: null }, { passing: true });
    this.isPlaying = true;
    this.allowed = host.last;
    this.#allow();
  }

  /** Allows some more steps: all, or of a film those of its next part. */
  #allow = () => {
    if (!this.isPlaying) return;
    const { last, plan, shows } = this.#host;
    if (last >= this.allowed)
      this.allowed = last + (shows ? Math.ceil(plan.steps / FILM.parts) : plan.steps);
    clearTimeout(this.#timer);
    if (shows) this.#timer = window.setTimeout(this.#allow, FILM.ms / FILM.parts);
    this.#host.requestUpdate();
  };

  /** Stops where it is. */
  stop() {
    this.isPlaying = false;
    this.#host.requestUpdate();
  }

  /** Stops, and lets the link lead to the step at which it was paused. */
  pause() {
    const host = this.#host;
    if (!this.isPlaying) return;
    this.stop();
    this.held = null;
    host.course?.rest().then(() => {
      if (!this.isPlaying && host.state.step === null && host.isConnected) {
        change(host, { step: host.last }, { passing: true });
      }
    });
  }

  /** Takes one step. */
  step() {
    if (this.#isOver) return;
    this.stop();
    change(this.#host, { step: this.#host.last + 1 }, { passing: true });
  }

  reset() {
    this.stop();
    this.#host.course?.restart();
    change(this.#host, { step: null, view: 'run' });
  }

  /** Hears of another state. @param {import('./state.js').State} before @param {boolean} isOtherPlan */
  follow(before, isOtherPlan) {
    const { state, last, first } = this.#host;
    if (isOtherPlan || state.step !== null) this.isPlaying = false;
    if (state.view === 'run' || !this.isPlaying) this.held = null;
    else if (before.view === 'run') this.held = Math.max(last, first + 1);
    /* What walks through a step has a Play of its own. */
    if (state.view === 'values') this.pause();
  }
}
