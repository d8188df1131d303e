"""Problems to be solved by hand, and their marking.

The marker and the data are those of questions for PrairieLearn. A problem carries its own numbers, bands and
steps: nothing of a recipe is computed here but what follows from a learner's own numbers.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _marking
from ._number import Unreadable, read_number
from .errors import (
    check_finite,
    check_integer,
    check_path,
    check_word,
    failure,
    is_number,
    near,
    not_opened,
    range_error,
    type_error,
)

_HERE = Path(__file__).parent
_INPUT = re.compile(r'<pl-string-input [^>]*aria-label="([^"]*)"[^>]*></pl-string-input>')


class Mark(NamedTuple):
    """Of one cell: the part of its points that it earns, the sentence that a learner reads, and its state.

    Without an answer the sentence is empty. States are those of JavaScript's marks: "right", "carried", ...
    """

    points: float
    message: str
    state: str


class Marks(NamedTuple):
    """Points of max; steps has both for each step, of whose points the cells are equal parts.

    findings: each message about what is not right once, at its first cell.
    variant: the seed of the variant that the answers are of, if it is another one.
    """

    points: float
    max: float
    steps: dict[str, tuple[float, float]]
    cells: dict[str, Mark]
    findings: list[tuple[str, str]]
    variant: int | None


class Problem:
    """A problem: in a notebook it shows itself; mark() marks what somebody wrote."""

    def __init__(self, variant: dict[str, Any], told: dict[str, Any], together: list[dict[str, Any]]) -> None:
        self._variant = variant
        self._told = told
        # The variants that were given out together.
        self._together = together
        self.recipe: str = variant["recipe"]
        self.seed: int = variant["seed"]

    def __repr__(self) -> str:
        return f"<{self.recipe}, seed {self.seed}: {len(self.asked)} cells>"

    def _repr_html_(self) -> str:
        asked = _INPUT.sub(lambda found: f"<code>{found[1]}</code>", self._variant["asked"])
        return self._variant["given"] + asked

    @property
    def given(self) -> dict[str, NDArray[np.float64]]:
        """What the problem gives, by name."""
        steps = self._variant["steps"]
        asked = {cell["step"] for cell in self._variant["cells"]}
        first = next(i for i, step in enumerate(steps) if step["name"] in asked)
        return {step["name"]: _array(step) for step in steps[:first] if step.get("fixed")}

    @property
    def asked(self) -> list[str]:
        """The names of the cells to be filled in: 'scores[0,1]', ..."""
        return [cell["cell"] for cell in self._variant["cells"]]

    @property
    def solution(self) -> dict[str, float]:
        """The right number of each cell."""
        return {cell["cell"]: float(cell["value"]) for cell in self._variant["cells"]}

    def mark(self, answers: Mapping[str, Any]) -> Marks:
        """Marks what a learner wrote, by cell: texts such as "1.33", "4/3", "2/√2", or numbers.

        What follows from a slip is right, and from a wrong step half right; a known mistake is named.
        """
        if not isinstance(answers, Mapping):
            raise type_error("answers", where="mark: answers", given=answers)
        ids = {cell["cell"]: cell["id"] for cell in self._variant["cells"]}
        texts: dict[str, str] = {}
        for name, answer in answers.items():
            where = f"mark: answers: {name}"
            if name not in ids:
                raise range_error("notAsked", where="mark: answers", value=name, hint=near(str(name), ids))
            if not isinstance(answer, str) and not is_number(answer):
                raise type_error("answerText", where=where, given=answer)
            texts[ids[name]] = answer if isinstance(answer, str) else repr(check_finite(where, answer))
        read = _marking.answers_in(self._variant, texts, self._told["comma"])
        marked, variant = _marking.mark(self._variant, read, self._together)
        cells = {
            cell["cell"]: self._mark_of(cell, marked[cell["id"]], texts) for cell in self._variant["cells"]
        }
        findings: dict[str, str] = {}
        for name, (_, message, _state) in cells.items():
            if message and message != self._told["sentences"]["right"]:
                findings.setdefault(message, name)
        steps = _marking.points_of(self._variant, marked)
        points, most = (_marking.hundredths(sum(one[i] for one in steps.values())) for i in (0, 1))
        found = [(name, message) for message, name in findings.items()]
        return Marks(points, most, steps, cells, found, variant)

    def _mark_of(self, cell: dict[str, Any], marked: _marking.CellMark, texts: Mapping[str, str]) -> Mark:
        number = read_number(texts.get(cell["id"], ""))
        if isinstance(number, Unreadable):
            return Mark(0, _marking.unreadable(self._told, number), "unreadable")
        message = _marking.message_of(self._told, self._variant, cell, marked)
        return Mark(marked.points, message, marked.state)


def exercise(recipe: str, *, seed: int = 1) -> Problem:
    """A problem of a recipe: exercise("weights", seed=2). recipes() has the names.

    >>> problem = exercise("scores", seed=1)
    >>> problem.mark(problem.solution).points
    9.0
    """
    check_word("exercise: recipe", recipe, recipes())
    check_integer("exercise: seed", seed, 0, 2**32 - 1)
    for problem in _own():
        if (problem.recipe, problem.seed) == (recipe, seed):
            return problem
    raise range_error("notWritten", where="exercise: seed", given=seed)


def recipes() -> list[str]:
    """What there are exercises about, in the order of teaching."""
    return list(dict.fromkeys(problem.recipe for problem in _own()))


def quiz(file: str | Path) -> list[Problem]:
    """The problems of a file that `glassformer quiz RECIPE --format prairielearn` wrote.

    Any recipe, level, rounding and seed; the texts in the language that was asked for.
    """
    path = check_path("quiz", file)
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith("/variants.json"))
            told = json.loads(archive.read(name).decode())
        return [Problem(variant, told, told["variants"]) for variant in told["variants"]]
    except OSError as error:
        raise not_opened(file, error) from None
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise failure("GF_EFILE", "notOpened", where=str(file), reason=error) from None


@cache
def _own() -> list[Problem]:
    told = json.loads((_HERE / "exercises.json").read_text(encoding="utf-8"))
    return [Problem(variant, told, []) for variant in told["variants"]]


def _array(step: Mapping[str, Any]) -> NDArray[np.float64]:
    return np.array([float(number) for number in step["numbers"]]).reshape(step["shape"])
