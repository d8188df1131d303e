"""What vectors hold: of one token in two contexts, of a table's rows, and what labels they tell apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._bench import Bench, Floats, Inputs, State, added, check_position, operand, states_of, sum_of
from ._random import shuffled
from ._values import largest
from .errors import (
    TINY,
    UINT32,
    check_bool,
    check_integer,
    check_list,
    check_options,
    check_real,
    check_text,
    is_number,
    range_error,
    type_error,
)
from .tape import Tape

if TYPE_CHECKING:
    from .model import Model

_TOP = 8
_LEAST_EXAMPLES = 4
_MOST_SHUFFLES = 1000
#: Less than this part of the vectors' squared length is rounding.
_ROUNDING = 1e-12
#: Of Adam, as its paper has it; a convex loss takes a large step.
_RATE, _BETA_1, _BETA_2, _EPSILON = 0.05, 0.9, 0.999, 1e-8
Label = str | int | float


def _cosine(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Of the angle between two rows; NaN where one is 0."""
    one, other = a.astype(np.float64), b.astype(np.float64)
    product, first, second = (sum_of(x * y) for x, y in ((one, other), (one, one), (other, other)))
    size = math.sqrt(first * second)
    return product / size if size else math.nan


# ---- One token in two contexts ----


@dataclass(frozen=True)
class ContextState:
    """The two rows [C] at one place of the stream, of the first run and of the second.

    layer, part: the sublayer that has just added its output, None before the first; node: the step; cosine:
    of the angle between the rows.
    """

    name: str
    layer: int | None
    part: str | None
    node: str
    rows: tuple[NDArray[np.float32], NDArray[np.float32]]
    cosine: float


@dataclass(frozen=True)
class Contexts:
    """positions: of the token in each run, from 0."""

    positions: tuple[int, int]
    states: list[ContextState]


def contexts(
    model: Model,
    first: Inputs,
    second: Inputs,
    *,
    positions: Sequence[int] = (-1, -1),
    stack: str | None = None,
) -> Contexts:
    """The rows that a model keeps for one token in two contexts, state by state, and their cosine.

    positions: of the token in each run, negative ones count from the end; stack: the first by default
    """
    where = "contexts"
    places = check_list(f"{where}: positions", positions)
    read: list[tuple[list[State], int]] = []
    for i, inputs in enumerate((first, second)):
        bench = Bench(where, model, inputs)
        name = bench.stack_of(where, {"layer": 0, "stack": bench.stacks[0] if stack is None else stack})
        table = [node for node in bench.nodes if node.role == "embedding" and node.kind == "op"]
        rows: list[State] = [
            (f"{bench.prefix(name)}embedding", None, None, one) for one in table if one.stack == name
        ]
        states = [*rows[:1], *states_of(bench, name)]
        chosen = places[i] if i < len(places) else -1
        place = check_position(f"{where}: positions[{i}]", chosen, states[0][3].shape[1])
        bench.run()
        read.append((states, place))
    (states, one), (others, other) = read
    made: list[ContextState] = []
    for (name, layer, part, node), (*_, twin) in zip(states, others, strict=True):
        row, second_row = (np.array(each.data[0, token]) for each, token in ((node, one), (twin, other)))
        made.append(ContextState(name, layer, part, node.name, (row, second_row), _cosine(row, second_row)))
    return Contexts((one, other), made)


# ---- Neighbours in a table ----


@dataclass(frozen=True)
class Neighbours:
    """neighbours: pairs of a token and the cosine of the angle, nearest first."""

    token: int
    neighbours: list[tuple[int, float]]


def neighbours(
    model: Model, *, token: int, top: int | None = None, among: Sequence[int] | None = None
) -> Neighbours:
    """The tokens whose rows in the table of embeddings have the smallest angle to that of a token.

    Of a model with a table for each sequence, that of the source. top: how many, 8 by default, or all of
    fewer; among: the tokens to choose from, all by default.
    """
    where = "neighbours"
    two = {"source": [0]} if getattr(model, "config", {}).get("kind") == "transformer" else {}
    bench = Bench(where, model, {"target": [0], **two})
    tables = [node for node in bench.nodes if node.role == "embedding" and node.kind == "op"]
    if not tables:
        raise type_error("noTable", where=where)
    rows = operand(tables[0], 0).data
    vocab = len(rows)
    check_integer(f"{where}: token", token, 0, vocab - 1)
    count = check_integer(f"{where}: top", min(_TOP, vocab) if top is None else top, 1, vocab)
    chosen = list(range(vocab)) if among is None else check_list(f"{where}: among", among)
    for i, id in enumerate(chosen):
        check_integer(f"{where}: among[{i}]", id, 0, vocab - 1)
    every = [(int(id), _cosine(rows[token], rows[id])) for id in chosen if id != token]
    # A row of zeros, whose cosine is NaN, comes last.
    every.sort(key=lambda one: math.inf if math.isnan(one[1]) else -one[1])
    return Neighbours(token, every[:count])


# ---- Labels ----


@dataclass(frozen=True)
class LabelShares:
    """labels: those that occur, in order; counts: how many examples have each.

    shares: dicts with node, head or None, label, share of the variance that lies between the vectors with
    the label and all others, from 0 to 1, and chance, the largest share of shuffled labels; both None where
    the vectors do not differ. vectors: of each head of each step, rows [examples,C].
    """

    labels: list[Label]
    counts: list[int]
    shares: list[dict[str, Any]]
    vectors: list[dict[str, Any]]


def _examples(where: str, model: Model, examples: Any) -> Iterator[tuple[Bench, Label, int]]:
    """Of each a bench that is still to run, its label and the position whose vector is read."""
    where = f"{where}: examples"
    every = check_list(where, examples)
    if len(every) < _LEAST_EXAMPLES:
        raise range_error("fewExamples", where=where, least=_LEAST_EXAMPLES, n=len(every))
    for i, example in enumerate(every):
        place = f"{where}[{i}]"
        check_options(place, example, ["inputs", "label", "position"])
        label = example.get("label")
        if not isinstance(label, str) and not is_number(label):
            raise type_error("label", where=f"{place}: label", given=label)
        yield Bench(place, model, example.get("inputs", {})), label, example.get("position", -1)


class _Vector(NamedTuple):
    """A row of a step, at a position; head: None where the step has none."""

    node: str
    head: int | None
    position: int
    row: Floats


def _labels(where: str, labels: list[Label]) -> list[Label]:
    """Those that occur, in order."""
    made = list(dict.fromkeys(labels))
    if len(made) < 2:
        raise range_error("classCount", where=f"{where}: examples", n=len(made))
    return made


def _mean(rows: Floats) -> Floats:
    return np.asarray(added(rows / max(len(rows), 1)))


def _square(rows: Floats) -> float:
    """The sum of all squares, row by row."""
    return sum_of(added((rows * rows).T))


def _share(rows: Floats, labels: list[Label], label: Label) -> float:
    """The part of the variance of rows around 0 that lies between those of a label and the rest."""
    has = np.array([one == label for one in labels])
    between = added([len(some) * _square(_mean(some)[None]) for some in (rows[has], rows[~has])])
    return float(between) / _square(rows)


def _vectors_at(bench: Bench, nodes: Sequence[str], position: int) -> list[_Vector]:
    """The vectors of one position, of each step and head."""
    made: list[_Vector] = []
    for name in nodes:
        node = bench.tape.find(name)
        if node.kind != "op" or node.axes[-2:] != ("token", "channel"):
            raise range_error("vectorsOfTokens", where=bench.where, name=name)
        chosen = check_position(f"{bench.where}: position", position, node.shape[-2])
        rows = node.data.reshape(-1, *node.shape[-2:])[:, chosen].astype(np.float64)
        apart = node.axes[1] == "head"
        made += [_Vector(name, head if apart else None, chosen, row) for head, row in enumerate(rows)]
    return made


def label_shares(
    model: Model,
    examples: Sequence[Mapping[str, Any]],
    *,
    nodes: Sequence[str],
    by_position: bool = False,
    shuffles: int = 20,
    seed: int = 0,
) -> LabelShares:
    """How much of the differences between the vectors of steps a label explains, head by head.

    examples: dicts with inputs, label, a text or a number, and position, the last by default; 4 or more;
    nodes: the steps' names; by_position: whether the mean of each position is taken off first; shuffles: how
    often labels are shuffled for chance, 1 to 1000, by the seed.
    """
    where = "label_shares"
    names = check_list(f"{where}: nodes", nodes)
    if not names:
        raise range_error("noNodes", where=f"{where}: nodes")
    for i, name in enumerate(names):
        if check_text(f"{where}: nodes[{i}]", name) in names[:i]:
            raise range_error("nodeTwice", where=f"{where}: nodes[{i}]", value=name)
    check_bool(f"{where}: by_position", by_position)
    check_integer(f"{where}: shuffles", shuffles, 1, _MOST_SHUFFLES)
    seed = check_integer(f"{where}: seed", seed, 0, UINT32)
    read: list[list[_Vector]] = []
    every: list[Label] = []
    for bench, label, position in _examples(where, model, examples):
        bench.run()
        read.append(_vectors_at(bench, names, position))
        every.append(label)
    labels = _labels(where, every)
    mixed = [shuffled(every, seed, i) for i in range(shuffles)]
    shares: list[dict[str, Any]] = []
    vectors: list[dict[str, Any]] = []
    for same in zip(*read, strict=True):
        node, head, *_ = same[0]
        rows = np.array([one.row for one in same])
        vectors.append({"node": node, "head": head, "rows": rows})
        groups = np.array([one.position if by_position else 0 for one in same])
        centred = rows.copy()
        for group in dict.fromkeys(groups.tolist()):
            centred[groups == group] -= _mean(rows[groups == group])
        flat = _square(centred) <= _ROUNDING * _square(rows)
        for label in labels:
            share = None if flat else _share(centred, every, label)
            chance = None if flat else max(_share(centred, one, label) for one in mixed)
            shares.append({"node": node, "head": head, "label": label, "share": share, "chance": chance})
    return LabelShares(labels, [every.count(label) for label in labels], shares, vectors)


# ---- A probe ----


@dataclass(frozen=True)
class Probe:
    """A linear map from the vectors of a step to labels, and how often it is right, from 0 to 1.

    classes: the labels that occur, in the order of the logits; counts, accuracy and control, the accuracy
    with shuffled labels: dicts with trained and held_out; tried: the places of the examples held out; chance:
    how often the most frequent label of the training is right there; map: from (x - mean) / deviation to a
    logit per class, weight [C,classes], bias, mean and deviation.
    """

    node: str
    classes: list[Label]
    counts: dict[str, int]
    tried: list[int]
    accuracy: dict[str, float]
    control: dict[str, float]
    chance: float
    map: dict[str, Any]


class Regression(Tape):
    """A linear layer on vectors [n,C], and the cross entropy of its logits."""

    def __init__(self, rows: NDArray[Any], labels: Sequence[int], classes: int) -> None:
        super().__init__()
        x = self.input("x", rows.shape)
        self.layer = [self.parameter("weight", (rows.shape[1], classes)), self.parameter("bias", (classes,))]
        logits = self.linear(x, *self.layer, name="logits")
        self.cross_entropy(logits, self.ids("labels", (len(rows),)), name="loss")
        self.plan()
        x.data[...] = rows
        self["labels"].data[...] = labels


def _fitted(
    rows: Floats, labels: list[int], classes: int, steps: int, decay: float
) -> list[NDArray[np.float32]]:
    """Softmax regression on all rows at once, by Adam: weight and bias."""
    tape = Regression(rows, labels, classes)
    moments = [(np.zeros(one.shape), np.zeros(one.shape)) for one in tape.layer]
    for step in range(1, steps + 1):
        tape.forward()
        tape.backward("loss")
        for i, (one, (m, v)) in enumerate(zip(tape.layer, moments, strict=True)):
            values = one.data.astype(np.float64)
            # The bias may be as large as the labels ask.
            slope = np.asarray(one.grad, np.float64) + (0 if i else decay) * values
            m[...] = _BETA_1 * m + (1 - _BETA_1) * slope
            v[...] = _BETA_2 * v + (1 - _BETA_2) * slope * slope
            mean, square = m / (1 - _BETA_1**step), v / (1 - _BETA_2**step)
            one.data[...] = values - _RATE * mean / (np.sqrt(square) + _EPSILON)
    return [np.array(one.data, np.float32) for one in tape.layer]


def _accuracy(layer: list[NDArray[np.float32]], rows: Floats, labels: list[int]) -> float:
    """How often the class with the largest logit is the right one."""
    weight, bias = (one.astype(np.float64) for one in layer)
    logits = [added([bias, *(row[:, None] * weight)]) for row in rows]
    right = [largest("probe", row) == label for row, label in zip(logits, labels, strict=True)]
    return sum(right) / len(right)


def probe(
    model: Model,
    examples: Sequence[Mapping[str, Any]],
    *,
    node: str,
    held_out: float = 0.25,
    seed: int = 0,
    steps: int = 200,
    decay: float = 0.01,
) -> Probe:
    """Trains a linear probe on the vectors of a step, and tries it on examples that it was not trained on.

    examples: as of label_shares; node: the step's name, [1,T,C]; held_out: the share of examples that are not
    trained on, above 0 to 0.9; seed: of that choice, and of the control's labels; steps: 1 to 100,000; decay:
    the loss has decay / 2 |w|^2.
    """
    where = "probe"
    check_text(f"{where}: node", node)
    check_real(f"{where}: held_out", held_out, TINY, 0.9)
    seed = check_integer(f"{where}: seed", seed, 0, UINT32)
    check_integer(f"{where}: steps", steps, 1, 100_000)
    check_real(f"{where}: decay", decay, 0, 1e6)
    read: list[Floats] = []
    names: list[Label] = []
    for bench, label, position in _examples(where, model, examples):
        step = bench.tape.find(node)
        if step.kind != "op" or len(step.shape) != 3 or step.axes[1] != "token":
            raise range_error("vectorNode", where=bench.where, name=node)
        chosen = check_position(f"{bench.where}: position", position, step.shape[1])
        bench.tape.forward(None, step)
        read.append(step.data[0, chosen].astype(np.float64))
        names.append(label)
    classes = _labels(where, names)
    n = len(read)
    order = shuffled(range(n), seed, 0)
    count = min(n - 1, max(1, math.floor(held_out * n + 0.5)))
    tried, trained = order[:count], order[count:]
    rows = np.array(read)
    mean = added(rows[trained] / len(trained))
    squares = added((rows[trained] - mean) * (rows[trained] - mean) / len(trained))
    deviation = np.sqrt(squares)
    # A channel that never varies stays 0.
    deviation[deviation == 0] = 1
    scaled = (rows - mean) / deviation
    ids = [classes.index(label) for label in names]

    def learn(labels: list[int]) -> tuple[dict[str, float], list[NDArray[np.float32]]]:
        def some(places: list[int]) -> tuple[Floats, list[int]]:
            return scaled[places], [labels[i] for i in places]

        layer = _fitted(*some(trained), len(classes), steps, decay)
        places = {"trained": trained, "held_out": tried}
        return {name: _accuracy(layer, *some(chosen)) for name, chosen in places.items()}, layer

    accuracy, (weight, bias) = learn(ids)
    control, _ = learn(shuffled(ids, seed, 1))
    times = np.bincount([ids[i] for i in trained], minlength=len(classes))
    return Probe(
        *(node, classes, {"trained": len(trained), "held_out": count}, tried, accuracy, control),
        sum(ids[i] == int(np.argmax(times)) for i in tried) / count,
        {"weight": weight, "bias": bias, "mean": mean, "deviation": deviation},
    )
