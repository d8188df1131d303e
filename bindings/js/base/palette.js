// The colours of the page, its figures and its exports, in both themes. No other file states one: the page's CSS gets
// them as custom properties when it is built (web/bundle/palette.js).

/* What the scales below share with the rest; a bundle with the scales alone leaves that out. */
const PAPER = '#fbfaf6';
const BLUE = { light: '#2f5d86', dark: '#85b4dd' };
/* Of positive numbers: blue is the queries'. */
const SLATE = '#444f60';
const RUST = '#b15532';
const WEIGHT = { mark: '#cc79a7', ink: '#8f3f6f' };

/** Marks of queries, keys, values and attention weights. */
const ROLES = { q: '#0072b2', k: '#e69f00', v: '#009e73', a: WEIGHT.mark };

const light = {
  ...{
    paper: PAPER,
    raised: '#f3f1ea',
    ink: '#1c1b18',
    quiet: '#5d5a51',
    line: '#dcd8cb',
    tint: '#1c1b180f',
  },
  /* What is chosen; and red for errors alone. */
  ...{ accent: '#5b3fa8', 'accent-soft': '#e9e4f7', error: '#b3261e', 'error-soft': '#f9e3df' },
  ...{ mismatch: '#8a4b00', 'mismatch-soft': '#f7ead5', good: '#1b6e3c' },
  ...ROLES,
  /* Text about them. */
  ...{ 'q-ink': '#005c90', 'k-ink': '#7d5600', 'v-ink': '#006a4d', 'a-ink': WEIGHT.ink },
  /* What speaks for something, and against it: as the cells of numbers. */
  ...{ plus: SLATE, minus: RUST },
  ...{ 'curve-1': '#5b3fa8', 'curve-2': '#7a6a00', 'curve-3': BLUE.light, 'curve-4': '#5d5a51' },
};

const dark = {
  ...{
    paper: '#15161a',
    raised: '#1e2026',
    ink: '#eceae4',
    quiet: '#a8a599',
    line: '#363840',
    tint: '#eceae417',
  },
  ...{ accent: '#b7a3f5', 'accent-soft': '#2c2640', error: '#ff8f85', 'error-soft': '#3d211f' },
  ...{ mismatch: '#f2b35e', 'mismatch-soft': '#35290f', good: '#7ccf97' },
  ...ROLES,
  ...{ 'q-ink': '#6bb8ea', 'k-ink': '#f0b73c', 'v-ink': '#4fcaa3', 'a-ink': '#e6a3cb' },
  ...{ plus: '#aab4be', minus: '#e39372' },
  ...{ 'curve-1': '#b7a3f5', 'curve-2': '#d9c24a', 'curve-3': BLUE.dark, 'curve-4': '#a8a599' },
};

export const PALETTE = { light, dark };

/** Fills of numbers, from the lowest to the highest. */
export const SCALES = {
  light: {
    signed: [RUST, '#e9b59c', PAPER, '#adb5c1', SLATE],
    probability: [PAPER, '#e9cfe0', WEIGHT.mark, WEIGHT.ink],
  },
  /* Steeper near zero, where most numbers lie. */
  dark: {
    signed: ['#e58a5e', '#9c583a', '#1d1f24', '#63707c', '#a9bccb'],
    probability: ['#1d1f24', '#573449', '#97557f', '#e093c2'],
  },
};

/** Red, green and blue, 0 to 255.
 * @param {string} hex such as '#0072b2'
 * @returns {[number, number, number]} */
export function rgbOf(hex) {
  const bits = Number.parseInt(hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}
