"""Steps of training a gpt in PyTorch: forward, backward, Adam.

    pytorch.py WEIGHTS TASK

WEIGHTS is a safetensors file of a gpt of ours, TASK a JSON file with its batch and settings. Prints the losses of the
first steps; then, for each number of steps that it reads, the nanoseconds that they took: of processor time on one thread,
and as the clock goes on several.
"""

import json
import struct
import sys
import time

import torch
from torch.nn import functional as F


def read(path):
    """The tensors of a safetensors file of float32, by their names; weights of linear as PyTorch has them, [out, in]."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    tensors = {}
    for name, told in header.items():
        start, end = told["data_offsets"]
        numbers = torch.frombuffer(data, dtype=torch.float32, count=(end - start) // 4, offset=start)
        tensor = numbers.reshape(told["shape"])
        if tensor.dim() == 2 and "embedding" not in name:
            tensor = tensor.T
        tensors[name] = tensor.clone(memory_format=torch.contiguous_format).requires_grad_()
    return tensors


def logits(p, ids, heads, layers, epsilon):
    """Learned positions, layer norms before the sublayers, the embedding as the last product, as in tfjs-gpt.js."""

    def linear(x, name):
        return F.linear(x, p[name + ".weight"], p[name + ".bias"])

    def norm(x, name):
        return F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], epsilon)

    def split(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    def attention(x, name):
        q, k, v = (split(linear(x, f"{name}.{which}_proj")) for which in "qkv")
        mix = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return linear(mix.transpose(1, 2).flatten(2), name + ".out_proj")

    table = p["embedding.weight"]
    x = table[ids] + p["decoder.position_embedding.weight"]
    for i in range(layers):
        name = f"decoder.layers.{i}"
        x = x + attention(norm(x, name + ".norm1"), name + ".self_attn")
        wide = F.gelu(linear(norm(x, name + ".norm2"), name + ".linear1"), approximate="tanh")
        x = x + linear(wide, name + ".linear2")
    return F.linear(norm(x, "decoder.norm"), table)


def main(weights, task):
    p = read(weights)
    with open(task, encoding="utf-8") as file:
        told = json.load(file)
    torch.set_num_threads(told["threads"])
    clock = time.process_time_ns if told["threads"] == 1 else time.perf_counter_ns
    ids, labels = torch.tensor(told["target"]), torch.tensor(told["labels"])
    adam = torch.optim.Adam(p.values(), lr=told["rate"], eps=1e-8, fused=True)

    def step():
        adam.zero_grad()
        out = logits(p, ids, told["heads"], told["layers"], told["epsilon"])
        loss = F.cross_entropy(out.flatten(0, 1), labels.flatten())
        loss.backward()
        adam.step()
        return loss.item()

    print([step() for _ in range(told["compared"])], flush=True)
    for line in sys.stdin:
        begin = clock()
        for _ in range(int(line)):
            step()
        print(clock() - begin, flush=True)


main(*sys.argv[1:])
