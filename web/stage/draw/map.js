// The block diagram: where each step stands, and which feeds which.
import { isCodes, role, word } from './names.js';

/** @typedef {import('../../app/session.js').Step} Step */
/**
 * @typedef {{ name: string, x: number, y: number }} Block
 * @typedef {{ from: Block, to: Block }} Wire
 */

/** Queries at the left, keys in the middle, values at the right. */
const COLUMN = { q: 0, k: 1, v: 2, a: 0.5, x: 1 };

/**
 * @param {Step[]} stages
 * @param {Step[]} steps all of them: queries, keys and values that are given have a block, too
 * @returns {{ blocks: Block[], wires: Wire[], rows: number }}
 */
export function blockMap(stages, steps) {
  const shown = steps.filter((step) => stages.includes(step) || isGiven(step));
  /** @type {Map<string, Block>} */
  const blocks = new Map();
  /** @type {Wire[]} */
  const wires = [];
  const hasInput = shown.some((step) => step.role === 'input');
  for (const step of shown) {
    const feeds = step.inputs.flatMap((name) => blocks.get(String(name)) ?? []);
    const x = columnOf(step, stages);
    let y = Math.max(-1, ...feeds.map((block) => block.y)) + 1;
    if (step.kind !== 'op' && step.role !== 'input' && hasInput) y = 1;
    while ([...blocks.values()].some((block) => block.x === x && block.y === y)) y++;
    const block = { name: step.name, x, y };
    blocks.set(step.name, block);
    wires.push(...feeds.map((from) => ({ from, to: block })));
  }
  const all = [...blocks.values()];
  return { blocks: all, wires, rows: Math.max(...all.map(({ y }) => y)) + 1 };
}

/** Queries, keys or values themselves. @param {Step} step */
const isGiven = (step) => ['q', 'k', 'v'].includes(word(step));

/**
 * @param {Step} step
 * @param {Step[]} stages
 */
function columnOf(step, stages) {
  if (step.axes[0] === 'position') return columnOfCodes(step, stages);
  if (step.role === 'embedding') return 0.5;
  if (word(step) === 'position') return 1.5;
  if (step.role === 'mix' || step.role === 'concat' || step.role === 'output') {
    return stages.some((stage) => stage.role === 'score') ? 1.25 : 1;
  }
  return COLUMN[role(step)];
}

/**
 * The codes of positions in the middle, and moved below them; their dot products and other codes, which lead nowhere,
 * at the sides.
 * @param {Step} step
 * @param {Step[]} stages
 */
function columnOfCodes({ name, op, axes }, stages) {
  if (axes[1] === 'position') return 0;
  const first = stages.find((stage) => isCodes(stage));
  return op === 'position' && name !== first?.name ? 2 : 1;
}
