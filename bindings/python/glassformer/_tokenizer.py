"""Between texts and the ids of a model: the tokenizer that its file carries.

Those of GGUF and llama2.c are lists of tokens, and of what says which neighbours are joined: bytes by the
order of a list of merges (GPT-2), or characters by the scores of the tokens they make (SentencePiece). A
tokenizer.json is opened by `tokenizers` of Hugging Face, if that is installed.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import DATA
from .errors import check_bool, check_integer, message, refusal, type_error

_INT32 = 2**31 - 1
#: What a token is, where a file says so.
_NORMAL, _UNKNOWN, _CONTROL, _ADDED, _BYTE = 1, 2, 3, 4, 6
_BLANK = "▁"
#: Names of tokens that end a text, and how words are cut, as JavaScript lists them.
_LISTS: dict[str, Any] = DATA["formats"]
#: What stands for bytes that make no character: at the end of a text, those of one that is not complete.
_INCOMPLETE = "\ufffd"
#: So many tokens before the first new one tell how that begins.
_CONTEXT = 8
#: A character has four bytes at most: so many tokens may be parts of it beside the first.
_PARTS = 3
#: After so many tokens without a whole end, bytes are no character that is to be completed.
_LONGEST = 32
#: As many words as are remembered.
_REMEMBERED = 10_000
_LONGEST_REMEMBERED = 100


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("tokenizer", detail, **params)


class Tokenizer:
    """Text to ids and back, with `stops`, the tokens that end what a model writes."""

    stops: tuple[int, ...]
    #: What chat templates call bos_token and eos_token: '' where there is none.
    ends: Mapping[str, str]

    def encode(self, text: str, *, special: bool = True) -> list[int]:
        """The ids of a text; special: with what the file puts around a text, such as [CLS]."""
        if not isinstance(text, str):
            raise type_error("text", where="encode", given=text)
        return self._encode(text, check_bool("encode: special", special))

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, without special tokens."""
        return self._decode(_ids("decode", ids))

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Each token as the vocabulary has it, '' where it has none."""
        return [self._token(one) for one in _ids("tokens", ids)]

    def _encode(self, text: str, special: bool) -> list[int]:
        raise NotImplementedError

    def _decode(self, ids: list[int]) -> str:
        raise NotImplementedError

    def _token(self, token: int) -> str:
        raise NotImplementedError


def _ends_among(has: Callable[[str], bool]) -> list[str]:
    """The names of tokens that end what a model of a vocabulary writes."""
    on = [name for name, others in _LISTS["noEnds"] if all(map(has, others))]
    return [name for name in _LISTS["ends"] if has(name) and name not in on]


def ends_of(part: str, given: Mapping[str, Any]) -> list[int]:
    """The tokens that end a text, as config.json or generation_config.json says: one id, or several."""
    ends = given.get("eos_token_id")
    listed = ends if isinstance(ends, list) else [] if ends is None else [ends]
    for i, one in enumerate(listed):
        if isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= _INT32:
            continue
        where = f"eos_token_id[{i}]" if len(listed) > 1 else "eos_token_id"
        raise refusal(part, "integerFrom", where=where, low=0, high=_INT32, given=one)
    return listed


def _ids(where: str, given: Any) -> list[int]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise type_error("ids", where=where, given=given)
    return [check_integer(f"{where}: ids[{i}]", one, 0, _INT32) for i, one in enumerate(given)]


def _end_of(tokenizer: Tokenizer, prompt: list[int]) -> tuple[list[int], list[int]]:
    """The end of a prompt: whole tokens before, and those of a character that is not complete."""
    end = len(prompt)
    begin = max(0, end - _CONTEXT)
    while begin < end > len(prompt) - _PARTS and tokenizer.decode(prompt[begin:end]).endswith(_INCOMPLETE):
        end -= 1
    # No character has these bytes.
    if tokenizer.decode(prompt[begin:end]).endswith(_INCOMPLETE):
        end = len(prompt)
    least = max(0, begin - _PARTS)
    while begin > least and tokenizer.decode(prompt[begin:end]).startswith(_INCOMPLETE):
        begin -= 1
    return prompt[begin:end], prompt[end:]


def texts_of(tokenizer: Tokenizer, prompt: Sequence[int], tokens: Iterable[int]) -> Iterator[str]:
    """The text of tokens as they come, in whole characters: an unfinished one at the end is left out."""
    context, new = _end_of(tokenizer, list(prompt))
    before = tokenizer.decode(context)
    given = len(before)
    for token in tokens:
        new.append(token)
        text = tokenizer.decode([*context, *new])
        whole = text.rstrip(_INCOMPLETE) if len(new) < _LONGEST else text
        if added := whole[given:]:
            yield added
            given = len(whole)
        # Tokens without text, such as special ones, do not tell how the next one begins.
        if whole == text and text != before:
            context, new = new, []
            before = tokenizer.decode(context)
            given = len(before)


# ---- Words, by the patterns of JavaScript ----


@cache
def _classes() -> dict[str, str]:
    """The characters of \\p{L}, \\p{N} and \\p{White_Space}, as they stand between brackets."""
    ranges: dict[str, list[list[int]]] = {"L": [], "N": []}
    for point in range(0x110000):
        row = ranges.get(unicodedata.category(chr(point))[0])
        if row is None:
            continue
        if row and row[-1][1] == point - 1:
            row[-1][1] = point
        else:
            row.append([point, point])
    made = {name: "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in row) for name, row in ranges.items()}
    blank = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
    return {**made, "White_Space": blank}


def pattern(text: str) -> re.Pattern[str]:
    """A regular expression of JavaScript; Python's have no names for classes of characters."""
    parts: list[str] = []
    inside = False
    for part in re.findall(r"\\[pP]\{\w+\}|\\.|.", text, re.DOTALL):
        if found := re.fullmatch(r"\\([pP])\{(\w+)\}", part):
            names, no = _classes()[found[2]], "^" if found[1] == "P" else ""
            parts.append(names if inside else f"[{no}{names}]")
            continue
        inside = part == "[" or (inside and part != "]")
        parts.append(part)
    return re.compile("".join(parts))


def _words_by(pre: Any) -> Callable[[str], list[str]]:
    """How a text is cut into words. Of two patterns the second cuts what the first parts."""
    if pre not in _LISTS["words"]:
        raise _refuse("word", where="pre", words=", ".join(_LISTS["words"]), given=pre)
    *first, last = _LISTS["words"][pre]
    cut = pattern(last)
    if not first:
        return cut.findall
    parts = pattern(f"({first[0]})")
    return lambda text: [word for part in parts.split(text) for word in cut.findall(part)]


# ---- Joining ----


def _joined(pieces: Iterable[str], rank_of: Callable[[str, str], float | None]) -> list[str]:
    """Joins the neighbours of the lowest rank, of equals those further left, until no pair has one."""
    texts = list(pieces)
    count = len(texts)
    after, before = list(range(1, count + 1)), list(range(-1, count - 1))
    pairs: list[tuple[float, int, int]] = []

    def offer(left: int) -> None:
        right = after[left]
        if right < count and (rank := rank_of(texts[left], texts[right])) is not None:
            heappush(pairs, (rank, left, len(texts[left]) + len(texts[right])))

    for left in range(count):
        offer(left)
    while pairs:
        _, left, length = heappop(pairs)
        right = after[left]
        # Its left or its right was joined meanwhile.
        if not texts[left] or right >= count or len(texts[left]) + len(texts[right]) != length:
            continue
        texts[left] += texts[right]
        texts[right] = ""
        after[left] = after[right]
        if after[left] < count:
            before[after[left]] = left
        if before[left] >= 0:
            offer(before[left])
        offer(left)
    return [text for text in texts if text]


# ---- Tokens that stand in a text as they are ----


def _cut_at(special: Iterable[str]) -> Callable[[str], list[str]]:
    """Cuts a text at tokens; every second part is one. Of those that begin at one place the longest counts.

    One pass from the end finds, for each place, the longest that begins there (Aho and Corasick 1975), so
    the time is that of the text, whatever the tokens.
    """
    after: list[dict[str, int]] = [{}]
    longest = [0]
    fallback = [0]
    for token in special:
        state = 0
        for character in reversed(token):
            if character not in after[state]:
                after[state][character] = len(after)
                after.append({})
                longest.append(0)
                fallback.append(0)
            state = after[state][character]
        longest[state] = len(token)

    def follow(state: int, character: str) -> int:
        while state and character not in after[state]:
            state = fallback[state]
        return after[state].get(character, 0)

    row = list(after[0].values())
    while row:
        below: list[int] = []
        for state in row:
            longest[state] = longest[state] or longest[fallback[state]]
            for character, then in after[state].items():
                fallback[then] = follow(fallback[state], character)
                below.append(then)
        row = below

    def cut(text: str) -> list[str]:
        lengths = [0] * len(text)
        state = 0
        for i in range(len(text) - 1, -1, -1):
            state = follow(state, text[i])
            lengths[i] = longest[state]
        parts: list[str] = []
        begin = i = 0
        while i < len(text):
            if lengths[i]:
                parts += [text[begin:i], text[i : i + lengths[i]]]
                begin = i + lengths[i]
            i += lengths[i] or 1
        return [*parts, text[begin:]]

    return cut


# ---- The two kinds of lists ----


def _keeps_words(lists: Mapping[str, Any]) -> bool:
    """Whether a word that is a token stays whole, whatever merges would make of it."""
    said = lists.get("ignore_merges")
    return _is_llama3(lists) if said is None else bool(said)


def _is_llama3(lists: Mapping[str, Any]) -> bool:
    return lists["model"] == "gpt2" and lists.get("pre") in _LISTS["llama3Words"]


def byte_letters() -> dict[str, int]:
    """The characters that stand for bytes: those that can be seen for themselves, the others follow 255."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in seen]
    return {chr(byte): byte for byte in seen} | {chr(256 + i): byte for i, byte in enumerate(rest)}


class _Merges:
    """Bytes, joined in the order of a list."""

    begins = False

    def __init__(self, lists: Mapping[str, Any], ids: Mapping[str, int]) -> None:
        self._ids = ids
        self._whole = _keeps_words(lists)
        self._ranks = {merge: rank for rank, merge in enumerate(lists.get("merges") or ())}
        self._words = _words_by(lists.get("pre") or "gpt-2")
        self._bytes = byte_letters()
        self._characters = {byte: character for character, byte in self._bytes.items()}
        self._known: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        return [one for word in self._words(text) for one in self._word(word)]

    def _word(self, word: str) -> list[int]:
        if word not in self._known:
            if len(self._known) == _REMEMBERED:
                self._known.clear()
            pieces = [self._characters[byte] for byte in word.encode("utf-8", "replace")]
            whole = "".join(pieces)
            if self._whole and whole in self._ids:
                self._known[word] = [self._ids[whole]]
                return self._known[word]
            tokens = _joined(pieces, lambda left, right: self._ranks.get(f"{left} {right}"))
            # Merges may make what is no token; its bytes are, or nothing is.
            parts = [[token] if token in self._ids else token for token in tokens]
            found = [self._ids[one] for part in parts for one in part if one in self._ids]
            if len(word) >= _LONGEST_REMEMBERED:
                return found
            self._known[word] = found
        return self._known[word]

    def bytes(self, token: str) -> bytes:
        own = [self._bytes.get(character) for character in token]
        whole = [byte for byte in own if byte is not None]
        return bytes(whole) if len(whole) == len(own) else token.encode("utf-8", "replace")


class _Scores:
    """Characters, joined by the scores of the tokens they make."""

    def __init__(self, lists: Mapping[str, Any], ids: Mapping[str, int]) -> None:
        self._ids = ids
        self._scores = [float(score) for score in lists["scores"]]
        self._unknown = lists.get("unknown")
        self.begins = lists.get("add_space") is not False

    def encode(self, text: str) -> list[int]:
        blank = (f" {text}" if self.begins else text).replace(" ", _BLANK)
        made: list[int] = []
        for piece in _joined(blank, self._rank):
            made += [self._ids[piece]] if piece in self._ids else self._bytes_of(piece)
        return made

    def _rank(self, left: str, right: str) -> float | None:
        found = self._ids.get(left + right)
        return None if found is None else -self._scores[found]

    def _bytes_of(self, piece: str) -> list[int]:
        tokens = (f"<0x{byte:02X}>" for byte in piece.encode("utf-8", "replace"))
        found = (self._ids.get(token, self._unknown) for token in tokens)
        return [one for one in found if one is not None]

    def bytes(self, token: str) -> bytes:
        if byte := re.fullmatch(r"<0x([0-9A-F]{2})>", token):
            return bytes([int(byte[1], 16)])
        return token.replace(_BLANK, " ").encode("utf-8", "replace")


class ListedTokenizer(Tokenizer):
    """Made of lists: model ('gpt2' or 'llama'), tokens, types, scores, merges, pre, bos, eos, eot, eom,
    unknown, add_bos, add_eos, add_space.
    """

    def __init__(self, lists: Mapping[str, Any]) -> None:
        _check_lists(lists)
        self._lists = lists
        self._tokens: list[str] = lists["tokens"]
        self._types = lists.get("types")
        # Tokens without a text may be many.
        self._known = {token: i for i, token in reversed(list(enumerate(self._tokens)))}
        listed = lists["model"] == "llama"
        self._kind = (_Scores if listed else _Merges)(lists, self._known)
        self._bos, self._eos = lists.get("bos"), lists.get("eos")
        add_bos = lists.get("add_bos")
        begins = listed or _is_llama3(lists)
        self._before = [self._bos] if (begins if add_bos is None else add_bos) else []
        self._behind = [self._eos] if lists.get("add_eos") else []
        stand = (_UNKNOWN, _CONTROL, _ADDED)
        special = {token for i, token in enumerate(self._tokens) if token and self._type(i) in stand}
        self._parts = _cut_at(special)
        others = (self._known[name] for name in _ends_among(self._known.__contains__))
        ends = [self._eos, lists.get("eot"), lists.get("eom"), *others]
        self.stops = tuple(dict.fromkeys(one for one in ends if one is not None))
        named = {"bos_token": self._bos, "eos_token": self._eos}
        self.ends = {name: "" if one is None else self._token(one) for name, one in named.items()}

    def __reduce__(self) -> tuple[type[ListedTokenizer], tuple[Mapping[str, Any]]]:
        return type(self), (self._lists,)

    def _type(self, token: int) -> int:
        return _NORMAL if self._types is None else int(self._types[token])

    def _encode(self, text: str, special: bool) -> list[int]:
        own: list[int] = []
        for i, part in enumerate(self._parts(text)):
            if i % 2:
                own.append(self._known[part])
            elif part:
                own += self._kind.encode(part)
        around = (self._before, self._behind) if special else ([], [])
        return [one for one in [*around[0], *own, *around[1]] if one is not None]

    def _decode(self, ids: list[int]) -> str:
        said = b"".join(self._bytes(one) for one in ids if self._shown(one))
        text = said.decode("utf-8", "replace")
        return text[1:] if self._kind.begins and text.startswith(" ") else text

    def _shown(self, token: int) -> bool:
        ends = (self._bos, self._eos)
        hidden = (_UNKNOWN, _CONTROL)
        return token < len(self._tokens) and self._type(token) not in hidden and token not in ends

    def _bytes(self, token: int) -> bytes:
        own = self._tokens[token]
        return own.encode("utf-8", "replace") if self._type(token) == _ADDED else self._kind.bytes(own)

    def _token(self, token: int) -> str:
        return self._tokens[token] if token < len(self._tokens) else ""


def _is_integer(given: Any) -> bool:
    """As JavaScript says it: 1.0 is one."""
    return (type(given) is int) or (isinstance(given, float) and given.is_integer())


def _check_texts(lists: Mapping[str, Any], part: str = "tokenizer", place: str = "") -> None:
    """Refuses what llama.cpp does: a merge of anything but two tokens, a token twice, a byte that is none."""
    for i, merge in enumerate(lists.get("merges") or ()):
        if len(parts := merge.split(" ")) != 2 or not all(parts):
            raise refusal(part, "mergeText", where=f"{place}merges[{i}]", given=merge)
    types = lists.get("types")
    first: dict[str, int] = {}
    for i, token in enumerate(lists["tokens"]):
        where = f"{place}tokens[{i}]"
        if token and first.setdefault(token, i) != i:
            raise refusal(part, "sameToken", where=where, id=first[token], given=token)
        byte = re.fullmatch(r"<0x..>", token, re.DOTALL) and lists["model"] == "llama"
        byte = byte or (types is not None and i < len(types) and types[i] == _BYTE)
        if byte and not re.fullmatch(r"<0x[0-9A-F]{2}>", token):
            raise refusal(part, "byteToken", where=where, given=token)


def _check_lists(lists: Mapping[str, Any]) -> None:
    count = len(lists["tokens"])
    if not count:
        raise _refuse("noTokens")
    for where in ("types", "scores"):
        if lists.get(where) is not None and len(lists[where]) != count:
            raise _refuse("asManyAs", where=where, n=count, given=len(lists[where]))
    if lists["model"] == "llama" and lists.get("scores") is None:
        raise _refuse("noScores")
    _check_texts(lists)
    for where in ("bos", "eos", "eot", "eom", "unknown"):
        given = lists.get(where)
        if given is not None and not (_is_integer(given) and 0 <= given < count):
            raise _refuse("integerFrom", where=where, low=0, high=count - 1, given=given)


# ---- Where files have them ----


def of_gguf(metadata: Mapping[str, Any]) -> ListedTokenizer | None:
    """That of a GGUF, or None."""

    def said(key: str, detail: str, fits: Callable[[Any], bool], due: bool = False) -> Any:
        given = metadata.get(f"tokenizer.ggml.{key}")
        if fits(given) or (given is None and not due):
            return given
        raise refusal("GGUF", detail, where=f"tokenizer.ggml.{key}", given=given)

    model = metadata.get("tokenizer.ggml.model")
    if model is None:
        return None
    if model not in ("gpt2", "llama"):
        raise refusal("GGUF", "word", where="tokenizer.ggml.model", words="gpt2, llama", given=model)

    def texts(given: Any) -> bool:
        return isinstance(given, list) and all(isinstance(one, str) for one in given)

    def numbers(given: Any) -> bool:
        return isinstance(given, np.ndarray)

    def flag(given: Any) -> bool:
        return isinstance(given, bool)

    def text(given: Any) -> bool:
        return isinstance(given, str)

    pre = said("pre", "text", text)
    tokens = said("tokens", "textArray", texts, due=True)
    if pre is None and model == "gpt2":
        warnings.warn(str(message("noPre", where="tokenizer.ggml.pre")), stacklevel=2)
    # What llama.cpp takes for the tokens of SentencePiece where a file says nothing.
    defaults = {"unknown": 0, "bos": 1, "eos": 2} if model == "llama" else {}

    def token(name: str) -> Any:
        default = defaults.get(name)
        given = metadata.get(f"tokenizer.ggml.{name}_token_id")
        if given is not None:
            return int(given) if _is_integer(given) else given
        return default if default is not None and default < len(tokens) else None

    lists = {
        "model": model,
        "tokens": tokens,
        "types": said("token_type", "array", numbers),
        "scores": said("scores", "array", numbers),
        "merges": said("merges", "textArray", texts, due=True) if model == "gpt2" else [],
        "pre": pre,
        **{name: token(name) for name in ("bos", "eos", "eot", "eom", "unknown")},
        "add_bos": said("add_bos_token", "boolean", flag),
        "add_eos": said("add_eos_token", "boolean", flag),
        "add_space": said("add_space_prefix", "boolean", flag),
    }
    _check_texts(lists, "GGUF", "tokenizer.ggml.")
    return ListedTokenizer(lists)


def of_llama2c(data: NDArray[np.uint8], vocab: int) -> ListedTokenizer:
    """That of a tokenizer.bin: u32 longest; of each token float32 score, int32 length, UTF-8."""
    raw = data.tobytes()
    tokens: list[str] = []
    scores: list[float] = []
    at = 4
    for i in range(vocab):
        length = int.from_bytes(raw[at + 4 : at + 8], "little", signed=True) if at + 8 <= len(raw) else -1
        begin = at + 8
        if length < 0 or begin + length > len(raw):
            raise refusal("llama2.c", "tokensEnd", n=i, expected=vocab)
        scores.append(float(np.frombuffer(raw, "<f4", 1, at)[0]))
        at = begin + length
        tokens.append(raw[begin:at].decode("utf-8", "replace"))
    # Blanks stand where SentencePiece has a sign for them, and lines around what begins and ends a text.
    told = [token.strip() if i < 3 else token.replace(" ", _BLANK) for i, token in enumerate(tokens)]
    types = [2, 3, 3, *[_NORMAL] * vocab][:vocab]
    ends = {"unknown": 0, "bos": 1, "eos": 2}
    return ListedTokenizer({"model": "llama", "tokens": told, "types": types, "scores": scores, **ends})


def _content(token: Any) -> str:
    """The text of a token in tokenizer_config.json, which may be an object."""
    text = token.get("content") if isinstance(token, Mapping) else token
    return text if isinstance(text, str) else ""


def template_of(settings: Mapping[str, Any]) -> str | None:
    """The chat template of a tokenizer_config.json: of several, that for no purpose of its own."""
    given = settings.get("chat_template")
    several = given if isinstance(given, list) else []
    named = {one.get("name"): one.get("template") for one in several if isinstance(one, Mapping)}
    usual = named.get("default") if several else given
    if usual is None or isinstance(usual, str):
        return usual
    raise refusal("tokenizer_config.json", "text", where="chat_template", given=usual)


class JsonTokenizer(Tokenizer):
    """A tokenizer.json, as Hugging Face's own library reads it."""

    def __init__(
        self, path: Path, ends: Sequence[int] = (), settings: Mapping[str, Any] | None = None
    ) -> None:
        try:
            import tokenizers
        except ImportError:
            raise ImportError(f"{path.name} needs tokenizers: pip install tokenizers") from None
        try:
            self._opened = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # It has no class of its own.
            raise refusal(path.name, "json", given=path.name, reason=error) from None
        # The model pads and refuses for itself.
        self._opened.no_padding()
        self._opened.no_truncation()
        named = _ends_among(lambda name: self._opened.token_to_id(name) is not None)
        known = [id for name in named if (id := self._opened.token_to_id(name)) is not None]
        self.stops = tuple(dict.fromkeys([*ends, *known]))
        self.ends = {name: _content((settings or {}).get(name)) for name in ("bos_token", "eos_token")}

    def _encode(self, text: str, special: bool) -> list[int]:
        return list(self._opened.encode(text, add_special_tokens=special).ids)

    def _decode(self, ids: list[int]) -> str:
        return str(self._opened.decode(ids, skip_special_tokens=True))

    def _token(self, token: int) -> str:
        return self._opened.id_to_token(token) or ""
