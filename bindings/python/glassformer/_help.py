"""What help() and the tab key tell of options: the tables that check them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

_Told = TypeVar("_Told", bound=Callable[..., Any])
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
    told = ["" if first is None else repr(first)]
    told += [f"{case}: {value!r}" for case, value in others if value not in (first, case, None)]
    shown = "; ".join(filter(None, told))
    return f" [{shown}]" if shown else ""


def takes(
    rules: Mapping[str, Mapping[str, Any]], defaults: Mapping[str, Mapping[str, Any]], *others: str
) -> Callable[[_Told], _Told]:
    """Adds options to the signature, and to the documentation their rules; others: options without a rule.

    defaults: what is left out, by case.
    """
    width = max(map(len, rules), default=0)
    lines = [f"    {key:{width}}  {_takes(rule)}{_left_out(key, defaults)}" for key, rule in rules.items()]
    table = ["", "Options [and what they are where left out]:", *lines] if lines else []

    def tell(told: _Told) -> _Told:
        plain = inspect.signature(told)
        kinds = inspect.Parameter
        own = [one for one in plain.parameters.values() if one.kind is not kinds.VAR_KEYWORD]
        more = [kinds(key, kinds.KEYWORD_ONLY, default=None) for key in (*rules, *others)]
        function: Any = told
        function.__signature__ = plain.replace(parameters=[*own, *more])
        function.__doc__ = "\n".join([str(inspect.getdoc(told)), *table])
        return told

    return tell
