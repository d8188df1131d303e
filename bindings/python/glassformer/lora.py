"""Adapters of low rank (Hu et al. 2021): a model learns with few parameters beside its own, which stay.

    from glassformer import lora

    tuned = lora.add_lora(model, rank=8)                for step in gf.train(tuned, batches): ...
    tuned.save("adapter.safetensors")                   the adapters alone, a small file
    lora.open_lora(model, "adapter.safetensors")        JavaScript's glassformer/lora reads and writes it, too
    tuned.merge()                                       the model then computes what `tuned` did

Names, numbers and files are those of JavaScript's glassformer/lora.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from . import _files
from ._library import CONSTANTS, NONE, integers, lib
from ._nodes import Tensor
from .config import Config
from .errors import (
    UINT32,
    check_bool,
    check_finite,
    check_integer,
    check_list,
    check_model,
    check_text,
    failure,
    near,
    range_error,
    refusal,
    within_file,
)
from .functional import matmul
from .model import Bound, Model
from .tape import Tape

__all__ = ["LoraModel", "LoraOptions", "add_lora", "open_lora"]

_PART = "adapter"
_MOST_RANK = 2**16
_SUFFIX = ".weight"
_MOST_INPUTS = CONSTANTS["GF_MAX_INPUTS"]


class LoraOptions(NamedTuple):
    """What adapters are: x W + b becomes x W + b + (alpha / rank) x A B."""

    rank: int
    alpha: float
    targets: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class _Adapter:
    """One linear layer's: the names of W [in,out], A [in,rank] and B [rank,out]."""

    weight: str
    a: str
    b: str
    shape: tuple[int, ...]


def _name(matrix: Tensor) -> str:
    return matrix.name.removesuffix(_SUFFIX)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _targeted(where: str, model: Model, targets: Sequence[str] | None) -> list[Tensor]:
    """The matrices that targets name."""
    linear = (node.inputs[1] for node in model._layout.nodes if node.op == "linear")
    matrices = list(dict.fromkeys(one for one in linear if one and one.kind == "parameter"))
    every = list(dict.fromkeys(_last(_name(matrix)) for matrix in matrices))
    names = ", ".join(every)
    if targets is None:
        defaults = [matrix for matrix in matrices if matrix.role in ("query", "value")]
        if not defaults:
            raise range_error("noAttentions", where=where, names=names)
        return defaults
    wanted = [check_text(f"{where}[{i}]", one) for i, one in enumerate(check_list(where, targets))]
    if not wanted:
        raise range_error("noProjections", where=where, names=names)

    def is_named(matrix: Tensor, target: str) -> bool:
        return f".{_name(matrix)}".endswith(f".{target}")

    for value in wanted:
        if not any(is_named(matrix, value) for matrix in matrices):
            raise range_error("noProjection", where=where, value=value, names=names, hint=near(value, every))
    return [matrix for matrix in matrices if any(is_named(matrix, target) for target in wanted)]


class LoraModel(Model):
    """A model with adapters, from add_lora or open_lora.

    Its parameters are theirs alone, and training changes no others; all else is as of any model. lora: what
    the adapters are.
    """

    def __init__(
        self,
        where: str,
        model: Model,
        rank: int,
        alpha: float | None,
        targets: Sequence[str] | None,
        seed: int,
    ) -> None:
        check_model(where, model)
        if isinstance(model, LoraModel):
            raise failure("GF_ESTATE", "adaptedAlready", where=where)
        check_integer(f"{where}: rank", rank, 1, _MOST_RANK)
        scale = float(rank) if alpha is None else check_finite(f"{where}: alpha", alpha)
        check_integer(f"{where}: seed", seed, 0, UINT32)
        matrices = _targeted(f"{where}: targets", model, targets)
        names = [_last(_name(one)) for one in matrices] if targets is None else targets
        whole = int(scale) if scale.is_integer() else scale
        self._adapt(model, LoraOptions(rank, whole, tuple(dict.fromkeys(names)), seed), matrices)
        for i, (a, _) in enumerate(self._pairs()):
            bound = 1 / math.sqrt(a.shape[0])
            # A is uniform, as PEFT has it, and B is 0: at first the model computes what it did.
            lib.gf_uniform(a.data.ctypes.data, a.size, seed, i, -bound, bound)

    def _adapt(self, model: Model, lora: LoraOptions, matrices: list[Tensor]) -> None:
        self._below, self.lora = model, lora
        self._is_merged = False
        self._adapters = [
            _Adapter(one.name, f"{_name(one)}.lora_A.weight", f"{_name(one)}.lora_B.weight", one.shape)
            for one in matrices
        ]
        self._begin(model._whole, model.stored)
        self._limit(model.config["max_length"])
        self.labels, self.chat_template, self.embedding = model.labels, model.chat_template, model.embedding
        self._tokenizer = model._tokenizer
        self._adapts = True
        layout = Bound()
        self._push_adapters(layout)
        self._own(layout, layout.nodes)
        self._graft(layout, self._whole, {})
        self._layout = layout

    def __getstate__(self) -> dict[str, Any]:
        own = {"below": self._below, "lora": self.lora, "is_merged": self._is_merged}
        return {**super().__getstate__(), **own}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        below, lora = state["below"], state["lora"]
        self._adapt(below, lora, _targeted("add_lora: targets", below, lora.targets))
        self._is_merged = state["is_merged"]
        self._fill_state(state)

    # ---- Tapes ----

    def _push_adapters(self, tape: Tape) -> None:
        rank = self.lora.rank
        for one in self._adapters:
            for name, shape in ((one.a, (one.shape[0], rank)), (one.b, (rank, one.shape[1]))):
                tape.describe(tape.parameter(name, shape), parameter="weight")

    def _build(
        self, tape: Bound, config: Config, batch: Mapping[str, Any], values: int, grads: int | None
    ) -> None:
        """The tape of the model below, node by node, with adapters at its linear layers."""
        self._check_unmerged("forward")
        self._push_adapters(tape)
        lib.gf_bind_parameters(tape._at, self._layout._at, values, grads)
        self._graft(tape, config, batch)
        tape._keep(self._below._block("values"))

    def _graft(self, tape: Bound, config: Config, batch: Mapping[str, Any]) -> None:
        """The steps of the model below; the sum of a linear layer and its adapter gets the layer's name."""
        plain = Bound()
        plain.build(config, batch)
        adapters = {one.weight: one for one in self._adapters}
        made: dict[Tensor, Tensor] = {}
        for node in plain.nodes:
            inputs = [one and made[one] for one in node.inputs]
            x, matrix = inputs[:2] if node.op == "linear" else (None, None)
            name = node.name
            if not x or not matrix or matrix.name not in adapters:
                made[node] = _copy(tape, plain, node, inputs, name)
                continue
            adapter = adapters[matrix.name]
            base = _copy(tape, plain, node, inputs, f"{name}.base")
            down = tape.linear(x, tape.find(adapter.a), None, name=f"{name}.down")
            up = tape.linear(down, tape.find(adapter.b), None, name=f"{name}.up")
            update = tape.scale(up, factor=self._factor, name=f"{name}.update")
            made[node] = total = tape.add(base, update, name=name)
            for step in (down, up, update, total):
                tape.describe(step, stack=node.stack, layer=node.layer, part=node.part)
            about = {"role": node.role, "axes": node.axes, "sequences": node.sequences, "heads": node.heads}
            tape.describe(total, **about)
        below = self._below
        layout, values = below._layout._at, below._block("values").ctypes.data
        if error := lib.gf_bind_parameters(tape._at, layout, values, None):
            tape._refuse(error)

    # ---- Files ----

    @property
    def _factor(self) -> float:
        return self.lora.alpha / self.lora.rank

    def _pairs(self) -> list[tuple[Any, Any]]:
        return [(self.parameters[one.a], self.parameters[one.b]) for one in self._adapters]

    def save(self, path: str | Path | None = None, *, training: bool = False) -> bytes:
        """The adapters alone as a safetensors file, which open_lora reads; written to a path if one is given.

        training: with all that it takes to go on training.
        """
        check_bool("save: training", training)
        return self._write(path, self.lora._asdict(), training)

    def merge(self) -> None:
        """Adds the adapters to the matrices of the model below, W + (alpha / rank) A B.

        That model then computes what this one did, and can be saved and exported. This one can still be
        saved, but neither run nor merged again. GF_ESTATE if the model below is being trained, or its
        matrices stay stored.
        """
        self._check_unmerged("merge")
        below = self._below
        if below._training:
            raise failure("GF_ESTATE", "trainedBelow", where="merge")
        if below.stored:
            raise failure("GF_ESTATE", "mergedIntoStored", where="merge")
        for one, (a, b) in zip(self._adapters, self._pairs(), strict=True):
            update = matmul(a.data, b.data, transposed=False).astype(np.float64)
            below.parameters[one.weight].block("values")[...] += self._factor * update
        below._changes += 1
        self._is_merged = True

    def _check_unmerged(self, where: str) -> None:
        """Refuses to add adapters to matrices that have them already."""
        if self._is_merged:
            raise failure("GF_ESTATE", "adaptersMerged", where=where)

    def export(self, folder: str | Path, format: str = "torch") -> None:
        """Merge first: folders of others hold whole models."""
        raise failure("GF_ESTATE", "adaptedAlready", where="export")


def _copy(tape: Bound, plain: Bound, node: Tensor, inputs: Sequence[Tensor | None], name: str) -> Tensor:
    """A node of another tape, on other operands."""
    places = [one.id if one else NONE for one in inputs]
    ids = integers(*places, *[NONE] * (_MOST_INPUTS - len(places)))
    return tape._build(node.op, name, lambda at, label: lib.gf_copy(at, plain._at, node.id, ids, label))


def add_lora(
    model: Model,
    *,
    rank: int = 8,
    alpha: float | None = None,
    targets: Sequence[str] | None = None,
    seed: int = 0,
) -> LoraModel:
    """Gives a model adapters to train; the model stays as it is, and lends its parameters.

    rank: columns of A and rows of B, 1 to 65,536; alpha: the update is alpha / rank times x A B, as large as
    rank by default; targets: the linear layers that get one, by their names or the last parts of them,
    'q_proj', 'decoder.layers.0.linear1'; by default those of queries and values; seed: of A. The model may
    be opened with stored=True. GF_ESTATE if it has adapters already.
    """
    return LoraModel("add_lora", model, rank, alpha, targets, seed)


def open_lora(model: Model, adapters: str | Path | bytes) -> LoraModel:
    """A model with the adapters of a file, or of its bytes, which save() of one like it wrote.

    GF_EFILE if the file is another one, or its shapes are not those of this model.
    """
    check_model("open_lora", model)
    saved = _files.read_adapters(adapters)
    options = saved.settings
    if "rank" not in options:
        raise refusal(_PART, "notOfLora")
    rank, alpha, targets, seed = (options.get(name) for name in LoraOptions._fields)
    with within_file(_PART):
        tuned = LoraModel("config", model, rank, alpha, targets, 0 if seed is None else seed)
    shapes = MappingProxyType({name: one.shape for name, one in tuned.parameters.items()})
    saved.fill(lambda block, name: tuned.parameters[name].block(block), shapes)
    tuned.step = saved.step
    return tuned
