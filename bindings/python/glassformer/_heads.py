"""What heads do: how they attend, where attention leads, and what their weights mean to the vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, log2
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._bench import (
    ATTENTIONS,
    MOST_LAYERS,
    STACKS,
    AttentionSteps,
    Bench,
    Floats,
    Grid,
    Inputs,
    added,
    attentions_of,
    operand,
    sum_of,
)
from ._nodes import Tensor
from ._parts import bound_of, unembedding
from ._random import dice
from ._verdicts import verdicts_of
from .errors import (
    TINY,
    UINT32,
    check_bool,
    check_finite,
    check_integer,
    check_list,
    check_mapping,
    check_model,
    check_options,
    check_real,
    check_text,
    check_word,
    range_error,
    type_error,
)

if TYPE_CHECKING:
    from .model import Model
    from .tape import Tape

_Work = TypeVar("_Work")
_REPEATED = 20
_LOGARITHMS = "scores.log_weights"
_MOST_TOKENS = 2048
_MAX_FLOAT32 = float(np.finfo(np.float32).max)
#: A capacity below this is a rounding error.
_EPSILON = 1e-12


def _rows(node: Tensor, head: int) -> Floats:
    """Those of a head of [1,H,Tq,Tk]."""
    return np.asarray(node.data[0, head], np.float64)


def _mean(values: Sequence[float]) -> float | None:
    return sum_of(values) / len(values) if len(values) else None


def _largest(values: Sequence[float]) -> float:
    """0 of none; NaN if one is."""
    return float(np.max(values, initial=0))


# ---- Symmetry ----


@dataclass(frozen=True)
class HeadSymmetry:
    """How far the weight of i for j is from that of j for i, over all pairs of different positions.

    difference: the mean of |a_ij - a_ji|, None without pairs; share: their sum over that of a_ij + a_ji, from
    0, the same in both directions, to 1; None where none attends.
    """

    name: str
    stack: str
    layer: int
    head: int
    difference: float | None
    share: float | None


@dataclass(frozen=True)
class Symmetry:
    """Of each head of the self-attentions."""

    heads: list[HeadSymmetry]


def _compare(rows: Floats) -> tuple[float | None, float | None]:
    i, j = np.tril_indices(len(rows), -1)
    difference, both = sum_of(np.abs(rows[i, j] - rows[j, i])), sum_of(rows[i, j] + rows[j, i])
    return difference / len(i) if len(i) else None, difference / both if both > 0 else None


def symmetry(model: Model, inputs: Inputs) -> Symmetry:
    """For each head of the self-attentions, how far attention in one direction is from that in the other."""
    bench = Bench("symmetry", model, inputs)
    bench.run()
    return Symmetry(
        [
            HeadSymmetry(bench.head_name(one, h), one.stack, one.layer, h, *_compare(_rows(one.weights, h)))
            for one in attentions_of(bench.nodes)
            if one.part == "self_attn"
            for h in range(one.heads)
        ]
    )


# ---- Information ----


def information(weights: ArrayLike, noise: float = 0.01) -> list[float]:
    """The bits of each value that a weighted sum lets through, as of a Gaussian channel (Shannon 1948).

    weights: a row of attention weights; noise: its variance, above 0. The values count as independent normal
    numbers of variance 1: I = 1/2 log2((sum of all a^2 + noise) / (the same without a_j^2)). The logarithm is
    the system's: its last digit may be another one than in JavaScript.
    """
    row = check_list("information: weights", weights)
    check_real("information: noise", noise, TINY, _MAX_FLOAT32)
    powers = [check_finite(f"information: weights[{j}]", a) for j, a in enumerate(row)]
    powers = [a * a for a in powers]
    #: Of those behind each one.
    behind = np.cumsum([0.0, *powers[::-1]])[::-1].tolist()
    before, bits = float(noise), []
    for power, rest in zip(powers, behind[1:], strict=True):
        others = before + rest
        before += power
        bits.append(log2((others + power) / others) / 2)
    return bits


# ---- Scores ----


@dataclass(frozen=True)
class HeadScore:
    """Attention from 0 to 1, each a mean over positions; None where no position has such a token.

    previous, first: to the token before, to the first one; duplicate: to earlier copies of a token;
    induction: in random tokens that are repeated, to the one behind the copy, of a gpt alone; entropy: of the
    weights, in nats. Of attention to another sequence only entropy is measured.
    """

    name: str
    stack: str
    layer: int
    part: str
    head: int
    previous: float | None
    first: float | None
    duplicate: float | None
    induction: float | None
    entropy: float


@dataclass(frozen=True)
class HeadScores:
    """repeated: the random tokens that induction is measured on."""

    heads: list[HeadScore]
    repeated: list[int] | None


def _on_itself(rows: Floats, tokens: Any) -> tuple[float | None, float | None, float | None]:
    later = range(1, len(rows))
    copies: list[float] = []
    for i in range(len(rows)):
        same = [] if tokens is None else [j for j in range(i) if tokens[j] == tokens[i]]
        if same:
            copies.append(sum_of(rows[i, same]))
    return _mean([rows[i, i - 1] for i in later]), _mean([rows[i, 0] for i in later]), _mean(copies)


def _entropy(rows: Floats, logarithms: Floats) -> float:
    """A mean over the rows."""
    with np.errstate(invalid="ignore"):
        terms = np.where(rows > 0, -(rows * logarithms), 0)
    return float(_mean(added(terms.T)) or 0.0)


def _tokens(bench: Bench, weights: Tensor) -> Any:
    """The ids that a stack's attention attends with; None where the model reads vectors."""
    whose = weights.sequences[2]
    leaves = (node for node in bench.nodes if node.role == "tokens" and node.sequences[1] == whose)
    leaf = next(leaves, None)
    return leaf.data.reshape(-1) if leaf else None


def _repeated(bench: Bench, repeat: Any) -> list[int] | None:
    """Random tokens, and the same again; None where a model does not read on from them."""
    where = f"{bench.where}: repeat"
    check_options(where, repeat, ["length", "seed"])
    config = bench.config
    most = config["max_length"] // 2
    seed = check_integer(f"{where}: seed", repeat.get("seed", 0), 0, UINT32)
    if config["kind"] != "gpt" or not config["vocab"] or most < 2:
        return None
    length = check_integer(f"{where}: length", repeat.get("length", min(_REPEATED, most)), 2, most)
    throw = dice(seed, 0)
    return [throw(config["vocab"]) for _ in range(length)] * 2


def head_scores(model: Model, inputs: Inputs, *, repeat: Mapping[str, int] | None = None) -> HeadScores:
    """How much each head attends to the token before, the first, earlier copies, and behind them (induction).

    repeat: {"length", "seed"} of the random tokens, by default 20 or as many as fit twice, of seed 0
    """
    where = "head_scores"

    def more(tape: Tape) -> None:
        # By the core, whose logarithms are the same everywhere.
        for i, one in enumerate(attentions_of(tape.nodes)):
            tape.log_softmax(one.masked, name=f"{_LOGARITHMS}.{i}")

    bench = Bench(where, model, inputs, more)
    repeated = _repeated(bench, {} if repeat is None else repeat)
    bench.run()
    again: list[AttentionSteps] | None = None
    if repeated:
        twice = Bench(where, model, {"target": repeated})
        twice.run()
        again = attentions_of(twice.nodes)
    half = len(repeated or []) // 2
    heads: list[HeadScore] = []
    for place, one in enumerate(attentions_of(bench.nodes)):
        tokens = _tokens(bench, one.weights)
        logarithms = bench.tape[f"{_LOGARITHMS}.{place}"]
        for h in range(one.heads):
            rows = _rows(one.weights, h)
            itself = _on_itself(rows, tokens) if one.part == "self_attn" else (None, None, None)
            behind = _rows(again[place].weights, h)[half:] if again else None
            induction = None if behind is None else _mean([row[i + 1] for i, row in enumerate(behind)])
            entropy = _entropy(rows, _rows(logarithms, h))
            about = (bench.head_name(one, h), one.stack, one.layer, one.part, h)
            heads.append(HeadScore(*about, *itself, induction, entropy))
    return HeadScores(heads, repeated)


# ---- Roles ----


@dataclass(frozen=True)
class HeadRoles:
    """What heads look at in texts whose links are known.

    heads: dicts with name, layer, head, distance in tokens, previous, and of each relation attention to the
    linked tokens and largest, on how many links the largest weight is on one; even: the same of a head that
    attends to all tokens alike; relations: count, even, offset, the most frequent distance, and fixed, how
    many links have it; verdicts: what the numbers say, 'holds', 'partly' or 'fails', of relations, of reach
    and, with levels, of their order.
    """

    stack: str
    texts: int
    heads: list[dict[str, Any]]
    even: dict[str, float]
    relations: dict[str, dict[str, Any]]
    verdicts: dict[str, Any]


class _Sums:
    """Over texts; reach: of each text, the mean distance of each layer."""

    def __init__(self) -> None:
        self.tokens = 0
        self.later = 0
        self.even = {"distance": 0.0, "previous": 0.0}
        self.heads: list[dict[str, Any]] = []
        self.relations: dict[str, dict[str, Any]] = {}
        self.reach: list[list[float]] = []

    def add_text(self, links: Sequence[Mapping[str, Any]], masked: Tensor) -> None:
        """Adds what is true of a text whatever a head does."""
        seen = _rows(masked, 0) > -inf
        allowed = [int(row.sum()) for row in seen]
        for i, row in enumerate(seen):
            self.even["distance"] += int(np.abs(i - np.flatnonzero(row)).sum()) / allowed[i]
            self.even["previous"] += 1 / allowed[i] if i else 0
        self.tokens += len(seen)
        self.later += len(seen) - 1
        for link in links:
            sums = {"count": 0, "even": 0.0, "offsets": Counter()}
            one = self.relations.setdefault(link["relation"], sums)
            one["count"] += 1
            one["even"] += len(link["keys"]) / allowed[link["query"]]
            one["offsets"].update(key - link["query"] for key in link["keys"])

    def add_run(self, bench: Bench, links: Sequence[Mapping[str, Any]], runs: list[AttentionSteps]) -> None:
        """Adds what each head does in a text."""
        self.add_text(links, runs[0].masked)
        named = [(one, h) for one in runs for h in range(one.heads)]
        if not self.heads:
            sums = {"distance": 0.0, "previous": 0.0}
            self.heads = [
                {"name": bench.head_name(one, h), "layer": one.layer, "head": h, **sums, "relations": {}}
                for one, h in named
            ]
        distances: dict[int, list[float]] = {}
        for sums, (one, h) in zip(self.heads, named, strict=True):
            distances.setdefault(one.layer, []).append(self._add_head(sums, links, _rows(one.weights, h)))
        self.reach.append([sum_of(layer) / len(layer) for layer in distances.values()])

    @staticmethod
    def _add_head(sums: dict[str, Any], links: Sequence[Mapping[str, Any]], rows: Floats) -> float:
        """Gives its mean distance here."""
        length = len(rows)
        away = np.abs(np.arange(length)[:, None] - np.arange(rows.shape[1]))
        distance = sum_of(added((rows * away).T))
        sums["previous"] = sum_of([sums["previous"], *(rows[i, i - 1] for i in range(1, length))])
        sums["distance"] += distance
        for link in links:
            score = sums["relations"].setdefault(link["relation"], {"attention": 0.0, "largest": 0})
            row = rows[link["query"]]
            score["attention"] += sum_of(row[list(link["keys"])])
            score["largest"] += int(np.argmax(row)) in link["keys"]
        return distance / length

    def means(self) -> tuple[list[dict[str, Any]], dict[str, float], dict[str, dict[str, Any]]]:
        relations: dict[str, dict[str, Any]] = {}
        for name, one in self.relations.items():
            often = sorted(one["offsets"].items(), key=lambda pair: (-pair[1], abs(pair[0])))
            offset, most = often[0] if often else (0, 0)
            count = one["count"]
            relations[name] = {
                "count": count,
                "even": one["even"] / count,
                "offset": offset,
                "fixed": most / count,
            }

        def of_tokens(sums: Mapping[str, Any]) -> dict[str, float]:
            previous = sums["previous"] / self.later if self.later else 0.0
            return {"distance": sums["distance"] / self.tokens, "previous": previous}

        heads = [
            {
                **one,
                **of_tokens(one),
                "relations": {
                    name: {key: value / relations[name]["count"] for key, value in score.items()}
                    for name, score in one["relations"].items()
                },
            }
            for one in self.heads
        ]
        return heads, of_tokens(self.even), relations


def _check_links(where: str, links: Any, tokens: int) -> list[Any]:
    checked = check_list(f"{where}: links", links)
    for i, link in enumerate(checked):
        place = f"{where}: links[{i}]"
        check_options(place, link, ["relation", "query", "keys"])
        check_text(f"{place}: relation", link.get("relation"))
        check_integer(f"{place}: query", link.get("query"), 0, tokens - 1)
        for k, key in enumerate(check_list(f"{place}: keys", link.get("keys"))):
            check_integer(f"{place}: keys[{k}]", key, 0, tokens - 1)
    return checked


def head_roles(
    model: Model,
    texts: Sequence[Mapping[str, Any]],
    *,
    stack: str | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
) -> HeadRoles:
    """What each head looks at in texts: how far, at the token before, and along links that are known.

    texts: dicts with inputs, and links: {"relation": a name of yours, "query": the position that would
    attend, "keys": those that it would attend to}; stack: the last one by default; levels: relations, or
    'previous', in the order in which layers should come to them.
    """
    where = "head_roles"
    every = check_list(f"{where}: texts", texts)
    if not every:
        raise range_error("emptySet", where=f"{where}: texts")
    sums, chosen = _Sums(), ""
    for i, text in enumerate(every):
        place = f"{where}: texts[{i}]"
        check_options(place, text, ["inputs", "links"])
        bench = Bench(place, model, text.get("inputs", {}))
        chosen = bench.stack_of(where, {"layer": 0, "stack": stack})
        runs = [one for one in attentions_of(bench.nodes) if (one.stack, one.part) == (chosen, "self_attn")]
        if not runs:
            raise range_error("noPartAt", where=where, part="self_attn", layer=0, stack=chosen)
        links = _check_links(place, text.get("links"), runs[-1].weights.shape[2])
        bench.tape.forward(None, runs[-1].weights)
        sums.add_run(bench, links, runs)
    heads, even, relations = sums.means()
    if levels is not None:
        check_mapping(f"{where}: levels", levels)
    for level, names in (levels or {}).items():
        for i, name in enumerate(check_list(f'{where}: levels: "{level}"', names)):
            check_word(f'{where}: levels: "{level}"[{i}]', name, ["previous", *relations])
    verdicts = verdicts_of(heads, even, relations, sums.reach, levels)
    return HeadRoles(chosen, len(every), heads, even, relations, verdicts)


# ---- Without a head ----


def without_head(model: Model, place: Mapping[str, Any], work: Callable[[], _Work]) -> _Work:
    """Does a work while one head of a model adds nothing to the stream, and gives what it gives.

    place: {"stack": 'encoder' or 'decoder', "layer", "head", "part": 'self_attn' by default or 'cross_attn'};
    the rows of the output projection that read it are zeros meanwhile, for all that run the model.
    """
    where = "without_head"
    check_model(where, model)
    check_options(where, place, ["stack", "layer", "head", "part"])
    stack, part = place.get("stack"), place.get("part", "self_attn")
    check_word(f"{where}: stack", stack, STACKS)
    check_word(f"{where}: part", part, ATTENTIONS)
    layer = check_integer(f"{where}: layer", place.get("layer"), 0, MOST_LAYERS)
    heads = model.config["heads"]
    head = check_integer(f"{where}: head", place.get("head"), 0, heads - 1)
    if not callable(work):
        raise type_error("listener", where=f"{where}: work", given=work)
    output = model.parameters[f"{stack}.layers.{layer}.{part}.out_proj.weight"]
    size = output.shape[0] // heads
    rows = output.data[head * size : (head + 1) * size]
    kept = rows.copy()
    rows[...] = 0
    try:
        return work()
    finally:
        rows[...] = kept


# ---- Rollout and flow ----


@dataclass(frozen=True)
class RolloutLayer:
    """After a layer: grid.values[i][j] is the share of position i that comes from token j.

    flow: as much as can get from token j to position i, if each weight is a pipe that holds as much.
    """

    name: str
    stack: str
    layer: int
    grid: Grid
    flow: Grid | None


@dataclass(frozen=True)
class Rollout:
    """row_sums: how far a sum of a row is from 1, at most; cut: how far a flow is from its smallest cut."""

    layers: list[RolloutLayer]
    row_sums: float
    cut: float | None


def rollout(model: Model, inputs: Inputs, *, flow: bool = False) -> Rollout:
    """What reaches each position from each token through the self-attentions: (A + I) / 2, layer by layer.

    A is the mean of the heads' weights; flow: whether the attention flow is computed, too (Abnar and Zuidema
    2020).
    """
    check_bool("rollout: flow", flow)
    bench = Bench("rollout", model, inputs)
    bench.run()
    layers: list[RolloutLayer] = []
    below: list[Floats] = []
    cuts: list[float] = []
    sums: list[float] = []
    values = np.zeros((0, 0))
    for one in attentions_of(bench.nodes):
        if one.part != "self_attn":
            continue
        mixing = (added(one.weights.data[0]) / one.heads + np.eye(one.weights.shape[2])) / 2
        goes_on = bool(layers) and layers[-1].stack == one.stack
        below = [*below, mixing] if goes_on else [mixing]
        values = np.array([added(row[:, None] * values) for row in mixing]) if goes_on else mixing
        labels = list(map(str, range(len(mixing))))
        axes = (("position", labels), ("token", labels))
        flows, differences = _flow(below) if flow else (None, [])
        cuts += differences
        sums += [abs(sum_of(row) - 1) for row in values]
        grid = Grid(axes, [row.tolist() for row in values], "share")
        name = f"{bench.prefix(one.stack)}layer {one.layer}"
        flow_grid = Grid(axes, flows, "flow") if flows else None
        layers.append(RolloutLayer(name, one.stack, one.layer, grid, flow_grid))
    return Rollout(layers, _largest(sums), _largest(cuts) if flow else None)


class _Network:
    """Edges, each followed by its reverse; position p above l layers is vertex l T + p."""

    def __init__(self, layers: list[Floats]) -> None:
        length = len(layers[0])
        self.heads: list[int] = []
        self.capacities: list[float] = []
        #: The edges from each vertex.
        self.edges: list[list[int]] = [[] for _ in range((len(layers) + 1) * length)]
        for layer, rows in enumerate(layers):
            for i, row in enumerate(rows.tolist()):
                for j, weight in enumerate(row):
                    if weight <= 0:
                        continue
                    low, high = layer * length + j, (layer + 1) * length + i
                    self.edges[low].append(len(self.heads))
                    self.edges[high].append(len(self.heads) + 1)
                    self.heads += [high, low]
                    self.capacities += [weight, 0.0]

    def _levels(self, residual: list[float], source: int) -> list[int]:
        """The distance of each vertex through edges that are not full; -1 without a path. NaN is not full."""
        levels = [-1] * len(self.edges)
        levels[source] = 0
        reached = [source]
        for vertex in reached:
            for edge in self.edges[vertex]:
                if residual[edge] <= _EPSILON or levels[self.heads[edge]] >= 0:
                    continue
                levels[self.heads[edge]] = levels[vertex] + 1
                reached.append(self.heads[edge])
        return levels

    def largest(self, source: int, sink: int) -> tuple[float, float]:
        """The largest flow (Dinic's algorithm), and the capacity of the smallest cut."""
        residual, flow = [*self.capacities], 0.0
        while (levels := self._levels(residual, source))[sink] >= 0:
            following = [0] * len(self.edges)

            def augment(
                vertex: int, most: float, levels: list[int] = levels, following: list[int] = following
            ) -> float:
                """What passes on from there."""
                if vertex == sink:
                    return most
                while following[vertex] < len(self.edges[vertex]):
                    edge = self.edges[vertex][following[vertex]]
                    capacity = residual[edge]
                    if not capacity <= _EPSILON and levels[self.heads[edge]] == levels[vertex] + 1:
                        least = capacity if isnan(capacity) else min(most, capacity)
                        if passed := augment(self.heads[edge], least):
                            residual[edge] -= passed
                            residual[edge ^ 1] += passed
                            return passed
                    following[vertex] += 1
                return 0.0

            while passed := augment(source, inf):
                flow += passed
                if isnan(flow):
                    return flow, flow
        across = [
            self.capacities[edge]
            for vertex, edges in enumerate(self.edges)
            for edge in edges
            if levels[vertex] >= 0 and levels[self.heads[edge]] < 0
        ]
        return flow, sum(across)


def _flow(layers: list[Floats]) -> tuple[list[list[float]], list[float]]:
    """The largest flow from each token to each position; and how far each is from its smallest cut."""
    length, network = len(layers[0]), _Network(layers)
    places = range(length)
    rows = [[network.largest(j, len(layers) * length + i) for j in places] for i in places]
    differences = [abs(flow - cut) for row in rows for flow, cut in row]
    return [[flow for flow, _ in row] for row in rows], differences


# ---- Circuits ----


@dataclass(frozen=True)
class Circuits:
    """Of a head over the vocabulary, of the weights alone.

    ov: W_E W_V W_O W_U, what is added to the logit of a column, per attention to a row; qk: W_E W_Q W_K^T
    W_E^T, the score, before it is scaled, of a query of a row and a key of a column; difference: of the same
    products multiplied in another order, at most, and its bound.
    """

    layer: int
    head: int
    ov: Grid
    qk: Grid
    difference: float
    bound: float


def _multiply(a: Floats, b: Floats) -> Floats:
    product = np.zeros((len(a), b.shape[1]))
    for k in range(len(b)):
        product += a[:, k : k + 1] * b[k]
    return product


def _in_two_orders(a: Floats, b: Floats, c: Floats, d: Floats) -> tuple[Floats, float, float]:
    """A product of four, how far it is from that in another order, and how far it may be."""
    product = _multiply(_multiply(a, b), _multiply(c, d))
    other = _multiply(_multiply(a, _multiply(b, c)), d)
    sizes = _multiply(_multiply(abs(a), abs(b)), _multiply(abs(c), abs(d)))
    depth = a.shape[1] + b.shape[1] + c.shape[1]
    # In float64, whose rounding is 2^-29 of float32's.
    return product, float(np.abs(product - other).max()), 2 * bound_of(depth, float(sizes.max())) * 2**-29


def circuits(
    model: Model,
    *,
    layer: int,
    head: int,
    stack: str | None = None,
    part: str = "self_attn",
    tokens: Sequence[int] | None = None,
) -> Circuits:
    """What a head writes for each token that it attends to (OV), and which tokens attend to which (QK).

    Of the weights alone, without positions, norms and biases, in float64; tokens: rows and columns, 1 to
    2048, all by default.
    """
    where = "circuits"
    check_model(where, model)
    two = {"source": [0]} if model.config["kind"] == "transformer" else {}
    bench = Bench(where, model, {"target": [0], **two})
    steps = bench.attention(where, layer, stack, part)
    if part == "cross_attn":
        raise type_error("ownTokens", where=where)
    heads = steps.weights.shape[1]
    check_integer(f"{where}: head", head, 0, heads - 1)
    vocab = bench.config["vocab"]
    chosen = list(range(vocab)) if tokens is None else check_list(f"{where}: tokens", tokens)
    if not 0 < len(chosen) <= _MOST_TOKENS:
        raise range_error("tokenCount", where=f"{where}: tokens", most=_MOST_TOKENS, n=len(chosen))
    for i, id in enumerate(chosen):
        check_integer(f"{where}: tokens[{i}]", id, 0, vocab - 1)
    q, k = operand(steps.scores, 0), operand(steps.scores, 1)
    width = q.shape[3]

    def projection(role: str) -> Floats:
        node = bench.projection(steps, role)
        assert node is not None
        return operand(node, 1).data.astype(np.float64)

    def columns(role: str, of: int) -> Floats:
        return projection(role)[:, of * width : (of + 1) * width]

    # Grouped heads share keys and values.
    shared = head // (heads // k.shape[1])
    tables = (node for node in bench.nodes if node.stack == steps.stack and node.op == "embed")
    table = next(node for node in tables if node.role == "embedding")
    embedding = operand(table, 0).data[chosen].astype(np.float64)
    out = projection("output")[head * width : (head + 1) * width]
    last = unembedding(bench)
    table_behind = operand(last, 1).data
    behind = (table_behind[chosen].T if last.op == "matmul" else table_behind[:, chosen]).astype(np.float64)
    ov, *ov_check = _in_two_orders(embedding, columns("value", shared), out, behind)
    keys = columns("key", shared).T
    qk, *qk_check = _in_two_orders(embedding, columns("query", head), keys, embedding.T)
    labels = list(map(str, chosen))
    return Circuits(
        layer,
        head,
        Grid((("attended token", labels), ("logit of", labels)), ov.tolist(), "logit"),
        Grid((("query", labels), ("key", labels)), qk.tolist(), "score"),
        *map(_largest, zip(ov_check, qk_check, strict=True)),
    )
