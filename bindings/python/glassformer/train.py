"""Training: forward, backward, clip, one step of Adam; again."""

from __future__ import annotations

import ctypes
import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ._help import takes
from ._inputs import INPUTS, Reading
from ._library import DATA, IGNORE, STRUCTS, lib
from .config import TRAINING, adam_struct, checked
from .errors import (
    INT32,
    check_model,
    check_options,
    check_rule,
    failure,
    range_error,
    type_error,
)
from .model import Model
from .tape import Tape

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainingOptions

_OPTIONS = DATA["options"]
_DEFAULTS: dict[str, dict[str, Any]] = _OPTIONS["trainingDefaults"]
_SCHEDULES: list[str] = TRAINING["schedule"]["words"]
_schedule = STRUCTS["gf_schedule"]

#: Tapes that are kept for the next batch of their shape; lengths are rounded up to share them.
_MAX_TAPES = 8
_ROUND = 4
#: PyTorch's clip_grad_norm_ adds it to the norm.
_CLIP_EPSILON = 1e-6


@dataclass(frozen=True)
class Step:
    """One step of training; the loss is the mean over the labels, before the step."""

    step: int
    loss: float
    learning_rate: float
    #: Before clipping.
    gradient_norm: float
    #: Labels that counted.
    tokens: int
    tokens_per_second: float
    #: After the step, where it was computed.
    validation_loss: float | None = None


@takes(TRAINING, _DEFAULTS)
def train(
    model: Model, batches: Iterable[Mapping[str, Any]], **options: Unpack[TrainingOptions]
) -> Iterator[Step]:
    """Trains a model step by step: for step in train(model, batches, steps=100).

    batches: dicts as model.forward takes them, with labels [B,T]. Goes on where the last training ended.
    steps: at most so many, by default all batches; rate: the peak of the learning rate (noam: a factor);
    warmup: steps up to it; total: the step at which cosine and linear reach 0; clip: the largest norm of
    the gradient, by default any; accumulate: batches per step; dropout: by default the model's; restart:
    forget the optimizer's state; validation: batches that are not trained on; validate_every: steps from one
    look at their loss to the next; keep_best: at the end the model gets back the parameters of the least
    validation loss.
    """
    check_model("train", model)
    if not isinstance(batches, Iterable) or isinstance(batches, (str, bytes, Mapping, np.ndarray)):
        raise type_error("batches", where="train", given=batches)
    return _Training(model, options).run(batches)


class _Training:
    def __init__(self, model: Model, given: Mapping[str, Any]) -> None:
        where = "train"
        taken = checked(where, given, TRAINING)
        betas = taken.get("betas")
        if betas is not None:
            rule = {"detail": "numberBelow", "low": 0, "high": 1}
            for i, beta in enumerate(betas):
                check_rule(f"{where}: betas[{i}]", beta, rule)
        schedule, optimizer = taken.get("schedule"), taken.get("optimizer", "adam")
        self.model = model
        self.options: dict[str, Any] = {
            **_DEFAULTS["noam" if schedule == "noam" else "adam"],
            "weight_decay": _DEFAULTS[optimizer]["weight_decay"],
            "dropout": model.config["dropout"],
            "steps": None,
            "total": None,
            **taken,
        }
        ends = self.options["total"] is not None or self.options["steps"] is not None
        if schedule in ("cosine", "linear") and not ends:
            raise type_error("scheduleEnds", where=where, schedule=schedule)
        self.validation = [self._read(batch) for batch in self.options["validation"]]
        if self.validation and not any(reading.count for reading in self.validation):
            raise _ignored(f"{where}: validation", self.validation)
        #: The one used last is the last.
        self.tapes: dict[tuple[Any, ...], Tape] = {}

    def run(self, batches: Iterable[Mapping[str, Any]]) -> Iterator[Step]:
        model, options = self.model, self.options
        if model._training:
            raise failure("GF_ESTATE", "trainedAlready", where="train")
        if model.stored and not model._adapts:
            raise failure("GF_ESTATE", "storedNotTrained", where="train")
        model._training = True
        best: tuple[float, Any] | None = None
        try:
            if options["restart"]:
                model.step = 0
                for moment in ("m", "v"):
                    model._block(moment)[:] = 0
            left = math.inf if options["steps"] is None else options["steps"]
            total = options["total"] or min(model.step + left, INT32 - 1)
            readings: list[Reading] = []
            if not left:
                return
            for batch in batches:
                readings.append(self._read(batch))
                if len(readings) < options["accumulate"]:
                    continue
                step = self._step(readings, int(total))
                readings = []
                if self.validation and step.step % options["validate_every"] == 0:
                    loss = self._validate()
                    step = replace(step, validation_loss=loss)
                    if options["keep_best"] and not (best and loss >= best[0]):
                        best = loss, model._block("values").copy()
                yield step
                left -= 1
                if not left:
                    return
        finally:
            if best:
                model._block("values")[:] = best[1]
            model._training = False

    def _read(self, batch: Any) -> Reading:
        where = "train: batch"
        check_options(where, batch, INPUTS)
        if batch.get("labels") is None:
            raise type_error("labelsMissing", where=where)
        return Reading(where, self.model.config, self.model._layout, batch)

    def _tape(self, batch: dict[str, Any]) -> Tape:
        key = tuple(batch.values())
        tape = self.tapes.pop(key, None)
        if tape is None:
            if len(self.tapes) == _MAX_TAPES:
                del self.tapes[next(iter(self.tapes))]
            smoothing, dropout = self.options["label_smoothing"], self.options["dropout"]
            tape = self.model._tape(
                {**batch, "fused": True, "training": True, "smoothing": smoothing},
                gradients=True,
                changes={"dropout": dropout},
            )
        self.tapes[key] = tape
        return tape

    def _round(self, length: int) -> int:
        return min(-(-length // _ROUND) * _ROUND, self.model.config["max_length"])

    def _step(self, readings: list[Reading], total: int) -> Step:
        """One whole step; nothing changes but the gradients before it is sure to succeed."""
        begin = time.perf_counter()
        model, options = self.model, self.options
        step = model.step + 1
        loss, tokens = self._differentiate(readings, step)
        gradients = model._block("gradients")
        norm = lib.gf_norm(gradients.ctypes.data, model.size)
        if not math.isfinite(norm):
            raise failure("GF_EDIVERGED", "diverged", where="train", norm=norm, step=step)
        clip = math.inf if options["clip"] is None else options["clip"]
        clipping = min(1.0, clip / (norm + _CLIP_EPSILON))
        if clipping < 1:
            lib.gf_multiply(gradients.ctypes.data, model.size, clipping)
        place = _SCHEDULES.index(options["schedule"])
        width, rate = model.config["d_model"], options["rate"]
        schedule = _schedule(place, options["warmup"], total, width, rate)
        learning_rate = lib.gf_learning_rate(ctypes.addressof(schedule), step)
        names = ("betas", "epsilon", "weight_decay")
        decoupled = options["optimizer"] == "adamw"
        adam = adam_struct(
            learning_rate, step, decoupled=decoupled, **{name: options[name] for name in names}
        )
        blocks = [model._block(name).ctypes.data for name in ("values", "gradients", "m", "v")]
        take = partial(lib.gf_adam_step, *blocks, None, model.size, ctypes.addressof(adam))
        count = partial(setattr, model, "step", step)
        # Python raises a KeyboardInterrupt between calls of its own: these two are one call of C.
        deque(map(partial.__call__, (take, count)), 0)
        seconds = time.perf_counter() - begin
        return Step(step, loss, learning_rate, norm, tokens, tokens / seconds)

    def _differentiate(self, readings: list[Reading], step: int) -> tuple[float, int]:
        """Forward and backward: the loss and the labels that counted; the gradients lie in their block."""
        model, options = self.model, self.options
        tokens = sum(reading.count for reading in readings)
        if not tokens:
            raise _ignored("train: batch", readings)
        loss = 0.0
        model._clear_gradients()
        for i, reading in enumerate(readings):
            tape = self._tape(reading.batch(self._round))
            reading.write(tape)
            if options["dropout"] > 0:
                # Each batch of a step drops others.
                key = [options["seed"], (step - 1) * len(readings) + i]
                tape["dropout.key"].data[...] = np.array(key, np.int64).astype(np.uint32).view(np.int32)
            tape.forward()
            # So that the parts of a step make up the mean over all its labels.
            share = reading.count / tokens
            if share:
                loss += share * float(tape["loss"].data[0])
            tape._carry(*tape._seed("loss", [share]))
        model._settled = True
        return loss, tokens

    def _validate(self) -> float:
        """The mean loss over the labels, without dropout and smoothing."""
        total, count = 0.0, 0
        for reading in self.validation:
            batch = {**reading.batch(self._round), "fused": True}
            tape = self.model._tape(batch, keep=lambda tape: ["loss"])
            reading.write(tape)
            tape.forward()
            total += reading.count * float(tape["loss"].data[0])
            count += reading.count
        return total / count


def _ignored(where: str, readings: list[Reading]) -> Exception:
    n = sum(sum(reading.labels.lengths) for reading in readings if reading.labels)
    return range_error("labelsIgnored", where=where, n=n, ignored=IGNORE)
