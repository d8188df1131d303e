// The foot of a scene: back, out to the chapter, and on.
import { html, nothing } from 'lit';
import { keepsProgress } from '#capabilities';
import { text } from '../app/locale/text.js';
import { COMMON, toHash } from '../app/state/store.js';

/** What a link within the page leaves to its reader: a figure's leads to another page. */
const READERS = keepsProgress ? { theme: COMMON.theme, lang: COMMON.lang } : {};

/** @param {import('./player.js').Player} player */
export function footer(player) {
  const { view, chapter, shown, placed, state, passed, whole } = player;
  /* The chapter of a translation has more panels than a beginner can take in. */
  const mode = shown?.picture.kind !== 'stage' && view?.state.text ? 'plain' : 'explore';
  const next = (/** @type {MouseEvent} */ { detail }) => {
    /* A key clicks without a pointer. */
    player.typing = detail === 0;
    player.turn(1);
  };
  return html`<footer>
    <button ?disabled=${state.scene <= 1} @click=${() => player.turn(-1)}>
      ${text('lessons/back')}
    </button>
    ${
      chapter && view
        ? player.linkOut(
            toHash(chapter, { ...whole, mode, ...READERS }),
            'explore',
            text('lessons/explore'),
          )
        : nothing
    }
    <button class=${passed && placed === shown ? 'main next' : 'next'} @click=${next}>
      ${text(passed ? 'lessons/next' : 'lessons/skip')}
    </button>
  </footer>`;
}
