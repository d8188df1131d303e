"""The functions on texts give the numbers of glassformer/text; templates what jinja2 made of them."""

import json
import os
import unittest
import warnings
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
from test_node import hash_of

import glassformer as gf
from glassformer import _decode, text
from glassformer._tokenizer import Tokenizer

FOLDER = Path(os.environ["GLASSFORMER_NODE"])
NODE = json.loads((FOLDER / "node.json").read_text())["texts"]
FIXTURES = Path(__file__).parents[1] / "reference/fixtures"


class Numbered(Tokenizer):
    """Each id is a text of its own."""

    def __init__(self):
        self.stops = ()
        self.ends = {"bos_token": "<s>", "eos_token": "</s>"}

    def _encode(self, text, special):
        return [1]

    def _decode(self, ids):
        return f"<{','.join(map(str, ids))}>"

    def _token(self, token):
        return str(token)


def opened(name):
    model = gf.open(FIXTURES / name)
    model._tokenizer = Numbered()
    return model


class TextsTest(unittest.TestCase):
    def test_vectors_have_the_bits_of_those_in_node(self):
        for due in NODE["vectors"]:
            with self.subTest(due["name"], **due["options"]):
                found = text.embed(opened(due["name"]), due["texts"], **due["options"])
                np.testing.assert_array_equal(found, np.array(due["vectors"], np.float32))

    def test_vectors_are_pooled_as_a_folder_of_sentence_transformers_says(self):
        ids = [5, 6, 2, 9]
        modes = {"first": "cls_token", "last": "lasttoken", "mean": "mean_tokens"}
        with TemporaryDirectory() as made:
            folder = Path(made) / "bert"
            copytree(FIXTURES / "bert", folder)
            (folder / "1_Pooling").mkdir()

            def embedding(*names, **sentences):
                said = {
                    "word_embedding_dimension": 24,
                    **{f"pooling_mode_{name}": True for name in names},
                }
                (folder / "1_Pooling/config.json").write_text(json.dumps(said))
                (folder / "sentence_bert_config.json").write_text(json.dumps(sentences))
                return gf.open(folder)

            for pooling, mode in modes.items():
                found = text.embed(embedding(mode), [ids])
                due = text.embed(opened("bert"), [ids], pooling=pooling)
                np.testing.assert_array_equal(found, due)
                self.assertEqual(
                    len(
                        {
                            str(text.embed(opened("bert"), [ids], pooling=one))
                            for one in modes
                        }
                    ),
                    3,
                )
            short = embedding("mean_tokens", max_seq_length=3)
            with self.assertRaisesRegex(
                gf.GlassformerError, "4 tokens, and the model takes 3"
            ):
                text.embed(short, [ids])
            with self.assertRaisesRegex(
                gf.GlassformerError, "makes vectors by .max_tokens"
            ):
                text.embed(embedding("max_tokens"), [ids])

    def test_the_nearest_vectors_come_first(self):
        near = text.nearest([1, 0], [[0, 2], [3, 3], [4, 0]], 2)
        self.assertEqual([one.index for one in near], [2, 1])
        self.assertEqual(near[0].score, 1)
        self.assertAlmostEqual(near[1].score, 0.5**0.5)

    def test_classes_are_those_of_node(self):
        for due in NODE["classes"]:
            with self.subTest(due["name"], multi_label=due["multiLabel"]):
                found = getattr(text, due["call"])(
                    opened(due["name"]), due["texts"], multi_label=due["multiLabel"]
                )
                for mine, theirs in zip(found, due["found"], strict=True):
                    pairs = zip(mine, theirs, strict=True) if isinstance(mine, list) else [(mine, theirs)]
                    for one, other in pairs:
                        self.assertEqual(one.label, other["label"])
                        self.assertEqual(one.probability, other["probability"])
                        self.assertEqual(one.probabilities, other["probabilities"])
                        self.assertEqual(one.token, other.get("token"))

    def test_masks_are_filled_as_in_node(self):
        for due in NODE["masks"]:
            found = text.fill_mask(opened(due["name"]), due["ids"], mask=due["mask"], best=due["best"])
            plain = [
                [{"token": one.token, "text": one.text, "probability": one.probability} for one in row]
                for row in found
            ]
            self.assertEqual(plain, due["found"])

    def test_tokens_logits_and_texts_are_those_of_node(self):
        for due in [*NODE["told"], NODE["stories"]]:
            with self.subTest(due["file"]):
                model = gf.open(due["file"], stored=due.get("stored", False))
                prompt = due["prompt"]
                tokens = list(model.generate(prompt, max_new_tokens=10, stop_tokens=[]))
                self.assertEqual(tokens, due["tokens"])
                run = model(target=[*prompt, *tokens], steps=False)
                self.assertEqual(hash_of(run.logits), due["logits"])
                if "text" in due:
                    whole = model.generate_text("the cat", max_new_tokens=10)
                    self.assertEqual("".join(whole), due["text"])
                    cut = model.generate_text("the cat", max_new_tokens=10, stop=due["stop"])
                    self.assertEqual("".join(cut), due["stopped"])
                    self.assertLess(len(due["stopped"]), len(due["text"]))

    def test_a_text_ends_before_its_stop_however_it_comes(self):
        def cut(parts, *stops):
            return list(text._before(iter(parts), list(stops)))

        self.assertEqual(cut(["a", "bc", "d"], "cd"), ["a", "b"])
        self.assertEqual(cut(["ab", "c"], "bcd"), ["a", "bc"])
        self.assertEqual(cut(["abc"], "b", "a"), [])
        self.assertEqual(cut(["aab"], "ab"), ["a"])

    @unittest.skipUnless(find_spec("jinja2"), "jinja2 fills templates in")
    def test_a_chat_is_what_jinja_makes_of_it_set_up_as_by_transformers(self):
        due = json.loads((FIXTURES / "chat_templates.json").read_text())
        model = opened("gpt2")
        for template, made in due["templates"]:
            model.chat_template = template
            if made is None:
                continue
            # Jinja reads strings as Python does, which warns of \\q.
            with self.subTest(template), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(text.chat_prompt(model, due["messages"]), made)
        model.chat_template = "{{ raise_exception('no') }}"
        with self.assertRaisesRegex(gf.GlassformerError, r"chat_template: .*\(no\)"):
            text.chat_prompt(model, due["messages"])
        model.chat_template = "{% for m in messages %}{{ m.content }}{% endfor %}{{ eos_token }}"
        self.assertEqual(text.chat_prompt(model, [{"role": "user", "content": "Hi"}]), "Hi</s>")

    @unittest.skipUnless(find_spec("jinja2"), "jinja2 fills templates in")
    def test_a_session_says_what_one_in_node_says_and_reads_only_what_is_new(self):
        due = NODE["chat"]
        model = gf.open(due["file"])
        options = {"max_new_tokens": 12, "temperature": 1.0, "seed": 3, "stop_tokens": []}
        talk = text.session(model, system="the cat", **options)
        self.assertEqual((talk.max_length, talk.bytes), (due["maxLength"], 0))
        fed = []
        feed = _decode._Decoder.feed
        with mock.patch.object(_decode._Decoder, "feed", lambda *given: fed.append(1) or feed(*given)):
            for place, turn in enumerate(due["turns"]):
                fed.clear()
                self.assertEqual("".join(talk.ask("on the")), turn["text"])
                self.assertEqual(talk.trimmed, turn["trimmed"])
                again = text.session(model, messages=talk.messages[:-2], **options)
                again.trimmed = talk.trimmed
                # The keys and values that were kept change no bit.
                self.assertEqual("".join(again.ask("on the")), turn["text"])
                if place and turn["trimmed"] == due["turns"][place - 1]["trimmed"]:
                    prompt = text.chat_prompt(model, talk.messages[:-1])
                    self.assertLess(len(fed), len(model.tokenizer.encode(prompt, special=False)))
        self.assertEqual(talk.messages, due["messages"])
        self.assertGreater(talk.bytes, 0)
        for _ in talk.ask("the"):
            break
        self.assertEqual(talk.messages[-1]["role"], "assistant", "as far as it was written")
        talk.dispose()
        self.assertEqual(talk.bytes, 0)
        with self.assertRaisesRegex(ValueError, "the message takes .* tokens"):
            talk.ask("the cat sat " * 400)

    def test_adapters_are_merged_as_in_node(self):
        model = gf.open(FOLDER / "base.safetensors")
        before = {name: values.copy() for name, values in model.state_dict().items()}
        model.merge_lora(FOLDER / "lora.safetensors")
        self.assertEqual(hash_of(*model.state_dict().values()), NODE["merged"]["values"])
        changed = {name for name, values in model.state_dict().items() if (values != before[name]).any()}
        self.assertTrue(all("q_proj" in name or "linear1" in name for name in changed))
        self.assertEqual(len(changed), 4)
        for wrong, detail in ((model.save(), "notOfLora"), (FOLDER / "no.safetensors", "notOpened")):
            with self.assertRaises(gf.GlassformerError) as caught:
                model.merge_lora(wrong)
            self.assertEqual(caught.exception.detail, detail)

    def test_what_cannot_be_read_is_refused(self):
        model = opened("gpt2")
        refused = {
            "textTooLong": lambda: text.embed(model, [[1] * 100]),
            "textEmpty": lambda: text.embed(model, [[]]),
            "noClasses": lambda: text.classify(model, [[1]]),
            "otherClasses": lambda: text.classify(opened("bert-tokens-odd-0"), [[1]]),
            "noPrediction": lambda: text.fill_mask(model, [1]),
            "noMask": lambda: text.fill_mask(opened("bert-masked-lm"), [1]),
            "noTemplate": lambda: text.chat_prompt(model, []),
            "noTokenizer": lambda: text.embed(gf.open(FIXTURES / "gpt2"), ["a"]),
            "stopEmpty": lambda: model.generate_text([1], stop=[""]),
        }
        for detail, call in refused.items():
            with self.subTest(detail), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual(caught.exception.detail, detail)
        self.assertEqual(text.embed(model, [[1] * 100], truncate=True).shape[0], 1)
