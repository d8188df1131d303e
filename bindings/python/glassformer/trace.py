"""The worked examples: built on a tape from their data, computed, edited, differentiated."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._form import check_example
from ._layers import build_adam, build_loss, build_scores, layered, predict, ranked, read_example
from ._library import DATA, STRUCTS, lib
from ._memory import memory
from ._nodes import Named, Tensor
from ._values import array_of, check_shape, fill, index_of
from .errors import (
    GlassformerError,
    Message,
    check_list,
    check_text,
    check_word,
    message,
    missing,
    near,
    range_error,
)
from .functional import rotation
from .tape import Tape

Example = Mapping[str, Any]

#: By name, in the order of teaching; bindings/data/examples/ in the repository holds them.
examples: Mapping[str, Example] = MappingProxyType(DATA["examples"])

_LEAVES: dict[str, dict[str, Any]] = DATA["leaves"]
#: What x is made of, in the order of its making.
_SOURCES: list[str] = DATA["sources"]
_PROJECTIONS = ("w_q", "w_k", "w_v")
_BIASES = ("b_q", "b_k", "b_v")
_SCHEDULES: list[str] = DATA["options"]["training"]["schedule"]["words"]
_REMOVALS = (
    *("embedding", "positions", "projections", "scores", "scale", "mask", "softmax"),
    *("mix", "w_o"),
)
_schedule = STRUCTS["gf_schedule"]


class Trace(Named):
    """An example computed: trace["weights"] is a step, with its value, its gradient and what it is."""

    def __init__(self, example: Example, remove: Iterable[str] = ()) -> None:
        example = read_example(example)
        check_example(example, _LEAVES)
        #: What was computed: its text, its inputs, and what that text prints, by step.
        self.example = example
        removed = _check_removals(example, remove)
        #: All that a tape can do.
        self.tape = _build(example, removed)
        self._nodes = self.tape._nodes
        #: The names of the steps that do not do what they usually do.
        self.removed = _take_out(self.tape, removed)
        self.tape.forward()

    @property
    def steps(self) -> tuple[Tensor, ...]:
        """Every step, in the order of computation."""
        return self.tape.nodes

    def __repr__(self) -> str:
        return f"<Trace: {len(self.steps)} steps of {self.example.get('name', 'an example')}>"

    def __getitem__(self, name: str) -> Tensor:
        for node in self.steps:
            if node.name == check_text("trace", name):
                return node
        hint = near(name, (node.name for node in self.steps))
        raise missing("noStep", value=name, hint=hint, node=name)

    def edit(self, name: str, index: Iterable[int], value: float) -> None:
        """Overwrites one cell. A computed step keeps its other values; what follows is computed again."""
        step = self[name]
        cell = index_of(f"trace: edit: {name}", step.shape, index)
        held = step.kind == "op" and not step.frozen
        if held:
            self.tape.freeze(step)
        before = step.data[cell]
        try:
            fill(f"trace: edit: {name}", step.data[(*cell, np.newaxis)], [value])
            self.tape.forward()
        except GlassformerError:
            step.data[cell] = before
            if held:
                self.tape.freeze(step, False)
            self.tape.forward()
            raise
        self.tape._derived = False

    def gradient(self, name: str, index: Iterable[int]) -> None:
        """Gradients of one cell with respect to every step before it, into their grad."""
        step = self[name]
        seed = np.zeros(step.shape, np.float32)
        seed[index_of(f"trace: gradient: {name}", step.shape, index)] = 1
        self.tape.backward(step, seed)


def trace(example: str | Example, *, remove: Iterable[str] = ()) -> Trace:
    """Computes a worked example: its name, or your own in the same form (docs/own-examples.md).

    remove: steps to leave out: 'embedding', 'positions', 'projections', 'scores', 'scale', 'mask',
    'softmax', 'mix', 'w_o'.

    >>> trace("three-tokens")["weights"].shape
    (3, 3)
    """
    if not isinstance(example, str):
        return Trace(example, remove)
    check_word("trace: example", example, list(examples))
    return Trace(examples[example], remove)


# ---- What can be left out ----


def _shape(example: Example, name: str) -> tuple[int, ...]:
    """Empty if it is not given."""
    given = example.get("inputs", {}).get(name)
    if given is None:
        return ()
    return tuple(given["shape"]) if isinstance(given, Mapping) else array_of(f"trace: {name}", given).shape


def _channels(example: Example) -> int:
    shapes = [_shape(example, name) for name in reversed(_SOURCES)]
    return next((shape[-1] for shape in shapes if len(shape) > 1), 0)


def _why_not(example: Example) -> dict[str, Message | None]:
    """Of each removal why it is not possible; None if it is."""
    inputs, attention = example.get("inputs", {}), example.get("attention", {})
    if _builder(example) is not None:
        return dict.fromkeys(_REMOVALS, message("exampleNoAttention"))
    placed = "pos" in inputs or {"embedding", "position"} <= {*inputs} or attention.get("positions")
    why: dict[str, Message | None] = dict.fromkeys(_REMOVALS)
    if "embedding.weight" not in inputs:
        why["embedding"] = message("exampleVectors")
    if not placed:
        why["positions"] = message("exampleUnplaced")
    if not attention.get("causal") and "mask" not in inputs:
        why["mask"] = message("exampleNoMask")
    why["projections"] = _keeps_projections(example)
    words = next((size for n in ("x", "embedding", "tokens") for size in _shape(example, n)[:1]), 0)
    queries, values = (next(iter(_shape(example, n)[-2:-1]), words) for n in ("q", "v"))
    if queries != values:
        why["mix"] = message("exampleMix", queries=queries, values=values)
    output = _shape(example, "w_o")
    if not output:
        why["w_o"] = message("exampleNoOutput")
    elif len(output) != 2 or output[0] != output[1]:
        why["w_o"] = message("exampleSquare", shape=output)
    return why


def _keeps_projections(example: Example) -> Message | None:
    bare = [name[2:] for name in _PROJECTIONS if not _shape(example, name)]
    if bare:
        return message("exampleUnweighted", names=", ".join(bare))
    channels, heads = _channels(example), example.get("attention", {}).get("heads", 1)
    if heads and channels % heads:
        return message("exampleHeads", channels=channels, heads=heads)
    name = next((one for one in ("w_o", "w_u") if _shape(example, one)), "")
    rows, *_ = _shape(example, name) or (channels,)
    if rows == channels:
        return None
    return message("exampleRows", name=name, rows=rows, of="x", channels=channels)


def _check_removals(example: Example, remove: Iterable[str]) -> set[str]:
    where = "trace: remove"
    names = check_list(where, remove, "names")
    why = _why_not(example)
    for name in names:
        if not isinstance(name, str) or name not in why:
            hint = near(str(name), why)
            raise range_error("unknownRemoval", where=where, value=name, hint=hint)
        if why[name]:
            raise range_error("notRemovable", where=where, name=name, reason=why[name])
    return set(names)


def _take_out(tape: Tape, removed: set[str]) -> set[str]:
    """Does without what is removed: its nodes copy an operand, or are held at 0."""
    out = set()
    for node in tape.nodes:
        if node.op == "embed" and "embedding" in removed:
            out.add(node.name)
        if not node.removal or node.removal[0] not in removed:
            continue
        operand = node.removal[1]
        if operand is None:
            tape.freeze(node)
            node.set(np.zeros(node.shape))
        else:
            tape.bypass(node, operand)
        out.add(node.name)
    return out


# ---- From data to a tape ----


def _stream(text: str) -> int:
    """FNV-1a over the UTF-8 bytes: the stream of a name."""
    code = 0x811C9DC5
    for byte in text.encode():
        code = (code ^ byte) * 0x01000193 % 2**32
    return code


def _uniform(shape: Iterable[int], stream: str, given: Mapping[str, Any]) -> NDArray[np.float32]:
    shape = check_shape("trace: shape", shape)
    size = math.prod(shape)
    out = memory(4 * size).view(np.float32).reshape(shape)
    lib.gf_uniform(out.ctypes.data, size, given["seed"], _stream(stream), given["low"], given["high"])
    return out


def _seeded(name: str, given: Mapping[str, Any]) -> NDArray[np.float32]:
    """Each row has its own stream if it is named, so that a word has one embedding in every sentence."""
    shape, uniform, rows = given["shape"], given["uniform"], given.get("rows")
    if rows is None:
        return _uniform(shape, name, uniform)
    if len(rows) != shape[0]:
        raise range_error("rowsNamed", where=f"trace: {name}", n=len(rows), shape=shape)
    return np.stack([_uniform(shape[1:], row, uniform) for row in rows])


def _values(example: Example, name: str, removed: set[str]) -> NDArray[Any]:
    """Without embeddings a word is its number, in every channel; without projections weights are 1."""
    given = example["inputs"][name]
    if "projections" in removed and name in _PROJECTIONS:
        return np.eye(_channels(example))
    if "embedding" in removed and name == "embedding.weight":
        rows, channels = _shape(example, name)
        return np.arange(rows)[:, None].repeat(channels, 1)
    if isinstance(given, Mapping):
        return _seeded(name, given)
    return array_of(f"trace: example.inputs.{name}", given)


def _build(example: Example, removed: set[str]) -> Tape:
    """Builds the example, plans it and writes its leaves; nothing is computed yet."""
    tape = Tape()
    inputs = example.get("inputs", {})
    names = [name for name in _SOURCES if name in inputs]
    names += [name for name in inputs if name not in _SOURCES]
    values: dict[str, Any] = {}
    leaves: dict[str, Tensor] = {}
    for name in names:
        if "projections" in removed and name in _BIASES:
            continue
        values[name] = _values(example, name, removed)
        leaf = _LEAVES[name]
        shape = np.shape(values[name])
        leaves[name] = getattr(tape, leaf["kind"])(name, shape)
        about = leaf["about"]
        axes = {"axes": ranked(about["axes"], len(shape))} if "axes" in about else {}
        tape.describe(name, **{**about, **axes})
    (_builder(example) or _attend)(tape, example, leaves, values)
    tape.plan()
    for name, numbers in values.items():
        tape[name].set(numbers)
    return tape


def _input(tape: Tape, attention: Mapping[str, Any], leaves: dict[str, Tensor]) -> Tensor | None:
    """x, or what it is computed from."""
    if "x" in leaves:
        return leaves["x"]
    table, embedding = leaves.get("embedding.weight"), leaves.get("embedding")
    at = None if attention.get("positions") else leaves.get("pos")
    placed = "position" in leaves or at is not None
    if embedding is None and table is not None:
        embedding = tape.embed(table, leaves["tokens"], name="embedding" if placed else "x")
        if not placed:
            tape.describe(embedding, role="input")
    if embedding is None or not placed:
        return embedding
    position = leaves.get("position")
    if position is None and at is not None:
        learned = leaves.get("position.weight")
        position = (
            tape.embed(learned, at, name="position")
            if learned
            else tape.position(at, channels=embedding.shape[-1], name="position")
        )
    return tape.add(embedding, position, name="x") if position else embedding


def _rotation(tape: Tape, attention: Mapping[str, Any], leaves: dict[str, Tensor]) -> Tensor | None:
    """What turns queries and keys by their places: as many channels of a head as make pairs."""
    if attention.get("positions") != "rotary":
        return None
    if "pos" not in leaves:
        raise range_error("rotaryPos", where="trace: example.inputs")
    asking = leaves["w_q"] if "w_q" in leaves else leaves["q"]
    width = asking.shape[-1] // (attention.get("heads", 1) or 1)
    if width < 2:
        raise range_error("rotaryPairs", where="trace", width=width)
    return tape.rotation(leaves["pos"], dimensions=width // 2 * 2, base=10000, name="rotation")


def _check_fit(leaves: dict[str, Tensor], x: Tensor | None) -> None:
    """Refuses matrices that an attention cannot multiply, by their names."""
    where = "trace: example.inputs"

    def check_rows(name: str, of: str, channels: int) -> None:
        rows = leaves[name].shape[0] if name in leaves else channels
        if rows != channels:
            raise range_error("exampleRows", where=where, name=name, rows=rows, of=of, channels=channels)

    def size_of(name: str) -> tuple[int, int]:
        weights = leaves.get(f"w_{name}")
        source = leaves.get(name, x if weights is not None else None)
        if source is None:
            raise range_error("neither", where=where, name=name)
        rows, channels = source.shape[-2:]
        check_rows(f"w_{name}", name if name in leaves else "x", channels)
        return rows, channels if weights is None else weights.shape[1]

    (_, queries), (keys, width), (values, channels) = map(size_of, "qkv")
    if queries != width:
        raise range_error("exampleKeys", where=where, queries=queries, keys=width)
    if keys != values:
        raise range_error("exampleValues", where=where, keys=keys, values=values)
    check_rows("w_o", "v", channels)


def _attend(tape: Tape, example: Example, leaves: dict[str, Tensor], values: dict[str, Any]) -> None:
    attention: Mapping[str, Any] = example.get("attention", {})
    x = _input(tape, attention, leaves)
    _check_fit(leaves, x)
    given: dict[str, Any] = {key: value for key, value in attention.items() if key != "positions"}
    given["alibi"] = attention.get("positions") == "alibi"
    if given["alibi"] and attention.get("heads", 1) < 2:
        raise range_error("alibiHeads", where="trace")
    given |= {name: leaves.get(name) for name in (*_PROJECTIONS, *_BIASES, "w_o", "b_o", "mask")}

    def attend(source: Tensor | None) -> Tensor:
        for short, long in (("q", "query"), ("k", "key"), ("v", "value")):
            given[long] = leaves.get(short, source)
        given["rotation"] = _rotation(tape, attention, leaves)
        return tape.multi_head_attention("", **given, interleaved=True)

    if "layer" in example and x is None:
        raise range_error("missingInput", where="trace: example.inputs", name="x")
    last = layered(tape, example["layer"], leaves, x, attend) if x and "layer" in example else attend(x)
    if "w_u" in leaves or "loss" in example:
        predict(tape, leaves, last, loss="loss" in example)


def _place(tape: Tape, example: Example, leaves: dict[str, Tensor], values: dict[str, Any]) -> None:
    """Sinusoids of positions, and the map that shifts them."""

    def codes_of(name: str, at: list[int], channels: int) -> Tensor:
        values[f"{name}.positions"] = at
        ids = tape.ids(f"{name}.positions", (len(at),))
        tape.describe(ids, role="positions", axes=["position"])
        return tape.position(ids, channels=channels, name=name)

    for one in example["positions"]:
        node, at, channels = one["node"], one["positions"], one["channels"]
        made = codes_of(node, at, channels)
        if one.get("dots"):
            tape.matmul(made, made, transposed=True, name=f"{node}.dots")
        if "shift" not in one:
            continue
        if channels % 2:
            raise range_error("shiftPairs", where=f"trace: {node}", channels=channels)
        turn = tape.parameter(f"{node}.shift", (channels, channels))
        axes = ["channel", "channel"]
        tape.describe(turn, role="position", parameter="weight", axes=axes)
        values[turn.name] = _shift_by(one["shift"], channels)
        tape.linear(made, turn, name=f"{node}.shifted")
        codes_of(f"{node}.ahead", [place + one["shift"] for place in at], channels)


def _shift_by(k: int, channels: int) -> NDArray[np.float32]:
    """Each pair (sin, cos) of a row turns by the pair's angle at position k."""
    turns = rotation([k], dimensions=channels, base=10000)[0]
    made = np.zeros((channels, channels), np.float32)
    for i, (cosine, sine) in enumerate(turns):
        made[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, -sine], [sine, cosine]]
    return made


def _normalise(tape: Tape, example: Example, leaves: dict[str, Tensor], values: dict[str, Any]) -> None:
    if "x" not in leaves:
        raise range_error("missing", where="trace: example.inputs", name="x")
    gain, bias = leaves.get("gain"), leaves.get("bias")
    tape.layer_norm(leaves["x"], gain, bias, epsilon=example["norm"]["epsilon"], name="norm")


def _rise(tape: Tape, example: Example, leaves: dict[str, Tensor], values: dict[str, Any]) -> None:
    """Learning rates, and their share of the highest, which Noam's has where the warm-up ends."""
    schedule = example["schedule"]
    kind, warmup = _SCHEDULES.index(schedule["kind"]), schedule["warmup"]
    made = _schedule(kind, warmup, 0, schedule["dModel"], 1)
    rates = [lib.gf_learning_rate(ctypes.byref(made), at) for at in schedule["steps"]]
    size = (1, len(rates))
    step, rate = tape.input("step", size), tape.input("learning_rate", size)
    tape.describe(step, axes=[None, "step"])
    tape.describe(rate, role="learning_rate", axes=[None, "step"])
    highest = lib.gf_learning_rate(ctypes.byref(made), warmup)
    tape.scale(rate, factor=1 / highest if highest else math.inf, name="learning_rate.relative")
    values["step"], values["learning_rate"] = [schedule["steps"]], [rates]


def _smooth(tape: Tape, example: Example, leaves: dict[str, Tensor], values: dict[str, Any]) -> None:
    """1 - epsilon of the label, and the rest shared by all classes."""
    if "label" not in leaves:
        raise range_error("missing", where="trace: example.inputs", name="label")
    epsilon, classes = example["smoothing"]["epsilon"], leaves["label"].shape[-1]
    kept = tape.scale(leaves["label"], factor=1 - epsilon, name="label.kept")
    share = tape.input("label.share", (classes,))
    tape.describe(share, axes=["channel"])
    tape.add(kept, share, name="label.smoothed")
    values["label.share"] = [epsilon / classes] * classes


_BUILDERS: dict[str, Callable[..., None]] = {
    "positions": _place,
    "adam": build_adam,
    "norm": _normalise,
    "smoothing": _smooth,
    "schedule": _rise,
}


def _builder(example: Example) -> Callable[..., None] | None:
    """What builds an example without attention; None for one with it."""
    inputs = example.get("inputs", {})
    if "positions" not in example and "adam" not in example:
        if "scores" in inputs:
            return build_scores
        if "loss" in example and "logits" in inputs:
            return build_loss
    return next((build for part, build in _BUILDERS.items() if part in example), None)
