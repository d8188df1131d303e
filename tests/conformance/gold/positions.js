// Where a token stands.
import { byRule } from './rules.js';

/** The first columns of a tensor, if no more are published.
 * @param {any} tensor @param {number | undefined} columns */
function first({ data, shape }, columns) {
  if (columns === undefined) return { data, shape };
  const width = shape.at(-1);
  return {
    data: Array.from(data).filter((_, i) => i % width < columns),
    shape: [...shape.slice(0, -1), columns],
  };
}

/** @param {string} layout */
function isInterleaved(layout) {
  if (layout === 'interleaved' || layout === 'half') return layout === 'interleaved';
  throw new Error(`unknown layout ${layout}`);
}

/** @type {Record<string, import('./index.js').Adapter>} */
export const positions = {
  sinusoid(gf, { layout, d_model: channels, positions, columns, expected }) {
    const at = { data: positions };
    const y = gf.position(at, channels, { halves: !isInterleaved(layout) });
    return [{ what: 'y', actual: first(y, columns), expected }];
  },

  rope(gf, given) {
    const { layout, head_dim: width, positions, base, columns, expected } = given;
    const x = given.x ?? byRule(given.x_rule);
    const rotation = gf.rotation({ data: positions }, width, base);
    const y = gf.rope(x, rotation, { interleaved: isInterleaved(layout) });
    return [{ what: 'y', actual: first(y, columns), expected }];
  },

  rope_freqs(gf, given) {
    const { data, shape } = gf.rotation({ data: given.positions }, given.head_dim, given.base);
    /** @param {number} which */
    const part = (which) => ({
      data: data.filter((_, i) => i % 2 === which),
      shape: shape.slice(0, -1),
    });
    return [
      { what: 'cos', actual: part(0), expected: given.expected_cos },
      { what: 'sin', actual: part(1), expected: given.expected_sin },
    ];
  },
};
