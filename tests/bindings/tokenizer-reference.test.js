// Each setting of tokenizer.json beside Hugging Face's own library: the same ids and texts, or a refusal by name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';

const packed = readFileSync(new URL('../reference/tokenizers.json.gz', import.meta.url));
const { texts, models, cases } = JSON.parse(gunzipSync(packed));

/** What the library reads and we refuse, by what the sentence must name. */
const REFUSED = {
  'pattern (?i:ss|x)': 'folds ss',
  'pattern (?i)cat': '(?i',
  'pattern (?m:.)': '(?m',
  'pattern (?x: a )': '(?x',
  'pattern (?<n>a)': '(?<',
  'pattern (a)\\1': '\\1',
  'pattern (?>a+)a': '(?>',
  'pattern (a)++b': '++',
  'pattern (?<=a)b++': '++',
  'pattern \\R': '\\R',
  'pattern \\X': '\\X',
  'pattern \\p{^L}': '{^L}',
  'pattern \\Ka': '\\K',
  'pattern \\p{Punct}': 'Punct',
  'pattern (?#x)a': '(?#',
  'pre UnicodeScripts {}': 'UnicodeScripts',
  'pre Metaspace first after split': 'prepend_scheme',
  'pre Metaspace first after strip': 'prepend_scheme',
  'pre unknown key': 'pre_tokenizer.keep',
  'normalizer Prepend nothing': 'normalizer.prepend',
  'bpe dropout': 'model.dropout',
  'bpe unknown key': 'model.keep',
  'bpe subword suffix': 'model.continuing_subword_suffix',
  'id huge': 'model.vocab["the"]',
  'id twice': 'model.vocab["cat"]',
  'wordpiece fuse': 'model.fuse_unk',
  'unigram fuse': 'model.fuse_unk',
  'unigram twice': 'model.vocab',
  'added other id': 'added_tokens[0].id',
  'added taken id': 'added_tokens[0].id',
  'added vanishing': 'added_tokens',
  'added unknown key': 'added_tokens[0].keep',
  'post template ids': 'post_processor.special_tokens["<s>"].ids',
  'decoder DecodeStream': 'decoder.keep',
};

/** Files of the first years leave out what the library now asks for. */
const OLD = [
  'pre Digits   {}',
  'pre ByteLevel bare',
  'pre Metaspace None True False',
  'pre Metaspace None False False',
  'pre Metaspace None None False',
  'decoder BPE bare',
];

/** The ids of a text and what they decode to; null where the file has none. */
function read(tokenizer, text) {
  try {
    const ids = tokenizer.encode(text);
    return [ids, tokenizer.decode(ids)];
  } catch (error) {
    assert.equal(error.code, 'GF_EFILE', error.stack);
    return [null, null];
  }
}

test('each setting gives the ids and texts of the library, or is refused by its name', () => {
  let same = 0;
  for (const { name, model, parts, expected } of cases) {
    const open = () => openTokenizer({ tokenizer: { ...parts, model: models[model] } });
    if (name in REFUSED || (!expected && !OLD.includes(name))) {
      assert.throws(open, (error) => {
        assert.equal(error.code, 'GF_EFILE', error.stack);
        assert.ok(error.message.includes(REFUSED[name] ?? ''), `${name}: ${error.message}`);
        return true;
      });
      continue;
    }
    const tokenizer = open();
    if (!expected) continue;
    for (const [i, [ids, written]] of expected.entries()) {
      const [ours, text] = read(tokenizer, texts[i]);
      assert.deepEqual(ours, ids, `${name}: ${JSON.stringify(texts[i])}`);
      /* Null where the library fails to decode, or its versions differ. */
      if (written !== null) assert.equal(text, written, `${name}: ${JSON.stringify(texts[i])}`);
    }
    same += 1;
  }
  assert.ok(same > 330, `${same} files`);
});
