"""Checkpoints of others: the bits, tokens and sentences of Node, for the files of tests/python/others.js."""

import base64
import hashlib
import json
import os
import unittest
from pathlib import Path

import numpy as np

import glassformer as gf
from glassformer._stored import Stored

FOLDER = Path(os.environ["GLASSFORMER_NODE"])
NODE = json.loads((FOLDER / "node.json").read_text())["others"]
FIXTURES = Path(__file__).parents[1] / "reference/fixtures"
IDS = [5, 3, 7, 2]


def hash_of(arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


class OthersTest(unittest.TestCase):
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
        self.assertEqual(gf.open(whole.save()).size, whole.size)

    def test_what_a_family_has_besides_is_no_file_of_ours(self):
        model = gf.open(FIXTURES / "qwen3-odd-0")
        self.assertTrue(model.config["qk_norm"])
        self.assertRaisesRegex(gf.GlassformerError, "exportModel|as it is", model.save)
