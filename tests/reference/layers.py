"""Fixtures of torch.nn: one layer, or the whole Transformer."""

import torch
from torch import nn

from common import (
    FIXTURES,
    double,
    must_be_quiet,
    must_move,
    padding,
    randomize,
    seed,
    weighted_sum,
    write_lines,
    write_tensors,
)

POST = {"norm_first": False}
PRE = {"norm_first": True}
RELU = {"activation": "relu"}
GELU = {"activation": "gelu"}
LAYER = {"d_model": 16, "nhead": 4, "dim_feedforward": 24, "bias": True, "layer_norm_eps": 1e-5}
WHOLE = LAYER | {"d_model": 10, "nhead": 2, "dim_feedforward": 18}  # no multiples of 4
WHOLE |= {"num_encoder_layers": 2, "num_decoder_layers": 2, "final_norm": True}
CAUSAL = {"tgt_mask": "bool"}
PADDED = {"tgt_key_padding_mask": "bool", "memory_key_padding_mask": "bool"}
ALL_PADDED = {"src_key_padding_mask": "bool"} | PADDED

# Kinds of masks: "bool", stored as 1 where masked, as PyTorch has it; "float", 0 and -inf, added to
# the scores; "bias", float with other numbers too. tgt_mask is causal.
LAYER_CASES = {
    "encoder_layer_post_relu": (LAYER | POST | RELU, {}),
    "encoder_layer_post_gelu_padding": (LAYER | POST | GELU, {"src_key_padding_mask": "bool"}),
    "encoder_layer_pre_relu_mask": (LAYER | PRE | RELU, {"src_mask": "bool"}),
    "encoder_layer_pre_gelu_bias_padding": (
        LAYER | PRE | GELU | {"layer_norm_eps": 1e-6},
        {"src_mask": "bias", "src_key_padding_mask": "float"},
    ),
    "encoder_layer_pre_relu_unbiased": (LAYER | PRE | RELU | {"bias": False}, {}),
    "decoder_layer_post_relu": (LAYER | POST | RELU, CAUSAL),
    "decoder_layer_post_gelu_padding": (LAYER | POST | GELU, CAUSAL | PADDED),
    "decoder_layer_pre_relu_memory_mask": (
        LAYER | PRE | RELU | {"layer_norm_eps": 1e-6},
        {"tgt_mask": "float", "memory_mask": "bias", "memory_key_padding_mask": "float"},
    ),
    "decoder_layer_pre_gelu_padding": (LAYER | PRE | GELU, CAUSAL | PADDED),
    "transformer_post_relu": (WHOLE | POST | RELU, CAUSAL),
    "transformer_post_gelu_padding": (WHOLE | POST | GELU, CAUSAL | ALL_PADDED),
    "transformer_pre_gelu": (WHOLE | PRE | GELU, CAUSAL),
    "transformer_pre_relu_masks_padding": (
        WHOLE | PRE | RELU | {"layer_norm_eps": 1e-6},
        CAUSAL | ALL_PADDED | {"src_mask": "bool", "memory_mask": "bool"},
    ),
    "transformer_post_relu_padding_no_final_norm": (
        WHOLE | POST | RELU | {"final_norm": False},
        dict.fromkeys(CAUSAL | ALL_PADDED, "float"),
    ),
}
MODULES = {
    "encoder": ("TransformerEncoderLayer", ("src",)),
    "decoder": ("TransformerDecoderLayer", ("tgt", "memory")),
    "transformer": ("Transformer", ("src", "tgt")),
}
BATCH = 2
LENGTHS = {k: torch.tensor(n) for k, n in (("src", [5, 3]), ("memory", [5, 3]), ("tgt", [4, 3]))}


def make_mask(name, kind):
    """Never a row without any key: PyTorch makes NaN of it, and we 0."""
    part = name.split("_")[0]
    keys = max(LENGTHS[part])
    if name.endswith("key_padding_mask"):
        masked = padding(LENGTHS[part], keys) == 0
    elif name == "tgt_mask":
        masked = torch.ones(keys, keys).triu(1).bool()
    else:
        queries = max(LENGTHS["tgt" if part == "memory" else part])
        masked = torch.rand(queries, keys) < 0.4
        masked[:, 0] = False
    if kind == "bool":
        return masked
    kept = torch.randn(masked.shape) if kind == "bias" else torch.zeros(masked.shape)
    return kept.masked_fill(masked, -torch.inf)


def build_layer(module, final_norm=True, **settings):
    layer = getattr(nn, module)(**settings, dropout=0, batch_first=True).eval()
    if not final_norm:
        layer.encoder.norm = layer.decoder.norm = None
    return layer


def run_layer(layer, inputs, masks, r):
    leaves = {name: x.clone().requires_grad_() for name, x in inputs.items()}
    outputs = {"output": layer(*leaves.values(), **masks)}
    leaves |= dict(layer.named_parameters())
    gradients = torch.autograd.grad(weighted_sum(outputs, r), leaves.values())
    return outputs, {"grad." + name: g for name, g in zip(leaves, gradients)}


def make_layer(name, settings, mask_kinds):
    print(f"torch/{name}")
    seed(name)
    module, input_names = MODULES[name.split("_")[0]]
    layer = build_layer(module, **settings)
    randomize(layer)
    # Small, so that a norm's variance is small enough for its epsilon to count.
    inputs = {k: torch.randn(BATCH, max(LENGTHS[k]), settings["d_model"]) / 4 for k in input_names}
    masks = {k: make_mask(k, kind) for k, kind in mask_kinds.items()}
    r = {"r.output": torch.randn_like(inputs.get("tgt", inputs.get("src")))}
    outputs, gradients = run_layer(layer, inputs, masks, r)

    lengths = {
        part + "_lengths": LENGTHS[part]
        for part in LENGTHS
        if part + "_key_padding_mask" in masks
    }
    parameters = {"param." + k: p for k, p in layer.named_parameters()}
    write_tensors(
        FIXTURES / "torch" / f"{name}.safetensors",
        parameters | inputs | masks | lengths | r | outputs | gradients,
    )

    for mask in masks:
        rest = {k: m for k, m in masks.items() if k != mask}
        must_move(f"without {mask}", outputs, run_layer(layer, inputs, rest, r)[0])
    others = {
        "layer_norm_eps": 1e-3,
        "norm_first": not settings["norm_first"],
        "activation": "gelu" if settings["activation"] == "relu" else "relu",
        "nhead": 1,
    }
    for setting, value in others.items():
        changed = build_layer(module, **settings | {setting: value})
        changed.load_state_dict(layer.state_dict())
        must_move(f"{setting} {value}", outputs, run_layer(changed, inputs, masks, r)[0])
    exact = run_layer(layer.double(), double(inputs), double(masks), double(r))
    must_be_quiet("values", outputs, exact[0], 1e-5)
    must_be_quiet("gradients", gradients, exact[1], 1e-4)
    return {"name": name, "module": module} | settings | {"masks": mask_kinds}


def make_layers():
    cases = [make_layer(name, *case) for name, case in LAYER_CASES.items()]
    write_lines("torch/cases.json", "[", cases, "]")
