"""Continues the training of a GPT in PyTorch, on several processes or machines (DDP), and brings it back.

    python3 docs/headless/ddp.py MODEL.safetensors ROWS.jsonl OUT.safetensors --steps 100 --processes 2

MODEL is what model.save(path, training=True) wrote, or in JavaScript model.save({ training: true }): with
Adam's moments, so that PyTorch goes on where Glassformer stopped. ROWS has a list of ids per line, all of
one length; a step takes the next --batch of them, shared out among the processes. OUT opens in Glassformer
again, to go on there. Each line that is printed is a step with its loss. On several machines start it by
torchrun in place of python3. Dropout is left out; the models are those of gf.Model(kind="gpt", ...) with
learned positions.
"""

import argparse
import json
import os
import socket
from pathlib import Path

import glassformer as gf
import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

#: What the model below is, in words of gf.Model.
KIND = {"kind": "gpt", "positions": "learned", "norm": "layer", "pre_norm": True, "final_norm": True}
KIND |= {"activation": "gelu-tanh", "tied": True, "embedding_norm": False, "scale_embedding": False}
#: Fields of any value.
FREE = {"vocab", "max_length", "d_model", "heads", "kv_heads", "d_ff", "layers", "dropout", "epsilon", "seed"}


class Twin(torch.nn.Module):
    """The same model in PyTorch, with the same names; weights are [in, out]."""

    def __init__(self, model: gf.Model) -> None:
        super().__init__()
        plain = gf.Model(**KIND, vocab=1, d_model=1, heads=1, layers=1).config
        for name, value in plain.items():
            if name not in FREE and model.config[name] != value:
                raise SystemExit(f"{name}: expected {value!r}, received {model.config[name]!r}")
        if model.config["kv_heads"] != model.config["heads"]:
            raise SystemExit("kv_heads: expected as many as heads")
        self.config = model.config
        self.own = torch.nn.ParameterDict(
            {name.replace(".", "/"): torch.tensor(one.data) for name, one in model.parameters.items()}
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Logits [B,T,V] of ids [B,T]."""
        table = self._of("embedding.weight")
        x = F.embedding(ids, table) + self._of("decoder.position_embedding.weight")[: ids.shape[1]]
        for layer in range(self.config["layers"]):
            path = f"decoder.layers.{layer}"
            x = x + self._attention(self._norm(x, f"{path}.norm1"), f"{path}.self_attn")
            hidden = self._linear(self._norm(x, f"{path}.norm2"), f"{path}.linear1")
            x = x + self._linear(F.gelu(hidden, approximate="tanh"), f"{path}.linear2")
        return self._norm(x, "decoder.norm") @ table.T

    def _of(self, name: str) -> torch.Tensor:
        return self.own[name.replace(".", "/")]

    def _linear(self, x: torch.Tensor, path: str) -> torch.Tensor:
        return x @ self._of(f"{path}.weight") + self._of(f"{path}.bias")

    def _norm(self, x: torch.Tensor, path: str) -> torch.Tensor:
        gain, bias = self._of(f"{path}.weight"), self._of(f"{path}.bias")
        return F.layer_norm(x, x.shape[-1:], gain, bias, self.config["epsilon"])

    def _attention(self, x: torch.Tensor, path: str) -> torch.Tensor:
        size, length, width = x.shape
        heads = self.config["heads"]
        q, k, v = (
            self._linear(x, f"{path}.{name}_proj").view(size, length, heads, -1).transpose(1, 2)
            for name in "qkv"
        )
        mix = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self._linear(mix.transpose(1, 2).reshape(size, length, width), f"{path}.out_proj")


def adam_of(twin: Twin, model: gf.Model, rate: float) -> torch.optim.Adam:
    """Adam that has taken as many steps as the model, with its moments."""
    adam = torch.optim.Adam(twin.parameters(), lr=rate)
    if model.step:
        for name, one in model.parameters.items():
            adam.state[twin._of(name)] = {
                "step": torch.tensor(float(model.step)),
                "exp_avg": torch.tensor(one.block("m")),
                "exp_avg_sq": torch.tensor(one.block("v")),
            }
    return adam


def bring_back(twin: Twin, adam: torch.optim.Adam, model: gf.Model, steps: int) -> None:
    """All that it takes to go on in Glassformer."""
    for name, one in model.parameters.items():
        parameter = twin._of(name)
        blocks = {"values": parameter.detach(), "m": adam.state[parameter]["exp_avg"]}
        blocks["v"] = adam.state[parameter]["exp_avg_sq"]
        for block, numbers in blocks.items():
            one.block(block)[...] = numbers.numpy()
    model.step += steps


def work(rank: int, world: int, given: argparse.Namespace) -> None:
    """One process: its share of each batch."""
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // world))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    model = gf.open(given.model)
    twin = Twin(model)
    adam = adam_of(twin, model, given.rate)
    shared = DistributedDataParallel(twin)
    rows = np.array([json.loads(line) for line in given.rows.read_text().splitlines()])
    for step in range(given.steps):
        places = np.arange(step * given.batch, (step + 1) * given.batch) % len(rows)
        own = torch.tensor(rows[places[rank::world]])
        logits = shared(own[:, :-1])
        # DDP takes the mean over the processes: of the whole batch that is the mean over all tokens.
        share = len(own) * world / given.batch
        loss = share * F.cross_entropy(logits.flatten(0, 1), own[:, 1:].flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        told = loss.detach() / world
        dist.all_reduce(told)
        if rank == 0:
            print(json.dumps({"step": model.step + step + 1, "loss": told.item()}), flush=True)
    if rank == 0:
        bring_back(twin, adam, model, given.steps)
        model.save(given.out, training=True)
    dist.destroy_process_group()


def free_port() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("model", "rows", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=16, help="rows of a step, in all processes together")
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--processes", type=int, default=2, help="of this machine; torchrun knows its own")
    given = parser.parse_args()
    if given.batch < given.processes:
        parser.error("--batch: expected a row for each process")
    if "RANK" in os.environ:
        return work(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), given)
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": free_port()}
    torch.multiprocessing.spawn(work, (given.processes, given), given.processes)


if __name__ == "__main__":
    main()
