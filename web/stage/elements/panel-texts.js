// What the panels of a walkthrough are called.

/** By the chapter, as its element says it. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
export const PANEL_TEXTS = {
  'chapters/heads': {
    heads: 'chapters/heads/panels/heads',
    stage: 'chapters/heads/panels/stage',
    numbers: 'chapters/heads/panels/numbers',
  },
  'chapters/positions': {
    waves: 'chapters/positions/panels/waves',
    distance: 'chapters/positions/panels/distance',
    shift: 'chapters/positions/panels/shift',
    stage: 'chapters/positions/panels/stage',
    shuffle: 'chapters/positions/panels/shuffle',
    sentence: 'chapters/positions/panels/sentence',
  },
  'chapters/transformer': {
    attention: 'chapters/transformer/panels/attention',
    stage: 'chapters/transformer/panels/stage',
    next: 'chapters/transformer/panels/next',
    masks: 'chapters/transformer/panels/masks',
    cost: 'chapters/transformer/panels/cost',
    size: 'chapters/transformer/panels/size',
    paths: 'chapters/transformer/panels/paths',
    meaning: 'chapters/transformer/panels/meaning',
    bits: 'chapters/transformer/panels/bits',
    recurrence: 'chapters/transformer/panels/recurrence',
    chat: 'chapters/transformer/panels/chat',
    tokenizer: 'chapters/transformer/panels/tokenizer',
    roles: 'chapters/transformer/panels/roles',
  },
};
