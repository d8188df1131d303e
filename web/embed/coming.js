// The geometric view of figures lies with what moves, in a file beside them. Where that does not come the matrices
// stand alone.
import { part } from './beside.js';

export const geometry = () => part('motion').catch(() => {});
