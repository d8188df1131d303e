// Cells that depend on one cell of each operand: sums, activations, masks.

import { flatIndex } from '../../base/values.js';
import { cell, f32, operand } from './parts.js';

/** @typedef {import('./parts.js').Question} Question */

/** A function of x alone. @param {Question} question */
const single = (question) => ({ x: cell(operand(question, 0), question.at) });

/** 1 / sqrt 2, sqrt(2 / pi), and the weight of the cube, as the core has them. */
const ROOT_HALF = f32(Math.SQRT1_2);
const BEND = f32(Math.sqrt(2 / Math.PI));
const CUBE = f32(0.044715);

/** @type {import('./parts.js').Stories} */
export const each = {
  leaf: () => ({}),

  add(question) {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    return { a: cell(a, question.at), b: cell(b, question.at % b.data.length) };
  },

  scale: (question) => ({ ...single(question), factor: question.step.attributes.factor }),

  relu: single,
  sigmoid: single,
  tanh: single,
  erf: single,
  exp: single,

  softcap(question) {
    const { x } = single(question);
    const { cap } = question.step.attributes;
    return { x, cap, inner: question.gf.tanh(f32(x.value / cap)) };
  },

  gelu(question) {
    const { x } = single(question);
    const { value } = x;
    const { gf } = question;
    if (!question.step.attributes.tanh_form) {
      return { x, share: f32(0.5 * f32(1 + gf.erf(f32(value * ROOT_HALF)))) };
    }
    const cube = f32(f32(f32(CUBE * value) * value) * value);
    return { x, inner: gf.tanh(f32(BEND * f32(value + cube))) };
  },

  silu(question) {
    const { x } = single(question);
    const { factor } = question.step.attributes;
    return { x, factor, share: question.gf.sigmoid(f32(factor * x.value)) };
  },

  swiglu(question) {
    const { x: a } = single(question);
    const { factor } = question.step.attributes;
    const share = question.gf.sigmoid(f32(factor * a.value));
    return { a, b: cell(operand(question, 1), question.at), factor, share };
  },

  dropout(question) {
    const { x } = single(question);
    const rest = f32(1 - f32(question.step.attributes.p));
    return { x, rest, keep: Object.is(question.step.data[question.at], f32(x.value / rest)) };
  },

  mask(question) {
    const { step, index } = question;
    const [, mask, lengths] = question.operands;
    const [query, key] = index.slice(-2);
    const { x } = single(question);
    const masked = (/** @type {'causal' | 'padding' | 'mask'} */ reason) => ({
      x,
      keep: false,
      reason,
      added: null,
    });
    if (step.attributes.causal && key > query + step.attributes.offset) return masked('causal');
    /* One sequence has one length, whether its batch is still a dimension or not. */
    if (lengths && key >= lengths.data[lengths.data.length > 1 ? index[0] : 0]) {
      return masked('padding');
    }
    if (!mask) return { x, keep: true, reason: 'kept', added: null };
    /* Aligned at the right; a dimension of 1 stands for all. */
    const place = mask.shape.map((d, i) =>
      d === 1 ? 0 : index[index.length - mask.shape.length + i],
    );
    const value = mask.data[flatIndex('mask', mask.shape, place)];
    if (mask.kind === 'ids') {
      return value ? { x, keep: true, reason: 'kept', added: null } : masked('mask');
    }
    if (value === Number.NEGATIVE_INFINITY) return masked('mask');
    return { x, keep: true, reason: 'added', added: value };
  },
};
