"""Signatures and documentation of functions that take options, from the rules that check these."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: By what a rule is called in the table.
_TYPES = {"array": "list", "boolean": "bool", "integerFrom": "int", "twoNumbers": "two floats"}
_RANGES = {"aboveZeroTo": "above 0", "numberBelow": "{low:g} to below {high:g}"}


def _takes(rule: Mapping[str, Any]) -> str:
    """A type, and a range if it has one: 'int 1 to 1024'."""
    detail = rule["detail"]
    if detail == "word":
        return " | ".join(f"'{word}'" for word in rule["words"])
    made = _TYPES.get(detail, "float")
    if rule.get("low") is None:
        return made
    ranged = _RANGES.get(detail, "{low} to {high}")
    return f"{made} {ranged.format(**rule)}"


def _left_out(key: str, defaults: Mapping[str, Mapping[str, Any]]) -> str:
    """What an option is where it is left out: in the first case, and in the others that differ."""
    (_, first), *others = ((case, values.get(key)) for case, values in defaults.items())
    values = ["" if first is None else repr(first)]
    values += [f"{case}: {value!r}" for case, value in others if value not in (first, case, None)]
    shown = "; ".join(filter(None, values))
    return f" [{shown}]" if shown else ""


def takes(
    rules: Mapping[str, Mapping[str, Any]], defaults: Mapping[str, Mapping[str, Any]], *others: str
) -> Callable[[_Function], _Function]:
    """Adds options to the signature, and to the documentation their rules; others: options without a rule.

    defaults: what is left out, by case.
    """
    width = max(map(len, rules), default=0)
    lines = [f"    {key:{width}}  {_takes(rule)}{_left_out(key, defaults)}" for key, rule in rules.items()]
    table = ["", "Options [and what they are where left out]:", *lines] if lines else []

    def document(function: _Function) -> _Function:
        plain = inspect.signature(function)
        kinds = inspect.Parameter
        named = [one for one in plain.parameters.values() if one.kind is not kinds.VAR_KEYWORD]
        more = [kinds(key, kinds.KEYWORD_ONLY, default=None) for key in (*rules, *others)]
        documented: Any = function
        documented.__signature__ = plain.replace(parameters=[*named, *more])
        documented.__doc__ = "\n".join([str(inspect.getdoc(function)), *table])
        return function

    return document
