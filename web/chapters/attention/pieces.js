// From a text to tokens: the pairs of an example's table are joined, merge by merge, before any row is looked up.
import { html } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { ViewElement } from '../../stage/elements/base.js';
import { cutterOfFile } from '../../workers/reader/cutting.js';
import '../transformer/cuts.js';
import './sources.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?sources',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../app/session.js').Example} Example */

export class Pieces extends ViewElement {
  /** What cuts as the example's table says: made once, since every change of it cuts anew.
   * @type {{ example: Example | null, subject: object | null }} */
  made = { example: null, subject: null };

  render() {
    const { example } = this.view;
    if (this.made.example !== example) this.made = { example, subject: subjectOf(example) };
    return html`<header class="stage-head">
        <h2>${text('sources/pieces/title')}</h2>
        <p class="prose">${text('sources/pieces/prose', { corpus: String(example.cut?.corpus) })}</p>
      </header>
      <gf-cuts .subject=${this.made.subject}></gf-cuts>`;
  }
}

/** What a table of merges makes of any text. @param {Example} example */
function subjectOf({ cut, inputs }) {
  const vocabulary = /** @type {string[]} */ (inputs?.['embedding.weight'].rows);
  const cutter = cutterOfFile({
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
      merges: cut?.merges,
    },
  });
  return {
    begins: cut?.text,
    about: 'sources/pieces/about',
    cut: async (/** @type {string} */ typed) => {
      const words = cutter?.cut(typed) ?? [];
      const missing = [...typed].find(
        (letter) => /\S/.test(letter) && !vocabulary.includes(letter),
      );
      if (missing) throw new RangeError(text('sources/pieces/missing', { letter: missing }));
      return { way: 'merges', known: cutter?.known, words, right: true };
    },
  };
}

customElements.define('gf-pieces', Pieces);
