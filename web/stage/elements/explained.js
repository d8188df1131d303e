// Prose whose terms have their explanations, from the glossary of the page's language.
import { html } from 'lit';
import { glossary } from '../../app/locale/text.js';
import { memoized } from '../draw/memoized.js';
import { typeset } from '../telling/number.js';
import './term.js';

/** @typedef {import('../../app/locale/text.js').Glossary} Glossary */

/** What finds the terms of a glossary, and whose each form is. */
const finderOf = memoized((/** @type {Glossary} */ terms) => {
  const names = new Map(
    Object.entries(terms).flatMap(([name, { forms }]) =>
      forms.map((form) => /** @type {[string, string]} */ ([form.toLowerCase(), name])),
    ),
  );
  /* The longest one wins: “attention weight”, not “attention”. */
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\p{L}_])(${forms.join('|')})(?![\\p{L}_])`, 'giu');
  return { pattern, names };
});

/**
 * Words set as a formula where they are one, each term with what explains it where it comes first on the page.
 * @param {unknown} words
 */
export function explained(words) {
  const terms = glossary();
  const { pattern, names } = finderOf(terms);
  if (typeof words !== 'string' || names.size === 0) return typeset(words);
  return words.split(pattern).map((part, i) => {
    const name = names.get(part.toLowerCase());
    if (i % 2 === 0 || !name) return typeset(part);
    return html`<gf-term .name=${name} .term=${part} .meaning=${terms[name].is}></gf-term>`;
  });
}
