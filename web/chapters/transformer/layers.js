// What a layer costs that lets n places of width d know of each other, and how far apart they are in it:
// attention, recurrence and convolution, counted. Vaswani et al. 2017, table 1.

/**
 * @typedef {object} Layer
 * @property {'attention' | 'recurrent' | 'lstm' | 'convolution' | 'dilated'} name
 * @property {number} work multiply-adds of one layer, those of its matrices of weights included
 * @property {number} between of them those by which places hear of each other
 * @property {number} connected multiply-adds of as many layers as let every place hear of every other
 * @property {number} sequential steps that must wait for each other
 * @property {number} path the most layers or steps between two places
 * @property {number} kept numbers that hold what is known of the places
 */

/**
 * Layers of a kernel until the last place has heard of the first.
 * @param {number} n
 * @param {(reach: number) => number} wider the reach of one layer more
 */
function layersUntil(n, wider) {
  let layers = 0;
  for (let reach = 1; reach < n; reach = wider(reach)) layers++;
  return Math.max(1, layers);
}

/**
 * @param {number} n places
 * @param {number} d width
 * @param {number} k width of the convolution's kernel
 * @returns {Layer[]}
 */
export function layers(n, d, k) {
  const places = n * d * d;
  const work = 4 * places + 2 * n * n * d;
  /* A state of width d, from the one before and from the input. */
  const recurrent = { work: 2 * places, between: places, sequential: n, path: Math.max(1, n - 1) };
  const convolved = (/** @type {number} */ path) => ({
    ...{ work: k * places, between: k * places, connected: path * k * places },
    ...{ sequential: 1, path, kept: n * d },
  });
  return [
    /* Projections to queries, keys and values, and of the output. Each query meets each key, and each weight a value. */
    {
      name: 'attention',
      ...{ work, between: 2 * n * n * d, connected: work, sequential: 1, path: 1, kept: n * n },
    },
    { name: 'recurrent', ...recurrent, connected: recurrent.work, kept: d },
    /* Four such layers in one: three gates, and what is written. A state and a cell. */
    {
      name: 'lstm',
      ...recurrent,
      ...{ work: 8 * places, between: 4 * places, connected: 8 * places, kept: 2 * d },
    },
    { name: 'convolution', ...convolved(layersUntil(n, (reach) => reach + k - 1)) },
    { name: 'dilated', ...convolved(layersUntil(n, (reach) => reach * k)) },
  ];
}
