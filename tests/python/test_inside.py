"""Experiments on a running model give the numbers of JavaScript's glassformer/inside."""

import json
import os
import unittest
from pathlib import Path

import numpy as np

import glassformer as gf
from glassformer import inside

NODE = json.loads((Path(os.environ["GLASSFORMER_NODE"]) / "node.json").read_text())["inside"]
INPUTS = {"target": [1, 5, 3, 7]}


def small(**options):
    sizes = {"vocab": 12, "d_model": 16, "heads": 2, "layers": 2, "max_length": 12}
    return gf.Model(kind="gpt", **sizes, **options)


class InsideTest(unittest.TestCase):
    def called(self, call):
        """Each case of a function: what Python gives, and what Node gave."""
        cases = [one for one in NODE if one["call"] == call]
        self.assertGreater(len(cases), 2)
        for due in cases:
            options = {**due["options"]}
            if "from" in options:
                options["source"] = options.pop("from")
            model = gf.open(due["file"])
            with self.subTest(due["file"], call=call, **due["options"]):
                yield getattr(inside, call)(model, due["inputs"], **options), due["found"]

    def check_grid(self, mine, theirs):
        self.assertEqual(mine is None, theirs is None)
        if mine:
            self.assertEqual([name for name, _ in mine.axes], [one["name"] for one in theirs["axes"]])
            self.assertEqual([labels for _, labels in mine.axes], [one["labels"] for one in theirs["axes"]])
            self.assertEqual((mine.values, mine.unit), (theirs["values"], theirs["unit"]))

    def test_places_are_removed_as_in_node(self):
        for mine, theirs in self.called("ablate"):
            self.assertEqual((mine.before, mine.after), (theirs["before"], theirs["after"]))
            self.assertEqual(vars(mine.metric), theirs["metric"])
            self.assertEqual({"nothing": mine.nothing}, theirs["check"])
            self.check_grid(mine.grid, theirs["grid"])

    def test_runs_are_patched_as_in_node(self):
        for mine, theirs in self.called("patch"):
            told = (mine.before, mine.after, mine.other)
            self.assertEqual(told, (theirs["before"], theirs["after"], theirs["other"]))
            self.assertEqual({"nothing": mine.nothing, "everything": mine.everything}, theirs["check"])
            self.check_grid(mine.grid, theirs["grid"])

    def test_each_state_says_what_it_says_in_node(self):
        for mine, theirs in self.called("logit_lens"):
            self.assertEqual(mine.position, theirs["position"])
            self.assertEqual({"lastIsLogits": mine.last_is_logits}, theirs["check"])
            for row, due in zip(mine.rows, theirs["rows"], strict=True):
                about = (row.name, row.stack, row.layer, row.part, row.best)
                self.assertEqual(about, tuple(due[key] for key in ("name", "stack", "layer", "part", "best")))
                np.testing.assert_array_equal(row.logits, np.array(due["logits"], np.float32))
                self.assertEqual(row.top, [(one["token"], one["probability"]) for one in due["top"]])
            self.check_grid(mine.grid, theirs["grid"])

    def test_attention_patterns_are_the_weights_of_a_run(self):
        for mine, theirs in self.called("attention_patterns"):
            for one, due in zip(mine, theirs, strict=True):
                data = np.array(due["data"], np.float32).reshape(due["shape"])
                np.testing.assert_array_equal(one.weights, data)
                np.testing.assert_allclose(one.weights.sum(-1), 1, atol=1e-6)

    def test_later_steps_read_what_a_change_wrote(self):
        model = small()
        name, seen = "decoder.layers.0.self_attn.mix", []

        def without_head(mix):
            seen.append(mix.shape)
            mix[:, 1] = 0

        run = inside.run(model, INPUTS, {name: without_head})
        self.assertEqual(seen, [(1, 2, 4, 8)])
        self.assertFalse(run[name].data[:, 1].any())
        due = inside.ablate(model, INPUTS, at=[{"layer": 0, "head": 1}])
        self.assertEqual(float(run.logits[0, -1, due.metric.token]), due.after)
        self.assertNotEqual(due.before, due.after)
        same = inside.run(model, INPUTS, {name: lambda mix: None})
        np.testing.assert_array_equal(same.logits, model(**INPUTS).logits)

    def test_what_is_no_experiment_is_refused(self):
        model = small()
        refused = {
            "eachOrAt": lambda: inside.ablate(model, INPUTS),
            "oneSequence": lambda: inside.ablate(model, {"target": [[1], [2]]}, each="head"),
            "noPartAt": lambda: inside.ablate(model, INPUTS, at=[{"layer": 7, "head": 0}]),
            "onePlace": lambda: inside.ablate(model, INPUTS, at=[{"layer": 0, "head": 0, "neuron": 1}]),
            "newValue": lambda: inside.ablate(model, INPUTS, each="head", value="one"),
            "emptySet": lambda: inside.ablate(model, INPUTS, each="head", value={"mean": []}),
            "tokensOf": lambda: inside.patch(model, INPUTS, source={"target": [1]}, each="head"),
            "computedNode": lambda: inside.run(model, INPUTS, {"target": lambda ids: None}),
            "noNode": lambda: inside.run(model, INPUTS, {"decoder.layers.0.mix": lambda mix: None}),
            "noLogits": lambda: inside.logit_lens(
                gf.Model(kind="bert", vocab=12, d_model=16, heads=2, layers=1, head="none"), INPUTS
            ),
        }
        for detail, call in refused.items():
            with self.subTest(detail), self.assertRaises(gf.GlassformerError) as caught:
                call()
            self.assertEqual(caught.exception.detail, detail)
