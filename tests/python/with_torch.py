"""Attention, layers, gradients, Adam and a training that goes on by DDP, against PyTorch."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

import glassformer as gf


class TorchTest(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(2)

    def test_attention(self):
        q, k, v = self.random.normal(size=(3, 2, 4, 7, 8)).astype(np.float32)
        for causal in (False, True):
            due = torch.nn.functional.scaled_dot_product_attention(
                *map(torch.from_numpy, (q, k, v)), is_causal=causal
            )
            got = gf.attention(q, k, v, causal=causal).output
            np.testing.assert_allclose(got, due.numpy(), atol=2e-6)

    def test_a_layer_with_its_gradients(self):
        x = self.random.normal(size=(5, 6)).astype(np.float32)
        labels = np.array([0, 3, 1, 2, -100])
        linear, norm = torch.nn.Linear(6, 6), torch.nn.LayerNorm(6)
        given = torch.from_numpy(x).requires_grad_()
        hidden = torch.nn.functional.gelu(linear(norm(given)))
        loss = torch.nn.functional.cross_entropy(hidden, torch.from_numpy(labels), label_smoothing=0.1)
        loss.backward()

        tape = gf.Tape()
        x_ = tape.input("x", x.shape)
        gain, bias = tape.parameter("gain", (6,)), tape.parameter("bias", (6,))
        w, b = tape.parameter("w", (6, 6)), tape.parameter("b", (6,))
        ids = tape.ids("labels", (5,))
        inner = tape.linear(tape.layer_norm(x_, gain, bias, name="norm"), w, b, name="inner")
        out = tape.cross_entropy(tape.gelu(inner, name="gelu"), ids, smoothing=0.1, name="loss")
        tape.plan()
        leaves = {gain: norm.weight, bias: norm.bias, b: linear.bias}
        for leaf, value in leaves.items():
            leaf.set(value.detach().numpy())
        w.set(linear.weight.detach().numpy().T)
        x_.set(x)
        ids.set(labels)
        tape.forward()
        tape.backward("loss")
        self.assertAlmostEqual(out.data[0], loss.item(), places=5)
        for leaf, value in {**leaves, x_: given}.items():
            np.testing.assert_allclose(leaf.grad, value.grad.numpy(), atol=1e-6)
        np.testing.assert_allclose(w.grad, linear.weight.grad.numpy().T, atol=1e-6)

    def test_adamw_with_clipping_takes_the_same_steps(self):
        options = {"kind": "gpt", "vocab": 8, "d_model": 8, "heads": 2, "layers": 1, "max_length": 8}
        model = gf.Model(**options, dropout=0, seed=4)
        batch = {"target": [[1, 2, 3, 4]], "labels": [[2, 3, 4, 5]]}
        twin = {name: torch.nn.Parameter(torch.tensor(p.data)) for name, p in model.parameters.items()}
        adam = torch.optim.AdamW(twin.values(), lr=0.01, weight_decay=0.1)
        for _ in range(5):
            run = model(**batch)
            run.backward()
            for name, parameter in model.parameters.items():
                twin[name].grad = torch.tensor(parameter.grad)
            torch.nn.utils.clip_grad_norm_(twin.values(), 0.5)
            adam.step()
            next(gf.train(model, [batch], optimizer="adamw", rate=0.01, weight_decay=0.1, clip=0.5))
            for name, parameter in model.parameters.items():
                due = twin[name].detach().numpy()
                np.testing.assert_allclose(parameter.data, due, atol=1e-5, err_msg=name)

    def test_two_processes_of_ddp_go_on_where_a_training_stopped_and_it_comes_back(self):
        script = Path(__file__).parents[2] / "docs/headless/ddp.py"
        rows = np.tile(self.random.integers(0, 16, (64, 5)), 3)
        rows[:, 1::2] = (rows[:, :-1:2] + 1) % 16

        def batches(first, count):
            for step in range(first, first + count):
                some = rows[np.arange(step * 13, (step + 1) * 13) % len(rows)]
                yield {"target": some[:, :-1], "labels": some[:, 1:]}

        def losses(model, first, count):
            return [step.loss for step in gf.train(model, batches(first, count), rate=0.003)]

        options = {"kind": "gpt", "vocab": 16, "d_model": 32, "heads": 4, "layers": 2, "max_length": 16}
        model = gf.Model(**options, dropout=0, seed=2)
        before = losses(model, 0, 20)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            model.save(folder / "model.safetensors", training=True)
            (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row.tolist())}\n" for row in rows))
            files = [folder / name for name in ("model.safetensors", "rows.jsonl", "out.safetensors")]
            # Of 13 rows one process has seven.
            command = [sys.executable, script, *files, "--steps", "15", "--batch", "13", "--rate", "0.003"]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            back = gf.open(folder / "out.safetensors")
        steps = [json.loads(line) for line in told.splitlines()]
        self.assertEqual([step["step"] for step in steps], list(range(21, 36)))
        due = [step["loss"] for step in steps]
        self.assertLess(np.mean(due), np.mean(before))
        # ddp.py begins with the first rows again.
        np.testing.assert_allclose(due, losses(model, 0, 15), atol=2e-5)
        self.assertEqual(back.step, 35)
        np.testing.assert_allclose(losses(back, 15, 5), losses(model, 15, 5), atol=2e-5)


if __name__ == "__main__":
    unittest.main()
