"""Glassformer: a transformer you can see through. Every step is a named value with its gradient.

    import glassformer as gf

    gf.attention(q, k, v, causal=True).weights    arrays in, arrays out; gf.functional has every other op
    gf.trace("three-tokens")["weights"].data      a worked example, step by step; gf.examples names them
    gf.Tape()                                     steps of your own, by name: then plan, forward, backward

    model = gf.Model(kind="gpt", vocab=8, d_model=16, heads=2, layers=1)    gf.open(file) opens files
    gf.train(model, batches, steps=100)           one Step after the other
    run = model(target=[1, 5, 6])                 run["decoder.layers.0.self_attn.weights"].data
    model.generate([1, 5], max_new_tokens=20)     token by token; model.generate_text writes text

    gf.text.embed(model, texts)                   vectors, classes, masks, chats
    gf.inside.ablate(model, inputs, each="head")  experiments on a running model
    gf.lora.add_lora(model)                       adapters to train, beside a model that stays
    gf.show(run)                                  a figure in a notebook, with these numbers
    gf.exercise("scores").mark(answers)           exercises, and what marks them

What is called data or grad is a view of the core's memory. Shapes are written [B,T,C]: B batch, T tokens,
C channels, H heads, D channels of a head, V vocabulary. Weights are [in, out].
Errors are GlassformerErrors, and TypeErrors or ValueErrors where an argument is wrong.
"""

from . import functional, inside, lora, text
from ._decode import Hypothesis
from ._eager import Attention, attention
from ._library import CONSTANTS, DATA, lib
from ._nodes import Tensor
from ._stored import StoredMatrix
from ._tokenizer import Tokenizer
from .errors import ArgumentRangeError, ArgumentTypeError, GlassformerError, failure
from .exercises import Mark, Marks, Problem, exercise, quiz, recipes
from .model import Model, Parameter, Run, open
from .notebook import show, tape_of
from .tape import Tape
from .trace import Trace, examples, trace
from .train import Step, train

__version__: str = DATA["version"]

if lib.gf_abi() != CONSTANTS["GF_ABI"]:
    raise failure("GF_EMODULE", "otherAbi", abi=lib.gf_abi(), needed=CONSTANTS["GF_ABI"])


def __dir__() -> list[str]:
    """What the tab key completes."""
    return sorted([*__all__, "__version__"])


__all__ = [
    "ArgumentRangeError",
    "ArgumentTypeError",
    "Attention",
    "GlassformerError",
    "Hypothesis",
    "Mark",
    "Marks",
    "Model",
    "Parameter",
    "Problem",
    "Run",
    "Step",
    "StoredMatrix",
    "Tape",
    "Tensor",
    "Tokenizer",
    "Trace",
    "attention",
    "examples",
    "exercise",
    "functional",
    "inside",
    "lora",
    "open",
    "quiz",
    "recipes",
    "show",
    "tape_of",
    "text",
    "trace",
    "train",
]
