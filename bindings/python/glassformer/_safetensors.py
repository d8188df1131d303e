"""Safetensors: a header in JSON, and the numbers of tensors one behind the other.

https://github.com/huggingface/safetensors
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._stored import PLAIN, Stored, block_of
from .errors import refusal

_PREFIX = 8
_MAX_HEADER = 100_000_000
_METADATA = "__metadata__"
_FIELDS = ("dtype", "shape", "data_offsets")


def _title(name: str) -> str:
    return f"tensor {json.dumps(name[:100], ensure_ascii=False)}"


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("safetensors", detail, **params)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key comes twice."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _refuse("keyTwice", where="header", value=key)
        made[key] = value
    return made


def _header(data: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    """The header as JSON, and where the numbers begin."""
    if len(data) < _PREFIX:
        raise _refuse("tooShort", n=_PREFIX, given=len(data))
    length = int.from_bytes(data[:_PREFIX].tobytes(), "little")
    if length > _MAX_HEADER:
        raise _refuse("headerTooLong", length=length, most=_MAX_HEADER)
    if _PREFIX + length > len(data):
        raise _refuse("headerBeyond", length=length, rest=len(data) - _PREFIX)
    try:
        text = data[_PREFIX : _PREFIX + length].tobytes().decode()
    except UnicodeDecodeError:
        raise _refuse("headerUtf8") from None
    try:
        header = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _refuse("json", where="header", given=text, reason=error) from None
    if not isinstance(header, dict):
        raise _refuse("jsonAt", where="header", expected='"{"', at=0, given=text)
    return header, _PREFIX + length


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _tensor(name: str, entry: Any, data: NDArray[np.uint8]) -> tuple[int, int, Stored]:
    """A tensor, and where it lies."""
    title = _title(name)
    if not isinstance(entry, dict) or not all(key in entry for key in _FIELDS):
        raise _refuse("fieldsDue", where=title, expected=", ".join(_FIELDS))
    for key in entry:
        if key not in _FIELDS:
            raise _refuse("keyUnknown", where=title, value=key, expected=", ".join(_FIELDS))
    dtype, shape, offsets = (entry[key] for key in _FIELDS)
    if dtype not in PLAIN:
        raise _refuse("word", where=f"{title}: dtype", words=", ".join(PLAIN), given=dtype)
    for key, sizes in (("shape", shape), ("data_offsets", offsets)):
        if not isinstance(sizes, list) or not all(map(_is_size, sizes)):
            raise _refuse("fieldsDue", where=f"{title}: {key}", expected=", ".join(_FIELDS))
    if len(offsets) != 2:
        raise _refuse("fieldsDue", where=title, expected=", ".join(_FIELDS))
    begin, end = offsets
    size = block_of(dtype)[1] * math.prod(shape)
    if end - begin != size:
        said = {"dtype": dtype, "shape": shape, "bytes": size, "offsets": offsets}
        raise _refuse("offsetsUnfit", where=title, **said)
    if end > len(data):
        raise _refuse("beyondEnd", where=title, at=end, size=len(data))
    return begin, end, Stored(dtype, tuple(shape), data[begin:end])


def read_tensors(data: NDArray[np.uint8]) -> tuple[dict[str, Stored], dict[str, str]]:
    """The tensors of a file, and its metadata. Every byte belongs to one of them."""
    header, start = _header(data)
    notes = header.pop(_METADATA, {})
    if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
        raise _refuse("object", where=_METADATA, given=notes)
    found = {name: _tensor(name, entry, data[start:]) for name, entry in header.items()}
    at = 0
    for name, (begin, end, _) in sorted(found.items(), key=lambda one: one[1][:2]):
        if begin < at:
            raise _refuse("overlaps", where=_title(name), at=begin)
        if begin > at:
            raise _refuse("hole", where=_title(name), at=begin, **{"from": at})
        at = end
    if start + at < len(data):
        raise _refuse("trailing", n=len(data) - start - at)
    return {name: tensor for name, (_, _, tensor) in found.items()}, notes


def write_tensors(tensors: Mapping[str, NDArray[np.float32]], metadata: Mapping[str, str]) -> bytes:
    """float32 tensors, sorted by name: equal tensors give equal bytes."""
    header: dict[str, Any] = {_METADATA: dict(sorted(metadata.items()))}
    names = sorted(tensors)
    end = 0
    for name in names:
        begin, end = end, end + tensors[name].nbytes
        shape = list(tensors[name].shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    # Spaces up to a multiple of 8 keep the numbers aligned.
    text += b" " * (-len(text) % 8)
    parts: Iterable[bytes] = (tensors[name].astype("<f4", copy=False).tobytes() for name in names)
    return b"".join([len(text).to_bytes(_PREFIX, "little"), text, *parts])
