"""Glassformer: a transformer you can see through. Every step is a named value with its gradient."""

from . import functional
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
    "open",
    "quiz",
    "recipes",
    "show",
    "tape_of",
    "trace",
    "train",
]
