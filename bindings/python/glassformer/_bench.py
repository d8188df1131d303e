"""What experiments on a running model share: a run that they change, places, new values, the metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._inputs import INPUTS
from ._nodes import Tensor
from ._values import largest
from .errors import (
    check_integer,
    check_list,
    check_model,
    check_options,
    check_text,
    check_word,
    failure,
    range_error,
    type_error,
)

if TYPE_CHECKING:
    from .model import Model
    from .tape import Tape

Inputs = Mapping[str, Any]
Place = Mapping[str, Any]
#: 'zero'; {"mean": inputs of several runs}: of each channel over all their tokens; or {"run": inputs} of one
#: as long as this.
Value = Literal["zero"] | Mapping[str, Any]
Each = Literal["head", "neuron", "layer", "position"]
#: What is done to the values of a step as soon as they are computed, by the step's place on the tape.
Changes = Mapping[int, Callable[[NDArray[Any]], Any]]
Floats = NDArray[np.float64]

_PLACE = ("layer", "head", "neuron", "position", "stack", "part", "node", "index")
PARTS = {"self_attn": "attention", "cross_attn": "cross-attention", "feed_forward": "feed-forward"}
STACKS = ["encoder", "decoder"]
ATTENTIONS = ["self_attn", "cross_attn"]
_METRICS = ["logit", "difference", "probability", "loss"]
_PICKED, _MEASURED = "metric.position", "metric.measured"
MOST_LAYERS = 2**15 - 1


def added(terms: ArrayLike) -> Any:
    """The sum along the first axis in float64, one after the other: it has the bits of JavaScript's."""
    wide = np.asarray(terms, np.float64)
    return np.add.accumulate(np.concatenate([np.zeros((1, *wide.shape[1:])), wide]))[-1]


def sum_of(terms: ArrayLike) -> float:
    """The sum of numbers, in the same way."""
    return float(added(terms))


# ---- A run that experiments change ----


class Bench:
    """A run of a model on one sequence, whose values experiments change; where: what errors begin with."""

    def __init__(
        self, where: str, model: Model, inputs: Inputs, more: Callable[[Tape], None] = lambda tape: None
    ) -> None:
        check_model(where, model)
        check_options(where, inputs, INPUTS)
        if model.arithmetic == "integer":
            raise failure("GF_ESTATE", "exactOnly", where=where)
        reading = model._reading(where, inputs)
        batch = reading.batch()
        if batch["size"] > 1:
            raise range_error("oneSequence", where=where, n=batch["size"])
        self.where, self.config = where, model.config
        self.tape = model._tape(batch, more=more)
        self.nodes = self.tape.nodes
        reading.write(self.tape)
        #: From this step on values are not those of the unchanged run.
        self._stale = 0
        #: Cells that an experiment filled, by the step's place: they are not what the steps before them give.
        self.replaced: dict[int, set[int]] = {}

    def run(self, changes: Changes | None = None, held: Iterable[Tensor] = ()) -> None:
        """Runs the model with these changes, and without all earlier ones: from the first that differs.

        held: steps that stay as the unchanged run has them, whatever changes before them
        """
        changes, held = changes or {}, list(held)
        if any(node.id >= self._stale for node in held):
            self.run()
        for node in held:
            self.tape.freeze(node)
        try:
            self._run(changes)
        finally:
            for node in held:
                self.tape.freeze(node, False)

    def _run(self, changes: Changes) -> None:
        begin = min([self._stale, *changes])
        for place in sorted(changes):
            self.tape.forward(self.nodes[begin], self.nodes[place])
            changes[place](self.nodes[place].data)
            begin = place + 1
        if begin < len(self.nodes):
            self.tape.forward(self.nodes[begin])
        self._stale = min(changes, default=len(self.nodes))

    @property
    def logits(self) -> Tensor:
        if "logits" not in self.tape:
            raise type_error("noLogits", where=self.where)
        return self.tape["logits"]

    @property
    def stacks(self) -> list[str]:
        """In the order of computation."""
        return list(dict.fromkeys(node.stack for node in self.nodes if node.stack))

    def prefix(self, stack: str | None) -> str:
        """Names begin with the stack only where there are two."""
        return f"{stack} " if len(self.stacks) > 1 and stack else ""

    def stack_of(self, where: str, place: Place) -> str:
        """The stack that a place names, checked with its layer; the last one by default."""
        stack = place.get("stack")
        stack = self.stacks[-1] if stack is None else stack
        check_integer(f"{where}: layer", place.get("layer"), 0, MOST_LAYERS)
        check_word(f"{where}: stack", stack, STACKS)
        return str(stack)

    def additions(self, stack: str) -> list[Tensor]:
        """The residual additions of a stack: of the stream, and the output of a sublayer."""
        sums = (node for node in self.nodes if node.role == "residual" and node.op == "add")
        return [node for node in sums if node.stack == stack and all(node.inputs)]

    def head_name(self, place: Tensor | AttentionSteps, head: int) -> str:
        cross = "cross-attention " if place.part == "cross_attn" else ""
        return f"{self.prefix(place.stack)}layer {place.layer} {cross}head {head}"

    def projection(self, place: Tensor | AttentionSteps, role: str) -> Tensor | None:
        """A projection of an attention, or the first step of a feed-forward."""
        linear = (node for node in self.nodes if node.op == "linear" and node.role == role)
        where = (place.stack, place.layer, place.part)
        return next((node for node in linear if (node.stack, node.layer, node.part) == where), None)

    def attention(self, where: str, layer: int, stack: str | None, part: str) -> AttentionSteps:
        """The one at a place."""
        stack = self.stack_of(where, {"layer": layer, "stack": stack})
        check_word(f"{where}: part", part, ATTENTIONS)
        for one in attentions_of(self.nodes):
            if (one.layer, one.stack, one.part) == (layer, stack, part):
                return one
        raise range_error("noPartAt", where=where, part=part, layer=layer, stack=stack)


@dataclass(frozen=True)
class AttentionSteps:
    """The steps of one attention: its scores [1,H,Tq,Tk], before and behind each step, and its weights."""

    stack: str
    layer: int
    part: str
    heads: int
    scores: Tensor
    scaled: Tensor
    #: What the softmax reads.
    masked: Tensor
    weights: Tensor


def attentions_of(nodes: Iterable[Tensor]) -> list[AttentionSteps]:
    """All of a run, in the order of computation."""
    made: list[AttentionSteps] = []
    scores: dict[str, Tensor] = {}
    for node in nodes:
        if node.role == "score":
            scores = {node.op: node} if node.op == "matmul" else {**scores, node.op: node}
        if node.role == "weight" and node.op == "softmax":
            where = (str(node.stack), int(node.layer or 0), str(node.part), node.heads)
            scaled = scores.get("scale", scores["matmul"])
            made.append(AttentionSteps(*where, scores["matmul"], scaled, operand(node, 0), node))
    return made


def operand(node: Tensor, k: int) -> Tensor:
    """One that every node of its op has."""
    one = node.inputs[k]
    assert one is not None
    return one


# ---- What is measured ----


@dataclass(frozen=True)
class Measured:
    """What a number of an experiment is: of which token, at which position."""

    kind: str
    token: int
    against: int | None
    position: int


def check_position(where: str, given: int, length: int) -> int:
    """Counted from the front."""
    return check_integer(where, given, -length, length - 1) % length


class Metric:
    """What is measured of the logits: a number, which `begin` chooses and `read` reads after each run."""

    def __init__(self, where: str, given: Mapping[str, Any] | None) -> None:
        options = {} if given is None else given
        where = f"{where}: metric"
        check_options(where, options, ["kind", "token", "against", "position"])
        self.kind: str = options.get("kind", "logit" if options.get("against") is None else "difference")
        check_word(f"{where}: kind", self.kind, _METRICS)
        self._where, self._options = where, options

    def more(self, tape: Tape) -> None:
        """Pushes what the core computes of it."""
        if self.kind in ("probability", "loss") and "logits" in tape:
            place = tape.ids(_PICKED, [1])
            picked = tape.gather(tape["logits"], place, axis=1, name="metric.logits")
            (tape.log_softmax if self.kind == "loss" else tape.softmax)(picked, name=_MEASURED)

    def begin(self, bench: Bench, token: int | None = None) -> Measured:
        """Takes up the bench that it measures on, which has not run yet, and runs it."""
        _, length, vocab = bench.logits.shape
        position = check_position(f"{self._where}: position", self._options.get("position", -1), length)
        token = self._options.get("token") if token is None else token
        if token is not None:
            check_integer(f"{self._where}: token", token, 0, vocab - 1)
        against = None
        if self.kind == "difference":
            against = check_integer(f"{self._where}: against", self._options.get("against"), 0, vocab - 1)
        if _PICKED in bench.tape:
            bench.tape[_PICKED].data[0] = position
        bench.run()
        self._bench = bench
        best = largest(self._where, bench.logits.data[0, position]) if token is None else int(token)
        self.measured = Measured(self.kind, best, against, position)
        return self.measured

    def read(self) -> float:
        """Its value in the last run."""
        tape, measured = self._bench.tape, self.measured
        if _MEASURED in tape:
            value = float(tape[_MEASURED].data[..., measured.token].item())
            return -value if self.kind == "loss" else value
        row = self._bench.logits.data[0, measured.position]
        return float(row[measured.token]) - (0 if measured.against is None else float(row[measured.against]))

    def derive(self) -> None:
        """Carries its gradient down to every step before it."""
        bench, measured = self._bench, self.measured
        name = _MEASURED if _MEASURED in bench.tape else "logits"
        target = bench.tape[name]
        gradient = np.zeros(target.shape, np.float32)
        row = gradient.reshape(-1, target.shape[-1])[measured.position if name == "logits" else 0]
        row[measured.token] += -1 if self.kind == "loss" else 1
        if measured.against is not None:
            row[measured.against] -= 1
        bench.tape.backward(target, gradient)


@dataclass(frozen=True)
class Grid:
    """Numbers along two axes, each a name and its labels; unit: what a number is."""

    axes: tuple[tuple[str, list[str]], tuple[str, list[str]]]
    values: list[list[float]]
    unit: str


# ---- Places ----


class Region:
    """Some cells of a step; in an index, None goes through a whole dimension."""

    def __init__(self, node: Tensor, index: Sequence[int | None] = ()) -> None:
        self.node = node
        self._index = tuple(slice(None) if i is None else slice(i, i + 1) for i in index)

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """Their places in the flat values of the step."""
        return np.arange(self.node.size).reshape(self.node.shape)[self._index].reshape(-1)


@dataclass(frozen=True)
class Row:
    """The places of one kind in a layer, of some regions each."""

    label: str
    stack: str
    layer: int
    part: str
    places: list[list[Region]]


def _along(node: Tensor, axis: int) -> list[list[Region]]:
    """A place for each index of a dimension."""
    return [[Region(node, [*[None] * axis, i])] for i in range(node.shape[axis])]


def _rows_along(bench: Bench, role: str, axis: int) -> list[Row]:
    """Layers whose steps of a role hold heads, or neurons."""

    def row(node: Tensor) -> Row:
        cross = " cross" if node.part == "cross_attn" else ""
        label = f"{bench.prefix(node.stack)}{node.layer}{cross}"
        about = (label, str(node.stack), int(node.layer or 0), str(node.part))
        return Row(*about, _along(node, axis))

    made = (node for node in bench.nodes if node.role == role and node.kind == "op")
    return [row(node) for node in made if node.layer is not None]


def rows_of(bench: Bench, each: str) -> list[Row]:
    """All places of a kind, layer by layer."""
    if each == "head":
        return _rows_along(bench, "mix", 1)
    if each == "neuron":
        return _rows_along(bench, "activation", 2)
    rows: list[Row] = []
    for stack in bench.stacks:
        layers: dict[int, list[Tensor]] = {}
        for node in bench.additions(stack):
            layers.setdefault(int(operand(node, 1).layer or 0), []).append(node)
        for layer, nodes in layers.items():
            outputs = [Region(operand(node, 1)) for node in nodes]
            places = [outputs] if each == "layer" else _along(operand(nodes[0], 0), 1)
            rows.append(Row(f"{bench.prefix(stack)}{layer}", stack, layer, "", places))
    return rows


def computed(where: str, bench: Bench, name: Any) -> Tensor:
    """The step of a name; refuses leaves."""
    node = bench.tape.find(check_text(where, name))
    if node.kind != "op":
        raise range_error("computedNode", where=where, name=node.name)
    return node


def regions_of(where: str, bench: Bench, place: Any, more: Sequence[str]) -> list[Region]:
    """The cells of a place."""
    check_options(where, place, [*_PLACE, *more])
    if place.get("node") is not None:
        node = computed(f"{where}: node", bench, place["node"])
        index = check_list(f"{where}: index", place.get("index", []))
        check_integer(f"{where}: index: length", len(index), 0, len(node.shape))
        for axis, i in enumerate(index):
            if i is not None:
                check_integer(f"{where}: index[{axis}]", i, 0, node.shape[axis] - 1)
        return [Region(node, index)]
    stack, layer, part = bench.stack_of(where, place), place["layer"], place.get("part")
    if part is not None:
        check_word(f"{where}: part", part, list(PARTS))
    names = [kind for kind in ("head", "neuron", "position") if place.get(kind) is not None]
    if len(names) > 1:
        raise type_error("onePlace", where=where, names=", ".join(names))
    missing = {"where": where, "layer": layer, "stack": stack}
    if not names:
        outputs = [operand(node, 1) for node in bench.additions(stack)]
        chosen = [one for one in outputs if one.layer == layer and part in (None, one.part)]
        if not chosen:
            raise range_error("noPartAt", part=part or "sublayer", **missing)
        return [Region(one) for one in chosen]
    (kind,) = names
    attention = (part or "self_attn") if kind == "head" else None
    rows = [row for row in rows_of(bench, kind) if (row.layer, row.stack) == (layer, stack)]
    rows = [row for row in rows if attention in (None, row.part)]
    if not rows:
        raise range_error("noPartAt", part=attention or kind, **missing)
    places = rows[0].places
    return places[check_integer(f"{where}: {kind}", place[kind], 0, len(places) - 1)]


# ---- New values ----


def second_run(model: Model, inputs: Any, bench: Bench, option: str, metric: Metric | None = None) -> Bench:
    """Another run, of sequences as long as those of a bench."""
    where = f"{bench.where}: {option}"
    other = Bench(where, model, inputs, *([metric.more] if metric else []))
    for node in bench.nodes:
        if node.kind != "ids" or node.role != "tokens":
            continue
        n, given = node.shape[1], other.tape[node.name].shape[1]
        if n != given:
            raise range_error("tokensOf", where=f"{where}: {node.name}", n=n, given=given)
    return other


def _means(
    where: str, model: Model, runs: list[Any], nodes: Sequence[Tensor]
) -> dict[int, NDArray[np.float32]]:
    """Of each node the mean over all tokens of several runs, at each token."""
    for node in nodes:
        if "token" not in node.axes:
            raise range_error("tokenless", where=where, name=node.name)
    sums: dict[int, Floats] = {}
    counts = dict.fromkeys((node.id for node in nodes), 0)
    for i, inputs in enumerate(runs):
        other = Bench(f"{where}[{i}]", model, inputs)
        other.run()
        for node in nodes:
            tokens = np.moveaxis(other.tape[node.name].data, node.axes.index("token"), 0)
            before = sums.get(node.id, np.zeros(tokens.shape[1:]))
            sums[node.id] = added([before, *tokens])
            counts[node.id] += len(tokens)

    def mean(node: Tensor) -> NDArray[np.float32]:
        one = (sums[node.id] / counts[node.id]).astype(np.float32)
        return np.broadcast_to(np.expand_dims(one, node.axes.index("token")), node.shape).copy()

    return {node.id: mean(node) for node in nodes}


def _replacing(
    model: Model, bench: Bench, value: Any, nodes: Sequence[Tensor]
) -> dict[int, NDArray[np.float32]]:
    """New values of nodes, whole, by their places on the tape."""
    where = f"{bench.where}: value"
    if isinstance(value, str) and value == "zero":
        return {node.id: np.zeros(node.shape, np.float32) for node in nodes}
    if not isinstance(value, Mapping) or ("mean" in value) == ("run" in value):
        raise type_error("newValue", where=where, given=value)
    check_options(where, value, ["mean", "run"])
    if "mean" in value:
        runs = check_list(f"{where}: mean", value["mean"])
        if not runs:
            raise range_error("emptySet", where=f"{where}: mean")
        return _means(f"{where}: mean", model, runs, nodes)
    other = second_run(model, value["run"], bench, "value: run")
    other.run()
    return {node.id: np.asarray(other.tape[node.name].numpy(), np.float32) for node in nodes}


def changes_of(regions: Iterable[Region], values: Mapping[int, NDArray[Any]]) -> Changes:
    """Changes that put new values into regions."""
    cells: dict[int, list[NDArray[Any]]] = {}
    for region in regions:
        cells.setdefault(region.node.id, []).append(region.cells)

    def change(place: int) -> Callable[[NDArray[Any]], None]:
        into = np.concatenate(cells[place])

        def put(data: NDArray[Any]) -> None:
            data.reshape(-1)[into] = values[place].reshape(-1)[into]

        return put

    return {place: change(place) for place in cells}


#: Of the residual stream: its name, the layer and part of the sublayer before it, and the step.
State = tuple[str, int | None, str | None, Tensor]


def states_of(bench: Bench, stack: str) -> list[State]:
    """The stream of a stack, before the first sublayer and behind each, with the norm that follows."""
    states: list[State] = []
    for node in bench.additions(stack):
        output = operand(node, 1)
        behind = [one for one in bench.nodes if one.role == "norm" and node in one.inputs]
        place = node if bench.config["pre_norm"] or not behind else behind[0]
        if not states:
            states.append((f"{bench.prefix(stack)}input", None, None, operand(node, 0)))
        name = f"{bench.prefix(stack)}layer {output.layer} {PARTS[str(output.part)]}"
        states.append((name, output.layer, output.part, place))
    if not states:
        raise type_error("noStates", where=bench.where)
    return states


# ---- Trials ----


def _nodes_of(regions: Iterable[Region]) -> list[Tensor]:
    """Each once."""
    return list({one.node.id: one.node for one in regions}.values())


class Trials:
    """The places of an experiment: rows of them, or one list.

    touched: the regions of all places together.
    """

    def __init__(self, bench: Bench, each: Any, layers: Any, at: Any, more: Sequence[str] = ()) -> None:
        where = bench.where
        if (each is None) == (at is None):
            raise type_error("eachOrAt", where=where)
        self.each = each
        self.rows: list[Row] = []
        self.places: list[list[Region]] = []
        if at is not None:
            for i, place in enumerate(check_list(f"{where}: at", at)):
                self.places.append(regions_of(f"{where}: at[{i}]", bench, place, more))
        else:
            self.rows = self._rows(bench, layers)
            self.places = [[one for row in self.rows for place in row.places for one in place]]
        self.touched = [one for place in self.places for one in place]

    def _rows(self, bench: Bench, layers: Any) -> list[Row]:
        where, each = bench.where, self.each
        check_word(f"{where}: each", each, get_args(Each))
        wanted = None if layers is None else check_list(f"{where}: layers", layers)
        for i, layer in enumerate(wanted or []):
            check_integer(f"{where}: layers[{i}]", layer, 0, MOST_LAYERS)
        return [row for row in rows_of(bench, each) if wanted is None or row.layer in wanted]

    def nodes(self) -> list[Tensor]:
        return _nodes_of(self.touched)

    def outcome(
        self, bench: Bench, metric: Metric, values: Mapping[int, NDArray[Any]]
    ) -> tuple[float | None, Grid | None, bool]:
        """Tries the places with new values: the metric after, or a grid; and whether old ones change none."""
        logits = bench.logits.numpy()
        intact = {node.id: node.numpy() for node in self.nodes()}
        bench.run(changes_of(self.touched, intact))
        nothing = bench.logits.data.tobytes() == logits.tobytes()

        def measure(regions: list[Region]) -> float:
            bench.run(changes_of(regions, values))
            return metric.read()

        if self.each is None:
            return measure(self.touched), None, nothing
        return None, self.grid(self.measured(measure), metric.kind), nothing

    def measured(self, measure: Callable[[list[Region]], float]) -> list[list[float]]:
        """What a function makes of each place, row by row."""
        return [[measure(place) for place in row.places] for row in self.rows]

    def grid(self, values: list[list[float]], unit: str) -> Grid:
        most = max((len(row.places) for row in self.rows), default=0)
        second = ("part", ["layer"]) if self.each == "layer" else (self.each, list(map(str, range(most))))
        return Grid((("layer", [row.label for row in self.rows]), second), values, unit)

    def values(self, model: Model, bench: Bench, at: Any, value: Any) -> dict[int, NDArray[np.float32]]:
        """New values for all that they touch; a place of `at` may have its own.

        Places that share a value share the runs that it takes.
        """
        groups: dict[int, tuple[Any, list[Region]]] = {}
        for i, regions in enumerate(self.places):
            chosen = value if at is None else at[i].get("value", value)
            groups.setdefault(id(chosen), (chosen, []))[1].extend(regions)
        values: dict[int, NDArray[np.float32]] = {}
        for chosen, regions in groups.values():
            made = _replacing(model, bench, chosen, _nodes_of(regions))
            for region in regions:
                into = values.setdefault(region.node.id, made[region.node.id])
                into.reshape(-1)[region.cells] = made[region.node.id].reshape(-1)[region.cells]
        return values
