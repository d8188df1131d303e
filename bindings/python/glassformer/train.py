"""Training: forward, backward, clip, one step of Adam; again."""

from __future__ import annotations

import ctypes
import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, overload
from weakref import WeakKeyDictionary

import numpy as np

from ._help import takes
from ._inputs import INPUTS, Reading
from ._library import DATA, IGNORE, STRUCTS, lib
from ._memory import floats
from ._nodes import Tensor
from .config import TRAINING, adam_struct, checked
from .errors import (
    INT32,
    check_finite,
    check_mapping,
    check_model,
    check_options,
    check_real,
    check_rule,
    failure,
    range_error,
    type_error,
)
from .model import Model
from .tape import Tape

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TapeTrainingOptions, TrainingOptions

_OPTIONS = DATA["options"]
_DEFAULTS: dict[str, dict[str, Any]] = _OPTIONS["trainingDefaults"]
_SCHEDULES: list[str] = TRAINING["schedule"]["words"]
_schedule = STRUCTS["gf_schedule"]

#: Tapes that are kept for the next batch of their shape; lengths are rounded up to share them.
_MAX_TAPES = 8
_ROUND = 4
#: What the training of a tape takes, besides its loss and groups.
_OF_TAPES: tuple[str, ...] = ("steps", "optimizer", "schedule", "rate", "warmup", "total", "betas", "epsilon")
_OF_TAPES += ("weight_decay", "clip", "restart")
_MOST_FLOAT = sys.float_info.max
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


@dataclass(frozen=True)
class TapeStep:
    """One step of the training of a tape; the loss is that before the step."""

    step: int
    loss: float
    learning_rate: float
    #: Before clipping.
    gradient_norm: float


@overload
def train(
    model: Model, batches: Iterable[Mapping[str, Any]], **options: Unpack[TrainingOptions]
) -> Iterator[Step]: ...
@overload
def train(
    model: Tape, batches: Iterable[Mapping[str, Any]], **options: Unpack[TapeTrainingOptions]
) -> Iterator[TapeStep]: ...
@takes(TRAINING, _DEFAULTS, "groups", "loss")
def train(model: Model | Tape, batches: Iterable[Mapping[str, Any]], **options: Any) -> Iterator[Any]:
    """Trains a model step by step: for step in train(model, batches, steps=100).

    batches: dicts as model.forward takes them, with labels [B,T]. Goes on where the last training ended.
    steps: at most so many, by default all batches; rate: the peak of the learning rate (noam: a factor);
    warmup: steps up to it; total: the step at which cosine and linear reach 0; clip: the largest norm of
    the gradient, by default any; accumulate: batches per step; dropout: by default the model's; restart:
    forget the optimizer's state; validation: batches that are not trained on; validate_every: steps from one
    look at their loss to the next; keep_best: at the end the model gets back the parameters of the least
    validation loss. rate may be a function of the step, the first being 1; groups(name, shape): what a
    parameter does not share with the others, {"rate": a factor, "weight_decay"}, or None.

    A planned tape is trained in the same way: its parameters are the leaves of tape.parameter(), a batch is
    what to write into leaves by their names, and loss is the node that is made small, 'loss' by default.
    """
    if not isinstance(model, Tape):
        check_model("train", model)
    if not isinstance(batches, Iterable) or isinstance(batches, (str, bytes, Mapping, np.ndarray)):
        raise type_error("batches", where="train", given=batches)
    if isinstance(model, Tape):
        return _tape_steps(model, batches, options)
    return _Training(model, options).run(batches)


class _Part(NamedTuple):
    """Numbers that lie together: where they, their gradients and both moments lie."""

    places: list[int]
    size: int
    name: str = ""
    shape: tuple[int, ...] = ()


class _Steps:
    """The options of a training, and its steps of Adam."""

    def __init__(self, given: Mapping[str, Any], dropout: float, names: Iterable[str] = TRAINING) -> None:
        where = "train"
        rules = {name: TRAINING[name] for name in names}
        #: What no rule holds: functions.
        free = {key: value for key, value in given.items() if key == "groups" or callable(value)}
        for key, value in free.items():
            if key not in ("groups", "rate") or not (value is None or callable(value)):
                raise type_error("listener", where=f"{where}: {key}", given=value)
        taken = checked(where, {key: value for key, value in given.items() if key not in free}, rules)
        betas = taken.get("betas")
        if betas is not None:
            rule = {"detail": "numberBelow", "low": 0, "high": 1}
            for i, beta in enumerate(betas):
                check_rule(f"{where}: betas[{i}]", beta, rule)
        schedule, optimizer = taken.get("schedule"), taken.get("optimizer", "adam")
        self.options: dict[str, Any] = {
            **_DEFAULTS["noam" if schedule == "noam" else "adam"],
            "weight_decay": _DEFAULTS[optimizer]["weight_decay"],
            **{"dropout": dropout, "steps": None, "total": None, "groups": None},
            **taken,
            **free,
        }
        ends = self.options["total"] is not None or self.options["steps"] is not None
        if schedule in ("cosine", "linear") and not ends:
            raise type_error("scheduleEnds", where=where, schedule=schedule)

    @property
    def left(self) -> float:
        """How many steps are to be taken."""
        return math.inf if self.options["steps"] is None else self.options["steps"]

    def total(self, step: int) -> int:
        """The last step of a schedule that ends."""
        total = int(self.options["total"] or min(step + self.left, INT32 - 1))
        schedule = self.options["schedule"]
        if schedule in ("cosine", "linear") and self.left > 0 and step >= total:
            raise range_error("scheduleOver", where="train: total", schedule=schedule, step=step, given=total)
        return total

    def clip(self, parts: Iterable[_Part], norm: float, step: int) -> None:
        """Holds the gradient, of this norm, to the largest one that is allowed."""
        if not math.isfinite(norm):
            raise failure("GF_EDIVERGED", "diverged", where="train", norm=norm, step=step)
        most = math.inf if self.options["clip"] is None else self.options["clip"]
        clipping = min(1.0, most / (norm + _CLIP_EPSILON))
        for part in parts:
            if clipping < 1:
                lib.gf_multiply(part.places[1], part.size, clipping)

    def take(
        self, parts: Iterable[_Part], step: int, total: int, width: int, count: Callable[[], Any]
    ) -> float:
        """A step of Adam with all parts, which is counted with them; gives its learning rate."""
        options, rate = self.options, self.options["rate"]
        peak = check_finite("train: rate", rate(step)) if callable(rate) else rate
        place = _SCHEDULES.index(options["schedule"])
        schedule = _schedule(place, options["warmup"], total, width, peak)
        learning_rate: float = lib.gf_learning_rate(ctypes.addressof(schedule), step)
        calls: list[partial[Any]] = []
        structs: list[Any] = []
        for part in parts:
            where = f"train: groups: {part.name}"
            differing = (options["groups"] and options["groups"](part.name, part.shape)) or {}
            check_options(where, differing, ["rate", "weight_decay"])
            factor = check_real(f"{where}: rate", differing.get("rate", 1), 0, _MOST_FLOAT)
            decay = differing.get("weight_decay", options["weight_decay"])
            adam = adam_struct(
                learning_rate * factor,
                step,
                betas=options["betas"],
                epsilon=options["epsilon"],
                weight_decay=check_real(f"{where}: weight_decay", decay, 0, 1),
                decoupled=options["optimizer"] == "adamw",
            )
            structs.append(adam)
            calls.append(partial(lib.gf_adam_step, *part.places, None, part.size, ctypes.addressof(adam)))
        # Python raises a KeyboardInterrupt between calls of its own: these are one call of C.
        deque(map(partial.__call__, [*calls, partial(count)]), 0)
        return learning_rate


# ---- A tape ----


class _TapeState:
    """What the training of a tape goes on with."""

    def __init__(self, parameters: list[Tensor]) -> None:
        self.step = 0
        self.busy = False
        self.moments = [[floats(one.size), floats(one.size)] for one in parameters]


_states: WeakKeyDictionary[Tape, _TapeState] = WeakKeyDictionary()


def _tape_steps(
    tape: Tape, batches: Iterable[Mapping[str, Any]], given: Mapping[str, Any]
) -> Iterator[TapeStep]:
    loss = tape._pick("train: loss", given.get("loss", "loss"))
    steps = _Steps({key: value for key, value in given.items() if key != "loss"}, 0, _OF_TAPES)
    if loss.size != 1:
        raise range_error("shapeAs", where="train: loss", expected=[1], shape=loss.shape)
    return _run_tape(tape, batches, loss, steps)


def _run_tape(
    tape: Tape, batches: Iterable[Mapping[str, Any]], loss: Tensor, steps: _Steps
) -> Iterator[TapeStep]:
    state = _states.get(tape)
    if state and state.busy:
        raise failure("GF_ESTATE", "trainedAlready", where="train")
    parameters = [node for node in tape.nodes if node.kind == "parameter" and node._grad() is not None]
    if not parameters:
        raise failure("GF_ESTATE", "nothingTrained", where="train")
    if state is None or steps.options["restart"]:
        _states[tape] = state = _TapeState(parameters)
    left, total = steps.left, steps.total(state.step)
    state.busy = True
    try:
        if not left:
            return
        for batch in batches:
            check_mapping("train: batch", batch)
            for name, values in batch.items():
                tape.find(name).set(values)
            yield _tape_step(tape, loss, state, parameters, steps, total)
            left -= 1
            if not left:
                return
    finally:
        state.busy = False


def _tape_step(
    tape: Tape, loss: Tensor, state: _TapeState, parameters: list[Tensor], steps: _Steps, total: int
) -> TapeStep:
    tape.forward()
    value = float(loss.data.reshape(-1)[0])
    tape.backward(loss, np.ones(loss.shape, np.float32))
    parts: list[_Part] = []
    for one, moments in zip(parameters, state.moments, strict=True):
        arrays = [one.data, np.asarray(one.grad), *moments]
        parts.append(_Part([array.ctypes.data for array in arrays], one.size, one.name, one.shape))
    norm = math.hypot(*(lib.gf_norm(part.places[1], part.size) for part in parts))
    step = state.step + 1
    steps.clip(parts, norm, step)
    learning_rate = steps.take(parts, step, total, 1, partial(setattr, state, "step", step))
    tape.refresh()
    return TapeStep(step, value, learning_rate, norm)


# ---- A model ----


class _Training(_Steps):
    def __init__(self, model: Model, given: Mapping[str, Any]) -> None:
        where = "train"
        if given.get("loss") is not None:
            raise type_error("lossOfModel", where=f"{where}: loss")
        super().__init__(
            {key: value for key, value in given.items() if key != "loss"}, model.config["dropout"]
        )
        self.model = model
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
        model._changes += 1
        best: tuple[float, Any] | None = None
        try:
            if options["restart"]:
                model.step = 0
                for moment in ("m", "v"):
                    model._block(moment)[:] = 0
            left, total = self.left, self.total(model.step)
            readings: list[Reading] = []
            if not left:
                return
            for batch in batches:
                readings.append(self._read(batch))
                if len(readings) < options["accumulate"]:
                    continue
                step = self._step(readings, total)
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
        model = self.model
        step = model.step + 1
        loss, tokens = self._differentiate(readings, step)
        parts = self._parts()
        norm = lib.gf_norm(model._block("gradients").ctypes.data, model.size)
        self.clip(parts, norm, step)
        count = partial(setattr, model, "step", step)
        learning_rate = self.take(parts, step, total, model.config["d_model"], count)
        seconds = time.perf_counter() - begin
        return Step(step, loss, learning_rate, norm, tokens, tokens / seconds)

    def _parts(self) -> list[_Part]:
        """All numbers at once, or parameter by parameter where they differ."""
        blocks = ("values", "gradients", "m", "v")
        if not self.options["groups"]:
            places = [self.model._block(name).ctypes.data for name in blocks]
            return [_Part(places, self.model.size)]
        return [
            _Part([one.block(name).ctypes.data for name in blocks], one.size, one.name, one.shape)
            for one in self.model.parameters.values()
        ]

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
