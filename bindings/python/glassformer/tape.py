"""A tape: build named nodes, plan, fill the leaves, run forward and backward, look at every step."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from . import _nodes
from ._help import takes
from ._library import CONSTANTS, LAST, NONE, STRUCTS, lib
from ._memory import memory
from ._nodes import Tensor, alone
from ._values import fill
from .errors import (
    check_bool,
    check_finite,
    check_int32,
    check_integer,
    check_list,
    check_options,
    check_word,
    failure,
    range_error,
    type_error,
)
from .ops import Ops

_config = STRUCTS["gf_attention_config"]
_description = STRUCTS["gf_description"]
#: A bias, and the weights that it needs.
_PROJECTIONS = (("w_q", "b_q"), ("w_k", "b_k"), ("w_v", "b_v"), ("w_o", "b_o"))
_FLAGS = ("causal", "interleaved", "alibi", "fused")


class Tape(Ops):
    """A flat list of named nodes.

    >>> tape = Tape()
    >>> x = tape.input("x", (2, 3))
    >>> y = tape.softmax(x, name="y")
    >>> tape.plan()
    >>> x.set([[0, 0, 0], [1, 2, 3]])
    >>> tape.forward()
    >>> y.data.shape
    (2, 3)
    """

    @takes({}, {}, *(name for name, _ in _config._fields_))
    def multi_head_attention(self, path: str = "", **options: Any) -> Tensor:
        """Scaled dot-product attention in named steps; returns the node output.

        query, key, value: what they come from, [T,C], [B,T,C] or heads [B,H,T,D].
        w_q [C,H*D], w_k, w_v, w_o, b_q, b_k, b_v, b_o: projections; without w_q the query is projected.
        heads, kv_heads, causal, offset, mask, lengths, rotation, interleaved, alibi, at, capacity,
        fused, softcap, scale: as gf_attention_config of the C header has them.
        path goes before each name, with a dot between: q, k, v, scores, scores.scaled, scores.masked,
        weights, mix, concat, output.
        """
        where = "attention"
        check_options(where, options, [name for name, _ in _config._fields_])
        for weights, bias in _PROJECTIONS:
            if options.get(bias) is not None and options.get(weights) is None:
                raise type_error("biasAlone", where=where, bias=bias, weights=weights)
        if options.get("at") is not None and "capacity" not in options:
            raise type_error("atAlone", where=where)
        config = _config()
        for name in ("query", "key", "value"):
            setattr(config, name, self._operand(f"{where}: {name}", options.get(name)))
        optional = ("mask", "lengths", "rotation", "at", *(n for pair in _PROJECTIONS for n in pair))
        for name in optional:
            setattr(config, name, self._optional(f"{where}: {name}", options.get(name)))
        heads = check_int32(f"{where}: heads", options.get("heads", 1))
        numbers = {"heads": heads, "kv_heads": heads, "offset": 0, "capacity": 0}
        for name, left in numbers.items():
            setattr(config, name, check_int32(f"{where}: {name}", options.get(name, left)))
        for name in _FLAGS:
            setattr(config, name, check_bool(f"{where}: {name}", options.get(name, False)))
        for name in ("softcap", "scale"):
            setattr(config, name, _or_zero(f"{where}: {name}", options.get(name)))
        if config.softcap < 0:
            raise range_error("aboveZero", where=f"{where}: softcap", given=options["softcap"])

        def build(at: int, label: bytes) -> int:
            return lib.gf_attention(at, ctypes.addressof(config), label)

        return self._build(where, path, build)

    @alone
    def describe(self, node: Tensor | str, **description: Any) -> None:
        """Says what a node is: role, parameter, axes, sequences, stack, layer, part, heads.

        What is left out stays as it is. Describe leaves before they are read: ops carry it over.
        """
        tensor = self._pick("describe", node)
        made = describing(description, len(tensor.shape))
        if error := lib.gf_describe(self._at, tensor.id, ctypes.addressof(made)):
            self._refuse(error)

    # ---- Plan and run ----

    @alone
    def plan(self, *, reuse: bool = False, keep: Iterable[Tensor | str] = ()) -> None:
        """Places every value and gradient, all zero; the tape is then closed to new nodes.

        reuse: for inference, without gradients, and values share memory; keep: nodes that stay readable.
        """
        check_bool("plan: reuse", reuse)
        if self._plan is not None:
            raise failure("GF_ESTATE", "planned", where="plan")
        for i, node in enumerate(check_list("plan: keep", keep, "names")):
            lib.gf_keep(self._at, self._pick(f"plan: keep[{i}]", node).id)
        plan = lib.gf_plan_reuse if reuse else lib.gf_plan
        size = plan(self._at, None)
        if not size:
            self._refuse(CONSTANTS["GF_EMEMORY" if self._nodes else "GF_ESTATE"])
        # Kept before the core has it: a KeyboardInterrupt may come at any time.
        self._plan = memory(size)
        plan(self._at, self._plan.ctypes.data)

    @alone
    def forward(self, first: Tensor | str | None = None, last: Tensor | str | None = None) -> None:
        """Computes the nodes from the first to the last in order; by default all of them."""
        begin = 0 if first is None else self._pick("forward", first).id
        end = LAST if last is None else self._pick("forward", last).id
        if error := lib.gf_forward(self._at, begin, end):
            self._refuse(error)

    @alone
    def refresh(self) -> None:
        """Tells a tape whose plan reuses memory that parameters have changed since it last ran."""
        lib.gf_refresh(self._at)

    @alone
    def zero_grad(self) -> None:
        """Sets every gradient on the tape to zero."""
        lib.gf_zero_grad(self._at)
        self._derived = self._plan is not None

    @alone
    def backward(self, target: Tensor | str, gradient: Any = None) -> None:
        """Gradients of the target with respect to every node before it; earlier ones are cleared.

        gradient: of the target's shape; 1 by default if the target is one cell.
        """
        seed = self._seed(target, gradient)
        self._clear()
        self._carry(*seed)
        self._settle()

    def _seed(self, target: Tensor | str, gradient: Any) -> tuple[Tensor, NDArray[np.float32]]:
        tensor = self._pick("backward", target)
        if tensor.kind == "ids":
            raise type_error("idsNoGradient", where="backward", name=tensor.name)
        tensor.check_computed()
        if tensor._grad() is None:
            detail = "noGradients" if tensor.kind == "op" else "noGradientOfLeaf"
            raise failure("GF_ESTATE", detail, where="backward", name=tensor.name)
        if gradient is None and tensor.size != 1:
            raise type_error("gradientDue", where="backward", name=tensor.name, shape=tensor.shape)
        seed = np.ones(tensor.shape, np.float32)
        if gradient is not None:
            fill("backward: gradient", seed, gradient)
        return tensor, seed

    def _carry(self, tensor: Tensor, seed: NDArray[np.float32]) -> None:
        self.zero_grad()
        self._derived = False
        cast(NDArray[np.float32], tensor._grad())[...] = seed
        if error := lib.gf_backward(self._at, 0, tensor.id):
            self._refuse(error)
        self._derived = True

    def _clear(self) -> None:
        """Sets the gradients of bound leaves to zero, which the core leaves to their owner."""
        if not self._bound:
            return
        for leaf in self._nodes:
            if leaf.op == "leaf" and (grad := leaf._grad()) is not None:
                grad[...] = 0

    def _settle(self) -> None:
        """Tells the owner of bound leaves that there are gradients."""

    # ---- Experiments ----

    @alone
    def bypass(self, node: Tensor | str, k: int | None = 0) -> None:
        """Makes a node copy its operand k instead of computing; None puts it back."""
        operand = NONE if k is None else check_int32("bypass: k", k)
        if k is not None and operand < 0:
            raise range_error("operandNumber", where="bypass: k", given=k)
        if error := lib.gf_bypass(self._at, self._pick("bypass", node).id, operand):
            self._refuse(error, given=operand)

    @alone
    def freeze(self, node: Tensor | str, on: bool = True) -> None:
        """Keeps the values that you write into a node; on=False lets it compute again."""
        if error := lib.gf_freeze(self._at, self._pick("freeze", node).id, check_bool("freeze: on", on)):
            self._refuse(error)


def _or_zero(where: str, value: Any) -> float:
    """A number that is left out as 0, and therefore cannot be 0."""
    if value is None:
        return 0.0
    if np.float32(check_finite(where, value)) != 0:
        return float(value)
    raise range_error("notZero", where=where, given=value)


def describing(given: Mapping[str, Any], rank: int) -> Any:
    """A gf_description of what is given: the rest is 0, and stays as it is."""
    where = "describe"
    lists = {"role": _nodes._ROLES, "parameter": _nodes._PARAMETERS}
    lists |= {"stack": _nodes._STACKS, "part": _nodes._PARTS}
    rows = {"axes": _nodes._AXES, "sequences": _nodes._SEQUENCES}
    check_options(where, given, [*lists, *rows, "layer", "heads"])
    made = _description(layer=NONE, substitute=NONE)
    for field, words in lists.items():
        if (word := given.get(field)) is not None:
            setattr(made, field, 1 + check_word(f"{where}: {field}", word, words[1:]))
    for field, words in rows.items():
        row = [] if given.get(field) is None else check_list(f"{where}: {field}", given[field])
        check_integer(f"{where}: {field}: length", len(row), 0, rank)
        for i, word in enumerate(row):
            if word is not None:
                place = 1 + check_word(f"{where}: {field}[{i}]", word, words[1:])
                getattr(made, field)[i] = place
    if given.get("layer") is not None:
        made.layer = check_integer(f"{where}: layer", given["layer"], 0, 2**15 - 1)
    made.heads = check_integer(f"{where}: heads", given.get("heads", 0), 0, 2**31 - 1)
    return made
