"""Models: their parameters, runs on which every step can be read, removed or edited, and what they write."""

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from . import _decode, _files, text
from ._checkpoints import written
from ._choose import CHOICE
from ._help import takes
from ._inputs import INPUTS, Reading
from ._library import lib
from ._memory import floats
from ._nodes import Named, Tensor
from ._safetensors import write_tensors
from ._stored import ARITHMETICS, StoredMatrix
from ._tokenizer import Tokenizer
from ._writing import write_files
from .config import (
    DEFAULTS,
    GENERATION,
    RULES,
    Config,
    batch_struct,
    check_config,
    check_removals,
    file_config,
    is_variant,
    model_struct,
    variant_struct,
)
from .errors import (
    UINT32,
    check_bool,
    check_integer,
    check_options,
    check_path,
    check_text,
    check_word,
    failure,
    missing,
    near,
    range_error,
    type_error,
)
from .tape import Tape

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import GenerationOptions, ModelOptions, TextOptions

#: So many numbers nobody asked for.
_MOST_BY_DEFAULT = 50_000_000
#: What a copy of a model has besides its numbers.
_COPIED = ("step", "labels", "chat_template", "embedding", "_tokenizer")
_BLOCKS = ["values", "gradients", "m", "v"]
_RUN = ("training", "seed", "step", "remove", "gradients", "steps")
#: Removals that are steps within an attention, which a fused one does not have.
_INSIDE = {"positions", "mask", "scale"}
_generates = takes(GENERATION, {"generate": {}}, *_decode.OTHERS)


class Parameter:
    """What is learned: its values and gradient are live views of the model's memory."""

    def __init__(self, model: Model, node: Tensor, offset: int) -> None:
        self.name = node.name
        #: Of the step that it makes: 'query', 'norm', ...
        self.role = node.role
        #: 'weight', 'bias', 'gain' or 'table'
        self.parameter = node.parameter
        #: Weights are [in, out].
        self.shape = node.shape
        self.size = node.size
        self._model = model
        self._offset = offset

    def __repr__(self) -> str:
        return f"<{self.name}: {list(self.shape)}>"

    @property
    def data(self) -> NDArray[np.float32]:
        """The values, live and of the parameter's shape."""
        self._model._shown = True
        return self.block("values")

    @property
    def grad(self) -> NDArray[np.float32]:
        """What the last backward or step of training left."""
        if self._model._settled:
            return self.block("gradients")
        raise failure("GF_ESTATE", "notDerived", where=self.name, node=self.name)

    def block(self, name: str) -> NDArray[np.float32]:
        """Its part of a block: 'values', 'gradients', or Adam's 'm' and 'v'."""
        check_word("block", name, _BLOCKS)
        block = self._model._block(name)
        return block[self._offset : self._offset + self.size].reshape(self.shape)


class Parameters(dict[str, Parameter]):
    """By name; a name that is not there suggests the nearest one."""

    def __init__(self, parameters: Iterable[Parameter], stored: Mapping[str, StoredMatrix]) -> None:
        super().__init__((one.name, one) for one in parameters)
        self._stored = stored

    def __setitem__(self, name: str, values: Any) -> NoReturn:
        raise type_error("parameterKept", name=name)

    def __missing__(self, name: str) -> Parameter:
        if name in self._stored:
            raise failure("GF_ESTATE", "inFewBits", where=name, node=name)
        hint = near(str(name), self)
        raise missing("noParameter", value=name, hint=hint, node=str(name))


class Bound(Tape):
    """A tape of a model, bound to its parameters."""

    def __init__(self, model: Model | None = None) -> None:
        super().__init__()
        self._model = model

    def build(
        self, config: Config, batch: Mapping[str, Any], more: Callable[[int], int] = lambda at: 0
    ) -> None:
        model, variant, shape = model_struct(config), variant_struct(config), batch_struct(batch)
        places = [ctypes.addressof(one) for one in (model, variant, shape)]

        def make(at: int, label: bytes) -> int:
            made = lib.gf_build_variant(at, *places)
            return made if made < 0 else more(at) or made

        self._build("model", "", make, room=max(lib.gf_build_variant_nodes(*places), 0))

    def _clear(self) -> None:
        if self._model:
            self._model._clear_gradients()

    def _settle(self) -> None:
        if self._model:
            self._model._settled = True


class Run(Named):
    """One run of a model: every step is there to be read, removed or edited."""

    def __init__(self, tape: Tape) -> None:
        #: All that a tape can do.
        self.tape = tape
        self._nodes = tape._nodes

    def __repr__(self) -> str:
        return f"<Run: {len(self.tape.nodes)} steps>"

    def __getitem__(self, name: str) -> Tensor:
        return self.tape.find(name)

    @property
    def logits(self) -> NDArray[np.float32]:
        """[B,T,V], live."""
        return cast(NDArray[np.float32], self["logits"].data)

    @property
    def loss(self) -> float:
        """The mean over the labels."""
        for node in self.tape.nodes:
            if node.role == "loss":
                return float(node.data[0])
        raise failure("GF_ENAME", "noLoss", where="run.loss")

    def bypass(self, node: Tensor | str, k: int | None = 0) -> None:
        """Makes a step copy its operand k instead of computing; None puts it back. Then forward()."""
        self.tape.bypass(node, k)

    def freeze(self, node: Tensor | str, on: bool = True) -> None:
        """Keeps the values that you write into a step; on=False lets it compute again."""
        self.tape.freeze(node, on)

    def forward(self, first: Tensor | str | None = None, last: Tensor | str | None = None) -> None:
        """Computes all steps, or those from the first to the last."""
        self.tape.refresh()
        self.tape.forward(first, last)

    def backward(self, target: Tensor | str = "loss", gradient: Any = None) -> None:
        """Gradients of a step with respect to all before it, and to the parameters."""
        self.tape.backward(target, gradient)


class Model:
    """A transformer, a gpt or a bert with random weights: Model(kind="gpt", vocab=8, d_model=16, ...).

    kind and vocab must be given. Other options are as in the paper of the kind; kv_heads is heads and d_ff
    4 d_model. `config` has all of them. A model of more than 50 million parameters is made only if both
    d_model and layers are given.
    """

    @takes(RULES, DEFAULTS, "remove")
    def __init__(self, **options: Unpack[ModelOptions]) -> None:
        """Random weights by the seed; remove: steps to leave out, a list of removals.

        Removals are 'positions', 'mask', 'scale', 'norm' and 'residual'.
        """
        self._make(check_config("model", options))
        self._check_chosen(options)
        lib.gf_initialize(self._layout._at, self.config["seed"])

    def _check_chosen(self, options: Mapping[str, Any]) -> None:
        """Refuses a model that is large because its size was left out."""
        sizes = {name: self.config[name] for name in ("d_model", "layers")}
        if self.size > _MOST_BY_DEFAULT and any(options.get(name) is None for name in sizes):
            raise range_error("largeByDefault", where="model", millions=round(self.size / 1e6), **sizes)

    def _make(self, config: Config, stored: Mapping[str, StoredMatrix] | None = None) -> None:
        self._begin(config, stored)
        layout = Bound()
        layout.build(config, {})
        for name, matrix in self.stored.items():
            matrix.bind(layout.find(name))
        self._own(layout, [node for node in layout.nodes if node.name not in self.stored])
        self._layout = layout

    def _begin(self, config: Config, stored: Mapping[str, StoredMatrix] | None = None) -> None:
        #: All options, with the defaults.
        self.config: Config = MappingProxyType(dict(config))
        #: Of which open() may leave it fewer.
        self._positions: int = config["max_length"]
        #: Training steps taken so far.
        self.step = 0
        self._training = False
        #: Counts what changed its values: trainings, adapters that were merged.
        self._changes = 0
        #: Whether live views of its values were given out.
        self._shown = False
        self._settled = False
        #: The parameters that stay as their file stores them, by name; all others are in `parameters`.
        self.stored: Mapping[str, StoredMatrix] = MappingProxyType(dict(stored or {}))
        #: Of the classes that a classifier scores in its node `classes`, or None.
        self.labels: list[str] | None = None
        #: How a chat becomes a text, in Jinja, or None.
        self.chat_template: str | None = None
        #: How sentence-transformers makes vectors of texts, if the folder says so: pooling, max_length.
        self.embedding: dict[str, Any] | None = None
        self._tokenizer: Tokenizer | Callable[[], Tokenizer] | None = None
        #: Whether it has parameters of its own beside those of another model.
        self._adapts = False

    def _own(self, layout: Bound, nodes: Iterable[Tensor]) -> None:
        """Makes a block of the parameters among some nodes of a layout."""
        learned = [node for node in nodes if node.kind == "parameter"]
        *offsets, size = accumulate((node.size for node in learned), initial=0)
        self.parameters = Parameters(
            (Parameter(self, node, offset) for node, offset in zip(learned, offsets, strict=True)),
            self.stored,
        )
        #: How many numbers are learned.
        self.size: int = size
        self._blocks: dict[str, NDArray[np.float32]] = {}
        lib.gf_bind_parameters(layout._at, layout._at, self._block("values").ctypes.data, None)

    @classmethod
    def _read(
        cls,
        file: str | Path | bytes,
        config: Any,
        tokenizer: str | Path | None,
        stored: bool,
        arithmetic: str,
        max_length: int | None,
    ) -> Model:
        opened = _files.read(file, config, tokenizer, _shapes_of)
        read = opened.file
        model = cls.__new__(cls)
        matrices = read.stored() if stored else {}
        wanted = matrices.values() if arithmetic == "integer" else ()
        integers = [one.multiply_integers() for one in wanted]
        if arithmetic == "integer" and not any(integers):
            types = ", ".join(sorted({one.type.upper() for one in matrices.values()})) or "F32"
            raise failure("GF_ERANGE", "noIntegers", where="open: arithmetic", types=types)
        model._make(read.config, matrices)
        model.step, model.labels = read.step, read.labels
        model._tokenizer, model.chat_template = opened.tokenizer, opened.chat_template
        model.embedding = opened.embedding
        most = model.config["max_length"]
        length = most if max_length is None else check_integer("open: max_length", max_length, 1, most)
        model._limit(length)
        read.fill(lambda block, name: model.parameters[name].block(block), model.stored)
        return model

    def _limit(self, length: int) -> None:
        self.config = MappingProxyType({**self.config, "max_length": length})
        if self.embedding:
            self.embedding["max_length"] = min(self.embedding["max_length"], length)

    @property
    def _whole(self) -> Config:
        """The config with all its positions."""
        return {**self.config, "max_length": self._positions}

    @property
    def _version(self) -> int | None:
        """Of its values: while the number is the same, they are; None where they may change unseen."""
        return None if self._shown or self._training or self._adapts else self._changes

    @property
    def arithmetic(self) -> str:
        """How its products are computed: 'exact', or 'integer' if it was opened so."""
        return "integer" if any(one.arithmetic == "integer" for one in self.stored.values()) else "exact"

    @property
    def tokenizer(self) -> Tokenizer | None:
        """Between texts and ids, as the model's file has it: encode, decode, tokens, stops; or None."""
        if not isinstance(self._tokenizer, Tokenizer | None):
            self._tokenizer = self._tokenizer()
        return self._tokenizer

    def __getstate__(self) -> dict[str, Any]:
        """What a copy has, here or in another process: all but gradients."""
        blocks = {name: block for name, block in self._blocks.items() if name != "gradients"}
        told = {name: getattr(self, name) for name in _COPIED}
        parts = {"config": dict(self._whole), "stored": dict(self.stored), "blocks": blocks, "told": told}
        return {**parts, "max_length": self.config["max_length"]}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._make(state["config"], state["stored"])
        self._fill_state(state)

    def _fill_state(self, state: Mapping[str, Any]) -> None:
        for name, numbers in state["blocks"].items():
            self._block(name)[:] = numbers
        for name, value in state["told"].items():
            setattr(self, name, value)
        self._limit(state["max_length"])

    def __repr__(self) -> str:
        count = self.size + sum(math.prod(one.shape) for one in self.stored.values())
        stored = f", {len(self.stored)} matrices stored" if self.stored else ""
        return f"<Model: {self.config['kind']}, {count:,} parameters{stored}>"

    def _block(self, name: str) -> NDArray[np.float32]:
        """Made of zeros when it is first asked for."""
        if name not in self._blocks:
            # Of two threads that come at once the first one's stays.
            self._blocks.setdefault(name, floats(self.size))
        return self._blocks[name]

    def _clear_gradients(self) -> None:
        self._block("gradients")[:] = 0
        self._settled = False

    def _reading(
        self, where: str, inputs: Mapping[str, Any], changes: Mapping[str, Any] | None = None
    ) -> Reading:
        """What a run is given, checked; changes: of the config, as _tape() takes them."""
        if not changes:
            return Reading(where, self.config, self._layout, inputs)
        layout = Bound()
        layout.build({**self._whole, **changes}, {})
        return Reading(where, self.config, layout, inputs)

    def _tape(
        self,
        batch: Mapping[str, Any],
        *,
        gradients: bool = False,
        changes: Mapping[str, Any] | None = None,
        more: Callable[[Tape], None] | None = None,
        keep: Callable[[Tape], list[Tensor | str]] | None = None,
    ) -> Tape:
        """A planned tape, bound to the parameters; keep: the steps that stay, for inference."""
        config = {**self._whole, **(changes or {})}
        remove = config["remove"]
        fused = batch.get("fused", False) and not _INSIDE.intersection(remove)
        values = self._block("values")
        grads = self._block("gradients") if gradients else None
        tape = Bound(self if gradients else None)

        grads_at = None if grads is None else grads.ctypes.data
        self._build(tape, config, {**batch, "fused": fused}, values.ctypes.data, grads_at)
        tape._keep(values)
        tape._stored = self.stored
        if grads is not None:
            tape._keep(grads)
        if more:
            more(tape)
        if keep:
            tape.plan(reuse=True, keep=keep(tape))
        else:
            tape.plan()
        for node in tape.nodes:
            if node.removal and node.removal[0] in remove:
                tape.bypass(node, node.removal[1])
            if node.role == "positions" and node.kind == "ids":
                node.data[...] = np.arange(node.size, dtype=np.int32)
        return tape

    def _build(
        self, tape: Bound, config: Config, batch: Mapping[str, Any], values: int, grads: int | None
    ) -> None:
        """Makes the nodes of a tape, whose parameters live in these blocks."""
        layout = self._layout._at
        tape.build(config, batch, lambda at: lib.gf_bind_parameters(at, layout, values, grads))

    # ---- Use ----

    @takes({}, {}, *INPUTS, *_RUN)
    def forward(self, **inputs: Any) -> Run:
        """Runs the model, and gives all its steps.

        source, target: ids [B,T] or [T], or lists of different lengths (without vocab vectors [B,T,C]);
        labels: the target at each position, -100 is ignored; token_types: of a bert;
        source_mask, target_mask, memory_mask: [Tq,Tk] or [B,Tq,Tk], True where a position may see
        another, or floats that are added to the scores.
        training, seed, step: with dropout; remove: steps to leave out; steps: False for the results
        alone, or the names of some: no gradients, values share memory; gradients: of the parameters.
        """
        where = "forward"
        check_options(where, inputs, [*INPUTS, *_RUN])
        reading = self._reading(where, inputs)
        training = check_bool(f"{where}: training", inputs.get("training", False))
        steps = inputs.get("steps", True)
        if not isinstance(steps, (bool, list, tuple)):
            raise type_error("steps", where=f"{where}: steps", given=steps)
        keep = None if steps is True else list(steps or [])
        gradients = check_bool(f"{where}: gradients", inputs.get("gradients", keep is None))
        if gradients and keep is not None:
            raise type_error("gradientsNeedSteps", where=where)
        seed = check_integer(f"{where}: seed", inputs.get("seed", 0), 0, UINT32)
        step = check_integer(f"{where}: step", inputs.get("step", 1), 0, UINT32)
        remove = check_removals(f"{where}: remove", inputs.get("remove", ()))
        tape = self._tape(
            {**reading.batch(), "training": training, "fused": keep is not None},
            gradients=gradients,
            changes={"remove": (*self.config["remove"], *remove)},
            keep=None if keep is None else lambda tape: keep,
        )
        reading.write(tape)
        if training and self.config["dropout"] > 0:
            tape["dropout.key"].data[...] = np.array([seed, step], np.uint32).view(np.int32)
        run = Run(tape)
        run.tape.forward()
        return run

    __call__ = forward

    @_generates
    def generate(self, source: Any, **options: Unpack[GenerationOptions]) -> Iterator[int]:
        """Writes token by token: for token in model.generate([5, 6, 7], max_new_tokens=20).

        source: a transformer's source, or a gpt's prompt. max_new_tokens; temperature: 0 takes the best
        token, 1 by default if top_k or top_p is given; top_k: draw from the best so many; top_p: from the
        fewest that have this much of the probability; seed of the draws; beams: above 1 a beam search, with
        length_penalty, 0.6 by default; start: what a transformer's target begins with, 1 by default;
        stop_tokens: end the sequence, of a transformer [2]; remove: steps to leave out; hooks: functions by
        the names of steps, which get their live values of this text and may change them in place.
        """
        return _decode.generate(self, source, options)

    @takes({**GENERATION, **CHOICE}, {"generate": {}}, *text.OTHERS)
    def generate_text(
        self, prompt: str | Sequence[int], **options: Unpack[TextOptions]
    ) -> text.GenerationStream[str]:
        """Writes text as it comes: for part in model.generate_text("The cat sat on"): print(part, end="").

        Options as of text.generate_text: those of generate, stop, penalties, bans, hooks and more.
        """
        return text.generate_text(self, prompt, **options)

    def count(self, text: str) -> int:
        """How many tokens a text has, by the tokenizer."""
        if self.tokenizer is None:
            raise failure("GF_ESTATE", "noTokenizer", where="count")
        return len(self.tokenizer.encode(check_text("count", text)))

    @_generates
    def search(self, source: Any, **options: Unpack[GenerationOptions]) -> list[_decode.Hypothesis]:
        """All hypotheses of a beam search, best first; options as of generate, 4 beams by default.

        Each has tokens, log_prob, score = log_prob / ((5 + tokens) / 6) ** length_penalty, and finished.
        """
        return _decode.search(self, source, options)

    def merge_lora(self, adapters: str | Path | bytes) -> None:
        """Adds adapters of low rank to the matrices beside which they were trained: W + (alpha / rank) A B.

        adapters: a file that save() of a LoraModel wrote, here or in JavaScript, or its bytes.
        """
        from .lora import open_lora

        open_lora(self, adapters).merge()

    def save(self, path: str | Path | None = None, *, training: bool = False) -> bytes:
        """The model as a safetensors file, which JavaScript opens too; written to the path if one is given.

        training: with all that it takes to go on training.
        """
        check_bool("save: training", training)
        self._check_whole("save")
        if is_variant(self.config):
            raise failure("GF_ESTATE", "variantNotSaved", where="save")
        return self._write(path, file_config(self._whole), training)

    def _write(self, path: str | Path | None, config: Mapping[str, Any], training: bool) -> bytes:
        blocks = _files.blocks_at(self.step if training else 0)
        tensors = {
            _files.name_in(block, one.name): one.block(block)
            for block in blocks
            for one in self.parameters.values()
        }
        data = _files.write(tensors, config, self.step if training else None)
        if path is not None:
            write_files({check_path("save", path): data})
        return data

    def export(self, folder: str | Path, format: str = "torch") -> None:
        """Writes config.json and model.safetensors as others have them; open() reads such a folder, too.

        format: 'torch', with the names of torch.nn.Transformer; or that of a family in Hugging Face's
        transformers: 'gpt2', 'llama', 'qwen2', 'qwen3', 'gpt_neo', 'gpt_neox', 'bert', 'roberta',
        'distilbert', 'albert', 'marian'.
        """
        self._check_whole("export")
        values = {name: one.block("values") for name, one in self.parameters.items()}
        config, tensors = written("export", format, self._whole, values)
        target = check_path("export", folder)
        written_config = json.dumps(config, indent=2) + "\n"
        files = {"config.json": written_config.encode(), "model.safetensors": write_tensors(tensors, {})}
        write_files({target / name: data for name, data in files.items()}, folder=target)

    def _check_whole(self, where: str) -> None:
        """Refuses to write a model that has only a part of its numbers in float32."""
        if self.stored:
            raise failure("GF_ESTATE", "storedNotSaved", where=where, n=len(self.stored))

    def state_dict(self) -> dict[str, NDArray[np.float32]]:
        """The parameters by name, live, without those that stay stored; weights are [in, out]."""
        return {name: parameter.data for name, parameter in self.parameters.items()}


def _shapes_of(config: Config) -> dict[str, tuple[int, ...]]:
    """The parameters of a model that is not made."""
    layout = Bound()
    layout.build(config, {})
    return {node.name: node.shape for node in layout.nodes if node.kind == "parameter"}


def open(
    file: str | Path | bytes,
    *,
    config: Mapping[str, Any] | None = None,
    tokenizer: str | Path | None = None,
    stored: bool | None = None,
    arithmetic: Literal["exact", "integer"] = "exact",
    max_length: int | None = None,
) -> Model:
    """Opens a model: a path, or the bytes.

    What model.save() wrote, here or in JavaScript; a GGUF; a .bin of llama2.c; a folder of Hugging Face, or
    its model.safetensors. config: in place of the config.json beside it. tokenizer: the path of a
    tokenizer.json, which is found beside a model.safetensors, or of llama2.c's tokenizer.bin; a GGUF has
    its own. stored: matrices stay as the file stores them, in few bits, and give the same results, bit for
    bit; such a model is neither trained nor saved. By default all becomes float32. arithmetic: with
    'integer', products with such matrices, which then stay stored, are sums of integers: faster, with
    other bits, the same everywhere. max_length: the most tokens that it reads at once, the answer included, 1
    to the model's own.
    """
    check_word("open: arithmetic", arithmetic, ARITHMETICS)
    keeps = arithmetic == "integer" if stored is None else check_bool("open: stored", stored)
    if arithmetic == "integer" and not keeps:
        raise failure("GF_ERANGE", "integersExpanded", where="open: arithmetic")
    return Model._read(file, config, tokenizer, keeps, arithmetic, max_length)
