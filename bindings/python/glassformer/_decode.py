"""Decoding token by token. Keys and values of earlier tokens are kept: each costs one row of everything."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._inputs import read_sequences
from ._library import STRUCTS, lib
from ._nodes import Tensor
from .config import check_removals, checked
from .errors import check_integer, range_error, type_error
from .tape import Tape

if TYPE_CHECKING:
    from .model import Model

_chance = STRUCTS["gf_chance"]
#: Tokens that a decoder has room for at first.
_CAPACITY = 16
_OTHERS = ("start", "stop_tokens", "remove")


def _choices(tape: Tape, temperature: float) -> None:
    """What a choice goes by: the probabilities at the temperature."""
    logits = tape["logits"]
    tape.softmax(tape.scale(logits, factor=1 / temperature, name="choice.scaled"), name="choice")


def _encode(model: Model, remove: tuple[str, ...], source: NDArray[np.int32]) -> NDArray[np.float32]:
    """What the encoder makes of one source, [S,C]."""
    tape = model._tape(
        {"source": len(source), "fused": True},
        changes={"decoder_layers": 0, "remove": remove},
        keep=lambda tape: [],
    )
    tape["source"].data[0] = source
    tape.forward()
    return tape.nodes[-1].numpy()[0]


class _Decoder:
    """One sequence on its way, in the room for so many tokens that it has so far."""

    def __init__(
        self,
        model: Model,
        remove: tuple[str, ...],
        source: NDArray[np.int32] | None,
        temperature: float,
    ) -> None:
        self._model = model
        self._remove = remove
        self._temperature = temperature
        self._memory = None if source is None else _encode(model, remove, source)
        #: Tokens that were fed.
        self.length = 0
        self._make(min(_CAPACITY, model.config["max_length"]))

    def feed(self, token: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and probabilities of the tokens that may follow: views that the next step overwrites."""
        if self.length == self._capacity:
            self._grow()
        tape = self._tape
        tape["target"].data[...] = token
        tape["target.lengths"].data[...] = self.length + 1
        for place in self._places:
            place.data[0] = self.length
        tape.forward("target")
        self.length += 1
        return tape["logits"].data[0, 0], tape["choice"].data[0, 0]

    def _make(self, capacity: int) -> None:
        self._capacity = capacity
        source = 1 if self._memory is None else len(self._memory)

        def keep(tape: Tape) -> list[Tensor | str]:
            first = tape["target"].id
            read = {one for node in tape.nodes[first:] for one in node.inputs if one is not None}
            return [*(one for one in read if one.id < first), "logits"]

        tape = self._model._tape(
            {"source": source, "padded": True, "capacity": capacity, "fused": True},
            changes={"remove": self._remove},
            more=lambda tape: _choices(tape, self._temperature),
            keep=keep,
        )
        if self._memory is not None:
            tape["memory"].data[0] = self._memory
            tape["source.lengths"].data[...] = source
            # What comes before the target is the keys and values of the memory: made once.
            tape.forward(None, "target")
        self._tape = tape
        self._caches = [node for node in tape.nodes if node.op == "cache"]
        self._places = [
            node
            for node in tape.nodes
            if node.kind == "ids" and node.role in ("offset", "positions")
            if "source" not in node.sequences
        ]

    def _grow(self) -> None:
        """Twice the room, so that all growing together costs no more than the tokens do."""
        old = self._caches
        before = self._capacity
        self._make(min(2 * before, self._model.config["max_length"]))
        for cache, earlier in zip(self._caches, old, strict=True):
            cache.data[:, :, :before] = earlier.data


class _Reader:
    """Without a cache: all is read again with each token. For models whose tokens see those behind them."""

    def __init__(
        self,
        model: Model,
        remove: tuple[str, ...],
        source: NDArray[np.int32] | None,
        temperature: float,
    ) -> None:
        self._model = model
        self._remove = remove
        self._source = source
        self._temperature = temperature
        self._read: list[int] = []

    def feed(self, token: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self._read.append(token)
        tape = self._model._tape(
            {"source": 0 if self._source is None else len(self._source), "target": len(self._read)},
            changes={"remove": self._remove},
            more=lambda tape: _choices(tape, self._temperature),
        )
        if self._source is not None:
            tape["source"].data[0] = self._source
        tape["target"].data[0] = self._read
        tape.forward()
        return tape["logits"].data[0, -1], tape["choice"].data[0, -1]


def _address(array: NDArray[Any]) -> int:
    return array.ctypes.data


def _chooser(
    given: Mapping[str, Any], temperature: float, size: int
) -> Callable[[NDArray[np.float32], NDArray[np.float32], int], int]:
    """What takes the next token of logits, probabilities and its place in the sequence."""
    if not temperature:
        return lambda logits, probabilities, place: lib.gf_best(_address(logits), size)
    names = ("top_p", "top_k", "seed")
    chance = _chance(**{"top_p": 1, **{name: given[name] for name in names if name in given}})
    ids = np.empty(size, np.int32)
    return lambda logits, probabilities, place: lib.gf_draw(
        _address(logits), _address(probabilities), size, ctypes.byref(chance), place, _address(ids)
    )


def generate(model: Model, given: Any, options: Mapping[str, Any]) -> Iterator[int]:
    """The tokens, one by one; the options are checked before the first."""
    where = "generate"
    config = model.config
    roles = {node.role for node in model._layout.nodes}
    removals = {node.removal[0] for node in model._layout.nodes if node.removal}
    if "logit" not in roles or "mask" not in removals:
        raise type_error("doesNotWrite", where=where)
    # 0 takes the best token, whatever the coldest temperature is.
    cold = options.get("temperature") in (0, 0.0) and not isinstance(options["temperature"], bool)
    rest = {key: value for key, value in options.items() if key != "temperature" or not cold}
    taken = checked(where, rest, _OTHERS, "generation")
    drawn = 1.0 if taken.get("top_k") or taken.get("top_p", 1) < 1 else 0.0
    temperature = 0.0 if cold else taken.get("temperature", drawn)
    remove = (*config["remove"], *check_removals(f"{where}: remove", taken.get("remove", ())))
    vocab, most = config["vocab"], config["max_length"]
    two = config["kind"] == "transformer"
    stops = taken.get("stop_tokens", (2,) if two else ())
    if not isinstance(stops, (list, tuple, np.ndarray)):
        raise type_error("ids", where=f"{where}: stop_tokens", given=stops)
    stops = {check_integer(f"{where}: stop_tokens[{i}]", stop, 0, vocab - 1) for i, stop in enumerate(stops)}

    def sequence(what: str, ids: Any, size: int) -> NDArray[np.int32]:
        rows = read_sequences(f"{where}: {what}", ids, most=most, ids=size).rows
        if len(rows) != 1:
            raise range_error("oneSequence", where=f"{where}: {what}", n=len(rows))
        return rows[0]

    if not two and "start" in taken:
        raise type_error("startOfPrompt", where=f"{where}: start", kind=config["kind"])
    start = taken.get("start", 1)
    source = sequence("source", given, config["source_vocab"] or vocab) if two else None
    begin = start if isinstance(start, (list, tuple, np.ndarray)) else [start]
    prompt = sequence("start", begin, vocab) if two else sequence("prompt", given, vocab)
    # The last token is not fed again.
    room = most - len(prompt) + 1
    count = min(taken.get("max_new_tokens", room), room)
    make = _Reader if "mask" in remove else _Decoder
    choose = _chooser(taken, temperature, vocab)

    def tokens() -> Iterator[int]:
        if not count:
            return
        decoder = make(model, remove, source, temperature or 1.0)
        for token in prompt[:-1]:
            decoder.feed(int(token))
        token = int(prompt[-1])
        for place in range(count):
            token = choose(*decoder.feed(token), place)
            if token in stops:
                return
            yield token

    return tokens()
