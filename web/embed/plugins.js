// How the page's sources become figures: styles for shadow roots, and other modules where the page's need a
// server of their own.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const web = path.join(import.meta.dirname, '..');

/** What neither figures nor exercises use of the core. */
const UNUSED = {
  /* No model of theirs is stored in few bits. */
  'elements/block.js': 'embed/absent.js',
  /* A build of them writes it. */
  '../bindings/generated/assignment.js': 'embed/absent.js',
  '../bindings/generated/scalar.js': 'embed/scalar.js',
  '../bindings/base/synonyms.js': 'embed/synonyms.js',
  '../bindings/model/sliced-steps.js': 'embed/unsliced.js',
  '../bindings/model/train.js': 'embed/untrained.js',
};

/** What the page loads later and figures do without, or do in another way. Arrows come with what moves. */
export const FIGURE = {
  ...UNUSED,
  'reader/model.js': 'embed/model.js',
  'inside/heads.js': 'embed/heads.js',
  'elements/export-sheet.js': 'embed/absent.js',
  'elements/embed-sheet.js': 'embed/absent.js',
  'elements/arrows.js': 'embed/absent.js',
  'elements/coming.js': 'embed/coming.js',
  'elements/evidence.js': 'embed/absent.js',
  'elements/explained.js': 'embed/unexplained.js',
  'elements/motion.js': 'embed/absent.js',
  'elements/moving.js': 'embed/moving.js',
  'elements/plot.js': 'embed/absent.js',
  'experiments/claims.js': 'embed/absent.js',
  'chapters/transformer/ahead.js': 'embed/ahead.js',
  'chapters/transformer/growth.js': 'embed/absent.js',
  'chapters/transformer/opener.js': 'embed/opener.js',
  'chapters/transformer/unfolded.js': 'embed/folded.js',
  'chapters/transformer/vocabulary.js': 'embed/absent.js',
  'chapters/index.js': 'embed/taught.js',
  'chapters/training/opened.js': 'embed/absent.js',
  'chapters/training/predictions.js': 'embed/absent.js',
  'chapters/training/setup.js': 'embed/absent.js',
  'chapters/training/writer.js': 'embed/absent.js',
  'teaching/bring.js': 'embed/absent.js',
  'teaching/files.js': 'embed/told.js',
  'teaching/progress.js': 'embed/reported.js',
  'teaching/welcome.js': 'embed/unlisted.js',
  'trainer/core.js': 'embed/trained.js',
  'trainer/open.js': 'embed/trainer.js',
  '../bindings/exercises/index.js': 'embed/marking.js',
  '../bindings/eager/attention.js': 'embed/unasked.js',
  '../bindings/eager/losses.js': 'embed/unasked.js',
  '../bindings/eager/moving.js': 'embed/unasked.js',
  '../bindings/eager/positions.js': 'embed/unasked.js',
  '../bindings/eager/products.js': 'embed/unasked.js',
  '../bindings/eager/rows.js': 'embed/unasked.js',
};

/** The same for one exercise of a package. */
export const ASSIGNMENT = {
  ...UNUSED,
  'session.js': 'assignment/session.js',
  'chapters/exercises/machine.js': 'assignment/machine.js',
  'chapters/exercises/quiz-button.js': 'embed/absent.js',
  'chapters/exercises/text.js': 'embed/absent.js',
};

/**
 * Resolves some modules to others; what stands for them finds them.
 * @param {Readonly<Record<string, string>>} instead
 * @returns {import('vite').Plugin}
 */
export const substitutes = (instead) => ({
  name: 'substitutes',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return null;
    const file = path.relative(web, path.resolve(path.dirname(importer), source));
    const other = instead[file];
    const stands =
      importer.startsWith(path.join(web, 'embed/')) || importer === path.join(web, other ?? '');
    return other && !stands ? path.join(web, other) : null;
  },
});

/** What of the core's refusals a state can bring about; the others are about programs and files. */
const REFUSALS = new RegExp(
  `^errors/(${[
    'received|didYouMean|number|finite|numberFrom|integerFrom|divisor|words|word',
    'noCell|indexInto|noNode|noStep|noParameter|noMemory|noMemoryFor',
    'unfit|sizeOut|beyondMemory|attributeUnfit|dimensionOut|rankOut|idOut',
    'wasmRefused|unknownRemoval|notRemovable|notDividing|oddHeads|tooLong',
    'idsNoGradient|idsFixed|noGradientOf|modelHasNo|modelNo\\w+|example\\w+',
  ].join('|')})$`,
);

/** Tensors of rotary positions and of ALiBi. */
const ROTATED = 'q\\.rotated|k\\.rotated|rotation|scores\\.biased';

/** Words of the page that no figure says, and those among them that one does. */
const UNSAID = new RegExp(
  `^(${[
    'assignment|course|export|shortcuts|claims|models|lessons|chapters/(learn|training|positions|exercises|inside|stories)|chapters/transformer/(checkpoint|vocabulary|keys|panels/(chat|tokenizer)|(text|run|tokens|translator)$)',
    /* Of models that only a checkpoint brings. */
    'microscope/rms/|caption/(rms|alibi)|gradient/stored',
    '(prose|titles|nouns)/(type$|dropout|position\\.|gate$|activation\\.|logits\\.|pooler|pooled|prediction)',
    'chapters/transformer/((blocks|short|about)/(pooler|prediction|rotation|rms_norm|\\w+_alone)|fold/other)',
    /* Positions that no worked example has. */
    `(prose|titles|nouns)/(${ROTATED})$`,
    'plot|plane|directions|chapters/transformer/paths/(plot|across|up)|chapters/\\w+/title|(prose|titles|nouns)/codes\\.|page/(digits|documentTitle|chapters|tools|share|theme|language|noLanguage|keys|present|leave|undo|redo)',
    'page/(badHash|badState|longHash|noChapter|noOrder|everything)|embed/noLesson|stage/sample',
  ].join('|')})`,
);
const SAID = /^(claims\/test(Of)?|chapters\/transformer\/checkpoint\/back)$/;

/** What only lessons say. */
const TOLD = new RegExp(
  `^(${[
    'lessons/(?!title|welcome|elsewhere|open|unreadableFile|restart|resume|minutes|done|notKept)',
    'chapters/(training|stories)/|chapters/exercises/machine|embed/noLesson|plot/',
    `(prose|titles|nouns)/(${ROTATED})$`,
  ].join('|')})`,
);

/** What the parts beside the figures say. @type {Record<string, (path: string) => boolean>} */
const LATER = {
  lessons: (path) => TOLD.test(path) && !ofFigures(path),
  plane: (path) => /^(plane\/|directions\/|stage\/sample$)/.test(path),
};

/** What a figure says. @param {string} path */
export const ofFigures = (path) =>
  path.startsWith('errors/') ? REFUSALS.test(path) : !UNSAID.test(path) || SAID.test(path);

/** What an exercise of a package says. @param {string} path */
export const ofAssignments = (path) =>
  path.startsWith('errors/')
    ? REFUSALS.test(path)
    : /^(assignment\/|chapters\/exercises\/(?!quiz|text|machine|panels)|nouns\/|page\/(title|loading|noWasm|broken|again|notLoaded)$)/.test(
        path,
      );

/**
 * @param {any} words
 * @param {(path: string) => boolean} isSaid
 * @param {string} [path]
 * @returns {any} what is said of them; undefined for nothing
 */
function saidOf(words, isSaid, path = '') {
  if (typeof words === 'string' || Array.isArray(words)) return isSaid(path) ? words : undefined;
  const said = Object.entries(words)
    .map(([key, value]) => [key, saidOf(value, isSaid, path ? `${path}/${key}` : key)])
    .filter(([, value]) => value !== undefined);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/**
 * Leaves out words that are never said, and the glossary: a course explains its terms itself.
 * @param {(path: string) => boolean} isSaid
 * @returns {import('vite').Plugin}
 */
export const words = (isSaid) => ({
  name: 'words',
  enforce: 'pre',
  transform(code, id) {
    if (/\/words\/\w+\/glossary\.json$/.test(id)) return '{}';
    const [name, part] = /\/words\/\w+\/page\.json(?:\?(.+))?$/.exec(id) ?? [];
    if (!name) return null;
    if (part && !LATER[part]) return { code: 'export default {}', moduleType: 'js' };
    const said = JSON.stringify(saidOf(JSON.parse(code), part ? LATER[part] : isSaid));
    return part ? { code: `export default ${said}`, moduleType: 'js' } : said;
  },
});

/**
 * The page's styles as those of a shadow root: :root is its outermost element, whose colours an author may set;
 * a rem is a length of its own; widths are the figure's.
 * @param {string} css
 */
export function shadowed(css) {
  const px = (/** @type {string} */ condition) =>
    condition.replace(/([\d.]+)rem/g, (_, n) => `${Number((n * 16).toFixed(2))}px`);
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:root[^{]*\{[^}]*\}/g, (rule) =>
      rule.replace(/--(?!rem)([\w-]+):\s*([^;]+);/g, '--$1: var(--gf-$1, $2);'),
    )
    .replaceAll(':root', '.root')
    .replace(
      /@(?:media|container) (\([^{]*width[^{]*)\{/g,
      (_, condition) => `@container ${px(condition)}{`,
    )
    .replace(
      /(^|[{};])([^{};@]*:[^{};]*[\d.]rem[^{};]*)(?=[;}])/g,
      (_, before, rule) => before + rule.replace(/(-?[\d.]+)rem\b/g, 'calc($1 * var(--rem))'),
    )
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([{;][\w-]+): /g, '$1:')
    .replaceAll(';}', '}');
}

/** CSS files add themselves to the figures' sheet. @returns {import('vite').Plugin} */
export const looks = () => ({
  name: 'looks',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('.css')) return null;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found && `\0${found.id}.js`;
  },
  load(id) {
    if (!id.startsWith('\0') || !id.endsWith('.css.js')) return null;
    const css = shadowed(readFileSync(id.slice(1, -3), 'utf8'));
    const styles = JSON.stringify(path.join(web, 'embed/styles.js'));
    return `import { addStyle } from ${styles};\naddStyle(${JSON.stringify(css)});`;
  },
});

/**
 * Other code in place of the figures' sources.
 * @param {string} code
 * @returns {import('vite').Plugin}
 */
export const provided = (code) => ({
  name: 'provided',
  enforce: 'pre',
  resolveId: (source) => (source === './figures.js' ? '\0figures' : null),
  load: (id) => (id === '\0figures' ? { code, moduleSideEffects: true } : null),
});

/** The file that lies beside this one in place of the figures' sources.
 * @param {string} file
 * @returns {import('vite').Plugin} */
export const beside = (file) => ({
  name: 'beside',
  enforce: 'pre',
  resolveId: (source) =>
    source === './figures.js' ? { id: file, external: true, moduleSideEffects: true } : null,
});
