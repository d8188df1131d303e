// A figure as an anywidget: in Jupyter, MyST, Colab, VS Code and marimo. The model's traits are the element's
// attributes, but for `state`, which follows the reader.
import './figures.js';
import { kernelTag } from './kernel.js';

/** Events by which a reader acts. */
const ACTS = ['pointerdown', 'keydown', 'click'];
const TAGS = { transformer: 'gf-transformer', lesson: 'gf-lesson' };

/**
 * A host's model, as https://anywidget.dev describes it; a host that only shows has no more than get().
 * @typedef {{
 *   get: (name: string) => any,
 *   set?: (name: string, value: unknown) => void,
 *   save_changes?: () => void,
 *   on?: (event: string, listener: () => void) => void,
 *   off?: (event: string, listener: () => void) => void,
 * }} Model
 */

/** Calls a host, which may throw where it cannot do something, as MyST does. @param {() => void} call */
function attempt(call) {
  try {
    call();
  } catch {
    /* The figure works without it. */
  }
}

/** The element that a model asks for. @param {Model} model */
function figureOf(model) {
  const tape = model.get('tape');
  const tag = tape
    ? kernelTag()
    : (TAGS[/** @type {keyof typeof TAGS} */ (model.get('figure'))] ?? 'gf-attention');
  const figure = /** @type {import('./figure-element.js').Exhibit} */ (document.createElement(tag));
  return tape ? Object.assign(figure, { tape: String(tape) }) : figure;
}

/** @param {{ model: Model, el: HTMLElement }} view */
function render({ model, el }) {
  let figure = figureOf(model);
  /* Of several views of a model the one in which the reader acted last sets the state: the others take it. */
  let leads = false;
  const take = (/** @type {string} */ name) => () => {
    const value = model.get(name);
    figure.toggleAttribute(name, Boolean(value));
    if (value && value !== true) figure.setAttribute(name, String(value));
  };
  const { observedAttributes } = /** @type {typeof import('./figure-element.js').Exhibit} */ (
    figure.constructor
  );
  const traits = observedAttributes.filter((name) => name !== 'state');
  const listeners = traits.map((name) => /** @type {const} */ ([`change:${name}`, take(name)]));
  listeners.push([
    'change:state',
    () => {
      const state = model.get('state');
      if (!state || state === figure.state) return;
      leads = false;
      figure.state = state;
    },
  ]);
  /** Shows the figure where a reader left it, or else where it is to begin. @param {string} [state] */
  const put = (state) => {
    for (const [, listener] of listeners) listener();
    if (state) {
      figure.removeAttribute('at');
      figure.state = state;
    }
    const lead = () => {
      leads = true;
    };
    for (const act of ACTS) figure.addEventListener(act, lead, { capture: true });
    figure.addEventListener('gf-state', () => {
      if (!leads) return;
      model.set?.('state', figure.state);
      attempt(() => model.save_changes?.());
    });
    el.append(figure);
  };
  /** Other numbers, in the place where the reader is. */
  const renew = () => {
    const { state } = figure;
    figure.remove();
    figure = figureOf(model);
    put(state);
  };
  put(model.get('state'));
  const heard = [...listeners, /** @type {const} */ (['change:tape', renew])];
  for (const [event, listener] of heard) model.on?.(event, listener);
  return () => {
    for (const [event, listener] of heard) attempt(() => model.off?.(event, listener));
    figure.remove();
  };
}

export default { render };
