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
  /** How many digits numbers have: 'text', '2', '3', '4' or 'all'. */
  round: string;
  /** Where french-english.js lies, if not beside the script. */
  model: string;
  /** The folder of french-english.js, lessons.js, motion.js and stories.js, if they do not lie beside the script. */
  files: string;
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

/** A lesson in a page: `<gf-lesson>`. */
export interface LessonFigure extends Figure {
  /** Which lesson: 'one-score'. */
  name: string;
  /** Where it begins; 1 without it. */
  scene: string;
}

/** How far the reader of a lesson is. done: the lesson is over; passed: what its scene asks for is done. */
export interface Progress {
  lesson: string;
  scene: number;
  scenes: number;
  passed: boolean;
  done: boolean;
}

/** The classes of the elements, undefined on a server. */
export const Attention: (new () => Figure) | undefined;
export const Transformer: (new () => Figure) | undefined;
export const Lesson: (new () => LessonFigure) | undefined;

declare global {
  interface HTMLElementTagNameMap {
    'gf-attention': Figure;
    'gf-transformer': Figure;
    'gf-lesson': LessonFigure;
  }
  interface HTMLElementEventMap {
    /** There is something to see. */
    'gf-ready': CustomEvent<{ state: string }>;
    /** The reader, or a method, changed the state. */
    'gf-state': CustomEvent<{ state: string }>;
    /** The reader of a lesson came on. */
    'gf-progress': CustomEvent<Progress>;
    /** Something that was asked for cannot be shown; the figure says so too. */
    'gf-error': CustomEvent<{ message: string }>;
  }
}
