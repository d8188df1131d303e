"""Tokenizers made of lists: what a text becomes, in which pieces it comes back, and what is refused."""

import json
import tempfile
import unittest
from pathlib import Path

from glassformer._tokenizer import JsonTokenizer, ListedTokenizer, texts_of

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
TOKENS = ["<unk>", "<s>", "</s>", *BYTES, "a"]
LISTS = {
    **{"model": "llama", "tokens": TOKENS, "types": [2, 3, 3, *[6] * 256, 1]},
    **{"scores": [0.0] * len(TOKENS), "unknown": 0, "bos": 1, "eos": 2, "add_space": False},
}
PAIRS = {"model": "gpt2", "tokens": ["a", "b", "c", "ab", "bc", "abc"], "merges": ["b c"]}


class TokenizerTest(unittest.TestCase):
    def test_text_comes_in_whole_characters_wherever_the_prompt_ends(self):
        tokenizer = ListedTokenizer(LISTS)
        text = "é€😀a" * 3
        ids = tokenizer.encode(text, special=False)
        ends = [len(character.encode()) for character in text]
        for cut in range(len(ids)):
            parts = list(texts_of(tokenizer, ids[:cut], ids[cut:]))
            begun = next(i for i in range(len(ends) + 1) if sum(ends[: i + 1]) > cut)
            self.assertEqual(parts, list(text[begun:]), cut)
            # Of a character that is not complete at the end nothing comes.
            self.assertEqual("".join(texts_of(tokenizer, [], ids[:cut])), text[:begun], cut)

    def test_a_token_that_is_a_word_stays_whole_where_the_file_says_so(self):
        self.assertEqual(ListedTokenizer(PAIRS).encode("abc"), [0, 4])
        self.assertEqual(ListedTokenizer({**PAIRS, "ignore_merges": True}).encode("abc"), [5])

    def test_of_tokens_that_begin_at_one_place_the_longest_stands_in_a_text(self):
        tokens = ["<a>", "<a>b", "a>", "x"]
        tokenizer = ListedTokenizer({"model": "gpt2", "tokens": tokens, "types": [4, 4, 4, 1]})
        self.assertEqual(tokenizer.encode("x<a>bx<a>a>"), [3, 1, 3, 0, 2])

    def test_truncation_and_padding_of_a_file_change_no_text(self):
        vocab = {token: i for i, token in enumerate("?abcde")}
        whole = {
            **{"version": "1.0", "added_tokens": [], "normalizer": None},
            **{"post_processor": None, "decoder": None},
            "pre_tokenizer": {"type": "Whitespace"},
            "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "?"},
            "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
            "padding": {
                **{"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None},
                **{"pad_id": 0, "pad_type_id": 0, "pad_token": "?"},
            },
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            path.write_text(json.dumps(whole), encoding="utf-8")
            self.assertEqual(JsonTokenizer(path).encode("a b c d e"), [1, 2, 3, 4, 5])

    def test_malformed_tokens_and_merges_are_refused_by_their_place(self):
        llama = {"model": "llama", "scores": [0.0, 0.0]}
        for lists, reason in (
            ({**llama, "tokens": ["a", "a"]}, r"tokens\[1\]: expected a token other than that of id 0"),
            ({**llama, "tokens": ["a", "<0x-1>"]}, r"tokens\[1\]: expected two hexadecimal digits"),
            ({**llama, "tokens": ["a", "<0xGG>"]}, r"tokens\[1\]: expected two hexadecimal digits"),
            ({**PAIRS, "merges": ["b c", "a"]}, r"merges\[1\]: expected two tokens"),
            ({**PAIRS, "merges": ["a b c"]}, r"merges\[0\]: expected two tokens"),
        ):
            with self.assertRaisesRegex(Exception, reason):
                ListedTokenizer(lists)


if __name__ == "__main__":
    unittest.main()
