"""Prints as JSON the logits that torch.nn.Transformer computes from a folder that we exported.

    python torch_logits.py FOLDER '[[5, 9, 2]]' '[[1, 7]]'      the ids of source and target

FOLDER holds model.safetensors, with embedding.weight, the parameters of torch.nn.Transformer by
its names, generator.weight (left out if it is the embedding's) and generator.bias (or none);
and config.json, with dModel, heads, layers, decoderLayers, dFF, activation, preNorm, finalNorm,
epsilon, vocab.
"""

import json
import math
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


def sinusoids(length, channels):
    """Vaswani et al. 2017, section 3.5; in float64, since float32 would spoil the angles."""
    even = torch.arange(0, channels, 2, dtype=torch.float64)
    angles = torch.arange(length)[:, None] / 10000 ** (even / channels)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return pairs.flatten(1)[:, :channels].float()


def load_transformer(config, weights):
    settings = {
        "d_model": config["dModel"],
        "nhead": config["heads"],
        "num_encoder_layers": config["layers"],
        "num_decoder_layers": config["decoderLayers"],
        "dim_feedforward": config["dFF"],
        "activation": config["activation"],
        "norm_first": config["preNorm"],
        "layer_norm_eps": config["epsilon"],
    }
    transformer = nn.Transformer(**settings, dropout=0, batch_first=True).eval()
    if not config["finalNorm"]:
        transformer.encoder.norm = transformer.decoder.norm = None
    outside = ("embedding.", "generator.")
    own = {name: w for name, w in weights.items() if not name.startswith(outside)}
    transformer.load_state_dict(own)
    return transformer


def logits(folder, source, target):
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(folder / "model.safetensors")
    embedding = weights["embedding.weight"]
    assert embedding.shape == (config["vocab"], config["dModel"]), embedding.shape
    transformer = load_transformer(config, weights)

    def embed(ids):
        scaled = embedding[ids] * math.sqrt(config["dModel"])
        return scaled + sinusoids(ids.shape[1], config["dModel"])

    causal = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
    output = transformer(embed(source), embed(target), tgt_mask=causal)
    generator = weights.get("generator.weight", embedding)
    return F.linear(output, generator, weights.get("generator.bias"))


folder, source, target = sys.argv[1:]
ids = (torch.tensor(json.loads(text)) for text in (source, target))
print(json.dumps(logits(Path(folder), *ids).tolist()))
