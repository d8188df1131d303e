"""What llama2.c writes, stories15M.bin. Little-endian:

    7 int32 of the model: width, feed-forward width, layers, heads, heads of keys and values, vocabulary
    (negative: the logits have weights of their own), length; then all tensors in float32, those of one kind
    layer by layer

    version 1: "ak42" as uint32, int32 version, the same 7 int32 (the vocabulary positive), a byte that is 1
    where the logits have no weights of their own, zeros up to byte 256; then the tensors, the norms first

https://github.com/karpathy/llama2.c
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._families import LLAMA2C
from ._stored import Stored
from .errors import refusal

MAGIC = 0x616B3432
_HEADER, _HEADER_1 = 28, 256
_MOST, _MAX_LAYERS = 2**24, 1024
#: The numbers of the header, and how large they may be.
_SIZES = {"dim": _MOST, "hidden_dim": _MOST, "n_layers": _MAX_LAYERS, "n_heads": _MOST}
_SIZES |= {"n_kv_heads": _MOST, "vocab_size": _MOST, "seq_len": _MOST}

#: Several tensors of one shape; None stands where the file has something that can be computed.
_Part = tuple[str | None, int, tuple[int, ...]]


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("llama2.c", detail, **params)


def _layout(sizes: dict[str, int], tied: bool, version: int) -> list[_Part]:
    """The tensors in the order of the file."""
    width, inner, layers = sizes["dim"], sizes["hidden_dim"], sizes["n_layers"]
    size = width // sizes["n_heads"]
    narrow = size * sizes["n_kv_heads"]
    table: _Part = ("token_embedding_table", 1, (sizes["vocab_size"], width))
    first: _Part = ("rms_att_weight", layers, (width,))
    second: _Part = ("rms_ffn_weight", layers, (width,))
    last: _Part = ("rms_final_weight", 1, (width,))
    attention: list[_Part] = [
        ("wq", layers, (width, width)),
        ("wk", layers, (narrow, width)),
        ("wv", layers, (narrow, width)),
        ("wo", layers, (width, width)),
    ]
    inside: list[_Part] = [
        ("w1", layers, (inner, width)),
        ("w2", layers, (width, inner)),
        ("w3", layers, (inner, width)),
    ]
    head: _Part = ("wcls", 0 if tied else 1, (sizes["vocab_size"], width))
    if version:
        return [first, second, last, table, *attention, *inside, head]
    # Of the rotation: cosines, sines.
    angles: _Part = (None, 2, (sizes["seq_len"], size // 2))
    return [table, first, *attention, second, *inside, last, angles, head]


def of_llama2c(data: NDArray[np.uint8]) -> tuple[dict[str, Any], dict[str, Stored]]:
    """The config and the tensors of a file, as config.json and model.safetensors have them."""
    version, at, start = 0, 0, _HEADER
    if int.from_bytes(data[:4].tobytes(), "little") == MAGIC:
        version, at, start = int(data[4:8].view("<i4")[0]), 8, _HEADER_1
        if version == 2:
            raise _refuse("typeUnread", where="version 2", dtype="8-bit Q8_0", words="F32")
        # Files of the first kind have no number.
        if version != 1:
            raise _refuse("word", where="version", words="1", given=version)
    if len(data) < start:
        raise _refuse("endsEarly", at=len(data), end=start)
    sizes = dict(zip(_SIZES, data[at : at + _HEADER].view("<i4").tolist(), strict=True))
    tied = bool(data[at + _HEADER] == 1) if version else sizes["vocab_size"] > 0
    if not version:
        sizes["vocab_size"] = abs(sizes["vocab_size"])
    for where, high in _SIZES.items():
        if not 1 <= sizes[where] <= high:
            raise _refuse("integerFrom", where=where, low=1, high=high, given=sizes[where])
    width, heads = sizes["dim"], sizes["n_heads"]
    if width % heads:
        raise _refuse("notDividing", part="n_heads", n=heads, whole="dim", size=width)
    layout = _layout(sizes, tied, version)
    size = start + sum(4 * copies * math.prod(shape) for _, copies, shape in layout)
    if len(data) != size:
        raise _refuse("sizeAs", expected=size, size=len(data))
    tensors: dict[str, Stored] = {}
    for name, copies, shape in layout:
        for layer in range(copies):
            end = start + 4 * math.prod(shape)
            if name:
                pairs = width // heads if name in ("wq", "wk") else None
                tensors[LLAMA2C[name].replace("{i}", str(layer))] = Stored(
                    "F32", shape, data[start:end], pairs
                )
            start = end
    config = {
        "model_type": "llama",
        "vocab_size": sizes["vocab_size"],
        "max_position_embeddings": sizes["seq_len"],
        "hidden_size": width,
        "intermediate_size": sizes["hidden_dim"],
        "num_hidden_layers": sizes["n_layers"],
        "num_attention_heads": heads,
        "num_key_value_heads": sizes["n_kv_heads"],
        "tie_word_embeddings": tied,
        "rms_norm_eps": 1e-5,
    }
    return config, tensors
