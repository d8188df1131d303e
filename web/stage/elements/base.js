import { LitElement } from 'lit';
import { decimalPoint, languageChange } from '../../app/locale/text.js';
import { withStyle } from '../draw/format.js';

/** How many digits are shown in a page, or in a figure of somebody else's page.
 * @type {WeakMap<Node, import('../draw/format.js').Digits>} */
const chosen = new WeakMap();

/**
 * What all elements share: they draw into the page itself, so that text can be selected and every
 * number found by its data-node; they ask for changes by one event, 'gf-act', and tell themselves anew
 * in another language, or with other digits.
 */
export class Base extends LitElement {
  /** @returns {HTMLElement | ShadowRoot} */
  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    languageChange.addEventListener('change', this.#retell);
    // It may have been out of the page while the language changed.
    this.#retell();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    languageChange.removeEventListener('change', this.#retell);
  }

  /** Whether all is to be told anew, also what stands as it stood. */
  #anew = false;

  #retell = () => {
    this.#anew = true;
    this.requestUpdate();
  };

  /** Everything around writes its numbers anew if they are to have other digits than before.
   * @param {import('../draw/format.js').Digits} digits */
  chooseDigits(digits) {
    const root = this.renderRoot.getRootNode();
    if (chosen.get(root) === digits) return;
    chosen.set(root, digits);
    languageChange.dispatchEvent(new Event('change'));
  }

  /** What an element waits for before it is drawn; undefined for nothing.
   * @type {(element: Base) => Promise<void> | undefined} */
  static turnOf = () => undefined;

  scheduleUpdate() {
    return Base.turnOf(this)?.then(() => super.scheduleUpdate()) ?? super.scheduleUpdate();
  }

  /** Does a work that writes numbers, with the digits and the decimal mark of what is around; in a lesson without powers of ten. Drawing is one; what is
   * written at another time has to ask for this.
   * @template T @param {() => T} work */
  inStyle(work) {
    const digits = chosen.get(this.getRootNode()) ?? 'text';
    const plain = this.closest('.teaching') !== null;
    return withStyle({ digits, point: decimalPoint(), plain }, work);
  }

  performUpdate() {
    this.inStyle(() => super.performUpdate());
    this.#anew = false;
  }

  /**
   * Whether all that is seen anew of a view is how much of a moment is over: that is seen in what travels alone.
   * @param {Map<PropertyKey, any>} changed
   */
  stands(changed) {
    if (this.#anew) return false;
    const before = changed.get('view');
    const { view } = /** @type {any} */ (this);
    return changed.size === 1 && !!before && before.still === view?.still;
  }

  /** What changedSince() was asked about last. */
  #sight = '';

  /**
   * Whether something else is to be brought into sight than before. To ask where things are makes the
   * browser lay out a page that is not drawn yet, so that is done for this alone.
   * @param {string} what
   */
  changedSince(what) {
    const other = what !== this.#sight;
    this.#sight = what;
    return other;
  }

  /**
   * Says something to the reader.
   * @param {string} text
   * @param {() => void} [again] what may mend it
   */
  tell(text, again) {
    const detail = { text, again };
    this.dispatchEvent(new CustomEvent('gf-notice', { detail, bubbles: true }));
  }

  /** @param {Action} action */
  act(action) {
    this.dispatchEvent(new CustomEvent('gf-act', { detail: action, bubbles: true }));
  }
}

/** An element that draws a view of a walkthrough. */
export class ViewElement extends Base {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  /** Between two steps only what travels is drawn anew. @param {Map<PropertyKey, any>} changed */
  shouldUpdate(changed) {
    return !this.stands(changed);
  }
}

/**
 * @typedef {import('../draw/tensor.js').Cell} Cell
 * @typedef {(
 *   { do: 'point', cell: Cell | null, stage: boolean } |
 *   { do: 'pick', cell: Cell, stage: boolean } |
 *   { do: 'open', cell: Cell } |
 *   { do: 'edit', cell: Cell, text: string, done?: () => void } |
 *   { do: 'drag', edits: (Cell & { value: number })[], begins: boolean, ends: boolean } |
 *   { do: 'back', depth: number } |
 *   { do: 'goto', t: number } |
 *   { do: 'scrub', clock: number } |
 *   { do: 'step', by: 1 | -1 } |
 *   { do: 'play' | 'undo' | 'redo' | 'reset' | 'share' | 'theme' | 'keys' | 'present' | 'gradient' | 'export' | 'digits' } |
 *   { do: 'speed', speed: number } |
 *   { do: 'size', by: 1 | -1 } |
 *   { do: 'language', lang: string } |
 *   { do: 'round', round: import('../draw/format.js').Digits } |
 *   { do: 'level', level: import('../../app/state/timeline.js').Level } |
 *   { do: 'remove', name: string } |
 *   { do: 'set', change: Record<string, any> } |
 *   { do: 'example', name: string } |
 *   { do: 'sentence', sentence: import('../../app/state/walk.js').Sentence, done?: () => void } |
 *   { do: 'matrices', matrices: string, done?: () => void } |
 *   { do: 'cell', cell: Cell }
 * )} Action
 */
