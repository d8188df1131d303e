// The page's texts, from one file per language, with a glossary beside it (bindings/words); {name} marks what is filled in.
// English is always there, and stands in for what another language lacks; the others are loaded when they are asked for.

import { PAGES } from '#pages';
import { LANGUAGES } from '../../../bindings/generated/languages.js';
import { compose } from '../../../bindings/js/base/message.js';
import { numberFormat } from '../../../bindings/js/base/speech.js';
import englishTerms from '../../../bindings/words/en/glossary.json' with { type: 'json' };
import english from '../../../bindings/words/en/page.json' with { type: 'json' };
import { merge } from './merge.js';

/** What a term is, by a name that all languages share; forms: how it may stand in a sentence.
 * @typedef {Record<string, { forms: string[], is: string }>} Glossary */
/** @typedef {import('../../../bindings/generated/languages.js').Language} Code */

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
 * Makes a value when it is first asked for: the first formatter takes a browser some 30 ms.
 * @template T
 * @param {() => T} make
 */
function lazy(make) {
  /** @type {T | undefined} */
  let value;
  return () => {
    value ??= make();
    return value;
  };
}

/** @param {Code} code @param {any} words @param {Glossary} glossary */
const speech = (code, words, glossary) => ({
  code,
  words,
  glossary,
  plurals: lazy(() => new Intl.PluralRules(code)),
  groups: lazy(() => numberFormat(code, { maximumFractionDigits: 1 })),
  hundredths: lazy(() => numberFormat(code, { maximumFractionDigits: 2 })),
  percent: lazy(() => numberFormat(code, { style: 'percent', maximumFractionDigits: 2 })),
  list: lazy(() => new Intl.ListFormat(code)),
});

let spoken = speech('en', english, englishTerms);
/** How many times a language was asked for. */
let requests = 0;

/** Fires 'change' whenever the texts are of another language. */
export const languageChange = new EventTarget();

/** The language of the texts, for example 'en'. */
export const language = () => spoken.code;

/** What stands between the whole part of a number and its decimals. */
export const decimalPoint = () => LANGUAGES[spoken.code].decimal;

/** Numbers of a row, as a sentence lists them. @param {readonly string[]} numbers */
export const listed = (numbers) => numbers.join(`${LANGUAGES[spoken.code].separator} `);

/** The terms of that language. */
export const glossary = () => spoken.glossary;

/**
 * Loads the texts of a language, in which every element is drawn again. Of several calls the last one counts; if the
 * texts cannot be loaded, it rejects and the language stays.
 * @param {string} code for example 'fr'
 */
export async function setLanguage(code) {
  if (!Object.hasOwn(LANGUAGES, code)) {
    const all = Object.keys(LANGUAGES).join(', ');
    throw new RangeError(`there is no language "${code}", but ${all}`);
  }
  const name = /** @type {Code} */ (code);
  requests++;
  const request = requests;
  const [words, terms] = await wordsOf(name);
  if (request !== requests || name === spoken.code) return;
  spoken = speech(name, words.default, terms.default);
  languageChange.dispatchEvent(new Event('change'));
}

/**
 * The first language of a list that the page has, or else English.
 * @param {readonly string[]} wanted such as navigator.languages: ['fr-CA', 'en']
 * @returns {Code}
 */
export function preferred(wanted) {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  return /** @type {Code} */ (codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en');
}

/**
 * @param {any} words
 * @param {string[]} path
 */
const within = (words, path) => path.reduce((tree, part) => tree?.[part], words);

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
  return templateOf(key, values).replace(FILLED, (_, name) => String(values[name] ?? ''));
}

/**
 * The same, but what is filled in may be anything that a template can show.
 * @param {string} key
 * @param {Record<string, unknown>} values
 * @returns {unknown[]}
 */
export function rich(key, values) {
  return fill(templateOf(key, values), values);
}

/** @param {string} key @param {Record<string, unknown>} values */
function templateOf(key, values) {
  const entry = lookup(key);
  const template = typeof entry === 'string' ? entry : formOf(entry, values.n);
  if (typeof template !== 'string') throw new RangeError(`no text for ${key}`);
  return template;
}

/** What is filled in. */
const FILLED = /\{(\w+)\}/g;

/**
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
const fill = (template, values) =>
  template
    .split(FILLED)
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
 * @param {any} message
 * @returns {boolean}
 */
const covers = (errors, { detail, params }) =>
  Object.hasOwn(errors, detail) &&
  Object.values(params)
    .flat()
    .every((param) => !param?.detail || covers(errors, param));

/** What a program called, which a reader of the page did not. */
const CALLED = /^(trace|exercise): ((example\.inputs|example|given)[:.] ?)?/;

/**
 * Why something failed, or cannot be done, in the reader's language: an error or another message of the core
 * has the name of its sentence and what fills it in. What has none, or no such sentence here, stays as it is.
 * @param {any} error
 * @param {string} [english] the same, where it is no error
 * @returns {string}
 */
export function message(error, english = undefined) {
  const errors = spoken.words.errors ?? {};
  const isKnown = typeof error?.detail === 'string' && covers(errors, error);
  /* What no sentence of ours says is a fault of the page: its words are for the console. */
  const isFault = error?.detail === undefined && error instanceof TypeError;
  if (isFault && english === undefined) return text('page/fault');
  const said = isKnown ? compose(errors, error) : (english ?? error?.message ?? String(error));
  return said.replace(CALLED, '');
}

/**
 * An example's title, source and description in the reader's language.
 * @param {{ name: string, title: string, source: string, about: string, inputs?: any }} example
 */
export function ofExample({ name, title, source, about, inputs }) {
  const translated = spoken.words.examples?.[name] ?? {};
  const seed = inputs?.['embedding.weight']?.uniform?.seed;
  return {
    title: translated.title ?? title,
    source: translated.source ?? source,
    about: translated.about ? fill(translated.about, { seed }).join('') : about,
  };
}

/**
 * The words of an example's vocabulary in the reader's language.
 * @param {{ name: string, vocabulary?: readonly string[] }} example
 */
export const vocabularyOf = ({ name, vocabulary }) =>
  spoken.words.examples?.[name]?.vocabulary?.split(' ') ?? vocabulary;

/** At the beginning of a sentence. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * The beginning of what may be of any length.
 * @param {string} words
 * @param {number} [most] letters
 */
export const short = (words, most = 80) =>
  words.length > most ? `${words.slice(0, most - 1)}…` : words;

/**
 * A number that is counted, in groups of three digits: 63,082,496.
 * @param {number} number
 */
export const count = (number) => spoken.groups()(number);

/**
 * Points, to hundredths: 2.67.
 * @param {number} number
 */
export const worth = (number) => spoken.hundredths()(number);

/** A smaller probability is shown as less than this, and one that is not 1 never as all. */
const MIN_SHARE = 1e-4;

/**
 * A probability, in percent: 99.2 %, < 0.01 %, > 99.99 %.
 * @param {number} share
 */
export function percent(share) {
  const inPercent = spoken.percent();
  if (share > 0 && share < MIN_SHARE) return `<\u202f${inPercent(MIN_SHARE)}`;
  if (share < 1 && share > 1 - MIN_SHARE) return `>\u202f${inPercent(1 - MIN_SHARE)}`;
  return inPercent(share);
}

/**
 * Several things in one sentence: 'the mask and the scaling'.
 * @param {string[]} things
 */
export const list = (things) => spoken.list().format(things);
