// Small tokenizers written by hand, as tokenizer.json has them: one for each kind of model, and between them
// every part that is read.

/** @param {string[]} tokens
 * @returns {Record<string, number>} */
const idsOf = (tokens) => Object.fromEntries(tokens.map((token, id) => [token, id]));

const WORDS = ['[UNK]', '[CLS]', '[SEP]', 'the', 'cat', 'sleep', '##s'];
const special = (/** @type {string[]} */ tokens, /** @type {string} */ content) => ({
  id: tokens.indexOf(content),
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});
const template = (/** @type {string} */ id, /** @type {number} */ place) => ({
  type: 'TemplateProcessing',
  single: [{ SpecialToken: { id, type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
  pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
  special_tokens: { [id]: { id, ids: [place], tokens: [id] } },
});

const wordPiece = {
  version: '1.0',
  added_tokens: ['[UNK]', '[CLS]', '[SEP]'].map((content) => special(WORDS, content)),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      { type: 'Replace', pattern: { String: '``' }, content: '"' },
      { type: 'Strip', strip_left: true, strip_right: false },
      { type: 'NFKC' },
    ],
  },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'BertPreTokenizer' },
      { type: 'Digits', individual_digits: true },
      { type: 'Punctuation', behavior: 'Isolated' },
      { type: 'FixedLength', length: 12 },
    ],
  },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 1] },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: idsOf(WORDS),
  },
};

const PAIRS = ['<|end|>', 'a', 'c', 't', 'Ġ', 'at', 'cat', 'Ġcat', '<0x0A>'];
const bpe = {
  version: '1.0',
  added_tokens: [special(PAIRS, '<|end|>')],
  normalizer: { type: 'NFC' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: { Regex: "'s|\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}]+|\\s+(?!\\S)" },
        behavior: 'Isolated',
        invert: false,
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    ],
  },
  post_processor: {
    type: 'Sequence',
    processors: [{ type: 'ByteLevel', trim_offsets: false }, template('<|end|>', 0)],
  },
  decoder: { type: 'ByteLevel', add_prefix_space: true },
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: '<|end|>',
    continuing_subword_prefix: '',
    end_of_word_suffix: '',
    fuse_unk: false,
    byte_fallback: true,
    ignore_merges: false,
    vocab: idsOf(PAIRS),
    merges: ['a t', 'c at', 'Ġ cat'],
  },
};

const PIECES = ['<unk>', '</s>', '▁', '▁cat', 's', 'ca', 't'];
const unigram = {
  version: '1.0',
  added_tokens: ['<unk>', '</s>'].map((content) => special(PIECES, content)),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Precompiled', precompiled_charsmap: 'BAAAAAAAAAA=' },
      { type: 'Prepend', prepend: '▁' },
      { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
    ],
  },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: true },
  post_processor: template('</s>', 1),
  decoder: {
    type: 'Sequence',
    decoders: [
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  },
  model: {
    type: 'Unigram',
    unk_id: 0,
    byte_fallback: false,
    vocab: PIECES.map((piece, i) => [piece, -i]),
  },
};

const wordLevel = {
  version: '1.0',
  pre_tokenizer: { type: 'Whitespace' },
  model: { type: 'WordLevel', vocab: { '<unk>': 3, cat: 0, dog: 1 }, unk_token: '<unk>' },
};

export const tokenizers = { wordPiece, bpe, unigram, wordLevel };
