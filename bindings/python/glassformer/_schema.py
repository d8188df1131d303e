"""Texts that are JSON of a schema: an automaton over their bytes, and the tokens that it can go on with.

Properties stand in the order of the schema, without white space but for one space behind a comma or a colon,
and before the value. Places of the automaton are built from the end: each is made for what follows it.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ._library import DATA
from ._tokenizer import Tokenizer, byte_letters
from .errors import is_number, range_error, type_error

_RULES: dict[str, Any] = DATA["rules"]["schemas"]
#: What may be said of values of a type.
_KEYWORDS: dict[str, list[str]] = _RULES["KEYWORDS"]
_LARGEST = 10 ** _RULES["DIGITS"] - 1
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


class _Edge(NamedTuple):
    """Bytes from low to high lead to a place."""

    low: int
    high: int
    to: int


def _edge(low: str | int, high: str | int, to: int) -> _Edge:
    first, last = (ord(one) if isinstance(one, str) else one for one in (low, high))
    return _Edge(first, last, to)


def _edges(signs: str, to: int) -> list[_Edge]:
    return [_edge(sign, sign, to) for sign in signs]


def _hex(to: int) -> list[_Edge]:
    return [_edge("0", "9", to), _edge("a", "f", to), _edge("A", "F", to)]


@dataclass(eq=False)
class State:
    """A set of places; rest: how many bytes end the text at least; following: by the next byte."""

    places: list[int]
    rest: float
    is_end: bool
    following: dict[int, State | None] = field(default_factory=dict)


class Automaton:
    """What reads a text is in a set of places at once."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._edges: list[list[_Edge]] = []
        #: Places that are reached without a byte.
        self._empty: list[list[int]] = []
        self._rests: list[float] = []
        self._states: dict[tuple[int, ...], State] = {}
        #: The end of a text.
        self.end = self.place()

    def place(self, edges: Iterable[_Edge] = (), empty: Iterable[int] = ()) -> int:
        """A new place, from which bytes lead on; empty: places that it is also."""
        if len(self._edges) == _RULES["MAX_PLACES"]:
            raise range_error("schemaLarge", where=self._where, most=_RULES["MAX_PLACES"])
        self._edges.append([*edges])
        self._empty.append([*empty])
        return len(self._edges) - 1

    def extend(self, place: int, edges: Iterable[_Edge]) -> None:
        """Lets bytes lead from a place, which loops need."""
        self._edges[place] += edges

    def literal(self, text: str, following: int) -> int:
        for byte in reversed(text.encode()):
            following = self.place([_Edge(byte, byte, following)])
        return following

    def either(self, places: Iterable[int]) -> int:
        return self.place([], places)

    def begin(self, start: int) -> State:
        """The state of a text that begins at a place."""
        self._measure()
        return self._state([start])

    def step(self, state: State, byte: int) -> State | None:
        """The state behind a byte, or None."""
        if byte not in state.following:
            edges = (edge for place in state.places for edge in self._edges[place])
            places = [edge.to for edge in edges if edge.low <= byte <= edge.high]
            state.following[byte] = self._state(places) if places else None
        return state.following[byte]

    def byte_of(self, state: State) -> int:
        """A byte that leads to the end on the shortest way."""
        edges = (edge for place in state.places for edge in self._edges[place])
        return next((edge.low for edge in edges if self._rests[edge.to] == state.rest - 1), 0)

    def _state(self, places: Iterable[int]) -> State:
        every = list(dict.fromkeys(places))
        reached = set(every)
        for place in every:
            for other in self._empty[place]:
                if other not in reached:
                    reached.add(other)
                    every.append(other)
        key = tuple(sorted(every))
        if key not in self._states:
            rest = min((self._rests[place] for place in key), default=inf)
            self._states[key] = State(list(key), rest, self.end in reached)
        return self._states[key]

    def _measure(self) -> None:
        """How many bytes end a text from each place at least: a search from the end backwards."""
        before: list[list[tuple[int, int]]] = [[] for _ in self._edges]
        for place, edges in enumerate(self._edges):
            for edge in edges:
                before[edge.to].append((1, place))
            for to in self._empty[place]:
                before[to].append((0, place))
        self._rests = [inf] * len(self._edges)
        waiting = deque([(0, self.end)])
        while waiting:
            rest, place = waiting.popleft()
            if self._rests[place] < inf:
                continue
            self._rests[place] = rest
            for byte, other in before[place]:
                # What takes no byte comes before what takes one: so the first way to a place is the shortest.
                (waiting.append if byte else waiting.appendleft)((rest + byte, other))


# ---- From a schema ----


def _refuse(where: str, expected: str, value: Any) -> Exception:
    return type_error("schemaValue", where=where, expected=expected, given=value)


def _check_keywords(where: str, schema: Mapping[str, Any], allowed: Sequence[str]) -> None:
    for keyword in schema:
        if keyword not in allowed and keyword not in _RULES["ANNOTATIONS"]:
            raise type_error("schemaKeyword", where=where, keyword=keyword, keywords=", ".join(allowed))


def _type_of(value: Any) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    kinds = {bool: "boolean", int: "integer", str: "string", list: "array", tuple: "array", dict: "object"}
    return kinds.get(type(value), "null")


def _json(where: str, value: Any) -> str:
    """Without white space; 1.0 is 1, as JavaScript writes it."""
    try:
        text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        raise _refuse(where, "a value of JSON", value) from None
    # Half of a character beyond 16 bits has no bytes of its own.
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):x}", text)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value


def _count(where: str, value: Any, otherwise: float) -> float:
    """How many items, or characters."""
    if value is None:
        return otherwise
    if _type_of(value) == "integer" and value >= 0:
        return int(value)
    raise _refuse(where, "an integer of 0 or more", value)


class _Compiler:
    """Makes an automaton of a schema, from the end of a text to its beginning."""

    def __init__(self, where: str, made: Automaton, root: Any) -> None:
        self.where, self.made, self.root = where, made, root
        self._levels = 0
        self._references: list[str] = []

    def value(self, where: str, schema: Any, following: int) -> int:
        """A value of a schema, and what follows it."""
        if self._levels == _RULES["MAX_LEVELS"]:
            raise range_error("schemaDeep", where=self.where, most=_RULES["MAX_LEVELS"])
        self._levels += 1
        start = self._value(where, schema, following)
        self._levels -= 1
        return start

    def _value(self, where: str, schema: Any, following: int) -> int:
        if not isinstance(schema, Mapping):
            raise _refuse(where, "a dict, as json.loads gives", schema)
        if "$ref" in schema:
            return self._reference(where, schema, following)
        choice = next((keyword for keyword in ("anyOf", "oneOf") if keyword in schema), None)
        if choice:
            return self._choice(where, choice, schema, following)
        types: list[str] | None = None
        if (named := schema.get("type")) is not None:
            types = list(named) if isinstance(named, (list, tuple)) else [named]
            if not types or not all(isinstance(one, str) and one in _KEYWORDS for one in types):
                raise _refuse(f"{where}.type", ", ".join(_KEYWORDS), named)
        if "enum" in schema or "const" in schema:
            return self._constants(where, schema, types, following)
        if types is None:
            raise _refuse(where, "type, enum, const, anyOf, oneOf or $ref", schema)
        _check_keywords(where, schema, ["type", *(word for one in types for word in _KEYWORDS[one])])
        return self.made.either([getattr(self, f"_{one}")(where, schema, following) for one in types])

    def _reference(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        """A definition, as if it stood here."""
        _check_keywords(where, schema, ["$ref"])
        reference, place = schema["$ref"], f"{where}.$ref"
        match = (
            re.fullmatch(r"#/(\$defs|definitions)/([^/]+)", reference) if isinstance(reference, str) else None
        )
        if match is None:
            raise _refuse(place, "#/$defs/NAME", reference)
        group, key = match[1], match[2]
        every = self.root.get(group)
        every = every if isinstance(every, Mapping) else {}
        name = key.replace("~1", "/").replace("~0", "~")
        if name not in every:
            names = ", ".join(f"#/{group}/{one}" for one in every)
            raise _refuse(place, names or f"{group} in the schema", reference)
        way = [*self._references, reference]
        if reference in self._references:
            raise type_error("schemaCircle", where=place, way=" \N{RIGHTWARDS ARROW} ".join(way))
        self._references = way
        start = self.value(f"{self.where}.{group}.{name}", every[name], following)
        self._references = way[:-1]
        return start

    def _choice(self, where: str, keyword: str, schema: Mapping[str, Any], following: int) -> int:
        """Of several schemas. Whether a text fits just one of oneOf is not looked at."""
        _check_keywords(where, schema, [keyword])
        every, place = schema[keyword], f"{where}.{keyword}"
        if not isinstance(every, (list, tuple)) or not every:
            raise _refuse(place, "a list of schemas", every)
        starts = [self.value(f"{place}[{i}]", one, following) for i, one in enumerate(every)]
        return self.made.either(starts)

    def _constants(
        self, where: str, schema: Mapping[str, Any], types: list[str] | None, following: int
    ) -> int:
        _check_keywords(where, schema, ["type", "enum", "const"])
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not isinstance(values, (list, tuple)):
            raise _refuse(f"{where}.enum", "a list", values)

        def fits(value: Any) -> bool:
            kind = _type_of(value)
            return types is None or kind in types or (kind == "integer" and "number" in types)

        texts = [_json(f"{where}.enum", value) for value in values if fits(value)]
        if "const" in schema:
            const = _json(f"{where}.const", schema["const"])
            texts = [text for text in texts if text == const]
        if not texts:
            raise range_error("schemaEmpty", where=where)
        return self.made.either([self.made.literal(text, following) for text in texts])

    def space(self, following: int) -> int:
        """One space or none."""
        return self.made.place([_edge(" ", " ", following)], [following])

    def _object(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        """Properties in their order; those that are not required may be left out."""
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not isinstance(properties, Mapping):
            raise _refuse(f"{where}.properties", "a dict", properties)
        if not isinstance(required, (list, tuple)):
            raise _refuse(f"{where}.required", "a list", required)
        if not isinstance(more := schema.get("additionalProperties", False), bool):
            raise _refuse(f"{where}.additionalProperties", "a boolean", more)
        for name in properties:
            if not isinstance(name, str):
                raise _refuse(f"{where}.properties", "names that are strings", name)
        for name in required:
            if not isinstance(name, str) or name not in properties:
                raise _refuse(f"{where}.required", "names of properties", name)
        # From the last property to the first: what begins with it, or a later one, behind others or none.
        first = later = self.made.literal("}", following)
        for name, schema_of in reversed(list(properties.items())):
            value = self.value(f"{where}.properties.{name}", schema_of, later)
            key = self.made.literal(f"{_json(where, name)}:", self.space(value))
            behind = self.made.place([_edge(",", ",", self.space(key))])
            is_required = name in required
            first = key if is_required else self.made.either([key, first])
            later = behind if is_required else self.made.either([behind, later])
        return self.made.literal("{", first)

    def _array(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        """Items, at least and at most so many. Those that must be there stand apart."""
        made = self.made
        least = _count(f"{where}.minItems", schema.get("minItems"), 0)
        most = _count(f"{where}.maxItems", schema.get("maxItems"), inf)
        if least > most:
            raise range_error("schemaEmpty", where=where)
        close = made.literal("]", following)
        if most == 0:
            return made.literal("[", close)
        count = int(max(least, 1) if most == inf else most)
        start = close
        for i in range(count, 0, -1):
            end = made.place([], [close] if i >= least else [])
            if i < count:
                made.extend(end, [_edge(",", ",", self.space(start))])
            start = self.value(f"{where}.items", schema.get("items"), end)
            # Without a limit the last item comes again and again.
            if i == count and most == inf:
                made.extend(end, [_edge(",", ",", self.space(start))])
        return made.literal("[", made.either([start, close]) if least == 0 else start)

    def _string(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        """Characters, at least and at most so many."""
        least = _count(f"{where}.minLength", schema.get("minLength"), 0)
        most = _count(f"{where}.maxLength", schema.get("maxLength"), inf)
        if least > most:
            raise range_error("schemaEmpty", where=where)
        close = _edge('"', '"', following)
        inside = self.made.place([close])
        # Without a limit more of them follow the last that must be there.
        if most == inf:
            self.made.extend(inside, self._character(inside))
        for i in range(int(least if most == inf else most) - 1, -1, -1):
            inside = self.made.place([*self._character(inside), *([close] if i >= least else [])])
        return self.made.literal('"', inside)

    def _character(self, inside: int) -> list[_Edge]:
        """One character of a string, which leads to a place."""
        place = self.made.place

        def tail(to: int, low: int = 0x80, high: int = 0xBF) -> int:
            return place([_edge(low, high, to)])

        two, hex1 = tail(inside), place(_hex(inside))
        three, hex2 = tail(two), place(_hex(hex1))
        hex3 = place(_hex(hex2))
        # A character beyond 16 bits is two of these.
        low = place([_edge("c", "f", hex2), _edge("C", "F", hex2)])
        second = self.made.literal("\\u", place(_edges("dD", low)))
        third = place(_hex(place(_hex(second))))
        surrogate = place([_edge("0", "7", hex2), *_edges("89abAB", third)])
        plain = [_edge("0", "9", hex3), _edge("a", "c", hex3), _edge("A", "C", hex3)]
        unicode = place([*plain, *_edges("dD", surrogate), *_edges("efEF", hex3)])
        escaped = place([*_edges('"\\/bfnrt', inside), _edge("u", "u", unicode)])
        return [
            *(_edge(0x20, 0x21, inside), _edge(0x23, 0x5B, inside), _edge(0x5D, 0x7F, inside)),
            *(_edge("\\", "\\", escaped), _edge(0xC2, 0xDF, two), _edge(0xE0, 0xE0, tail(two, 0xA0))),
            *(_edge(0xE1, 0xEC, three), _edge(0xEE, 0xEF, three)),
            *(_edge(0xED, 0xED, tail(two, 0x80, 0x9F)), _edge(0xF0, 0xF0, tail(three, 0x90))),
            *(_edge(0xF1, 0xF3, tail(three)), _edge(0xF4, 0xF4, tail(three, 0x80, 0x8F))),
        ]

    def _digits(self, following: int) -> int:
        """Up to so many."""
        place = following
        for _ in range(_RULES["DIGITS"] - 1):
            place = self.made.place([_edge("0", "9", place)], [following])
        return place

    def _natural(self, following: int) -> int:
        return self.made.place([_edge("0", "0", following), _edge("1", "9", self._digits(following))])

    def _whole(self, following: int) -> int:
        digits = self._natural(following)
        return self.made.place([_edge("-", "-", digits)], [digits])

    def _integer(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        least, most = schema.get("minimum", -_LARGEST), schema.get("maximum", _LARGEST)
        if not (is_number(least) and (least == 0 or least <= -_LARGEST)):
            raise _refuse(f"{where}.minimum", "0, or none: other limits are not supported", least)
        if not (is_number(most) and most >= _LARGEST):
            raise _refuse(f"{where}.maximum", "none: limits are not supported", most)
        return self._natural(following) if least == 0 else self._whole(following)

    def _number(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        fraction = self.made.place([_edge("0", "9", self._digits(following))])
        point = self.made.place([_edge(".", ".", fraction)], [following])
        return self._integer(where, schema, point)

    def _boolean(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        return self.made.either([self.made.literal(text, following) for text in ("true", "false")])

    def _null(self, where: str, schema: Mapping[str, Any], following: int) -> int:
        return self.made.literal("null", following)


# ---- Tokens ----


class _Piece(NamedTuple):
    """What a token adds to a text; shared: with how many bytes of the token before it begins."""

    id: int
    bytes: bytes
    shared: int


def _shared(a: bytes, b: bytes) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


#: What _pieces() made, by tokenizer and size of the vocabulary.
_made: WeakKeyDictionary[Tokenizer, dict[int, list[_Piece]]] = WeakKeyDictionary()


def _pieces(tokenizer: Tokenizer, vocab: int) -> list[_Piece]:
    """Those that have a text, in order: tokens that begin alike stand together."""
    letters = byte_letters()
    # The first token of a text may lose a space: each is read behind another one.
    words = (id for id in range(vocab) if re.fullmatch("[!-~]+", tokenizer.decode([id])))
    anchor = next(words, 0)
    before = tokenizer.decode([anchor])

    def bytes_of(id: int) -> bytes:
        text = tokenizer.decode([anchor, id])
        if not text.startswith(before):
            return b""
        added = text[len(before) :]
        if "\ufffd" not in added:
            return added.encode("utf-8", "replace")
        (token,) = tokenizer.tokens([id])
        if match := _BYTE.fullmatch(token):
            return bytes([int(match[1], 16)])
        if all(letter in letters for letter in token):
            return bytes(letters[letter] for letter in token)
        return token.encode("utf-8", "replace")

    rows = sorted(((bytes_of(id), id) for id in range(vocab)), key=lambda row: row[0])
    made: list[_Piece] = []
    for data, id in rows:
        if data:
            made.append(_Piece(id, data, _shared(made[-1].bytes, data) if made else 0))
    return made


class Schema:
    """A schema, compiled for a vocabulary: which tokens may follow where. Several texts share it."""

    def __init__(self, where: str, schema: Any, tokenizer: Tokenizer, vocab: int) -> None:
        self.where = f"{where}: schema"
        self._automaton = Automaton(self.where)
        compiler = _Compiler(self.where, self._automaton, schema)
        start = compiler.space(compiler.value(self.where, schema, self._automaton.end))
        self.begin = self._automaton.begin(start)
        by_size = _made.setdefault(tokenizer, {})
        if vocab not in by_size:
            by_size[vocab] = _pieces(tokenizer, vocab)
        self._pieces = by_size[vocab]
        self._following: dict[State, dict[int, State]] = {}

    def following(self, state: State) -> dict[int, State]:
        """The tokens that may follow a state, and the states behind them."""
        if state not in self._following:
            self._following[state] = dict(self._fits(state))
        return self._following[state]

    def _fits(self, state: State) -> Iterator[tuple[int, State]]:
        #: Behind each byte of the token that was read last, as many as may follow.
        states = [state]
        for id, data, shared in self._pieces:
            if shared > len(states) - 1:
                continue
            del states[shared + 1 :]
            for byte in data[shared:]:
                behind = self._automaton.step(states[-1], byte)
                if behind is None:
                    break
                states.append(behind)
            if len(states) - 1 == len(data):
                yield id, states[-1]

    def byte_at(self, state: State) -> str:
        """The byte that has to follow, as JSON."""
        return json.dumps(chr(self._automaton.byte_of(state)), ensure_ascii=False)


class Grammar:
    """The tokens that may follow, so that a text becomes JSON of a schema, as long as there is room."""

    def __init__(self, schema: Schema, room: int) -> None:
        self._schema = schema
        self._state = schema.begin
        if self._state.rest > room:
            raise range_error("schemaRoom", where=schema.where, n=int(self._state.rest), most=room)
        #: Whether the likeliest token that fits would have left no room: the text ends earlier than it would.
        self.is_cut = False

    def mask(self, stops: Iterable[int], room: int) -> Callable[[NDArray[np.float32]], None]:
        """Leaves the logits of the tokens that may follow; room: for so many tokens."""

        def leave(logits: NDArray[np.float32]) -> None:
            following = self._schema.following(self._state)
            fits = [id for id, state in following.items() if state.rest < room]
            cut = [id for id, state in following.items() if state.rest >= room]
            kept = [*fits, *(stops if self._state.is_end else ())]
            most = max((logits[id] for id in kept), default=-np.inf)
            self.is_cut |= bool(max((logits[id] for id in cut), default=-np.inf) > most)
            values = logits[kept].copy()
            logits[:] = -np.inf
            logits[kept] = values
            if not fits and not self._state.is_end:
                byte = self._schema.byte_at(self._state)
                raise range_error("schemaToken", where=self._schema.where, byte=byte)

        return leave

    def ends(self, token: int) -> bool:
        """Goes on with a token; gives whether the text is whole."""
        self._state = self._schema.following(self._state).get(token, self._state)
        return self._state.is_end and not self._schema.following(self._state)
