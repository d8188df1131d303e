// What takes long: its progress, what it offers, its failure, and how to end it.
import { html, nothing } from 'lit';
import { message, text } from '../../app/locale/text.js';

/**
 * @typedef {object} Work
 * @property {string} label what is being done
 * @property {number | null} part how much of it is done
 * @property {string} failure why it failed
 * @property {AbortController} stop
 * @property {() => void} again tries it once more
 * @property {{ lines: string[], warnings: string[], agree: () => void } | null} [offer] what is opened if the reader agrees
 */
/**
 * @typedef {object} Listener
 * @property {AbortSignal} signal
 * @property {(label: string, part: number | null) => void} onProgress
 * @property {(offer: { lines: string[], warnings: string[] }) => Promise<void>} agree resolves once the reader wants what is offered
 */

/**
 * Does a task, and keeps the host's `work` up to date. Of a task that fails or is cancelled nothing but the explanation stays.
 * @param {{ work: Work | null }} host
 * @param {string} label
 * @param {(listener: Listener) => Promise<void>} task
 * @param {{ again?: () => void, explain?: (error: unknown) => string, failed?: (failure: string) => void,
 *   bar?: () => HTMLProgressElement | null }} [options] bar: what can show progress alone, without a rendering
 */
export async function wait(host, label, task, options = {}) {
  const { again = () => {}, explain = message, failed = () => {}, bar = () => null } = options;
  host.work?.stop.abort();
  const stop = new AbortController();
  const isCurrent = () => host.work?.stop === stop;
  const set = (/** @type {Partial<Work>} */ part) => {
    if (host.work && isCurrent()) host.work = { ...host.work, ...part };
  };
  host.work = { label, part: null, failure: '', stop, again };
  try {
    await task({
      signal: stop.signal,
      onProgress(what, part) {
        const progress = bar();
        if (progress && part && host.work?.label === what) progress.value = part;
        else set({ label: what, part });
      },
      agree: (offer) =>
        new Promise((resolve, reject) => {
          stop.signal.addEventListener('abort', reject, { once: true });
          const agree = () => {
            set({ offer: null });
            resolve();
          };
          set({ offer: { ...offer, agree } });
        }),
    });
    if (isCurrent()) host.work = null;
  } catch (error) {
    if (stop.signal.aborted) return set({ failure: text('chapters/transformer/cancelled') });
    const failure = explain(error);
    set({ failure });
    failed(failure);
  }
}

/** Work as the reader sees it above the page. @param {Work} work @param {(() => void) | null} close leaves what is shown as it is */
export function waiting({ label, part, failure, stop, again }, close) {
  const content = failure
    ? html`<p>${text('chapters/transformer/failed', { message: failure })}</p>
        <button class="main" @click=${again}>${text('page/again')}</button>
        ${close ? html`<button @click=${close}>${text('page/close')}</button>` : nothing}`
    : progress(label, part, stop);
  return html`<div class="waiting" role="status">${content}</div>`;
}

/** @param {string} label @param {number | null} part @param {AbortController} stop */
const progress = (label, part, stop) => html`<p>${label}</p>
  <progress max="1" value=${part ?? nothing} aria-label=${label}></progress>
  <button @click=${() => stop.abort()}>${text('chapters/transformer/cancel')}</button>`;
