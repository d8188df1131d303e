"""What the tables of the families mean, which the build makes of JavaScript's.

They compute with values of JSON as JavaScript does: an object is a dict, undefined is None, and what is not
there is None.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .errors import refusal


def truthy(value: Any) -> bool:
    """All but undefined, null, false, 0, NaN and ''."""
    if value is None or isinstance(value, (bool, str)):
        return bool(value)
    return not isinstance(value, (int, float)) or not (value == 0 or math.isnan(value))


def same(a: Any, b: Any) -> bool:
    """a === b, save that lists and dicts of equal contents are one."""
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def differ(a: Any, b: Any) -> bool:
    return not same(a, b)


def both(a: Any, b: Callable[[], Any]) -> Any:
    return b() if truthy(a) else a


def either(a: Any, b: Callable[[], Any]) -> Any:
    return a if truthy(a) else b()


def given(a: Any, b: Callable[[], Any]) -> Any:
    return b() if a is None else a


def divided(a: Any, b: Any) -> Any:
    """A quotient, an int where it is whole: both print alike in JavaScript."""
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, a)
    return a // b if isinstance(a, int) and isinstance(b, int) and a % b == 0 else a / b


def rest(a: Any, b: Any) -> Any:
    return math.fmod(a, b) if b and math.isfinite(a) else math.nan


def get(value: Any, key: Any) -> Any:
    """A member, or None."""
    if isinstance(value, Mapping):
        return value.get(key)
    if key == "length":
        return len(value)
    if isinstance(value, (list, tuple, str)) and isinstance(key, int):
        return value[key] if 0 <= key < len(value) else None
    return None


def spread(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def without(value: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in keys}


def is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def refusing(part: str) -> Callable[..., Any]:
    def refuse(detail: str, params: Mapping[str, Any]) -> Any:
        raise refusal(part, detail, **params)

    return refuse


# ---- Methods ----


def _replace(text: str, what: Any, by: str) -> str:
    return what.sub(by, text, count=1) if isinstance(what, re.Pattern) else text.replace(what, by, 1)


def _reduce(values: Iterable[Any], function: Callable[..., Any]) -> Any:
    made, *others = values
    for one in others:
        made = function(made, one)
    return made


def _flat(values: Iterable[Any]) -> list[Any]:
    return [one for part in values for one in (part if isinstance(part, list) else [part])]


def _index(values: list[Any], wanted: Any, start: int = 0) -> int:
    return next((i for i in range(start, len(values)) if same(values[i], wanted)), -1)


def _groups(pattern: re.Pattern[str], text: str) -> list[str | None] | None:
    found = pattern.search(text)
    return found and [found[0], *found.groups()]


_METHODS: dict[str, Callable[..., Any]] = {
    "endsWith": lambda text, end: text.endswith(end),
    "every": lambda values, fits: all(truthy(fits(one, i)) for i, one in enumerate(values)),
    "exec": _groups,
    "filter": lambda values, fits: [one for i, one in enumerate(values) if truthy(fits(one, i))],
    "flat": _flat,
    "flatMap": lambda values, make: _flat([make(one, i) for i, one in enumerate(values)]),
    "includes": lambda values, one: one in values if isinstance(values, str) else _index(values, one) >= 0,
    "indexOf": _index,
    "map": lambda values, make: [make(one, i) for i, one in enumerate(values)],
    "reduce": _reduce,
    "replace": _replace,
    "split": lambda text, sign: text.split(sign),
    "test": lambda pattern, text: pattern.search(text) is not None,
}


def call(value: Any, name: str, *arguments: Any) -> Any:
    """A method, or a function that is a member of an object."""
    if isinstance(value, Mapping):
        return value[name](*arguments)
    return _METHODS[name](value, *arguments)


# ---- Globals ----


def String(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "undefined", True: "true", False: "false"}[value]
    if isinstance(value, (list, tuple)):
        return ",".join("" if one is None else String(one) for one in value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def Boolean(value: Any) -> bool:
    return truthy(value)


class _Number(dict[str, Any]):
    """Number(value), and what it has."""

    def __call__(self, value: Any) -> Any:
        if isinstance(value, bool):
            return int(value)
        try:
            return value if isinstance(value, (int, float)) else float(value)
        except (TypeError, ValueError):
            return math.nan


def _is_integer(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value) and value == math.floor(value)


def _trunc(value: float) -> Any:
    return math.trunc(value) if math.isfinite(value) else value


def _fround(value: Any) -> float:
    return ctypes.c_float(value).value if isinstance(value, (int, float)) else math.nan


def _array(value: Mapping[str, Any], make: Callable[..., Any]) -> list[Any]:
    return [make(None, i) for i in range(int(value["length"]))]


Number = _Number(isInteger=_is_integer)
Math: dict[str, Any] = {
    "PI": math.pi,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "fround": _fround,
    "max": max,
    "min": min,
    "trunc": _trunc,
}
Array: dict[str, Any] = {
    "from": _array,
    "isArray": lambda value: isinstance(value, (list, np.ndarray)),
}
Object: dict[str, Any] = {
    "entries": lambda value: [list(one) for one in value.items()],
    "fromEntries": dict,
    "keys": list,
    "values": lambda value: list(value.values()),
}
