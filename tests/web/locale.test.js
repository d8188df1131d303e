import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import { examples, sentence } from '../../bindings/index.js';
import { removableOf as removableOfModel } from '../../bindings/js/model/config/remove.js';
import { removableOf } from '../../bindings/js/trace/example.js';
import {
  count,
  LANGUAGES,
  language,
  languageChange,
  list,
  message,
  ofExample,
  preferred,
  setLanguage,
  text,
} from '../../web/app/locale/text.js';
import { tables } from '../support/texts.js';

/** What no page says: of modules that engineers call, and what the author of a lesson is told. */
const UNSAID = /^(js\/(self-test|stored)|models\/(relaxed|threads)|learn\/lessons)\//;
/** The sentences of the other errors; the page has its own besides. */
const TEXTS = Object.assign(
  {},
  ...Object.entries(tables)
    .filter(([module]) => !UNSAID.test(module))
    .map(([, texts]) => texts),
);
const PAGE = ['noAnswer'];

const read = (code) =>
  JSON.parse(
    readFileSync(new URL(`../../bindings/words/${code}/page.json`, import.meta.url), 'utf8'),
  );
const others = Object.keys(LANGUAGES).filter((code) => code !== 'en');
const categoriesOf = (code) => new Intl.PluralRules(code).resolvedOptions().pluralCategories;

/** What is spelt alike in all languages: names, symbols and what a model reads. `style.js` of a language has its words. */
const ALIKE =
  `Glassformer|{chapter} · Glassformer|d_model|ALiBi|Adam|Noam|log p|plus β|pooler|Pooler|Pause|Addition
  |Gradient|Export|SVG|PNG|CSV|Tab|JSON|LaTeX|NumPy|PyTorch|JavaScript
  |The cat sat on the mat because it was tired.|I love robotics|The cat sat`
    .split('|')
    .map((words) => words.trim());

/** Every text by its key; one with several forms is one text. */
function textsOf(words, at = '') {
  if (typeof words === 'string' || isForms(words)) return { [at]: words };
  return Object.assign(
    {},
    ...Object.entries(words).map(([key, part]) => textsOf(part, at ? `${at}/${key}` : key)),
  );
}
const isForms = (words) => Object.hasOwn(words, 'other') && typeof words.other === 'string';
const formsOf = (words) => (typeof words === 'string' ? [words] : Object.values(words));
const placeholders = (words) =>
  [...new Set(formsOf(words).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
/** What is set as a formula, and tags if there ever are any. */
const markup = (words) =>
  [
    ...new Set(
      formsOf(words).flatMap((form) => form.match(/\b[A-Za-z]_[A-Za-z\d]+\b|<[^>]*>/g) ?? []),
    ),
  ].sort();
/** Nothing but names, signs and what is filled in. */
const isSymbol = (words) => !/[a-z]{3}/i.test(words.replace(/\{\w+\}|[A-Za-z]_\w+/g, ''));
const isFrench = (key) => key.startsWith('chapters/transformer/sentences/');

const english = textsOf(read('en'));

afterEach(() => setLanguage('en'));

for (const code of others) {
  const { errors, examples: told, ...words } = read(code);
  const { alike = [] } = await import(`../../bindings/words/${code}/style.js`);
  const isAlike = (words) => ALIKE.includes(words) || alike.includes(words);
  const texts = textsOf(words);

  describe(LANGUAGES[code].name, () => {
    test('has every text, and no other', () => {
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort());
    });

    test('fills in the same things and keeps the symbols', () => {
      for (const [key, there] of Object.entries(english)) {
        assert.deepEqual(placeholders(texts[key]), placeholders(there), key);
        assert.deepEqual(markup(texts[key]), markup(there), key);
      }
    });

    test('leaves nothing in English', () => {
      const same = (key) =>
        formsOf(texts[key]).some((form) => formsOf(english[key]).includes(form));
      const left = Object.keys(english).filter(
        (key) =>
          same(key) &&
          !formsOf(english[key]).every(isSymbol) &&
          !isFrench(key) &&
          !formsOf(texts[key]).every(isAlike),
      );
      assert.deepEqual(left, []);
    });

    test('has forms that its numbers ask for', () => {
      for (const [key, forms] of Object.entries(texts)) {
        if (typeof forms === 'string') continue;
        for (const form of Object.keys(forms)) assert.ok(categoriesOf(code).includes(form), key);
        assert.deepEqual(Object.keys(forms).sort(), Object.keys(english[key]).sort(), key);
      }
    });

    test('tells what the core says of its examples and of what they cannot lose', async () => {
      await setLanguage(code);
      const own = sentence('I love robotics', { seed: 5 });
      for (const example of Object.values(examples)) {
        const { title, about } = ofExample(example);
        assert.ok(title !== example.title || isAlike(title), title);
        assert.notEqual(about, example.about);
      }
      assert.notEqual(ofExample(own).source, own.source);
      assert.match(ofExample(own).about, /\b5\b/);
      assert.deepEqual(Object.keys(told).sort(), [...Object.keys(examples), 'sentence'].sort());
      const missing = [
        ...[own, sentence('a b', { dModel: 6, heads: 4, dK: 4 })].flatMap(removableOf),
        ...Object.values(examples).flatMap(removableOf),
        ...removableOfModel([]),
      ].filter(({ why }) => why);
      for (const { why, reason } of missing) assert.notEqual(message(why, reason), reason);
    });

    test('has every sentence of the core’s errors, and fills in the same things', () => {
      const names = [...Object.keys(TEXTS), ...PAGE];
      assert.deepEqual(Object.keys(errors).sort(), names.sort());
      for (const [name, sentence] of Object.entries(TEXTS)) {
        assert.deepEqual(placeholders(errors[name]), placeholders(sentence), name);
      }
    });
  });
}

describe('the language', () => {
  test('is English until another one is set, and tells those who listen', async () => {
    assert.equal(language(), 'en');
    let changes = 0;
    const listen = () => changes++;
    languageChange.addEventListener('change', listen);
    await setLanguage('fr');
    assert.equal(language(), 'fr');
    assert.equal(text('page/close'), 'Fermer');
    await setLanguage('fr');
    assert.equal(changes, 1);
    await setLanguage('en');
    assert.equal(text('page/close'), 'Close');
    assert.equal(changes, 2);
    languageChange.removeEventListener('change', listen);
  });

  test('is the one that was asked for last', async () => {
    await Promise.all([setLanguage('fr'), setLanguage('de'), setLanguage('en')]);
    assert.equal(language(), 'en');
    await Promise.all([setLanguage('en'), setLanguage('de')]);
    assert.equal(language(), 'de');
  });

  test('that is not there is refused, and the present one stays', async () => {
    await setLanguage('de');
    for (const code of ['xx', '', '__proto__', 'constructor', undefined]) {
      await assert.rejects(setLanguage(code), { name: 'RangeError', message: /en, fr, de/ });
    }
    assert.equal(language(), 'de');
  });

  test('is by default the first of the reader’s that there is', () => {
    assert.equal(preferred(['fr-CA', 'en']), 'fr');
    assert.equal(preferred(['it', 'DE-at', 'en']), 'de');
    assert.equal(preferred(['it', 'pt-BR']), 'en');
    assert.equal(preferred(['constructor']), 'en');
    assert.equal(preferred([]), 'en');
  });

  test('groups digits, joins things and chooses forms by its own rules', async () => {
    assert.equal(count(63082496), '63,082,496');
    assert.equal(list(['a', 'b', 'c']), 'a, b, and c');
    assert.equal(text('mismatches/count', { n: 1 }), '1 wrong number in the text');
    assert.equal(text('mismatches/count', { n: 2 }), '2 wrong numbers in the text');
    await setLanguage('fr');
    assert.equal(count(63082496), '63\u202f082\u202f496');
    assert.equal(list(['a', 'b', 'c']), 'a, b et c');
    assert.equal(text('chapters/heads/choose', { n: 0 }), '0 tête');
    await setLanguage('de');
    assert.equal(count(63082496), '63.082.496');
    assert.equal(list(['a', 'b']), 'a und b');
    assert.equal(text('chapters/heads/choose', { n: 0 }), '0 Köpfe');
  });

  test('leaves a sentence of the core that it does not know as it is', async () => {
    await setLanguage('de');
    assert.equal(message('something else'), 'something else');
    assert.equal(message(new RangeError('something else')), 'something else');
    assert.equal(
      message(new TypeError("Cannot read properties of null (reading 'x')")),
      text('page/fault'),
    );
    const error = Object.assign(new RangeError('w_o is not square: [2,3]'), {
      detail: 'exampleSquare',
      params: { shape: [2, 3] },
    });
    assert.equal(message(error), 'w_o ist nicht quadratisch: [2,3]');
    const hint = { detail: 'notYetTranslated', params: {} };
    const other = Object.assign(new TypeError('in English'), {
      detail: 'boolean',
      params: { hint },
    });
    assert.equal(message(other), 'in English');
  });
});
