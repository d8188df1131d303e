"""A figure in a notebook: Jupyter, Colab, VS Code, marimo. Needs `pip install anywidget`, and anywidget.js beside it."""

import pathlib

import anywidget
import traitlets


class Attention(anywidget.AnyWidget):
    """`Attention(example="masked", at="weights/1")`; `state` follows what the reader does."""

    _esm = pathlib.Path(__file__).parent / "anywidget.js"

    figure = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    scene = traitlets.Unicode().tag(sync=True)
    example = traitlets.Unicode().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    remove = traitlets.Unicode().tag(sync=True)
    gradient = traitlets.Bool(False).tag(sync=True)
    at = traitlets.Unicode().tag(sync=True)
    show = traitlets.Unicode().tag(sync=True)
    lock = traitlets.Unicode().tag(sync=True)
    theme = traitlets.Unicode().tag(sync=True)
    lang = traitlets.Unicode().tag(sync=True)
    round = traitlets.Unicode().tag(sync=True)
    model = traitlets.Unicode().tag(sync=True)
    files = traitlets.Unicode().tag(sync=True)
    page = traitlets.Unicode().tag(sync=True)
    state = traitlets.Unicode().tag(sync=True)
