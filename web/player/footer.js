// The foot of a scene: back, out to the chapter, and on.
import { html, nothing } from 'lit';
import { keepsProgress } from '#capabilities';
import { text } from '../app/locale/text.js';
import { COMMON, toHash } from '../app/state/store.js';
import { nameOf } from './head.js';
import { momentAbout } from './map.js';

/** What a link within the page leaves to its reader: a figure's leads to another page. */
const READERS = keepsProgress ? { theme: COMMON.theme, lang: COMMON.lang } : {};

/** In a scene beside the story that is not solved, the number of the next one that is none; null in any other.
 * @param {import('./player.js').Player} player */
function behindOptional({ lesson, shown, state, passed }) {
  if (!lesson || !shown?.optional || passed) return null;
  const { scenes } = lesson;
  let n = state.scene;
  while (scenes[n - 1]?.optional) n++;
  return n;
}

/** What leads on is called. @param {import('./player.js').Player} player @param {number | null} behind */
function onward({ lesson, passed }, behind) {
  if (lesson && behind) {
    const isEnd = behind > lesson.scenes.length;
    return text('lessons/skipTo', {
      name: isEnd ? text('lessons/learned') : nameOf(lesson, behind),
    });
  }
  return text(passed ? 'lessons/next' : 'lessons/skip');
}

/** @param {import('./player.js').Player} player */
export function footer(player) {
  const { view, chapter, shown, placed, state, passed, whole } = player;
  /* The chapter of a translation has more panels than a beginner can take in. */
  const mode = shown?.picture.kind !== 'stage' && view?.state.text ? 'plain' : 'explore';
  const behind = behindOptional(player);
  const t = (shown && view && momentAbout(shown, view)) ?? whole?.t;
  const next = (/** @type {MouseEvent} */ { detail }) => {
    /* A key clicks without a pointer. */
    player.typing = detail === 0;
    if (behind) player.ask({ scene: behind });
    else player.turn(1);
  };
  return html`<footer>
    <button ?disabled=${state.scene <= 1} @click=${() => player.turn(-1)}>
      ${text('lessons/back')}
    </button>
    ${
      chapter && view && !behind
        ? player.linkOut(
            toHash(chapter, { ...whole, t, mode, ...READERS }),
            'explore',
            text('lessons/explore'),
          )
        : nothing
    }
    <button class=${passed && placed === shown ? 'main next' : 'next'} @click=${next}>
      ${onward(player, behind)}
    </button>
  </footer>`;
}
