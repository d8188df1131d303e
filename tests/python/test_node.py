"""The same as in Node: bits, tokens, files and sentences, which tests/python.test.js wrote down."""

import base64
import hashlib
import json
import os
import unittest
from pathlib import Path

import numpy as np

import glassformer as gf

FOLDER = Path(os.environ["GLASSFORMER_NODE"])
NODE = json.loads((FOLDER / "node.json").read_text())
PAIRS = {
    "source": [[3, 4, 5], [6, 7]],
    "target": [[1, 3], [1, 4, 5, 6, 7]],
    "labels": [[3, 2], [4, 5, -100, 7, 2]],
}


def hash_of(*arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def block(model, name):
    return hash_of(*(parameter.block(name) for parameter in model.parameters.values()))


def make(options):
    snakes = {"dModel": "d_model", "dFF": "d_ff", "maxLength": "max_length", "kvHeads": "kv_heads"}
    return gf.Model(**{snakes.get(key, key): value for key, value in options.items()})


class NodeTest(unittest.TestCase):
    def test_values_and_gradients_of_models_have_the_bits_of_node(self):
        for due in NODE["models"]:
            with self.subTest(due["options"]):
                model = make(due["options"])
                inputs = PAIRS if due["options"]["kind"] == "transformer" else {**PAIRS}
                if due["options"]["kind"] != "transformer":
                    inputs.pop("source")
                run = model(**inputs)
                run.backward()
                nodes = run.tape.nodes
                self.assertEqual([node.name for node in nodes], due["names"])
                self.assertEqual(hash_of(*(node.data for node in nodes)), due["values"])
                grads = [node.grad for node in nodes if node.grad is not None]
                self.assertEqual(hash_of(*grads), due["gradients"])
                self.assertEqual(run.loss, due["loss"])

    def test_worked_examples_have_the_bits_of_node(self):
        for due in NODE["traces"]:
            with self.subTest(due["name"], remove=due["remove"]):
                trace = gf.trace(due["name"], remove=due["remove"])
                told = [[step.name, step.role, step.name in trace.removed] for step in trace.steps]
                self.assertEqual(told, due["steps"])
                self.assertEqual(hash_of(*(step.data for step in trace.steps)), due["values"])
                last = trace.steps[-1]
                trace.gradient(last.name, [size - 1 for size in last.shape])
                grads = [step.grad for step in trace.steps if step.grad is not None]
                self.assertEqual(hash_of(*grads), due["gradients"])
                first = next(step for step in trace.steps if step.kind != "ids")
                value = last.data.flat[0] + np.float32(1)
                trace.edit(first.name, [0] * len(first.shape), 2.5)
                trace.edit(last.name, [0] * len(last.shape), value)
                self.assertEqual(hash_of(*(step.data for step in trace.steps)), due["edited"])

    def test_training_has_the_bits_of_node(self):
        due = NODE["training"]
        model = make(NODE["models"][0]["options"])
        steps = list(
            gf.train(
                model,
                [PAIRS, {**PAIRS, "labels": [[-100, 2], [4, 5, 6, 7, -100]]}] * 20,
                schedule="noam",
                warmup=10,
                clip=1,
                label_smoothing=0.1,
                accumulate=2,
                seed=5,
            )
        )
        self.assertEqual([step.loss for step in steps], due["losses"])
        self.assertEqual([step.learning_rate for step in steps], due["rates"])
        self.assertEqual([block(model, name) for name in ("values", "m", "v")], due["blocks"])
        (FOLDER / "python.safetensors").write_bytes(model.save(training=True))

    def test_a_training_keeps_what_was_best_on_others(self):
        due = NODE["training"]
        model = make({**NODE["models"][1]["options"], "dropout": 0})
        batch = {"target": PAIRS["target"], "labels": [[-100, 2], [4, 5, 6, 7, -100]]}
        looked = {"validation": [{"target": [[1, 9, 3]], "labels": [[9, 3, 2]]}], "validate_every": 3}
        steps = gf.train(model, [batch] * 13, rate=0.05, betas=(0.8, 0.95), keep_best=True, **looked)
        losses = [step.validation_loss for step in steps]
        self.assertEqual(losses, due["validation"])
        self.assertGreater(losses[-2], min(loss for loss in losses if loss is not None))
        self.assertEqual(block(model, "values"), due["best"])

    def test_a_file_of_javascript_opens_and_goes_on(self):
        for name, step in (("node.safetensors", 20), ("untrained.safetensors", 0)):
            model = gf.open(FOLDER / name)
            self.assertEqual(model.step, step)
            self.assertEqual(gf.open(model.save(training=True)).size, model.size)
        self.assertEqual(block(gf.open(FOLDER / "node.safetensors"), "m"), NODE["training"]["blocks"][1])
        model = gf.open(FOLDER / "node.safetensors")
        (step,) = gf.train(model, [PAIRS], schedule="noam", warmup=10)
        self.assertEqual((step.step, step.loss), (21, NODE["training"]["next"]))

    def test_a_model_of_others_is_the_same_once_it_is_converted(self):
        for name in ("llama.gguf", "llama.safetensors"):
            model = gf.open(FOLDER / name)
            self.assertEqual(block(model, "values"), NODE["converted"]["values"])
            self.assertEqual(list(model.generate([1, 2, 3])), NODE["converted"]["tokens"])

    def test_tokens_are_those_of_node(self):
        for due in NODE["tokens"]:
            with self.subTest(due):
                model = gf.open(due["file"] if "/" in due["file"] else FOLDER / due["file"])
                self.assertEqual(list(model.generate(due["input"], **due["options"])), due["tokens"])
                if due["found"]:
                    found = model.search(due["input"], **due["options"])
                    told = [[one.tokens, one.log_prob, one.finished] for one in found]
                    nodes = [[one["tokens"], one["logProb"], one["finished"]] for one in due["found"]]
                    self.assertEqual(told, nodes)

    def test_answers_are_marked_as_node_marks_them(self):
        cells = others = 0
        for due in NODE["marks"]:
            marks = gf.exercise(due["recipe"], seed=2).mark(due["answers"])
            self.assertEqual(list(marks.cells), [cell for cell, _, _ in due["told"]])
            for cell, points, message in due["told"]:
                got = marks.cells[cell]
                with self.subTest(due["recipe"], cell=cell, answers=due["answers"]):
                    self.assertEqual(got.points, points)
                if message is not None:
                    cells += 1
                    others += got.message != message
        # A sentence may have a number whose last digit float32 rounds otherwise.
        self.assertGreater(cells, 1000)
        self.assertLess(others, cells / 400)

    def test_a_figure_is_sent_the_bits_of_the_kernel(self):
        trace = gf.trace("three-tokens")
        trace.edit("weights", [0, 1], 0.125)
        sent = json.loads(gf.tape_of(trace))
        self.assertEqual(sent["tokens"], list(trace.example["tokens"]))
        self.assertEqual([step["name"] for step in sent["steps"]], [step.name for step in trace.steps])
        for step, node in zip(sent["steps"], trace.steps, strict=True):
            self.assertEqual(base64.b64decode(step["data"]), node.data.tobytes())
            self.assertEqual(tuple(step["shape"]), node.shape)
        model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=4)
        run = model(target=[[1, 2, 3], [4, 5, 6]])
        sent = json.loads(gf.tape_of(run, sequence=1))
        steps = {step["name"]: step for step in sent["steps"]}
        name = "decoder.layers.0.self_attn.weights"
        self.assertEqual((steps[name]["shape"], steps[name]["axes"]), ([2, 3, 3], ["head", "query", "key"]))
        self.assertEqual(base64.b64decode(steps[name]["data"]), run[name].data[1].tobytes())
        large = gf.Tape()
        large.input("x", (2**13, 2**10))
        large.plan()
        with self.assertRaisesRegex(gf.ArgumentRangeError, "^show: .*at most 32 MB.*these are 33 MB"):
            gf.tape_of(large)
        self.assertRaises(gf.ArgumentTypeError, gf.tape_of, "three-tokens")
        self.assertRaises(gf.ArgumentRangeError, gf.tape_of, run, sequence=2)

    def test_rows_of_a_figure_are_called_as_their_ids_are(self):
        def told(run, **options):
            sent = json.loads(gf.tape_of(run, **options))
            return [sent.get(name) for name in ("tokens", "sides", "vocabulary")]

        small = {"vocab": 4, "d_model": 4, "heads": 1, "layers": 1, "max_length": 4}
        run = gf.Model(kind="gpt", **small)(target=[[3, 1], [2, 2]])
        self.assertEqual(told(run), [["3", "1"], None, ["0", "1", "2", "3"]])
        self.assertEqual(told(run, tokens="ab"), [["a", "b"], None, ["0", "b", "2", "a"]])
        self.assertEqual(told(run, tokens="cc", sequence=1), [["c", "c"], None, ["0", "1", "c", "3"]])
        given = {"source": [0, 3], "target": [1, 2]}
        names = {"source": ["the", "cat"], "target": ["<s>", "le"]}
        one = gf.Model(kind="transformer", **small)(**given)
        self.assertEqual(told(one, tokens=names), [["<s>", "le"], names, ["the", "<s>", "le", "cat"]])
        self.assertEqual(told(one, tokens=["<s>", "le"])[1], {"source": ["0", "3"], "target": ["<s>", "le"]})
        two = gf.Model(kind="transformer", source_vocab=5, **small)(**given)
        self.assertEqual(told(two, tokens=names)[1:], [names, ["0", "1", "2", "3", "4"]])
        with self.assertRaisesRegex(gf.ArgumentTypeError, '"sorce" .did you mean "source"'):
            told(two, tokens={"sorce": "ab"})
        vectors = gf.Model(kind="gpt", **{**small, "vocab": 0})(target=np.ones((2, 4)))
        self.assertEqual(told(vectors, tokens="ab"), [["a", "b"], None, None])
        words = list(gf.examples["three-tokens"]["tokens"])
        self.assertEqual(told(gf.trace("three-tokens")), [words, None, None])

    def test_errors_say_what_node_says(self):
        tape = gf.Tape()
        x = tape.input("x", (2, 3))
        tape.softmax(x, name="weights")
        gpt = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=4)
        bert = gf.Model(kind="bert", vocab=8, d_model=8, heads=2, layers=1, max_length=4)
        named = {"name": "own", "title": "", "source": "", "about": ""}

        def own(**inputs):
            return {**named, "inputs": inputs}

        calls = {
            "near": lambda: tape.find("weihgts"),
            "unfit": lambda: tape.matmul(x, x, name="y"),
            "taken": lambda: tape.relu(x, name="x"),
            "nameless": lambda: tape.relu(x, name=""),
            "notPlanned": lambda: tape.forward(),
            "noValue": lambda: x.data,
            "dimension": lambda: tape.input("y", (2, 0)),
            "epsilon": lambda: tape.rms_norm(x, epsilon=-1, name="y"),
            "option": lambda: gf.Model(kind="gpt", vocab=8, layrs=2),
            "word": lambda: gf.Model(kind="gtp", vocab=8),
            "dividing": lambda: gf.Model(kind="gpt", vocab=8, d_model=16, heads=3),
            "integer": lambda: gf.Model(kind="gpt", vocab=-1),
            "large": lambda: gf.Model(kind="gpt", vocab=8, layers=12),
            "real": lambda: gf.Model(kind="gpt", vocab=8, dropout=1),
            "owner": lambda: gf.Model(kind="gpt", vocab=8, pooler=True),
            "token": lambda: gpt(target=[[1, 9]]),
            "wholeToken": lambda: gpt(target=[[1, 1.5]]),
            "wholeLabel": lambda: gpt(target=[1, 2], labels=[-100, 1.5]),
            "wholeId": lambda: gf.functional.embed([[1], [2]], [0, 1.5]),
            "long": lambda: gpt(target=[1, 2, 3, 4, 5]),
            "labels": lambda: gpt(target=[[1, 2]], labels=[[1]]),
            "source": lambda: gpt(source=[1], target=[1]),
            "noLoss": lambda: gpt(target=[1]).loss,
            "noParameter": lambda: gpt.parameters["decoder.layers.0.norm1.wieght"],
            "writes": lambda: bert.generate([1]),
            "topP": lambda: gpt.generate([1], top_p=2),
            "beams": lambda: gpt.generate([1], beams=2, temperature=1),
            "ignored": lambda: next(gf.train(gpt, [{"target": [[1]], "labels": [[-100]]}])),
            "example": lambda: gf.trace("three-tokns"),
            "unfitRows": lambda: gf.trace(own(x=[[1, 2]], w_q=[[1]], w_k=[[1]], w_v=[[1]])),
            "unfitKeys": lambda: gf.trace(own(q=[[1, 2]], k=[[1, 2, 3]], v=[[1]])),
            "unfitValues": lambda: gf.trace(own(q=[[1]], k=[[1], [2]], v=[[1]])),
            "step": lambda: gf.trace("three-tokens")["wieghts"],
            "removal": lambda: gf.trace("three-tokens", remove=["mask"]),
            "unknownRemoval": lambda: gf.trace("three-tokens", remove=["softmx"]),
            "schedule": lambda: gf.train(gpt, [], schedule="linear"),
            "betas": lambda: gf.train(gpt, [], betas=[1]),
            "validation": lambda: gf.train(gpt, [], validation=[{"target": [[1]], "labels": [[-100]]}]),
            "trailing": lambda: gf.open(gpt.save() + b"12"),
            "short": lambda: gf.open(b"123"),
        }
        self.assertEqual(sorted(calls), sorted(NODE["errors"]))
        for name, call in calls.items():
            code, sentence = NODE["errors"][name]
            with self.subTest(name), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual((caught.exception.code, str(caught.exception)), (code, sentence))


if __name__ == "__main__":
    unittest.main()
