import { LitElement } from 'lit';

/**
 * What all elements share: they draw into the page itself, so that text can be selected and every
 * number found by its data-node, and they ask for changes by one event, 'gf-act'.
 */
export class Base extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** @param {Action} action */
  act(action) {
    this.dispatchEvent(new CustomEvent('gf-act', { detail: action, bubbles: true }));
  }
}

/**
 * @typedef {import('../draw/tensor.js').Cell} Cell
 * @typedef {(
 *   { do: 'point', cell: Cell | null, stage: boolean } |
 *   { do: 'pick', cell: Cell, stage: boolean } |
 *   { do: 'open', cell: Cell } |
 *   { do: 'edit', cell: Cell, text: string, done?: () => void } |
 *   { do: 'back', depth: number } |
 *   { do: 'goto', t: number } |
 *   { do: 'scrub', clock: number } |
 *   { do: 'step', by: 1 | -1 } |
 *   { do: 'play' | 'undo' | 'redo' | 'reset' | 'share' | 'theme' | 'keys' | 'gradient' | 'export' } |
 *   { do: 'speed', speed: number } |
 *   { do: 'level', level: import('../timeline.js').Level } |
 *   { do: 'remove', name: string } |
 *   { do: 'set', change: Record<string, any> } |
 *   { do: 'example', name: string } |
 *   { do: 'sentence', sentence: import('../walk.js').Sentence } |
 *   { do: 'cell', cell: Cell }
 * )} Action
 */
