"""What goes to another process, or is copied; threads; a training that Ctrl-C stops."""

import copy
import multiprocessing
import operator
import pickle
import sys
import threading
import unittest
from concurrent.futures import ProcessPoolExecutor
from unittest import mock

import numpy as np

import glassformer as gf

SMALL = {"vocab": 8, "d_model": 8, "heads": 2, "layers": 1, "max_length": 8, "seed": 3}
BATCH = {"target": [[1, 2, 3]], "labels": [[2, 3, 4]]}


class Named(np.ndarray):
    """Of a library on top of numpy."""


def gpt():
    return gf.Model(kind="gpt", **SMALL)


def losses(model, count):
    return [step.loss for step in gf.train(model, [BATCH] * count, rate=0.01)]


def refused(call):
    try:
        call()
    except gf.GlassformerError as error:
        return error
    raise AssertionError("it was taken")


class ProcessesTest(unittest.TestCase):
    def test_an_error_arrives_from_another_process_as_it_was_raised(self):
        tape = gf.Tape()
        x = tape.input("x", (2, 3))
        calls = (
            lambda: gf.Model(kind="gtp", vocab=8),
            lambda: gf.attention([[1, 2]], [[1, 2]], [[1, 2]], heads=3),
            lambda: tape.matmul(x, x, name="y"),
            lambda: gf.open(b"{}"),
            lambda: gf.open("/no/such/file.gguf"),
            lambda: gf.trace("three-tokens", remove=["mask"]),
        )
        for call in calls:
            error = refused(call)
            arrived = pickle.loads(pickle.dumps(error))
            told = [(type(e), str(e), e.code, e.detail, e.node) for e in (error, arrived)]
            self.assertEqual(*told)

    def test_a_pool_of_processes_takes_models_and_gives_results_and_errors(self):
        model = gpt()
        losses(model, 3)
        search = operator.methodcaller("search", [1], beams=2, max_new_tokens=3)
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            self.assertEqual(pool.submit(search, model).result(), search(model))
            with self.assertRaisesRegex(gf.ArgumentTypeError, "^attention: q: expected nested lists"):
                pool.submit(gf.attention, "q", "k", "v").result()
            # The pool goes on.
            weights = pool.submit(gf.attention, [[1.0]], [[1.0]], [[2.0]]).result().weights
        self.assertEqual(weights.tolist(), [[1.0]])

    def test_a_copy_of_a_model_goes_on_training_by_itself(self):
        model = gpt()
        losses(model, 3)
        copies = [copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
        due = losses(model, 4)
        for one in copies:
            self.assertEqual((one.step, dict(one.config)), (3, dict(model.config)))
            self.assertEqual(losses(one, 4), due)
            self.assertEqual(one._block("values").ctypes.data % 64, 0)
        before = losses(model, 1)
        copies[0].parameters["embedding.weight"].data[:] = 0
        self.assertEqual(losses(copies[1], 1), before)

    def test_a_tape_is_not_copied(self):
        trace, run = gf.trace("three-tokens"), gpt()(target=[1, 2])
        for thing in (trace, trace.tape, trace["weights"], run):
            for way in (pickle.dumps, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, "^a tape cannot be copied or pickled"):
                    way(thing)
        self.assertRaises(TypeError, copy.copy, trace.tape)

    def test_threads_that_come_at_once_share_the_gradients_of_a_model(self):
        model = gpt()
        module = sys.modules["glassformer.model"]
        make, found = module.floats, []

        def slow(size):
            """While one thread makes them, another one does."""
            with mock.patch.object(module, "floats", make):
                other = threading.Thread(target=lambda: found.append(model._block("gradients")))
                other.start()
                other.join()
            return make(size)

        with mock.patch.object(module, "floats", slow):
            found.append(model._block("gradients"))
        self.assertIs(*found)

    def test_a_training_that_ctrl_c_stops_goes_on_as_if_nothing_had_happened(self):
        model, due = gpt(), losses(gpt(), 6)
        module = sys.modules["glassformer.train"]
        take = module.lib.gf_adam_step

        def interrupted(*given):
            """Python raises what came during a call of C right behind it."""
            take(*given)
            raise KeyboardInterrupt

        found = losses(model, 2)
        with mock.patch.object(module.lib, "gf_adam_step", interrupted):
            self.assertRaises(KeyboardInterrupt, losses, model, 1)
        self.assertEqual(model.step, 3)
        self.assertEqual([*found, *losses(model, 3)], [*due[:2], *due[3:]])

    def test_arrays_that_the_core_cannot_read_as_they_lie_are_copied(self):
        x = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
        odd = np.zeros(x.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(x.shape)
        odd[:] = x
        self.assertFalse(odd.flags.aligned)
        wide = np.zeros((8, 12), np.float32)
        wide[::2, ::2] = x
        due = gf.functional.softmax(x)
        others = (odd, wide[::2, ::2], np.asfortranarray(x), x.astype(">f4"), x.astype(np.float64))
        for other in (*others, x.tolist(), x.view(Named)):
            np.testing.assert_array_equal(gf.functional.softmax(other), due)
        tape = gf.Tape()
        leaf = tape.input("x", x.shape)
        self.assertRaises(gf.ArgumentTypeError, tape.bind, leaf, odd)
        tape.bind(leaf, x.view(Named))
        tape.plan()
        self.assertEqual((type(leaf.data), leaf.data.shape), (np.ndarray, x.shape))
        self.assertTrue(np.shares_memory(leaf.data, x))


if __name__ == "__main__":
    unittest.main()
