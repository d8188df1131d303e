// How a lesson reads what is typed: a share may be written in percent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '../../bindings/learn/lessons/play.js';
import { checked } from '../../web/player/checking.js';

/** Softmax of 5, 3, 4 in float64. */
const powers = [5, 3, 4].map(Math.exp);
const shares = powers.map((x) => x / powers.reduce((all, y) => all + y, 0));
const scope = scopeOf(
  [
    { name: 'scores', op: 'matmul', shape: [1, 3], data: [5, 3, 9] },
    { name: 'weights', op: 'softmax', shape: [1, 3], data: shares },
    { name: 'open', op: 'softmax', bypassed: 'softmax', shape: [1, 3], data: [5, 3, 9] },
  ],
  {},
);
const verdict = (number, ...written) =>
  checked(written, { do: 'predict', numbers: [number], digits: 2 }, scope).verdict;

test('a share is right as a part of one and in percent, with the sign or without', () => {
  for (const written of [
    '0.09',
    '0,0900',
    '.09',
    '9 %',
    '9%',
    '9',
    '9,0',
    '1/11',
    'e^3/(e^5+e^3+e^4)',
  ])
    assert.ok(verdict('weights[0,1]', written).right, written);
  for (const written of ['1', '100', '100 %'])
    assert.ok(verdict('sum(weights[0])', written).right, written);
  for (const written of ['0.9', '90', '90 %', '0.9 %', '-9'])
    assert.ok(!verdict('weights[0,1]', written).right, written);
});

test('what is no share is not read in percent', () => {
  for (const [number, written] of [
    ['scores[0,2]', '9'],
    ['open[0,2]', '9'],
    ['weights[0,1] * 100', '9'],
  ])
    assert.ok(verdict(number, written).right, number);
  for (const number of [
    'scores[0,1]',
    'open[0,1]',
    'length(weights[0])',
    'weights[0,1] / weights[0,1] * 3',
  ])
    assert.ok(!verdict(number, '300').right, number);
});

test('the marking of exercises gets a wrong share as a part of one', () => {
  assert.deepEqual(verdict('weights[0,1]', '25').written, ['0.25']);
  assert.deepEqual(verdict('weights[0,1]', '1/4').written, ['1/4']);
  assert.deepEqual(verdict('scores[0,1]', '25').written, ['25']);
});
