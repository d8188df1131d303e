// The form of a gate: a number, a choice, a row or an order that a scene asks for; and the reply to an answer.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';
import { Base } from '../stage/elements/base.js';
import { typeset } from '../stage/telling/number.js';
import { title } from '../stage/telling/words.js';
import { cellsOf, holds, numberOf, rowOf } from './core.js';
import { pickedIn } from './scene.js';
import { cellsIn, telling, worded } from './telling.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Gate} Gate */
/** @typedef {import('../../bindings/learn/lessons/index.js').Text} Text */
/** @typedef {import('./telling.js').Scope} Scope */
/**
 * The verdict on an answer.
 * @typedef {{ right: boolean, say?: Text, key?: string, message?: string, more?: string, written?: readonly string[],
 *   known?: boolean, earned?: boolean }} Verdict
 * say: a text of the lesson; key: of a text of the page instead; message: such a text, filled in; more: a second sentence;
 * written: numbers that are not all right; known: whether the lesson's words are about this very mistake; earned: false where
 * no other answer was left.
 */

/** The verdict on an order; kept: what of it may stay. @typedef {Verdict & { kept: readonly number[] }} Placed */

/** Loads what finds mistakes in numbers: while the first is typed, so that a mistake is shown as soon as it is made. Null
 * where it cannot be loaded; the lesson's own sentences remain then. */
export async function loadMarking() {
  try {
    const mistake = await import('./mistake.js');
    await mistake.prepare();
    return mistake;
  } catch {
    return null;
  }
}

/** Loads what reads and checks numbers. */
const loadChecking = () => import('./checking.js');

/** Loads what a number that is being typed will need. */
function prepare() {
  loadChecking().catch(() => {});
  loadMarking();
}

/** Labels of tokens; one that is there twice has its place beside it. @param {readonly string[]} words */
const distinct = (words) =>
  words.map(
    (word, i) =>
      html`<i>${word}</i>${words.indexOf(word) === words.lastIndexOf(word) ? nothing : ` (${i + 1})`}`,
  );

/** Labels of the places of a row: its tokens, or numbers. @param {Scope} scope @param {number} n */
function labelsOf(scope, n) {
  const { tokens = [], source = [], target = [] } = scope.words;
  const words = [tokens, source, target].find((list) => list.length === n);
  return words ? distinct(words) : Array.from({ length: n }, (_, i) => i + 1);
}

/** The token of a row, such as weights[1]. @param {string} path @param {Scope} scope */
function rowName(path, scope) {
  const [{ index }] = cellsOf(path, scope);
  const { tokens = [], target = [] } = scope.words;
  return (target.length ? target : tokens)[index.at(-2) ?? 0] ?? path;
}

/** What a number of a row is the number of: a token, or a channel from 1; nothing for an expression.
 * @param {string} path @param {Scope} scope */
function numberName(path, scope) {
  const [cell] = cellsIn(path, scope);
  const [n] = cell ? (scope.step(cell.node)?.shape ?? []).slice(-1) : [];
  return n === undefined ? null : labelsOf(scope, n)[cell.index.at(-1) ?? 0];
}

export class GateForm extends Base {
  static properties = {
    gate: { attribute: false },
    scope: { attribute: false },
    passed: { attribute: false },
    tried: { state: true },
    order: { state: true },
    typed: { state: true },
    eliminated: { state: true },
  };

  constructor() {
    super();
    /** @type {Gate} */
    this.gate = /** @type {any} */ (null);
    /** @type {Scope} */
    this.scope = /** @type {any} */ (null);
    this.passed = false;
    /** Wrong answers that were chosen. @type {number[]} */
    this.tried = [];
    /** Places that were put in order. @type {number[]} */
    this.order = [];
    /** Which of several numbers are right or wrong. @type {(boolean | null)[]} */
    this.typed = [];
    /** Whether no other answer was left. */
    this.eliminated = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('gate')) this.#clear();
  }

  #clear() {
    this.tried = [];
    this.order = [];
    this.typed = [];
    this.eliminated = false;
  }

  /** The question is asked again, as if it had not been answered. */
  #again = () => {
    this.#clear();
    this.dispatchEvent(new Event('gf-again'));
  };

  /** @param {Verdict | null} verdict */
  #answer(verdict) {
    this.dispatchEvent(new CustomEvent('gf-answer', { detail: verdict }));
  }

  render() {
    const { numbers, order, steps } = this.gate;
    if (numbers) return this.#numbers(numbers);
    if (order) return this.#order(order);
    return steps ? this.#steps(steps) : this.#buttons();
  }

  /** @param {boolean} right @returns {Verdict} */
  #verdict(right) {
    const { gate } = this;
    return { right, say: right ? gate.right : gate.wrong };
  }

  /** What can be chosen, and what is right of it. @returns {{ label: unknown, right: boolean, reply?: Text }[]} */
  get #options() {
    const { gate, scope } = this;
    const { choice, largest, among = [] } = gate;
    if (choice) {
      return choice.map(({ say, when, reply }) => ({
        label: telling(say, scope, typeset),
        right: holds(when, scope),
        reply,
      }));
    }
    const places = largest ? rowOf(largest, scope) : among;
    const best = largest ? Math.max(...rowOf(largest, scope)) : pickedIn(gate, scope);
    const labels = largest
      ? labelsOf(scope, places.length)
      : distinct(among.map((path) => rowName(path, scope)));
    return places.map((place, i) => ({ label: labels[i], right: place === best }));
  }

  #buttons() {
    const { tried, passed, eliminated, gate, order } = this;
    return html`<div class="options" role="group" aria-label=${text('lessons/options')}>
      ${this.#options.map(
        ({ label, right }, i) => html`<button
          class=${tried.includes(i) ? 'tried' : passed && right ? 'right' : ''}
          aria-pressed=${gate.guess ? order.includes(i) : nothing}
          ?disabled=${passed || tried.includes(i)}
          @click=${() => this.#choose(i)}
        >${label}</button>`,
      )}
      ${passed && eliminated ? html`<button class="again" @click=${this.#again}>${text('lessons/again')}</button>` : nothing}
    </div>`;
  }

  /** @param {number} i */
  #choose(i) {
    const options = this.#options;
    const { right, reply } = options[i];
    /* Nobody can know: what is guessed is not marked. */
    if (this.gate.guess) {
      this.order = [i];
      return this.#answer({ right: true, say: reply ?? this.gate.right });
    }
    const isLast = this.tried.length === options.length - 1;
    if (!right && !this.tried.includes(i)) this.tried = [...this.tried, i];
    const verdict = reply ? { right, say: reply } : this.#verdict(right);
    this.eliminated = right && isLast;
    this.#answer(
      this.eliminated ? { ...verdict, earned: false, more: text('lessons/last') } : verdict,
    );
  }

  /**
   * A cell of the picture was clicked.
   * @param {string} node
   * @param {string} index
   */
  pick(node, index) {
    const { gate, scope, passed } = this;
    const { among, choice = [] } = gate;
    if (passed) return;
    const option = among
      ? among.findIndex((path) =>
          cellsOf(path, scope).some((cell) => cell.node === node && cell.index.join() === index),
        )
      : choice.findIndex(({ say }) => worded(say) === `{${node}[${index}]}`);
    if (option >= 0 && !this.tried.includes(option)) this.#choose(option);
  }

  /** @param {string} path */
  #order(path) {
    const { scope } = this;
    const row = rowOf(path, scope);
    const sorted = [...row].sort((a, b) => b - a);
    return this.#ordering(labelsOf(scope, row.length), text('lessons/order'), (order) => {
      /* The right beginning stays, so that the first wrong place is seen. */
      const wrong = order.findIndex((one, i) => row[one] !== sorted[i]);
      return { ...this.#verdict(wrong < 0), kept: wrong < 0 ? order : order.slice(0, wrong) };
    });
  }

  /** @param {string[]} steps */
  #steps(steps) {
    const { scope, gate } = this;
    const titles = steps.map((name) => title(/** @type {any} */ (scope.step(name))));
    return this.#ordering(titles, text('lessons/steps'), async (order) =>
      (await loadChecking()).ordered(order, gate, scope, titles),
    );
  }

  /**
   * Buttons to be pressed in an order.
   * @param {readonly unknown[]} labels
   * @param {string} label of all
   * @param {(order: number[]) => Placed | Promise<Placed>} verdictOf kept: what of a wrong order may stay
   */
  #ordering(labels, label, verdictOf) {
    const { order } = this;
    const put = async (/** @type {number} */ i) => {
      const now = order.includes(i) ? order.filter((one) => one !== i) : [...order, i];
      this.order = now;
      const { gate } = this;
      const { kept, ...verdict } = await verdictOf(now);
      if (gate !== this.gate || now !== this.order) return;
      /* What is wrong is told at once. */
      if (!verdict.right) this.order = [...kept];
      const isOver = !verdict.right || now.length === labels.length;
      this.#answer(isOver ? verdict : null);
    };
    return html`<div class="options" role="group" aria-label=${label}>
      ${labels.map(
        (one, i) => html`<button
          aria-pressed=${order.includes(i)}
          ?disabled=${this.passed}
          @click=${() => put(i)}
        >${order.includes(i) ? html`<small>${order.indexOf(i) + 1}</small> ` : nothing}${one}</button>`,
      )}
    </div>`;
  }

  /** @param {string[]} paths */
  #numbers(paths) {
    const { gate, scope, passed } = this;
    const several = paths.length > 1;
    const names = several ? paths.map((path) => numberName(path, scope)) : [];
    return html`<form class="numbers" novalidate @submit=${this.#submit} @input=${prepare}>
      ${paths.map((path, i) => {
        const state = this.typed[i];
        const field = html`<input
          name="answer"
          value=${passed ? display(numberOf(path, scope), { decimals: gate.digits }) : nothing}
          inputmode="text"
          autocomplete="off"
          spellcheck="false"
          maxlength="40"
          class=${state === true ? 'right' : state === false ? 'wrong' : ''}
          aria-invalid=${state === false}
          aria-label=${several ? text('lessons/numberOf', { n: i + 1, all: paths.length }) : text('lessons/number')}
          placeholder=${several ? '' : text('lessons/number')}
          ?readonly=${passed}
        />`;
        return names[i] ? html`<label>${names[i]} ${field}</label>` : field;
      })}
      <button class="main" ?disabled=${passed}>${text('lessons/check')}</button>
    </form>`;
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
      this.querySelectorAll('[name=answer]')
    );
    await this.#check(Array.from(fields, ({ value }) => value));
    const open = this.typed.indexOf(false);
    if (open < 0) return;
    fields[open].focus();
    /* What is typed next stands in its place. */
    fields[open].select();
  }

  /** @param {string[]} written */
  async #check(written) {
    const { gate, scope } = this;
    const checking = await loadChecking().catch(() => null);
    /* The scene may have been left. */
    if (gate !== this.gate) return;
    if (!checking) return this.tell(text('page/notLoaded'));
    const { rights, verdict } = checking.checked(written, gate, scope);
    this.typed = rights;
    this.#answer(verdict);
  }
}

customElements.define('gf-gate', GateForm);

/** The reply to an answer. @param {Verdict} verdict @param {Scope} scope */
export function replyOf({ say, key, right, message, more }, scope) {
  const said = message
    ? typeset(message)
    : say
      ? telling(say, scope)
      : typeset(text(key ?? (right ? 'lessons/right' : 'lessons/wrong')));
  return more ? html`${said} ${typeset(more)}` : said;
}
