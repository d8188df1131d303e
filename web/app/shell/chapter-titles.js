// The keys of the chapters' titles.

/** @type {Readonly<Record<string, string>>} */
export const CHAPTER_TITLES = {
  learn: 'chapters/learn/title',
  attention: 'chapters/attention/title',
  heads: 'chapters/heads/title',
  positions: 'chapters/positions/title',
  transformer: 'chapters/transformer/title',
  training: 'chapters/training/title',
  inside: 'chapters/inside/title',
  exercises: 'chapters/exercises/title',
  stories: 'chapters/stories/title',
};
