// Turns the page's styles into those of a shadow root, with PostCSS. `:root` becomes the outermost element in it, whose
// colours an author may set; a rem becomes a variable, since the page around has another; widths are the figure's.

const REM = /(-?[\d.]+)rem\b/g;

/** @type {any} PostCSS comes with Vite and has no types here */
export const shadowStyles = {
  postcssPlugin: 'shadow-styles',
  Once(/** @type {any} */ sheet) {
    sheet.walkRules((/** @type {any} */ rule) => {
      if (!rule.selector.includes(':root')) return;
      rule.selector = rule.selector.replaceAll(':root', '.root');
      rule.walkDecls(/^--(?!rem$)/, (/** @type {any} */ colour) => {
        colour.value = `var(--gf-${colour.prop.slice(2)}, ${colour.value})`;
      });
    });
    sheet.walkDecls((/** @type {any} */ declaration) => {
      declaration.value = declaration.value.replace(REM, 'calc($1 * var(--rem))');
    });
    sheet.walkAtRules(/^(media|container)$/, (/** @type {any} */ rule) => {
      if (!/^\([^{]*width/.test(rule.params)) return;
      rule.name = 'container';
      rule.params = rule.params.replace(REM, (/** @type {string} */ _, /** @type {number} */ n) => {
        return `${Number((n * 16).toFixed(2))}px`;
      });
    });
  },
};
