/** Where a figure is: 12.5 on its timeline, 'scores' (a step), 'scores/1' (its row), 'scores/1,2' (its cell). */
export type Place = string | number;

/** A figure in a page: `<gf-attention>` or `<gf-transformer>`. docs/embedding.md tells what each attribute does. */
export interface Figure extends HTMLElement {
  example: string;
  sentence: string;
  /** The attribute `remove`; every element has a method of that name. */
  removed: string;
  gradient: boolean;
  at: string;
  show: string;
  lock: string;
  theme: string;
  /** Where french-english.js lies, if not beside the script. */
  model: string;
  /** The present state as the hash of a link to it. */
  state: string;
  getState(): string;
  /** Shows another state; rejects if it cannot be read or shown, and nothing changed. */
  setState(hash: string): Promise<void>;
  play(): void;
  pause(): void;
  /** Throws a RangeError if there is no such place. */
  seek(place: Place): void;
}

/** The classes of the elements, undefined on a server. */
export const Attention: (new () => Figure) | undefined;
export const Transformer: (new () => Figure) | undefined;

declare global {
  interface HTMLElementTagNameMap {
    'gf-attention': Figure;
    'gf-transformer': Figure;
  }
  interface HTMLElementEventMap {
    /** There is something to see. */
    'gf-ready': CustomEvent<{ state: string }>;
    /** The reader, or a method, changed the state. */
    'gf-state': CustomEvent<{ state: string }>;
    /** Something that was asked for cannot be shown; the figure says so too. */
    'gf-error': CustomEvent<{ message: string }>;
  }
}
