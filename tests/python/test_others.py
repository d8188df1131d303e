"""Checkpoints of others: the bits, tokens and sentences of Node, for the files of tests/python/others.js."""

import base64
import hashlib
import json
import os
import pickle
import shutil
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import glassformer as gf
from glassformer._decode import _Decoder
from glassformer._stored import Stored
from glassformer._tokenizer import texts_of

FOLDER = Path(os.environ["GLASSFORMER_NODE"])
NODE = json.loads((FOLDER / "node.json").read_text())["others"]
FIXTURES = Path(__file__).parents[1] / "reference/fixtures"
IDS = [5, 3, 7, 2]
SPECIAL = ["[UNK]", "[CLS]", "[SEP]"]
VOCABULARY = [*SPECIAL, "the", "cat", "sleep", "##s"]
#: As tests/bindings/tokenizer.test.js has it for JavaScript; the library asks for more of the fields.
WORD_PIECE = {
    "version": "1.0",
    "truncation": {"max_length": 2, "stride": 0, "strategy": "LongestFirst", "direction": "Right"},
    "padding": {
        **{"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None},
        **{"pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"},
    },
    "added_tokens": [
        {
            **{"id": i, "content": word, "special": True, "normalized": False},
            **dict.fromkeys(("single_word", "lstrip", "rstrip"), False),
        }
        for i, word in enumerate(SPECIAL)
    ],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    "model": {
        **{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"},
        **{"max_input_chars_per_word": 100, "vocab": {word: i for i, word in enumerate(VOCABULARY)}},
    },
}


def hash_of(arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


class OthersTest(unittest.TestCase):
    def test_a_prompt_read_at_once_leaves_the_bits_of_token_by_token(self):
        prompt = [5, 3, 7, 2, 6, 1, 4, 4, 2, 3, 5, 6, 1, 2, 7, 3, 5, 4]
        for name in ("gpt2", "llama", "mistral-odd-0", "llama3-odd-0", "neo-odd-0"):
            model = gf.open(FIXTURES / name)
            ids = prompt[: model.config["max_length"] - 1]
            for size in (1, 3):
                at_once, in_turn = (_Decoder(model, (), None, size=size) for _ in range(2))
                at_once.read(ids)
                for token in ids:
                    in_turn.feed([token] * size)
                scores = [decoder.feed([1] * size).logits.tobytes() for decoder in (at_once, in_turn)]
                with self.subTest(name, size=size):
                    self.assertEqual(at_once.length, in_turn.length)
                    self.assertEqual(*scores)

    def test_a_file_of_others_is_the_model_that_node_makes_of_it(self):
        for due in NODE["opened"]:
            with self.subTest(due["file"]):
                model = gf.open(due["file"])
                two = model.config["kind"] == "transformer"
                inputs = {"source": [IDS], "target": [IDS]} if two else {"target": [IDS]}
                nodes = model(**inputs).tape.nodes
                self.assertEqual([node.name for node in nodes], due["names"])
                self.assertEqual(hash_of([node.data for node in nodes]), due["values"])
                if due["tokens"] is not None:
                    stops = {"stop_tokens": []} if two else {}
                    self.assertEqual(list(model.generate(IDS, max_new_tokens=5, **stops)), due["tokens"])

    def test_what_stays_stored_gives_the_same_bits_and_is_neither_trained_nor_saved(self):
        kinds = set()
        for due in NODE["opened"]:
            with self.subTest(due["file"]):
                model = gf.open(due["file"], stored=True)
                self.assertEqual({name: one.type for name, one in model.stored.items()}, due["stored"])
                kinds.update(due["stored"].values())
                two = model.config["kind"] == "transformer"
                for one in (model, pickle.loads(pickle.dumps(model))):
                    inputs = {name: [IDS] for name in (["source"] if two else []) + ["target"]}
                    nodes = one(**inputs).tape.nodes
                    self.assertEqual(hash_of([node.data for node in nodes]), due["values"])
                if due["tokens"] is not None:
                    stops = {"stop_tokens": []} if two else {}
                    self.assertEqual(list(model.generate(IDS, max_new_tokens=5, **stops)), due["tokens"])
        self.assertLess({"q4_1", "q8_0"}, kinds)
        several = [due for due in NODE["opened"] if due["integer"] is not None]
        self.assertTrue(several)
        for due in several:
            model = gf.open(due["file"], arithmetic="integer")
            self.assertEqual(model.arithmetic, "integer")
            nodes = [node for node in model(target=[IDS]).tape.nodes if node.name not in model.stored]
            self.assertEqual(hash_of([node.data for node in nodes]), due["integer"])
        model = gf.open(FOLDER / "small.gguf", stored=True)
        name, matrix = next(iter(model.stored.items()))
        self.assertEqual(matrix.data.shape, matrix.shape)
        with self.assertRaisesRegex(gf.GlassformerError, f"^{name}: .*model.stored has it$"):
            _ = model.parameters[name]
        count = gf.open(FOLDER / "small.gguf").size
        told = f"<Model: gpt, {count:,} parameters, {len(model.stored)} matrices stored>"
        self.assertEqual(repr(model), told)
        # Rows are filled up to a multiple of 8.
        bits = {"q4_1": 5, "q8_0": 8.5}
        for one in model.stored.values():
            self.assertLess(8 * one.nbytes, bits[one.type] * (one.data.size + 8 * max(one.shape)))
        with self.assertRaises(ValueError):
            matrix.data[0, 0] = 1
        batch = {"target": [[1, 2]], "labels": [[2, 3]]}
        writes = [lambda: model.save(), lambda: model.export(FOLDER / "no", "llama")]
        for call in (*writes, lambda: next(gf.train(model, [batch]))):
            with self.assertRaisesRegex(gf.GlassformerError, "stored|stay"):
                call()

    def test_texts_go_in_and_come_out_as_in_node(self):
        kinds = 0
        for due in NODE["opened"]:
            beside = {"tokenizer": due["tokenizer"]} if due["tokenizer"] else {}
            model = gf.open(due["file"], **beside)
            self.assertEqual(model.chat_template, due["template"])
            self.assertEqual(model.tokenizer is None, due["texts"] is None)
            for one in due["texts"] or []:
                kinds += 1
                tokenizer, ids = pickle.loads(pickle.dumps(model)).tokenizer, one["ids"]
                with self.subTest(due["file"], text=one["text"]):
                    self.assertEqual(tokenizer.encode(one["text"]), ids)
                    self.assertEqual(tokenizer.encode(one["text"], special=False), one["bare"])
                    self.assertEqual([tokenizer.decode(ids), tokenizer.decode(ids[:-2])], one["decoded"])
                    self.assertEqual(tokenizer.tokens(ids), one["tokens"])
                    self.assertEqual(list(tokenizer.stops), due["stops"])
            if due["written"] is not None:
                parts = list(model.generate_text("the cat", max_new_tokens=12))
                self.assertEqual("".join(parts), "".join(due["written"]))
                self.assertGreater(len(parts), 1)
        self.assertGreater(kinds, 15)
        tokenizer = gf.open(FOLDER / "gpt-2.gguf").tokenizer
        said = "a 猫😀é the"
        parts = list(texts_of(tokenizer, tokenizer.encode("the"), tokenizer.encode(said, special=False)))
        self.assertEqual("".join(parts), said)
        self.assertIn("😀", parts)
        self.assertRaises(gf.ArgumentTypeError, tokenizer.encode, 3)
        self.assertRaises(gf.ArgumentTypeError, tokenizer.decode, "the")
        self.assertRaises(gf.ArgumentRangeError, tokenizer.decode, [-1])
        with self.assertRaisesRegex(gf.GlassformerError, "no tokenizer"):
            gf.open(FIXTURES / "gpt2").generate_text("the")

    def test_a_tokenizer_json_beside_the_weights_is_that_of_the_model(self):
        folder = FOLDER / "with-tokenizer"
        shutil.copytree(FIXTURES / "gpt2", folder, dirs_exist_ok=True)
        (folder / "tokenizer.json").write_text(json.dumps(WORD_PIECE))
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "eos_token_id": 7}))
        model = gf.open(folder)
        pickled = pickle.dumps(model)
        if not find_spec("tokenizers"):
            with self.assertRaisesRegex(ImportError, "pip install tokenizers"):
                _ = model.tokenizer
            return
        tokenizer = model.tokenizer
        self.assertEqual(tokenizer.encode("The cat sleeps"), [1, 3, 4, 5, 6, 2])
        self.assertEqual(tokenizer.encode("the dog", special=False), [3, 0])
        self.assertEqual(tokenizer.decode([1, 3, 4, 5, 6, 2]), "the cat sleeps")
        self.assertEqual(tokenizer.tokens([1, 3, 6, 99]), ["[CLS]", "the", "##s", ""])
        self.assertEqual(tokenizer.stops, (7,))
        for one in map(pickle.loads, (pickled, pickle.dumps(model))):
            self.assertEqual((one.tokenizer.encode("The cat"), one.tokenizer.stops), ([1, 3, 4, 2], (7,)))
        parts = model.generate_text("the cat", max_new_tokens=3, stop_tokens=[])
        written = list(model.generate([1, 3, 4, 2], max_new_tokens=3, stop_tokens=[]))
        self.assertEqual("".join(parts).split(), tokenizer.decode(written).split())
        (folder / "tokenizer.json").write_text("{}")
        with self.assertRaisesRegex(gf.GlassformerError, "^tokenizer.json: "):
            _ = gf.open(folder).tokenizer

    def test_classes_have_the_names_of_the_file(self):
        for due in NODE["opened"]:
            self.assertEqual(gf.open(due["file"]).labels, due["labels"])
        self.assertTrue(any(due["labels"] for due in NODE["opened"]))

    def test_what_python_exports_is_what_node_exports(self):
        formats = set()
        for due in NODE["opened"]:
            with self.subTest(due["file"], format=due["format"]):
                folder = FOLDER / "exported"
                gf.open(due["file"]).export(folder, due["format"])
                self.assertEqual(json.loads((folder / "config.json").read_text()), due["exported"]["config"])
                weights = np.frombuffer((folder / "model.safetensors").read_bytes(), np.uint8)
                self.assertEqual(hash_of([weights]), due["exported"]["weights"])
                formats.add(due["format"])
        self.assertGreater(len(formats), 10)
        model = gf.open(FIXTURES / "qwen3-odd-0")
        with self.assertRaisesRegex(gf.ArgumentRangeError, "^export: gpt2 has no head_size 8$"):
            model.export(FOLDER / "no", "gpt2")
        with self.assertRaisesRegex(gf.ArgumentRangeError, r'^export: format: .*did you mean "gpt2"'):
            model.export(FOLDER / "no", "gpt3")
        self.assertFalse((FOLDER / "no").exists())

    def test_a_file_that_does_not_fit_is_refused_as_node_refuses_it(self):
        for file, sentence in NODE["refused"].items():
            with self.subTest(file), self.assertRaises(gf.GlassformerError) as caught:
                gf.open(file)
            with self.subTest(file):
                self.assertEqual((str(caught.exception), caught.exception.code), (sentence, "GF_EFILE"))

    def test_numbers_of_few_bits_are_those_of_llama_cpp(self):
        stored = json.loads((FIXTURES / "quantized.json").read_text())["stored"]
        self.assertGreater(len(stored), 6)
        for name, one in stored.items():
            due = np.frombuffer(base64.b64decode(one["numbers"]), np.float32)
            data = np.frombuffer(base64.b64decode(one["bytes"]), np.uint8)
            shape = (due.size // 256, 256)
            np.testing.assert_array_equal(Stored(name, shape, data).numbers(), due.reshape(shape), name)

    def test_a_folder_an_index_and_bytes_with_a_config_are_opened(self):
        folder = FIXTURES / "gpt2"
        config = json.loads((folder / "config.json").read_text())
        whole = gf.open(folder)
        data = (folder / "model.safetensors").read_bytes()
        again = gf.open(data, config=config)
        for name, parameter in whole.parameters.items():
            np.testing.assert_array_equal(parameter.data, again.parameters[name].data)
        with self.assertRaisesRegex(gf.GlassformerError, "^config.json: "):
            gf.open(data)
        torn = FOLDER / "torn"
        shutil.copytree(folder, torn, dirs_exist_ok=True)
        (torn / "config.json").write_text('{"model_type"')
        with self.assertRaisesRegex(gf.GlassformerError, "^config.json: expected JSON \\("):
            gf.open(torn)
        self.assertEqual(gf.open(whole.save()).size, whole.size)

    def test_what_a_family_has_besides_is_no_file_of_ours(self):
        model = gf.open(FIXTURES / "qwen3-odd-0")
        self.assertTrue(model.config["qk_norm"])
        with self.assertRaisesRegex(gf.GlassformerError, "^save: .* write it with export$"):
            model.save()
