// What a layer costs that lets n places of width d know of each other, and how far apart they are in it:
// attention, recurrence and convolution, counted. Vaswani et al. 2017, table 1.

/**
 * @typedef {object} Layer
 * @property {'attention' | 'recurrent' | 'convolution' | 'dilated'} name
 * @property {number} work multiply-adds of one layer, those of its matrices of weights included
 * @property {number} between of them those by which places hear of each other
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
  const convolution = { work: k * places, between: k * places, sequential: 1, kept: n * d };
  /* Each query meets each key, and each weight a value. */
  const pairs = 2 * n * n * d;
  return [
    /* Projections to queries, keys and values, and of the output. */
    {
      name: 'attention',
      work: 4 * places + pairs,
      between: pairs,
      sequential: 1,
      path: 1,
      kept: n * n,
    },
    /* A state of width d, from the one before and from the input. */
    {
      name: 'recurrent',
      work: 2 * places,
      between: places,
      sequential: n,
      path: Math.max(1, n - 1),
      kept: d,
    },
    { name: 'convolution', ...convolution, path: layersUntil(n, (reach) => reach + k - 1) },
    { name: 'dilated', ...convolution, path: layersUntil(n, (reach) => reach * k) },
  ];
}
