// What a course author may keep from being changed in a figure, and which lock an action meets.

/** @typedef {'weights' | 'inputs' | 'switches' | 'all'} Lock */

/** @type {readonly Lock[]} */
export const LOCKS = ['weights', 'inputs', 'switches', 'all'];

/** Each kind of number, and what locks it; a computed one, only the lock of everything. */
const OF_KIND = { parameter: 'weights', input: 'inputs', ids: 'inputs', op: 'all' };

/**
 * What is stored in few bits stays as it is.
 * @param {ReadonlySet<string>} locked
 * @param {Pick<import('../session.js').Step, 'kind' | 'stored'>} step
 */
export const editable = (locked, { kind, stored }) =>
  !stored && !locked.has('all') && !locked.has(OF_KIND[kind]);

/**
 * Whether an action would change what is locked.
 * @param {ReadonlySet<string>} locked
 * @param {import('../../stage/elements/base.js').Action} action
 * @param {Pick<import('../session.js').Trace, 'step'>} trace
 */
export function refused(locked, action, trace) {
  switch (action.do) {
    case 'edit':
      return !editable(locked, trace.step(action.cell.node));
    case 'drag':
      return action.edits.some(({ node }) => !editable(locked, trace.step(node)));
    case 'remove':
    case 'reset':
      return locked.has('switches') || locked.has('all');
    case 'example':
    case 'sentence':
    case 'matrices':
      return locked.has('inputs') || locked.has('all');
    case 'set':
      return 'text' in action.change && (locked.has('inputs') || locked.has('all'));
    default:
      return false;
  }
}
