"""What measured roles of heads say of three claims. Each verdict can come out negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ._bench import sum_of
from ._library import DATA

#: The thresholds of each verdict; bindings/lab/inside/verdicts.js says what they mean.
_RULES: dict[str, Any] = DATA["rules"]["verdicts"]

Heads = Sequence[Mapping[str, Any]]


def _of_relation(heads: Heads, name: str, relation: Mapping[str, Any]) -> dict[str, Any] | None:
    if relation["count"] < _RULES["LEAST_LINKS"]:
        return None

    def grade(one: Mapping[str, Any]) -> tuple[int, float]:
        score = one["relations"][name]
        more = score["attention"] >= _RULES["TIMES"] * relation["even"]
        return more + (more and score["largest"] >= relation["fixed"] + _RULES["MARGIN"]), score["attention"]

    best = max(heads, key=grade)
    return {"says": _RULES["GRADES"][grade(best)[0]], "layer": best["layer"], "head": best["head"]}


def _by_layer(heads: Heads) -> list[list[Mapping[str, Any]]]:
    layers = dict.fromkeys(one["layer"] for one in heads)
    return [[one for one in heads if one["layer"] == layer] for layer in layers]


def _of_reach(heads: Heads, reach: Sequence[Sequence[float]]) -> dict[str, Any]:
    layers = [sum_of([one["distance"] for one in layer]) / len(layer) for layer in _by_layer(heads)]

    def share(i: int, j: int) -> float:
        """In which part of the texts layer i looks farther than layer j."""
        return sum(text[i] > text[j] for text in reach) / len(reach)

    farther = [share(i, i - 1) for i in range(1, len(layers))]
    far = share(-1, 0) > _RULES["MOST"]
    each = bool(farther) and all(part >= _RULES["ALMOST_ALL"] for part in farther)
    return {"says": "holds" if each else "partly" if far else "fails", "layers": layers, "farther": farther}


def _depth(
    heads: Heads, even: Mapping[str, float], relations: Mapping[str, Mapping[str, Any]], names: Sequence[str]
) -> float | None:
    """The layer around which attention to a level centres, beyond even attention (Tenney et al. 2019)."""

    def best(layer: Heads, name: str) -> tuple[float, float]:
        if name == "previous":
            return max(one["previous"] for one in layer), even["previous"]
        return max(one["relations"][name]["attention"] for one in layer), relations[name]["even"]

    layers = [[best(layer, name) for name in names] for layer in _by_layer(heads)]
    weights = [sum_of([max(0.0, most - alike) for most, alike in layer]) for layer in layers]
    whole = sum_of(weights)
    if not whole or not any(most >= _RULES["SOME"] * alike for layer in layers for most, alike in layer):
        return None
    return sum_of([weight * place for place, weight in enumerate(weights)]) / whole


def _is_later(first: float | None, later: float | None) -> bool:
    return first is not None and later is not None and later >= first + _RULES["APART"]


def verdicts_of(
    heads: Heads,
    even: Mapping[str, float],
    relations: Mapping[str, Mapping[str, Any]],
    reach: Sequence[Sequence[float]],
    levels: Mapping[str, Sequence[str]] | None,
) -> dict[str, Any]:
    """Of relations, None where too few links tell; of reach; and, with levels, of their order."""
    order: dict[str, Any] | None = None
    if levels is not None:
        depth = {level: _depth(heads, even, relations, names) for level, names in levels.items()}
        every = list(depth.values())
        each = all(_is_later(first, later) for first, later in pairwise(every))
        partly = bool(every) and _is_later(every[0], every[-1])
        order = {"says": "holds" if each else "partly" if partly else "fails", "depth": depth}
    named = {name: _of_relation(heads, name, one) for name, one in relations.items()}
    return {"relations": named, "reach": _of_reach(heads, reach), "order": order}
