// The image that an example's tokens are patches of: as it is, what the present patch attends to, and what attention
// makes of it.
import { html, svg } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { css, fill } from '../../stage/draw/colour.js';
import { display as plainText, shortest } from '../../stage/draw/format.js';
import { indexAt } from '../../stage/draw/tensor.js';
import { ViewElement } from '../../stage/elements/base.js';
import './sources.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?sources',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../app/session.js').Step} Step */

const PICTURE_TEXTS = {
  x: 'sources/patches/x',
  weights: 'sources/patches/weights',
  output: 'sources/patches/output',
};

export class PatchPictures extends ViewElement {
  /** The patch whose row is told. */
  get patch() {
    const { focus, current } = this.view;
    const cell = focus ?? current;
    return cell?.index.at(-2) ?? 0;
  }

  render() {
    const { view } = this;
    const { trace } = view;
    const { tokens } = view.example;
    const isKnown = (/** @type {Step} */ step) => view.known(step) === step.data.length;
    return html`<div class="pictures" role="group" aria-label=${text('sources/patches/label')}>
      ${Object.entries(PICTURE_TEXTS).map(([name, key]) => {
        const step = trace.step(name);
        const most = plainText(this.#most(step));
        const caption = text(key, { patch: tokens[this.patch], most });
        return html`<figure class=${isKnown(step) ? '' : 'later'}>
          ${isKnown(step) ? this.#picture(step, caption) : this.#empty(caption)}
          <figcaption>${caption}</figcaption>
        </figure>`;
      })}
    </div>`;
  }

  /** The largest number of a picture, which is its darkest; of weights that of the present row. @param {Step} step */
  #most({ name, data, shape }) {
    if (name !== 'weights') return 1;
    return Math.max(...data.slice(this.patch * shape[1], (this.patch + 1) * shape[1]));
  }

  get #size() {
    const { rows, columns, height, width } = /** @type {import('../../app/session.js').Patches} */ (
      this.view.example.patches
    );
    return { rows, columns, height, width, box: `0 0 ${columns * width} ${rows * height}` };
  }

  /** Of weights a patch has one number for all its pixels. @param {Step} step @param {string} caption */
  #picture(step, caption) {
    const { columns, height, width, box } = this.#size;
    const pixels = step.name === 'weights' ? 1 : height * width;
    const first = step.name === 'weights' ? this.patch * step.shape[1] : 0;
    const most = this.#most(step);
    const count = step.name === 'weights' ? step.shape[1] : step.data.length;
    return svg`<svg viewBox=${box} role="img" aria-label=${caption}>
      ${Array.from({ length: count }, (_, i) => {
        const [patch, pixel] = [Math.floor(i / pixels), i % pixels];
        const value = step.data[first + i];
        const colour = css(fill(value / most, 'probability', 1, this.view.theme));
        const x = (patch % columns) * width + (pixel % width);
        const y = Math.floor(patch / columns) * height + Math.floor(pixel / width);
        const side = pixels === 1 ? { width, height } : { width: 1, height: 1 };
        return svg`<rect x=${x} y=${y} width=${side.width} height=${side.height} fill=${colour}
          data-node=${step.name} data-index=${indexAt(step.shape, first + i).join()} data-value=${shortest(value)} />`;
      })}
      ${this.#grid()}
    </svg>`;
  }

  /** @param {string} caption */
  #empty(caption) {
    return svg`<svg viewBox=${this.#size.box} role="img" aria-label=${caption}>${this.#grid()}</svg>`;
  }

  /** The edges of the patches, and that of the present one. */
  #grid() {
    const { rows, columns, height, width } = this.#size;
    const lines = [
      ...Array.from({ length: rows + 1 }, (_, i) => `M0 ${i * height}H${columns * width}`),
      ...Array.from({ length: columns + 1 }, (_, i) => `M${i * width} 0V${rows * height}`),
    ];
    const x = (this.patch % columns) * width;
    const y = Math.floor(this.patch / columns) * height;
    return svg`<path class="edges" d=${lines.join('')} />
      <rect class="present" x=${x} y=${y} width=${width} height=${height} />`;
  }
}

customElements.define('gf-patches', PatchPictures);
