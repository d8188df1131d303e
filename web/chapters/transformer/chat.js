// A chat with a checkpoint: what its template makes of the messages, and the answer as it comes.
import { html, nothing } from 'lit';
import { brings, count, message, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import './chat.css';

/** @type {Readonly<Record<string, string>>} */
const ROLE_TEXTS = {
  user: 'models/chat/user',
  assistant: 'models/chat/assistant',
};

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?models',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./checkpoint.js').Checkpoint} Checkpoint */

export class Chat extends Base {
  static properties = {
    subject: { attribute: false },
    stop: { state: true },
    pending: { state: true },
    failure: { state: true },
    status: { state: true },
  };

  constructor() {
    super();
    /** @type {Checkpoint} */
    this.subject = /** @type {any} */ (null);
    /** @type {AbortController | null} what ends the answer that is being written */
    this.stop = null;
    /** The question that is being answered, and its answer so far.
     * @type {{ role: string, content: unknown }[]} */
    this.pending = [];
    this.failure = '';
    /** How long the last answer took. */
    this.status = '';
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  render() {
    const { session, read } = this.subject.talk;
    const messages = [...(session?.messages ?? []), ...this.pending];
    const busy = this.stop !== null;
    return html`<div class="panel chat">
      <p class="prose">${text('models/chat/about')}</p>
      <div class="scroll" tabindex="0" role="log" aria-label=${text('models/chat/talk')}>
        ${messages.map(
          ({ role, content }) => html`<p class="said ${role}">
            <b>${text(ROLE_TEXTS[role])}</b>
            <span>${content || '…'}</span>
          </p>`,
        )}
      </div>
      <form class="controls" @submit=${this.#submit}>
        <label class="message"
          ><span>${text('models/chat/message')}</span>
          <input name="message" autocomplete="off" maxlength="400" required ?readonly=${busy} />
        </label>
        <label
          >${text('chapters/transformer/settings/temperature')}
          <input name="temperature" type="number" min="0" max="5" step="0.1" value="0" ?disabled=${busy} />
        </label>
        ${
          busy
            ? html`<button type="button" @click=${() => this.stop?.abort()}>
              ${text('chapters/transformer/cancel')}
            </button>`
            : html`<button class="main">${text('models/chat/send')}</button>`
        }
        <button
          type="button"
          ?disabled=${busy || messages.length === 0}
          @click=${() => {
            this.subject.endChat();
            this.status = '';
            this.requestUpdate();
          }}
        >${text('models/chat/anew')}</button>
      </form>
      <p class="quiet" role="status">${this.failure || this.status}</p>
      ${
        session?.trimmed
          ? html`<p class="quiet">${text('models/chat/trimmed', { n: session.trimmed })}</p>`
          : nothing
      }
      ${read.length > 0 ? this.#read() : nothing}
      <details>
        <summary>${text('models/chat/template')}</summary>
        <pre tabindex="0">${this.subject.template}</pre>
      </details>
    </div>`;
  }

  /** The text that the model reads, cut into its tokens: the special ones stand out. */
  #read() {
    const { read, kept } = this.subject.talk;
    const special = read.filter((token) => token.special).length;
    return html`<section class="read" aria-label=${text('models/chat/reads')}>
      <h3 class="label">${text('models/chat/reads')}</h3>
      <p class="quiet">${text('models/chat/tokens', { n: read.length, special })}</p>
      ${kept > 0 ? html`<p class="quiet">${text('models/chat/kept', { n: kept })}</p>` : nothing}
      <p class="tokens">
        ${read.map(
          (token, i) =>
            html`<span class="token ${token.special ? 'special' : ''} ${i < kept ? 'kept' : ''}">${token.text.replaceAll('\n', '↵')}</span>${token.text.includes('\n') ? html`<br />` : nothing}`,
        )}
      </p>
    </section>`;
  }

  get #field() {
    return /** @type {HTMLInputElement} */ (this.querySelector('[name=message]'));
  }

  /** What is written last is in sight. */
  updated() {
    const log = this.querySelector('[role=log]');
    if (log && this.stop) log.scrollTop = log.scrollHeight;
  }

  /** @param {SubmitEvent} event */
  #submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const data = new FormData(form);
    const content = String(data.get('message')).trim();
    if (content === '' || this.stop) return;
    this.#answer(content, Number(data.get('temperature')));
    this.#field.value = '';
  };

  /** @param {string} content @param {number} temperature */
  async #answer(content, temperature) {
    const { subject } = this;
    const stop = new AbortController();
    const answer = { role: 'assistant', content: '' };
    this.pending = [{ role: 'user', content }, answer];
    Object.assign(this, { stop, failure: '', status: text('models/chat/reading') });
    let [begun, written] = [0, 0];
    let isAnswered = false;
    try {
      const session = await subject.chat();
      const before = session.messages.length;
      const stream = session.ask(content, { signal: stop.signal, temperature });
      for await (const part of stream) {
        subject.talk.kept = stream.result.kept;
        /* The first one had to wait until all was read. */
        if (written === 0) begun = performance.now();
        answer.content += part;
        written++;
        const seconds = Math.max(0.001, (performance.now() - begun) / 1000);
        const speed = count(Math.round((10 * (written - 1)) / seconds) / 10);
        if (written > 1) this.status = text('models/chat/written', { n: written, speed });
        this.requestUpdate();
      }
      isAnswered = session.messages.length > before;
    } catch (error) {
      if (!stop.signal.aborted) this.failure = message(error);
    }
    this.pending = [];
    /* The question goes back. */
    if (!isAnswered) this.#field.value ||= content;
    if (stop.signal.aborted) this.status = text('chapters/transformer/cancelled');
    this.stop = null;
  }
}

customElements.define('gf-chat', Chat);
