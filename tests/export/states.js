// Traces to export: all examples, sentences, and random edits and removals of them.
import { examples, load, sentence } from '../../bindings/index.js';

export const gf = await load();

/** A repeatable choice of numbers below n. */
export function dice(seed) {
  let at = 0;
  return (n) => Math.floor(gf.uniform([1], { seed, stream: at++ }).data[0] * n) % n;
}

export function indexOf(shape, at) {
  const index = [];
  let rest = at;
  for (const d of [...shape].reverse()) {
    index.unshift(rest % d);
    rest = (rest - (rest % d)) / d;
  }
  return index;
}

/** Edits of a few cells that are no ids; a score may become minus infinity. */
function randomEdits(trace, roll) {
  const steps = trace.steps.filter(({ kind }) => kind !== 'ids');
  return Array.from({ length: roll(3) }, () => {
    const { name, shape, data } = steps[roll(steps.length)];
    const hidden = name.startsWith('scores') && roll(3) === 0;
    const value = hidden ? Number.NEGATIVE_INFINITY : (roll(2000) - 1000) / 250;
    return { node: name, index: indexOf(shape, roll(data.length)), value };
  });
}

/** Every example as it is, and with so many random changes.
 * @returns {{ where: string, trace: any }[]} */
export function states(count) {
  const words = [
    sentence('the robot sees the ball', { heads: 2, causal: true }),
    sentence('a “b” c', { dModel: 6, dK: 4, positions: false }),
  ];
  return [...Object.values(examples), ...words].flatMap((example) => {
    const intact = gf.trace(example);
    const roll = dice(example.name.length);
    const changed = Array.from({ length: count }, () => {
      const remove = intact.removable
        .filter(({ possible }) => possible && roll(3) === 0)
        .map(({ name }) => name);
      const edits = randomEdits(gf.trace(example, { remove }), roll);
      const what = [...remove, ...edits.map(({ node, value }) => `${node}=${value}`)].join(' ');
      return { where: `${example.name} ${what}`, trace: gf.trace(example, { remove, edits }) };
    });
    return [{ where: example.name, trace: intact }, ...changed];
  });
}
