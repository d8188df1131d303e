// Which element shows a matrix: numbers where they fit, else colours.
import { literal } from 'lit/static-html.js';
import './heatmap.js';
import './matrix.js';

/** @param {import('../draw/crossing.js').Size} size of its cells */
export const tagOf = ({ mode }) => (mode === 'colours' ? literal`gf-heatmap` : literal`gf-matrix`);
