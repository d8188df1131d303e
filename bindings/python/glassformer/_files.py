"""Files of models: our own, safetensors with the config inside, and those of others.

Whichever it is, a file has a `config`, the `step` of its training, `labels` of classes, what of it may stay
`stored`, and `fill`, which writes the other numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _tokenizer
from ._checkpoints import Checkpoint, ShapesOf
from ._gguf import of_gguf, read_gguf
from ._llama2c import MAGIC as LLAMA2C
from ._llama2c import of_llama2c
from ._safetensors import read_tensors, write_tensors
from ._stored import Stored, StoredMatrix
from ._vocabulary import VocabularyTokenizer
from .config import SNAKES, Config, check_config
from .errors import check_path, not_opened, refusal, type_error, within_file

_FORMAT = "glassformer"
_VOCABULARY = "vocabulary"
_CONFIG = "config.json"
_TOKENIZER, _GENERATION = "tokenizer.json", "generation_config.json"
_SETTINGS, _TEMPLATE = "tokenizer_config.json", "chat_template.jinja"
_POOLING, _MODULES, _SENTENCES = "1_Pooling/config.json", "modules.json", "sentence_bert_config.json"
#: What `embed` calls the poolings of sentence-transformers, and the modules whose work it does.
_POOLINGS = {"cls_token": "first", "mean_tokens": "mean", "lasttoken": "last"}
_DONE = ("Transformer", "Pooling", "Normalize")
_WEIGHTS, _INDEX = "model.safetensors", "model.safetensors.index.json"
#: How pickles begin: a zip file, or one of the protocols 2 to 5.
_PICKLES = (b"PK\3\4", *(bytes([0x80, protocol]) for protocol in (2, 3, 4, 5)))
#: What llama2.c's first number is below.
_MAX_WIDTH = 2**20
#: The step after it has a number of 32 bits, too.
_MAX_STEP = 2**31 - 2


def blocks_at(step: int) -> list[str]:
    """What a file holds of each parameter: after training also Adam's moments."""
    return ["values", *(["m", "v"] if step else [])]


def name_in(block: str, name: str) -> str:
    """What a file calls a parameter's numbers of one block."""
    return name if block == "values" else f"{block}.{name}"


# ---- Our own ----


def write(tensors: Mapping[str, NDArray[np.float32]], config: Mapping[str, Any], step: int | None) -> bytes:
    """A model; step: of a training that can go on."""
    notes = {"format": _FORMAT, "config": json.dumps(config, separators=(",", ":"))}
    return write_tensors(tensors, notes if step is None else {**notes, "step": str(step)})


class Saved:
    """What Glassformer wrote: tensors, the settings in the notes, and the step of a training."""

    def __init__(self, part: str, tensors: dict[str, Stored], notes: Mapping[str, str]) -> None:
        self._part = part
        self._tensors = tensors
        step = notes.get("step", "0")
        if not step.isascii() or not step.isdigit() or int(step) > _MAX_STEP:
            raise self._wrong("integerFrom", where="step", low=0, high=_MAX_STEP, given=step)
        self.step = int(step)
        self.settings: Any = _json(part, "config", notes.get("config", ""))
        if not isinstance(self.settings, dict):
            raise self._wrong("options", where="config", given=self.settings)

    def _wrong(self, detail: str, **params: Any) -> Exception:
        return refusal(self._part, detail, **params)

    def fill(
        self, blocks: Callable[[str, str], NDArray[np.float32]], shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        """Writes all numbers: blocks(block, name) are a parameter's."""
        names = [(block, name) for block in blocks_at(self.step) for name in shapes]
        for block, name in names:
            saved = name_in(block, name)
            title, shape = f'the tensor "{saved}"', shapes[name]
            tensor = self._tensors.get(saved)
            if tensor is None:
                raise self._wrong("tensorMissing", name=saved, wanted=len(names), n=len(self._tensors))
            if tensor.shape != shape:
                raise self._wrong("shapeAs", where=title, expected=shape, shape=tensor.shape)
            numbers = tensor.numbers()
            if numbers.dtype != np.float32:
                raise self._wrong("floatsOf", where=title, n=tensor.size, given=numbers)
            blocks(block, name)[...] = numbers
        due = {name_in(block, name) for block, name in names}
        for name in self._tensors:
            if name not in due:
                raise self._wrong("tensorExtra", value=name)


class _Own(Saved):
    """A model, held against its own config."""

    labels = None

    def __init__(self, tensors: dict[str, Stored], notes: Mapping[str, str], shapes_of: ShapesOf) -> None:
        super().__init__("model", tensors, notes)
        with within_file("model"):
            snakes = {SNAKES.get(key, str(key)): value for key, value in self.settings.items()}
            self.config: Config = check_config("config", snakes)
        self._shapes = shapes_of(self.config)

    def stored(self) -> dict[str, StoredMatrix]:
        """All of it is float32."""
        return {}

    def fill(self, blocks: Callable[[str, str], NDArray[np.float32]], stored: Mapping[str, Any]) -> None:
        super().fill(blocks, self._shapes)


def read_adapters(file: str | Path | bytes) -> Saved:
    """Adapters of low rank."""
    data = np.frombuffer(file, np.uint8) if isinstance(file, bytes) else _bytes(check_path("open_lora", file))
    tensors, notes = read_tensors(data)
    if notes.get("format") != _FORMAT:
        raise refusal("adapter", "notOfLora")
    return Saved("adapter", tensors, notes)


# ---- Any ----


def _json(part: str, where: str | None, text: str) -> Any:
    try:
        return json.loads(text, parse_float=_number, parse_int=_number, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise refusal(part, "json", where=where, given=text, reason=error) from None


def _number(text: str) -> int | float:
    """As JavaScript has it: 1.0 is an integer, and beyond 2^53 there are none."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _bytes(file: str | Path) -> NDArray[np.uint8]:
    try:
        empty = Path(file).stat().st_size == 0
        return np.empty(0, np.uint8) if empty else np.memmap(file, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise not_opened(file, error) from None


def _object(path: Path) -> dict[str, Any]:
    """What a file of JSON beside the weights says."""
    given = _json(path.name, None, _bytes(path).tobytes().decode("utf-8", "replace"))
    if isinstance(given, dict):
        return given
    raise refusal(path.name, "object", given=given)


def _parts(index: Path) -> list[Path]:
    """The files that an index names, in its folder."""
    names = _object(index).get("weight_map")
    if not isinstance(names, dict):
        raise refusal(_INDEX, "object", where="weight_map", given=names)
    for name in names.values():
        if not isinstance(name, str) or not re.fullmatch(r"[\w-][\w.-]*\.safetensors", name, re.ASCII):
            raise refusal(_INDEX, "shardName", value=name)
    return [index.with_name(name) for name in dict.fromkeys(names.values())]


def _check_part(name: str) -> None:
    """Refuses one part of several, by its name."""
    if not (found := re.fullmatch(r".*-(\d{5})-of-(\d{5})\.(gguf|safetensors)", name, re.DOTALL)):
        return
    count, kind = int(found[2]), found[3]
    if count > 1:
        detail = "partOfGguf" if kind == "gguf" else "partOfTensors"
        raise refusal(name, detail, n=int(found[1]), count=count, file=_INDEX)


def _container(data: NDArray[np.uint8], name: str) -> str:
    begin = data[:16].tobytes()
    if begin.startswith(b"GGUF"):
        return "gguf"
    if begin.startswith(_PICKLES):
        raise refusal(name, "pickle")
    if len(begin) < 16 or begin[8:9] == b"{":
        return "safetensors"
    first = int.from_bytes(begin[:4], "little")
    if first == LLAMA2C or 0 < first < _MAX_WIDTH:
        return "llama2.c"
    raise refusal(name, "unknownFile", given=begin.decode("latin-1"))


def _embedding(path: Path, max_length: int) -> dict[str, Any] | None:
    """How sentence-transformers makes the vectors of a model: pooling, and the most tokens of a text."""
    pooling, modules, sentences = (path.parent / name for name in (_POOLING, _MODULES, _SENTENCES))
    if not pooling.exists():
        return None
    begin = "pooling_mode_"
    modes = [
        key.removeprefix(begin)
        for key, on in _object(pooling).items()
        if key.startswith(begin) and on is True
    ]
    listed = _json(_MODULES, None, modules.read_text("utf-8")) if modules.exists() else []
    if not isinstance(listed, list):
        raise refusal(_MODULES, "array", given=listed)
    kinds = [str(one.get("type")).rpartition(".")[2] if isinstance(one, dict) else str(one) for one in listed]
    said = _object(sentences) if sentences.exists() else {}
    others = [kind for kind in kinds if kind not in _DONE] + (
        ["do_lower_case"] if said.get("do_lower_case") else []
    )
    most = said.get("max_seq_length")
    return {
        "pooling": " + ".join([_POOLINGS.get(mode, mode) for mode in modes] + others) or "none",
        "max_length": min(most, max_length) if isinstance(most, int) and most > 1 else max_length,
    }


class Opened(NamedTuple):
    """What a file holds, and its tokenizer, or what opens it: a package that it needs may be missing."""

    file: _Own | Checkpoint
    tokenizer: _tokenizer.Tokenizer | Callable[[], _tokenizer.Tokenizer] | None = None
    chat_template: str | None = None
    embedding: dict[str, Any] | None = None


def _gguf(data: NDArray[np.uint8], shapes_of: ShapesOf) -> Opened:
    metadata, stored = read_gguf(data)
    checkpoint = Checkpoint(*of_gguf(metadata, stored), shapes_of, "gguf")
    listed, template = _tokenizer.of_gguf(metadata), metadata.get("tokenizer.chat_template")
    chat = template if isinstance(template, str) else None
    return Opened(checkpoint, listed, chat)


def _llama2c(data: NDArray[np.uint8], tokenizer: Path | None, shapes_of: ShapesOf) -> Opened:
    checkpoint = Checkpoint(*of_llama2c(data), shapes_of, "llama2.c")
    if tokenizer is None:
        return Opened(checkpoint)
    listed = _tokenizer.of_llama2c(_bytes(tokenizer), checkpoint.config["vocab"])
    return Opened(checkpoint, listed)


def _safetensors(
    files: list[NDArray[np.uint8]],
    config: Any,
    tokenizer: Path | None,
    path: Path | None,
    shapes_of: ShapesOf,
) -> Opened:
    tensors, notes = read_tensors(files[0])
    beside = path and path.with_name(_TOKENIZER)
    vocabulary = tokenizer or (beside if beside and beside.exists() else None)

    def opened(file: _Own | Checkpoint, ends: Sequence[int] = ()) -> Opened:
        if vocabulary is None:
            return Opened(file)
        generation, chat, template = (
            vocabulary.parent / name for name in (_GENERATION, _SETTINGS, _TEMPLATE)
        )
        said = _tokenizer.ends_of(_GENERATION, _object(generation)) if generation.exists() else []
        settings = _object(chat) if chat.exists() else {}
        made = partial(_tokenizer.JsonTokenizer, vocabulary, [*ends, *said], settings)
        # A file of its own takes the place of the setting, as in transformers.
        apart = _bytes(template).tobytes().decode("utf-8", "replace") if template.exists() else None
        return Opened(file, made, apart or _tokenizer.template_of(settings))

    if notes.get("format") == _FORMAT:
        saved = _Own(tensors, notes, shapes_of)
        made = opened(saved)
        if made.tokenizer or _VOCABULARY not in notes:
            return made
        said = _json(_VOCABULARY, None, notes[_VOCABULARY])
        return made._replace(tokenizer=VocabularyTokenizer(said, saved.config))
    for file in files[1:]:
        for name, tensor in read_tensors(file)[0].items():
            if name in tensors:
                raise refusal("file", "nameTwice", where=name)
            tensors[name] = tensor
    if tokenizer:
        # Opened when it is asked for: a path that leads nowhere is told now.
        _bytes(tokenizer)
    if config is None and path:
        config = _object(path.with_name(_CONFIG))
    if not isinstance(config, Mapping):
        raise refusal(_CONFIG, "object", given=config)
    checkpoint = Checkpoint(config, tensors, shapes_of)
    embedding = _embedding(path, checkpoint.config["max_length"]) if path else None
    return opened(checkpoint, _tokenizer.ends_of(_CONFIG, config))._replace(embedding=embedding)


def read(file: str | Path | bytes, config: Any, tokenizer: str | Path | None, shapes_of: ShapesOf) -> Opened:
    """A path, or the bytes, which are not copied; config and tokenizer: in place of the files beside them."""
    path = None
    if isinstance(file, (str, PathLike)):
        path = check_path("open", file)
        if path.is_dir():
            weights, index = path / _WEIGHTS, path / _INDEX
            path = index if index.exists() and not weights.exists() else weights
        files = [_bytes(one) for one in (_parts(path) if path.name.endswith(".index.json") else [path])]
    elif isinstance(file, (bytes, bytearray, memoryview)):
        files = [np.frombuffer(file, np.uint8)]
    else:
        raise type_error("bytes", where="open", given=file)
    vocabulary = None if tokenizer is None else check_path("open: tokenizer", tokenizer)
    if path and len(files) == 1:
        _check_part(path.name)
    container = _container(files[0], path.name if path else "file")
    if container == "gguf":
        return _gguf(files[0], shapes_of)
    if container == "llama2.c":
        return _llama2c(files[0], vocabulary, shapes_of)
    return _safetensors(files, config, vocabulary, path, shapes_of)
