// Arrows in figures lie with what moves, in a file beside them. Where it does not come the matrices stand alone.
import { part } from './beside.js';

part('motion').catch(() => {});
