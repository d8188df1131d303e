// Type in a drawing: as large on the screen however large the drawing is.
import { memoized } from '../draw/memoized.js';

/** @typedef {import('lit').ReactiveController & import('lit').ReactiveControllerHost & Element} Host */

/** px that type has at least; what is smaller than names, as a part of them. */
const LEAST = 12;
const SMALL = 0.75;

/** How wide texts are, by their fonts. @type {Map<string, number>} */
const widths = new Map();

/** What measures. */
const ruler = memoized((/** @type {Document} */ page) => {
  /* What was measured before its face came is measured again. */
  page.fonts.addEventListener('loadingdone', () => widths.clear());
  return /** @type {CanvasRenderingContext2D} */ (page.createElement('canvas').getContext('2d'));
});

/** The faces of a page, or of a figure in somebody else's. */
const facesOf = memoized((/** @type {Node} */ root) => {
  const within = root instanceof ShadowRoot ? root.querySelector('.root') : null;
  const style = getComputedStyle(within ?? document.documentElement);
  return { serif: style.getPropertyValue('--serif'), sans: style.getPropertyValue('--sans') };
});

/**
 * How wide a text is, in units of its size.
 * @param {string} words
 * @param {Node} within whose faces it has
 * @param {'serif' | 'sans'} face
 * @param {number} weight
 */
export function widthOf(words, within, face, weight) {
  const font = `${weight} 100px ${facesOf(within.getRootNode())[face]}`;
  const key = `${font} ${words}`;
  const measured = widths.get(key);
  if (measured !== undefined) return measured;
  const pen = ruler(document);
  pen.font = font;
  const width = pen.measureText(words).width / 100;
  widths.set(key, width);
  return width;
}

/** How wide a digit is, in units of its size. @param {Node} within whose face it has */
export const digitOf = (within) => widthOf('0', within, 'sans', 400);

/** How large type is in an element's drawings, which are alike: in their own units. */
export class Lettering {
  /**
   * @param {import('lit').ReactiveElement} host
   * @param {string} drawing selects the first of them: its font-size is that on the screen
   * @param {number} size of the drawing in its own units
   */
  constructor(host, drawing, size) {
    this.host = host;
    /** @type {string} */
    this.drawing = drawing;
    this.size = size;
    /** Of names. */
    this.type = 18;
    /** Of what is smallest. */
    this.small = 14;
    /** @type {Element | null} */
    this.observed = null;
    this.observer = new ResizeObserver(() => this.#measure());
    host.addController(this);
  }

  hostConnected() {
    document.fonts.addEventListener('loadingdone', this);
  }

  /** Faces came: names have other widths. */
  handleEvent() {
    this.host.requestUpdate();
  }

  hostUpdated() {
    const drawing = this.host.renderRoot.querySelector(this.drawing);
    if (drawing === this.observed) return;
    this.observer.disconnect();
    this.observed = drawing;
    if (drawing) this.observer.observe(drawing);
  }

  hostDisconnected() {
    document.fonts.removeEventListener('loadingdone', this);
    this.observer.disconnect();
    this.observed = null;
  }

  #measure() {
    const drawing = /** @type {Element} */ (this.observed);
    const { width } = drawing.getBoundingClientRect();
    if (!width) return;
    const unit = this.size / width;
    const type = Math.round(unit * Number.parseFloat(getComputedStyle(drawing).fontSize));
    if (type === this.type) return;
    this.type = type;
    this.small = Math.min(type, Math.max(SMALL * type, Math.ceil(unit * LEAST)));
    this.host.requestUpdate();
  }

  /** How wide a name is. @param {string} words */
  widthOf(words) {
    return this.type * widthOf(words, this.host, 'sans', 600);
  }
}
