"""Tapes and ops against float64 references; arrays without copies; what happens to wrong calls."""

import doctest
import gc
import inspect
import sys
import unittest

import numpy as np

import glassformer as gf


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attend(q, k, v, causal=False):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    return softmax(scores), softmax(scores) @ v


class TapeTest(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(1)

    def test_steps_of_two_take_a_number(self):
        tape = gf.Tape()
        x = tape.input("x", (1, 2))
        sums = [x + 1, 1 + x, x - 1, 1 - x]
        steps = [getattr(tape, op)(x, 2.5, name=op) for op in ("add", "sub", "mul", "div")]
        self.assertEqual(tape["add.b"].kind, "input")
        before = [node.name for node in tape.nodes]
        for wrong in (
            lambda: tape.div(x, 2, name="x"),
            lambda: tape.div(x, float("nan"), name="z"),
            lambda: tape.div(2, 2, name="z"),
        ):
            self.assertRaises(gf.GlassformerError, wrong)
        self.assertEqual([node.name for node in tape.nodes], before)
        tape.plan()
        x.data[...] = [[1, -1]]
        tape.forward()
        plain = [[2, 0], [2, 0], [0, -2], [0, 2], [3.5, 1.5], [-1.5, -3.5], [2.5, -2.5], [0.4, -0.4]]
        for step, due in zip([*sums, *steps], plain, strict=True):
            np.testing.assert_allclose(step.data, [due], rtol=1e-6)
        for step, op in zip(steps, ("add", "sub", "mul", "div"), strict=True):
            np.testing.assert_array_equal(getattr(gf.functional, op)([[1, -1]], 2.5), step.data)
        tape.backward(steps[-1], [[1, 1]])
        np.testing.assert_allclose(x.grad, [[0.4, 0.4]], rtol=1e-6)

    def test_operators_are_steps_with_gradients(self):
        tape = gf.Tape()
        x, y = tape.input("x", (2, 3)), tape.parameter("y", (2, 3))
        w = tape.parameter("w", (3, 2))
        made = (x + y * 2 - x * y / 4) @ w - (-x) @ w
        self.assertEqual((made.op, made.name), ("sub", f"sub.{made.id}"))
        shares = x**2 / (y**2 + x**2)
        tape.plan()
        rng = np.random.default_rng(3)
        arrays = [rng.normal(size=one.shape).astype(np.float32) for one in (x, y, w)]
        for leaf, array in zip((x, y, w), arrays, strict=True):
            leaf.set(array)
        tape.forward()
        a, b, c = (array.astype(np.float64) for array in arrays)
        np.testing.assert_allclose(made.data, (a + 2 * b - a * b / 4) @ c + a @ c, atol=1e-5)
        np.testing.assert_allclose(shares.data, a**2 / (a**2 + b**2), atol=1e-6)
        tape.backward(made, np.ones(made.shape))
        np.testing.assert_allclose(y.grad, (np.ones((2, 2)) @ c.T) * (2 - a / 4), atol=1e-5)
        other = gf.Tape().input("x", (2, 3))
        for wrong in (lambda: x @ 2, lambda: 1 / x, lambda: x * "a", lambda: x + "a", lambda: x + None):
            self.assertRaises(TypeError, wrong)
        for wrong in (lambda: x ** "a", lambda: x**x):
            self.assertRaises(TypeError, wrong)
        self.assertRaises(gf.ArgumentRangeError, lambda: x + other)

    def test_others_read_the_values_without_a_copy(self):
        tape = gf.Tape()
        y = tape.relu(tape.input("x", (2, 3)), name="y")
        tape.plan()
        tape["x"].set(np.arange(6).reshape(2, 3))
        tape.forward()
        view = np.from_dlpack(y)
        self.assertTrue(np.shares_memory(view, y.data))
        del tape, y
        gc.collect()
        np.testing.assert_array_equal(view, [[0, 1, 2], [3, 4, 5]])

    def test_softmax_goes_along_any_axis(self):
        x = np.random.default_rng(1).normal(size=(2, 3, 4))
        shares = np.exp(x)
        for axis in range(-3, 3):
            due = shares / shares.sum(axis, keepdims=True)
            np.testing.assert_allclose(gf.functional.softmax(x, axis), due, atol=1e-6)
            np.testing.assert_allclose(gf.functional.log_softmax(x, axis=axis), np.log(due), atol=1e-5)
        last = gf.functional.softmax(x)
        np.testing.assert_array_equal(last, gf.functional.softmax(x, axis=2))
        with self.assertRaisesRegex(gf.ArgumentRangeError, "^softmax: axis: .*-3 to 2"):
            gf.functional.softmax(x, 3)

    def test_a_cell_that_is_not_there_is_an_index_error(self):
        trace = gf.trace("three-tokens")
        with self.assertRaises(IndexError):
            trace.edit("q", [9, 9], 1)

    def test_attention_on_arrays_is_that_of_float64(self):
        q, k, v = self.random.normal(size=(3, 2, 5, 12))
        for causal in (False, True):
            got = gf.attention(q, k, v, heads=3, causal=causal)
            heads = [np.swapaxes(x.reshape(2, 5, 3, 4), 1, 2) for x in (q, k, v)]
            weights, mix = attend(*heads, causal)
            np.testing.assert_allclose(got.weights, weights, atol=1e-6)
            np.testing.assert_allclose(got.output, np.swapaxes(mix, 1, 2).reshape(2, 5, 12), atol=1e-6)

    def test_adam_has_the_numbers_of_float64_at_any_step_of_the_model(self):
        model = gf.Model(kind="gpt", vocab=8, d_model=4, heads=1, layers=1, max_length=4, seed=1)
        batch = {"target": [[1, 2]], "labels": [[2, 3]]}
        for step in (1, 20_000, 2**31 - 1):
            model.step = step - 1
            names = ("values", "m", "v")
            before = [model._block(name).astype(np.float64) for name in names]
            next(iter(gf.train(model, [batch], rate=0.5)))
            self.assertEqual(model.step, step)
            grad = model._block("gradients").astype(np.float64)
            b1, b2, rate, epsilon = (float(np.float32(x)) for x in (0.9, 0.999, 0.5, 1e-8))
            mean = b1 * before[1] + (1 - b1) * grad
            square = b2 * before[2] + (1 - b2) * grad**2
            move = (mean / (1 - b1**step)) / (np.sqrt(square / (1 - b2**step)) + epsilon)
            np.testing.assert_allclose(model._block("values"), before[0] - rate * move, atol=1e-5)

    def test_attention_has_the_shapes_of_what_it_is_given(self):
        q = self.random.normal(size=(5, 4))
        self.assertEqual([x.shape for x in gf.attention(q, q, q)], [(5, 4), (5, 5), (5, 5)])
        two = gf.attention(q, q, q, heads=2)
        self.assertEqual([x.shape for x in two], [(5, 4), (2, 5, 5), (2, 5, 5)])
        split = self.random.normal(size=(2, 4, 5, 3))
        few = self.random.normal(size=(2, 2, 6, 3))
        grouped = gf.attention(split, few, few)
        shapes = [(2, 4, 5, 3), (2, 4, 5, 6), (2, 4, 5, 6)]
        self.assertEqual([x.shape for x in grouped], shapes)
        np.testing.assert_allclose(grouped.output, attend(split, *[few.repeat(2, 1)] * 2)[1], atol=1e-6)

    def test_a_mask_hides_by_booleans_and_adds_by_floats(self):
        q = self.random.normal(size=(3, 4))
        keep = np.array([[1, 0, 1], [1, 1, 0], [1, 1, 1]], bool)
        hidden = gf.attention(q, q, q, mask=keep).weights
        added = gf.attention(q, q, q, mask=np.where(keep, 0, -np.inf)).weights
        self.assertTrue((hidden[~keep] == 0).all())
        np.testing.assert_array_equal(hidden, added)

    def test_every_function_on_arrays_is_a_row_of_the_op_table(self):
        x = self.random.normal(size=(4, 6))
        np.testing.assert_allclose(gf.functional.softmax(x), softmax(x), atol=1e-6)
        norm = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(gf.functional.layer_norm(x), norm, atol=1e-5)
        np.testing.assert_allclose(gf.functional.matmul(x, x, transposed=True), x @ x.T, atol=1e-5)
        self.assertIn("Vaswani", gf.Tape.matmul.__doc__)

    def test_gradients_are_those_of_central_differences(self):
        x, w = self.random.normal(size=(2, 3, 3))
        tape = gf.Tape()
        x_, w_ = tape.input("x", (3, 3)), tape.parameter("w", (3, 3))
        y = tape.softmax(tape.linear(x_, w_, name="y"), name="p")
        tape.plan()
        x_.set(x)
        w_.set(w)
        tape.forward()
        seed = self.random.normal(size=(3, 3))
        tape.backward(y, seed)
        for i in range(3):
            for j in range(3):
                step = np.zeros((3, 3))
                step[i, j] = 1e-5
                slope = (softmax(x @ (w + step)) - softmax(x @ (w - step))) / 2e-5
                self.assertAlmostEqual(w_.grad[i, j], (slope * seed).sum(), places=5)

    def test_data_is_the_memory_of_the_core_and_outlives_the_tape(self):
        tape = gf.Tape()
        x = tape.input("x", (2, 3))
        y = tape.relu(x, name="y")
        tape.plan()
        x.data[:] = [[-1, 2, 3], [4, -5, 6]]
        tape.forward()
        view = y.data
        self.assertTrue(np.shares_memory(view, y.data))
        del tape, x, y
        gc.collect()
        np.testing.assert_array_equal(view, [[0, 2, 3], [4, 0, 6]])

    def test_a_bound_array_is_not_copied_and_gets_its_gradient(self):
        values, grad = np.ones((2, 2), np.float32), np.ones((2, 2), np.float32)
        tape = gf.Tape()
        leaf = tape.parameter("w", (2, 2))
        tape.bind(leaf, values, grad)
        y = tape.scale(leaf, factor=3, name="y")
        tape.plan()
        values[0, 0] = 5
        tape.forward()
        self.assertTrue(np.shares_memory(leaf.data, values))
        self.assertEqual(y.data[0, 0], 15)
        tape.backward(y, np.ones((2, 2)))
        np.testing.assert_array_equal(grad, np.full((2, 2), 3))
        for wrong in (np.ones((2, 2)), np.ones((2, 2), np.float32).T[:1], [[1, 2], [3, 4]]):
            other = gf.Tape()
            with self.assertRaises(gf.GlassformerError):
                other.bind(other.input("x", (2, 2)), wrong)
        other = gf.Tape()
        one = other.input("x", (2, 2))
        with self.assertRaisesRegex(gf.ArgumentTypeError, "contiguous array of float32"):
            other.bind(one, np.ma.masked_array(values, values > 2))
        with self.assertRaisesRegex(gf.ArgumentRangeError, 'bind: r: expected one of "input".*received "op"'):
            other.bind(other.relu(one, name="r"), values)
        other.plan()
        with self.assertRaisesRegex(gf.GlassformerError, "^x: bind: the tape is planned already$"):
            other.bind(one, values)

    def test_a_node_says_what_it_is(self):
        tape = gf.Tape()
        x = tape.input("x", (2, 3, 4))
        w = tape.parameter("w", (4, 4))
        tape.describe(x, role="input", axes=["batch", "token", "channel"])
        tape.describe(w, role="query", parameter="weight", axes=["channel", "channel"], heads=2)
        q = tape.linear(x, w, name="q")
        self.assertEqual((q.role, q.axes, q.heads), ("query", ("batch", "token", "channel"), 2))
        self.assertEqual([node.name for node in q.inputs if node], ["x", "w"])
        self.assertEqual(q.formula, "y = x w + b")

    def test_experiments_bypass_and_freeze(self):
        tape = gf.Tape()
        x = tape.input("x", (1, 3))
        scaled = tape.scale(x, factor=2, name="scaled")
        y = tape.softmax(scaled, name="y")
        tape.plan()
        x.set([[1, 2, 3]])
        tape.bypass("scaled")
        tape.forward()
        self.assertEqual((scaled.data.tolist(), scaled.bypassed), ([[1, 2, 3]], 0))
        tape.bypass("scaled", None)
        tape.freeze(y)
        y.set([[1, 0, 0]])
        tape.forward()
        self.assertEqual((scaled.data.tolist(), y.data.tolist()), ([[2, 4, 6]], [[1, 0, 0]]))

    def test_a_refused_call_changes_nothing(self):
        tape = gf.Tape()
        x = tape.input("x", (2, 3))
        for wrong in (
            lambda: tape.matmul(x, x, name="y"),
            lambda: tape.input("x", (2, 3)),
            lambda: tape.layer_norm(x, name="y", epsilon=-1),
            lambda: tape.softmax(gf.Tape().input("x", (1, 1)), name="y"),
            lambda: tape.softmax("x", name="y"),
        ):
            self.assertRaises(gf.GlassformerError, wrong)
        self.assertEqual([node.name for node in tape.nodes], ["x"])
        y = tape.softmax(x, name="y")
        tape.plan()
        self.assertRaises(gf.ArgumentRangeError, lambda: x.set([[1, 2], [3, 4]]))
        self.assertRaises(gf.GlassformerError, lambda: y.data)
        tape.forward()
        np.testing.assert_allclose(y.data, 1 / 3, atol=1e-7)

    def test_python_asks_for_its_own_kinds_of_errors(self):
        self.assertRaises(TypeError, gf.Tape().input, "x", "shape")
        self.assertRaises(ValueError, gf.Model, kind="gtp", vocab=3)
        ids = gf.Tape().ids("i", (2,))
        ids.tape.plan()
        for wrong in ([1.5, 2], [2**31, 0], [float("nan"), 0]):
            self.assertRaises(ValueError, ids.set, wrong)
        with self.assertRaisesRegex(ValueError, r"^i.set at \[1\]: .*, received 1.5$"):
            ids.set([1, 1.5])

    def test_all_that_is_public_says_what_it_is_and_its_examples_run(self):
        undocumented = []
        for name in gf.__all__:
            thing = getattr(gf, name)
            members = vars(thing) if inspect.isclass(thing) else {}
            told = {name: thing, **{f"{name}.{key}": one for key, one in members.items() if key[0] != "_"}}
            for path, one in told.items():
                asked = one.fget if isinstance(one, property) else one
                if callable(asked) and not (asked.__doc__ or "").strip():
                    undocumented.append(path)
        self.assertEqual(undocumented, [])
        functions = dict(inspect.getmembers(gf.functional, inspect.isfunction))
        del functions["call"]
        self.assertGreater(len(functions), 25)
        for name, function in functions.items():
            self.assertRegex(function.__doc__, r"\[.*\]", name)
        tried = 0
        for module in (gf._eager, gf.tape, gf.exercises, sys.modules["glassformer.trace"]):
            found = doctest.testmod(module)
            self.assertEqual(found.failed, 0, module.__name__)
            tried += found.attempted
        self.assertGreater(tried, 8)

    def test_steps_are_found_by_name_as_in_a_dict_and_by_the_tab_key(self):
        trace = gf.trace("three-tokens")
        names = [step.name for step in trace.steps]
        run = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=4)(target=[1])
        for one in (trace, trace.tape):
            self.assertEqual((list(one), one._ipython_key_completions_()), (names, names))
            self.assertIn("weights", one)
            self.assertNotIn("wieghts", one)
        self.assertEqual([run[name].name for name in run], [node.name for node in run.tape.nodes])
        self.assertIn("logits", run)
        self.assertEqual(set(dir(gf)), {*gf.__all__, "__version__"})

    def test_help_and_signatures_tell_the_options_with_their_ranges_and_what_is_left_out(self):
        model = gf.Model.__init__.__doc__
        self.assertRegex(model, r"(?m)^    heads +int 1 to \d+ \[8; gpt: 12; bert: 12\]$")
        self.assertRegex(model, r"(?m)^    dropout +float 0 to below 1 \[0.1\]$")
        self.assertRegex(gf.train.__doc__, r"(?m)^    weight_decay +float 0 to 1 \[0; adamw: 0.01\]$")
        self.assertRegex(gf.train.__doc__, r"(?m)^    optimizer +'adam' \| 'adamw' \['adam'\]$")
        known = {
            gf.Model: {"kind", "d_model", "remove"},
            gf.train: {"model", "batches", "steps", "rate"},
            gf.Model.forward: {"source", "target", "labels", "steps"},
            gf.Model.generate: {"source", "top_k", "stop_tokens"},
            gf.Tape.multi_head_attention: {"path", "query", "w_q", "causal"},
            gf.show: {"what", "tokens", "lock", "target"},
        }
        for function, names in known.items():
            parameters = inspect.signature(function).parameters
            self.assertLessEqual(names, {*parameters})
            kinds = {parameters[name].kind.name for name in parameters}
            self.assertNotIn("VAR_KEYWORD", kinds, function)
        # Each is taken: a wrong one is refused for what it is.
        for name in [*inspect.signature(gf.Model).parameters][2:]:
            with self.assertRaisesRegex(gf.GlassformerError, f"^model: {name}"):
                gf.Model(kind="gpt", vocab=8, **{name: object()})

    def test_many_nodes_find_room(self):
        tape = gf.Tape()
        x = first = tape.input("x", (2,))
        for i in range(1000):
            x = tape.scale(x, factor=1, name=f"y{i}")
        tape.plan()
        first.set([1, 2])
        tape.forward()
        self.assertEqual(x.tolist(), [1, 2])

    def test_things_show_themselves_and_errors_name_the_types_of_python(self):
        model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=4)
        self.assertEqual(repr(model), f"<Model: gpt, {model.size:,} parameters>")
        run = model(target=[1])
        self.assertEqual(repr(run), f"<Run: {len(run.tape.nodes)} steps>")
        trace = gf.trace("three-tokens")
        self.assertEqual(repr(trace), f"<Trace: {len(trace.steps)} steps of three-tokens>")
        self.assertEqual(repr(gf.Tape()), "<Tape: 0 nodes>")
        wrong = {
            "expected nested lists of numbers, or an array": lambda: gf.functional.softmax([[1, 2], [3]]),
            "a path, or the bytes of a file, received 3": lambda: gf.open(3),
            "expected a dict": lambda: next(gf.train(model, [3])),
            "received a value of type set": lambda: model(target={1, 2}),
            "^attention: v: expected nested lists": lambda: gf.attention([[1]], [[1]], None),
            "^attention: mask: expected nested lists": lambda: gf.attention([[1]], [[1]], [[1]], mask="no"),
            "^matmul: b: expected nested lists": lambda: gf.functional.matmul([[1]], None),
            "True or False, received 1": lambda: gf.attention([[1]], [[1]], [[1]], causal=1),
            "expected a batch": lambda: gf.attention([[1]], [[1]], [[1]], lengths=[1]),
            "answers: expected a dict": lambda: gf.exercise("scores").mark(["5"]),
        }
        for sentence, call in wrong.items():
            with self.assertRaisesRegex(gf.ArgumentTypeError, sentence):
                call()


if __name__ == "__main__":
    unittest.main()
