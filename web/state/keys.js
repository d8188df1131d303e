// What a key asks for, wherever it is pressed outside a field or a matrix.
import { SPEEDS } from './store.js';
import { LEVELS, stepTime } from './timeline.js';

/** @typedef {import('../elements/base.js').Action} Action */

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
  if (event.key === 'p') return { do: 'present' };
  if (event.key === 'd') return { do: 'digits' };
  return event.key === '?' ? { do: 'keys' } : null;
}

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
  const pressable = focused.closest?.('button, summary, a, [role=button], [type=checkbox]');
  return !!pressable && (key === ' ' || key === 'Enter');
}

/**
 * In a walkthrough.
 * @param {KeyboardEvent} event
 * @param {import('./view.js').View} view
 * @returns {Action | null}
 */
export function actionOf(event, view) {
  const { line, state, moment } = view;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const sideways = { ArrowLeft: /** @type {const} */ (-1), ArrowRight: /** @type {const} */ (1) };
  const by = sideways[/** @type {keyof typeof sideways} */ (event.key)];
  if (by && event.shiftKey) {
    const coarser = LEVELS[Math.max(0, LEVELS.indexOf(state.level) - 1)];
    return { do: 'goto', t: stepTime(line, state.t, by, coarser) };
  }
  if (by) return { do: 'step', by };
  if (/^[1-9]$/.test(event.key)) {
    const t = line.first[Number(event.key) - 1];
    return t === undefined ? null : { do: 'goto', t };
  }
  switch (event.key) {
    case ' ':
      return { do: 'play' };
    case 'Home':
      return { do: 'goto', t: 0 };
    case 'End':
      return { do: 'goto', t: line.moments.length - 1 };
    case '[':
      return { do: 'speed', speed: neighbour(state.speed, -1) };
    case ']':
      return { do: 'speed', speed: neighbour(state.speed, 1) };
    case 'g':
      return view.target ? { do: 'gradient' } : null;
    case 'e':
      return { do: 'export' };
    case 'Enter':
      return view.focus ? { do: 'open', cell: view.focus } : null;
    case 'Escape':
      if (state.path.length > 0) return { do: 'back', depth: state.path.length - 1 };
      return moment.cell < 0 ? null : { do: 'goto', t: line.first[moment.stage] };
    default:
      return null;
  }
}

/**
 * @param {number} speed
 * @param {1 | -1} by
 */
function neighbour(speed, by) {
  const index = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))];
}
