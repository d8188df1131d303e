// The page's words, from one file per language, with a glossary beside it (bindings/words); {name} marks what is filled in. English is
// always there, and tells what another language lacks; the others are loaded when they are asked for.
import { compose } from '../../bindings/base/message.js';
import { numberFormat } from '../../bindings/base/speech.js';
import { LANGUAGES } from '../../bindings/generated/languages.js';
import { PAGES } from '../../bindings/generated/pages.js';
import englishTerms from '../../bindings/words/en/glossary.json' with { type: 'json' };
import english from '../../bindings/words/en/page.json' with { type: 'json' };
import { merge } from './merge.js';

/** What a term is, by a name that all languages share; forms: how it may stand in a sentence.
 * @typedef {Record<string, { forms: string[], is: string }>} Glossary */
/** @typedef {import('../../bindings/generated/languages.js').Language} Code */

export { LANGUAGES };

/** The words of a language and its glossary, as modules.
 * @param {Code} code @returns {Promise<{ default: any }[]>} */
export const wordsOf = async (code) =>
  code === 'en' ? [{ default: english }, { default: englishTerms }] : PAGES[code]();

/**
 * English words that come with the part of the page that says them; bundle/words.js cuts them.
 * @param {Record<string, any>} files
 */
export function brings(files) {
  for (const words of Object.values(files)) merge(english, words);
}

/**
 * Made when it is first asked for: the first one of all takes a browser some 30 ms.
 * @template T
 * @param {() => T} make
 */
function late(make) {
  /** @type {T | undefined} */
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

/** @param {Code} code @param {any} words @param {Glossary} glossary */
const speech = (code, words, glossary) => ({
  code,
  words,
  glossary,
  plurals: late(() => new Intl.PluralRules(code)),
  groups: late(() => numberFormat(code, { maximumFractionDigits: 1 })),
  list: late(() => new Intl.ListFormat(code)),
});

let spoken = speech('en', english, englishTerms);
/** How often a language was asked for. */
let asked = 0;

/** Has a 'change' whenever the words are of another language. */
export const languageChange = new EventTarget();

/** The language of the words, for example 'en'. */
export const language = () => spoken.code;

/** What stands between the whole part of a number and its decimals. */
export const decimalPoint = () => LANGUAGES[spoken.code].decimal;

/** Numbers of a row, as a sentence lists them. @param {readonly string[]} numbers */
export const listed = (numbers) => numbers.join(`${LANGUAGES[spoken.code].separator} `);

/** The terms of that language. */
export const glossary = () => spoken.glossary;

/**
 * Loads the words of a language and lets every element tell itself anew. Of several calls the last one
 * counts; if the words cannot be loaded, it rejects and the language stays.
 * @param {string} code for example 'fr'
 */
export async function setLanguage(code) {
  if (!Object.hasOwn(LANGUAGES, code)) {
    const known = Object.keys(LANGUAGES).join(', ');
    throw new RangeError(`there is no language "${code}", but ${known}`);
  }
  const known = /** @type {Code} */ (code);
  asked++;
  const turn = asked;
  const [words, terms] = await wordsOf(known);
  if (turn !== asked || known === spoken.code) return;
  spoken = speech(known, words.default, terms.default);
  languageChange.dispatchEvent(new Event('change'));
}

/**
 * The first language of a list that there is, or else English.
 * @param {readonly string[]} wanted such as navigator.languages: ['fr-CA', 'en']
 * @returns {Code}
 */
export function preferred(wanted) {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  const found = codes.find((code) => Object.hasOwn(LANGUAGES, code));
  return /** @type {Code} */ (found ?? 'en');
}

/**
 * @param {any} words
 * @param {string[]} path
 */
const within = (words, path) => path.reduce((at, part) => at?.[part], words);

/**
 * @param {string | undefined} key for example 'page/title'
 * @returns {any} undefined if there is no such text
 */
export function lookup(key) {
  if (key === undefined) return undefined;
  const path = key.split('/');
  return within(spoken.words, path) ?? within(english, path);
}

/**
 * @param {string} key the path to a text, 'page/title'
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function text(key, values = {}) {
  return rich(key, values).join('');
}

/**
 * The same, but what is filled in may be anything that a template can show.
 * @param {string} key
 * @param {Record<string, unknown>} values
 * @returns {unknown[]}
 */
export function rich(key, values) {
  const found = lookup(key);
  const told = typeof found === 'string' ? found : formOf(found, values.n);
  if (typeof told !== 'string') throw new RangeError(`no text for ${key}`);
  return fill(told, values);
}

/**
 * @param {string} told
 * @param {Record<string, unknown>} values
 */
const fill = (told, values) =>
  told
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : values[part]))
    .filter((part) => part !== '');

/**
 * A text may have several forms, by the number n that is filled in: { one: '{n} head', other: '{n} heads' }.
 * @param {Record<string, string> | undefined} forms
 * @param {unknown} n
 */
const formOf = (forms, n) => forms?.[spoken.plurals().select(Number(n))] ?? forms?.other;

/**
 * Whether the errors of a language have all the sentences of a message.
 * @param {Record<string, string>} errors
 * @param {any} said
 * @returns {boolean}
 */
const covers = (errors, said) =>
  Object.hasOwn(errors, said.detail) &&
  Object.values(said.params)
    .flat()
    .every((param) => !param?.detail || covers(errors, param));

/**
 * Why something failed, or cannot be done, in the reader's language: an error or another message of the core
 * has the name of its sentence and what fills it in. What has none, or no such sentence here, is told as it is.
 * @param {unknown} said
 * @param {string} [english] the same, where it is no error
 * @returns {string}
 */
export function message(said, english = undefined) {
  const told = /** @type {any} */ (said);
  const errors = spoken.words.errors ?? {};
  if (typeof told?.detail === 'string' && covers(errors, told)) return compose(errors, told);
  return english ?? told?.message ?? String(said);
}

/**
 * What an example says of itself, in the reader's language.
 * @param {{ name: string, title: string, source: string, about: string, inputs?: any }} example
 */
export function ofExample({ name, title, source, about, inputs }) {
  const told = spoken.words.examples?.[name] ?? {};
  const seed = inputs?.['embedding.weight']?.uniform?.seed;
  return {
    title: told.title ?? title,
    source: told.source ?? source,
    about: told.about ? fill(told.about, { seed }).join('') : about,
  };
}

/**
 * The beginning of what may be of any length.
 * @param {string} said
 * @param {number} [most] letters
 */
export const short = (said, most = 80) =>
  said.length > most ? `${said.slice(0, most - 1)}…` : said;

/**
 * A number that is counted, in groups of three digits: 63,082,496.
 * @param {number} number
 */
export const count = (number) => spoken.groups()(number);

/**
 * Several things in one sentence: 'the mask and the scaling'.
 * @param {string[]} things
 */
export const list = (things) => spoken.list().format(things);
