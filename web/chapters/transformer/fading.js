// Whether a signal fades on its way through a recurrent network: judged by several networks, whose numbers are random.

/** What is left of the first input is less than this part of what the last one counts. */
const FADED = 1e-3;

/**
 * @param {number[]} ratios of each network: the derivative of the last state after the first input, divided by that after
 *   the last input
 * @returns {{ says: 'holds' | 'partly' | 'fails', faded: number, grown: number }}
 */
export function fading(ratios) {
  const faded = ratios.filter((ratio) => ratio < FADED).length;
  const grown = ratios.filter((ratio) => ratio > 1).length;
  return { says: faded === ratios.length ? 'holds' : faded > 0 ? 'partly' : 'fails', faded, grown };
}
