"""Tensors as files store them, and the float32 numbers that they are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import lib, memory, text
from .tape import Tape

#: bfloat16 is the upper half of a float32, for which numpy has no type.
PLAIN = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "U64": "<u8",
    "I32": "<i4",
    "U32": "<u4",
    "I16": "<i2",
    "U16": "<u2",
    "I8": "i1",
    "U8": "u1",
    "BOOL": "u1",
}
_FLOATS = ("F64", "F32", "F16", "BF16")
#: As many numbers as the core expands at once.
_PIECE = 2**18


def _core_types() -> dict[str, tuple[int, int, int]]:
    """What the core makes float32 numbers of: its number, the numbers of a block, and their bytes."""
    found: dict[str, tuple[int, int, int]] = {}
    kind = 0
    while (name := text(lib.gf_type_name(kind)).upper()) != "":
        blocks = [size for size in (32, 256) if lib.gf_stored_bytes(kind, 8, size)]
        if blocks and name not in PLAIN:
            found[name] = (kind, blocks[0], lib.gf_stored_bytes(kind, 8, blocks[0]) // 8)
        kind += 1
    return found


_BLOCKS = _core_types()
#: The types whose numbers are floats.
FLOATS = [*_FLOATS, *_BLOCKS]


def block_of(dtype: str) -> tuple[int, int]:
    """The numbers of a block, and the bytes that they take."""
    if dtype in PLAIN:
        return 1, np.dtype(PLAIN[dtype]).itemsize
    _, block, size = _BLOCKS[dtype]
    return block, size


@dataclass
class Stored:
    """A tensor of a file."""

    dtype: str
    #: As PyTorch has it.
    shape: tuple[int, ...]
    data: NDArray[np.uint8] = field(repr=False)
    #: The rows of each head, of so many, are in the order of rotation in neighbours.
    pairs: int | None = None

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def numbers(self) -> NDArray[Any]:
        """float32, or integers as they are; a view of the file where they can be used as they lie."""
        if self.dtype in _BLOCKS:
            return self._expanded().reshape(self.shape)
        raw = self.data.view(PLAIN[self.dtype]).reshape(self.shape)
        if self.dtype == "BF16":
            return (raw.astype(np.uint32) << 16).view(np.float32)
        if self.dtype in _FLOATS:
            with np.errstate(over="ignore"):
                return raw.astype(np.float32, copy=False)
        return raw

    def _expanded(self) -> NDArray[np.float32]:
        """By the core, whose embedding reads the rows of a stored table."""
        kind, block, size = _BLOCKS[self.dtype]
        columns = self.shape[-1]
        rows, stride = self.size // columns, columns // block * size
        count = min(rows, max(1, _PIECE // columns))
        strips = memory(lib.gf_stored_bytes(kind, count, columns))
        tape = Tape()
        table, places = tape.parameter("table", (count, columns)), tape.ids("places", (count,))
        made = tape.embed(table, places, name="rows")
        lib.gf_bind_stored(tape._at, table.id, kind, 1, strips.ctypes.data)
        tape.plan(reuse=True)
        places.data[...] = np.arange(count)
        found = np.empty((rows, columns), np.float32)
        for row in range(0, rows, count):
            some = min(count, rows - row)
            piece = np.ascontiguousarray(self.data[row * stride : (row + some) * stride])
            lib.gf_store(strips.ctypes.data, kind, count, columns, 0, some, piece.ctypes.data)
            tape.refresh()
            tape.forward()
            found[row : row + some] = made.data[:some]
        return found
