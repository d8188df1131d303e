// Where very many things would move, some do, evenly chosen, and a note says so.

/** More could not be followed. */
const MAX_TRAVELLERS = 32;

/**
 * @template T
 * @param {T[]} all
 * @returns {T[]}
 */
export function sampleOf(all) {
  if (all.length <= MAX_TRAVELLERS) return all;
  return Array.from(
    { length: MAX_TRAVELLERS },
    (_, k) => all[Math.floor((k * all.length) / MAX_TRAVELLERS)],
  );
}

/**
 * What says how large a sample is; nothing where all travel.
 * @param {unknown[]} drawn
 * @param {unknown[]} all
 * @param {import('./boxes.js').Box} box where it stands
 * @returns {import('./index.js').Traveller[]}
 */
export const noteOf = (drawn, all, box) =>
  drawn.length === all.length
    ? []
    : [
        {
          key: 'note',
          look: 'note',
          sample: { drawn: drawn.length, all: all.length },
          box,
          size: box,
          opacity: 1,
        },
      ];
