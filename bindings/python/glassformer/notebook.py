"""Figures in a notebook: Jupyter, VS Code, Colab, marimo, MyST. They need `pip install anywidget`.

https://anywidget.dev
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ._help import takes
from ._inputs import INPUTS
from ._nodes import Tensor
from .errors import check_integer, check_list, check_options, check_text, check_word, range_error, type_error
from .model import Model, Run
from .tape import Tape
from .trace import Trace, examples

#: What the figure can be asked: attributes of <gf-attention>, see docs/embedding.md.
TRAITS = ("at", "show", "lock", "theme", "lang", "round", "remove")
#: What a step is besides its numbers and its shape.
_FACTS = (
    *("name", "op", "kind", "formula", "bypassed", "frozen"),
    *("role", "parameter", "stack", "layer", "part", "heads"),
)
#: As many bytes of numbers as a notebook sends and a page unpacks within seconds.
_MOST = 32 * 10**6
#: What rows are called: all of them, or by the side of a transformer.
Names = Iterable[str] | Mapping[str, Iterable[str]] | None
_WIDGET = Path(__file__).parent / "anywidget.js"


@cache
def _figure() -> Any:
    """The class of the figure; anywidget is asked for when the first is made."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise ImportError("show: a figure needs anywidget: pip install anywidget") from None
    traits = {name: traitlets.Unicode().tag(sync=True) for name in (*TRAITS, "tape", "example", "state")}
    about = {
        "__doc__": "A figure; `state` follows the reader, and each other trait may be set.",
        "__module__": __name__,
        "_esm": _WIDGET.read_text(encoding="utf-8"),
        "gradient": traitlets.Bool(False).tag(sync=True),
    }
    return type("Figure", (anywidget.AnyWidget,), {**about, **traits})


@takes({}, {}, *TRAITS, *INPUTS)
def show(what: Any, *, tokens: Names = None, sequence: int = 0, **options: Any) -> Any:
    """A figure of what was computed: every step with the kernel's own numbers, to be played and asked.

    what: a Tape, a Trace or a Run; a Model with what to run it on: show(model, target=[1, 5, 6]); or the
    name of a worked example, which the reader may edit. tokens: what the rows are called, by default the
    ids; of a transformer {"source": [...], "target": [...]}; sequence: which one of a batch. at: where to
    begin, 'weights/1,2'; show: the parts, 'stage,caption,timeline' or 'all'; lock; theme; lang; round.
    After other numbers: figure.tape = tape_of(what).

    >>> show(trace("three-tokens"), at="weights/1")  # doctest: +SKIP
    """
    if isinstance(what, Model):
        check_options("show", options, [*TRAITS, *INPUTS])
        what = what(**{name: options.pop(name) for name in INPUTS if name in options})
    check_options("show", options, TRAITS)
    for name, value in options.items():
        check_text(f"show: {name}", value)
    if isinstance(what, str):
        check_word("show: example", what, list(examples))
        return _figure()(example=what, **options)
    return _figure()(tape=tape_of(what, tokens=tokens, sequence=sequence), **options)


def tape_of(what: Tape | Trace | Run, *, tokens: Names = None, sequence: int = 0) -> str:
    """What a figure is sent: every step as JSON, its numbers bit by bit."""
    if not isinstance(what, (Tape, Trace, Run)):
        raise type_error("shown", where="show", given=what)
    example = what.example if isinstance(what, Trace) else {}
    nodes = what.nodes if isinstance(what, Tape) else what.tape.nodes
    batch = next((node.shape[0] for node in nodes if node.axes[0] == "batch"), 1)
    check_integer("show: sequence", sequence, 0, batch - 1)
    size = sum(4 * node.size // (batch if node.axes[0] == "batch" else 1) for node in nodes)
    if size > _MOST:
        raise range_error("figureTooLarge", where="show", most=_MOST // 10**6, n=size // 10**6)
    given = example.get("tokens") if tokens is None else tokens
    told = {"title": example.get("title", ""), **_names(nodes, given, sequence)}
    return json.dumps({**told, "steps": [_step(node, sequence) for node in nodes]})


def _listed(where: str, words: Any) -> list[str]:
    """Names in a list; a text is a name for each letter."""
    return [str(word) for word in (words if isinstance(words, str) else check_list(where, words, "names"))]


def _names(nodes: Iterable[Tensor], tokens: Names, sequence: int) -> dict[str, Any]:
    """What rows are called: the tokens, of each side if there are two, and the words of the vocabulary."""
    ids = {
        node.sequences[-1] or "target": node.data[sequence] if node.axes[0] == "batch" else node.data
        for node in nodes
        if node.role == "tokens"
    }
    sides = {side: [str(one) for one in numbers] for side, numbers in ids.items()}
    if isinstance(tokens, Mapping):
        check_options("show: tokens", tokens, ids)
        sides |= {side: _listed(f"show: tokens: {side}", words) for side, words in tokens.items()}
    elif tokens is not None:
        sides["target"] = _listed("show: tokens", tokens)
    told: dict[str, Any] = {"tokens": sides.get("target", sides.get("source", []))}
    if len(ids) > 1:
        told["sides"] = sides
    sizes = [node.shape[node.axes.index("vocabulary")] for node in nodes if "vocabulary" in node.axes]
    if sizes:
        words = told["vocabulary"] = [str(i) for i in range(max(sizes))]
        # Two vocabularies have the same ids for other words.
        for side in ids if len(set(sizes)) == 1 else ():
            for i, word in zip(ids[side], sides[side], strict=False):
                words[i] = word
    return told


def _step(node: Tensor, sequence: int) -> dict[str, Any]:
    """A node in plain data, as the figure has it; of a batch one sequence."""
    single = node.axes[0] == "batch"
    axes, sequences, data = node.axes, node.sequences, node.data
    attributes = dict(node.attributes)
    if single:
        data = data[sequence] if data.ndim > 1 else data[sequence : sequence + 1]
        axes, sequences = (node.axes[1:] or (None,)), (node.sequences[1:] or (None,))
        if "axis" in attributes and len(node.shape) > 1:
            attributes["axis"] -= 1
    removal = node.removal
    return {
        **{name: getattr(node, name) for name in _FACTS},
        "shape": data.shape,
        "axes": axes,
        "sequences": sequences,
        "attributes": attributes,
        "inputs": [one and one.name for one in node.inputs],
        "removal": removal and {"name": removal[0], "operand": removal[1]},
        "data": base64.b64encode(np.ascontiguousarray(data).tobytes()).decode(),
    }
