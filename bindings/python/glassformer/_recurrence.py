"""A recurrent network beside attention: what is left of an input after many steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._bench import added
from ._library import lib
from ._memory import floats
from ._nodes import Tensor
from .errors import UINT32, check_integer, check_real
from .tape import Tape

_MOST_UNITS, _MOST_STEPS, _MOST_GAIN = 64, 200, 4
#: What the gradient is multiplied by on its way: float32 ends near 1e-38, and 100 steps may leave less. A
#: power of 2 changes no digit.
_LIFT = 2.0**60
_STREAMS = {"x": 0, "w": 1, "u": 2, "w_q": 3, "w_k": 4, "w_v": 5}


class RecurrentStep(NamedTuple):
    """One step, [units] each: state = tanh(from_state + from_input); from_state: W times the state before."""

    state: NDArray[np.float32]
    from_state: NDArray[np.float32]
    from_input: NDArray[np.float32]


@dataclass(frozen=True)
class Reach:
    """What is left of each input in one output.

    derivatives: after input s, the norm of the matrix of derivatives; chain: how many operations wait for
    each other on the way to the output; kept: how many numbers of earlier inputs must be kept.
    """

    derivatives: list[float]
    chain: int
    kept: int


def _norm(grad: NDArray[Any]) -> float:
    wide = grad.astype(np.float64).reshape(-1)
    return math.sqrt(added(wide * wide))


def _chain(tensor: Tensor) -> int:
    """How many operations lie on the longest way to a node."""
    lengths: list[int] = []
    for node in tensor.tape.nodes[: tensor.id + 1]:
        before = [lengths[one.id] for one in node.inputs if one]
        lengths.append(1 + max(before) if node.kind == "op" else 0)
    return lengths[tensor.id]


class Recurrence:
    """A recurrent network that ran: its steps, and reach(t), what is left of the inputs at step t.

    steps[t - 1] is step t, of `units` numbers each.
    """

    def __init__(self, gain: float, units: int, steps: int, seed: int) -> None:
        self._units, self._seed, self._gain = units, seed, gain
        shape = (units, units)
        tape = Tape()
        w, u = tape.parameter("w", shape), tape.parameter("u", shape)
        state = first = tape.input("h.0", shape)
        self._inputs = [tape.input(f"x.{t + 1}", shape) for t in range(steps)]
        self._parts: list[tuple[Tensor, Tensor, Tensor]] = []
        for t, x in enumerate(self._inputs):
            from_state = tape.linear(state, w, None, name=f"wh.{t + 1}")
            from_input = tape.linear(x, u, None, name=f"ux.{t + 1}")
            state = tape.tanh(tape.add(from_state, from_input, name=f"sum.{t + 1}"), name=f"h.{t + 1}")
            self._parts.append((state, from_state, from_input))
        tape.plan()
        first.data[...] = 0
        w.data[...], u.data[...] = self._draw("w"), self._draw("u")
        # The same numbers for each of several sequences: so one way back gives all derivatives.
        for x, row in zip(self._inputs, self._draw("x", steps), strict=True):
            x.data[...] = row
        tape.forward()
        self._tape = tape
        self.steps = [RecurrentStep(*(node.data[0].copy() for node in part)) for part in self._parts]

    def _draw(self, name: str, rows: int = 0) -> NDArray[np.float32]:
        out = floats((rows or self._units) * self._units)
        deviation = {"x": 1.0, "w": self._gain / math.sqrt(self._units)}.get(name, 1 / math.sqrt(self._units))
        lib.gf_normal(out.ctypes.data, out.size, self._seed, _STREAMS[name], 0, deviation)
        return out.reshape(-1, self._units)

    def reach(self, t: int) -> dict[str, Reach]:
        """In the network, and in one step of attention over the same inputs, whose query is input t.

        t: 1 to the number of steps; gives {"recurrent": Reach, "attention": Reach}
        """
        check_integer("reach: t", t, 1, len(self.steps))
        state = self._parts[t - 1][0]
        self._tape.backward(state, np.eye(self._units) * _LIFT)
        derivatives = [_norm(np.asarray(x.grad)) / _LIFT for x in self._inputs[:t]]
        kept = state.size // self._units
        return {"recurrent": Reach(derivatives, _chain(state), kept), "attention": self._attend(t)}

    def _attend(self, t: int) -> Reach:
        tape, units = Tape(), self._units
        x = tape.input("x", (units, t, units))
        query = tape.input("query", (units, 1, units))
        matrices = {name: tape.parameter(name, (units, units)) for name in ("w_q", "w_k", "w_v")}
        operands: dict[str, Any] = {"query": query, "key": x, "value": x, **matrices}
        output = tape.multi_head_attention(**operands)
        tape.plan()
        inputs = self._draw("x", t)
        x.data[...], query.data[...] = inputs, inputs[-1]
        for name, leaf in matrices.items():
            leaf.data[...] = self._draw(name)
        tape.forward()
        tape.backward(output, np.eye(units)[:, None])
        grad = np.array(x.grad)
        # The last input is the query, too.
        grad[:, -1] += np.asarray(query.grad)[:, 0]
        derivatives = [_norm(grad[:, s]) for s in range(t)]
        return Reach(derivatives, _chain(output), (tape["k"].size + tape["v"].size) // units)


def recurrence(*, gain: float = 1, units: int = 32, steps: int = 100, seed: int = 1) -> Recurrence:
    """A recurrent network with random numbers, h_t = tanh(W h_(t-1) + U x_t), beside one step of attention.

    gain: W is this, 0 to 4, times normal numbers over the root of units; U, W_Q, W_K and W_V are the same
    without it; inputs are normal. units: 1 to 64; steps: 1 to 200; seed: of all numbers.
    """
    check_real("recurrence: gain", gain, 0, _MOST_GAIN)
    check_integer("recurrence: units", units, 1, _MOST_UNITS)
    check_integer("recurrence: steps", steps, 1, _MOST_STEPS)
    check_integer("recurrence: seed", seed, 0, UINT32)
    return Recurrence(gain, units, steps, seed)
