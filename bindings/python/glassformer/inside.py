"""Experiments on a running model: JavaScript's glassformer/inside, its experiments that are used most.

    from glassformer import inside

    inputs = {"target": [1, 5, 6]}
    inside.attention_patterns(model, inputs)[0].weights         [H,Tq,Tk] of each attention
    inside.ablate(model, inputs, each="head").grid.values       the metric without each head
    inside.patch(model, inputs, source={"target": [1, 4, 6]}, each="position")
    inside.logit_lens(model, inputs).rows[0].top                what each layer would say
    inside.run(model, inputs, {"decoder.layers.0.self_attn.mix": lambda mix: mix[:, 1].fill(0)})

Inputs are those of model(...), of one sequence. A place is a dict: {"layer": 0, "head": 1}, or a layer with
"neuron", "position" or "part", or {"node": "decoder.layers.0.norm1", "index": [0, 2]}, where None in an
index goes through a whole dimension; "stack" is the last one by default.
Experimental: this module may change in any minor version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._inputs import INPUTS
from ._nodes import Tensor
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
    from .model import Model, Run
    from .tape import Tape

Inputs = Mapping[str, Any]
Place = Mapping[str, Any]
#: 'zero'; {"mean": inputs of several runs}: of each channel over all their tokens; or {"run": inputs} of one
#: as long as this.
Value = Literal["zero"] | Mapping[str, Any]
Each = Literal["head", "neuron", "layer", "position"]
#: What is done to the values of a step as soon as they are computed, by the step's place on the tape.
_Changes = Mapping[int, Callable[[NDArray[Any]], Any]]

_EACH = ["head", "neuron", "layer", "position"]
_PLACE = ("layer", "head", "neuron", "position", "stack", "part", "node", "index")
_PARTS = {"self_attn": "attention", "cross_attn": "cross-attention", "feed_forward": "feed-forward"}
_STACKS = ["encoder", "decoder"]
_METRICS = ["logit", "difference", "probability", "loss"]
_PICKED, _LIKELY, _LOG = "metric.position", "metric.probability", "metric.log_probability"
_SHARES = "lens.probabilities"
_MOST_LAYERS = 2**15 - 1
_TOP, _MOST_TOP = 5, 100


# ---- A run that experiments change ----


class _Bench:
    def __init__(
        self, where: str, model: Model, inputs: Inputs, more: Callable[[Tape], None] = lambda tape: None
    ) -> None:
        check_model(where, model)
        if not isinstance(inputs, Mapping):
            raise type_error("options", where=where, given=inputs)
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

    def run(self, changes: _Changes | None = None) -> None:
        """Runs the model with these changes, and without all earlier ones: from the first that differs."""
        changes = changes or {}
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
        stack = place.get("stack", self.stacks[-1])
        check_integer(f"{where}: layer", place.get("layer"), 0, _MOST_LAYERS)
        check_word(f"{where}: stack", stack, _STACKS)
        return str(stack)

    def additions(self, stack: str) -> list[Tensor]:
        """The residual additions of a stack: of the stream, and the output of a sublayer."""
        found = (node for node in self.nodes if node.role == "residual" and node.op == "add")
        return [node for node in found if node.stack == stack and all(node.inputs)]


def _bits(array: NDArray[Any]) -> bytes:
    return array.tobytes()


def _operand(node: Tensor, k: int) -> Tensor:
    """One that every node of its op has."""
    found = node.inputs[k]
    assert found is not None
    return found


def run(model: Model, inputs: Inputs, changes: Mapping[str, Callable[[NDArray[Any]], Any]]) -> Run:
    """A run whose steps are changed as soon as they are computed: later ones read what your functions wrote.

    changes: by the name of a step, a function that gets its live values and writes into them.
    """
    from .model import Run

    where = "run"
    bench = _Bench(where, model, inputs)
    if not isinstance(changes, Mapping):
        raise type_error("options", where=f"{where}: changes", given=changes)
    placed: dict[int, Callable[[NDArray[Any]], Any]] = {}
    for name, change in changes.items():
        node = _computed(f"{where}: changes", bench, name)
        if not callable(change):
            raise type_error("listener", where=f"{where}: changes: {name}", given=change)
        placed[node.id] = change
    bench.run(placed)
    return Run(bench.tape)


# ---- Attention ----


@dataclass(frozen=True)
class AttentionPattern:
    """The weights of one attention, [H,Tq,Tk]: row: query, column: key."""

    stack: str
    layer: int
    part: str
    weights: NDArray[np.float32]


def attention_patterns(model: Model, inputs: Inputs) -> list[AttentionPattern]:
    """The attention weights of each layer, in the order of computation: copies."""
    bench = _Bench("attention_patterns", model, inputs)
    bench.run()
    found = [node for node in bench.nodes if node.role == "weight" and node.op == "softmax"]
    return [
        AttentionPattern(str(node.stack), int(node.layer or 0), str(node.part), node.numpy()[0])
        for node in found
    ]


# ---- What is measured ----


@dataclass(frozen=True)
class Measured:
    """What a number of an experiment is: of which token, at which position."""

    kind: str
    token: int
    against: int | None
    position: int


def _position(where: str, given: int, length: int) -> int:
    """Counted from the front."""
    return check_integer(where, given, -length, length - 1) % length


class _Metric:
    def __init__(self, where: str, given: Mapping[str, Any] | None) -> None:
        options = {} if given is None else given
        where = f"{where}: metric"
        if not isinstance(options, Mapping):
            raise type_error("options", where=where, given=given)
        check_options(where, options, ["kind", "token", "against", "position"])
        self.kind: str = options.get("kind", "logit" if options.get("against") is None else "difference")
        check_word(f"{where}: kind", self.kind, _METRICS)
        self._where, self._options = where, options

    def more(self, tape: Tape) -> None:
        """Pushes what the core computes of it."""
        if self.kind in ("probability", "loss") and "logits" in tape:
            place = tape.ids(_PICKED, [1])
            picked = tape.gather(tape["logits"], place, axis=1, name="metric.logits")
            tape.log_softmax(picked, name=_LOG)
            tape.softmax(picked, name=_LIKELY)

    def begin(self, bench: _Bench, token: int | None = None) -> Measured:
        """Takes up the bench that it measures on, which has not run yet, and runs it."""
        _, length, vocab = bench.logits.shape
        position = _position(f"{self._where}: position", self._options.get("position", -1), length)
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
        best = _largest(self._where, bench.logits.data[0, position]) if token is None else int(token)
        self.measured = Measured(self.kind, best, against, position)
        return self.measured

    def read(self) -> float:
        """Its value in the last run."""
        tape, measured = self._bench.tape, self.measured
        if self.kind == "probability":
            return float(tape[_LIKELY].data[..., measured.token].item())
        if self.kind == "loss":
            return -float(tape[_LOG].data[..., measured.token].item())
        row = self._bench.logits.data[0, measured.position]
        return float(row[measured.token]) - (0 if measured.against is None else float(row[measured.against]))


def _largest(where: str, row: NDArray[Any]) -> int:
    """Where the largest is; of equals the first. A row with NaN has none."""
    wrong = np.flatnonzero(np.isnan(row))
    if wrong.size:
        raise range_error("scoreNaN", where=where, i=int(wrong[0]))
    return int(np.argmax(row))


@dataclass(frozen=True)
class Grid:
    """Numbers along two axes, each a name and its labels; unit: what a number is."""

    axes: tuple[tuple[str, list[str]], tuple[str, list[str]]]
    values: list[list[float]]
    unit: str


# ---- Places ----


class _Region:
    """Some cells of a step: places in its flat values."""

    def __init__(self, node: Tensor, index: Sequence[int | None] = ()) -> None:
        self.node = node
        chosen = [slice(None) if i is None else slice(i, i + 1) for i in index]
        self.cells = np.arange(node.size).reshape(node.shape)[tuple(chosen)].reshape(-1)


@dataclass(frozen=True)
class _Row:
    """The places of one kind in a layer."""

    label: str
    stack: str
    layer: int
    part: str
    count: int
    regions: Callable[[int], list[_Region]]


def _along(node: Tensor, axis: int, i: int) -> list[_Region]:
    return [_Region(node, [*[None] * axis, i])]


def _whole(nodes: list[Tensor], _: int) -> list[_Region]:
    return [_Region(node) for node in nodes]


def _rows_along(bench: _Bench, role: str, axis: int) -> list[_Row]:
    """Layers whose steps of a role hold heads, or neurons."""

    def row(node: Tensor) -> _Row:
        cross = " cross" if node.part == "cross_attn" else ""
        label = f"{bench.prefix(node.stack)}{node.layer}{cross}"
        about = (label, str(node.stack), int(node.layer or 0), str(node.part))
        return _Row(*about, node.shape[axis], partial(_along, node, axis))

    made = (node for node in bench.nodes if node.role == role and node.kind == "op")
    return [row(node) for node in made if node.layer is not None]


def _rows(bench: _Bench, each: str) -> list[_Row]:
    if each == "head":
        return _rows_along(bench, "mix", 1)
    if each == "neuron":
        return _rows_along(bench, "activation", 2)
    rows: list[_Row] = []
    for stack in bench.stacks:
        layers: dict[int, list[Tensor]] = {}
        for node in bench.additions(stack):
            layers.setdefault(int(_operand(node, 1).layer or 0), []).append(node)
        for layer, nodes in layers.items():
            outputs = [_operand(node, 1) for node in nodes]
            label = f"{bench.prefix(stack)}{layer}"
            if each == "layer":
                rows.append(_Row(label, stack, layer, "", 1, partial(_whole, outputs)))
            else:
                stream = _operand(nodes[0], 0)
                rows.append(_Row(label, stack, layer, "", stream.shape[1], partial(_along, stream, 1)))
    return rows


def _computed(where: str, bench: _Bench, name: Any) -> Tensor:
    node = bench.tape.find(check_text(where, name))
    if node.kind != "op":
        raise range_error("computedNode", where=where, name=node.name)
    return node


def _regions(where: str, bench: _Bench, place: Any, more: Sequence[str]) -> list[_Region]:
    """The cells of a place."""
    if not isinstance(place, Mapping):
        raise type_error("options", where=where, given=place)
    check_options(where, place, [*_PLACE, *more])
    if place.get("node") is not None:
        node = _computed(f"{where}: node", bench, place["node"])
        index = check_list(f"{where}: index", place.get("index", []))
        check_integer(f"{where}: index: length", len(index), 0, len(node.shape))
        for axis, i in enumerate(index):
            if i is not None:
                check_integer(f"{where}: index[{axis}]", i, 0, node.shape[axis] - 1)
        return [_Region(node, index)]
    stack, layer, part = bench.stack_of(where, place), place["layer"], place.get("part")
    if part is not None:
        check_word(f"{where}: part", part, list(_PARTS))
    names = [kind for kind in ("head", "neuron", "position") if place.get(kind) is not None]
    if len(names) > 1:
        raise type_error("onePlace", where=where, names=", ".join(names))
    missing = {"where": where, "layer": layer, "stack": stack}
    if not names:
        outputs = [_operand(node, 1) for node in bench.additions(stack)]
        found = [one for one in outputs if one.layer == layer and part in (None, one.part)]
        if not found:
            raise range_error("noPartAt", part=part or "sublayer", **missing)
        return [_Region(one) for one in found]
    (kind,) = names
    due = (part or "self_attn") if kind == "head" else None
    rows = [row for row in _rows(bench, kind) if (row.layer, row.stack) == (layer, stack)]
    rows = [row for row in rows if due in (None, row.part)]
    if not rows:
        raise range_error("noPartAt", part=due or kind, **missing)
    return rows[0].regions(check_integer(f"{where}: {kind}", place[kind], 0, rows[0].count - 1))


# ---- New values ----


def _second(model: Model, inputs: Any, bench: _Bench, option: str, metric: _Metric | None = None) -> _Bench:
    """Another run, of sequences as long as those of a bench."""
    where = f"{bench.where}: {option}"
    other = _Bench(where, model, inputs, *([metric.more] if metric else []))
    for node in bench.nodes:
        if node.kind != "ids" or node.role != "tokens":
            continue
        due, given = node.shape[1], other.tape[node.name].shape[1]
        if due != given:
            raise range_error("tokensOf", where=f"{where}: {node.name}", n=due, given=given)
    return other


def _mean(where: str, model: Model, runs: list[Any], node: Tensor) -> NDArray[np.float32]:
    """Of a node over all tokens of several runs, at each token."""
    if "token" not in node.axes:
        raise range_error("tokenless", where=where, name=node.name)
    axis = node.axes.index("token")
    total, count = np.zeros(0), 0
    for i, inputs in enumerate(runs):
        other = _Bench(f"{where}[{i}]", model, inputs)
        other.run()
        tokens = np.moveaxis(other.tape[node.name].data, axis, 0)
        # One after the other: so the sum has the bits of JavaScript's.
        for token in tokens:
            total = token.astype(np.float64) if not count else total + token
            count += 1
    mean = np.expand_dims((total / count).astype(np.float32), axis)
    return np.ascontiguousarray(np.broadcast_to(mean, node.shape))


def _replacing(
    model: Model, bench: _Bench, value: Any, nodes: Iterable[Tensor]
) -> dict[int, NDArray[np.float32]]:
    """New values of nodes, whole, by their places on the tape."""
    where = f"{bench.where}: value"
    if value == "zero":
        return {node.id: np.zeros(node.shape, np.float32) for node in nodes}
    if not isinstance(value, Mapping) or ("mean" in value) == ("run" in value):
        raise type_error("newValue", where=where, given=value)
    check_options(where, value, ["mean", "run"])
    if "mean" in value:
        runs = check_list(f"{where}: mean", value["mean"])
        if not runs:
            raise range_error("emptySet", where=f"{where}: mean")
        return {node.id: _mean(f"{where}: mean", model, runs, node) for node in nodes}
    other = _second(model, value["run"], bench, "value: run")
    other.run()
    return {node.id: np.asarray(other.tape[node.name].numpy(), np.float32) for node in nodes}


def _changes(regions: Iterable[_Region], values: Mapping[int, NDArray[Any]]) -> _Changes:
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


# ---- Ablation and patching ----


@dataclass(frozen=True)
class Ablation:
    """What the metric is without some places: of all of them together, or of each alone in a grid.

    nothing: whether putting each value back where it was changed no bit of the logits
    """

    metric: Measured
    before: float
    after: float | None
    grid: Grid | None
    nothing: bool


@dataclass(frozen=True)
class Patching(Ablation):
    """The same with values of another run.

    other: the metric in that one; everything: whether patching all that the model reads gave its bits
    """

    other: float
    everything: bool


class _Trials:
    """The places of an experiment: rows of them, or one list."""

    def __init__(self, bench: _Bench, each: Any, layers: Any, at: Any, more: Sequence[str] = ()) -> None:
        where = bench.where
        if (each is None) == (at is None):
            raise type_error("eachOrAt", where=where)
        self.each = each
        self.rows: list[_Row] = []
        self.places: list[list[_Region]] = []
        if at is not None:
            for i, place in enumerate(check_list(f"{where}: at", at)):
                self.places.append(_regions(f"{where}: at[{i}]", bench, place, more))
            return
        check_word(f"{where}: each", each, _EACH)
        wanted = None if layers is None else check_list(f"{where}: layers", layers)
        for i, layer in enumerate(wanted or []):
            check_integer(f"{where}: layers[{i}]", layer, 0, _MOST_LAYERS)
        self.rows = [row for row in _rows(bench, each) if wanted is None or row.layer in wanted]

    @property
    def touched(self) -> list[_Region]:
        rows = [one for row in self.rows for i in range(row.count) for one in row.regions(i)]
        return rows or [one for place in self.places for one in place]

    def nodes(self) -> list[Tensor]:
        return list({one.node.id: one.node for one in self.touched}.values())

    def outcome(
        self, bench: _Bench, metric: _Metric, values: Mapping[int, NDArray[Any]]
    ) -> tuple[float | None, Grid | None, bool]:
        """Tries the places with new values: the metric after, or a grid; and whether old ones change none."""
        logits = bench.logits.numpy()
        intact = {node.id: node.numpy() for node in self.nodes()}
        bench.run(_changes(self.touched, intact))
        nothing = _bits(bench.logits.data) == _bits(logits)

        def measure(regions: list[_Region]) -> float:
            bench.run(_changes(regions, values))
            return metric.read()

        if self.each is None:
            return measure(self.touched), None, nothing
        found = [[measure(row.regions(i)) for i in range(row.count)] for row in self.rows]
        most = max((row.count for row in self.rows), default=0)
        second = ("part", ["layer"]) if self.each == "layer" else (self.each, list(map(str, range(most))))
        axes = (("layer", [row.label for row in self.rows]), second)
        return None, Grid(axes, found, metric.kind), nothing


def ablate(
    model: Model,
    inputs: Inputs,
    *,
    each: Each | None = None,
    layers: Sequence[int] | None = None,
    at: Sequence[Place] | None = None,
    value: Value = "zero",
    metric: Mapping[str, Any] | None = None,
) -> Ablation:
    """Takes away what heads, neurons, layers, positions or any steps computed, and measures what that does.

    each: one place of a kind after the other, in a grid; layers: these alone; or at: places, all together,
    each with a "value" of its own if you like; value: 'zero', {"mean": [inputs, ...]} or {"run": inputs};
    metric: {"kind": 'logit', 'difference', 'probability' or 'loss', "token", "against", "position"}, by
    default the largest logit at the last position.
    """
    where = "ablate"
    measure = _Metric(where, metric)
    bench = _Bench(where, model, inputs, measure.more)
    trials = _Trials(bench, each, layers, at, ["value"])
    measured = measure.begin(bench)
    before = measure.read()
    values: dict[int, NDArray[np.float32]] = {}
    for place, regions in enumerate(trials.places or [trials.touched]):
        chosen = value if at is None else at[place].get("value", value)
        made = _replacing(model, bench, chosen, {one.node.id: one.node for one in regions}.values())
        for region in regions:
            into = values.setdefault(region.node.id, made[region.node.id])
            into.reshape(-1)[region.cells] = made[region.node.id].reshape(-1)[region.cells]
    return Ablation(measured, before, *trials.outcome(bench, measure, values))


def patch(
    model: Model,
    inputs: Inputs,
    *,
    source: Inputs,
    each: Each | None = None,
    layers: Sequence[int] | None = None,
    at: Sequence[Place] | None = None,
    metric: Mapping[str, Any] | None = None,
) -> Patching:
    """Puts values of another run into this one, place by place, and measures what each does.

    source: the run that values are taken from, of the same length: the `from` of JavaScript, which Python
    keeps for itself; other options as of ablate.
    """
    where = "patch"
    measure = _Metric(where, metric)
    bench = _Bench(where, model, inputs, measure.more)
    trials = _Trials(bench, each, layers, at)
    measured = measure.begin(bench)
    before = measure.read()
    same = _Metric(where, metric)
    second = _second(model, source, bench, "source", same)
    same.begin(second, measured.token)
    values = {node.id: second.tape[node.name].numpy() for node in trials.nodes()}
    outcome = trials.outcome(bench, measure, values)
    read = [node for node in bench.nodes if node.op == "embed" and node.axes[0] == "batch"]
    bench.run(_changes(map(_Region, read), {node.id: second.tape[node.name].data for node in read}))
    everything = _bits(bench.logits.data) == _bits(second.logits.data)
    return Patching(measured, before, *outcome, same.read(), everything)


# ---- The logit lens ----


@dataclass(frozen=True)
class LensRow:
    """A state of the residual stream, read as if it were the last.

    layer and part: the sublayer that has just added its output, None before the first; logits: at the
    position; top: the most probable tokens there, with their probabilities; best: the most probable one at
    each position.
    """

    name: str
    stack: str
    layer: int | None
    part: str | None
    logits: NDArray[np.float32]
    top: list[tuple[int, float]]
    best: list[int]


@dataclass(frozen=True)
class LogitLens:
    """What the model would say at each state.

    last_is_logits: whether the last row has the model's own bits
    """

    position: int
    rows: list[LensRow]
    grid: Grid
    last_is_logits: bool


def _states(bench: _Bench) -> list[tuple[str, int | None, str | None, Tensor]]:
    """The stream of the last stack: its name, layer and part, and the step, with a norm behind it."""
    stack = bench.stacks[-1]
    states: list[tuple[str, int | None, str | None, Tensor]] = []
    for node in bench.additions(stack):
        output = _operand(node, 1)
        behind = [one for one in bench.nodes if one.role == "norm" and node in one.inputs]
        place = node if bench.config["pre_norm"] or not behind else behind[0]
        if not states:
            states.append((f"{bench.prefix(stack)}input", None, None, _operand(node, 0)))
        name = f"{bench.prefix(stack)}layer {output.layer} {_PARTS[str(output.part)]}"
        states.append((name, output.layer, output.part, place))
    if not states:
        raise type_error("noStates", where=bench.where)
    return states


def _copy(values: NDArray[Any], data: NDArray[Any]) -> None:
    data[...] = values


def logit_lens(
    model: Model, inputs: Inputs, *, position: int = -1, token: int | None = None, top: int = _TOP
) -> LogitLens:
    """What the model would say if it stopped at each state: it goes through final norm and unembedding.

    position: whose logits are given, negative ones count from the end; token: whose probability the grid
    shows, by default, at each position, the model's own; top: how many tokens of each state are named
    """
    where = "logit_lens"

    def more(tape: Tape) -> None:
        if "logits" in tape:
            tape.softmax(tape["logits"], name=_SHARES)

    bench = _Bench(where, model, inputs, more)
    _, length, vocab = bench.logits.shape
    position = _position(f"{where}: position", position, length)
    if token is not None:
        check_integer(f"{where}: token", token, 0, vocab - 1)
    check_integer(f"{where}: top", top, 1, _MOST_TOP)
    bench.run()
    intact = bench.logits.numpy()
    states = _states(bench)
    kept = [node.numpy() for *_, node in states]
    last = states[-1][-1].id
    own = [_largest(f"{where}: position {t}", intact[0, t]) for t in range(length)]
    tokens = own if token is None else [token] * length
    rows: list[LensRow] = []
    values: list[list[float]] = []
    for (name, layer, part, _), state in zip(states, kept, strict=True):
        bench.run({last: partial(_copy, state)})
        logits, shares = bench.logits.data[0], bench.tape[_SHARES].data[0]
        order = np.argsort(-logits[position], kind="stable")[:top]
        named = [(int(id), float(shares[position, id])) for id in order]
        best = [_largest(f"{where}: position {t}", logits[t]) for t in range(length)]
        rows.append(LensRow(name, bench.stacks[-1], layer, part, logits[position].copy(), named, best))
        values.append([float(shares[t, id]) for t, id in enumerate(tokens)])
    axes = (("state", [row.name for row in rows]), ("position", [str(t) for t in range(length)]))
    same = _bits(bench.logits.data) == _bits(intact)
    return LogitLens(position, rows, Grid(axes, values, "probability"), same)
