"""Decoding token by token. Keys and values of earlier tokens are kept: each costs one row of everything."""

from __future__ import annotations

import math
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ._choose import CHOICE, CHOICE_OTHERS, Choosing, Hooks, Scores, check_scores, push_choices
from ._inputs import read_sequences
from ._library import lib
from ._nodes import Tensor
from ._schema import Grammar, Schema
from .config import GENERATION, check_removals, checked
from .errors import check_integer, check_list, range_error, type_error
from .tape import Tape

if TYPE_CHECKING:
    from .model import Model

#: Tokens that a decoder has room for at first.
_CAPACITY = 16
#: Fewer tokens are read one by one: a tape for all of them takes as long to make.
_AT_ONCE = 4
#: Nothing behind the last layer: no logits are needed.
_BODY = {"head": "none", "pooler": False, "prediction": False}
#: Options that are no numbers.
OTHERS = ("start", "stop_tokens", "remove", "hooks")
#: How many hypotheses search() follows if nobody says.
_BEAMS = 4
_PENALTY = 0.6


def _scores(tape: Tape) -> Scores:
    """Behind the last token of each sequence."""
    names = ("logits", "choice.log", "choice")
    logits, log_probs, probabilities = (cast(NDArray[np.float32], tape[name].data[:, -1]) for name in names)
    return Scores(logits, log_probs, probabilities)


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
    """Sequences on their way, in the room for so many tokens that they have so far."""

    def __init__(
        self,
        model: Model,
        remove: tuple[str, ...],
        source: NDArray[np.int32] | None,
        temperature: float = 1.0,
        size: int = 1,
        hooks: Hooks | None = None,
    ) -> None:
        self._model = model
        self._size = size
        self._hooks = hooks
        #: Where its first token stands in the text.
        self.origin = 0
        self._remove = remove
        self._temperature = temperature
        self._memory = None if source is None else _encode(model, remove, source)
        #: Tokens that were fed.
        self.length = 0
        self._make(min(_CAPACITY, model.config["max_length"]))

    def feed(self, tokens: Sequence[int]) -> Scores:
        """Feeds a token to each sequence; what comes back is views that the next step overwrites."""
        if self.length == self._capacity:
            self._grow()
        tape = self._tape
        tape["target"].data[:, 0] = tokens
        tape["target.lengths"].data[...] = self.length + 1
        for place in self._places:
            place.data[0] = self.length
        if self._hooks:
            self._hooks.forward(tape, tape["target"].id, self.origin + self.length, 1)
        else:
            tape.forward("target")
        self.length += 1
        return _scores(tape)

    def read(self, tokens: Sequence[int]) -> None:
        """Feeds the same first tokens to each sequence: at once, with the bits that they have one by one."""
        count = len(tokens)
        if count < _AT_ONCE or self._memory is not None:
            for token in tokens:
                self.feed([token] * self._size)
            return
        if count >= self._capacity:
            self._make(min(2 * count, self._model.config["max_length"]))
        names = [cast(Tensor, cache.inputs[0]).name for cache in self._caches]
        tape = self._model._tape(
            {"target": count, "fused": self._fused},
            changes={**_BODY, "remove": self._remove},
            keep=lambda tape: [*names, *self._hooked(tape)],
        )
        tape["target"].data[0] = tokens
        if self._hooks:
            self._hooks.forward(tape, 0, self.origin, count)
        else:
            tape.forward()
        for cache, name in zip(self._caches, names, strict=True):
            cache.data[:, :, :count] = tape[name].data
        self.length = count

    def resume(self, other: _Decoder, tokens: int) -> None:
        """Goes on behind the first tokens of another decoder's text."""
        if tokens >= self._capacity:
            self._make(min(2 * tokens, self._model.config["max_length"]))
        for mine, theirs in zip(self._caches, other._caches, strict=True):
            mine.data[:, :, :tokens] = theirs.data[:, :, :tokens]
        self.length = tokens

    def reorder(self, parents: Sequence[int]) -> None:
        """Lets each sequence go on from one of the earlier ones."""
        for cache in self._caches:
            cache.data[...] = cache.data[list(parents)]

    @property
    def _fused(self) -> bool:
        return self._hooks is None or self._hooks.fused

    def _hooked(self, tape: Tape) -> list[Tensor]:
        return self._hooks.on(tape) if self._hooks else []

    def _make(self, capacity: int) -> None:
        self._capacity = capacity
        source = 1 if self._memory is None else len(self._memory)

        def keep(tape: Tape) -> list[Tensor | str]:
            first = tape["target"].id
            read = {one for node in tape.nodes[first:] for one in node.inputs if one is not None}
            return [*(one for one in read if one.id < first), *self._hooked(tape), "logits"]

        tape = self._model._tape(
            {
                "size": self._size,
                "source": source,
                "padded": True,
                "capacity": capacity,
                "fused": self._fused,
            },
            changes={"remove": self._remove},
            more=lambda tape: push_choices(tape, tape["logits"], self._temperature),
            keep=keep,
        )
        if self._memory is not None:
            tape["memory"].data[...] = self._memory
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
        temperature: float = 1.0,
        size: int = 1,
    ) -> None:
        self._model = model
        self._remove = remove
        self._source = source
        self._temperature = temperature
        self._read = np.empty((size, 0), np.int32)

    def feed(self, tokens: Sequence[int]) -> Scores:
        self._read = np.column_stack([self._read, np.array(tokens, np.int32)])
        size, length = self._read.shape
        source = 0 if self._source is None else len(self._source)
        tape = self._model._tape(
            {"size": size, "source": source, "target": length},
            changes={"remove": self._remove},
            more=lambda tape: push_choices(tape, tape["logits"], self._temperature),
        )
        if self._source is not None:
            tape["source"].data[...] = self._source
        tape["target"].data[...] = self._read
        tape.forward()
        return _scores(tape)

    def read(self, tokens: Sequence[int]) -> None:
        """Takes the first tokens of each sequence, whose scores nobody asks for."""
        self._read = np.tile(np.array(tokens, np.int32), (len(self._read), 1))

    def reorder(self, parents: Sequence[int]) -> None:
        self._read = self._read[list(parents)]


class Kept:
    """The keys and values of the text that a session read last."""

    def __init__(self) -> None:
        self._decoder: _Decoder | None = None
        self._tokens: list[int] = []
        self._version: int | None = None

    @property
    def bytes(self) -> int:
        """How much memory they take."""
        caches = [] if self._decoder is None else self._decoder._caches
        return sum(cache.data.nbytes for cache in caches)

    def keep(self, decoder: _Decoder | _Reader, tokens: Sequence[int], version: int | None) -> None:
        """Keeps those of a text, as far as it was read; version: of the model's values, None if unknown."""
        self.drop()
        if isinstance(decoder, _Decoder) and version is not None:
            self._decoder, self._tokens, self._version = decoder, list(tokens[: decoder.length]), version

    def resume(self, decoder: _Decoder | _Reader, prompt: Sequence[int], version: int | None) -> int:
        """Spares a decoder the tokens with which a prompt begins as the text did; gives how many."""
        if self._decoder is None or not isinstance(decoder, _Decoder) or version != self._version:
            return 0
        most = min(len(self._tokens), len(prompt))
        shared = next((i for i in range(most) if self._tokens[i] != prompt[i]), most)
        if shared:
            decoder.resume(self._decoder, shared)
        return shared

    def drop(self) -> None:
        """Gives the memory back."""
        self._decoder, self._tokens = None, []


@dataclass(frozen=True)
class ChosenToken:
    """A token that was chosen; best: the likeliest ones, and their log-probabilities.

    log_prob: the model's own, whatever temperature, penalties and bans made of it; NaN of a beam search.
    """

    token: int
    log_prob: float
    best: list[tuple[int, float]]


@dataclass
class Generated:
    """What was written, so far and at the end.

    ended: 'stop-token', 'stop-text', 'schema', 'max-new-tokens' or 'max-length'; None while it goes on; seed:
    of the draws, None if the best tokens are taken.
    """

    tokens: list[ChosenToken] = field(default_factory=list)
    text: str = ""
    ended: str | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Hypothesis:
    """What a beam search found: its tokens, with the stop token if it came to one."""

    tokens: list[int]
    #: Of all its tokens.
    log_prob: float
    #: log_prob / ((5 + tokens) / 6) ** length_penalty
    score: float
    #: By a stop token.
    finished: bool


class Generation:
    """What is to be written: checked, before anything is computed."""

    def __init__(
        self,
        where: str,
        model: Model,
        given: Any,
        options: Mapping[str, Any],
        beams: int,
        choice: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        config = model.config
        roles = {node.role for node in model._layout.nodes}
        removals = {node.removal[0] for node in model._layout.nodes if node.removal}
        if "logit" not in roles or "mask" not in removals:
            raise type_error("doesNotWrite", where=where)
        others = (*OTHERS, *(CHOICE_OTHERS if choice else ()))
        taken = checked(where, options, {**GENERATION, **choice}, others)
        draws = taken.get("top_k") or taken.get("top_p", 1) < 1 or taken.get("min_p", 0)
        drawn = 1.0 if draws else 0.0
        self.temperature: float = taken.get("temperature", drawn)
        self.beams: int = taken.get("beams", beams)
        if self.beams > 1 and (self.temperature > 0 or taken.get("hooks")):
            raise type_error("beamsAlone", where=where)
        self.penalty: float = taken.get("length_penalty", _PENALTY)
        removed = check_removals(f"{where}: remove", taken.get("remove", ()))
        self._remove = (*config["remove"], *removed)
        vocab, most = config["vocab"], config["max_length"]
        two = config["kind"] == "transformer"
        stops = taken.get("stop_tokens", (2,) if two else ())
        self.stops = {
            check_integer(f"{where}: stop_tokens[{i}]", stop, 0, vocab - 1)
            for i, stop in enumerate(check_list(f"{where}: stop_tokens", stops, "ids"))
        }

        def sequence(what: str, ids: Any, size: int) -> NDArray[np.int32]:
            rows = read_sequences(f"{where}: {what}", ids, most=most, ids=size).rows
            if len(rows) != 1:
                raise range_error("oneSequence", where=f"{where}: {what}", n=len(rows))
            return rows[0]

        if not two and "start" in taken:
            raise type_error("startOfPrompt", where=f"{where}: start", kind=config["kind"])
        start = taken.get("start", 1)
        self._source = sequence("source", given, config["source_vocab"] or vocab) if two else None
        begin = start if isinstance(start, (list, tuple, np.ndarray)) else [start]
        prompt = sequence("start", begin, vocab) if two else sequence("prompt", given, vocab)
        self.prompt = [int(token) for token in prompt]
        # The last token is not fed again.
        room = most - len(prompt) + 1
        asked = taken.get("max_new_tokens", sys.maxsize)
        self.slides = taken.get("when_full") == "slide"
        if self.slides and two:
            raise type_error("oneStack", where=f"{where}: when_full")
        self.most: int = asked if self.slides else min(asked, room)
        #: Why a text that comes to its end has ended.
        self.full = "max-new-tokens" if self.most == asked else "max-length"
        self.choosing = Choosing(where, taken, vocab, self.temperature)
        #: Leaves the tokens that a schema allows.
        self.grammar: Grammar | None = None
        seed = taken.get("seed")
        self.seed: int = secrets.randbits(32) if seed is None else seed
        self._how = (
            (taken.get("top_k", 0), taken.get("top_p", 1), self.seed) if self.temperature else (1, 1, 0)
        )
        self._ids = np.empty(vocab, np.int32)
        hooks = taken.get("hooks")
        self._hooks = None if hooks is None else Hooks(where, model, self._remove, hooks)
        #: Whether what it reads is what any other text with its tokens reads.
        self.is_plain = not hooks and not removed
        self._model = model

    def choose(self, scores: Scores, written: list[int]) -> int:
        """The next token of the one sequence."""
        place, forced = len(written), self.choosing.forced
        check_scores("generate", scores.logits[0], scores.probabilities[0], len(self.prompt) + place)
        if place < len(forced):
            return forced[place]
        mask = self.grammar.mask(self.stops, self.most - place) if self.grammar else None
        rows = self.choosing.changed(scores.logits[0], scores.probabilities[0], self.prompt, written, mask)
        addresses = (row.ctypes.data for row in rows)
        size, ids = len(self._ids), self._ids.ctypes.data
        return int(lib.gf_draw(*addresses, size, *self._how, place, ids))

    def decoder(self, kept: Kept | None = None) -> _Decoder | _Reader:
        """One that has read all of the prompt but its last token; what was kept is not read again."""
        made = self._fresh()
        rest = self.prompt[:-1]
        if shared := kept.resume(made, rest, self._model._version) if kept else 0:
            for token in rest[shared:]:
                made.feed([token])
        else:
            made.read(rest)
        return made

    def _fresh(self) -> _Decoder | _Reader:
        how = (self._model, self._remove, self._source, self.temperature or 1.0, self.beams)
        return _Reader(*how) if "mask" in self._remove else _Decoder(*how, self._hooks)

    def slide(self, text: Sequence[int]) -> _Decoder | _Reader | None:
        """One that has read the newer half of a text that fills the model, but its last token; else None."""
        most = self._model.config["max_length"]
        half = most // 2
        behind = len(text) - 1 - most
        if not self.slides or behind < 0 or behind % (most - half):
            return None
        made = self._fresh()
        if isinstance(made, _Decoder):
            made.origin = len(text) - 1 - half
        made.read(text[-half - 1 : -1])
        return made

    def keep(self, kept: Kept, decoder: _Decoder | _Reader, written: Sequence[int]) -> None:
        """Keeps the keys and values of prompt and text."""
        kept.keep(decoder, [*self.prompt, *written], self._model._version)


def generate(model: Model, given: Any, options: Mapping[str, Any]) -> Iterator[int]:
    """The tokens, one by one; the options are checked before the first."""
    generation = Generation("generate", model, given, options, 1)
    writes = _best if generation.beams > 1 else _chosen
    return (one.token for one in writes(generation, Generated()))


def compiled(where: str, model: Model, schema: Any) -> Any:
    """A schema for the tokens of a model; None, and what is compiled, stays."""
    if schema is None or model.tokenizer is None or isinstance(schema, Schema):
        return schema
    return Schema(where, schema, model.tokenizer, model.config["vocab"])


def chosen(
    where: str,
    model: Model,
    given: Any,
    options: Mapping[str, Any],
    result: Generated,
    kept: Kept | None = None,
    schema: Any = None,
) -> Iterator[ChosenToken]:
    """The tokens of a text, with all that texts take; schema: dict or Schema; result: what was written."""
    generation = Generation(where, model, given, options, 1, CHOICE)
    if schema is not None and model.tokenizer:
        for option in ("forced", "when_full", "beams"):
            if options.get(option) is not None:
                raise type_error("schemaAlone", where=f"{where}: schema", option=option)
        generation.grammar = Grammar(compiled(where, model, schema), generation.most)
    if generation.beams > 1:
        return _best(generation, result)
    result.seed = generation.seed if generation.temperature else None
    return _chosen(generation, result, kept if generation.is_plain else None)


def search(model: Model, given: Any, options: Mapping[str, Any]) -> list[Hypothesis]:
    """All hypotheses of a beam search, best first."""
    return _search(Generation("search", model, given, options, _BEAMS))


def _chosen(generation: Generation, result: Generated, kept: Kept | None = None) -> Iterator[ChosenToken]:
    if not generation.most:
        result.ended = "max-new-tokens"
        return
    decoder = generation.decoder(kept)
    text, first = [*generation.prompt], len(generation.prompt)
    try:
        while len(text) - first < generation.most:
            if slid := generation.slide(text):
                decoder, kept = slid, None
            scores = decoder.feed([text[-1]])
            token = generation.choose(scores, text[first:])
            grammar = generation.grammar
            if token in generation.stops:
                result.ended = generation.full if grammar and grammar.is_cut else "stop-token"
                return
            log_probs = scores.log_probs[0]
            one = ChosenToken(token, float(log_probs[token]), generation.choosing.likeliest(log_probs))
            text.append(token)
            result.tokens.append(one)
            yield one
            if grammar and grammar.ends(token):
                result.ended = generation.full if grammar.is_cut else "schema"
                return
        result.ended = generation.full
    finally:
        if kept:
            generation.keep(kept, decoder, text[first:])


def _best(generation: Generation, result: Generated) -> Iterator[ChosenToken]:
    """The tokens of the best hypothesis, without log-probabilities: a search tells that of all alone."""
    ended = generation.full
    for hypothesis in _search(generation)[:1]:
        ended = "stop-token" if hypothesis.finished else ended
        for token in hypothesis.tokens:
            if token not in generation.stops:
                result.tokens.append(ChosenToken(token, math.nan, []))
                yield result.tokens[-1]
    result.ended = ended


def _search(generation: Generation) -> list[Hypothesis]:
    size, most, stops = generation.beams, generation.most, generation.stops
    if not most:
        return []

    def penalty(length: int) -> float:
        """Wu et al. 2016, equation 14."""
        return ((5 + length) / 6) ** generation.penalty

    found: list[Hypothesis] = []

    def keep(tokens: list[int], log_prob: float, finished: bool) -> None:
        found.append(Hypothesis(tokens, log_prob, log_prob / penalty(len(tokens)), finished))
        found.sort(key=lambda one: -one.score)
        del found[size:]

    decoder = generation.decoder()
    feed = [generation.prompt[-1]] * size
    live: list[tuple[list[int], float]] = [([], 0.0)]
    for length in range(1, most + 1):
        scores = decoder.feed(feed)
        for row in range(len(live)):
            position = len(generation.prompt) + length - 1
            check_scores("generate", scores.logits[row], scores.probabilities[row], position)
        log_probs = scores.log_probs
        vocab = log_probs.shape[1]
        sums = np.array([log_prob for _, log_prob in live])[:, None] + log_probs[: len(live)]
        # So many that `size` of them go on, even if each beam comes to every stop; of equals the first.
        order = np.argsort(-sums, axis=None, kind="stable")[: size * (1 + len(stops))]
        candidates = [(int(at) // vocab, int(at) % vocab, float(sums.flat[at])) for at in order]
        for parent, token, log_prob in candidates[:size]:
            if token in stops:
                keep([*live[parent][0], token], log_prob, True)
        going = [one for one in candidates if one[1] not in stops][:size]
        live = [([*live[parent][0], token], log_prob) for parent, token, log_prob in going]
        if not live:
            break
        if length == most:
            for tokens, log_prob in live:
                keep(tokens, log_prob, False)
        # A longer sequence is no likelier, and the penalty forgives at most so much.
        elif len(found) == size and live[0][1] / penalty(most) <= found[-1].score:
            break
        else:
            # Rows without a beam follow the first.
            rows = [*going, *[going[0]] * (size - len(going))]
            decoder.reorder([parent for parent, _, _ in rows])
            feed = [token for _, token, _ in rows]
    return found
