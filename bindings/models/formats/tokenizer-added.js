// The tokens that tokenizer.json adds to its model's: they stand in a text as they are, before or after it is normalized.

import { show } from '../../js/base/errors.js';
import { longestAt, Matcher } from './matching.js';
import { spacesBehind } from './tokenizer-steps.js';
import { refusing } from './tokenizer-texts.js';

/** A token of its own, or a piece of the text between; isFirst: it begins the text.
 * @typedef {{ id?: number, text: string, isFirst: boolean }} Section */

/** @typedef {{ id: number, content: string, single_word?: boolean, lstrip?: boolean, rstrip?: boolean, normalized?: boolean,
 *   special?: boolean }} AddedToken */

/** @type {import('./tokenizer-texts.js').Refuse} */
const refuse = refusing('tokenizer.json');

const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const SPACES = /\p{White_Space}*/uy;

/** Whether a token stands by itself.
 * @param {string} text @param {number} from @param {number} end */
const isAlone = (text, from, end) =>
  !WORD.test(Array.from(text.slice(Math.max(0, from - 2), from)).at(-1) ?? '') &&
  !WORD.test(Array.from(text.slice(end, end + 2))[0] ?? '');

/** Cuts a text at tokens: of those that begin at one place the longest counts.
 * @param {AddedToken[]} tokens @param {string[]} contents what each is in the text
 * @returns {(text: string, isFirst: boolean) => Section[]} */
function cuttingAt(tokens, contents) {
  if (!tokens.length) return (text, isFirst) => (text ? [{ text, isFirst }] : []);
  const matcher = new Matcher(contents, true);
  /* Of equal ones the first counts. */
  /** @type {Map<string, AddedToken>} */
  const byContent = new Map();
  for (const [i, content] of contents.entries()) {
    if (!byContent.has(content)) byContent.set(content, tokens[i]);
  }
  return (text, isFirst) => {
    const lengths = longestAt(matcher, text);
    /** @type {Section[]} */
    const sections = [];
    let done = 0;
    for (let position = 0; position < text.length; position += lengths[position] || 1) {
      if (!lengths[position]) continue;
      let [from, end] = [position, position + lengths[position]];
      const token = /** @type {AddedToken} */ (byContent.get(text.slice(from, end)));
      if (token.single_word && !isAlone(text, from, end)) continue;
      if (token.lstrip) from = Math.max(done, from - spacesBehind(text.slice(done, from)));
      if (token.rstrip) {
        SPACES.lastIndex = end;
        end += SPACES.exec(text)?.[0].length ?? 0;
      }
      if (done < from) sections.push({ text: text.slice(done, from), isFirst: isFirst && !done });
      sections.push({ id: token.id, text: token.content, isFirst: isFirst && !from });
      done = end;
    }
    if (done < text.length) sections.push({ text: text.slice(done), isFirst: isFirst && !done });
    return sections;
  };
}

/** Cuts a text at the added tokens, and normalizes what lies between.
 * @param {AddedToken[]} tokens @param {(text: string) => string} normalize
 * @returns {(text: string) => Section[]} */
export function addedTokens(tokens, normalize) {
  const isNormal = (/** @type {AddedToken} */ { normalized, special = false }) =>
    normalized ?? !special;
  const [plain, normal] = [tokens.filter((one) => !isNormal(one)), tokens.filter(isNormal)];
  const first = cuttingAt(
    plain,
    plain.map(({ content }) => content),
  );
  const contents = normal.map(({ content }) => normalize(content));
  for (const [i, content] of contents.entries()) {
    const where = `added_tokens: ${show(normal[i].content)}, normalized`;
    if (!content) refuse('textNotEmpty', { where, given: content });
  }
  const second = cuttingAt(normal, contents);
  return (text) =>
    first(text, true).flatMap((section) =>
      section.id === undefined ? second(normalize(section.text), section.isFirst) : [section],
    );
}
