"""The functions on texts give the numbers of glassformer/text; templates what jinja2 made of them."""

import gc
import json
import math
import os
import pickle
import re
import unittest
import warnings
import weakref
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
from test_node import hash_of

import glassformer as gf
from glassformer import _decode, _schema, text
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


def snake(name):
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


def merged_twice(model):
    tuned = gf.lora.add_lora(model)
    tuned.merge()
    tuned.merge()


def range_of(model):
    return list(range(model.config["vocab"]))


def untrained():
    tape = gf.Tape()
    tape.scale(tape.input("x", (1,)), factor=2, name="y")
    tape.plan()
    return tape


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
                    len({str(text.embed(opened("bert"), [ids], pooling=one)) for one in modes}),
                    3,
                )
            short = embedding("mean_tokens", max_seq_length=3)
            with self.assertRaisesRegex(gf.GlassformerError, "4 tokens, and the model takes 3"):
                text.embed(short, [ids])
            with self.assertRaisesRegex(gf.GlassformerError, "makes vectors by .max_tokens"):
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
                    options = {"temperature": 1, "seed": 2, "repetition_penalty": 1.2, "stop": due["stop"]}
                    written = text.generate_texts(model, ["the cat", "on"], max_new_tokens=10, **options)
                    plain = [{"text": one.text, "ended": one.ended, "seed": one.seed} for one in written]
                    self.assertEqual(plain, due["several"])
                    self.assertEqual(model.count("the cat"), len(prompt))

    def test_each_function_of_node_has_its_name_here(self):
        for module, names in NODE["names"].items():
            here = dir(getattr(gf, module))
            self.assertEqual([name for name in map(snake, names) if name not in here], [])

    def test_tokens_are_chosen_as_in_node(self):
        def process(logits, tokens):
            logits[len(tokens) % 12] += 2

        def louder(values, step):
            self.assertEqual(values.shape, step.shape)
            values *= 1.5

        def quiet(values, step):
            values[1] = 0

        hooks = {
            "fused": {"decoder.layers.1.norm1": louder},
            "apart": {"decoder.layers.0.self_attn.weights": quiet},
        }
        model = gf.open(NODE["choices"]["file"])
        for due in NODE["choices"]["cases"]:
            options = {snake(key): value for key, value in due["options"].items()}
            if "hooks" in due:
                options["hooks"] = hooks[due["hooks"]]
            if "process" in due:
                options["process"] = process
            with self.subTest(**due["options"], hooks=due.get("hooks")):
                stream = text.generate_tokens(model, NODE["choices"]["prompt"], **options)
                written = stream.whole()
                plain = [
                    {
                        "token": one.token,
                        "logProb": one.log_prob,
                        "best": [{"token": token, "logProb": log_prob} for token, log_prob in one.best],
                    }
                    for one in written.tokens
                ]
                self.assertEqual(plain, due["tokens"])
                self.assertEqual((written.ended, written.seed), (due["ended"], due["seed"]))
        prompt = NODE["choices"]["prompt"]
        same = text.generate_tokens(model, prompt, max_new_tokens=9, hooks=hooks["fused"])
        tokens = list(model.generate(prompt, max_new_tokens=9, hooks=hooks["fused"]))
        self.assertEqual([one.token for one in same], tokens)
        self.assertNotEqual(tokens, list(model.generate(prompt, max_new_tokens=9)))

    def test_a_classifier_is_trained_as_in_node(self):
        for due in NODE["classifiers"]:
            options = {snake(key): value for key, value in due["options"].items()}
            model = opened(due["name"])
            made = text.train_classifier(model, due["examples"], validation=due["validation"], **options)
            self.assertEqual(made.labels, due["labels"])
            np.testing.assert_array_equal(made.weight.reshape(-1), np.array(due["weight"], np.float32))
            np.testing.assert_array_equal(made.bias, np.array(due["bias"], np.float32))
            classes = text.classify(model, due["texts"], made)
            plain = [
                {"label": one.label, "probability": one.probability, "probabilities": one.probabilities}
                for one in classes
            ]
            self.assertEqual(plain, due["found"])
            self.assertEqual(text.classify(model, [], made), [])

    def test_models_of_ours_have_the_vocabulary_of_their_file(self):
        for due in NODE["vocabularies"]:
            tokenizer = gf.open(due["file"]).tokenizer
            with self.subTest(due["file"], text=due["text"]):
                self.assertEqual(tokenizer.encode(due["text"]), due["ids"])
                self.assertEqual(tokenizer.encode(due["text"], special=False), due["plain"])
                self.assertEqual(tokenizer.decode(due["ids"]), due["back"])
                self.assertEqual(tokenizer.tokens(due["ids"]), due["tokens"])
                self.assertEqual(list(tokenizer.stops), due["stops"])

    def test_with_max_length_a_model_reads_fewer_tokens_and_is_saved_as_it_is(self):
        file = NODE["stories"]["file"]
        whole, short = gf.open(file), gf.open(file, max_length=12)
        most = whole.config["max_length"]
        self.assertEqual(short.config["max_length"], 12)
        for model in (short, pickle.loads(pickle.dumps(short)), gf.lora.add_lora(short)):
            np.testing.assert_array_equal(model(target=[1, 5]).logits, whole(target=[1, 5]).logits)
            written = text.generate_tokens(model, [1, 5, 9], stop_tokens=[]).whole()
            self.assertEqual((len(written.tokens), written.ended), (10, "max-length"))
            with self.assertRaisesRegex(ValueError, "13"):
                model(target=[1] * 13)
        self.assertEqual(short.save(), whole.save())
        with TemporaryDirectory() as made:
            short.export(made, "gpt2")
            self.assertEqual(gf.open(made).config["max_length"], most)
        for length in (0, most + 1):
            with self.assertRaisesRegex(ValueError, f"open: max_length: .*{length}"):
                gf.open(file, max_length=length)

    def test_texts_of_a_schema_are_those_of_node(self):
        model = gf.open(NODE["schemas"]["file"])
        details = set()
        for due in NODE["schemas"]["cases"]:
            options = {snake(key): value for key, value in due["options"].items()}
            with self.subTest(due["schema"], **options):
                if "detail" in due:
                    details.add(due["detail"])
                    with self.assertRaises(gf.GlassformerError) as caught:
                        text.generate_text(model, "ab", schema=due["schema"], **options).whole()
                    self.assertEqual(caught.exception.detail, due["detail"])
                    continue
                stream = text.generate_text(model, "ab", schema=due["schema"], **options)
                written = stream.whole()
                self.assertEqual((written.text, written.ended), (due["text"], due["ended"]))
                self.assertEqual([one.token for one in written.tokens], due["tokens"])
                json.loads(written.text)
        self.assertGreater(len(details), 4)
        with self.assertRaisesRegex(TypeError, "leave stop out"):
            model.generate_text("ab", schema={"type": "null"}, stop=["a"])

    def test_several_texts_share_a_schema(self):
        model = gf.open(NODE["schemas"]["file"])
        schema = {"enum": ["a", "ab"]}
        with mock.patch.object(_schema, "_Compiler", wraps=_schema._Compiler) as compiled:
            both = text.generate_texts(model, ["ab", "a"], schema=schema)
        self.assertEqual(compiled.call_count, 1)
        alone = [model.generate_text(prompt, schema=schema).whole() for prompt in ("ab", "a")]
        self.assertEqual([one.tokens for one in both], [one.tokens for one in alone])

    def test_schemas_keep_no_tokenizer_alive(self):
        model = gf.open(NODE["schemas"]["file"])
        text.generate_text(model, "ab", schema={"type": "null"}, max_new_tokens=8).whole()
        tokenizer = weakref.ref(model.tokenizer)
        del model
        gc.collect()
        self.assertIsNone(tokenizer())

    def test_what_is_no_json_in_a_schema_is_refused(self):
        model = gf.open(NODE["schemas"]["file"])
        circle = []
        circle.append(circle)
        key = {"type": "null"}
        wrong = [
            {"const": math.nan},
            {"const": {1, 2}},
            {"enum": [circle]},
            {"type": "object", "properties": {}, "required": [["a"]]},
            {"type": "object", "properties": {1: key}, "required": [1]},
            {"$ref": "#/$defs/a", "$defs": ["a"]},
            {"$ref": "#/$defs/a", "$defs": 1},
            {"type": "integer", "minimum": False},
        ]
        for schema in wrong:
            with self.subTest(schema), self.assertRaises(gf.GlassformerError) as caught:
                text.generate_text(model, "ab", schema=schema)
            self.assertEqual(caught.exception.detail, "schemaValue")
        right = [
            ({"type": "array", "items": key, "minItems": 1.0, "maxItems": 1.0}, [None]),
            ({"type": "object", "properties": {"\ud800": key}, "required": ["\ud800"]}, {"\ud800": None}),
            ({"const": "a\ud800"}, "a\ud800"),
        ]
        for schema, due in right:
            with self.subTest(schema):
                written = text.generate_text(model, "ab", schema=schema, max_new_tokens=60).whole()
                self.assertEqual(json.loads(written.text), due)

    def test_rates_groups_and_tapes_are_trained_as_in_node(self):
        told = NODE["trainings"]
        model = gf.open(told["file"])
        own = {
            "rate": lambda step: 0.1 / step,
            "groups": lambda name, shape: {"weight_decay": 0, "rate": 0.5} if len(shape) < 2 else None,
        }
        for due in told["cases"]:
            plain = {snake(key): value for key, value in due["options"].items()}
            options = {key: own[key] if value is True else value for key, value in plain.items()}
            steps = gf.train(model, [told["batch"]] * 4, restart=True, **options)
            self.assertEqual([[step.loss, step.learning_rate] for step in steps], due["losses"])
            tape = gf.Tape()
            w, b = tape.parameter("w", (2, 1)), tape.parameter("b", (1,))
            error = tape.linear(tape.input("x", (6, 2)), w, b, name="y") - tape.input("target", (6, 1))
            tape.mean(error**2, name="loss")
            tape.plan()
            batches = [{"x": told["points"], "target": told["target"]}] * 3
            steps = [step for _ in range(2) for step in gf.train(tape, batches, clip=2, **options)]
            found = [[step.step, step.loss, step.learning_rate] for step in steps]
            self.assertEqual(found, [[one["step"], one["loss"], one["learningRate"]] for one in due["steps"]])
            norms = [step.gradient_norm for step in steps]
            np.testing.assert_allclose(norms, [one["gradientNorm"] for one in due["steps"]], rtol=1e-12)
            np.testing.assert_array_equal([*w.data.flat, *b.data], np.array(due["parameters"], np.float32))
        refused = {
            "lossOfModel": lambda: gf.train(model, [], loss="loss"),
            "nothingTrained": lambda: next(gf.train(untrained(), [{}], loss="y")),
            "listener": lambda: gf.train(model, [], groups=1),
            "shapeAs": lambda: gf.train(tape, [], loss="y"),
            "unknownOption": lambda: gf.train(tape, [], dropout=0.1),
        }
        for detail, call in refused.items():
            with self.subTest(detail), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual(caught.exception.detail, detail)

    def test_rows_are_padded_as_in_node(self):
        for due in NODE["padded"]:
            made = text.pad(due["rows"], **due["options"])
            self.assertEqual(made._asdict(), due["made"])
            self.assertEqual(text.unpad(made.ids[:2], made.mask[:2]), due["back"])

    def test_adapters_are_trained_saved_and_opened_as_in_node(self):
        batch = NODE["adapters"]["batch"]
        for due in NODE["adapters"]["cases"]:
            model = gf.open(NODE["adapters"]["file"])
            before = hash_of(*model.state_dict().values())
            tuned = gf.lora.add_lora(model, **due["options"])
            np.testing.assert_array_equal(tuned(target=[1, 5]).logits, model(target=[1, 5]).logits)
            steps = list(gf.train(tuned, [batch] * 4, rate=0.05, optimizer="adamw"))
            self.assertEqual([step.loss for step in steps], due["losses"])
            self.assertEqual(list(tuned.generate([1, 5], max_new_tokens=8)), due["tokens"])
            self.assertEqual(tuned.save(training=True), Path(due["file"]).read_bytes())
            copied = pickle.loads(pickle.dumps(tuned))
            self.assertEqual(list(copied.generate([1, 5], max_new_tokens=8)), due["tokens"])
            again = gf.lora.open_lora(model, due["file"])
            self.assertEqual(again.lora, tuned.lora)
            rest = [step.loss for step in gf.train(again, [batch] * 2, rate=0.05)]
            self.assertEqual(rest, due["rest"])
            self.assertEqual(hash_of(*model.state_dict().values()), before)
            logits = np.array(tuned(target=[1, 5]).logits)
            saved = tuned.save()
            tuned.merge()
            np.testing.assert_allclose(model(target=[1, 5]).logits, logits, rtol=1e-4, atol=1e-5)
            self.assertEqual(tuned.save(), saved)
            for merged in (tuned, pickle.loads(pickle.dumps(tuned))):
                with self.assertRaisesRegex(gf.GlassformerError, "these adapters are merged"):
                    merged(target=[1, 5])

    def test_a_text_ends_before_its_stop_however_it_comes(self):
        def cut(parts, *stops):
            return list(text._before(iter(parts), list(stops), text.Generated()))

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
        parts = [{"type": "text", "text": "Hi"}, {"type": "text", "text": "you"}]
        self.assertEqual(text.chat_prompt(model, [{"role": "user", "content": parts}]), "Hi\nyou</s>")
        model.chat_template = "{{ tools[0].name }}{{ thinking }}{{ messages[0].tool_call_id }}"
        asked = {"tools": [{"name": "add"}], "variables": {"thinking": False}}
        message = {"role": "tool", "content": "3", "tool_call_id": "7"}
        self.assertEqual(text.chat_prompt(model, [message], **asked), "addFalse7")
        with self.assertRaisesRegex(ValueError, "tools"):
            text.chat_prompt(model, [message], variables={"tools": 1})

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

    @unittest.skipUnless(find_spec("jinja2"), "jinja2 fills templates in")
    def test_a_session_keeps_whole_turns_alone(self):
        model = gf.open(NODE["chat"]["file"])
        options = {"max_new_tokens": 6, "temperature": 1.0, "seed": 3, "stop_tokens": []}

        def fails(logits, tokens):
            if len(tokens) == 2:
                raise RuntimeError("process")

        talk = text.session(model, **options)
        with self.assertRaisesRegex(RuntimeError, "process"):
            list(talk.ask("the", process=fails))
        self.assertEqual(talk.messages, [])
        first, second = talk.ask("the"), talk.ask("on")
        next(first)
        for ask in (lambda: next(second), lambda: talk.ask("on")):
            with self.assertRaisesRegex(gf.GlassformerError, "still answering"):
                ask()
        list(first)
        self.assertEqual([one["role"] for one in talk.messages], ["user", "assistant"])

    @unittest.skipUnless(find_spec("jinja2"), "jinja2 fills templates in")
    def test_a_session_reads_anew_what_other_parameters_made(self):
        model = gf.open(NODE["chat"]["file"])
        options = {"max_new_tokens": 6, "temperature": 1.0, "seed": 3, "stop_tokens": []}

        def merge():
            tuned = gf.lora.add_lora(model, rank=2)
            for one in tuned.parameters.values():
                one.data[...] += 0.5
            tuned.merge()

        def restart():
            batch = {"target": [[1, 2, 3]], "labels": [[2, 3, 4]]}
            list(gf.train(model, [batch], rate=0.05, restart=True))

        def write():
            model.parameters["embedding.weight"].data[...] *= -1

        restart()
        for change in (restart, merge, write):
            talk = text.session(model, **options)
            list(talk.ask("the cat"))
            change()
            again = text.session(model, messages=talk.messages, **options)
            with self.subTest(change.__name__):
                self.assertEqual(list(talk.ask("on the")), list(again.ask("on the")))

    def test_vectors_of_any_size_have_neighbours(self):
        self.assertEqual(text.nearest([1, 0], [], 3), [])
        for size in (1e200, 1e-200):
            found = text.nearest([size, 0], [[size, size], [size, 0], [0, 0]], 3)
            self.assertEqual([one.index for one in found], [1, 0, 2])
            np.testing.assert_allclose([one.score for one in found], [1, 0.5**0.5, 0])

    def test_errors_name_the_function_and_the_prompt(self):
        model = opened("gpt2")
        wrong = {
            "generate_tokens: top_k": lambda: text.generate_tokens(model, [1], top_k=-1),
            "generate_text: best": lambda: model.generate_text([1], best=-1),
            r"generate_text: schema\.type": lambda: model.generate_text([1], schema={"type": 1}),
            r"generate_texts: prompts\[1\]": lambda: text.generate_texts(model, [[1], []]),
        }
        for said, call in wrong.items():
            with self.subTest(said), self.assertRaisesRegex(gf.GlassformerError, f"^{said}"):
                call()

    @unittest.skipUnless(find_spec("jinja2"), "jinja2 fills templates in")
    def test_a_session_refuses_what_it_cannot_take(self):
        chatty = gf.open(NODE["chat"]["file"])
        with self.assertRaisesRegex(gf.GlassformerError, "^session: unknown"):
            text.session(chatty, temprature=1)
        refused = {
            "array": lambda: text.session(chatty, messages=None),
            "word": lambda: text.session(chatty).ask({"role": np.zeros(2), "content": ""}),
            "options": lambda: text.session(chatty).ask(1),
            "integerFrom": lambda: text.session(chatty).ask("a", max_new_tokens="5"),
        }
        for detail, call in refused.items():
            with self.subTest(detail), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual(caught.exception.detail, detail)

    def test_the_tokens_of_a_beam_are_told_and_why_they_end(self):
        model = opened("gpt2")
        stream = text.generate_tokens(model, [1, 2], beams=2, max_new_tokens=3, stop_tokens=[])
        self.assertEqual(list(stream), stream.result.tokens)
        self.assertEqual((len(stream.result.tokens), stream.result.ended), (3, "max-new-tokens"))

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
            "finite": lambda: text.nearest([1, 0], [[1, 2], [np.nan, 1]], 1),
            "model": lambda: text.session(1),
            "texts": lambda: model.generate_text([1], stop=3),
            "text": lambda: model.generate_text([1], stop=np.zeros(2)),
            "shapeAs": lambda: text.nearest([1, 0], 5, 1),
            "classifier": lambda: text.classify(
                model, [[1]], text.Classifier(["a"], np.zeros((16, 2)), np.zeros(2), "mean", True)
            ),
            "noClasses": lambda: text.classify(model, [[1]]),
            "otherClasses": lambda: text.classify(opened("bert-tokens-odd-0"), [[1]]),
            "noPrediction": lambda: text.fill_mask(model, [1]),
            "noMask": lambda: text.fill_mask(opened("bert-masked-lm"), [1]),
            "noTemplate": lambda: text.chat_prompt(model, []),
            "noTokenizer": lambda: text.embed(gf.open(FIXTURES / "gpt2"), ["a"]),
            "stopEmpty": lambda: model.generate_text([1], stop=[""]),
            "noNode": lambda: text.generate_tokens(model, [1], hooks={"decoder.mlp": print}),
            "listener": lambda: text.generate_tokens(model, [1], process=1),
            "inPlace": lambda: next(text.generate_tokens(model, [1], process=lambda x, _: x + 1)),
            "nothingLeft": lambda: text.generate_tokens(model, [1], banned=range_of(model)).whole(),
            "notANumber": lambda: text.generate_tokens(
                model, [1], process=lambda logits, _: logits.fill(np.nan)
            ).whole(),
            "beamsAlone": lambda: model.generate([1], beams=2, hooks={"logits": print}),
            "maskOfTokens": lambda: text.unpad([[1, 2, 3]], [[1, 0, 1]]),
            "twoLabels": lambda: text.train_classifier(model, [{"text": [1], "label": "a"}]),
            "noProjection": lambda: gf.lora.add_lora(model, targets=["q_porj"]),
            "noProjections": lambda: gf.lora.add_lora(model, targets=[]),
            "adaptersMerged": lambda: merged_twice(gf.open(FOLDER / "base.safetensors")),
            "adaptedAlready": lambda: gf.lora.add_lora(gf.lora.add_lora(model)),
            "notOfLora": lambda: gf.lora.open_lora(model, (FOLDER / "base.safetensors").read_bytes()),
            "mergedIntoStored": lambda: gf.lora.add_lora(gf.open(FOLDER / "gpt-2.gguf", stored=True)).merge(),
        }
        for detail, call in refused.items():
            with self.subTest(detail), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual(caught.exception.detail, detail)
        self.assertEqual(text.embed(model, [[1] * 100], truncate=True).shape[0], 1)
        due = next(one for one in NODE["classes"] if one["call"] == "classify")
        classes = opened(due["name"])
        classes.labels = [*classes.labels, classes.labels[0]]
        with self.assertRaisesRegex(ValueError, "classify: labels"):
            text.classify(classes, [[1]])
        examples = [{"text": [1], "label": "a"}, {"text": [2], "label": "b"}]
        with self.assertRaisesRegex(TypeError, "train_classifier: on_step: expected a function, received 1"):
            text.train_classifier(model, examples, on_step=1)
