"""The form of a worked example: what a dict of one may hold. Whether its shapes fit, the tape tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ._values import check_shape
from .errors import (
    UINT32,
    check_bool,
    check_finite,
    check_int32,
    check_integer,
    check_list,
    check_mapping,
    check_options,
    check_text,
    check_word,
)

Check = Callable[[str, Any], Any]

#: Far more than any text prints.
_MAX_CHANNELS = 4096
_MAX_PATCHES = 256


def _list_of(check: Check) -> Check:
    def each(where: str, value: Any) -> None:
        check_list(where, value)
        for i, one in enumerate(value):
            check(f"{where}[{i}]", one)

    return each


def _record(due: Mapping[str, Check], others: Mapping[str, Check]) -> Check:
    """A dict with all of the first fields, and some of the second."""

    def fields(where: str, value: Any) -> None:
        check_mapping(where, value)
        check_options(where, value, [*due, *others])
        for key, check in {**due, **others}.items():
            if key in due or key in value:
                check(f"{where}.{key}", value.get(key))

    return fields


def _one_of(*words: str) -> Check:
    return lambda where, value: check_word(where, value, [*words])


def _integer(low: int, high: int) -> Check:
    return lambda where, value: check_integer(where, value, low, high)


_INTEGERS = _list_of(check_int32)
_UNIFORM = {"seed": _integer(0, UINT32), "low": check_finite, "high": check_finite}
_SEEDED = _record({"shape": check_shape, "uniform": _record(_UNIFORM, {})}, {"rows": _list_of(check_text)})
_PLACED = {"node": check_text, "positions": _INTEGERS, "channels": _integer(1, _MAX_CHANNELS)}
_FORM = _record(
    {},
    {
        **dict.fromkeys(("name", "title", "source", "about"), check_text),
        "tokens": _list_of(check_text),
        "vocabulary": _list_of(check_text),
        "attention": _record(
            {},
            {
                "heads": check_int32,
                "causal": check_bool,
                "positions": _one_of("rotary", "alibi"),
                "scale": check_finite,
            },
        ),
        # Which leaves there are, the one who builds them knows.
        "inputs": check_mapping,
        "positions": _list_of(_record(_PLACED, {"dots": check_bool, "shift": check_int32})),
        "cut": _record({"text": check_text, "corpus": check_text, "merges": _list_of(check_text)}, {}),
        "patches": _record(
            dict.fromkeys(("rows", "columns", "height", "width"), _integer(1, _MAX_PATCHES)), {}
        ),
        "layer": _record(
            {},
            {
                "norm": _one_of("before", "after", "none"),
                "epsilon": check_finite,
                "activation": _one_of("relu", "gelu"),
            },
        ),
        "loss": _record({}, {}),
        "adam": _record(
            {"rate": check_finite},
            {**dict.fromkeys(("beta1", "beta2", "epsilon"), check_finite), "step": check_int32},
        ),
        "norm": _record({"epsilon": check_finite}, {}),
        "smoothing": _record({"epsilon": check_finite}, {}),
        "schedule": _record(
            {"kind": _one_of("noam"), "dModel": check_int32, "warmup": check_int32, "steps": _INTEGERS},
            {},
        ),
        "printed": check_mapping,
        "asides": _list_of(check_mapping),
    },
)


def check_example(given: Any, leaves: Iterable[str]) -> None:
    """Refuses what is no example; leaves: those that it may have."""
    where = "trace: example"
    _FORM(where, given)
    inputs = given.get("inputs", {})
    check_options(f"{where}.inputs", inputs, leaves)
    for name, values in inputs.items():
        if not isinstance(values, (list, tuple, np.ndarray)):
            _SEEDED(f"{where}.inputs.{name}", values)
