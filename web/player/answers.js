// What the reader does in a scene: whether it opens the scene's gate, and what the page replies.
import { loadMarking, replyOf } from './gate-form.js';
import { dueOf, endOf, isDone, restOf, startOf, stillHolds } from './scene.js';
import { scopeIn, telling } from './telling.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */
/** @typedef {import('./gate-form.js').GateForm} GateForm */
/** @typedef {import('./gate-form.js').Verdict} Verdict */

/** The reply to the right answer, for a reader who comes back to a scene. @param {Scene} scene @returns {Verdict | null} */
const replyAgain = ({ gate }) =>
  gate?.right && /^(predict|click)$/.test(gate.do) ? { right: true, say: gate.right } : null;

export class Answers {
  /** Names of what was removed in this scene. @type {Set<string>} */
  removed = new Set();
  /** Whether the scene's walk was played. */
  played = false;
  /** Whether the reader has begun to answer, or played it. */
  isBegun = false;
  /** Wrong numbers in this scene. */
  #tries = 0;
  /** What is filled once the number that was asked for is computed. @type {ReturnType<typeof restOf>} */
  #rest = null;
  /** Whether a pointer is down, and whether something changed since the gate was tried. */
  #isHeld = false;
  #hasChanged = false;
  /** Whether the reader changed something in this scene: before, nothing is called wrong. */
  #hasActed = false;

  /** @param {import('./player.js').Player} player */
  constructor(player) {
    this.player = player;
    player.inside.addEventListener('pointerdown', this.#hold);
    player.inside.addEventListener('click', this.#clicked, { capture: true });
  }

  /** The reader comes to a scene. @param {Scene} scene */
  enter(scene) {
    const { player } = this;
    player.passed = !scene.gate || player.solved.has(scene);
    player.said = player.passed ? replyAgain(scene) : null;
    player.beside = null;
    player.hint = null;
    this.#rest = null;
    this.#tries = 0;
    this.#hasActed = false;
    this.isBegun = false;
  }

  /** The reader leaves a scene, perhaps to come back. */
  leave() {
    this.removed = new Set();
    this.played = false;
  }

  // ---- What opens a gate ----

  /** What is dragged stays under the finger: nothing is said until that leaves. */
  #hold = () => {
    const held = new AbortController();
    const release = () => {
      held.abort();
      this.#isHeld = false;
      this.#try();
    };
    this.#isHeld = true;
    addEventListener('pointerup', release, held);
    addEventListener('pointercancel', release, held);
  };

  /** What a scene shows was computed: the reader need not have asked for it. */
  computed() {
    this.#hasChanged = true;
    this.#try();
  }

  /** The state has changed. */
  changed() {
    this.#hasActed = true;
    this.computed();
    if (this.#rest) requestAnimationFrame(this.#fill);
  }

  /** Fills the matrix of the number that was asked for, once nothing moves. */
  #fill = () => {
    const { player } = this;
    const rest = this.#rest;
    if (!rest || player.placed !== player.shown) return;
    if (player.playing) return requestAnimationFrame(this.#fill);
    this.#rest = null;
    if (rest.t > Number(player.view?.state.t)) player.change({ change: rest, passing: true });
  };

  /** Opens the gate if what the reader did is what it asks for. */
  async #try() {
    const { player } = this;
    const { shown } = player;
    const gate = shown?.gate;
    const isOver = player.passed && player.said;
    if (!gate || isOver || this.#isHeld || !this.#hasChanged) return;
    this.#hasChanged = false;
    await player.body?.updateComplete;
    const { view } = player;
    if (player.shown !== shown || !view || player.placed !== shown) return;
    if (isDone({ ...shown, gate }, view, this)) this.pass({ right: true, say: gate.right });
    else if (gate.wrong && gate.until && !player.passed && this.#hasActed) {
      player.said = { right: false, say: gate.wrong };
    }
  }

  /** In front of a class: plays what is to be played, removes what is to be removed, one after the other, or gives the answer to
   * what is asked. @returns {boolean} whether there was something to give */
  reveal() {
    const { shown, passed, placed, playing } = this.player;
    const gate = shown?.gate;
    if (!gate || passed || playing || placed !== shown) return false;
    if (gate.do === 'play') this.play();
    else if (gate.do === 'predict' || gate.do === 'click')
      this.pass({ right: true, say: gate.right, earned: false });
    else if (gate.do === 'remove') {
      const next = gate.names?.find((name) => !this.removed.has(name));
      this.player.change({ change: { remove: [next], open: null } });
    } else return false;
    return true;
  }

  /** Opens the scene's gate. @param {Verdict} verdict */
  pass(verdict) {
    const { player } = this;
    const { shown, view } = player;
    this.isBegun = true;
    player.passed = true;
    player.beside = null;
    player.hint = null;
    player.said = verdict.say || verdict.key || verdict.more || !shown?.after ? verdict : null;
    if (!shown?.gate || !view) return;
    if (verdict.earned !== false) player.solved.add(shown);
    player.light();
    const t = dueOf(shown, view);
    this.#rest = restOf(shown, view, player.lesson?.scenes ?? []);
    /* What lies between is no part of the answer. */
    if (shown.gate.do === 'predict' && shown.gate.to)
      player.change({ change: { t }, passing: true });
    else if (t > view.state.t) player.walkthrough?.play(t);
    else requestAnimationFrame(this.#fill);
    /* Enter goes on. What is dragged keeps the focus. */
    if (player.form) player.lead();
  }

  /** A question that is answered is asked again. */
  again = () => {
    const { player } = this;
    player.placed = null;
    player.entering = player.go(player.called, player.state.scene);
  };

  /** The form of a gate has a verdict. One that comes after its scene was left is about other numbers: it is dropped.
   * @param {CustomEvent<Verdict | null>} event null: what was said is over */
  answered = ({ detail, target }) => {
    const { player } = this;
    const form = /** @type {GateForm} */ (target);
    if (form.gate !== player.shown?.gate || player.placed !== player.shown) return;
    this.isBegun = true;
    /* A button that was pressed is disabled then, and the keyboard would be nowhere. */
    if (detail && document.activeElement?.matches('.options :focus-visible')) player.lead();
    if (detail?.right) this.pass(detail);
    else if (detail?.written) this.#mark(detail, form);
    else player.said = detail;
  };

  /**
   * Looks for the mistake that gives a wrong number, and plays it.
   * @param {Verdict} verdict
   * @param {GateForm} form
   */
  async #mark(verdict, form) {
    const { player } = this;
    const { shown } = player;
    const mistake = await loadMarking();
    if (!player.view || !shown || player.shown !== shown) return;
    this.#hint(form);
    if (mistake) await mistake.mark(player, verdict, form);
    else player.said = verdict;
  }

  /** From the second wrong number on, more and more of the way is shown. @param {GateForm} form */
  async #hint(form) {
    const { player } = this;
    const { shown, view } = player;
    this.#tries += 1;
    /* Bars show what their shares are computed from. */
    if (this.#tries < 2 || !view || shown?.picture.kind === 'bars') return;
    const { hintAfter } = await import('./hint.js');
    const path = form.gate.numbers?.[Math.max(0, form.typed.indexOf(false))] ?? '';
    if (player.shown === shown && !player.passed) player.hint = hintAfter(view, path, this.#tries);
  }

  /** A cell of the picture may be what a gate asks for. @param {Event} event */
  #clicked = (event) => {
    const { form, shown } = this.player;
    const cell = /** @type {Element} */ (event.target).closest('[data-gate], [data-node]');
    if (!cell || !form || !/^(click|predict)$/.test(shown?.gate?.do ?? '')) return;
    const { gate, node = '', index = '' } = /** @type {HTMLElement} */ (cell).dataset;
    const [name, place] = gate ? gate.split(':') : [node, index];
    form.pick(name, place);
  };

  /** Plays what the scene's gate asks for, or holds it. */
  play = () => {
    const { shown, view, film, walkthrough, playing } = this.player;
    const gate = shown?.gate;
    if (!gate || !view) return;
    if (playing) return this.player.pause();
    this.played = true;
    this.isBegun = true;
    if (!film) {
      const end = view.steps ? null : endOf(gate, view);
      const isOver = end !== null && view.state.t >= end;
      const start = isOver ? startOf(shown, view) : null;
      if (start) this.player.change({ change: start, passing: true });
      walkthrough?.play(end);
      return;
    }
    film
      .play()
      .then(() => this.player.shown === shown && this.pass({ right: true, say: gate.right }));
  };

  // ---- What the page replies ----

  /** What is said of the reader's answer: of what no longer holds, how it is now. */
  get verdict() {
    const { said, shown } = this.player;
    const now = !this.holds && said?.right && shown?.gate?.wrong;
    return now ? { right: false, say: now } : said;
  }

  /** The reply to the reader's answer in the scene that is shown, or to what was to be done; null while there is none. */
  get reply() {
    const { passed, view, placed, shown } = this.player;
    const said = this.verdict;
    /* The view may still be that of the scene before. */
    if (!view || placed !== shown) return null;
    const { after, gate } = /** @type {Scene} */ (shown);
    const [off] = view.state.remove ?? [];
    const each = gate?.replies?.[/** @type {string[]} */ (gate.names).indexOf(off)];
    if (each) return telling(each, scopeIn(view));
    if (said) return replyOf(said, scopeIn(view));
    return passed && after ? telling(after, scopeIn(view)) : null;
  }

  /** Whether that still holds. */
  get holds() {
    const { passed, shown, view, placed } = this.player;
    /* The view may still be that of the scene before. */
    return !(passed && shown?.gate && view && placed === shown) || stillHolds(shown.gate, view);
  }
}
