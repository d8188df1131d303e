// A figure as SVG: sound XML, and every number on it is the core's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence, traceExample } from '../../bindings/index.js';
import { timeline } from '../../web/app/state/timeline.js';
import { shortest } from '../../web/stage/draw/format.js';
import { figure } from '../../web/stage/export/figure.js';
import { waits } from '../support/sample.js';
import { displays } from '../web/rounding.js';
import { dice, gf, states } from './states.js';
import { viewOf } from './view.js';

/** The elements of an XML text, as { tag, attributes, text }; throws if it is not well-formed. */
function elements(xml) {
  const found = [];
  const open = [];
  let rest = 0;
  for (const match of xml.matchAll(/<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/g)) {
    assert.equal(match.index, rest, `not well-formed at ${rest}: ${xml.slice(rest, rest + 60)}`);
    rest += match[0].length;
    const [, close, tag, attributes, alone, text] = match;
    if (text !== undefined) {
      assert.doesNotMatch(text, /&(?!(amp|lt|gt|quot);)/);
      if (open.length > 0) open.at(-1).text += text;
    } else if (close) assert.equal(open.pop().tag, tag);
    else {
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, k, v]) => [k, v]);
      const element = { tag, attributes: Object.fromEntries(pairs), text: '' };
      found.push(element);
      if (!alone) open.push(element);
    }
  }
  assert.equal(rest, xml.length);
  assert.deepEqual(open, []);
  return found;
}

function check(trace, t, how) {
  const view = viewOf(gf, trace, t, how);
  const svg = figure(view);
  const all = elements(svg);
  const cells = all.filter(({ attributes }) => attributes['data-node']);
  for (const { tag, attributes, text } of cells) {
    const { 'data-node': node, 'data-index': index, 'data-value': value } = attributes;
    const { shape, data, kind } = trace.step(node);
    const at = index.split(',').reduce((flat, i, axis) => flat * shape[axis] + Number(i), 0);
    assert.equal(value, kind === 'ids' ? String(data[at]) : shortest(data[at]), node);
    const shown = text.replace(/^\((.*)\)$/, '$1');
    if (tag !== 'rect') assert.ok(displays(shown, data[at]), `${node}[${index}]: ${text}`);
  }
  for (const { attributes } of all) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name !== 'data-value') assert.doesNotMatch(value, /NaN|undefined|Infinity/, name);
    }
  }
  /* Every cell of the step that is known by then. */
  const own = cells.filter(
    ({ tag, attributes }) => tag !== 'tspan' && attributes['data-node'] === view.stage.name,
  );
  const heads = view.stage.op === 'heads' ? view.stage.shape[0] : 1;
  assert.ok(own.length > 0 || view.known(view.stage) === 0);
  assert.ok(own.length <= view.stage.data.length * heads);
  return svg;
}

test('every number of every figure is the core’s', (t) => {
  if (waits(t)) return;
  const roll = dice(3);
  for (const { trace } of states(3)) {
    const { moments } = timeline(trace.steps);
    const last = trace.steps.at(-1);
    if (last.kind === 'op')
      trace.gradient(
        last.name,
        last.shape.map(() => 0),
      );
    for (let i = 0; i < 8; i++) {
      const how = { gradient: roll(2) === 1, theme: roll(2) ? 'dark' : 'light' };
      check(trace, roll(moments.length), how);
    }
    check(trace, moments.length - 1, {});
  }
});

test('words cannot write markup', () => {
  const trace = traceExample(gf, sentence('<script> & "x" </svg>'));
  const svg = check(trace, 30, {});
  assert.doesNotMatch(svg, /<script|<\/svg>[\s\S]*<\/svg>/);
  assert.ok(svg.includes('&lt; script &gt; &amp; &quot; x &quot; &lt; / svg &gt;'));
});

test('the pencil: a score, its formula and its matrices', () => {
  const trace = traceExample(gf, 'i-love-robotics');
  const { moments, stages } = timeline(trace.steps);
  const stage = stages.findIndex(({ name }) => name === 'scores');
  const t = moments.findLastIndex((moment) => moment.stage === stage && moment.cell === 3);
  const all = elements(check(trace, t, {}));
  const number = (node, index) =>
    all.find(
      ({ tag, attributes }) =>
        tag === 'text' && attributes['data-node'] === node && attributes['data-index'] === index,
    )?.text;
  assert.deepEqual(
    ['2,0', '1,0', '0,0'].map((index) => number('k', index)),
    ['1', '1', '2'],
  );
  assert.equal(number('scores', '1,0'), '4');
  assert.equal(number('scores', '1,1'), undefined, 'not computed yet');
  const spoken = all.filter(({ tag }) => tag === 'tspan').map(({ text }) => text);
  assert.ok(spoken.join('').includes('S = QKT'));
  assert.ok(spoken.join('').endsWith(' = 1 · 2 + 1 · 1 + 1 · 1 = 4'), spoken.join(''));
});
