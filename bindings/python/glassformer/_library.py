"""The C library, with its structs and functions as src/glassformer.h declares them."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent

#: What the build made of the header, the sentences, the options and the examples.
DATA: dict[str, Any] = json.loads((_HERE / "data.json").read_text(encoding="utf-8"))
CONSTANTS: dict[str, int] = DATA["constants"]
NONE = CONSTANTS["GF_NONE"]
LAST = CONSTANTS["GF_LAST"]
#: What a loss passes over.
IGNORE = CONSTANTS["GF_IGNORE"]

_TYPES: dict[str, Any] = {
    "void": None,
    "int": ctypes.c_int,
    "int8_t": ctypes.c_int8,
    "int16_t": ctypes.c_int16,
    "int32_t": ctypes.c_int32,
    "uint8_t": ctypes.c_uint8,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "char": ctypes.c_char,
    "text": ctypes.c_char_p,
    "const char *": ctypes.c_char_p,
    "pointer": ctypes.c_void_p,
}


def _field(name: str, kind: str, *sizes: int) -> tuple[str, Any]:
    if kind in _TYPES:
        made = _TYPES[kind]
    elif kind.endswith("*"):
        pointed = STRUCTS.get(kind.removeprefix("const ").rstrip(" *"))
        made = ctypes.POINTER(pointed) if pointed else ctypes.c_void_p
    else:
        made = STRUCTS[kind]
    for size in reversed(sizes):
        made = made * size
    return name, made


#: By their names in C.
STRUCTS: dict[str, Any] = {}
for _name, _fields in DATA["structs"].items():
    _made = {"_fields_": [_field(*field) for field in _fields]}
    STRUCTS[_name] = type(_name, (ctypes.Structure,), _made)

lib: Any = ctypes.CDLL(str(_HERE / "libglassformer.so"))
for _name, (_result, *_arguments) in DATA["functions"].items():
    _function = getattr(lib, _name)
    _function.restype = _TYPES[_result]
    _function.argtypes = [_TYPES.get(argument) or STRUCTS[argument] for argument in _arguments]


def integers(*values: int) -> Any:
    """An int32 array of C."""
    return (ctypes.c_int32 * len(values))(*values)


def text(words: bytes | None) -> str:
    return words.decode() if words else ""
