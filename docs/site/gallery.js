// Figures to begin with: each is one state, which the playground opens, a frame shows and a notebook takes.

/** @typedef {object} Figure
 * @property {string} title
 * @property {string} about what to look at
 * @property {string} state what follows # in the addresses of the playground and of embed.html
 * @property {string} [cell] what shows it in a notebook, after `import glassformer as gf` */

/** @type {Figure[]} */
export const figures = [
  {
    title: 'Attention by hand',
    about: 'Three words, small whole numbers: press Play, or compute along with a pencil.',
    state: 'v=1&example=i-love-robotics',
    cell: 'gf.show("i-love-robotics")',
  },
  {
    title: 'Who is “she”?',
    about:
      'Fourteen words, one head of two channels: the query of “She” finds the key of “Anna”, and its value is “sings”.',
    state: 'v=1&example=pocket',
    cell: 'gf.show("pocket")',
  },
  {
    title: 'One score',
    about: 'The row of a query, the column of a key, and their product term by term.',
    state: 'v=1&example=i-love-robotics&t=49&path=scores:1,0',
    cell: 'gf.show("i-love-robotics", at="scores/1,0")',
  },
  {
    title: 'A causal mask',
    about: 'A token sees itself and those before it; what is hidden gets the weight 0.',
    state: 'v=1&example=masked',
    cell: 'gf.show("masked")',
  },
  {
    title: 'Without the scaling',
    about: 'The same run twice: with the division by √d_k, and without it.',
    state: 'v=1&example=the-cat-sat&remove=scale',
    cell: 'gf.show("the-cat-sat", remove="scale")',
  },
  {
    title: 'From soft to hard',
    about: 'A look-up with keys that are one-hot: the weights go where the query points.',
    state: 'v=1&example=look-up',
    cell: 'gf.show("look-up")',
  },
  {
    title: 'Two heads',
    about: 'Each head computes with its own channels; what they find is put side by side.',
    state: 'v=1&example=two-heads',
    cell: 'gf.show("two-heads")',
  },
  {
    title: 'Sinusoidal positions',
    about: 'A code for each position, of sines and cosines of growing wavelength.',
    state: 'v=1&example=positions',
    cell: 'gf.show("positions")',
  },
  {
    title: 'A digit, cut into patches',
    about: 'Attention does not need words: four patches of a picture look at each other.',
    state: 'v=1&example=digit',
    cell: 'gf.show("digit")',
  },
  {
    title: 'Layer normalisation',
    about: 'One row: its mean, its variance, and what is left.',
    state: 'v=1&example=layer-norm',
    cell: 'gf.show("layer-norm")',
  },
  {
    title: 'The first lesson',
    about: 'Query, key and value, in pictures, before any arithmetic.',
    state: 'lesson=why-attention',
  },
  {
    title: 'A head is born',
    about: 'A model learns to copy; the head that does it appears in a few steps of training.',
    state: 'lesson=a-head-is-born&scene=2',
  },
];
