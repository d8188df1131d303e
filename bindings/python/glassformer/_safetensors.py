"""Safetensors: a header in JSON, and the numbers of tensors one behind the other.

https://github.com/huggingface/safetensors
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import CONSTANTS, STRUCTS, lib
from ._memory import memory
from ._stored import PLAIN, Stored
from .errors import message, refusal

_PREFIX = 8
_MAX_HEADER = 100_000_000
_METADATA = "__metadata__"
_FIELDS = ", ".join(("dtype", "shape", "data_offsets"))
_file = STRUCTS["gf_safetensors"]
_ERROR = "GF_FILE_"
_ERRORS = {CONSTANTS[name]: name.removeprefix(_ERROR) for name in CONSTANTS if name.startswith(_ERROR)}
#: What JSON lacks.
_JSON = {
    "JSON_SIGN": "jsonSign",
    "JSON_STRING": "jsonString",
    "JSON_UNICODE": "jsonUnicode",
    "JSON_INTEGER": "jsonInteger",
    "JSON_END": "jsonNothing",
}


class _Header:
    """What the core found in a file."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self._file = _file()
        self._memory = None
        opened = self._open(None)
        if opened:
            self._memory = memory(opened)
            opened = self._open(self._memory.ctypes.data)
        if not opened:
            raise self._refusal()

    def _open(self, room: int | None) -> int:
        size = len(self._data)
        return int(lib.gf_safetensors_open(ctypes.byref(self._file), self._data.ctypes.data, size, room))

    def _string(self, text: Any) -> str:
        out = ctypes.create_string_buffer(text.bytes + 1)
        length = lib.gf_file_string(self._data.ctypes.data, text, out)
        return out.raw[:length].decode()

    def tensors(self) -> dict[str, Stored]:
        numbers = self._data[self._file.data :]
        return {
            self._string(one.name): Stored(
                one.dtype.decode(), tuple(one.shape[: one.rank]), numbers[one.begin : one.end]
            )
            for one in self._file.tensors[: self._file.count]
        }

    def notes(self) -> dict[str, str]:
        notes = self._file.notes[: self._file.note_count]
        return {self._string(note.key): self._string(note.value) for note in notes}

    def _refusal(self) -> Exception:
        """The core's reason, in the sentence of JavaScript."""
        file, tensor = self._file, self._file.culprit
        error, number = _ERRORS[file.error], file.number
        title = f"tensor {json.dumps(self._string(tensor.name)[:100], ensure_ascii=False)}"
        key = self._string(file.key)
        shape, offsets = tuple(tensor.shape[: tensor.rank]), (tensor.begin, tensor.end)
        dtype = tensor.dtype.decode()
        fits = {"dtype": dtype, "shape": shape, "bytes": number, "offsets": offsets}
        where = title if tensor.name.at else _METADATA if number else "header"
        found: dict[str, tuple[str, dict[str, Any]]] = {
            "TOO_SHORT": ("tooShort", {"n": _PREFIX, "given": number}),
            "HEADER_TOO_LONG": ("headerTooLong", {"length": number, "most": _MAX_HEADER}),
            "HEADER_BEYOND": ("headerBeyond", {"length": number, "rest": len(self._data) - _PREFIX}),
            "HEADER_UTF8": ("headerUtf8", {}),
            "KEY_TWICE": ("keyTwice", {"where": where, "value": key}),
            "KEY_UNKNOWN": ("keyUnknown", {"where": title, "value": key, "expected": _FIELDS}),
            "FIELDS": ("fieldsDue", {"where": title, "expected": _FIELDS}),
            "DTYPE": ("word", {"where": f"{title}: dtype", "words": ", ".join(PLAIN), "given": key}),
            "TOO_MANY": ("tooManyNumbers", {"where": f"{title}: {key}", "most": number}),
            "SHAPE": ("shapeBeyond", {"where": title, "shape": shape}),
            "OFFSETS": ("offsetsUnfit", {"where": title, **fits}),
            "OVERLAP": ("overlaps", {"where": title, "at": tensor.begin}),
            "HOLE": ("hole", {"where": title, "at": tensor.begin, "from": number}),
            "BEYOND": ("beyondEnd", {"where": title, "at": tensor.end, "size": number}),
            "TRAILING": ("trailing", {"n": number}),
        }
        if error in found:
            detail, params = found[error]
            return refusal("safetensors", detail, **params)
        expected = message(_JSON[error], sign=chr(number & 0x7F))
        before, rest = (
            self._data[_PREFIX:][part].tobytes().decode()
            for part in (slice(file.at), slice(file.at, file.data - _PREFIX))
        )
        # Characters as JavaScript counts them.
        told = {"where": "header", "expected": expected, "at": len(before.encode("utf-16-le")) // 2}
        if rest:
            return refusal("safetensors", "jsonAt", **told, given=rest)
        return refusal("safetensors", "jsonEnd", **told)


def read_tensors(data: NDArray[np.uint8]) -> tuple[dict[str, Stored], dict[str, str]]:
    """The tensors of a file, and its metadata, as the core reads it. Every byte belongs to one of them."""
    header = _Header(data)
    return header.tensors(), header.notes()


def write_tensors(tensors: Mapping[str, NDArray[np.float32]], metadata: Mapping[str, str]) -> bytes:
    """float32 tensors, sorted by name: equal tensors give equal bytes."""
    header: dict[str, Any] = {_METADATA: dict(sorted(metadata.items()))} if metadata else {}
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
