// Files of an experiment: its numbers, its picture, programs that compute the numbers again, and the weights.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { saveFile } from '../../stage/elements/save.js';
import { SCORES } from './state.js';

/** @typedef {string | Uint8Array<ArrayBuffer>} Content */
/** @typedef {typeof import('../../workers/inside/take.js')} Writers */
/** @typedef {() => Promise<Writers>} LoadWriters */
/** @typedef {(writers: Writers) => Content | Promise<Content>} Write */
/** @typedef {import('./experiment.js').Host & { experiment: import('./experiment.js').Experiment }} Host */

/**
 * @param {Host} host
 * @param {import('./experiment.js').Whole} whole
 * @param {LoadWriters} loadWriters
 */
export function downloads(host, whole, loadWriters) {
  const { question, model, remote } = host.experiment;
  const { score, model: key } = host.state;
  const isOwn = key !== '';
  const asked = { ...question, value: whole.value, from: whole.fits ? question.from : [] };
  const scored = { score, isJob: SCORES.stories.includes(score) };
  const { config, file } = /** @type {import('./experiment.js').Model} */ (model);
  /** @type {[string, string, Write][]} */
  const files = [
    ['CSV', 'inside.csv', ({ csv }) => csv(asked, whole)],
    [
      'SVG',
      'inside.svg',
      ({ svg }) => svg(/** @type {SVGSVGElement} */ (host.querySelector('.scroll svg'))),
    ],
    ['JavaScript', 'inside.mjs', ({ javascript }) => javascript(asked, whole, scored, file)],
  ];
  if (!isOwn)
    files.push(
      [
        'TransformerLens',
        'inside.py',
        ({ transformerLens }) => transformerLens(asked, whole, config),
      ],
      [text('chapters/inside/weights'), 'stories.safetensors', () => remote.ask('weights', {})],
    );
  /** What writes files is loaded first. @param {string} name @param {Write} write */
  const save = async (name, write) => {
    try {
      saveFile(name, new Blob([await write(await loadWriters())]));
    } catch {
      host.tell(text('page/notLoaded'), () => save(name, write));
    }
  };
  return html`<section>
    <h2 class="label">${text('chapters/inside/take')}</h2>
    <div class="choices">
      ${files.map(
        ([label, name, write]) => html`<button @click=${() => save(name, write)}>${label}</button>`,
      )}
    </div>
    <p class="quiet">
      ${isOwn ? nothing : text('chapters/inside/lens')} ${text('chapters/inside/counted')}
    </p>
  </section>`;
}
