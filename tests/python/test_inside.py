"""Experiments on a running model give the numbers of JavaScript's glassformer/inside."""

import json
import math
import os
import re
import unittest
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np

import glassformer as gf
from glassformer import inside
from glassformer._bench import Bench

NODE = json.loads((Path(os.environ["GLASSFORMER_NODE"]) / "node.json").read_text())["inside"]
#: What JavaScript tells besides: the name of the experiment, and how many steps it computed.
ONLY_NODE = {"experiment", "computed"}


def snake(name):
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


def camel(name):
    return re.sub("_(.)", lambda match: match[1].upper(), name)


def plain(value):
    """As JSON has it: names as JavaScript spells them, checks in a dict of their own, NaN as null."""
    if isinstance(value, inside.Grid):
        axes = [{"name": name, "labels": labels} for name, labels in value.axes]
        return {"axes": axes, "values": value.values, "unit": value.unit}
    if is_dataclass(value):
        return {camel(one.name): plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, dict):
        return {key if " " in str(key) else camel(str(key)): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def without_empty(value):
    """Without what is null, which JavaScript leaves out in places."""
    if isinstance(value, dict):
        kept = {key: without_empty(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if one is not None}
    return [without_empty(one) for one in value] if isinstance(value, list) else value


def flat(told):
    """What Node gave, with its checks beside the rest."""
    rest = {key: value for key, value in told.items() if key not in ONLY_NODE}
    return rest.pop("check", {}) | rest


INPUTS = {"target": [1, 5, 3, 7]}


def small(**options):
    sizes = {"vocab": 12, "d_model": 16, "heads": 2, "layers": 2, "max_length": 12}
    return gf.Model(kind="gpt", **sizes, **options)


class InsideTest(unittest.TestCase):
    def called(self, call):
        """Each case of a function: what Python gives, and what Node gave."""
        cases = [one for one in NODE["cases"] if one["call"] == camel(call)]
        self.assertGreater(len(cases), 1)
        for due in cases:
            options = {snake(key): value for key, value in due["options"].items()}
            if "from" in options:
                options["source"] = options.pop("from")
            model = gf.open(due["file"])
            with self.subTest(due["file"], call=call, **due["options"]):
                positional = due["arguments"] if "arguments" in due else [due["inputs"]]
                yield getattr(inside, call)(model, *positional, **options), due["found"]

    def check_grid(self, mine, theirs):
        self.assertEqual(mine is None, theirs is None)
        if mine:
            self.assertEqual([name for name, _ in mine.axes], [one["name"] for one in theirs["axes"]])
            self.assertEqual([labels for _, labels in mine.axes], [one["labels"] for one in theirs["axes"]])
            self.assertEqual((mine.values, mine.unit), (theirs["values"], theirs["unit"]))

    def test_each_function_of_node_has_its_name_here(self):
        self.assertEqual({snake(name) for name in NODE["names"]} - set(inside.__all__), set())

    def test_experiments_give_what_they_give_in_node(self):
        names = "attribution_patch paths logit_attribution why head_scores symmetry rollout circuits contexts"
        for call in [*names.split(), "probe", "label_shares", "head_roles", "neighbours"]:
            for mine, theirs in self.called(call):
                due = flat(theirs)
                if call == "neighbours":
                    due["neighbours"] = [[one["token"], one["cosine"]] for one in due["neighbours"]]
                self.assertEqual(without_empty(plain(mine)), without_empty(due))

    def test_a_model_works_without_a_head_as_in_node(self):
        for due in [one for one in NODE["cases"] if one["call"] == "withoutHead"]:
            model = gf.open(due["file"])
            weights = {name: one.data.copy() for name, one in model.parameters.items()}
            prompt = [3, 4] if model.config["kind"] == "transformer" else [1, 5]
            work = partial(list, model.generate(prompt, max_new_tokens=5))
            written = inside.without_head(model, due["options"], work)
            self.assertEqual(written, due["found"])
            for name, one in model.parameters.items():
                np.testing.assert_array_equal(one.data, weights[name])

    def test_information_and_recurrence_are_as_in_node(self):
        for row, due in NODE["information"]:
            # The logarithm is the system's: its last digit may be another one.
            np.testing.assert_allclose(inside.information(row), due, rtol=1e-14)
        for due in NODE["networks"]:
            network = inside.recurrence(**due["options"])
            steps = [[camel(key) for key in one._asdict()] for one in network.steps]
            self.assertEqual(steps, [list(one) for one in due["steps"]])
            self.assertEqual(
                [[row.tolist() for row in one] for one in network.steps],
                [list(one.values()) for one in due["steps"]],
            )
            reached = [plain(network.reach(t)) for t in (1, len(network.steps))]
            self.assertEqual(reached, due["reached"])

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

    def test_no_place_changes_nothing(self):
        model = small()
        alone = inside.ablate(model, INPUTS, at=[])
        self.assertEqual((alone.after, alone.nothing), (alone.before, True))
        due = inside.logit_attribution(model, INPUTS)
        self.assertEqual(inside.logit_attribution(model, INPUTS, at=[]), due)
        options = {"source": {"target": [1, 2, 3, 9]}, "each": "head", "layers": []}
        error = inside.attribution_patch(model, INPUTS, **options, compare=True).error
        self.assertEqual(error["largest"], 0)
        self.assertTrue(math.isnan(error["mean"]))

    def test_a_mean_runs_the_model_once_for_each_of_its_inputs(self):
        runs = [{"target": [3, 4]}, {"target": [5]}]
        with mock.patch.object(Bench, "_run", autospec=True, side_effect=Bench._run) as run:
            each = inside.ablate(small(), INPUTS, each="head", value={"mean": runs})
        places = sum(map(len, each.grid.values))
        self.assertEqual(run.call_count, 2 + len(runs) + places)

    def test_no_check_passes_over_a_number_that_is_none(self):
        model = small()
        model.parameters["decoder.layers.0.self_attn.q_proj.weight"].data[...] = np.nan
        made = inside.rollout(model, INPUTS, flow=True)
        self.assertTrue(math.isnan(made.row_sums) and math.isnan(made.cut))
        made = inside.circuits(model, layer=0, head=0)
        self.assertTrue(math.isnan(made.difference) and math.isnan(made.bound))

    def test_rows_of_zeros_are_the_last_neighbours(self):
        model = small()
        model.parameters["embedding.weight"].data[[0, 5, 9]] = 0
        found = inside.neighbours(model, token=3, top=11).neighbours
        near = [cosine for _, cosine in found[:8]]
        self.assertEqual(near, sorted(near, reverse=True))
        self.assertEqual([token for token, _ in found[8:]], [0, 5, 9])

    def test_labels_may_be_numbers_of_numpy(self):
        examples = [{"inputs": INPUTS, "label": np.int64(i % 2), "position": i} for i in range(4)]
        options = {"nodes": ["decoder.embedding"]}
        shares = inside.label_shares(small(), examples, **options, seed=np.int64(3))
        self.assertEqual(shares.labels, [0, 1])
        self.assertEqual(shares.shares, inside.label_shares(small(), examples, **options, seed=3).shares)

    def test_nobody_attends_to_links_without_keys(self):
        texts = [{"inputs": INPUTS, "links": [{"relation": "none", "query": 1, "keys": []}]}]
        made = inside.head_roles(small(), texts, levels={"none": ["none"]})
        self.assertEqual(made.verdicts["order"]["depth"], {"none": None})

    def test_what_is_no_experiment_is_refused(self):
        model = small()
        refused = {
            "integerFrom": lambda: inside.paths(
                model,
                INPUTS,
                source=INPUTS,
                receivers=[{"layer": 0, "head": np.zeros(2), "input": "query"}],
            ),
            "eachOrAt": lambda: inside.ablate(model, INPUTS),
            "oneSequence": lambda: inside.ablate(model, {"target": [[1], [2]]}, each="head"),
            "noPartAt": lambda: inside.ablate(model, INPUTS, at=[{"layer": 7, "head": 0}]),
            "onePlace": lambda: inside.ablate(model, INPUTS, at=[{"layer": 0, "head": 0, "neuron": 1}]),
            "newValue": lambda: inside.ablate(model, INPUTS, each="head", value=np.zeros(2)),
            "emptySet": lambda: inside.ablate(model, INPUTS, each="head", value={"mean": []}),
            "tokensOf": lambda: inside.patch(model, INPUTS, source={"target": [1]}, each="head"),
            "noPartNamed": lambda: inside.logit_attribution(model, INPUTS, products="head"),
            "sendersOrReceivers": lambda: inside.paths(model, INPUTS, source=INPUTS),
            "noReceivers": lambda: inside.paths(model, INPUTS, source=INPUTS, receivers=[]),
            "receiver": lambda: inside.paths(model, INPUTS, source=INPUTS, receivers=["head"]),
            "logitsAlone": lambda: inside.paths(
                model, INPUTS, source=INPUTS, receivers=["logits", {"layer": 0}]
            ),
            "tokenCount": lambda: inside.circuits(model, layer=0, head=0, tokens=[]),
            "fewExamples": lambda: inside.probe(model, [], node="decoder.embedding"),
            "noNodes": lambda: inside.label_shares(model, [], nodes=[]),
            "nodeTwice": lambda: inside.label_shares(model, [], nodes=["logits"] * 2),
            "label": lambda: inside.probe(model, [{"inputs": INPUTS}] * 4, node="decoder.embedding"),
            "classCount": lambda: inside.label_shares(
                model, [{"inputs": INPUTS, "label": 1}] * 4, nodes=["decoder.embedding"]
            ),
            "vectorsOfTokens": lambda: inside.label_shares(
                model, [{"inputs": INPUTS, "label": 1}] * 4, nodes=["decoder.layers.0.self_attn.weights"]
            ),
            "vectorNode": lambda: inside.probe(
                model, [{"inputs": INPUTS, "label": 1}] * 4, node="decoder.layers.0.self_attn.weights"
            ),
            "numberFrom": lambda: inside.recurrence(gain=5),
            "options": lambda: inside.head_roles(model, [{"inputs": INPUTS, "links": []}], levels=["back"]),
            "inPlace": lambda: inside.run(model, INPUTS, {"logits": lambda logits: 2 * logits}),
            "aboveZeroTo": lambda: inside.information([1], noise=0),
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
