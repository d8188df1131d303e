"""The families of checkpoints: what their entries in bindings/models/checkpoints/families.json mean.

An entry states values for each stage; its rules, by name, add what no value can say. JavaScript has the same
in family.js, rules.js, rope.js and windows.js. Values are those of JSON; None is what JavaScript calls
undefined.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._library import DATA
from ._stored import Stored
from .errors import refusal

Family = Mapping[str, Any]
#: Settings of a config.json, or fields of a model as JavaScript spells them.
Values = Mapping[str, Any]

_DATA = DATA["families"]
#: By the format in which they are written.
FAMILIES: dict[str, Family] = _DATA["families"]
#: Fields of what not every family has, where a family says nothing of them.
NEUTRAL: Values = _DATA["neutral"]
GGUF: Mapping[str, Any] = _DATA["gguf"]
#: The names of the tensors of llama2.c.
LLAMA2C: Mapping[str, str] = _DATA["llama2c"]
LLAMA3: Mapping[str, Any] = _DATA["llama3"]

_CONFIG = "config.json"
_MAX_LAYERS = 1024
_KINDS = ["default", "linear", "llama3"]
#: The head of classes of each token, of an encoder.
_OF_TOKENS = "classifier"
#: The head of classes of a text, of a decoder. It has no bias.
_OF_TEXTS = "score"


# ---- Numbers and equality as in JavaScript ----


def same(a: Any, b: Any) -> bool:
    """Lists of equal contents are the same; True is not 1."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is b
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def number(value: Any) -> float:
    """NaN if it is none; an int stays one."""
    if isinstance(value, (bool, int, float)):
        return +value
    try:
        return float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return math.nan


def over(a: float, b: float) -> float:
    """A quotient, an int where it is whole."""
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, a)
    return a // b if isinstance(a, int) and isinstance(b, int) and a % b == 0 else a / b


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value % 1 == 0


# ---- The tensors of a file, under the names of the table ----


class File:
    def __init__(self, family: Family, tensors: Mapping[str, Stored]) -> None:
        self._prefix = family["prefix"]
        self._renames = [(re.compile(old), by) for old, by in family["rename"].items()]
        self._ignored = re.compile(family["ignored"]) if "ignored" in family else None
        self._found: dict[str, tuple[str, Stored]] = {}
        #: What says again what another key says.
        self.doubles: list[tuple[str, Stored]] = []
        #: Whether this is a model without a head, whose names lack the prefix.
        self.bare = not any(key.startswith(self._prefix) for key in tensors)
        for key, tensor in tensors.items():
            name = self._plain(key)
            if name in self._found:
                self.doubles.append((key, tensor))
            else:
                self._found[name] = key, tensor

    def _plain(self, key: str) -> str:
        name = key.removeprefix(self._prefix)
        for old, by in self._renames:
            name = old.sub(by, name, count=1)
        return name

    def find(self, name: str) -> tuple[str, Stored] | None:
        """A tensor by its name in the table."""
        return self._found.get(self._plain(name))

    def take(self, name: str) -> tuple[str, Stored] | None:
        return self._found.pop(self._plain(name), None)

    def called(self, name: str) -> str:
        """A name of the table as this file would have it."""
        return self._plain(name) if self.bare else name

    def has(self, start: str) -> bool:
        """Whether any key starts so."""
        return any(name.startswith(self._plain(start)) for name in self._found)

    @property
    def rest(self) -> list[tuple[str, Stored]]:
        """What nobody took, and nobody need take."""
        ignored = self._ignored
        return [one for name, one in self._found.items() if not (ignored and ignored.search(name))]

    def is_tied(self, setting: Any, head: str, tables: list[str]) -> Any:
        """Whether the logits are made with the embedding's weights: the head is not there, or the same."""
        there = self.find(head)
        if not there:
            return setting or self.bare
        table = next((found for name in tables if (found := self.find(name))), None)
        return setting and (not table or there[1].shape == table[1].shape)


# ---- Values ----


def evaluate(form: Any, facts: Values) -> Any:
    """A value, or that of the first key `of` that there is, else `else`; times a number, or over another."""
    if not isinstance(form, Mapping):
        return form
    of = form["of"]
    keys = of if isinstance(of, list) else [of]
    key = next((one for one in keys if facts.get(one) is not None), None)
    value = evaluate(form.get("else"), facts) if key is None else facts[key]
    if "over" in form:
        return over(number(value), number(facts.get(form["over"])))
    return form["times"] * number(value) if "times" in form else value


def rows_of(family: Family, fields: Values) -> list[list[Any]]:
    """The lines of a table that a model has."""
    return [row for row in family["rows"] if len(row) < 4 or bool(fields.get(row[3])) == row[4]]


def names_of(family: Family, fields: Values, ours: str) -> list[str]:
    """What the file of a model calls a parameter."""
    return next((row[1] for row in rows_of(family, fields) if row[0] == ours), [])


def values_of(family: Family, stage: str, facts: Values, file: File | None = None) -> dict[str, Any]:
    """What a family says at a stage: see valuesOf in family.js."""
    forms = {} if stage == "read" else family[stage]
    made = {key: evaluate(form, facts) for key, form in forms.items()}
    for name in family["rules"]:
        if rule := RULES[name].get(stage):
            made |= rule(facts, _Context(family, file, made)) or {}
    return made


# ---- Rules ----


@dataclass
class _Context:
    """What a rule may look at besides its facts."""

    family: Family
    #: None where nothing is read.
    file: Any
    #: The values that the stage has so far.
    made: dict[str, Any]


Rule = Mapping[str, Callable[[Values, _Context], Values | None]]


def _as_they_are(*fields: str) -> Callable[[Values, _Context], Values]:
    """Fields that the family holds as they are."""
    return lambda config, _: {field: config.get(field) for field in fields}


def _labelled(classes: Any) -> Values:
    return {"id2label": {str(i): f"LABEL_{i}" for i in range(classes)}} if classes else {}


def _no_other_settings(given: Values, context: _Context) -> Values:
    """A setting that is not known may change what the model computes."""
    known = ("model_type", *context.family["settings"])
    return {key: None for key in given if key not in known}


def _tied(given: Values, context: _Context) -> Values:
    head, *_ = names_of(context.family, context.made, "logits.weight")
    tables = [name for name in names_of(context.family, context.made, "embedding.weight") if name != head]
    return {"tied": context.file.is_tied(given.get("tie_word_embeddings"), head, tables)}


def _output_bias(_: Values, context: _Context) -> Values:
    bias, *_others = names_of(context.family, context.made, "logits.bias")
    return {"outputBias": context.file.find(bias) is not None}


_SHARED_TABLES: Rule = {
    "demands": lambda given, _: {
        "decoder_vocab_size": given.get("vocab_size")
        if given.get("share_encoder_decoder_embeddings")
        else given.get("decoder_vocab_size")
    },
    "read": lambda given, _: {
        "sourceVocab": 0 if given.get("share_encoder_decoder_embeddings") else given["vocab_size"]
    },
    "write": lambda config, _: {
        "vocab_size": config["sourceVocab"] or config["vocab"],
        "share_encoder_decoder_embeddings": not config["sourceVocab"],
    },
}


def _read_classes(_: Values, context: _Context) -> Values | None:
    of_tokens = context.family["names"]["classes"]
    is_of_tokens = context.file.has(f"{of_tokens}.bias")
    head = context.file.find(f"{of_tokens if is_of_tokens else _OF_TEXTS}.weight")
    if not head:
        return None
    unbiased = {} if is_of_tokens else {"classesUnbiased": True}
    return {"classes": _rows_of(head), **unbiased}


def _write_classes(config: Values, context: _Context) -> Values | None:
    if not config.get("classes"):
        return None
    end = "ForSequenceClassification" if config.get("classesUnbiased") else "ForTokenClassification"
    called = re.sub(r"(ForCausalLM|LMHeadModel)$", end, context.made["architectures"][0])
    return {"architectures": [called], **_labelled(config["classes"])}


def _rows_of(found: tuple[str, Stored]) -> int | None:
    shape = found[1].shape
    return shape[0] if shape else None


_CLASSES: Rule = {
    "read": _read_classes,
    "fixed": lambda config, _: (
        {
            "head": "none",
            "classes": config["classes"],
            "classesUnbiased": config.get("classesUnbiased"),
        }
        if config.get("classes")
        else None
    ),
    "write": _write_classes,
}


def _read_encoder(given: Values, context: _Context) -> Values:
    names, file = context.family["names"], context.file
    listed = given.get("architectures")
    architecture = listed[-1] if isinstance(listed, list) and listed else listed
    of_tokens = isinstance(architecture, str) and architecture.endswith("ForTokenClassification")
    pooler = file.has(f"{context.family['prefix']}pooler.") or file.has(f"{names['pooled']}.")
    last = file.find(f"{_OF_TOKENS if of_tokens or not pooler else names['classes']}.weight")
    return {
        "pooler": pooler and not of_tokens,
        "prediction": file.has(f"{names['dense']}."),
        **({"classes": _rows_of(last)} if last else {}),
    }


def _write_encoder(config: Values, context: _Context) -> Values:
    if config.get("classes"):
        task = "ForSequenceClassification" if config["pooler"] else "ForTokenClassification"
    else:
        task = "ForMaskedLM" if config["prediction"] else "Model"
    architecture = context.family["names"]["architecture"] + task
    return {"architectures": [architecture], **_labelled(config.get("classes"))}


_ENCODER_HEADS: Rule = {
    "read": _read_encoder,
    "fixed": lambda config, _: {
        "head": "logits" if config["prediction"] else "none",
        "tied": config["tied"] or not config["prediction"],
        "outputBias": config["prediction"],
        "classes": config.get("classes"),
    },
    "write": _write_encoder,
}


def _rope_theta(own: Values, _: _Context) -> Values:
    """transformers 5 has the base among other parameters, where it may not be missing."""
    said = own.get("rope_parameters") not in (None, False, 0, "")
    return {"rope_theta": own.get("rope_parameters.rope_theta") if said else 10000}


def _read_rotary_part(given: Values, _: _Context) -> Values:
    size = over(number(given.get("hidden_size")), number(given.get("num_attention_heads")))
    rotated = size * number(given.get("rotary_pct"))
    return {"rotarySize": math.trunc(rotated) if math.isfinite(rotated) else rotated}


def _write_rotary_part(config: Values, _: _Context) -> Values:
    rotated = config.get("rotarySize") or over(config["dModel"], config["heads"])
    return {"rotary_pct": over(rotated * config["heads"], config["dModel"])}


_ROTARY_PART: Rule = {
    "read": _read_rotary_part,
    "fixed": _as_they_are("rotarySize"),
    "write": _write_rotary_part,
}


def _equal_biases(given: Values, _: _Context) -> None:
    """All matrices have biases, or none has."""
    value, other = given.get("attention_bias"), given.get("mlp_bias")
    if not isinstance(other, bool):
        raise refusal(_CONFIG, "boolean", where="mlp_bias", given=other)
    if value is not other:
        where = "attention_bias"
        raise refusal(_CONFIG, "biasesUnlike", where=where, other=str(other).lower(), given=value)


# ---- A rotation that is stretched ----


def _rope(given: Values, key: str) -> Any:
    """transformers 5 has it among other parameters; before it was apart, or None."""
    value = given.get(f"rope_parameters.{key}")
    return given.get(f"rope_scaling.{key}") if value is None else value


def _kind_of(given: Values) -> Any:
    kind = _rope(given, "rope_type")
    return given.get("rope_scaling.type") if kind is None else kind


def _demand_stretch(given: Values, _: _Context) -> Values:
    scaling = given.get("rope_scaling")
    return {
        "rope_parameters.rope_type": _KINDS,
        "rope_scaling.rope_type": _KINDS,
        "rope_scaling.type": _KINDS,
        "rope_scaling": scaling if isinstance(scaling, Mapping) and _kind_of(given) else None,
    }


def _read_stretch(given: Values, _: _Context) -> Values | None:
    def needed(key: str) -> Any:
        value = _rope(given, key)
        if value is None:
            raise refusal(_CONFIG, "missing", name=f"rope_scaling.{key}")
        return value

    kind = _kind_of(given)
    if kind not in ("linear", "llama3"):
        return None
    factor = needed("factor")
    if kind == "linear":
        return {"rotaryStretch": factor, "rotaryFast": 1}
    slow, fast = needed("low_freq_factor"), needed("high_freq_factor")
    with np.errstate(over="ignore"):
        unordered = np.float32(number(fast)) <= np.float32(number(slow))
    if unordered:
        raise refusal(_CONFIG, "numberAbove", where="rope_scaling.high_freq_factor", low=slow, given=fast)
    span = needed("original_max_position_embeddings")
    return {"rotaryStretch": factor, "rotarySlow": slow, "rotaryFast": fast, "rotarySpan": span}


def _write_stretch(config: Values, _: _Context) -> Values | None:
    if not config.get("rotaryStretch"):
        return None
    if not config.get("rotarySpan"):
        return {"rope_scaling": {"rope_type": "linear", "factor": config["rotaryStretch"]}}
    return {
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": config["rotaryStretch"],
            "low_freq_factor": config.get("rotarySlow") or 0,
            "high_freq_factor": config["rotaryFast"],
            "original_max_position_embeddings": config["rotarySpan"],
        }
    }


_STRETCH: Rule = {
    "demands": _demand_stretch,
    "read": _read_stretch,
    "fixed": _as_they_are("rotaryStretch", "rotarySlow", "rotaryFast", "rotarySpan"),
    "write": _write_stretch,
}


# ---- Windows: layers whose tokens see only those just before them ----


def _each_layer(count: Any, is_windowed: Callable[[int], bool]) -> list[bool]:
    """As many layers as a setting says, before it was checked."""
    fits = _is_integer(count) and 0 < count <= _MAX_LAYERS
    return [is_windowed(i) for i in range(int(count))] if fits else []


def _windows_of(size: Any, windowed: list[bool], length: Any) -> Values | None:
    """Windows in layers that follow each other evenly; none where every token sees all before it anyway.

    None: the layers follow each other in another way.
    """
    if True not in windowed or number(size) >= number(length):
        return {}
    first = windowed.index(True)
    rest = windowed[first + 1 :]
    step = rest.index(True) + 1 if True in rest else len(windowed)
    even = all(one is (i >= first and (i - first) % step == 0) for i, one in enumerate(windowed))
    return {"window": size, "windowFirst": first, "windowStep": step} if even else None


def _windowed_layers(config: Values) -> list[bool]:
    first, step = config.get("windowFirst") or 0, config.get("windowStep") or 1
    has = bool(config.get("window"))
    return [has and i >= first and (i - first) % step == 0 for i in range(config["layers"])]


_WINDOW_FIELDS = _as_they_are("window", "windowFirst", "windowStep")


def _mistral_window(given: Values) -> Any:
    """Mistral has a window in every layer, or in none."""
    return given.get("sliding_window") if given.get("model_type") == "mistral" else None


def _read_mistral(given: Values, _: _Context) -> Values | None:
    size = _mistral_window(given)
    if size is None:
        return None
    layers = _each_layer(given.get("num_hidden_layers"), lambda _: True)
    return _windows_of(size, layers, given.get("max_position_embeddings"))


_MISTRAL_WINDOWS: Rule = {
    "demands": lambda given, _: {"sliding_window": _mistral_window(given)},
    "read": _read_mistral,
    "fixed": _WINDOW_FIELDS,
    "write": lambda config, _: (
        {
            "model_type": "mistral",
            "architectures": ["MistralForCausalLM"],
            "sliding_window": config["window"],
        }
        if config.get("window")
        else None
    ),
}


def _listed(given: Values) -> Values | None:
    """Qwen's are switched on apart from their size: in layers that are listed, or from one on."""
    if given.get("use_sliding_window") is not True:
        return {}
    types, from_layer = given.get("layer_types"), number(given.get("max_window_layers"))
    if isinstance(types, list):
        windowed = [same(kind, "sliding_attention") for kind in types]
    else:
        windowed = _each_layer(given.get("num_hidden_layers"), lambda i: i >= from_layer)
    return _windows_of(given.get("sliding_window"), windowed, given.get("max_position_embeddings"))


def _write_listed(config: Values, _: _Context) -> Values:
    window = config.get("window")
    kinds = ["sliding_attention" if one else "full_attention" for one in _windowed_layers(config)]
    size = {"sliding_window": window} if window else {}
    return {**size, "use_sliding_window": bool(window), "layer_types": kinds}


_LISTED_WINDOWS: Rule = {
    "demands": lambda given, _: {
        "layer_types": "an even order of layers" if _listed(given) is None else given.get("layer_types")
    },
    "read": lambda given, _: _listed(given),
    "fixed": _WINDOW_FIELDS,
    "write": _write_listed,
}


def _layer_kinds(types: Any) -> list[Any]:
    """Of each layer: "global" or "local". The setting lists kinds, and how often each list comes again."""
    made: list[Any] = []
    for part in types if isinstance(types, list) and len(types) <= _MAX_LAYERS else ():
        both: list[Any] = [*part, None, None] if isinstance(part, list) else [None, None]
        kinds, times = both[:2]
        fits = isinstance(kinds, list) and _is_integer(times) and len(kinds) * times <= _MAX_LAYERS
        made += kinds * int(times) if fits else [None]
    return made


def _local(given: Values) -> Values | None:
    """GPT-Neo's layers are global, or local."""
    kinds = _layer_kinds(given.get("attention_types"))
    known = all(same(kind, "global") or same(kind, "local") for kind in kinds)
    if not known or not same(len(kinds), given.get("num_layers")):
        return None
    windowed = [kind == "local" for kind in kinds]
    return _windows_of(given.get("window_size"), windowed, given.get("max_position_embeddings"))


_LOCAL_WINDOWS: Rule = {
    "defaults": lambda own, _: {
        "attention_types": [[["global", "local"], over(number(own.get("num_layers")), 2)]]
    },
    "demands": lambda given, _: {
        "attention_types": "an even order of global and local"
        if _local(given) is None
        else given.get("attention_types")
    },
    "read": lambda given, _: _local(given),
    "fixed": _WINDOW_FIELDS,
    "write": lambda config, _: {
        "attention_types": [[["local" if one else "global" for one in _windowed_layers(config)], 1]],
        "window_size": config.get("window") or config["maxLength"],
    },
}

#: By the names that families.json has for them.
RULES: dict[str, Rule] = {
    "noOtherSettings": {"demands": _no_other_settings},
    "tied": {"read": _tied},
    "outputBias": {"read": _output_bias},
    "sharedTables": _SHARED_TABLES,
    "classes": _CLASSES,
    "encoderHeads": _ENCODER_HEADS,
    "poolerRelu": {"fixed": lambda config, _: {"poolerRelu": config["pooler"] or None}},
    "ropeTheta": {"defaults": _rope_theta},
    "rotaryPart": _ROTARY_PART,
    "equalBiases": {"read": _equal_biases},
    "stretch": _STRETCH,
    "mistralWindows": _MISTRAL_WINDOWS,
    "listedWindows": _LISTED_WINDOWS,
    "localWindows": _LOCAL_WINDOWS,
}
