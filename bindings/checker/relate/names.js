// What a text calls its numbers, and what is meant by it.

/** @typedef {'input' | 'query' | 'key' | 'value' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output' | 'norm' | null} Meaning */

/** The last that fits a label decides. @type {[Meaning, RegExp][]} */
const MEANINGS = [
  [
    'input',
    /^(w|wq|wk|wv|wo|x|e|b|pe)\b|\b(input|embeddings?|positional|projection|parameters?|learn(ed|able)|bias)\b/i,
  ],
  ['scaled', /\bscaled?\b/i],
  ['masked', /\bmasked\b/i],
  ['weights', /\b(attention|attn|softmax|alpha|probabilit(y|ies))\b.*|\bweights\b|^[Aα]$/i],
  ['scores', /\b(scores?|raw|logits|dot products?)\b|^S$|^Q ?K/i],
  ['norm', /\b(norm|layernorm|normali[sz]ed)\b/i],
  ['output', /\b(outputs?|context|result|weighted sum)\b|^[OZ]$/i],
  ['query', /^q\b|\bquer(y|ies)\b/i],
  ['key', /^k\b|\bkeys?\b/i],
  ['value', /^v\b|\bvalues?\b/i],
];

/** @param {string} label as the text has it
 * @returns {string} one form of all its notations */
export function formOf(label) {
  const plain = label
    .replace(/\\(?:text\w*|math\w+|operatorname|hat|tilde|bar)\b|[\\{}$*`#_^]|\s+$/g, (part) =>
      /\s/.test(part) ? ' ' : '',
    )
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > 3 ? plain.toLowerCase() : plain;
}

/** What kind of step a label names.
 * @param {string} label
 * @returns {Meaning} */
export function meaningOf(label) {
  const words = label
    .replace(/[\\{}$*`#^]/g, ' ')
    .replace(/_/g, ' ')
    .trim();
  if (
    /^\s*W[\s_^]*\w?\b/.test(words) ||
    /\bweight matri|\b(query|key|value) (projection|matrix w)/i.test(words)
  ) {
    return 'input';
  }
  if (/scaled/i.test(words)) return 'scaled';
  if (/masked/i.test(words)) return 'masked';
  return MEANINGS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
