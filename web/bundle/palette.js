// For builds: the colours of bindings/js/base/palette.js, as custom properties in front of style/page.css and in the icon.
import { PALETTE } from '../../bindings/js/base/palette.js';

const { light, dark } = PALETTE;

/** @param {[string, string][]} colours */
const properties = (colours) => colours.map(([name, hex]) => `  --${name}: ${hex};\n`).join('');

/* The last rule holds until the page has started and knows the theme that was chosen. */
const CSS = `:root {
${properties(Object.entries(light))}}

:root[data-theme="dark"] {
${properties(Object.entries(dark).filter(([name, hex]) => Object(light)[name] !== hex))}}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) {
    color: ${dark.ink};
    background: ${dark.paper};
  }
}

`;

/** A style sheet, with the colours if it is the page's own.
 * @param {string} css @param {string} file */
const withColours = (css, file) => (/\/web\/style\/page\.css(\?|$)/.test(file) ? CSS + css : css);

/** Rows of queries, columns of keys, and weights where they cross. */
const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='${light.q}' d='M3 13h9v16H3z'/><path fill='${light.k}' d='M14 3h15v8H14z'/><path fill='${light.a}' d='M14 13h15v16H14z'/></svg>`;

/** The icon as an address. */
export const icon = `data:image/svg+xml,${ICON.replace(/[<>#]/g, encodeURIComponent)}`;

/** @returns {import('vite').Plugin} */
export const palette = () => ({
  name: 'palette',
  enforce: 'pre',
  transform: (css, id) => withColours(css, id),
  transformIndexHtml: () => [
    {
      tag: 'link',
      attrs: { rel: 'icon', href: icon },
    },
  ],
});
