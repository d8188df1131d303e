// The figures of the gallery, below the page of that name: each with its link, its frame and its cell of a notebook.
import { useData, withBase } from 'vitepress';
import { h } from 'vue';
import { figures } from '../../gallery.js';

/** Where the playground is: a folder above this site. */
const playground = () => withBase('/').replace(/docs\/$/, '');

/** @param {string} label @param {string} code */
const codeBlock = (label, code) =>
  h('details', [h('summary', label), h('div', { class: 'language-' }, h('pre', h('code', code)))]);

/** @param {import('../../gallery.js').Figure} figure */
function drawn({ title, about, state, cell }) {
  const frame = `${playground()}embed.html#${state}`;
  return h('section', { class: 'figure' }, [
    h('h2', { id: state }, title),
    h('p', about),
    h('iframe', { src: frame, title, loading: 'lazy' }),
    h(
      'p',
      h('a', { href: `${playground()}#${state}`, target: '_self' }, 'Open it in the playground'),
    ),
    codeBlock(
      'On a course page',
      `<iframe src="embed.html#${state.replaceAll('&', '&amp;')}"\n  title="${title}" width="100%" height="730" style="border: 0"></iframe>`,
    ),
    cell ? codeBlock('In a notebook', `import glassformer as gf\n\n${cell}`) : null,
  ]);
}

export const Gallery = {
  setup() {
    const { page } = useData();
    return () =>
      page.value.relativePath === 'gallery.md'
        ? h('div', { class: 'vp-doc gallery' }, figures.map(drawn))
        : null;
  },
};
