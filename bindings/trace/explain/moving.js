// Cells that are copies of another one.

import { cellIndex, flatIndex } from '../../base/values.js';
import { cell, operand, widthOf } from './parts.js';

/** @type {import('./parts.js').Stories} */
export const moving = {
  embed(question) {
    const [table, ids] = [operand(question, 0), operand(question, 1)];
    const width = table.shape[1];
    const id = ids.data[Math.floor(question.at / width)];
    return { id, row: cell(table, id * width + (question.at % width)) };
  },

  gather(question) {
    const [x, ids] = [operand(question, 0), operand(question, 1)];
    const { axis } = question.step.attributes;
    const { index } = question;
    const rank = ids.shape.length;
    const id = ids.data[flatIndex('gather', ids.shape, index.slice(axis, axis + rank))];
    const place = [...index.slice(0, axis), id, ...index.slice(axis + rank)];
    return { id, from: cell(x, flatIndex('gather', x.shape, place)) };
  },

  concat(question) {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    const { axis } = question.step.attributes;
    const first = a.shape[axis];
    const from = question.index[axis] < first ? a : b;
    const place = question.index.map((i, at) => (at === axis && from === b ? i - first : i));
    return { from: cell(from, flatIndex('concat', from.shape, place)) };
  },

  heads(question) {
    const x = operand(question, 0);
    const split = question.step.attributes.heads > 0;
    const apart = (split ? question.step : x).shape.slice(-3);
    const [heads, time, width] = apart;
    const size = heads * time * width;
    const batch = question.at - (question.at % size);
    const [i, j, d] = cellIndex(split ? apart : [time, heads, width], question.at - batch);
    /* Apart it is [H,T,D], joined [T,H,D]: i and j change places. */
    const inner = split ? heads : time;
    return { from: cell(x, batch + (j * inner + i) * width + d) };
  },

  /* What an earlier run left there came from cells that are no more. */
  cache(question) {
    const x = operand(question, 0);
    const [time, width] = [x.shape.at(-2) ?? 1, widthOf(x)];
    const capacity = question.step.shape.at(-2) ?? 1;
    const row = Math.floor(question.at / width);
    const place = (row % capacity) - operand(question, 1).data[0];
    if (place < 0 || place >= time) return {};
    const at = (Math.floor(row / capacity) * time + place) * width + (question.at % width);
    return { from: cell(x, at) };
  },
};
