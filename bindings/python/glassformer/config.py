"""What a model is: options, checked and completed, and the core's structs made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ._library import DATA, STRUCTS
from .errors import (
    INT32,
    check_integer,
    check_list,
    check_options,
    check_rule,
    check_word,
    range_error,
)

Config = Mapping[str, Any]

_OPTIONS = DATA["options"]
RULES: dict[str, dict[str, Any]] = _OPTIONS["model"]
KINDS: list[str] = RULES["kind"]["words"]
#: What the models of some families have besides; a struct of its own.
VARIANT: dict[str, dict[str, Any]] = _OPTIONS["variant"]
REMOVALS: list[str] = _OPTIONS["removals"]
#: Of each kind: what is not given. Nobody but the caller knows the kind and the vocabulary.
DEFAULTS: dict[str, dict[str, Any]] = {
    kind: {key: value for key, value in config.items() if key not in ("kind", "vocab")}
    for kind, config in _OPTIONS["defaults"].items()
}
TRAINING: dict[str, dict[str, Any]] = _OPTIONS["training"]
GENERATION: dict[str, dict[str, Any]] = _OPTIONS["generation"]
#: As files spell them: d_ff is dFF.
CAMELS: dict[str, str] = DATA["camels"]
SNAKES = {camel: snake for snake, camel in CAMELS.items()}
#: What only one kind has: anything but 0 and False is a mistake elsewhere.
_OWNERS = {
    "source_vocab": "transformer",
    "decoder_layers": "transformer",
    "token_types": "bert",
    "pooler": "bert",
    "prediction": "bert",
}

_model = STRUCTS["gf_model"]
_batch = STRUCTS["gf_batch"]
_variant = STRUCTS["gf_variant"]
_adam = STRUCTS["gf_adam"]


def check_config(where: str, given: Mapping[str, Any]) -> Config:
    """The options, checked, with the kind's defaults for what is left out."""
    check_options(where, given, [*RULES, "remove"])
    options = plain(given)
    check_word(f"{where}: kind", options.get("kind"), KINDS)
    if "vocab" not in options:
        check_rule(f"{where}: vocab", None, RULES["vocab"])
    # As in the core, 0 means as many as heads.
    if check_integer(f"{where}: kv_heads", options.get("kv_heads", 1), 0, INT32 - 1) == 0:
        del options["kv_heads"]
    config = {**DEFAULTS[options["kind"]], **options}
    check_rule(f"{where}: d_model", config["d_model"], RULES["d_model"])
    follows = {
        "kv_heads": config["heads"],
        "d_ff": 4 * config["d_model"],
        "final_norm": config["pre_norm"],
        "decoder_layers": config["layers"] if config["kind"] == "transformer" else 0,
    }
    config |= {key: value for key, value in follows.items() if key not in options}
    for key, rule in RULES.items():
        check_rule(f"{where}: {key}", config[key], rule)
    config["remove"] = check_removals(f"{where}: remove", config["remove"])
    check_conflicts(where, config)
    return MappingProxyType(config)


def plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is not None, numbers of numpy as those of Python: files and the core take only these."""
    options = {key: value for key, value in given.items() if value is not None}
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}


def check_removals(where: str, remove: Any) -> tuple[str, ...]:
    names = check_list(where, remove)
    for i, name in enumerate(names):
        check_word(f"{where}[{i}]", name, REMOVALS)
    return tuple(map(str, names))


def check_conflicts(where: str, config: Config, called: Callable[[str], str] = str) -> None:
    """Refuses fields that do not go together, by what they are called."""
    for key, owner in _OWNERS.items():
        if config["kind"] != owner and config[key]:
            at = f"{where}: {key}" if where else key
            raise range_error("onlyOf", where=at, kind=owner, given=config[key])
    for part, whole in (("heads", "d_model"), ("kv_heads", "heads")):
        n, size = config[part], config[whole]
        if size % n:
            names = {"part": called(part), "whole": called(whole)}
            raise range_error("notDividing", where=where, n=n, size=size, **names)
    width = config["d_model"] // config["heads"]
    if config["positions"] == "rotary" and width % 2:
        raise range_error("oddHeads", where=where, given=width)


def model_struct(config: Config) -> Any:
    """A gf_model."""
    made = _model()
    for field, _ in _model._fields_:
        name = "kind" if field == "family" else field
        words = RULES[name].get("words")
        value = config[name]
        setattr(made, field, words.index(value) if words else value)
    return made


def is_variant(config: Config) -> bool:
    """Whether a family's layers have what those of a Model(...) cannot have."""
    return any(config.get(field) for field in VARIANT)


def variant_struct(config: Config) -> Any:
    """A gf_variant, whose fields come in the order of ours."""
    names = [name for name, _ in _variant._fields_]
    return _variant(**{name: config.get(field, 0) for name, field in zip(names, VARIANT, strict=True)})


def adam_struct(
    rate: float, step: int, *, betas: Iterable[float], epsilon: float, weight_decay: float, decoupled: bool
) -> Any:
    """A gf_adam; decoupled: as of AdamW."""
    return _adam(rate, *betas, epsilon, weight_decay, decoupled, step)


def batch_struct(given: Mapping[str, Any]) -> Any:
    """A gf_batch: lengths are 1 and flags off where nothing is given."""
    return _batch(**{"size": 1, "source": 1, "target": 1, **given})


def checked(
    where: str, given: Mapping[str, Any], known: Mapping[str, dict[str, Any]], others: Iterable[str] = ()
) -> dict[str, Any]:
    """Options that are not None, each held against its rule; others: those without one."""
    check_options(where, given, [*others, *known])
    options = plain(given)
    for key, value in options.items():
        if key in known:
            check_rule(f"{where}: {key}", value, known[key])
    return options


def file_config(config: Config) -> dict[str, Any]:
    """As files have it."""
    return {CAMELS[key]: list(v) if isinstance(v, tuple) else v for key, v in config.items()}
