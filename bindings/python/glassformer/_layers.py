"""What an example may have beside attention: scores, a whole layer, a loss, a step of Adam.

Also how its numbers are written. bindings/js/trace/example-layers.js does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._block import read_block
from ._library import DATA
from ._nodes import Tensor
from ._number import NumberRead, read_number
from ._values import array_of
from .errors import check_integer, range_error, type_error
from .tape import Tape

Leaves = dict[str, Tensor]

#: The leaves that are lists: a single pasted row is one.
_LISTS: list[str] = DATA["lists"]
#: Lists within lists: deeper ones are refused where an array is made of them.
_MAX_DEPTH = 8
_INPUTS = "trace: example.inputs"


def ranked(axes: list[str | None], rank: int) -> list[str | None]:
    """Axes of a leaf of more dimensions, whose first one counts the sequences of a batch."""
    return [*["batch"] * max(0, rank - len(axes)), *axes] if axes else axes


def _number_in(where: str, value: Any) -> Any:
    """A number as it is written: 4/3, 0,5."""
    if not isinstance(value, str):
        return value
    read = read_number(value)
    if isinstance(read, NumberRead):
        return read.value
    raise range_error("writtenNumber", where=where, value=value)


def _numbers_in(where: str, value: Any, depth: int = _MAX_DEPTH) -> Any:
    """Nested numbers, some of which may be written."""
    if not isinstance(value, (list, tuple)) or depth == 0:
        return _number_in(where, value)
    return [_numbers_in(f"{where}[{i}]", part, depth - 1) for i, part in enumerate(value)]


def _read_input(name: str, value: Any) -> Any:
    where = f"{_INPUTS}.{name}"
    if not isinstance(value, str):
        return _numbers_in(where, value)
    rows = read_block(value)
    if not rows:
        raise range_error("writtenNumber", where=where, value=value)
    numbers = _numbers_in(where, rows)
    return numbers[0] if name in _LISTS and len(numbers) == 1 else numbers


def read_example(example: Any) -> Any:
    """An example whose numbers are numbers: those that are written, one by one or as a block, are read."""
    if not isinstance(example, Mapping):
        return example
    read = dict(example)
    if isinstance(inputs := example.get("inputs"), Mapping):
        read["inputs"] = {name: _read_input(name, value) for name, value in inputs.items()}
    attention = example.get("attention")
    if isinstance(attention, Mapping) and "scale" in attention:
        scale = _number_in("trace: example.attention.scale", attention["scale"])
        read["attention"] = {**attention, "scale": scale}
    return read


def build_scores(tape: Tape, example: Mapping[str, Any], leaves: Leaves, values: dict[str, Any]) -> None:
    """From scores to the weights, and to the output if there are values."""
    attention = example.get("attention", {})
    scale, causal = attention.get("scale", 1), attention.get("causal", False)
    mask, v, last = leaves.get("mask"), leaves.get("v"), leaves["scores"]

    def described(node: Tensor, role: str, *axes: str) -> Tensor:
        tape.describe(node, role=role, axes=ranked([*axes], len(node.shape)))
        return node

    if scale != 1:
        last = described(tape.scale(last, factor=scale, name="scores.scaled"), "score", "token", "token")
    if causal or mask:
        last = described(
            tape.mask(last, mask, causal=causal, name="scores.masked"), "score", "token", "token"
        )
    weights = tape.softmax(last, name="weights")
    tape.describe(weights, role="weight", axes=["token", "token"])
    if v:
        described(tape.matmul(weights, v, name="output"), "output", "token", "channel")


def layered(
    tape: Tape, layer: Mapping[str, Any], leaves: Leaves, x: Tensor, attend: Callable[[Tensor], Tensor]
) -> Tensor:
    """The residual sums, norms and feed-forward around an attention."""
    norm, epsilon = layer.get("norm", "after"), layer.get("epsilon", 1e-5)
    w_1, w_2 = leaves.get("w_1"), leaves.get("w_2")

    def normed(node: Tensor, part: int) -> Tensor:
        gain, bias = leaves.get(f"gain_{part}"), leaves.get(f"bias_{part}")
        return tape.layer_norm(node, gain, bias, epsilon=epsilon, name=f"norm_{part}")

    def around(stream: Tensor, part: int, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        written = sublayer(normed(stream, part) if norm == "before" else stream)
        total = tape.add(stream, written, name=f"residual_{part}")
        tape.describe(total, role="residual")
        return normed(total, part) if norm == "after" else total

    def feed_forward(node: Tensor) -> Tensor:
        hidden = tape.linear(node, w_1, leaves.get("b_1"), name="hidden")  # type: ignore[arg-type]
        tape.describe(hidden, role="hidden")
        active = (tape.gelu if layer.get("activation") == "gelu" else tape.relu)(hidden, name="activation")
        tape.describe(active, role="activation")
        return tape.linear(active, w_2, leaves.get("b_2"), name="feed_forward")  # type: ignore[arg-type]

    attended = around(x, 1, attend)
    if w_1 is None and w_2 is None:
        return attended
    for name in ("w_1", "w_2"):
        if name not in leaves:
            raise range_error("missingInput", where=_INPUTS, name=name)
    return around(attended, 2, feed_forward)


def predict(tape: Tape, leaves: Leaves, last: Tensor | None, *, loss: bool) -> None:
    """Logits of the last step, if w_u makes them, or given ones; their probabilities, and their loss."""
    leaf, w_u, labels = leaves.get("logits"), leaves.get("w_u"), leaves.get("labels")
    logits = leaf or (tape.linear(last, w_u, name="logits") if w_u and last else last)
    if loss and labels is None:
        raise range_error("missingInput", where=_INPUTS, name="labels")
    if logits is None:
        raise range_error("missingInput", where=_INPUTS, name="logits")
    classes = {"axes": ranked(["token", "vocabulary"], len(logits.shape))} if w_u else {}
    if logits is not leaf:
        tape.describe(logits, role="logit", **classes)
    tape.describe(tape.softmax(logits, name="probabilities"), role="probability", **classes)
    if loss:
        tape.describe(tape.cross_entropy(logits, labels, name="loss"), role="loss")  # type: ignore[arg-type]


def build_loss(tape: Tape, example: Mapping[str, Any], leaves: Leaves, values: dict[str, Any]) -> None:
    predict(tape, leaves, None, loss=True)


def build_adam(tape: Tape, example: Mapping[str, Any], leaves: Leaves, values: dict[str, Any]) -> None:
    """A step of Adam from parameters and their gradient."""
    adam = example["adam"]
    rate, step = adam["rate"], adam.get("step", 1)
    beta1, beta2 = adam.get("beta1", 0.9), adam.get("beta2", 0.999)
    for name in ("theta", "gradient"):
        if name not in leaves:
            raise range_error("missingInput", where=_INPUTS, name=name)
    check_integer("trace: example.adam.step", step, 1, 1_000_000)
    theta, gradient = leaves["theta"], leaves["gradient"]
    for name in ("gradient", "m_before", "v_before"):
        length = len(array_of(f"{_INPUTS}.{name}", values.get(name, np.zeros(theta.size))))
        if length != theta.size:
            raise type_error("adamLength", where=f"{_INPUTS}.{name}", n=theta.size, length=length)

    def moment(name: str, now: Tensor, beta: float) -> Tensor:
        before = leaves.get(f"{name}_before")
        share = tape.scale(now, factor=1 - beta, name=f"{name}.share" if before else name)
        if before is None:
            return share
        return tape.add(tape.scale(before, factor=beta, name=f"{name}.kept"), share, name=name)

    m = moment("m", gradient, beta1)
    v = moment("v", tape.mul(gradient, gradient, name="gradient.squared"), beta2)
    m = tape.scale(m, factor=1 / (1 - beta1**step), name="m.corrected")
    v = tape.scale(v, factor=1 / (1 - beta2**step), name="v.corrected")
    root = tape.sqrt(v, name="v.root")
    values["epsilon"] = [adam.get("epsilon", 1e-8)]
    divisor = tape.add(root, tape.input("epsilon", (1,)), name="divisor")
    update = tape.div(m, divisor, name="update")
    tape.add(theta, tape.scale(update, factor=-rate, name="moved"), name="theta.new")
