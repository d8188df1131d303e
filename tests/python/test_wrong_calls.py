"""Every public function with each argument wrong: an error of ours, in a sentence, and never a raw one."""

import errno
import inspect
import itertools
import operator
import os
import pickle
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import glassformer as gf
import glassformer.inside
import glassformer.text
from glassformer import _memory

SMALL = {"vocab": 8, "d_model": 8, "heads": 2, "layers": 1, "max_length": 8}
#: What may stand where anything else is expected.
WRONG = [
    *(None, True, False, 0, -1, 3, 2**31, 2**64, 10**400, 1.5, float("nan"), float("inf"), 1j),
    *("", "x", "weihgts", "\0", "\ud800", b"", b"abc", [], [[]], [1], [[1, 2], [3]], [None], ["a"]),
    *([[1.5]], [-1], [2**40], (), {}, {"a": 1}, set(), object(), print, int, np, range(3), Ellipsis),
    *(np.float32(1), np.int64(5), np.bool_(True), np.zeros(0), np.zeros((2, 0)), np.zeros((1,) * 5)),
    *(np.array(3), np.array([None]), np.zeros(2, complex), np.zeros(2, "U3"), np.array(["2020"], "M8")),
    *(np.ma.masked_array([1, 2], [0, 1]), Exception("x"), Path("/no/such/file")),
]
MATRIX = [[1.0, 2.0], [3.0, 4.0]]
#: Right arguments of ops by their names; all others are a matrix.
RIGHT = {
    **{"axis": 0, "factor": 2.0, "channels": 4, "dimensions": 2, "base": 10.0, "heads": 1, "split": True},
    **{"k": 1, "ids": [0, 1], "order": [1, 0], "offset": 0, "causal": True, "p": 0.5, "softcap": 1.0},
    **{"exponent": 2.0, "shape": [-1], "start": 0, "end": 1, "keep_dims": False},
    **{"positions": [0, 1], "gain": [1.0, 1.0], "bias": [0.0, 0.0], "targets": [0, 1], "key": [1, 2]},
    **{"weights": [1.0, 1.0], "rotation": [[[1.0, 0.0]], [[1.0, 0.0]]], "cap": 1.0},
}


def gpt():
    return gf.Model(kind="gpt", **SMALL)


def tape():
    made = gf.Tape()
    made.softmax(made.input("x", (2, 3)), name="y")
    return made


def planned():
    made = tape()
    made.plan()
    made.forward()
    return made


def arguments(function):
    """Right ones for an op."""
    parameters = inspect.signature(function).parameters.values()
    given = {
        one.name: RIGHT.get(one.name, MATRIX if one.default is one.empty else one.default)
        for one in parameters
    }
    others = {"alibi": {"x": [MATRIX]}, "heads": {"x": [MATRIX]}, "top_k": {"ids": False}}
    return {**given, **others.get(function.__name__, {})}


def calls():
    """Each function, made anew for each call, with right arguments by name."""
    yield from (
        (name, lambda function=function: function, arguments(function))
        for name, function in inspect.getmembers(gf.functional, inspect.isfunction)
        if name != "call"
    )
    options = {"heads": 1, "kv_heads": 1, "causal": False, "offset": 0, "softcap": 1.0, "scale": 1.0}
    arrays = {"q": [MATRIX], "k": [MATRIX], "v": [MATRIX], "mask": MATRIX}
    yield "attention", lambda: gf.attention, {**arrays, **options}
    yield from (
        (kind, lambda kind=kind: getattr(gf.Tape(), kind), {"name": "x", "shape": (2, 3)})
        for kind in ("input", "parameter", "ids")
    )
    zeros = np.zeros((2, 3), np.float32)
    yield "bind", lambda: tape().bind, {"leaf": "x", "values": zeros, "grad": zeros.copy()}
    yield "find", lambda: tape().find, {"name": "x"}
    yield "plan", lambda: tape().plan, {"reuse": True, "keep": ["y"]}
    yield "forward", lambda: planned().forward, {"first": "x", "last": "y"}
    yield "backward", lambda: planned().backward, {"target": "y", "gradient": zeros}
    yield "bypass", lambda: planned().bypass, {"node": "y", "k": 0}
    yield "freeze", lambda: planned().freeze, {"node": "y", "on": True}
    about = {"role": "input", "axes": ["batch", None], "sequences": [None], "layer": 0, "heads": 0}
    yield "describe", lambda: tape().describe, {"node": "x", **about}
    yield "set", lambda: planned()["x"].set, {"values": zeros}
    yield "Model", lambda: gf.Model, {"kind": "gpt", **SMALL, "bias": True, "kv_heads": 2, "remove": []}
    pair = {"target": [1, 2], "labels": [2, 3]}
    yield "model", gpt, {**pair, "target_mask": np.ones((2, 2), bool), "seed": 0, "remove": [], "steps": True}
    yield "generate", lambda: gpt().generate, {"source": [1], "max_new_tokens": 2, "stop_tokens": [2]}
    yield "search", lambda: gpt().search, {"source": [1], "max_new_tokens": 2, "beams": 2}
    training = {"steps": 1, "betas": [0.9, 0.98], "clip": 1.0, "validation": [pair], "validate_every": 1}
    yield "train", lambda: gf.train, {"model": gpt(), "batches": [pair], **training}
    yield "block", lambda: gpt().parameters["embedding.weight"].block, {"name": "values"}
    yield "open", lambda: gf.open, {"file": gpt().save(), "stored": False}
    yield "tokenizer", lambda: lambda path: gf.open(gpt().save(), tokenizer=path), {"path": None}
    yield "save", lambda: lambda training: gpt().save(training=training), {"training": True}
    yield "trace", lambda: gf.trace, {"example": "three-tokens", "remove": []}
    for name in ("three-tokens", "two-heads", "positions", "layer-norm", "schedule"):
        example = dict(gf.examples[name])
        yield name, lambda: lambda **given: gf.trace(given), example
        for part in {"inputs", "attention", "norm", "schedule"} & {*example}:
            yield (
                f"{name}.{part}",
                lambda example=example, part=part: lambda **given: gf.trace({**example, part: given}),
                dict(example[part]),
            )
    traced = gf.trace("three-tokens")
    yield "edit", lambda: traced.edit, {"name": "weights", "index": [0, 1], "value": 0.5}
    yield "gradient", lambda: traced.gradient, {"name": "weights", "index": [0, 1]}
    yield "exercise", lambda: gf.exercise, {"recipe": "scores", "seed": 1}
    problem = gf.exercise("scores")
    yield "mark", lambda: lambda answer: problem.mark({problem.asked[0]: answer}), {"answer": "1"}
    yield "quiz", lambda: lambda file: None if file is None else gf.quiz(file), {"file": None}
    yield "tape_of", lambda: gf.tape_of, {"what": gpt()(**pair), "tokens": ["a", "b"], "sequence": 0}


class WrongCallsTest(unittest.TestCase):
    def test_what_is_no_model_is_refused_wherever_a_model_is_expected(self):
        for name, more in {
            **{
                f"text.{one}": [["a"]]
                for one in ("embed", "classify", "classify_tokens", "chat_prompt", "chat")
            },
            **{
                "text.fill_mask": ["a"],
                "inside.ablate": [{}],
                "inside.run": [{}, {}],
                "inside.logit_lens": [{}],
            },
            **{"inside.attention_patterns": [{}], "train": [[]]},
        }.items():
            function = operator.attrgetter(name)(gf)
            for wrong in WRONG:
                with self.assertRaises(gf.ArgumentTypeError, msg=name) as caught:
                    list(function(wrong, *more))
                self.assertIn("expected a model, received", str(caught.exception))

    def test_what_a_call_is_wrong_in_is_said_by_an_error_of_ours(self):
        refused = 0
        for name, make, right in calls():
            list(itertools.islice(iter([make()(**right)]), 1))
            for key, wrong in itertools.product(right, WRONG):
                where = f"{name}: {key}: {wrong!r:.60}"
                try:
                    result = make()(**{**right, key: wrong})
                    if inspect.isgenerator(result):
                        list(result)
                except gf.GlassformerError as error:
                    refused += 1
                    said = str(error)
                    self.assertNotRegex(said, r"^$|\{\w+\}|object at 0x|undefined|NoneType", where)
                    self.assertLess(len(said), 1000, where)
                except BaseException as error:
                    raise AssertionError(f"{where}: {type(error).__name__}: {error}") from error
        self.assertGreater(refused, 5000)

    def test_files_that_cannot_be_opened_raise_what_python_raises_for_them(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / "model.safetensors").mkdir()
            (place / "file").write_text("text")
            cases = {
                FileNotFoundError: (place / "none.gguf", errno.ENOENT),
                IsADirectoryError: (place, errno.EISDIR),
                NotADirectoryError: (place / "file/model.gguf", errno.ENOTDIR),
            }
            for kind, (path, number) in cases.items():
                for call in (gf.open, gf.quiz):
                    with self.assertRaises(kind) as caught:
                        call(path)
                    error = caught.exception
                    self.assertIsInstance(error, gf.GlassformerError)
                    self.assertEqual((error.code, error.errno), ("GF_EFILE", number))
                    self.assertRegex(str(error), f"^{place}.* cannot be opened \\({os.strerror(number)}\\)$")
                    arrived = pickle.loads(pickle.dumps(error))
                    self.assertEqual((type(arrived), str(arrived)), (type(error), str(error)))
            denied = PermissionError(errno.EACCES, "Permission denied")
            with mock.patch.object(np, "memmap", side_effect=denied), self.assertRaises(PermissionError):
                gf.open(place / "file")
            for path in ("a\0b", "\ud800"):
                self.assertRaises(gf.ArgumentRangeError, gf.open, path)
                self.assertRaises(gf.ArgumentRangeError, gpt().save, path)

    def test_names_that_are_not_there_are_key_errors(self):
        run, traced = gpt()(target=[1]), gf.trace("three-tokens")
        for where, kind in ((run, "node"), (traced, "step"), (gpt().parameters, "parameter")):
            with self.assertRaisesRegex(KeyError, f'^no {kind} "wieght"') as caught:
                where["wieght"]
            self.assertIsInstance(caught.exception, gf.GlassformerError)
        with self.assertRaisesRegex(gf.ArgumentTypeError, r'parameters\["embedding.weight"\].data\[:\]'):
            gpt().parameters["embedding.weight"] = np.zeros((8, 8))

    def test_memory_that_is_not_there_is_refused_before_it_is_asked_for(self):
        most = 2**31 - 1
        drawn = {"shape": [10**5, 10**5], "uniform": {"seed": 1, "low": 0, "high": 1}}
        with mock.patch.object(_memory, "_available", return_value=10**9):
            for call in (
                lambda: gf.functional.position([0], channels=most - 1),
                lambda: gf.functional.relu(np.broadcast_to(np.float32(1), (2**40,))),
                lambda: gf.functional.embed(MATRIX, np.broadcast_to(0, (2**30,))),
                lambda: gf.Tape().input("x", (most, most)),
                lambda: gf.Model(kind="gpt", vocab=2**24, d_model=1024, heads=8, layers=1),
                lambda: gf.trace({"inputs": {"x": drawn}}),
            ):
                with self.assertRaises(MemoryError) as caught:
                    call()
                self.assertEqual(caught.exception.code, "GF_EMEMORY")
        with mock.patch.object(np, "empty", side_effect=MemoryError), self.assertRaises(gf.GlassformerError):
            gpt()

    def test_no_token_is_chosen_by_scores_that_are_no_numbers(self):
        model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=8)
        first = next(iter(model.parameters.values())).data
        ways = [{}, {"temperature": 1.0}, {"top_k": 2}, {"beams": 2}, {"remove": ["mask"]}]
        for value in (np.nan, np.inf, -np.inf):
            first[...] = value
            for options in ways:
                with self.subTest(value=value, **options):
                    with self.assertRaises(gf.ArgumentRangeError) as caught:
                        list(model.generate([1, 2], max_new_tokens=3, **options))
                    self.assertEqual(caught.exception.params["position"], 2)
            with self.assertRaisesRegex(gf.ArgumentRangeError, "no token can be chosen"):
                model.search([1, 2], beams=2)
        model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=8)
        model.parameters["decoder.norm.bias"].data[...] = 1e35
        with self.assertRaisesRegex(gf.ArgumentRangeError, "choose a temperature nearer to 1"):
            list(model.generate([1, 2], temperature=1e-6))

    def test_booleans_are_no_numbers_and_numbers_of_numpy_are_those_of_python(self):
        for call in (
            lambda: gf.functional.softmax([[True, False]]),
            lambda: gpt()(target=[True, False]),
            lambda: gf.functional.embed(MATRIX, [True]),
            lambda: gf.trace("three-tokens").edit("weights", [0, True], 1),
            lambda: gf.trace("three-tokens").edit("weights", [0, 1], True),
        ):
            self.assertRaises(gf.GlassformerError, call)
        sizes = {key: np.int64(value) for key, value in SMALL.items()}
        model = gf.Model(kind="gpt", bias=np.bool_(True), dropout=np.float32(0.5), **sizes)
        self.assertEqual(gf.open(model.save()).config, dict(model.config))

    def test_numbers_of_json_are_read_as_javascript_reads_them(self):
        data = gpt().save()

        def changed(before, after):
            self.assertIn(before, data)
            size = int.from_bytes(data[:8], "little") + len(after) - len(before)
            return size.to_bytes(8, "little") + data[8:].replace(before, after)

        whole = changed(rb"\"heads\":2,", rb"\"heads\":2.0,")
        self.assertIs(type(gf.open(whole).config["heads"]), int)
        with self.assertRaisesRegex(gf.GlassformerError, "^model: config: expected JSON .NaN"):
            gf.open(changed(rb"\"dropout\":0.1", rb"\"dropout\":NaN"))


if __name__ == "__main__":
    unittest.main()
