"""What a model is run on: sequences, masks and labels, checked, and written into the leaves of a tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import IGNORE
from ._values import array_of, to_float32, to_int32
from .config import Config
from .errors import range_error, type_error
from .tape import Tape

INPUTS = ("source", "target", "labels", "token_types", "source_mask", "target_mask", "memory_mask")
#: The sequences whose tokens ask, and are asked.
_MASKS = {
    "source_mask": ("source", "source"),
    "target_mask": ("target", "target"),
    "memory_mask": ("target", "source"),
}


@dataclass(frozen=True)
class Sequences:
    """Rows of ids, or of vectors, of any lengths."""

    rows: list[NDArray[Any]]

    @property
    def lengths(self) -> list[int]:
        return [len(row) for row in self.rows]

    @property
    def longest(self) -> int:
        return max(self.lengths)

    @property
    def ragged(self) -> bool:
        return min(self.lengths) < self.longest

    def write(self, leaf: NDArray[Any], pad: int) -> None:
        """Into rows that are as long or longer."""
        leaf[...] = pad
        for target, row in zip(leaf, self.rows, strict=True):
            target[: len(row)] = row


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def read_sequences(
    where: str, given: Any, *, most: int, ids: int = 0, width: int = 0, ignored: bool = False
) -> Sequences:
    """A batch, as nested lists or an array; a single sequence is a batch of one.

    ids: how many there are; or width: of vectors; ignored: whether -100 may stand among the ids.
    """
    detail = "vectors" if width else "ids"
    if not _is_list(given) or not len(given):
        raise type_error(detail, where=where, width=width, given=given)
    first = given[0]
    single = _is_list(first) and not (len(first) and _is_list(first[0])) if width else not _is_list(first)
    rows: list[NDArray[Any]] = []
    for i, row in enumerate([given] if single else given):
        place = where if single else f"{where}[{i}]"
        if not _is_list(row) or not len(row):
            raise type_error(detail, where=place, width=width, given=row)
        if len(row) > most:
            raise range_error("tooLong", where=place, most=most, given=len(row))
        # A copy: another thread may write meanwhile.
        array = array_of(place, row).copy()
        if width:
            if array.ndim != 2 or array.shape[1] != width:
                raise range_error("vector", where=f"{place}[0]", width=width, given=row[0])
            rows.append(to_float32(array))
            continue
        if array.ndim != 1:
            raise type_error(detail, where=place, width=width, given=row)
        wrong = (array < 0) | (array >= ids) | (array != np.trunc(array))
        if ignored:
            wrong &= array != IGNORE
        if wrong.any():
            j = int(np.argmax(wrong))
            said = {"low": 0, "high": ids - 1, "given": array[j].item()}
            raise range_error("integerFrom", where=f"{place}[{j}]", **said)
        rows.append(to_int32(place, array))
    return Sequences(rows)


def _read_mask(where: str, given: Any, shape: tuple[int, int, int]) -> NDArray[np.float32]:
    """What is added to scores [B,Tq,Tk]: booleans hide where they are False."""
    array = array_of(where, given, booleans=True)
    size, rows, columns = shape
    if array.shape not in ((rows, columns), shape):
        raise range_error("maskShape", where=where, size=size, rows=rows, columns=columns, given=given)
    if array.dtype == np.bool_:
        array = np.where(array, np.float32(0), np.float32(-np.inf))
    return np.broadcast_to(to_float32(array), shape)


class Reading:
    """Everything that one run is given, read once and checked."""

    def __init__(self, where: str, config: Config, layout: Tape, inputs: Mapping[str, Any]) -> None:
        self.where = where
        kind, vocab, most = config["kind"], config["vocab"], config["max_length"]
        form = {"most": most, "width": 0 if vocab else config["d_model"]}
        leaves = [node for node in layout.nodes if node.role in ("tokens", "input")]
        sides = {side for node in leaves if node.op == "leaf" for side in node.sequences}
        if "source" not in sides and inputs.get("source") is not None:
            raise type_error("oneSided", where=f"{where}: source", kind=kind)
        if kind != "bert" and inputs.get("token_types") is not None:
            raise type_error("onlyOf", where=f"{where}: token_types", kind="bert")
        sizes = {"source": config["source_vocab"] or vocab, "target": vocab}
        self.sides: dict[str, Sequences] = {
            side: read_sequences(f"{where}: {side}", inputs.get(side), ids=size, **form)
            for side, size in sizes.items()
            if side in sides
        }
        counts = {side: len(read.rows) for side, read in self.sides.items()}
        if len(set(counts.values())) > 1:
            said = {"sources": counts["source"], "targets": counts["target"]}
            raise range_error("sourcesAndTargets", where=where, **said)
        has_logits = any(node.role == "logit" for node in layout.nodes)
        self.labels = self._besides("labels", inputs, most, vocab, has_logits)
        self.token_types = self._besides("token_types", inputs, most, config["token_types"], True)
        self.masks: dict[tuple[str, str], NDArray[np.float32]] = {}
        for key, (asking, asked) in _MASKS.items():
            if inputs.get(key) is None:
                continue
            for side in (asking, asked):
                if side not in self.sides:
                    given = inputs[key]
                    raise type_error("modelHasNo", where=f"{where}: {key}", missing=side, given=given)
            shape = (counts[asking], self.sides[asking].longest, self.sides[asked].longest)
            self.masks[asking, asked] = _read_mask(f"{where}: {key}", inputs[key], shape)

    def _besides(
        self, key: str, inputs: Mapping[str, Any], most: int, ids: int, possible: bool
    ) -> Sequences | None:
        """One number for each token of the target."""
        if inputs.get(key) is None:
            return None
        where = f"{self.where}: {key}"
        target = self.sides.get("target")
        if not target or not possible:
            raise type_error("modelHasNo", where=where, missing="logits")
        read = read_sequences(where, inputs[key], most=most, ids=ids, ignored=key == "labels")
        if len(read.rows) != len(target.rows):
            raise range_error("sequences", where=where, n=len(target.rows), given=len(read.rows))
        for i, (due, given) in enumerate(zip(target.lengths, read.lengths, strict=True)):
            if due != given:
                raise range_error("tokensOf", where=f"{where}[{i}]", n=due, given=given)
        return read

    @property
    def count(self) -> int:
        """How many labels ask for something."""
        rows = self.labels.rows if self.labels else []
        return sum(int(np.count_nonzero(row != IGNORE)) for row in rows)

    def batch(self, rounded: Callable[[int], int] = lambda length: length) -> dict[str, Any]:
        """The shape of the tape that takes it; rounded: makes lengths longer, so that tapes fit more."""
        lengths = {side: rounded(read.longest) for side, read in self.sides.items()}
        padded = any(read.ragged or read.longest < lengths[side] for side, read in self.sides.items())
        return {
            "size": len(next(iter(self.sides.values())).rows),
            "source": lengths.get("source", 0),
            "target": lengths.get("target", 0),
            "padded": padded,
            "masked": bool(self.masks),
            "loss": self.labels is not None,
        }

    def write(self, tape: Tape) -> None:
        """Fills the leaves of a tape of this shape."""
        for node in tape.nodes:
            if node.kind not in ("ids", "input"):
                continue
            role, sequences = node.role, node.sequences
            side = self.sides.get("source" if "source" in sequences else "target")
            data = node.data
            if role == "lengths" and side:
                data[...] = side.lengths
            elif role == "mask":
                data[...] = 0
                asking, asked = sequences[2:]
                mask = self.masks.get((str(asking), str(asked)))
                if mask is not None:
                    data[:, 0, : mask.shape[1], : mask.shape[2]] = mask
            elif role == "labels" and self.labels:
                self.labels.write(data, IGNORE)
            elif role == "segments" and self.token_types:
                self.token_types.write(data, 0)
            elif role in ("tokens", "input") and side:
                side.write(data, 0)
