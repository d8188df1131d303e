// Cells that depend on a place: sinusoids, turns, distances.

import { cell, operand, times, widthOf } from './parts.js';

/** @type {import('./parts.js').Stories} */
export const positions = {
  position(question) {
    const places = operand(question, 0);
    const width = widthOf(question.step);
    const column = question.at % width;
    const position = places.data[Math.floor(question.at / width)];
    const sines = Math.ceil(width / 2);
    const [pair, cosine] = question.step.attributes.halves
      ? [column % sines, column >= sines]
      : [column >> 1, column % 2 === 1];
    const angle = position / 10000 ** ((2 * pair) / width);
    return { position, angle, fn: cosine ? 'cos' : 'sin', pair };
  },

  rotation(question) {
    const places = operand(question, 0);
    const { dimensions, base } = question.step.attributes;
    const pair = Math.floor(question.at / 2) % (dimensions / 2);
    const position = places.data[Math.floor(question.at / dimensions)];
    const angle = position / base ** ((2 * pair) / dimensions);
    return { position, angle, fn: question.at % 2 ? 'sin' : 'cos', pair };
  },

  rope(question) {
    const [x, turns] = [operand(question, 0), operand(question, 1)];
    const [time, width] = x.shape.slice(-2);
    const column = question.at % width;
    const row = Math.floor(question.at / width);
    const pairs = /** @type {number} */ (turns.shape.at(-2));
    if (column >= 2 * pairs) return { from: cell(x, question.at) };
    const { interleaved } = question.step.attributes;
    const pair = interleaved ? column >> 1 : column % pairs;
    const second = interleaved ? column % 2 === 1 : column >= pairs;
    /* A turn of its own for each sequence of a batch, or one for all. */
    const batch =
      turns.shape.length === 4 ? Math.floor((row * x.shape[0]) / (x.data.length / width)) : 0;
    const turn = 2 * ((batch * time + (row % time)) * pairs + pair);
    const apart = interleaved ? 1 : pairs;
    const other = second ? question.at - apart : question.at + apart;
    return {
      turned: [
        times(cell(x, question.at), cell(turns, turn)),
        times(cell(x, other), cell(turns, turn + 1)),
      ],
      sign: second ? 1 : -1,
    };
  },

  alibi(question) {
    const x = operand(question, 0);
    const [heads, queries, keys] = x.shape.slice(-3);
    const head = Math.floor(question.at / (queries * keys)) % heads;
    const past = question.operands[1]?.data[0] ?? 0;
    const place = past + (Math.floor(question.at / keys) % queries);
    /* What the core takes from nothing at a distance of one. */
    const slopes = question.gf.alibi({ data: new Float32Array(2 * heads), shape: [heads, 1, 2] });
    return {
      x: cell(x, question.at),
      slope: -slopes.data[2 * head + 1],
      distance: Math.abs(place - (question.at % keys)),
    };
  },
};
