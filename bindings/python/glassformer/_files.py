"""Models as files: safetensors with the parameters by PyTorch's names, and the config beside them.

https://github.com/huggingface/safetensors
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._values import Numbers
from .config import SNAKES, Config, check_config
from .errors import ArgumentRangeError, ArgumentTypeError, failure, refusal, type_error

_PREFIX = 8
_MAX_HEADER = 100_000_000
_METADATA = "__metadata__"
_FORMAT = "glassformer"
_FIELDS = ("dtype", "shape", "data_offsets")
#: bfloat16 is the upper half of a float32, for which numpy has no type.
_DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "U64": "<u8",
    "I32": "<i4",
    "U32": "<u4",
    "I16": "<i2",
    "U16": "<u2",
    "I8": "i1",
    "U8": "u1",
    "BOOL": "u1",
}
#: The step after it has a number of 32 bits, too.
_MAX_STEP = 2**31 - 2


def blocks_at(step: int) -> list[str]:
    """What a file holds of each parameter: after training also Adam's moments."""
    return ["values", *(["m", "v"] if step else [])]


def name_in(block: str, name: str) -> str:
    """What a file calls a parameter's numbers of one block."""
    return name if block == "values" else f"{block}.{name}"


# ---- safetensors ----


def _title(name: str) -> str:
    return f"tensor {json.dumps(name[:100], ensure_ascii=False)}"


def _refuse(detail: str, **params: Any) -> Exception:
    return refusal("safetensors", detail, **params)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key comes twice."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _refuse("keyTwice", where="header", value=key)
        made[key] = value
    return made


def _header(data: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    """The header as JSON, and where the numbers begin."""
    if len(data) < _PREFIX:
        raise _refuse("tooShort", n=_PREFIX, given=len(data))
    length = int.from_bytes(data[:_PREFIX].tobytes(), "little")
    if length > _MAX_HEADER:
        raise _refuse("headerTooLong", length=length, most=_MAX_HEADER)
    if _PREFIX + length > len(data):
        raise _refuse("headerBeyond", length=length, rest=len(data) - _PREFIX)
    try:
        text = data[_PREFIX : _PREFIX + length].tobytes().decode()
    except UnicodeDecodeError:
        raise _refuse("headerUtf8") from None
    try:
        header = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _refuse("json", where="header", given=text, reason=error) from None
    if not isinstance(header, dict):
        raise _refuse("jsonAt", where="header", expected='"{"', at=0, given=text)
    return header, _PREFIX + length


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _tensor(name: str, entry: Any, data: NDArray[np.uint8]) -> tuple[int, int, Numbers]:
    """Where a tensor lies, and its numbers: a view of the file where they can be used as they lie."""
    title = _title(name)
    if not isinstance(entry, dict) or not all(key in entry for key in _FIELDS):
        raise _refuse("fieldsDue", where=title, expected=", ".join(_FIELDS))
    for key in entry:
        if key not in _FIELDS:
            raise _refuse("keyUnknown", where=title, value=key, expected=", ".join(_FIELDS))
    dtype, shape, offsets = (entry[key] for key in _FIELDS)
    if dtype not in _DTYPES:
        raise _refuse("word", where=f"{title}: dtype", words=", ".join(_DTYPES), given=dtype)
    for key, sizes in (("shape", shape), ("data_offsets", offsets)):
        if not isinstance(sizes, list) or not all(map(_is_size, sizes)):
            raise _refuse("fieldsDue", where=f"{title}: {key}", expected=", ".join(_FIELDS))
    if len(offsets) != 2:
        raise _refuse("fieldsDue", where=title, expected=", ".join(_FIELDS))
    begin, end = offsets
    size = np.dtype(_DTYPES[dtype]).itemsize * math.prod(shape)
    if end - begin != size:
        said = {"dtype": dtype, "shape": shape, "bytes": size, "offsets": offsets}
        raise _refuse("offsetsUnfit", where=title, **said)
    if end > len(data):
        raise _refuse("beyondEnd", where=title, at=end, size=len(data))
    numbers = np.frombuffer(data, np.uint8)[begin:end].view(_DTYPES[dtype])
    if dtype == "BF16":
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    elif numbers.dtype.kind == "f":
        numbers = numbers.astype(np.float32, copy=False)
    else:
        wide = numbers
        numbers = numbers.astype(np.int32, copy=False)
        if wide is not numbers and (numbers != wide).any():
            at = int(np.argmax(numbers != wide))
            raise _refuse("beyond32", where=title, at=at, number=int(wide[at]))
    return begin, end, numbers.reshape(shape)


def read_tensors(data: NDArray[np.uint8]) -> tuple[dict[str, Numbers], dict[str, str]]:
    """The tensors of a file, and its metadata. Every byte belongs to one of them."""
    header, start = _header(data)
    notes = header.pop(_METADATA, {})
    if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
        raise _refuse("object", where=_METADATA, given=notes)
    found = {name: _tensor(name, entry, data[start:]) for name, entry in header.items()}
    at = 0
    for name, (begin, end, _) in sorted(found.items(), key=lambda one: one[1][:2]):
        if begin < at:
            raise _refuse("overlaps", where=_title(name), at=begin)
        if begin > at:
            raise _refuse("hole", where=_title(name), at=begin, **{"from": at})
        at = end
    if start + at < len(data):
        raise _refuse("trailing", n=len(data) - start - at)
    return {name: numbers for name, (_, _, numbers) in found.items()}, notes


def write_tensors(tensors: Mapping[str, NDArray[np.float32]], metadata: Mapping[str, str]) -> bytes:
    """float32 tensors, sorted by name: equal tensors give equal bytes."""
    header: dict[str, Any] = {_METADATA: dict(sorted(metadata.items()))}
    names = sorted(tensors)
    end = 0
    for name in names:
        begin, end = end, end + tensors[name].nbytes
        shape = list(tensors[name].shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    # Spaces up to a multiple of 8 keep the numbers aligned.
    text += b" " * (-len(text) % 8)
    parts: Iterable[bytes] = (tensors[name].astype("<f4", copy=False).tobytes() for name in names)
    return b"".join([len(text).to_bytes(_PREFIX, "little"), text, *parts])


# ---- Models ----


def write(tensors: Mapping[str, NDArray[np.float32]], config: Mapping[str, Any], step: int | None) -> bytes:
    """A model; step: of a training that can go on."""
    notes = {"format": _FORMAT, "config": json.dumps(config)}
    return write_tensors(tensors, notes if step is None else {**notes, "step": str(step)})


class File:
    """A model that was read, held against its own config."""

    def __init__(self, config: Config, step: int, tensors: dict[str, Numbers]) -> None:
        self.config = config
        self.step = step
        self._tensors = tensors
        self._taken: set[str] = set()
        #: How many tensors the config asks for.
        self.wanted = 0

    def take(self, block: str, name: str, shape: tuple[int, ...]) -> Numbers:
        """The numbers of one parameter."""
        own = name_in(block, name)
        title = f'the tensor "{own}"'
        tensor = self._tensors.get(own)
        if tensor is None:
            n, wanted = len(self._tensors), self.wanted
            raise _wrong("tensorMissing", name=own, wanted=wanted, n=n)
        if tensor.shape != shape:
            raise _wrong("shapeAs", where=title, expected=shape, shape=tensor.shape)
        if tensor.dtype != np.float32:
            raise _wrong("floatsOf", where=title, n=tensor.size, given=tensor)
        self._taken.add(own)
        return tensor

    def check_all_taken(self) -> None:
        """Refuses a file that has more than its config asks for."""
        for name in self._tensors:
            if name not in self._taken:
                raise _wrong("tensorExtra", value=name)


def _wrong(detail: str, **params: Any) -> Exception:
    return refusal("model", detail, **params)


def read(file: str | Path | bytes) -> File:
    """A file of model.save(): a path, or the bytes, whose numbers are not copied."""
    if isinstance(file, (str, Path)):
        if Path(file).is_dir():
            raise refusal("folder", "toConvert", name=str(file))
        try:
            data = np.memmap(file, np.uint8, "r") if Path(file).stat().st_size else b""
        except OSError as error:
            raise failure("GF_EFILE", "notOpened", where=str(file), reason=error) from None
    elif isinstance(file, (bytes, bytearray, memoryview)):
        data = file
    else:
        raise type_error("bytes", where="open", given=file)
    name = str(file) if isinstance(file, (str, Path)) else "FILE"
    if bytes(data[:4]) == b"GGUF":
        raise refusal("GGUF", "toConvert", name=name)
    tensors, notes = read_tensors(np.frombuffer(data, np.uint8))
    if notes.get("format") == "pt":
        raise refusal("safetensors", "toConvert", name=str(Path(name).parent))
    if notes.get("format") != _FORMAT:
        raise _wrong("notOurs", given=notes.get("format"))
    step = notes.get("step", "0")
    if not step.isascii() or not step.isdigit() or int(step) > _MAX_STEP:
        raise _wrong("integerFrom", where="step", low=0, high=_MAX_STEP, given=step)
    text = notes.get("config", "")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong("json", where="config", given=text, reason=error) from None
    if not isinstance(given, dict):
        raise _wrong("options", where="config", given=given)
    try:
        config = check_config("config", {SNAKES.get(key, str(key)): value for key, value in given.items()})
    except (ArgumentTypeError, ArgumentRangeError) as error:
        raise _wrong(error.detail, **error.params) from None
    return File(config, int(step), tensors)
