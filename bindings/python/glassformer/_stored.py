"""Tensors as files store them, and the float32 numbers that they are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import lib, text
from ._memory import memory
from ._nodes import Tensor
from .errors import code_of, failure
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
    """What the core computes with as it is stored: its number, the numbers of a block, and their bytes."""
    found: dict[str, tuple[int, int, int]] = {}
    kind = 0
    while (name := text(lib.gf_type_name(kind)).upper()) != "":
        if block := next((size for size in (1, 32, 256) if lib.gf_stored_bytes(kind, 8, size)), 0):
            found[name] = (kind, block, lib.gf_stored_bytes(kind, 8, block) // 8)
        kind += 1
    return found


_BLOCKS = _core_types()
#: The types whose numbers are floats.
FLOATS = list(dict.fromkeys([*_FLOATS, *_BLOCKS]))


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

    @property
    def fits_core(self) -> bool:
        """Whether the core can compute with it as it is stored."""
        return len(self.shape) == 2 and self.dtype in _BLOCKS

    def numbers(self) -> NDArray[Any]:
        """float32, or integers as they are; a view of the file where they can be used as they lie."""
        if self.dtype not in PLAIN:
            columns = self.shape[-1]
            rows = Stored(self.dtype, (self.size // columns, columns), self.data)
            return self.in_halves(StoredMatrix(rows).data.reshape(self.shape))
        raw = self.data.view(PLAIN[self.dtype]).reshape(self.shape)
        if self.dtype == "BF16":
            raw = (raw.astype(np.uint32) << 16).view(np.float32)
        elif self.dtype in _FLOATS:
            with np.errstate(over="ignore"):
                raw = raw.astype(np.float32, copy=False)
        return self.in_halves(raw)

    def in_halves(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Rows in the order of rotation here: it turns the halves of a head, and neighbours in some files."""
        if not self.pairs:
            return rows
        heads = rows.reshape(-1, self.pairs // 2, 2, *rows.shape[1:])
        return np.swapaxes(heads, 1, 2).reshape(rows.shape)


#: How products with a stored matrix are computed.
ARITHMETICS = ["exact", "integer"]


class StoredMatrix:
    """A parameter as its file stores it: the core computes with exactly the numbers that these bytes are."""

    def __init__(self, tensor: Stored, along: int = 1) -> None:
        self._kind, block, size = _BLOCKS[tensor.dtype]
        self._rows, self._columns = tensor.shape
        #: The dimension along which blocks lie: the file has the weights of a linear layer as [out, in].
        self._along = along
        #: 'q8_0', 'bf16', ...
        self.type = tensor.dtype.lower()
        #: How products with it are computed.
        self.arithmetic = "exact"
        #: Weights are [in, out].
        self.shape = tensor.shape if along else tensor.shape[::-1]
        self._memory = memory(lib.gf_stored_bytes(self._kind, self._rows, self._columns))
        from_file = tensor.data.reshape(self._rows, self._columns // block * size)
        given = np.ascontiguousarray(tensor.in_halves(from_file))
        place = (self._rows, self._columns, 0, self._rows)
        lib.gf_store(self._memory.ctypes.data, self._kind, *place, given.ctypes.data)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Of a copy: its memory is aligned, too."""
        self.__dict__.update(state)
        self._memory = memory(state["_memory"].nbytes)
        self._memory[:] = state["_memory"]

    def __repr__(self) -> str:
        return f"<{self.type} {list(self.shape)}>"

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self._memory.nbytes

    @property
    def data(self) -> NDArray[np.float32]:
        """The numbers in float32 and of its shape, made when asked for: a copy that cannot be written."""
        numbers = self._numbers() if self._along else self._numbers().T
        numbers.flags.writeable = False
        return numbers

    def _numbers(self) -> NDArray[np.float32]:
        """Row by row, by the core's embedding, which reads the rows of a stored table."""
        count = min(self._rows, max(1, _PIECE // self._columns))
        tape = Tape()
        table = tape.parameter("table", (self._rows, self._columns))
        places = tape.ids("places", (count,))
        made = tape.embed(table, places, name="rows")
        self._bind(table, 1)
        tape.plan(reuse=True)
        found = np.empty(table.shape, np.float32)
        for first in range(0, self._rows, count):
            some = min(count, self._rows - first)
            places.data[:some] = np.arange(first, first + some)
            tape.forward()
            found[first : first + some] = made.data[:some]
        return found

    def multiply_integers(self) -> bool:
        """Lets products be sums of integers, if it stores some; whether it does. Before it is bound."""
        if self.type not in ("f16", "bf16"):
            self.arithmetic = "integer"
        return self.arithmetic == "integer"

    def bind(self, leaf: Tensor) -> None:
        """Makes a parameter of a tape live here."""
        self._bind(leaf, self._along)
        lib.gf_use_integers(leaf.tape._at, leaf.id, self.arithmetic == "integer")

    def _bind(self, leaf: Tensor, along: int) -> None:
        at = leaf.tape._at
        if error := lib.gf_bind_stored(at, leaf.id, self._kind, along, self._memory.ctypes.data):
            told = {"name": leaf.name, "dtype": self.type.upper()}
            raise failure(code_of(error), "notStored", where="open", node=leaf.name, **told)
