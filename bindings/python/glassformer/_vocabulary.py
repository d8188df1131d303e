"""The tokenizer of a model of ours: a vocabulary of words, or of characters, in the notes of its file."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from ._tokenizer import Tokenizer, pattern
from .errors import range_error, refusal

_SPECIAL = ("start", "end", "pad", "unknown")
#: Signs that printers have several of.
_PLAIN = str.maketrans({**dict.fromkeys("“”«»„", '"'), "\N{RIGHT SINGLE QUOTATION MARK}": "'"})


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("vocabulary", detail, **params)


@cache
def _pieces() -> tuple[Any, Any, Any]:
    """Words with their apostrophes, and signs; the first part of an elided word; what has letters."""
    texts = (r"[\p{L}\p{N}']+|[^\p{White_Space}\p{L}\p{N}']", r"[\p{L}\p{N}]+'(?=.)", r"[\p{L}\p{N}]")
    pieces, elided, letters = map(pattern, texts)
    return pieces, elided, letters


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(_PLAIN)


def _joined(words: list[str]) -> str:
    """Words as a text: no space before a sign that closes, behind an apostrophe, or within quotes."""
    text, is_open, is_glued = "", False, True
    for word in words:
        quote = word == '"'
        closing = word in {".", ",", ":", ";", "?", "!"}
        text += word if is_glued or (is_open and quote) or closing else f" {word}"
        is_open ^= quote
        is_glued = (is_open and quote) or (len(word) > 1 and word.endswith("'"))
    return text


def _check(notes: Any) -> Mapping[str, Any]:
    if not isinstance(notes, dict):
        raise _refuse("object", given=notes)
    tokens = notes.get("tokens")
    if notes.get("split") not in ("words", "characters"):
        raise _refuse("word", where="split", words="words, characters", given=notes.get("split"))
    if not isinstance(tokens, list) or not all(isinstance(one, str) and one for one in tokens):
        raise _refuse("distinctTexts", where="tokens", given=tokens)
    if len(set(tokens)) < len(tokens):
        raise _refuse("distinctTexts", where="tokens", given=tokens)
    for where in _SPECIAL:
        if where in notes and notes[where] not in tokens:
            raise _refuse("amongTokens", where=where, given=notes[where])
    return notes


class VocabularyTokenizer(Tokenizer):
    """Words, or characters, each of which is a token."""

    def __init__(self, notes: Any, config: Mapping[str, Any]) -> None:
        checked = _check(notes)
        self._tokens: list[str] = checked["tokens"]
        if len(self._tokens) != config["vocab"]:
            raise _refuse("asManyTokens", where="tokens", n=config["vocab"], given=len(self._tokens))
        self._words = checked["split"] == "words"
        self._ids = {unicodedata.normalize("NFC", token): id for id, token in enumerate(self._tokens)}
        start, end, pad, unknown = (checked.get(name) for name in _SPECIAL)
        self._special = {start, end, pad, unknown}
        self._begin = [self._ids[start]] if start is not None and config["kind"] == "gpt" else []
        self._unknown = None if unknown is None else self._ids[unknown]
        self.stops = () if end is None else (self._ids[end],)
        self.ends = {"bos_token": start or "", "eos_token": end or ""}

    def _named(self, piece: str) -> str | None:
        """The token that a piece of a text is."""
        return next((form for form in (piece, piece.lower(), piece.upper()) if form in self._ids), None)

    def _split(self, text: str) -> list[str]:
        pieces, elided, _ = _pieces()
        made: list[str] = []
        for piece in pieces.findall(text):
            name = self._named(piece)
            cut = elided.match(piece) if name is None else None
            first = self._named(cut[0]) if cut else None
            if cut and first:
                made += [first, *self._split(piece[len(cut[0]) :])]
            else:
                made.append(piece if name is None else name)
        return made

    def _of(self, piece: str) -> list[int]:
        name = self._named(piece)
        # A sign that no token has says nothing to this model.
        if name is None and self._words and not _pieces()[2].search(piece):
            return []
        id = self._unknown if name is None else self._ids[name]
        if id is None:
            raise range_error("wordUnknown", where="encode", given=piece)
        return [id]

    def _encode(self, text: str, special: bool) -> list[int]:
        pieces = self._split(_plain(text)) if self._words else list(_plain(text))
        return [*(self._begin if special else []), *(id for piece in pieces for id in self._of(piece))]

    def _decode(self, ids: list[int]) -> str:
        shown = [word for word in map(self._token, ids) if word and word not in self._special]
        return _joined(shown) if self._words else "".join(shown)

    def _token(self, token: int) -> str:
        return self._tokens[token] if token < len(self._tokens) else ""
