"""What all fixtures need: seeds, random weights, files, and checks that a fixture can fail."""

import json
import zlib
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

FIXTURES = Path(__file__).parent / "fixtures"
NO_LABEL = -100  # a target that counts for nothing


def seed(name):
    """A seed of its own for each fixture, so that a new one leaves the others as they are."""
    torch.manual_seed(zlib.crc32(name.encode()))


@torch.no_grad()
def randomize(module):
    """Initial values hide errors: gains of 1, biases of 0, weights of attention all alike."""
    for name, p in module.named_parameters():
        if p.requires_grad:
            # BERT normalises its embeddings: of small ones, 1e-12 and 1e-5 make different things.
            p.normal_(0, 0.1 if "embeddings." in name else 0.3)
            if p.ndim == 1 and name.endswith("weight"):
                p += 1  # the gain of a norm


def padding(lengths, longest):
    """1 where a row is real, 0 where it is padding."""
    return (torch.arange(longest) < lengths[:, None]).long()


def double(tensors):
    return {k: t.double() if t.is_floating_point() else t for k, t in tensors.items()}


def write_tensors(path, tensors):
    """Ids and masks as I32, which JavaScript reads without BigInt."""
    tensors = {k: t.detach() if t.is_floating_point() else t.int() for k, t in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({k: t.contiguous() for k, t in tensors.items()}, path)


def write_lines(name, opening, items, closing):
    """JSON with one item per line: small, and a diff shows which case changed."""
    lines = ",\n".join(json.dumps(item) for item in items)
    (FIXTURES / name).write_text(f"{opening}\n{lines}\n{closing}\n")


def numbers(t):
    """Nested lists of the shortest decimals that are the same float32."""
    return [numbers(x) for x in t] if t.ndim else float(str(np.float32(t.item())))


def must_move(what, outputs, changed, least=1e-3):
    moved = max((outputs[k] - changed[k]).abs().max().item() for k in outputs)
    print(f"    {moved:8.1e}  {what}")
    assert moved > least, "a test would not notice"


def must_be_quiet(what, values, exact, tolerance):
    """Noise as a part of tolerance * (1 + |exact|), which is what the tests allow."""
    noise = max(((values[k] - exact[k]).abs() / (1 + exact[k].abs())).max().item() for k in exact)
    print(f"    {noise:8.1e}  float32's noise in {what}")
    assert noise < tolerance / 3, "the noise would hide errors"


def weighted_sum(outputs, r):
    return sum((outputs[k] * r["r." + k]).sum() for k in outputs)
