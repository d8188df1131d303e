// What is counted, not timed.

/** @typedef {import('../../bindings/js/glassformer.js').Glassformer} Glassformer */

/** @typedef {{ what: string, value: number, most?: number }} Figure `most`: the bar, if there is one */

/**
 * @typedef {object} Figures
 * @property {string} name
 * @property {(gf: Glassformer) => Figure[] | Promise<Figure[]>} figures
 */

/** @param {number} value @param {number} [most] the bar
 * @returns {import('./measure/judgement.js').Verdict | undefined} */
export const verdictOf = (value, most) => {
  if (most === undefined) return undefined;
  return value <= most ? 'met' : 'missed';
};

/** @param {Figures} workload @param {Glassformer} gf */
export async function count({ name, figures }, gf) {
  const found = await figures(gf);
  return {
    name,
    figures: found.map((figure) => ({
      ...figure,
      verdict: verdictOf(figure.value, figure.most),
    })),
  };
}
