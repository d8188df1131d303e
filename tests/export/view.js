// What the page would show of a trace at a moment, for tests and pictures without a page.
import { explain } from '../../bindings/index.js';
import { timeline } from '../../web/app/state/timeline.js';
import { domain, makeView } from '../../web/app/state/view.js';
import { OPENING } from '../../web/app/state/walk.js';

/** @param {import('../../bindings/index.js').Glassformer} gf */
export function viewOf(gf, trace, t, { gradient = false, theme = 'light' } = {}) {
  const line = timeline(trace.steps);
  const example = { ...trace.example, tokens: trace.example.tokens ?? [] };
  return makeView({
    state: { example: '', ...OPENING, gradient, theme, speed: 1, t },
    opened: { example, trace, intact: null },
    line,
    session: { explain: (run, { node, index }) => explain(run, node, index, gf) },
    limit: domain(trace.steps),
    slope: 1,
    readouts: null,
    target: null,
    hover: null,
    preview: null,
    playing: false,
    theme,
  });
}
