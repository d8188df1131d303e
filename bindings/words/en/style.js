// How English is written here, for the tests.

/** What is not said, and what is said instead. @type {[RegExp, string][]} */
export const terms = [
  [/(?<!ALiBi.*)\bslopes?\b(?! distance)/i, 'gradient, or derivative of A with respect to B'],
  [/\bparameters are chance\b|\bby chance\b/i, 'random weights, sampled'],
  [/\bdue\b(?! to)/i, 'target, expected'],
  [/\bneeded before\b/i, 'Prerequisites'],
  [/\bnot there yet\b/i, 'not yet available'],
  [/\b(is|are|was|be) (told|answered)\b/i, 'say who says what'],
  [/\b(arises?|arose)\b/i, 'how it is computed'],
  [/\bone['’]s own\b/i, 'your'],
  [/\breaders? of files\b/i, 'file reader'],
  [/(?<!there )\bis no (?!longer\b|more\b)[a-z]/i, 'is not a'],
  [/\bwho looks\b|\blooks? at whom\b/i, 'attends to'],
  [/\bfor it is\b|\bfor they are\b/, 'because'],
  [/[a-z]!(\s|$)/, 'no exclamation mark'],
  [/\blearnt\b/, 'learned'],
  [/(?<!sinusoidal )\bposition encodings?\b/i, 'position code'],
  [/\bas it were\b/i, 'nothing'],
];

/** Words in the longest sentence. */
export const longest = 30;
