"""Checkpoints of others: a config.json and named tensors, by the tables of their families, see _families."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._families import FAMILIES, NEUTRAL, Family, File, rows_of, same, values_of
from ._stored import FLOATS, Stored, StoredMatrix
from .config import CAMELS, RULES, SNAKES, VARIANT, Config, check_conflicts
from .errors import check_rule, check_word, message, range_error, refusal, shown, within_file
from .functional import position

_CONFIG = "config.json"
_QKV = ("q", "k", "v")
#: Rows of positions up to that of the padding token, 1.
_PADDING_ROWS = 2
#: How many keys a message names of each kind.
_MOST = 10
#: A config may ask for so many parameters in any case, and for so many of each tensor of the file.
_FREE, _SHARED = 256, 8
#: bfloat16 is off by half of this; another kind of sinusoids by far more.
_TOLERANCE = 2**-8

Shapes = Mapping[str, tuple[int, ...]]
#: Parameters, by name, of a config.
ShapesOf = Callable[[Config], Shapes]


def _family(config: Mapping[str, Any]) -> Family:
    kind = config.get("model_type")
    for family in FAMILIES.values():
        if isinstance(kind, str) and kind in family["types"]:
            return family
    words = ", ".join(kind for family in FAMILIES.values() for kind in family["types"])
    raise refusal(_CONFIG, "word", where="model_type", words=words, given=kind)


def _in_gguf(family: Family) -> Family:
    """A family's table for its tensors in a GGUF.

    Weights are [out, in], and all heads' queries come before their keys and values.
    """
    rows = []
    for ours, theirs, how, *when in family["rows"]:
        linear = how == "by-head" or (not how and re.search(r"\.(self_attn|linear\d)\b", ours))
        rows.append([ours, theirs, "transposed" if linear and "_norm." not in ours else how, *when])
    return {**family, "rows": rows}


def _unlike_sinusoids(file: File, name: str, width: int) -> tuple[str, Stored] | None:
    """Positions that are ignored, since they are computed, though they are others."""
    found = file.find(name)
    if not found:
        return None
    numbers = found[1].numbers().reshape(-1, width)
    due = position(np.arange(len(numbers)), channels=width, halves=True)
    return None if (np.abs(numbers - due) <= _TOLERANCE).all() else found


# ---- Settings ----


def _said(config: Mapping[str, Any]) -> dict[str, Any]:
    """What is said at all, with the members of objects as "object.member"; None says nothing."""
    all_of: dict[str, Any] = {}
    for key, value in config.items():
        all_of[key] = value
        if isinstance(value, Mapping):
            all_of |= {f"{key}.{name}": member for name, member in value.items()}
    return {key: value for key, value in all_of.items() if value is not None}


def described(value: Any) -> Any:
    """A value of config.json as a message shows it: objects one level deep."""
    if value is None:
        return message("nothing")
    if not isinstance(value, Mapping):
        return shown(value)
    members = ", ".join(f"{key}: {shown(member)}" for key, member in value.items())
    return f"{{ {members[:100]} }}"


def _parts(setting: Any) -> tuple[str, Mapping[str, str] | None, int]:
    """The key of a setting; the words that config.json has for ours; how much larger its number is."""
    if isinstance(setting, str):
        return setting, None, 0
    return setting["key"], setting.get("names"), setting.get("offset", 0)


def _check_demands(family: Family, own: Mapping[str, Any], given: Mapping[str, Any], part: str) -> None:
    for key, value in values_of(family, "demands", given).items():
        if key not in own or same(own[key], value):
            continue
        if not isinstance(value, list):
            said = {"expected": described(value), "described": described(own[key])}
            raise refusal(part, "valueAs", where=key, **said)
        if not any(same(own[key], one) for one in value):
            words = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in value)
            raise refusal(part, "wordAs", where=key, words=words, described=described(own[key]))


def _read_setting(part: str, field: str, setting: Any, given: Mapping[str, Any]) -> Any:
    key, names, offset = _parts(setting)
    value = given.get(key)
    if names is None:
        if value is None:
            raise refusal(part, "missing", name=key)
        with within_file(part):
            check_rule(key, value, (RULES | VARIANT)[SNAKES[field]])
        return value - offset if offset else value
    if isinstance(value, str) and value in names:
        return names[value]
    raise refusal(part, "wordAs", where=key, words=", ".join(names), described=described(value))


def _divided(config: Config) -> Config:
    """A config as wide as what its heads rotate, if their sizes are their own; or one that is refused."""
    size = config.get("head_size", config["d_model"] / config["heads"])
    rotated = config.get("rotary_size", size)
    return {**config, "d_model": int(config["heads"] * rotated)} if size % 1 == 0 else config


def _settings(family: Family, config: Mapping[str, Any], file: File, part: str) -> Config:
    """Our options, by what a config.json says."""
    own = _said(config)
    given = {**values_of(family, "defaults", own), **own}
    # First each by itself: what others must be is said by those that are right.
    model: dict[str, Any] = dict(NEUTRAL)
    for field, setting in family["settings"].items():
        model[field] = _read_setting(part, field, setting, given)
    _check_demands(family, own, given, part)
    model |= values_of(family, "read", given, file)
    model |= values_of(family, "fixed", model)
    made = {SNAKES[field]: value for field, value in model.items() if value is not None}
    for field, rule in VARIANT.items():
        if field in made:
            with within_file(part):
                check_rule(CAMELS[field], made[field], rule)
    called = {SNAKES[field]: _parts(setting)[0] for field, setting in family["settings"].items()}
    with within_file(part):
        check_conflicts("", _divided(made), lambda field: called.get(field, field))
    plain = {key: made[key] for key in RULES if key in made}
    besides = {key: made[key] for key in VARIANT if made.get(key)}
    return {**plain, **besides, "seed": 0, "remove": ()}


# ---- Which tensor is which parameter ----


@dataclass
class _Entry:
    """A tensor of the file, and which of ours it is: several lie side by side."""

    ours: list[str]
    theirs: list[str]
    shapes: list[tuple[int, ...]]
    #: How the file's tensor differs from ours, see table.js.
    how: str | None
    heads: int

    @property
    def transposed(self) -> bool:
        return self.how in ("transposed", "by-head")

    @property
    def shape(self) -> tuple[int, ...]:
        """In the file."""
        joined = (*self.shapes[0][:-1], sum(shape[-1] for shape in self.shapes))
        if self.how == "row":
            return (1, *joined)
        if self.how == "behind-padding":
            return (joined[0] + _PADDING_ROWS, joined[1])
        return joined[::-1] if self.transposed else joined

    def parts(self, tensor: Stored) -> list[NDArray[np.float32]]:
        """Our parameters' numbers."""
        numbers = tensor.numbers()
        if self.how == "by-head":
            # Each head's queries, keys and values follow each other.
            heads = numbers.reshape(self.heads, len(self.ours), -1, *numbers.shape[1:])
            numbers = np.swapaxes(heads, 0, 1).reshape(numbers.shape)
        if self.how == "row":
            numbers = numbers[0]
        if self.how == "behind-padding":
            numbers = numbers[_PADDING_ROWS:]
        if self.transposed:
            numbers = numbers.T
        ends = np.cumsum([shape[-1] for shape in self.shapes])[:-1]
        return np.split(numbers, ends, axis=-1)

    def joined(self, parts: list[NDArray[np.float32]]) -> NDArray[np.float32]:
        """The file's tensor, of our parameters' numbers."""
        numbers = np.concatenate(parts, axis=-1)
        if self.transposed:
            numbers = numbers.T
        if self.how == "behind-padding":
            numbers = np.concatenate([np.zeros_like(numbers[:_PADDING_ROWS]), numbers])
        if self.how == "by-head":
            heads = numbers.reshape(len(self.ours), self.heads, -1, *numbers.shape[1:])
            numbers = np.swapaxes(heads, 0, 1)
        return np.ascontiguousarray(numbers).reshape(self.shape)


def _expanded(rows: Iterable[list[Any]], word: str, values: Iterable[str]) -> list[list[Any]]:
    mark = f"{{{word}}}"
    values = list(values)
    made: list[list[Any]] = []
    for ours, theirs, how in rows:
        if mark not in ours:
            made.append([ours, theirs, how])
            continue
        for value in values:
            made.append(
                [ours.replace(mark, value, 1), [name.replace(mark, value, 1) for name in theirs], how]
            )
    return made


def _entries(family: Family, config: Config, shapes: Shapes) -> list[_Entry]:
    """The tensors that the file of a model has."""
    rows: list[list[Any]] = [row[:3] for row in rows_of(family, _camel(config))]
    layers = max(config["layers"], config["decoder_layers"])
    rows = _expanded(rows, "side", ("encoder", "decoder"))
    rows = _expanded(rows, "i", map(str, range(layers)))
    rows = _expanded(_expanded(rows, "x", _QKV), "p", ("weight", "bias"))
    entries: list[_Entry] = []
    for name, theirs, how in rows:
        ours = [part for part, *_ in _expanded([[name, [], None]], "qkv", _QKV) if part in shapes]
        if ours:
            entries.append(_Entry(ours, theirs, [shapes[one] for one in ours], how, config["heads"]))
    # A tensor that this model has on its own is no other name of another one.
    first = {entry.theirs[0] for entry in entries}
    for entry in entries:
        entry.theirs = [entry.theirs[0], *(name for name in entry.theirs[1:] if name not in first)]
    return entries


def _camel(config: Config) -> dict[str, Any]:
    return {CAMELS[key]: value for key, value in config.items()}


# ---- Held against each other ----


def _shown(key: str, shape: Iterable[int]) -> str:
    return f"{json.dumps(key[:100], ensure_ascii=False)} [{','.join(map(str, shape))}]"


def _extent(config: Config, shapes_of: ShapesOf) -> int:
    """How many parameters a config asks for, before they are named: a layer has as many as the one before."""
    stacks = [key for key in ("layers", "decoder_layers") if config[key]]
    few = {**config, **dict.fromkeys(stacks, 1)}
    first = len(shapes_of(few))
    return first + sum((config[key] - 1) * (len(shapes_of({**few, key: 2})) - first) for key in stacks)


class _Problems(dict[str, list[str]]):
    """Keys that do not fit, by what is wrong with them."""

    def add(self, wrong: str, key: str) -> None:
        self.setdefault(wrong, []).append(key)

    def check(self, part: str) -> None:
        if not self:
            return
        told = []
        for wrong, every in self.items():
            text: Any = ", ".join(every[:_MOST])
            more = len(every) - _MOST
            keys = message("andMore", text=text, n=more) if more > 0 else text
            told.append(message(wrong, n=len(every), keys=keys))
        raise refusal(part, "keysUnfit", problems=told)


def _storable(entry: _Entry, found: list[tuple[str, Stored]]) -> bool:
    """Whether a parameter can stay as its file stores it: the matrix of a linear layer, or the embedding."""
    single = len(entry.ours) == 1 and len(entry.shapes[0]) == 2 and len(found) == 1
    fits = entry.transposed or entry.ours[0] == "embedding.weight"
    return single and fits and found[0][1].fits_core


class Checkpoint:
    """A model of others, held against its config."""

    step = 0

    def __init__(
        self,
        config: Mapping[str, Any],
        tensors: Mapping[str, Stored],
        shapes_of: ShapesOf,
        part: str = _CONFIG,
    ) -> None:
        known = _family(config)
        family = _in_gguf(known) if part == "gguf" else known
        file = File(family, tensors)
        self.config = _settings(family, config, file, part)
        names = config.get("id2label")
        names = names if isinstance(names, Mapping) else {}
        classes = range(self.config.get("classes", 0))
        #: What config.json calls the classes.
        self.labels = [str(names.get(str(i), i)) for i in classes] or None
        name = family["types"][0]
        asked = _extent(self.config, shapes_of)
        if asked > _FREE + _SHARED * len(tensors):
            raise refusal(name, "fewTensors", tensors=asked, n=len(tensors))
        shapes = shapes_of(self.config)
        problems = _Problems()
        self._taken: list[tuple[_Entry, list[tuple[str, Stored]]]] = []
        for entry in _entries(family, self.config, shapes):
            self._take(file, entry, problems)
        for key, tensor in file.rest:
            problems.add("keysExtra", _shown(key, tensor.shape))
        for key, tensor in file.doubles:
            problems.add("keysTwice", _shown(key, tensor.shape))
        for place in family["sinusoids"]:
            if found := _unlike_sinusoids(file, place, self.config["d_model"]):
                problems.add("keysUnlike", _shown(found[0], found[1].shape))
        problems.check(name)

    def _take(self, file: File, entry: _Entry, problems: _Problems) -> None:
        """Takes the tensor of an entry out of the file, with the others that must be equal to it."""
        found = [one for name in entry.theirs if (one := file.take(name))]
        if not found:
            problems.add("keysMissing", _shown(file.called(entry.theirs[0]), entry.shape))
            return
        key, tensor = found[0]
        for other, twin in found[1:]:
            if twin.shape != tensor.shape:
                problems.add("keysTwins", f'{_shown(other, twin.shape)} ≠ "{key}"')
        if tensor.shape != entry.shape:
            due = ",".join(map(str, entry.shape))
            problems.add("keysShaped", f"{_shown(key, tensor.shape)} ≠ [{due}]")
        elif tensor.dtype not in FLOATS:
            problems.add("keysTyped", f'"{key}" {tensor.dtype}')
        else:
            self._taken.append((entry, found))

    def stored(self) -> dict[str, StoredMatrix]:
        """What of it can stay as it is stored, by the names of our parameters."""
        return {
            entry.ours[0]: StoredMatrix(found[0][1], along=0 if entry.transposed else 1)
            for entry, found in self._taken
            if _storable(entry, found)
        }

    def fill(
        self, blocks: Callable[[str, str], NDArray[np.float32]], stored: Mapping[str, StoredMatrix]
    ) -> None:
        """Writes all numbers but those that stay stored: blocks(block, name) are a parameter's."""
        for entry, found in self._taken:
            if entry.ours[0] in stored:
                continue
            parts = entry.parts(found[0][1])
            for name, part in zip(entry.ours, parts, strict=True):
                blocks("values", name)[...] = part
            for key, twin in found[1:]:
                if not np.array_equal(entry.parts(twin)[0], parts[0]):
                    raise refusal("file", "twinUnlike", **{"value": key})


# ---- Written ----


def _written_setting(where: str, form: str, field: str, setting: Any, value: Any) -> Any:
    _, names, offset = _parts(setting)
    if names is None:
        return value + offset if offset else value
    name = next((theirs for theirs, ours in names.items() if ours == value), None)
    if name is None:
        raise range_error("notInFormat", where=where, format=form, field=field, **{"value": value})
    return name


def _written_settings(where: str, form: str, family: Family, config: Config) -> dict[str, Any]:
    """What config.json says of our options; those that the family cannot say are refused."""
    check_conflicts(where, _divided(config))
    camel = _camel(config)
    fixed = values_of(family, "fixed", camel)
    for field in VARIANT:
        known = CAMELS[field] in family["settings"] or CAMELS[field] in fixed
        if config.get(field) and not known:
            said = {"format": form, "field": field, "value": config[field]}
            raise range_error("notInFormat", where=where, **said)
    for field, value in fixed.items():
        if not same(camel.get(field), value):
            said = {"format": form, "field": SNAKES[field], "expected": shown(value)}
            raise range_error("inFormat", where=where, **said, given=camel.get(field))
    settings = {"model_type": family["types"][0]}
    for field, setting in family["settings"].items():
        value = camel.get(field)
        settings[_parts(setting)[0]] = _written_setting(where, form, SNAKES[field], setting, value)
    said = {key: value for key, value in settings.items() if value is not None}
    return {**said, **values_of(family, "write", camel)}


def written(
    where: str, form: str, config: Config, values: Mapping[str, NDArray[np.float32]]
) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """A model in the names and layouts of others: what config.json and model.safetensors are to hold."""
    check_word(f"{where}: format", form, list(FAMILIES))
    if config["remove"]:
        raise range_error("removedInFormat", where=where, names=", ".join(config["remove"]))
    if form != "torch" and not config["vocab"]:
        raise range_error("vocabDue", where=where, format=form)
    family = FAMILIES[form]
    plain = {key: value for key, value in config.items() if key not in ("seed", "remove")}
    settings = _written_settings(where, form, family, plain)
    entries = _entries(family, plain, {name: array.shape for name, array in values.items()})
    return settings, {entry.theirs[0]: entry.joined([values[one] for one in entry.ours]) for entry in entries}
