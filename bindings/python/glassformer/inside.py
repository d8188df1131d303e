"""Experiments on a running model: JavaScript's glassformer/inside, under its names and with its numbers.

    from glassformer import inside

    inputs = {"target": [1, 5, 6]}
    inside.attention_patterns(model, inputs)[0].weights         [H,Tq,Tk] of each attention
    inside.ablate(model, inputs, each="head").grid.values       the metric without each head
    inside.patch(model, inputs, source={"target": [1, 4, 6]}, each="position")
    inside.attribution_patch, inside.paths                      the same by one pass back; from head to head
    inside.logit_lens(model, inputs).rows[0].top                what each layer would say
    inside.logit_attribution(model, inputs).parts               a logit as a sum; inside.why: a score as one
    inside.head_scores, head_roles, symmetry, rollout, circuits what heads do
    inside.contexts, neighbours, probe, label_shares            what vectors hold
    inside.information, recurrence                              what a row of weights lets through; a network
    inside.without_head(model, place, work)                     a work without a head
    inside.run(model, inputs, {"decoder.layers.0.self_attn.mix": lambda mix: mix[:, 1].fill(0)})

Inputs are those of model(...), of one sequence. A place is a dict: {"layer": 0, "head": 1}, or a layer with
"neuron", "position" or "part", or {"node": "decoder.layers.0.norm1", "index": [0, 2]}, where None in an
index goes through a whole dimension; "stack" is the last one by default. Wrong arguments raise
ArgumentTypeError or ArgumentRangeError.
Experimental: this module may change in any minor version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._bench import (
    PARTS,
    Bench,
    Each,
    Grid,
    Inputs,
    Measured,
    Metric,
    Place,
    Region,
    Trials,
    Value,
    added,
    attentions_of,
    changes_of,
    check_position,
    computed,
    regions_of,
    second_run,
    states_of,
    sum_of,
)
from ._choose import check_returned
from ._heads import (
    Circuits,
    HeadRoles,
    HeadScore,
    HeadScores,
    HeadSymmetry,
    Rollout,
    RolloutLayer,
    Symmetry,
    circuits,
    head_roles,
    head_scores,
    information,
    rollout,
    symmetry,
    without_head,
)
from ._parts import LogitAttribution, LogitPart, Origin, Why, logit_attribution, why
from ._recurrence import Reach, Recurrence, RecurrentStep, recurrence
from ._values import largest
from ._vectors import (
    Contexts,
    ContextState,
    LabelShares,
    Neighbours,
    Probe,
    contexts,
    label_shares,
    neighbours,
    probe,
)
from .errors import (
    check_bool,
    check_integer,
    check_list,
    check_mapping,
    check_options,
    check_word,
    range_error,
    type_error,
)

if TYPE_CHECKING:
    from .model import Model, Run
    from .tape import Tape

__all__ = [
    "Ablation",
    "AttentionPattern",
    "AttributionPatching",
    "Circuits",
    "ContextState",
    "Contexts",
    "Grid",
    "HeadRoles",
    "HeadScore",
    "HeadScores",
    "HeadSymmetry",
    "LabelShares",
    "LensRow",
    "LogitAttribution",
    "LogitLens",
    "LogitPart",
    "Measured",
    "Neighbours",
    "Origin",
    "Patching",
    "Paths",
    "Probe",
    "Reach",
    "Recurrence",
    "RecurrentStep",
    "Rollout",
    "RolloutLayer",
    "Symmetry",
    "Why",
    "ablate",
    "attention_patterns",
    "attribution_patch",
    "circuits",
    "contexts",
    "head_roles",
    "head_scores",
    "information",
    "label_shares",
    "logit_attribution",
    "logit_lens",
    "neighbours",
    "patch",
    "paths",
    "probe",
    "recurrence",
    "rollout",
    "run",
    "symmetry",
    "why",
    "without_head",
]
_SHARES = "lens.probabilities"
_TOP, _MOST_TOP = 5, 100


def run(model: Model, inputs: Inputs, changes: Mapping[str, Callable[[NDArray[Any]], Any]]) -> Run:
    """A run whose steps are changed as soon as they are computed: later ones read what your functions wrote.

    changes: by the name of a step, a function that gets its live values, of the step's shape, and writes into
    them; it returns nothing.
    """
    from .model import Run

    where = "run"
    bench = Bench(where, model, inputs)
    check_mapping(f"{where}: changes", changes)
    placed: dict[int, Callable[[NDArray[Any]], Any]] = {}
    for name, change in changes.items():
        node = computed(f"{where}: changes", bench, name)
        if not callable(change):
            raise type_error("listener", where=f"{where}: changes: {name}", given=change)
        placed[node.id] = partial(_apply, name, change)
    bench.run(placed)
    return Run(bench.tape)


def _apply(name: str, change: Callable[[NDArray[Any]], Any], values: NDArray[Any]) -> None:
    check_returned(name, values, change(values))


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
    bench = Bench("attention_patterns", model, inputs)
    bench.run()
    return [
        AttentionPattern(one.stack, one.layer, one.part, one.weights.numpy()[0])
        for one in attentions_of(bench.nodes)
    ]


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
    measure = Metric(where, metric)
    bench = Bench(where, model, inputs, measure.more)
    trials = Trials(bench, each, layers, at, ["value"])
    measured = measure.begin(bench)
    before = measure.read()
    values = trials.values(model, bench, at, value)
    return Ablation(measured, before, *trials.outcome(bench, measure, values))


def _both(
    where: str, model: Model, inputs: Inputs, source: Inputs, metric: Any, each: Any, layers: Any, at: Any
) -> tuple[Trials, Bench, Metric, Bench, Metric]:
    """The two runs of a patching, this one and that which values are taken from, and the metric of each."""
    measure = Metric(where, metric)
    bench = Bench(where, model, inputs, measure.more)
    trials = Trials(bench, each, layers, at)
    measured = measure.begin(bench)
    same = Metric(where, metric)
    second = second_run(model, source, bench, "source", same)
    same.begin(second, measured.token)
    return trials, bench, measure, second, same


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
    trials, bench, measure, second, same = _both("patch", model, inputs, source, metric, each, layers, at)
    before = measure.read()
    values = {node.id: second.tape[node.name].numpy() for node in trials.nodes()}
    outcome = trials.outcome(bench, measure, values)
    read = [node for node in bench.nodes if node.op == "embed" and node.axes[0] == "batch"]
    bench.run(changes_of(map(Region, read), {node.id: second.tape[node.name].data for node in read}))
    everything = bench.logits.data.tobytes() == second.logits.data.tobytes()
    return Patching(measure.measured, before, *outcome, same.read(), everything)


@dataclass(frozen=True)
class AttributionPatching:
    """What patching would change, by one pass back.

    grid: gradient times difference of each place; truth: what patching it changes; error: the 'largest' and
    the 'mean' distance of the two grids, NaN without places; both None without compare.
    """

    metric: Measured
    before: float
    other: float
    grid: Grid
    truth: Grid | None
    error: dict[str, float] | None


def attribution_patch(
    model: Model,
    inputs: Inputs,
    *,
    source: Inputs,
    each: Each,
    layers: Sequence[int] | None = None,
    metric: Mapping[str, Any] | None = None,
    compare: bool = False,
) -> AttributionPatching:
    """The gradient of the metric times the difference that patching would make, for all places at once.

    compare: whether true patching is computed beside it, which takes a run for each place; other options as
    of patch.
    """
    where = "attribution_patch"
    check_bool(f"{where}: compare", compare)
    trials, bench, measure, second, same = _both(where, model, inputs, source, metric, each, layers, None)
    before, other = measure.read(), same.read()
    values = {node.id: second.tape[node.name].numpy() for node in trials.nodes()}
    intact = {node.id: node.numpy() for node in trials.nodes()}
    measure.derive()
    slopes = {node.id: np.array(node.grad) for node in trials.nodes()}

    def estimate(regions: list[Region]) -> float:
        parts: list[float] = []
        for region in regions:
            slope, one, two = (
                all_of[region.node.id].reshape(-1)[region.cells].astype(np.float64)
                for all_of in (slopes, intact, values)
            )
            parts.append(added(slope * (two - one)))
        return sum_of(parts)

    def change(regions: list[Region]) -> float:
        bench.run(changes_of(regions, values))
        return measure.read() - before

    estimates, unit = trials.measured(estimate), f"change of the {measure.kind}"
    facts = (measure.measured, before, other, trials.grid(estimates, unit))
    if not compare:
        return AttributionPatching(*facts, None, None)
    truth = trials.measured(change)
    differences = [
        abs(a - b)
        for row, other_row in zip(truth, estimates, strict=True)
        for a, b in zip(row, other_row, strict=True)
    ]
    mean = sum_of(differences) / len(differences) if differences else math.nan
    error = {"largest": max(differences, default=0.0), "mean": mean}
    return AttributionPatching(*facts, trials.grid(truth, unit), error)


# ---- Paths ----


@dataclass(frozen=True)
class Paths:
    """What goes from a sender to receivers directly.

    parts: with a sender, what changes through each receiver, by its name; total: what changes if the sender
    is patched and all else computed; sum: of the parts; remainder: total - sum, what parts do together.
    grid: without a sender, what changes by each head as the sender.
    """

    metric: Measured
    before: float
    parts: list[dict[str, Any]] | None
    total: float | None
    sum: float | None
    remainder: float | None
    grid: Grid | None


@dataclass(frozen=True)
class _Reader:
    """A receiver on a bench, and the regions that it reads."""

    name: str
    regions: list[Region]
    place: tuple[str, int, str, str | None] | None = None
    head: int | None = None


_LOGITS = _Reader("logits", [])
_RECEIVER = ["layer", "head", "input", "part", "stack"]
_READ = ["query", "key", "value"]


def _readers(bench: Bench) -> list[_Reader]:
    """All that can receive, in the order of computation."""
    made: list[_Reader] = []
    for attention in attentions_of(bench.nodes):
        for role in _READ:
            node = bench.projection(attention, role)
            assert node is not None
            width = node.shape[2] // node.heads
            reads = (attention.stack, attention.layer, attention.part, role)
            for head in range(node.heads):
                cells = [Region(node, [None, None, head * width + d]) for d in range(width)]
                made.append(_Reader(f"{bench.head_name(attention, head)} {role}", cells, reads, head))
    for node in bench.nodes:
        if node.role == "hidden" and node.op == "linear" and node.part == "feed_forward":
            name = f"{bench.prefix(node.stack)}layer {node.layer} {PARTS['feed_forward']}"
            read = [one for one in (node, bench.projection(node, "gate")) if one]
            where = (str(node.stack), int(node.layer or 0), str(node.part), None)
            made.append(_Reader(name, [Region(one) for one in read], where))
    return sorted(made, key=lambda one: one.regions[0].node.id)


def _receivers(bench: Bench, receivers: Any) -> list[_Reader]:
    """The readers that receivers name."""
    where = f"{bench.where}: receivers"
    chosen = check_list(where, receivers)
    if not chosen:
        raise range_error("noReceivers", where=where)
    every = _readers(bench)
    return [_receiver(f"{where}[{i}]", bench, receiver, every) for i, receiver in enumerate(chosen)]


def _receiver(where: str, bench: Bench, receiver: Any, every: list[_Reader]) -> _Reader:
    if isinstance(receiver, str) and receiver == "logits":
        return _LOGITS
    if not isinstance(receiver, Mapping):
        raise type_error("receiver", where=where, given=receiver)
    check_options(where, receiver, _RECEIVER)
    head = receiver.get("head")
    part = receiver.get("part", "feed_forward" if head is None else "self_attn")
    stack = bench.stack_of(where, receiver)
    check_word(f"{where}: part", part, list(PARTS))
    if head is not None:
        check_word(f"{where}: input", receiver.get("input"), _READ)
    place = (stack, receiver["layer"], part, receiver.get("input"))
    alike = [one for one in every if one.place == place]
    if head is not None and alike:
        check_integer(f"{where}: head", head, 0, len(alike) - 1)
    for one in alike:
        if one.head == head:
            return one
    raise range_error("noPartAt", where=where, part=part, layer=receiver["layer"], stack=stack)


def paths(
    model: Model,
    inputs: Inputs,
    *,
    source: Inputs,
    sender: Place | None = None,
    receivers: Sequence[Any] | None = None,
    metric: Mapping[str, Any] | None = None,
) -> Paths:
    """What goes from a sender to receivers directly, through the stream, all else being held: path patching.

    source: the run that the sender's values are taken from, of the same length; sender: a place, a head or
    a layer with a part; each head in turn by default, in a grid; receivers: 'logits', {"layer", "head",
    "input": 'query', 'key' or 'value'}, or {"layer", "part": 'feed_forward'}; with a sender by default all
    behind it, each alone; without one they are changed together, and 'logits' stands alone.
    """
    where = "paths"
    measure = Metric(where, metric)
    bench = Bench(where, model, inputs, measure.more)
    if sender is None and receivers is None:
        raise type_error("sendersOrReceivers", where=where)
    named = None if receivers is None else _receivers(bench, receivers)
    if sender is None and named and len(named) > 1 and _LOGITS in named:
        raise range_error("logitsAlone", where=f"{where}: receivers")
    regions = None if sender is None else regions_of(f"{where}: sender", bench, sender, [])
    #: What a sublayer computes inside: held, it passes nothing on.
    inner = [node for node in bench.nodes if node.role in ("mix", "activation") and node.layer is not None]
    second = second_run(model, source, bench, "source")
    second.run()
    changed = inner if regions is None else [one.node for one in regions]
    values = {node.id: second.tape[node.name].numpy() for node in changed}
    measured = measure.begin(bench)
    before = measure.read()

    def by(sent: list[Region], groups: list[list[_Reader]]) -> list[float]:
        """By how much the metric changes through each group of readers alone."""
        senders = {one.node.id for one in sent}
        bench.run(changes_of(sent, values), [node for node in inner if node.id not in senders])
        direct = measure.read()
        reads = {one.node.id: one.node for group in groups for reader in group for one in reader.regions}
        noted = {place: node.numpy() for place, node in reads.items()}

        def through(readers: list[_Reader]) -> float:
            if _LOGITS in readers:
                return direct
            bench.run(changes_of([one for reader in readers for one in reader.regions], noted))
            return measure.read()

        return [through(group) - before for group in groups]

    if regions is None:
        trials = Trials(bench, "head", None, None)
        grid = trials.grid(trials.measured(lambda sent: by(sent, [named or []])[0]), measure.kind)
        return Paths(measured, before, None, None, None, None, grid)
    bench.run(changes_of(regions, values))
    total = measure.read() - before
    first = min(one.node.id for one in regions)
    behind = [reader for reader in _readers(bench) if reader.regions[0].node.id > first]
    readers = [*behind, _LOGITS] if named is None else named
    changes = by(regions, [[reader] for reader in readers])
    parts = [{"name": one.name, "value": value} for one, value in zip(readers, changes, strict=True)]
    whole = sum_of(changes)
    return Paths(measured, before, parts, total, whole, total - whole, None)


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

    bench = Bench(where, model, inputs, more)
    _, length, vocab = bench.logits.shape
    position = check_position(f"{where}: position", position, length)
    if token is not None:
        check_integer(f"{where}: token", token, 0, vocab - 1)
    check_integer(f"{where}: top", top, 1, _MOST_TOP)
    bench.run()
    intact = bench.logits.numpy()
    states = states_of(bench, bench.stacks[-1])
    kept = [node.numpy() for *_, node in states]
    last = states[-1][-1].id
    best_of = [largest(f"{where}: position {t}", intact[0, t]) for t in range(length)]
    tokens = best_of if token is None else [token] * length
    rows: list[LensRow] = []
    values: list[list[float]] = []
    for (name, layer, part, _), state in zip(states, kept, strict=True):
        bench.run({last: partial(np.copyto, src=state)})
        logits, shares = bench.logits.data[0], bench.tape[_SHARES].data[0]
        order = np.argsort(-logits[position], kind="stable")[:top]
        named = [(int(id), float(shares[position, id])) for id in order]
        best = [largest(f"{where}: position {t}", logits[t]) for t in range(length)]
        rows.append(LensRow(name, bench.stacks[-1], layer, part, logits[position].copy(), named, best))
        values.append([float(shares[t, id]) for t, id in enumerate(tokens)])
    axes = (("state", [row.name for row in rows]), ("position", [str(t) for t in range(length)]))
    same = bench.logits.data.tobytes() == intact.tobytes()
    return LogitLens(position, rows, Grid(axes, values, "probability"), same)
