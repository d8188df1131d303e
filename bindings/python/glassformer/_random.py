"""Random numbers that can be repeated, those of JavaScript: each depends on its seed and its place alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_One = TypeVar("_One")
_MASK = 2**32 - 1


def _mix(x: int) -> int:
    """Spreads 32 bits over 32 bits, one to one (the finaliser of Appleby's MurmurHash3)."""
    x = ((x ^ x >> 16) * 0x85EBCA6B) & _MASK
    x = ((x ^ x >> 13) * 0xC2B2AE35) & _MASK
    return x ^ x >> 16


def dice(seed: int, index: int) -> Callable[[int], int]:
    """Random integers from 0 to n - 1: the k-th throw is a hash of (seed, index, k)."""
    throws = 0

    def throw(n: int) -> int:
        nonlocal throws
        h = 0
        for word in (seed, index, throws):
            h = _mix(((h ^ word) + 0x9E3779B9) & _MASK)
        throws += 1
        return int(h / 2**32 * n)

    return throw


def shuffled(items: Sequence[_One], seed: int, index: int) -> list[_One]:
    """In a random order (Fisher and Yates)."""
    throw, out = dice(seed, index), list(items)
    for i in range(len(out) - 1, 0, -1):
        j = throw(i + 1)
        out[i], out[j] = out[j], out[i]
    return out
