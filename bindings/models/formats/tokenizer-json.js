// Writes a tokenizer of lists as Hugging Face has it: tokenizer.json and tokenizer_config.json.

import { ADDED, addsBos, keepsWords, NORMAL, patternsBy, SPECIAL, stopsOf } from './token-lists.js';

/** @typedef {import('./token-lists.js').TokenLists} TokenLists */

const BLANK = '▁';

/** Cuts a text at the matches of a pattern; what lies between them stays.
 * @param {string} Regex */
const split = (Regex) => ({
  type: 'Split',
  pattern: { Regex },
  behavior: 'Isolated',
  invert: false,
});

/** @param {string} type @param {object[]} parts */
const sequence = (type, parts) => ({ type: 'Sequence', [type]: parts });

const BYTE_LEVEL = {
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: false,
};

/** All pairs of tokens that make a token, as merges: the pairs of the highest score first.
 * @param {TokenLists} lists @param {Record<string, number>} vocab */
function mergesByScore({ types = [], scores = [] }, vocab) {
  /** @type {{ score: number, id: number, merge: string }[]} */
  const merges = [];
  for (const [token, id] of Object.entries(vocab)) {
    if ((types[id] ?? NORMAL) !== NORMAL) continue;
    const characters = Array.from(token);
    for (let i = 1; i < characters.length; i++) {
      const [left, right] = [characters.slice(0, i).join(''), characters.slice(i).join('')];
      if (!Object.hasOwn(vocab, left) || !Object.hasOwn(vocab, right)) continue;
      merges.push({ score: scores[id], id, merge: `${left} ${right}` });
    }
  }
  return merges.sort((a, b) => b.score - a.score || a.id - b.id).map(({ merge }) => merge);
}

/** Whether both tokens of a merge are there, and the one they make.
 * @param {string} merge @param {Record<string, number>} vocab */
const isMade = (merge, vocab) =>
  [...merge.split(' '), merge.replace(' ', '')].every((token) => Object.hasOwn(vocab, token));

/** What the two kinds of lists are in tokenizer.json.
 * @type {Record<TokenLists['model'], (lists: TokenLists, vocab: Record<string, number>) => object>} */
const KINDS = {
  gpt2: (lists, vocab) => {
    const { merges = [], pre = 'gpt-2' } = lists;
    return {
      normalizer: null,
      pre_tokenizer: sequence('pretokenizers', [...patternsBy(pre).map(split), BYTE_LEVEL]),
      decoder: { ...BYTE_LEVEL, add_prefix_space: true, use_regex: true },
      model: {
        ...bpe(vocab),
        ignore_merges: keepsWords(lists),
        merges: merges.filter((merge) => isMade(merge, vocab)),
      },
    };
  },
  llama: (lists, vocab) => {
    const { unknown, tokens, addSpace = true } = lists;
    const blank = { type: 'Replace', pattern: { String: ' ' }, content: BLANK };
    const space = { type: 'Replace', pattern: { String: BLANK }, content: ' ' };
    const first = { type: 'Strip', content: ' ', start: 1, stop: 0 };
    const begin = { type: 'Prepend', prepend: BLANK };
    return {
      normalizer: sequence('normalizers', [...(addSpace ? [begin] : []), blank]),
      pre_tokenizer: null,
      decoder: sequence('decoders', [
        ...[space, { type: 'ByteFallback' }, { type: 'Fuse' }],
        ...(addSpace ? [first] : []),
      ]),
      model: {
        ...bpe(vocab),
        ...{ unk_token: unknown === undefined ? null : tokens[unknown], fuse_unk: true },
        ...{ byte_fallback: true, merges: mergesByScore(lists, vocab) },
      },
    };
  },
};

/** @param {Record<string, number>} vocab */
const bpe = (vocab) => ({
  ...{ type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null },
  ...{ end_of_word_suffix: null, fuse_unk: false, byte_fallback: false, ignore_merges: false },
  vocab,
});

/** What stands around a text: the tokens before and after it.
 * @param {string[]} before @param {string[]} after @param {Record<string, number>} vocab */
function template(before, after, vocab) {
  const around = [...before, ...after];
  if (!around.length) return null;
  /** @param {0 | 1} type_id @param {string} id of the text */
  const one = (type_id, id) => [
    ...before.map((token) => ({ SpecialToken: { id: token, type_id } })),
    { Sequence: { id, type_id } },
    ...after.map((token) => ({ SpecialToken: { id: token, type_id } })),
  ];
  const entries = around.map((token) => [
    token,
    { id: token, ids: [vocab[token]], tokens: [token] },
  ]);
  return {
    type: 'TemplateProcessing',
    single: one(0, 'A'),
    pair: [...one(0, 'A'), ...one(1, 'B')],
    special_tokens: Object.fromEntries(entries),
  };
}

/** @param {TokenLists} lists @param {string | null} chatTemplate in Jinja
 * @returns {{ tokenizer: object, config: object, generation: object }} tokenizer.json, tokenizer_config.json and
 *   generation_config.json */
export function tokenizerJson(lists, chatTemplate) {
  const { tokens, types = [], model, bos, eos, unknown, addEos = false } = lists;
  /* Of equal tokens the first one counts. */
  const vocab = Object.fromEntries([...tokens].map((token, id) => [token, id]).reverse());
  const added = [...tokens.entries()].filter(
    ([id, token]) => token && vocab[token] === id && SPECIAL.includes(types[id] ?? NORMAL),
  );
  /** @param {number | undefined} id */
  const named = (id) => (id === undefined ? null : tokens[id]);
  const [begin, end] = [named(bos), named(eos)];
  const around = template(
    addsBos(lists) && begin !== null ? [begin] : [],
    addEos && end !== null ? [end] : [],
    vocab,
  );
  return {
    tokenizer: {
      ...{ version: '1.0', truncation: null, padding: null },
      added_tokens: added.map(([id, content]) => ({
        ...{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false },
        special: types[id] !== ADDED,
      })),
      ...KINDS[model](lists, vocab),
      post_processor: around,
    },
    config: {
      ...{ tokenizer_class: 'PreTrainedTokenizerFast', clean_up_tokenization_spaces: false },
      ...{ bos_token: begin, eos_token: end, unk_token: named(unknown) },
      ...(chatTemplate === null ? {} : { chat_template: chatTemplate }),
    },
    generation: { bos_token_id: bos, eos_token_id: stopsOf(lists) },
  };
}
