// Fields of CSV that hold what separates fields and lines are quoted, as RFC 4180 says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../../bindings/js/base/csv.js';

test('commas, quotes and both ends of a line are quoted, everything else is as it is', () => {
  const rows = [
    ['what', 'a,b', 'say "yes"'],
    ['two\nlines', 'old\rMac', -0.5],
  ];
  assert.equal(csvOf(rows), 'what,"a,b","say ""yes"""\n"two\nlines","old\rMac",-0.5\n');
});
