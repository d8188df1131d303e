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
from ._number import Unreadable, meant_by, read_number
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
    """Of one cell: 0, 0.5 or 1 point, and the sentence that a learner reads; empty without an answer."""

    points: float
    message: str


class Marks(NamedTuple):
    """Points of max, one per asked cell.

    findings: each message about what is not right once, at its first cell.
    """

    points: float
    max: int
    cells: dict[str, Mark]
    findings: list[tuple[str, str]]


class Problem:
    """A problem: in a notebook it shows itself; mark() marks what somebody wrote."""

    def __init__(self, variant: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        self._variant = variant
        self._told = told
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

        A number that follows from a wrong one before it is right; a known mistake is named.
        """
        if not isinstance(answers, Mapping):
            raise type_error("answers", where="mark: answers", given=answers)
        said = self._told["sentences"]
        read: dict[str, float] = {}
        unread: dict[str, str] = {}
        ids = {cell["cell"]: cell["id"] for cell in self._variant["cells"]}
        for name, answer in answers.items():
            where = f"mark: answers: {name}"
            if name not in ids:
                raise range_error("notAsked", where="mark: answers", value=name, hint=near(str(name), ids))
            if not isinstance(answer, str) and not is_number(answer):
                raise type_error("answerText", where=where, given=answer)
            number = read_number(answer if isinstance(answer, str) else repr(check_finite(where, answer)))
            if isinstance(number, Unreadable):
                unread[ids[name]] = said["unreadable"].replace("{at}", str(number.at + 1))
            elif number is not None:
                read[ids[name]] = meant_by(number, self.solution[name])
        marked = _marking.mark(self._variant, read, said, self._told["comma"])
        marked |= {cell: (0, message) for cell, message in unread.items()}
        cells = {name: Mark(*marked[cell]) for name, cell in ids.items()}
        findings: dict[str, str] = {}
        for name, (_, message) in cells.items():
            if message and message != said["right"]:
                findings.setdefault(message, name)
        points = sum(mark.points for mark in cells.values())
        return Marks(points, len(cells), cells, [(name, message) for message, name in findings.items()])


def exercise(recipe: str, *, seed: int = 1) -> Problem:
    """A problem of a recipe: exercise("weights", seed=2). recipes() has the names.

    >>> problem = exercise("scores", seed=1)
    >>> problem.mark(problem.solution).points == len(problem.asked)
    True
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
            return _read(archive.read(name).decode())
    except OSError as error:
        raise not_opened(file, error) from None
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise failure("GF_EFILE", "notOpened", where=str(file), reason=error) from None


def _read(text: str) -> list[Problem]:
    told = json.loads(text)
    return [Problem(variant, told) for variant in told["variants"]]


@cache
def _own() -> list[Problem]:
    return _read((_HERE / "exercises.json").read_text(encoding="utf-8"))


def _array(step: Mapping[str, Any]) -> NDArray[np.float64]:
    return np.array([float(number) for number in step["numbers"]]).reshape(step["shape"])
