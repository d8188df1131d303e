// What a key asks for, wherever it is pressed outside a field or a matrix.
import { SPEEDS } from './store.js';
import { LEVELS, stepTime } from './timeline.js';

/** @typedef {import('../../stage/elements/base.js').Action} Action */

/**
 * In every chapter.
 * @param {KeyboardEvent} event
 * @returns {Action | null}
 */
export function shellActionOf(event) {
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === 'z') return { do: event.shiftKey ? 'redo' : 'undo' };
    return key === 'y' ? { do: 'redo' } : null;
  }
  if (event.altKey) return null;
  if (event.key === 'd') return { do: 'digits' };
  return event.key === '?' ? { do: 'keys' } : null;
}

/** Whether a key writes a sign: who speaks to the computer, or misses keys, may not want those to be shortcuts.
 * @param {KeyboardEvent} event */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** Whether a key begins or ends a presentation: also while a sheet is open, but not where text is typed.
 * @param {KeyboardEvent} event */
export const isPresenting = ({ key, target, ctrlKey, metaKey, altKey }) =>
  key === 'p' &&
  !(ctrlKey || metaKey || altKey) &&
  !(
    /** @type {Partial<HTMLElement>} */ (target).matches?.(
      'input:not([type=range]):not([type=checkbox]), select',
    )
  );

/** What a clicker sends, and the keys that mean the same. @type {Record<string, 1 | -1>} */
const TURNS = { PageDown: 1, ArrowRight: 1, ' ': 1, PageUp: -1, ArrowLeft: -1 };

/**
 * Which way to go, in front of a class; 0 for another key. A slider in focus is moved by its arrows.
 * @param {KeyboardEvent} event
 */
export function turnOf({ key, target, ctrlKey, metaKey, altKey, shiftKey }) {
  const slider = /** @type {Partial<HTMLElement>} */ (target).matches?.('input[type=range]');
  if (ctrlKey || metaKey || altKey || shiftKey) return 0;
  return slider && key.startsWith('Arrow') ? 0 : (TURNS[key] ?? 0);
}

/** What else there is in front of a class, by the sign that asks for it. @type {Record<string, Action>} */
const PRESENTED = {
  l: { do: 'theme' },
  '+': { do: 'size', by: 1 },
  '=': { do: 'size', by: 1 },
  '-': { do: 'size', by: -1 },
};

/** @param {KeyboardEvent} event @returns {Action | undefined} */
export const presentedActionOf = ({ key, ctrlKey, metaKey, altKey }) =>
  ctrlKey || metaKey || altKey ? undefined : PRESENTED[key];

/** Whether a key, or that of a clicker, makes the screen black in front of a class.
 * @param {KeyboardEvent} event */
export const isBlackening = ({ key, ctrlKey, metaKey, altKey }) =>
  !ctrlKey && !metaKey && !altKey && /^[.b]$/i.test(key);

/**
 * Whether a key means something to what has the focus: a field, a button, or a sheet that is open.
 * @param {KeyboardEvent} event
 */
export function belongsToField({ target, key }) {
  const focused = /** @type {HTMLElement} */ (target);
  const field = 'input:not([type=range]):not([type=checkbox]), select, dialog[open]';
  // A sheet that has just closed may keep the focus a moment more; an open one has none when its text is clicked.
  if (focused.closest?.(field) || focused.querySelector?.('dialog:modal')) return true;
  /* A digit is meant for the number that is being edited, wherever the focus went. */
  if (/^[\d.,-]$/.test(key) && focused.ownerDocument?.querySelector('gf-microscope form'))
    return true;
  const pressable = focused.closest?.('button, summary, a, [role=button], [type=checkbox]');
  return !!pressable && (key === ' ' || key === 'Enter');
}

/** @type {Record<string, 1 | -1>} */
const SIDEWAYS = { ArrowLeft: -1, ArrowRight: 1 };

/** What the other keys ask for in a walkthrough.
 * @type {Record<string, (view: import('./view.js').View) => Action | null>} */
const KEYS = {
  ' ': () => ({ do: 'play' }),
  Home: () => ({ do: 'goto', t: 0 }),
  End: ({ line }) => ({ do: 'goto', t: line.moments.length - 1 }),
  '[': ({ state }) => ({ do: 'speed', speed: neighbour(state.speed, -1) }),
  ']': ({ state }) => ({ do: 'speed', speed: neighbour(state.speed, 1) }),
  g: ({ target }) => (target ? { do: 'gradient' } : null),
  e: () => ({ do: 'export' }),
  r: () => ({ do: 'reset' }),
  Enter: ({ focus }) => (focus ? { do: 'open', cell: focus } : null),
  Escape({ state: { path, open }, moment, line }) {
    if (path.length > 0) return { do: 'back', depth: path.length - 1 };
    return open ? { do: 'goto', t: line.first[moment.stage] } : null;
  },
};

/**
 * In a walkthrough.
 * @param {KeyboardEvent} event
 * @param {import('./view.js').View} view
 * @returns {Action | null}
 */
export function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }, view) {
  if (ctrlKey || metaKey || altKey) return null;
  const { line, state } = view;
  const by = SIDEWAYS[key];
  if (by && shiftKey) {
    const coarser = LEVELS[Math.max(0, LEVELS.indexOf(state.level) - 1)];
    return { do: 'goto', t: stepTime(line, state.t, by, coarser) };
  }
  if (by) return { do: 'step', by };
  if (/^[1-9]$/.test(key)) {
    const t = line.first[Number(key) - 1];
    return t === undefined ? null : { do: 'goto', t };
  }
  return KEYS[key]?.(view) ?? null;
}

/**
 * @param {number} speed
 * @param {1 | -1} by
 */
function neighbour(speed, by) {
  const index = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))];
}
