"""How the next token is chosen: penalties, bans, likely tokens alone; and hooks, which run between steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._library import DATA
from ._nodes import Tensor
from .errors import check_integer, check_list, check_mapping, failure, near, range_error, type_error
from .tape import Tape

if TYPE_CHECKING:
    from .model import Model

#: What texts take besides, with its rules; and what has none.
CHOICE: dict[str, dict[str, Any]] = DATA["options"]["choice"]
CHOICE_OTHERS = ("best", "banned", "forced", "process")
_MOST_BEST = 1000

Process = Callable[[NDArray[np.float32], "list[int]"], None]


class Scores(NamedTuple):
    """Of the tokens that may follow each sequence, [size,V]; probabilities at the temperature."""

    logits: NDArray[np.float32]
    log_probs: NDArray[np.float32]
    probabilities: NDArray[np.float32]


class HookStep(NamedTuple):
    """Where a hook is called: the step's name and shape, the first token's position, how many are read."""

    name: str
    shape: tuple[int, ...]
    position: int
    tokens: int


Hook = Callable[[NDArray[np.float32], HookStep], None]


def push_choices(tape: Tape, logits: Tensor, temperature: float) -> None:
    """Pushes the log-probabilities of logits [size,T,V], and the probabilities at a temperature above 0."""
    tape.log_softmax(logits, name="choice.log")
    tape.softmax(tape.scale(logits, factor=1 / temperature, name="choice.scaled"), name="choice")


def _check_logits(detail: str, where: str, logits: NDArray[Any], **more: Any) -> None:
    """Refuses NaN and infinity; -infinity is a token that cannot come."""
    for id in np.flatnonzero(~(logits < np.inf))[:1]:
        raise range_error(detail, where=where, value=float(logits[id]), id=int(id), **more)


def check_scores(where: str, logits: NDArray[Any], probabilities: NDArray[Any], position: int) -> None:
    """Refuses scores by which no token can be chosen: NaN or infinity among them, as of a model whose file is
    broken, or nothing but -infinity. A temperature near 0 can make such numbers of finite logits."""
    _check_logits("logit", where, logits, position=position)
    if np.isnan(probabilities).any():
        raise range_error("tooCold", where=where, position=position)
    if (logits == -np.inf).all():
        raise range_error("nothingToChoose", where=where, position=position)


def check_returned(where: str, values: Any, returned: Any) -> None:
    """Refuses numbers that a function returned in place of writing them into its values: they are lost."""
    if isinstance(returned, (np.ndarray, list, tuple)) and returned is not values:
        raise type_error("inPlace", where=where, type=type(returned).__name__)


class Choosing:
    """Penalties, bans and the like, of the options of a text."""

    def __init__(self, where: str, options: Mapping[str, Any], vocab: int, temperature: float) -> None:
        def ids(name: str) -> list[int]:
            chosen = check_list(f"{where}: {name}", options.get(name, ()), "ids")
            return [check_integer(f"{where}: {name}[{i}]", id, 0, vocab - 1) for i, id in enumerate(chosen)]

        self.best = check_integer(f"{where}: best", options.get("best", 0), 0, min(_MOST_BEST, vocab))
        self.forced, self._banned = ids("forced"), ids("banned")
        self._process: Process | None = options.get("process")
        if self._process is not None and not callable(self._process):
            raise type_error("listener", where=f"{where}: process", given=self._process)
        self._least: float = options.get("min_p", 0)
        self._repetition: float = options.get("repetition_penalty", 1)
        self._frequency: float = options.get("frequency_penalty", 0)
        self._presence: float = options.get("presence_penalty", 0)
        counted = self._frequency or self._presence or self._repetition != 1
        self._plain = not (counted or self._banned or self._process or self._least)
        self._temperature = temperature
        self._tape: Tape | None = None

    def likeliest(self, log_probs: NDArray[np.float32]) -> list[tuple[int, float]]:
        """Tokens and their log-probabilities, best first; of equals the first."""
        if not self.best:
            return []
        order = np.argsort(-log_probs, kind="stable")[: self.best]
        return [(int(token), float(log_probs[token])) for token in order]

    def changed(
        self,
        logits: NDArray[np.float32],
        probabilities: NDArray[np.float32],
        prompt: Sequence[int],
        tokens: list[int],
        mask: Callable[[NDArray[np.float32]], None] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and probabilities that the choice goes by; mask: leaves the tokens that may follow."""
        if self._plain and mask is None:
            return logits, probabilities
        logits = logits.copy()
        if self._repetition != 1:
            for token in {*prompt, *tokens}:
                value = float(logits[token])
                logits[token] = value * self._repetition if value < 0 else value / self._repetition
        for token, count in Counter(tokens).items():
            logits[token] = float(logits[token]) - (count * self._frequency + self._presence)
        logits[self._banned] = -np.inf
        if self._process:
            check_returned("process", logits, self._process(logits, [*tokens]))
            _check_logits("notANumber", "process", logits)
        if mask:
            mask(logits)
        if (logits == -np.inf).all():
            raise range_error("nothingLeft", where="generate")
        if not self._temperature:
            return logits, probabilities
        probabilities = self._probabilities(logits)
        check_scores("generate", logits, probabilities, len(prompt) + len(tokens))
        if self._least:
            least = self._least * float(probabilities.max())
            unlikely = probabilities.astype(np.float64) < least
            probabilities[unlikely] = 0
            logits[unlikely] = -np.inf
        return logits, probabilities

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """By the core, whose numbers are the same everywhere."""
        if self._tape is None:
            self._tape = Tape()
            push_choices(self._tape, self._tape.input("logits", (1, len(logits))), self._temperature)
            self._tape.plan()
        self._tape["logits"].data[0] = logits
        self._tape.forward()
        return np.array(self._tape["choice"].data[0], np.float32)


class Hooks:
    """Functions of yours by the names of steps, which read or change the live values of one text in place."""

    def __init__(self, where: str, model: Model, remove: tuple[str, ...], hooks: Mapping[str, Hook]) -> None:
        check_mapping(f"{where}: hooks", hooks)
        for name, hook in hooks.items():
            if not callable(hook):
                raise type_error("listener", where=f"{where}: hooks: {name}", given=hook)
        if model.arithmetic == "integer":
            raise failure("GF_ESTATE", "exactOnly", where=f"{where}: hooks")
        if "mask" in remove:
            raise failure("GF_ESTATE", "hooksNeedMask", where=where)
        self._hooks = dict(hooks)

        def steps(fused: bool) -> list[str]:
            batch = {"size": 1, "source": 1, "padded": True, "capacity": 1, "fused": fused}
            tape = model._tape(batch, changes={"remove": remove}, keep=lambda tape: ["logits"])
            return [node.name for node in tape.nodes if node.kind == "op"]

        every = steps(True)
        #: Whether an attention may be computed in one step.
        self.fused = set(hooks) <= set(every)
        every = every if self.fused else steps(False)
        for name in hooks:
            if name not in every:
                hint = near(str(name), every)
                raise failure("GF_ENAME", "noNode", where=f"{where}: hooks", name=name, hint=hint, node=name)

    def on(self, tape: Tape) -> list[Tensor]:
        """The steps of a tape behind which they are called."""
        return [node for node in tape.nodes if node.kind == "op" and node.name in self._hooks]

    def forward(self, tape: Tape, first: int, position: int, tokens: int) -> None:
        """Computes a tape from a node on, and calls them."""
        for node in self.on(tape):
            if node.id < first:
                continue
            tape.forward(tape.nodes[first], node)
            values: Any = node.data[0] if node.axes[0] == "batch" else node.data
            step = HookStep(node.name, values.shape, position, tokens)
            check_returned(node.name, values, self._hooks[node.name](values, step))
            first = node.id + 1
        if first < len(tape.nodes):
            tape.forward(tape.nodes[first])
