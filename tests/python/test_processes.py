"""What goes to another process, or is copied; threads; a training that Ctrl-C stops."""

import copy
import gc
import itertools
import multiprocessing
import operator
import pickle
import random
import signal
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

    def test_a_training_that_ctrl_c_stops_at_any_moment_goes_on_as_if_nothing_had_happened(self):
        def state(model):
            return [model._block(name).tobytes() for name in ("values", "m", "v")]

        batches, options = [BATCH] * 300, {"rate": 0.001}
        untouched, due = gpt(), {}
        for step in gf.train(untouched, batches, **options):
            due[step.step] = state(untouched)

        def interrupt(*_):
            raise KeyboardInterrupt

        draw, model, stopped = random.Random(1), gpt(), 0
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            while model.step < 250:
                try:
                    signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-4, 2e-3))
                    for _ in gf.train(model, batches[model.step :], **options):
                        pass
                except KeyboardInterrupt:
                    stopped += 1
                if model.step:
                    self.assertEqual(state(model), due[model.step], model.step)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(stopped, 20)

    def test_ids_that_a_thread_writes_while_others_run_end_no_process(self):
        tape = gf.Tape()
        ids, table = tape.ids("ids", (4000,)), tape.parameter("table", (16, 64))
        rows = tape.embed(table, ids, name="rows")
        tape.plan()
        at_work = threading.Event()
        view = ids.data

        def write():
            while not at_work.is_set():
                view[:] = 2**31 - 1
                view[:] = 3

        other = threading.Thread(target=write)
        other.start()
        told = []
        try:
            while len(told) < 200:
                try:
                    tape.forward()
                    told.append("")
                except gf.GlassformerError as error:
                    told.append(str(error))
        finally:
            at_work.set()
            other.join()
        view[:] = 3
        tape.forward()
        self.assertEqual(rows.data.shape, (4000, 64))
        for said in told:
            self.assertRegex(said, r"^$|^rows: embed: ids\[\d+\] is 2147483647; valid ids are 0 to 15$")

    def test_threads_build_and_run_one_tape_by_turns(self):
        tape = gf.Tape()
        x = tape.input("x", (4,))
        count, failed = itertools.count(), []

        def build():
            try:
                for _ in range(300):
                    tape.scale(x, factor=2, name=f"y{next(count)}")
            except Exception as error:
                failed.append(error)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=build) for _ in range(4)]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(failed, [])
        self.assertEqual([node.id for node in tape.nodes], list(range(1201)))
        tape.plan()
        x.set([1, 2, 3, 4])
        tape.forward()
        for node in tape.nodes[1:]:
            self.assertIs(tape.find(node.name), node)
            self.assertEqual(node.tolist(), [2, 4, 6, 8])

    def test_what_is_seen_of_the_memory_outlives_its_owners(self):
        def views():
            model = gpt()
            run = model(**BATCH)
            run.backward()
            weight = model.parameters["embedding.weight"]
            arrays = [weight.data, weight.grad, run.logits, run["logits"].grad, run["target"].data]
            return [*arrays, memoryview(run.logits)], [array.copy() for array in arrays], run["logits"]

        seen, due, node = views()
        gc.collect()
        # Where what was freed would be used again.
        kept = [np.full(size, np.nan, np.float32) for size in (64, 256, 1024, 4096) for _ in range(200)]
        for array, copied in zip(seen, [*due, due[2]], strict=True):
            np.testing.assert_array_equal(np.asarray(array), copied)
        self.assertEqual((node.role, node.data.shape), ("logit", (1, 3, 8)))
        self.assertEqual(len(kept), 800)
        # Whoever owns bound memory can neither move nor lose it.
        owner = bytearray(400)
        tape = gf.Tape()
        leaf = tape.input("x", (100,))
        tape.bind(leaf, np.frombuffer(owner, np.float32))
        self.assertRaises(BufferError, owner.extend, b"more")
        array = np.ones(100, np.float32)
        tape.bind(tape.input("y", (100,)), array)
        self.assertRaises(ValueError, array.resize, 10)
        self.assertRaises(TypeError, operator.setitem, gpt().stored, "x", 1)

    def test_memory_that_cannot_be_written_is_refused(self):
        fixed = np.zeros(3, np.float32)
        fixed.flags.writeable = False
        tape = gf.Tape()
        leaf = tape.input("x", (3,))
        with self.assertRaisesRegex(gf.ArgumentTypeError, "^bind: grad: .*that can be written"):
            tape.bind(leaf, fixed, fixed)
        tape.bind(leaf, fixed)
        y = tape.softmax(leaf, name="y")
        tape.plan()
        tape.forward()
        self.assertAlmostEqual(y.data[0], 1 / 3, places=6)
        with self.assertRaisesRegex(gf.GlassformerError, "^x.set: these numbers cannot be written"):
            leaf.set([1, 2, 3])

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
