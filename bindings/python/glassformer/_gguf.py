"""GGUF, the format of ggml and llama.cpp. Little-endian:

    "GGUF", u32 version, u64 tensors, u64 pairs
    pairs:   key, u32 type, value; a string is u64 length and UTF-8, an array u32 type, u64 count, values
    tensors: name, u32 rank, u64 dimensions with the fastest first, u32 type, u64 offset in the data
    the data, from the next multiple of general.alignment on, in the order of the tensors

https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._checkpoints import described
from ._families import GGUF, LLAMA3, evaluate, number, over, same
from ._library import DATA
from ._stored import FLOATS, Stored, block_of
from .errors import message, refusal

_ALIGNMENT = 32
_MAX_RANK = 4
#: Arrays within arrays.
_MAX_DEPTH = 4
#: What a pair and a tensor take at least.
_LEAST_PAIR = 8 + 4 + 1
_LEAST_TENSOR = 8 + 4 + 8 + 4 + 8
_LEAST_STRING, _LEAST_ARRAY = 8, 12
_BOOL, _STRING, _ARRAY = 7, 8, 9
#: The types of single values by their numbers, without string and array.
_NUMBERS = {0: "u1", 1: "i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 7: "u1"}
_NUMBERS |= {10: "<u8", 11: "<i8", 12: "<f8"}
#: Divisors of the frequencies of rotation, and their base where the file says none.
_SLOWER = "rope_freqs.weight"
_ROPE_THETA = 10000
_MOST_PAIRS = 4096
#: The types of tensors by their numbers.
_TYPES: list[str] = DATA["formats"]["types"]


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("GGUF", detail, **params)


def _title(name: str) -> str:
    return json.dumps(name[:100], ensure_ascii=False)


class _Cursor:
    """Reads values one after the other."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self.at = 0

    def take(self, length: int) -> NDArray[np.uint8]:
        if self.at + length > len(self._data):
            raise _refuse("headerEnds", at=self.at)
        self.at += length
        return self._data[self.at - length : self.at]

    def u32(self) -> int:
        return int.from_bytes(self.take(4).tobytes(), "little")

    def length(self, where: str) -> int:
        """Above 2^53 it is none that anything could have."""
        value = int.from_bytes(self.take(8).tobytes(), "little")
        if value >= 2**53:
            raise _refuse("beyondAll", where=where, n=str(value))
        return value

    def count(self, where: str, least: int) -> int:
        """How many follow, each of so many bytes at least."""
        n = self.length(where)
        if n * least > len(self._data) - self.at:
            raise _refuse("countBeyond", where=where, n=n)
        return n

    def string(self, where: str) -> str:
        return self.take(self.count(where, 1)).tobytes().decode("utf-8", "replace")

    def value(self, kind: int, where: str, depth: int = 0) -> Any:
        if kind == _STRING:
            return self.string(where)
        if kind == _ARRAY:
            return self._array(where, depth + 1)
        if kind not in _NUMBERS:
            raise _refuse("valueType", where=where, type=kind)
        size = np.dtype(_NUMBERS[kind])
        value = self.take(size.itemsize).view(size)[0].item()
        return bool(value) if kind == _BOOL else value

    def _array(self, where: str, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise _refuse("nested", where=where, most=_MAX_DEPTH)
        kind = self.u32()
        if kind in _NUMBERS:
            size = np.dtype(_NUMBERS[kind])
            return self.take(self.count(where, size.itemsize) * size.itemsize).view(size)
        if kind not in (_STRING, _ARRAY):
            raise _refuse("valueType", where=where, type=kind)
        count = self.count(where, _LEAST_STRING if kind == _STRING else _LEAST_ARRAY)
        return [self.value(kind, where, depth) for _ in range(count)]


def _metadata(cursor: _Cursor, count: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for i in range(count):
        key = cursor.string(f"key {i}")
        if key in metadata:
            raise _refuse("keyTwice", value=key)
        metadata[key] = cursor.value(cursor.u32(), _title(key))
    return metadata


def _entry(cursor: _Cursor, where: str) -> tuple[str, tuple[int, ...], int, int]:
    """What a tensor's entry says: type, shape, and where it lies in the data."""
    rank = cursor.u32()
    if not 1 <= rank <= _MAX_RANK:
        raise _refuse("integerFrom", where=f"{where}: rank", low=1, high=_MAX_RANK, given=rank)
    shape = tuple(cursor.length(where) for _ in range(rank))[::-1]
    kind = cursor.u32()
    dtype = _TYPES[kind] if kind < len(_TYPES) else f"type {kind}"
    if dtype not in FLOATS:
        raise _refuse("typeUnread", where=where, dtype=dtype, words=", ".join(FLOATS))
    size = math.prod(shape)
    if not size:
        raise _refuse("shapeEmpty", where=where, shape=shape)
    if 8 * size >= 2**53:
        raise _refuse("shapeBeyond", where=where, shape=shape)
    block, length = block_of(dtype)
    if shape[-1] % block:
        raise _refuse("rowsOfBlocks", where=where, dtype=dtype, block=block, n=shape[-1])
    begin = cursor.length(where)
    return dtype, shape, begin, begin + size // block * length


def _alignment(metadata: dict[str, Any]) -> int:
    alignment = metadata.get("general.alignment", _ALIGNMENT)
    whole = isinstance(alignment, int) and not isinstance(alignment, bool)
    if whole and alignment >= 1 and alignment & (alignment - 1) == 0:
        return alignment
    raise _refuse("powerOf2", where="general.alignment", given=alignment)


def read_gguf(data: NDArray[np.uint8]) -> tuple[dict[str, Any], dict[str, Stored]]:
    """The metadata and the tensors of a file."""
    cursor = _Cursor(data)
    cursor.u32()
    version = cursor.u32()
    if version not in (2, 3):
        hint = message("bigEndian") if version and version % 2**16 == 0 else None
        raise _refuse("integerFrom", where="version", low=2, high=3, given=version, hint=hint)
    count = cursor.count("tensors", _LEAST_TENSOR)
    metadata = _metadata(cursor, cursor.count("pairs", _LEAST_PAIR))
    parts = metadata.get("split.count")
    if isinstance(parts, (int, float)) and parts > 1:
        raise _refuse("partOfGguf", n=metadata.get("split.no", 0) + 1, count=parts)
    alignment = _alignment(metadata)
    entries: dict[str, tuple[str, tuple[int, ...], int, int]] = {}
    due = 0
    for i in range(count):
        name = cursor.string(f"tensor {i}")
        where = f"tensor {_title(name)}"
        if name in entries:
            raise _refuse("nameTwice", where=where)
        entries[name] = _entry(cursor, where)
        _, _, begin, end = entries[name]
        if begin != due:
            raise _refuse("beginsElsewhere", where=where, at=begin, expected=due)
        due = end + -end % alignment
    start = cursor.at + -cursor.at % alignment
    tensors: dict[str, Stored] = {}
    for name, (dtype, shape, begin, end) in entries.items():
        if start + end > len(data):
            where = f"tensor {_title(name)}"
            raise _refuse("beyondEnd", where=where, at=start + end, size=len(data))
        tensors[name] = Stored(dtype, shape, data[start + begin : start + end])
    return metadata, tensors


# ---- In the words of Hugging Face ----


def _settings(
    name: str, architecture: dict[str, Any], metadata: dict[str, Any]
) -> tuple[dict[str, Any], float]:
    """The settings of an architecture, and the channels of a head."""
    config: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in metadata.items():
        own = key.removeprefix(f"{name}.")
        if own == key:
            continue
        if own in architecture["settings"]:
            config[architecture["settings"][own]] = value
        elif own not in GGUF["ignored"]:
            others[own] = value
    size = evaluate(architecture.get("headSize"), config)
    for own, value in others.items():
        where = f"{name}.{own}"
        if own not in architecture["demands"]:
            raise _refuse("settingUnread", **{"value": where})
        expected = evaluate(architecture["demands"][own], {**config, "headSize": size})
        if not same(value, expected):
            said = {"expected": described(expected), "described": described(value)}
            raise _refuse("valueAs", where=where, **said)
    return config, number(size)


def _renamed(names: dict[str, str], name: str) -> str:
    """The name of a tensor in the words of Hugging Face, or its own if it has none."""
    if not (parts := re.fullmatch(r"(blk\.(\d+)\.)?(.*)\.(weight|bias)", name, re.ASCII)):
        return name
    layer, stem, end = parts[2], parts[3], parts[4]
    known = names.get(stem if layer is None else f"blk.{{i}}.{stem}")
    return f"{known.replace('{i}', layer or '')}.{end}" if known else name


def _scaling_of(slower: NDArray[np.float32], base: float) -> dict[str, Any] | None:
    """The setting behind rope_freqs: how many times slower pairs turn. None: not that of Llama 3."""
    low, high = LLAMA3["low_freq_factor"], LLAMA3["high_freq_factor"]
    span = LLAMA3["original_max_position_embeddings"]
    divisors = slower.reshape(-1).astype(np.float64)
    factor = float(divisors.max())
    turns = span / (2 * math.pi * base ** (np.arange(len(divisors)) / len(divisors)))
    part = np.clip((turns - low) / (high - low), 0, 1)
    fits = factor > 0 and (np.abs(divisors * ((1 - part) / factor + part) - 1) < 1e-4).all()
    return {**LLAMA3, "factor": int(factor) if factor.is_integer() else factor} if fits else None


def of_gguf(metadata: dict[str, Any], stored: dict[str, Stored]) -> tuple[dict[str, Any], dict[str, Stored]]:
    """The config and the tensors of a file, as config.json and model.safetensors have them."""
    name = metadata.get("general.architecture")
    architectures = GGUF["architectures"]
    if not isinstance(name, str) or name not in architectures:
        raise _refuse("word", where="general.architecture", words=", ".join(architectures), given=name)
    architecture = architectures[name]
    config, size = _settings(name, architecture, metadata)
    pairs = architecture.get("pairs")
    tensors: dict[str, Stored] = {}
    for theirs, tensor in stored.items():
        if pairs and re.search(r"\.attn_[qk]\.(weight|bias)\Z", theirs) and math.isfinite(size):
            tensor.pairs = int(size)
        tensors[_renamed(architecture["names"], theirs)] = tensor
    if config.get("rope_scaling.rope_type") == "none":
        del config["rope_scaling.rope_type"]
    own: dict[str, Any] = {
        "model_type": architecture["type"],
        "vocab_size": stored["token_embd.weight"].shape[0] if "token_embd.weight" in stored else None,
        "tie_word_embeddings": "output.weight" not in stored,
        "attention_bias": "blk.0.attn_q.bias" in stored or "blk.0.attn_qkv.bias" in stored,
    }
    if pairs:
        own["mlp_bias"] = "blk.0.ffn_gate.bias" in stored
    if size and not math.isnan(size):
        own["head_dim"] = size
    rotated = number(config.get("rotary_channels"))
    if rotated and not math.isnan(rotated):
        # What is rounded down to these channels again.
        own["rotary_pct"] = over(rotated + 0.5, size)
    if slower := tensors.pop(_SLOWER, None):
        base = number(config.get("rope_theta", _ROPE_THETA))
        scaling = _scaling_of(slower.numbers(), base) if slower.size <= _MOST_PAIRS else None
        if scaling is None:
            raise _refuse("settingUnread", **{"value": _SLOWER})
        config["rope_scaling"] = scaling
    return {**own, **config}, tensors
