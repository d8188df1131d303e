// Opens a checkpoint: files from the disk, chosen or dropped, or a folder by its address.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { filesAt, filesOf } from '../../workers/reader/files.js';
import './opener.css';
import { DISK } from './state.js';

/** @typedef {import('../../workers/reader/answers.js').Files} Files */
/** @typedef {{ key: string, name: string, files: Files }} Wanted key: what state.model is to be */

export class Opener extends Base {
  static properties = {
    address: { attribute: false },
    work: { attribute: false },
    refusal: { state: true },
    over: { state: true },
  };

  constructor() {
    super();
    /** What a link asks for. */
    this.address = '';
    /** @type {import('./waiting.js').Work | null} */
    this.work = null;
    this.refusal = '';
    this.over = false;
  }

  render() {
    const { work } = this;
    const busy = work !== null && work.failure === '';
    return html`<section class="opener" aria-label=${text('chapters/transformer/checkpoint/label')}>
      <h2>${text('chapters/transformer/checkpoint/label')}</h2>
      <p>${text('chapters/transformer/checkpoint/about')}</p>
      <label
        class="drop ${this.over ? 'over' : ''}"
        @dragover=${(/** @type {DragEvent} */ event) => {
          event.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => {
          this.over = false;
        }}
        @drop=${this.#drop}
      >
        <span>${text('chapters/transformer/checkpoint/choose')}</span>
        <input type="file" multiple accept=".json,.safetensors,.gguf,.bin" ?disabled=${busy} @change=${this.#choose} />
      </label>
      <form @submit=${this.#submit}>
        <label>
          <span>${text('chapters/transformer/checkpoint/address')}</span>
          <input
            name="address"
            type="url"
            required
            placeholder="https://huggingface.co/…"
            .defaultValue=${this.address}
            ?disabled=${busy}
          />
        </label>
        <button class="main" ?disabled=${busy}>${text('chapters/transformer/checkpoint/fetch')}</button>
      </form>
      <p class="quiet">${text('chapters/transformer/checkpoint/promise')}</p>
      ${busy ? (work.offer ? this.#offer(work.offer, work.stop) : this.#progress()) : nothing}
      ${
        this.refusal || work?.failure
          ? html`<p class="refusal" role="alert">${this.refusal || work?.failure}</p>`
          : nothing
      }
      <button @click=${this.#close}>${text('chapters/transformer/checkpoint/back')}</button>
    </section>`;
  }

  #progress() {
    const { label, part, stop } = /** @type {import('./waiting.js').Work} */ (this.work);
    return html`<div class="working" role="status">
      <span>${label}</span>
      <progress max="1" value=${part ?? nothing} aria-label=${label}></progress>
      <button @click=${() => stop.abort()}>${text('chapters/transformer/cancel')}</button>
    </div>`;
  }

  /**
   * What a model is, before its weights are read.
   * @param {NonNullable<import('./waiting.js').Work['offer']>} offer
   * @param {AbortController} stop
   */
  #offer({ lines, warnings, agree }, stop) {
    return html`<div class="offer" role="status">
      ${lines.map((line) => html`<p>${line}</p>`)}
      ${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
      <div class="buttons">
        <button class="main" @click=${agree}>${text('models/load')}</button>
        <button @click=${() => stop.abort()}>${text('chapters/transformer/cancel')}</button>
      </div>
    </div>`;
  }

  /** @param {DragEvent} event */
  #drop(event) {
    event.preventDefault();
    this.over = false;
    this.#files(event.dataTransfer?.files ?? []);
  }

  /** @param {Event} event */
  #choose(event) {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    this.#files(field.files ?? []);
    field.value = '';
  }

  /** @param {Iterable<File>} chosen */
  #files(chosen) {
    const files = filesOf(chosen);
    this.refusal = files ? '' : text('chapters/transformer/checkpoint/noWeights');
    if (files) this.#ask({ key: DISK, name: /** @type {File} */ (files.weights).name, files });
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const address = String(data.get('address')).trim();
    try {
      const files = filesAt(address);
      this.refusal = '';
      this.#ask({ key: address, name: address, files });
    } catch {
      this.refusal = text('chapters/transformer/checkpoint/noAddress', { address });
    }
  }

  /** @param {Wanted} detail */
  #ask(detail) {
    this.dispatchEvent(new CustomEvent('gf-open', { detail, bubbles: true }));
  }

  #close() {
    this.work?.stop.abort();
    this.dispatchEvent(new CustomEvent('gf-close', { bubbles: true }));
  }
}

customElements.define('gf-opener', Opener);
