"""Numbers on their way into the core: nested lists or arrays, checked, and copied only where they must be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._memory import check_room
from .errors import INT32, check_int32, failure, no_cell, range_error, shown, type_error

#: Bytes that a number takes at most while it is checked.
_WIDEST = 8
Numbers = NDArray[np.float32] | NDArray[np.int32]


def array_of(where: str, values: Any, *, booleans: bool = False) -> NDArray[Any]:
    """Any numbers as an array, or booleans where they mean something."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise type_error("values", where=where, given=values) from None
    kind = array.dtype.kind
    if kind == "b" and not booleans and array.size:
        first = ",".join("0" * array.ndim)
        raise type_error("number", where=f"{where} at [{first}]" if first else where, given=array.flat[0])
    if kind not in "biuf" or np.ma.is_masked(values):
        raise type_error("values", where=where, given=values)
    check_room(_WIDEST * array.size)
    return array


def _as_core_reads(array: NDArray[Any], kind: Any) -> NDArray[Any]:
    """Contiguous and aligned; the array itself if it is that."""
    return np.require(array, kind, ["C", "A"]).reshape(array.shape)


def to_float32(array: NDArray[Any]) -> NDArray[np.float32]:
    """As the core reads it: the array itself if its layout allows."""
    with np.errstate(over="ignore"):
        return _as_core_reads(array, np.float32)


def to_int32(where: str, array: NDArray[Any]) -> NDArray[np.int32]:
    """The same for ids. Refuses what is no integer of 32 bits."""
    if array.dtype != np.int32:
        wide = array.astype(np.float64)
        wrong = (wide != np.trunc(wide)) | (wide < -INT32) | (wide >= INT32)
        if wrong.any():
            index = np.unravel_index(int(np.argmax(wrong)), array.shape)
            said = {"low": -INT32, "high": INT32 - 1, "given": array[index].item()}
            at = ",".join(str(i) for i in index)
            raise range_error("integerFrom", where=f"{where} at [{at}]" if index else where, **said)
    return _as_core_reads(array, np.int32)


def check_shape(where: str, shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, (tuple, list)):
        raise type_error("shape", where=where, given=shape)
    return tuple(check_int32(f"{where}: shape[{i}]", size) for i, size in enumerate(shape))


def fill(where: str, target: Numbers, values: Any) -> None:
    """Writes values of the target's shape into it; refuses wrong ones before anything is written."""
    if not target.flags.writeable:
        raise failure("GF_ESTATE", "readOnly", where=where)
    given = array_of(where, values, booleans=target.dtype == np.int32)
    if given.shape != target.shape:
        raise range_error("shapeAs", where=where, expected=target.shape, shape=given.shape)
    if target.dtype == np.int32:
        target[...] = to_int32(where, given)
    else:
        with np.errstate(over="ignore"):
            target[...] = given


def index_of(where: str, shape: Sequence[int], index: Any) -> tuple[int, ...]:
    """An index [i, j, ...] of one cell."""
    whole = tuple(index) if isinstance(index, (tuple, list)) else (index,)
    if len(whole) != len(shape):
        raise no_cell("indexInto", where=where, shape=shape, index=[shown(i) for i in whole])
    for i, size in zip(whole, shape, strict=True):
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < size:
            raise no_cell("noCell", where=where, shape=shape, index=[shown(i) for i in whole])
    return whole


def largest(where: str, row: NDArray[Any]) -> int:
    """Where the largest is; of equals the first. A row with NaN has none, and is refused."""
    wrong = np.flatnonzero(np.isnan(row))
    if wrong.size:
        raise range_error("scoreNaN", where=where, i=int(wrong[0]))
    return int(np.argmax(row))
