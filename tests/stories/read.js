// A reader of the stories' language, apart from the code that writes them: it follows sentence by sentence who holds
// what, and says which words a careful reader knows before reading them.

import assert from 'node:assert/strict';

const WOMEN = ['Anna', 'Clara', 'Emma', 'Julia', 'Mia', 'Nora'];
const pronouns = (name) => (WOMEN.includes(name) ? ['she', 'her'] : ['he', 'him']);

/** What is known beforehand in a story: [index of the word, kind, word], from 0 at its first word.
 * @param {readonly string[]} words without <start> */
export function known(words) {
  const text = ` ${words.join(' ')}`;
  const found = [];
  let at = 0;
  let cast = [];
  let subject = '';

  const other = (name) => cast.find((one) => one !== name);
  /** Takes a sentence off the text: a pattern whose groups are single words. */
  const take = (pattern) => {
    const match = new RegExp(`^ ${pattern}(?= |$)`, 'd').exec(text.slice(at));
    if (!match) return null;
    const groups = match.slice(1).map((word, i) => ({
      word,
      index: text
        .slice(0, at + match.indices[i + 1][0])
        .trim()
        .split(' ').length,
    }));
    at += match[0].length;
    return groups;
  };
  const must = ({ word, index }, kind, expected) => {
    assert.equal(word, expected, `word ${index} of ${text}`);
    found.push([index, kind, word]);
  };
  const W = '(\\w+)';

  const opening = take(`${W} and ${W} are in the \\w+ [.]`);
  cast = opening.map(({ word }) => word);
  const [first, colour, noun] = take(`${W} has a ${W} ${W} [.]`).map(({ word }) => word);
  const thing = { colour, noun };
  let owner = first;
  subject = first;
  while (at < text.length) {
    let groups = take(`${W} gives the ${W} to ${W} [.]`);
    if (groups) {
      const [giver, noun, receiver] = groups;
      assert.equal(giver.word, owner, text);
      must(noun, 'objects', thing.noun);
      must(receiver, 'names', other(giver.word));
      owner = receiver.word;
      subject = giver.word;
      groups = take(`Now ${W} has the ${W} ${W} [.]`);
      if (!groups) continue;
      must(groups[0], 'names', receiver.word);
      must(groups[1], 'objects', thing.colour);
      must(groups[2], 'objects', thing.noun);
      subject = receiver.word;
      continue;
    }
    groups = take(`Then ${W} \\w+ at ${W} [.]`) ?? take(`Then ${W} \\w+ [.]`);
    if (groups) {
      must(groups[0], 'pronouns', pronouns(subject)[0]);
      if (groups[1]) must(groups[1], 'pronouns', pronouns(other(subject))[1]);
      continue;
    }
    groups = take(`Who has the ${W} [?] ${W} has it [.]`);
    if (groups) {
      must(groups[0], 'objects', thing.noun);
      must(groups[1], 'names', owner);
      subject = groups[1].word;
      continue;
    }
    groups = take(`${W} sings : (") ([a-z ]+) [.] (")`);
    if (groups) {
      const [singer, , song, end] = groups;
      must(end, 'quotes', '"');
      subject = other(singer.word);
      const [again, open, close] = take(`${W} sings it too : (") ${song.word} [.] (")`);
      must(again, 'names', subject);
      for (const [i, word] of [...song.word.split(' '), '.'].entries()) {
        must({ word, index: open.index + 1 + i }, 'phrases', word);
      }
      must(close, 'quotes', '"');
      continue;
    }
    [{ word: subject }] = take(`${W} says : "`);
    const greeting = take(`Hello , ${W} [.]`);
    const description = take(`The ${W} is ${W} [.]`);
    if (greeting) must(greeting[0], 'names', other(subject));
    else if (description) {
      must(description[0], 'objects', thing.noun);
      must(description[1], 'objects', thing.colour);
    } else {
      const boast = take(`I have the ${W} ${W} [.]`);
      assert.equal(subject, owner, text);
      must(boast[0], 'objects', thing.colour);
      must(boast[1], 'objects', thing.noun);
    }
    must(take('(")')[0], 'quotes', '"');
  }
  return found;
}
