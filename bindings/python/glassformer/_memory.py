"""Memory for the core, refused where the machine has not so much."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import failure

_ALIGNMENT = 64
#: Less is never refused: then nobody need ask the system.
_FEW = 2**26
_SYSTEM = Path("/proc/meminfo")


def _available() -> int:
    """How many bytes Linux can still give. Other systems refuse by themselves what they do not have."""
    try:
        found = re.search(r"MemAvailable: +(\d+) kB", _SYSTEM.read_text())
    except OSError:
        return sys.maxsize
    return 1024 * int(found[1]) if found else sys.maxsize


def check_room(size: int) -> None:
    """Refuses what would not fit: Linux promises it, and ends the process when it is written."""
    if size > _FEW and size > (free := _available()):
        raise failure("GF_EMEMORY", "beyondMachine", wanted=_megabytes(size), free=_megabytes(free))


def _megabytes(size: int) -> str:
    return f"{-(-size // 10**6):,}"


def memory(size: int) -> NDArray[np.uint8]:
    """Bytes that begin at a multiple of 64; whoever holds a view of them keeps them."""
    check_room(size)
    try:
        room = np.empty(size + _ALIGNMENT, np.uint8)
    except (MemoryError, ValueError):
        raise failure("GF_EMEMORY", "beyondProcess", wanted=_megabytes(size)) from None
    start = -room.ctypes.data % _ALIGNMENT
    return room[start : start + size]


def floats(size: int) -> NDArray[np.float32]:
    """Zeros, aligned."""
    room = memory(4 * size).view(np.float32)
    room[:] = 0
    return room
