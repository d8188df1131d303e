"""What goes wrong, and how it is told: a code, the name of a sentence, and what fills it in.

The sentences are those of the JavaScript package; only options have Python's spelling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from os import PathLike, fsencode, fspath
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from ._library import DATA

_TEXTS: dict[str, str] = DATA["texts"]
#: The core's gf_error, by its negative value.
_CODES = ["GF_OK", "GF_ESHAPE", "GF_ENAME", "GF_ENODE", "GF_ERANGE", "GF_EMEMORY", "GF_ESTATE"]
_CODES += ["GF_EID", "GF_EBITS"]


class Message:
    """The name of a sentence and what fills it in; `where` goes before, `given` and `hint` behind."""

    def __init__(self, detail: str, params: Mapping[str, Any]) -> None:
        self.detail = detail
        self.params = dict(params)

    def __str__(self) -> str:
        params = self.params
        said = _TEXTS[self.detail] + (_TEXTS["received"] if "given" in params else "")
        said = re.sub(r"\{(\w+)\}", lambda match: _tell(params.get(match[1])), said)
        where, hint = params.get("where"), params.get("hint")
        return (f"{where}: " if where else "") + said + (f" {hint}" if hint else "")


class GlassformerError(Exception):
    """The core refused, or what it needs is not there.

    code: 'GF_ESHAPE', 'GF_ENAME', ...; detail: the name of the sentence; params: what fills it in;
    node: the name of the node in question, or None.
    """

    def __init__(self, code: str, said: Message) -> None:
        super().__init__(str(said))
        self.code = code
        self.detail = said.detail
        self.params = said.params
        self.node: str | None = said.params.get("node")

    def __reduce__(self) -> tuple[type[GlassformerError], tuple[str, Message]]:
        """Errors go from one process to another: a pool waits for ever where they cannot."""
        return type(self), (self.code, Message(self.detail, self.params))


class ArgumentTypeError(GlassformerError, TypeError):
    """An argument of the wrong kind; an option that is unknown or missing."""


class ArgumentRangeError(GlassformerError, ValueError):
    """An argument of the right kind that is out of range."""


class CellError(ArgumentRangeError, IndexError):
    """There is no such cell."""


class MissingError(GlassformerError, KeyError):
    """There is nothing of that name."""

    __str__ = Exception.__str__


class OutOfMemoryError(GlassformerError, MemoryError):
    """The machine, or what the process may have of it, is too small."""


class FileError(GlassformerError, OSError):
    """A file that cannot be opened; errno and filename are the system's."""

    def __init__(self, code: str, said: Message) -> None:
        super().__init__(code, said)
        self.errno = said.params.get("errno")
        self.filename = said.params.get("where")

    __str__ = Exception.__str__


class FileMissingError(FileError, FileNotFoundError):
    """No file has this name."""


class FileIsFolderError(FileError, IsADirectoryError):
    """A folder has this name."""


class FolderMissingError(FileError, NotADirectoryError):
    """A file has the name of a folder that is in the path."""


class FileForbiddenError(FileError, PermissionError):
    """The system does not let this user open it."""


#: Which error tells one of the system.
_OF_SYSTEM: dict[type[Exception], type[FileError]] = {
    one.__bases__[1]: one
    for one in (FileMissingError, FileIsFolderError, FolderMissingError, FileForbiddenError)
}


def _tell(param: Any) -> str:
    if isinstance(param, list) and param and isinstance(param[0], Message):
        return "; ".join(map(str, param))
    if isinstance(param, (list, tuple)):
        return f"[{','.join(map(str, param))}]"
    return _number(param) if isinstance(param, float) else str(param)


def _number(value: float) -> str:
    if not isfinite(value):
        return repr(value).replace("nan", "NaN").replace("inf", "Infinity")
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(float(value))


#: Integers from here on are not written out.
_LONG = 10**40


def shown(value: Any) -> str:
    """A value as a message shows it: short, and telling strings from numbers."""
    if isinstance(value, str):
        return json.dumps(value[:40], ensure_ascii=False)
    if value is None or isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (int, np.integer)) and -_LONG < int(value) < _LONG:
        return str(value)
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, FunctionType):
        return _TEXTS["aFunction"]
    if isinstance(value, (list, tuple)):
        return str(Message("anArray", {"n": len(value)}))
    name = type(value).__name__
    if isinstance(value, np.ndarray):
        return str(Message("aView", {"name": f"{value.dtype} {name}", "n": value.size}))
    return str(Message("anInstance", {"name": name}))


def message(detail: str, **params: Any) -> Message:
    """A message; `given` and `value` are values of any kind, which are shown."""
    for key in ("given", "value"):
        if key in params:
            params[key] = shown(params[key])
    return Message(detail, {key: value for key, value in params.items() if value is not None})


def type_error(detail: str, **params: Any) -> ArgumentTypeError:
    return ArgumentTypeError("GF_ETYPE", message(detail, **params))


def range_error(detail: str, **params: Any) -> ArgumentRangeError:
    return ArgumentRangeError("GF_ERANGE", message(detail, **params))


def no_cell(detail: str, **params: Any) -> CellError:
    return CellError("GF_ERANGE", message(detail, **params))


def failed(code: str, said: Message) -> GlassformerError:
    """What is no argument's fault; out of memory is a MemoryError."""
    return (OutOfMemoryError if code == "GF_EMEMORY" else GlassformerError)(code, said)


def failure(code: str, detail: str, **params: Any) -> GlassformerError:
    return failed(code, message(detail, **params))


def missing(detail: str, **params: Any) -> GlassformerError:
    return MissingError("GF_ENAME", message(detail, **params))


def not_opened(file: Any, error: OSError | ValueError) -> GlassformerError:
    """Tells why the system does not open a file, in an error of ours that is the system's, too."""
    reason = getattr(error, "strerror", None) or error
    said = message("notOpened", where=str(file), reason=reason, errno=getattr(error, "errno", None))
    return _OF_SYSTEM.get(type(error), FileError)("GF_EFILE", said)


def refusal(part: str, detail: str, **params: Any) -> GlassformerError:
    """A file that is wrong in a part."""
    where = f"{part}: {params['where']}" if params.get("where") else part
    return failure("GF_EFILE", detail, **{**params, "where": where})


@contextmanager
def within_file(part: str) -> Iterator[None]:
    """A file is checked by what checks arguments: the same sentences, but it is the file that is wrong."""
    try:
        yield
    except (ArgumentTypeError, ArgumentRangeError) as error:
        where = error.params.get("where")
        params = {**error.params, "where": f"{part}: {where}" if where else part}
        raise GlassformerError("GF_EFILE", Message(error.detail, params)) from None


def code_of(error: int) -> str:
    """A negative gf_error, in words."""
    return _CODES[-error]


def _distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        following = [i]
        for j, other in enumerate(b, 1):
            changed = row[j - 1] + (letter != other)
            following.append(min(changed, row[j] + 1, following[j - 1] + 1))
        row = following
    return row[-1]


def near(word: str, known: Iterable[str]) -> Message | None:
    """A hint at the nearest known word; none if most of its letters are others."""
    every = [(name, _distance(word, name)) for name in known]
    if not every:
        return None
    name, edits = min(every, key=lambda one: one[1])
    return message("didYouMean", name=name) if 2 * edits <= max(len(word), len(name)) else None


# ---- Checks ----

INT32 = 2**31
UINT32 = 2**32 - 1


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def check_integer(where: str, value: Any, low: int, high: int) -> int:
    number = is_number(value)
    if number and isinstance(value, (int, np.integer)) and low <= value <= high:
        return int(value)
    make = range_error if number else type_error
    raise make("integerFrom", where=where, low=low, high=high, given=value)


def check_int32(where: str, value: Any) -> int:
    return check_integer(where, value, -INT32, INT32 - 1)


def check_finite(where: str, value: Any) -> float:
    """A number that is finite in float32 too."""
    if not is_number(value):
        raise type_error("number", where=where, given=value)
    with np.errstate(over="ignore"), suppress(OverflowError):
        if np.isfinite(np.float32(value)):
            return float(value)
    raise range_error("finite", where=where, given=value)


#: The smallest float32 above 0.
TINY = 2.0**-149


def check_real(where: str, value: Any, low: float, high: float) -> float:
    """A number in a range; from TINY on means above 0."""
    detail = "aboveZeroTo" if low == TINY else "numberFrom"
    check_rule(where, value, {"detail": detail, "low": low, "high": high})
    return float(value)


def check_bool(where: str, value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise type_error("boolean", where=where, given=value)


def check_word(where: str, value: Any, words: Sequence[str]) -> int:
    """The place of a word in a list of those that are allowed."""
    if isinstance(value, str) and value in words:
        return words.index(value)
    expected = ", ".join(f'"{word}"' for word in words)
    if not isinstance(value, str):
        raise type_error("word", where=where, words=expected, given=value)
    raise range_error("word", where=where, words=expected, given=value, hint=near(value, words))


def check_name(where: str, name: Any) -> bytes:
    if not isinstance(name, str):
        raise type_error("name", where=where, given=name)
    if "\0" in name:
        raise range_error("zeroCharacter", where=where)
    return name.encode("utf-8", "replace")


def check_text(where: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise type_error("text", where=where, given=value)


def check_model(where: str, model: Any) -> None:
    """Refuses what is no model."""
    from .model import Model  # models import this module

    if not isinstance(model, Model):
        raise type_error("model", where=where, given=model)


def check_list(where: str, value: Any, detail: str = "array") -> list[Any]:
    """The elements of a list, a tuple or an array; detail: the sentence for anything else."""
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        return list(value)
    raise type_error(detail, where=where, given=value)


def check_path(where: str, value: Any) -> Path:
    if not isinstance(value, (str, PathLike)) or not isinstance(path := fspath(value), str):
        raise type_error("path", where=where, given=value)
    try:
        fsencode(path)
    except UnicodeEncodeError:
        raise range_error("path", where=where, given=value) from None
    if "\0" in path:
        raise range_error("zeroCharacter", where=where)
    return Path(path)


def check_rule(where: str, value: Any, rule: Mapping[str, Any]) -> None:
    """Holds an option against what the build wrote down of it."""
    detail: str = rule["detail"]
    low: Any = rule.get("low")
    high: Any = rule.get("high")
    if detail == "boolean":
        check_bool(where, value)
    elif detail == "word":
        check_word(where, value, rule["words"])
    elif detail == "integerFrom":
        check_integer(where, value, low, high)
    elif detail == "finite":
        check_finite(where, value)
    elif detail in ("array", "twoNumbers"):
        if len(check_list(where, value, detail)) != 2 and detail == "twoNumbers":
            raise type_error(detail, where=where, given=value)
    elif not is_number(value):
        raise type_error("number", where=where, given=value)
    elif detail == "zeroOrFrom" and value == 0:
        return
    elif not low <= value <= high or (detail == "numberBelow" and np.float32(value) >= high):
        raise range_error(detail, where=where, low=low, high=high, given=value)


def check_mapping(where: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise type_error("options", where=where, given=value)


def check_options(where: str, options: Any, known: Iterable[str]) -> None:
    """Refuses what is no dict, and an option that nobody reads."""
    check_mapping(where, options)
    names = list(known)
    for key in options:
        if key not in names:
            raise type_error("unknownOption", where=where, key=key, hint=near(str(key), names))
