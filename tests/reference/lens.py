"""Writes fixtures/lens.json: what TransformerLens finds in three tiny models whose weights stand beside it.

    python3 -m venv build/lens && build/lens/bin/pip install -r tests/reference/requirements.txt -r tests/reference/transformer_lens.txt
    build/lens/bin/python -B tests/reference/lens.py
"""

import json
import zlib
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from transformer_lens import HookedTransformer, HookedTransformerConfig, patching
from transformer_lens.head_detector import get_duplicate_token_head_detection_pattern

FIXTURES = Path(__file__).parent / "fixtures" / "lens"
SIZES = {"d_model": 12, "d_head": 6, "n_heads": 2, "n_layers": 2, "d_mlp": 20, "d_vocab": 17, "n_ctx": 24}
MODELS = {
    "tied": {"normalization_type": "LN", "act_fn": "gelu_new"},
    "untied": {"normalization_type": "LN", "act_fn": "relu"},
    "rms": {
        **{"normalization_type": "RMS", "act_fn": "silu", "gated_mlp": True},
        **{"positional_embedding_type": "rotary", "rotary_dim": 6},
    },
}
TOKENS = [3, 7, 7, 1, 12, 0, 16]
OTHER = [3, 5, 7, 1, 2, 0, 16]
REPEATED = [5, 7, 14, 14, 10] * 2
TOKEN, AGAINST = 4, 9

torch.set_num_threads(2)
torch.set_grad_enabled(False)


def made(name, options):
    """A model with random numbers everywhere; RMS norms go without biases."""
    config = HookedTransformerConfig(**SIZES, **options, seed=0, device="cpu", eps=1e-5)
    model = HookedTransformer(config)
    torch.manual_seed(zlib.crc32(name.encode()))
    for key, p in model.named_parameters():
        is_bias = ".b_" in key or key.endswith(".b")
        p.normal_(0, 0.3 if is_bias else 0.5)
        if key.endswith(".w"):
            p += 1
        if is_bias and (name == "rms" or (name == "tied" and key == "unembed.b_U")):
            p.zero_()
    if name == "tied":
        model.unembed.W_U.copy_(model.embed.W_E.T)
    return model.eval()


def weights(name, model):
    """By Glassformer's names, in its layout: y = x W."""
    side = lambda w: w.permute(1, 0, 2).reshape(w.shape[1], -1)
    norm = lambda key, ln: {f"{key}.weight": ln.w, f"{key}.bias": getattr(ln, "b", None)}
    told = {"embedding.weight": model.embed.W_E, **norm("decoder.norm", model.ln_final)}
    if name != "rms":
        told["decoder.position_embedding.weight"] = model.pos_embed.W_pos
    if name != "tied":
        told["logits.weight"] = model.unembed.W_U
    if name == "untied":
        told["logits.bias"] = model.unembed.b_U
    for i, block in enumerate(model.blocks):
        at, attn, mlp = f"decoder.layers.{i}", block.attn, block.mlp
        told |= {**norm(f"{at}.norm1", block.ln1), **norm(f"{at}.norm2", block.ln2)}
        for letter in "QKV":
            key = f"{at}.self_attn.{letter.lower()}_proj"
            told[f"{key}.weight"] = side(getattr(attn, f"W_{letter}"))
            told[f"{key}.bias"] = getattr(attn, f"b_{letter}").flatten()
        told[f"{at}.self_attn.out_proj.weight"] = attn.W_O.reshape(-1, attn.W_O.shape[-1])
        told[f"{at}.self_attn.out_proj.bias"] = attn.b_O
        told |= {f"{at}.linear1.weight": mlp.W_in, f"{at}.linear1.bias": getattr(mlp, "b_in", None)}
        told |= {f"{at}.linear2.weight": mlp.W_out, f"{at}.linear2.bias": getattr(mlp, "b_out", None)}
        if name == "rms":
            told[f"{at}.gate.weight"] = mlp.W_gate
    keep = lambda key, p: p is not None and not (name == "rms" and key.endswith(".bias"))
    return {key: p.detach().clone().contiguous() for key, p in told.items() if keep(key, p)}


def found(model):
    tokens, other = torch.tensor([TOKENS]), torch.tensor([OTHER])
    logits, cache = model.run_with_cache(tokens)
    _, cache_of_other = model.run_with_cache(other)
    _, repeats = model.run_with_cache(torch.tensor([REPEATED]))
    metric = lambda out: out[0, -1, TOKEN] - out[0, -1, AGAINST]
    column = model.unembed.W_U[:, TOKEN] - model.unembed.W_U[:, AGAINST]

    stream = cache.accumulated_resid(layer=-1, incl_mid=True, apply_ln=False)
    lens = torch.stack([model.unembed(model.ln_final(state)) for state in stream])[:, 0]

    # apply_ln_to_stack centres and divides by the run's scale; the gain is left to weights that are folded.
    through = lambda stack: cache.apply_ln_to_stack(stack, layer=-1, pos_slice=-1) * model.ln_final.w @ column
    heads = through(cache.stack_head_results(layer=-1, pos_slice=-1, apply_ln=False))[:, 0]
    feeds = torch.stack([cache["mlp_out", i][:, -1] for i in range(model.cfg.n_layers)])

    half = len(REPEATED) // 2
    pattern = lambda c, i: c["pattern", i][0]
    each = lambda score: torch.stack([score(i) for i in range(model.cfg.n_layers)])
    behind = torch.arange(half, 2 * half)
    weights_of = lambda i: pattern(cache, i)
    copies = get_duplicate_token_head_detection_pattern(tokens)
    again = copies.any(-1)
    return {
        "logits": logits[0],
        "lens": lens,
        "heads": heads.reshape(model.cfg.n_layers, -1),
        "feeds": through(feeds)[:, 0],
        "residual": patching.get_act_patch_resid_pre(model, tokens, cache_of_other, metric),
        "mix": patching.get_act_patch_attn_head_out_all_pos(model, tokens, cache_of_other, metric),
        "previous": each(lambda i: weights_of(i).diagonal(-1, 1, 2).mean(-1)),
        "first": each(lambda i: weights_of(i)[:, 1:, 0].mean(-1)),
        "duplicate": each(lambda i: (weights_of(i) * copies).sum(-1)[:, again].mean(-1)),
        "entropy": each(lambda i: torch.special.entr(weights_of(i)).sum(-1).mean(-1)),
        "induction": each(lambda i: pattern(repeats, i)[:, behind, behind - half + 1].mean(-1)),
    }


def numbers(t):
    return [numbers(x) for x in t] if t.ndim else float(str(np.float32(t.item())))


FIXTURES.mkdir(parents=True, exist_ok=True)
told = {}
for name, options in MODELS.items():
    model = made(name, options)
    save_file(weights(name, model), FIXTURES / f"{name}.safetensors")
    told[name] = {key: numbers(value) for key, value in found(model).items()}
    print(name, {key: np.shape(value) for key, value in told[name].items()})
given = {"tokens": TOKENS, "other": OTHER, "repeated": REPEATED, "token": TOKEN, "against": AGAINST}
(FIXTURES / "lens.json").write_text(json.dumps({**given, "models": told}) + "\n")
