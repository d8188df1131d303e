"""Sums: a logit, or a score, as what every part of the residual stream gives to it. In float64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ._bench import (
    PARTS,
    Bench,
    Floats,
    Grid,
    Inputs,
    Place,
    Trials,
    Value,
    added,
    changes_of,
    check_position,
    operand,
    sum_of,
)
from ._nodes import Tensor
from ._values import largest
from .errors import check_bool, check_integer, range_error

if TYPE_CHECKING:
    from .model import Model

#: Half a unit in the last place of float32, relative to the number.
_ROUNDING = 2**-24
#: Of a norm, besides its two sums: division, root, difference, the products with rate and gain, the bias.
_NORM_STEPS = 8
#: Steps that are not divided further, by their role.
_SOURCES = ("embedding", "position", "segment", "input")


@dataclass(frozen=True)
class Origin:
    """The step that made a part.

    source: 'embedding', 'position', 'segment', 'head', 'feed-forward', 'bias', 'input' of a model of vectors,
    'hidden' of a step that is not linear, or 'replaced' by an experiment; key, weight: the position that a
    head reads, and its attention weight there, where its part is taken apart by that.
    """

    name: str
    source: str
    stack: str | None = None
    layer: int | None = None
    part: str | None = None
    head: int | None = None
    key: int | None = None
    weight: float | None = None


@dataclass(frozen=True)
class LogitPart(Origin):
    """A part of a logit; products: pairs of its numbers and those of the unembedding, where asked for."""

    value: float = 0.0
    products: list[tuple[float, float]] | None = None


@dataclass(frozen=True)
class LogitAttribution:
    """Parts that add up to a logit, or to a difference of two.

    total: the core's number; sum: of the parts; bound: the two differ by no more, for rounding
    """

    position: int
    token: int
    against: int | None
    parts: list[LogitPart]
    total: float
    sum: float
    bound: float


@dataclass(frozen=True)
class Why:
    """Pairs that add up to a scaled score: each a part of the query times a part of the key.

    hidden: whether the mask hides this key; parts: name, places in queries and keys, value; total, sum and
    bound as of LogitAttribution
    """

    layer: int
    head: int
    query: int
    key: int
    hidden: bool
    queries: list[Origin]
    keys: list[Origin]
    parts: list[dict[str, Any]]
    total: float
    sum: float
    bound: float
    grid: Grid


@dataclass(frozen=True)
class _Portion:
    """A part of a vector; depth: how often the core rounded on the way from it to the vector."""

    origin: Origin
    values: Floats
    depth: int = 0

    def rounded(self) -> _Portion:
        return replace(self, depth=self.depth + 1)


def _wide(tensor: Tensor) -> Floats:
    return tensor.data.astype(np.float64)


def _optional(node: Tensor, k: int) -> Tensor | None:
    """An operand that may be left out."""
    return node.inputs[k] if k < len(node.inputs) else None


def _row(node: Tensor, token: int) -> Floats:
    """The last dimension at a token; of what is alike for all tokens the only row."""
    rows = node.data.reshape(-1, node.shape[-1])
    return rows[token if len(rows) > 1 else 0].astype(np.float64)


def _is_replaced(bench: Bench, node: Tensor, row: int, width: int) -> bool:
    cells = bench.replaced.get(node.id, set())
    return not cells.isdisjoint(range(row * width, (row + 1) * width))


def _norm_name(bench: Bench, node: Tensor) -> str:
    if node.layer is None:
        return f"{node.part or 'final'} norm"
    norms = [one for one in bench.nodes if one.role == "norm" and one.kind == "op"]
    inside = [one.id for one in norms if (one.stack, one.layer) == (node.stack, node.layer)]
    return f"norm {1 + inside.index(node.id)}"


def _origin(bench: Bench, node: Tensor, source: str, head: int | None = None) -> Origin:
    # An addition to the stream is behind the sublayer that it adds.
    part = operand(node, 1).part if node.role == "residual" else node.part
    about = (source, node.stack, node.layer, part, head)
    if head is not None:
        return Origin(bench.head_name(node, head), *about)
    maker = _norm_name(bench, node) if node.role == "norm" else part and PARTS.get(part)
    what = "stream" if node.role == "residual" else maker or node.role
    name = {"bias": f"{maker} bias", "replaced": f"{what} replaced"}.get(source, source)
    layer = "" if node.layer is None else f"layer {node.layer} "
    return Origin(bench.prefix(node.stack) + layer + name, *about)


def _bias(bench: Bench, node: Tensor, columns: slice = slice(None)) -> list[_Portion]:
    """That of a step, or nothing."""
    bias = _optional(node, 2)
    return [_Portion(_origin(bench, node, "bias"), _wide(bias)[columns], 1)] if bias else []


def _product(row: Floats, matrix: Floats) -> Floats:
    return np.asarray(added(row[:, None] * matrix))


def _mean(row: Floats) -> float:
    return sum_of(row) / len(row)


def _normed(bench: Bench, node: Tensor, token: int, by_key: bool) -> list[_Portion]:
    """A norm is linear once its scale is known: what it makes of the parts of its operand."""
    x, gain = operand(node, 0), _optional(node, 1)
    row, centred = _row(x, token), node.op == "layer_norm"
    mean = _mean(row) if centred else 0
    square = _mean((row - mean) * (row - mean))
    rate = 1 / math.sqrt(square + node.attributes["epsilon"])
    gains = _wide(gain) if gain else 1
    parts = [
        _Portion(
            one.origin,
            (one.values - (_mean(one.values) if centred else 0)) * rate * gains,
            one.depth + 2 * len(row) + _NORM_STEPS,
        )
        for one in _portions(bench, x, token, by_key)
    ]
    return [*parts, *_bias(bench, node)]


def _mixed(bench: Bench, concat: Tensor, token: int, head: int) -> list[tuple[float, Floats]] | None:
    """What a head makes of the values at each position: its weight, and that times the value.

    None where the step was taken out of the model, or replaced.
    """
    mix = operand(concat, 0)
    if mix.op != "matmul":
        return None
    weights, values = operand(mix, 0), operand(mix, 1)
    if any(one.bypassed is not None for one in (mix, weights, values)):
        return None
    _, heads, queries, keys = weights.shape
    _, groups, _, width = values.shape
    if _is_replaced(bench, mix, head * queries + token, width):
        return None
    if _is_replaced(bench, concat, token * heads + head, width):
        return None
    row = weights.data[0, head, token]
    rows = _wide(values)[0, head * groups // heads]
    return [(float(row[key]), float(row[key]) * rows[key]) for key in range(keys)]


def _outputs(bench: Bench, node: Tensor, token: int, by_key: bool) -> list[_Portion]:
    """The output of a sublayer: of an attention head by head, and its bias."""
    x, matrix = operand(node, 0), _wide(operand(node, 1))
    row = _row(x, token)
    heads = x.heads if x.role == "concat" else 0
    width, depth = len(row) // (heads or 1), len(row) + 1
    parts: list[_Portion] = []
    for head in range(heads or 1):
        origin = _origin(bench, node, "head" if heads else "feed-forward", head if heads else None)
        columns = slice(head * width, (head + 1) * width)
        split = _mixed(bench, x, token, head) if by_key and heads else None
        if split is None:
            parts.append(_Portion(origin, _product(row[columns], matrix[columns]), depth))
            continue
        for key, (weight, values) in enumerate(split):
            read = replace(origin, name=f"{origin.name} at {key}", key=key, weight=weight)
            parts.append(_Portion(read, _product(values, matrix[columns]), depth + len(split)))
    return [*parts, *_bias(bench, node)]


def _portions(bench: Bench, node: Tensor, token: int, by_key: bool = False) -> list[_Portion]:
    """The parts of a node at a token: their sum is its row, but for rounding.

    by_key: whether a head's part is taken apart by the positions that it reads
    """
    width = node.shape[-1]
    if _is_replaced(bench, node, token if node.size > width else 0, width):
        return [_Portion(_origin(bench, node, "replaced"), _row(node, token))]
    if node.bypassed is not None:
        return _portions(bench, operand(node, node.bypassed), token, by_key)
    if node.op == "add":
        return [one.rounded() for k in (0, 1) for one in _portions(bench, operand(node, k), token, by_key)]
    if node.op == "scale":
        inner = _portions(bench, operand(node, 0), token, by_key)
        factor = node.attributes["factor"]
        return [replace(one, values=factor * one.values).rounded() for one in inner]
    if node.op in ("layer_norm", "rms_norm"):
        return _normed(bench, node, token, by_key)
    if node.op == "linear" and node.role == "output":
        return _outputs(bench, node, token, by_key)
    source = node.role if node.role in _SOURCES else "hidden"
    return [_Portion(_origin(bench, node, str(source)), _row(node, token))]


def bound_of(depth: int, size: float) -> float:
    """What rounding can do to a sum: n 2^-24 times the sum of the products without their signs."""
    return depth * _ROUNDING * size


def _depth(parts: list[_Portion]) -> int:
    return max((one.depth for one in parts), default=0)


# ---- A logit ----


def unembedding(bench: Bench) -> Tensor:
    """The product that the logits come from: of a tied embedding the bias is a step of its own behind it."""
    return operand(bench.logits, 0) if bench.logits.op == "add" else bench.logits


def _terms(bench: Bench, position: int, token: int | None) -> tuple[Floats, float | None, float | None]:
    """A token's column of the unembedding, its bias, and the logit that an experiment put there."""
    logits, node = bench.logits, unembedding(bench)
    table = operand(node, 1)
    if token is None:
        return np.zeros(operand(node, 0).shape[-1]), None, None
    bias = _optional(node, 2) if node is logits else operand(logits, 1)
    cell = position * logits.shape[2] + token
    over = next((one for one in (logits, node) if cell in bench.replaced.get(one.id, ())), None)
    column = (table.data[token] if node.op == "matmul" else table.data[:, token]).astype(np.float64)
    return (
        np.zeros(len(column)) if over else column,
        float(bias.data[token]) if bias and over is not logits else None,
        float(over.data[0, position, token]) if over else None,
    )


def logit_attribution(
    model: Model,
    inputs: Inputs,
    *,
    position: int = -1,
    token: int | None = None,
    against: int | None = None,
    keys: bool = False,
    products: bool | str = False,
    at: Sequence[Place] | None = None,
    value: Value = "zero",
) -> LogitAttribution:
    """A logit as the sum of what embedding, positions, heads, feed-forwards and biases wrote into the stream.

    Every norm's scale is as it was in the run. position: -1 is the last; token: by default the largest;
    against: a token whose logit is subtracted; keys: whether a head's part is taken apart by the positions
    that it reads; products: whether parts come with the products that they are sums of, or the name of the
    only part that does; at, value: what is replaced before, as of ablate.
    """
    where = "logit_attribution"
    check_bool(f"{where}: keys", keys)
    if not isinstance(products, str):
        check_bool(f"{where}: products", products)
    bench = Bench(where, model, inputs)
    logits = bench.logits
    _, length, vocab = logits.shape
    position = check_position(f"{where}: position", position, length)
    for name, id in (("token", token), ("against", against)):
        if id is not None:
            check_integer(f"{where}: {name}", id, 0, vocab - 1)
    bench.run()
    if at is not None:
        trials = Trials(bench, None, None, at, ["value"])
        bench.run(changes_of(trials.touched, trials.values(model, bench, at, value)))
        for region in trials.touched:
            bench.replaced.setdefault(region.node.id, set()).update(map(int, region.cells))
    token = largest(where, logits.data[0, position]) if token is None else token
    return _attribute(bench, position, token, against, keys, products)


def _attribute(
    bench: Bench, position: int, token: int, against: int | None, keys: bool, products: bool | str
) -> LogitAttribution:
    plus, *one_numbers = _terms(bench, position, token)
    minus, *other_numbers = _terms(bench, position, against)
    column = plus - minus
    portions = _portions(bench, operand(unembedding(bench), 0), position, keys)
    size = 0.0
    parts: list[LogitPart] = []

    def add(origin: Origin, value: float, pairs: list[tuple[float, float]]) -> None:
        opened = products is True or products == origin.name
        parts.append(LogitPart(**asdict(origin), value=value, products=pairs if opened else None))

    sizes = np.abs(plus) + np.abs(minus)
    for one in portions:
        size = sum_of([size, *(np.abs(one.values) * sizes)])
        pairs = list(zip(one.values.tolist(), column.tolist(), strict=True))
        add(one.origin, sum_of(one.values * column), pairs)
    names = {"output bias": "bias", "logits replaced": "replaced"}
    for (name, source), first, second in zip(names.items(), one_numbers, other_numbers, strict=True):
        if first is None and second is None:
            continue
        value = (first or 0.0) - (second or 0.0)
        size += abs(first or 0.0) + abs(second or 0.0)
        add(Origin(name, source), value, [(value, 1.0)])
    if isinstance(products, str) and all(one.name != products for one in parts):
        raise range_error("noPartNamed", where=f"{bench.where}: products", name=products)
    row = bench.logits.data[0, position]
    total = float(row[token]) - (0.0 if against is None else float(row[against]))
    whole = sum_of([one.value for one in parts])
    bound = bound_of(_depth(portions) + len(column) + 2, size)
    return LogitAttribution(position, token, against, parts, total, whole, bound)


# ---- A score ----


def _rotated(part: _Portion, row: Floats, interleaved: bool) -> _Portion:
    """Turned by its position, as the rotation turns queries and keys; row: cosines and sines."""
    turned, pairs = part.values.copy(), len(row) // 2
    cosines, sines = row[::2], row[1::2]
    whole = 2 * pairs
    halves = (slice(pairs), slice(pairs, whole))
    u, v = (slice(0, whole, 2), slice(1, whole, 2)) if interleaved else halves
    turned[u] = part.values[u] * cosines - part.values[v] * sines
    turned[v] = part.values[v] * cosines + part.values[u] * sines
    return _Portion(part.origin, turned, part.depth + 2)


def _of_head(bench: Bench, node: Tensor, token: int, head: int) -> list[_Portion]:
    """The parts of a head's query or key [1,H,T,D] at a token."""
    x = operand(node, 0)
    if node.bypassed is not None:
        return _of_head(bench, x, token, head)
    if node.op == "rope":
        rotation = operand(node, 1)
        row = _wide(rotation).reshape(rotation.shape[0], -1)[token]
        interleaved = node.attributes["interleaved"] != 0
        return [_rotated(one, row, interleaved) for one in _of_head(bench, x, token, head)]
    columns = slice(head * node.shape[3], (head + 1) * node.shape[3])
    matrix = _wide(operand(x, 1))[:, columns]
    parts = [
        _Portion(one.origin, _product(one.values, matrix), one.depth + len(one.values) + 1)
        for one in _portions(bench, operand(x, 0), token)
    ]
    return [*parts, *_bias(bench, x, columns)]


def why(
    model: Model,
    inputs: Inputs,
    *,
    layer: int,
    head: int,
    stack: str | None = None,
    part: str = "self_attn",
    query: int = -1,
    key: int = 0,
) -> Why:
    """One scaled score as the sum over all pairs of a part of the query and a part of the key.

    stack: the last one by default; part: 'self_attn' or 'cross_attn'; query and key: positions, from 0;
    negative ones count from the end.
    """
    where = "why"
    bench = Bench(where, model, inputs)
    steps = bench.attention(where, layer, stack, part)
    _, heads, query_count, key_count = steps.scores.shape
    check_integer(f"{where}: head", head, 0, heads - 1)
    query = check_position(f"{where}: query", query, query_count)
    key = check_position(f"{where}: key", key, key_count)
    bench.run()
    q, k = operand(steps.scores, 0), operand(steps.scores, 1)
    factor = steps.scaled.attributes.get("factor", 1.0) if steps.scaled.bypassed is None else 1.0
    queries = _of_head(bench, q, query, head)
    keys = _of_head(bench, k, key, head * k.shape[1] // heads)
    values = [[factor * sum_of(a.values * b.values) for b in keys] for a in queries]
    of_query, of_key = (np.asarray(added([np.abs(one.values) for one in side])) for side in (queries, keys))
    size = abs(factor) * sum_of(of_query * of_key)
    pairs = [
        {"name": f"{a.origin.name} \N{MULTIPLICATION SIGN} {b.origin.name}", "query": i, "key": j}
        for i, a in enumerate(queries)
        for j, b in enumerate(keys)
    ]
    flat = [value for row in values for value in row]
    origins = [[one.origin for one in side] for side in (queries, keys)]
    names = [[one.name for one in side] for side in origins]
    axes = (("part of the query", names[0]), ("part of the key", names[1]))
    return Why(
        layer=layer,
        head=head,
        query=query,
        key=key,
        hidden=bool(steps.masked.data[0, head, query, key] == -np.inf),
        queries=origins[0],
        keys=origins[1],
        parts=[{**pair, "value": value} for pair, value in zip(pairs, flat, strict=True)],
        total=float(steps.scaled.data[0, head, query, key]),
        sum=sum_of(flat),
        bound=bound_of(_depth(queries) + _depth(keys) + len(of_query) + 2, size),
        grid=Grid(axes, values, "score"),
    )
