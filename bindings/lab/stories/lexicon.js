// The words of the stories.

export const PRONOUNS = /** @type {const} */ ({
  she: { subject: 'she', object: 'her' },
  he: { subject: 'he', object: 'him' },
});

/** @typedef {{ name: string, gender: keyof typeof PRONOUNS }} Person */

/** @type {readonly Person[]} */
export const PEOPLE = [
  ...['Anna', 'Clara', 'Emma', 'Julia', 'Mia', 'Nora'].map(
    (name) => /** @type {Person} */ ({ name, gender: 'she' }),
  ),
  ...['Ben', 'David', 'Leo', 'Max', 'Paul', 'Tom'].map(
    (name) => /** @type {Person} */ ({ name, gender: 'he' }),
  ),
];

export const PLACES = ['garden', 'kitchen', 'park', 'school', 'forest', 'house'];
export const NOUNS = ['ball', 'book', 'hat', 'kite', 'lamp', 'cup', 'drum', 'key'];
export const COLOURS = ['red', 'blue', 'green', 'white', 'black', 'yellow'];
export const ACTIONS = ['sleeps', 'reads', 'dances', 'runs'];
/** Verbs with "at" and a person. */
export const GESTURES = ['smiles', 'waves', 'laughs', 'looks'];
export const SYLLABLES = ['do', 're', 'mi', 'fa', 'so', 'la', 'ti'];

/** What sentences are built with. */
const OTHERS = `. , : ? " and are in the has a gives to Now says sings it too Hello I have The is Then at Who`;

/** Every word of a story. */
export const WORDS = [
  ...OTHERS.split(' '),
  ...PEOPLE.map(({ name }) => name),
  ...PLACES,
  ...NOUNS,
  ...COLOURS,
  ...Object.values(PRONOUNS).flatMap(({ subject, object }) => [subject, object]),
  ...ACTIONS,
  ...GESTURES,
  ...SYLLABLES,
];
