"""Marks the cells of variants.json, following the learner's own numbers, as glassformer mark does.

A question for PrairieLearn is this file behind _number.py and _working.py. It calls `generate`, `parse` and
`grade`.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from ._number import NumberRead, Unreadable, agrees, counted_by, meant_by, read_number
from ._working import (
    Bands,
    Data,
    Machine,
    coarse_half,
    early_numbers,
    half_unit,
    slip_of,
    squares_first,
)

# Bands elsewhere than at the truth are computed for answers so many bands of the truth away from a number.
NEARBY = 100
# Fewer wrong cells of a step are a slip.
MANY = 2
# A step before was rounded too early, or the answer itself too far.
EARLY = 0.5
# The part of its points that a cell keeps which only follows from a wrong step.
FOLLOW = {"full": 1.0, "half": 0.5, "none": 0.0}
# Mistakes that leave out a step, which the learner may have worked out and not used.
SKIPPING = ("no-scaling", "scale-forgotten")
# Kinds of cells that are not quite right.
OFF = ("few", "down", "early", "misread", "fails")
# Different numbers of another variant that are more than chance; numbers, where every one of a sheet is; and
# their part of the numbers in which two variants differ.
LEAST, LEAST_OF_ALL, MOST = 8, 3, 0.6
# Cells of a sheet of which all may be the other variant's.
SHEET = 6
# Guesses at a number that was misread, and the parts of 1 that they are rounded to.
GUESSES, PARTS = 4, 100
# Units of the last digit that are cut off at most: one less than an exact number is an error.
CUT = 0.9999
# Slips that a known mistake makes, too.
COMMON = ("place", "before")
# States that say how an answer comes from what its own variant gives.
EXPLAINED = ("right", "misconception")
# Programs write so large a negative number for minus infinity.
HIDDEN = -1e4


class Answer(NamedTuple):
    """How an answer is written, and the number that it means."""

    read: NumberRead
    value: float


class CellMark(NamedTuple):
    """The state of a cell, the part of its points that it earns, and what follows there; whether that is
    another number than a right one."""

    state: str
    points: float
    follows: float = 0.0
    is_apart: bool = False


class Misread(NamedTuple):
    """A given number as a learner read it."""

    leaf: str
    at: int
    value: float


class Judged(NamedTuple):
    """A step as it is judged."""

    step: str
    failing: list[Data]
    mistake: str
    # Whether several known mistakes explain it as well as each other.
    is_unclear: bool
    is_stock: bool
    carries: bool
    is_wrong: bool


class Worth(NamedTuple):
    """What cells of a step earn that follow, or come from a mistake that was charged before; whether no cell
    before fails, the step's mistake was made in all of it, the step was computed from numbers that are not
    carried on, the sheet is one of stock answers."""

    part: float
    later: float
    is_all_right: bool
    is_throughout: bool
    is_worked: bool
    is_nothing: bool


class Explanation(NamedTuple):
    """What a mistake explains: cells that it alone makes, those that it would change, all, and whole rows;
    those that show it was not made there, where it was made apart; and what it makes of each step."""

    cells: set[str]
    against: set[str]
    fits: set[str]
    whole: set[str]
    apart: set[str]
    made: dict[str, list[float]]


def load(data: Data) -> Data:
    folder = data["options"]["question_path"]
    with open(os.path.join(folder, "variants.json"), encoding="utf-8") as file:
        whole: Data = json.load(file)
    return whole


def variant_of(data: Data) -> Data:
    # By what the learner sees: the file may have been replaced since.
    params = data["params"]
    variants: list[Data] = load(data)["variants"]
    for variant in variants:
        if all(variant[part] == params[part] for part in ("given", "asked")):
            return variant
    raise ValueError("variants.json no longer has the problem that the learner sees. Give out a new variant.")


def generate(data: Data) -> None:
    variants = load(data)["variants"]
    chosen = random.Random(int(str(data["variant_seed"]), 36)).randrange(len(variants))
    variant = variants[chosen]
    data["params"]["variant"] = chosen
    for part in ("given", "asked", "working"):
        data["params"][part] = variant[part]
    for cell in variant["cells"]:
        data["correct_answers"][cell["id"]] = cell["answer"]


def parse(data: Data) -> None:
    whole, variant = load(data), variant_of(data)
    steps = {step["name"]: step for step in variant["steps"]}
    for cell in variant["cells"]:
        name = cell["id"]
        read = read_answer(data["submitted_answers"].get(name) or "", steps[cell["step"]])
        if isinstance(read, Unreadable):
            data["format_errors"][name] = unreadable(whole, read)


def read_answer(text: str, step: Data) -> NumberRead | Unreadable | None:
    """The number in a text. Only a mask asks for minus infinity; from any other nothing can be computed."""
    read = read_number(text)
    if isinstance(read, NumberRead) and not math.isfinite(read.value):
        is_hidden = step.get("op") == "mask" and read.value < 0
        return read if is_hidden else Unreadable(0, "large")
    return read


def unreadable(whole: Data, read: Unreadable) -> str:
    """The sentence about an answer that is no number."""
    sentence = whole["sentences"][f"unreadable:{read.why}" if read.why else "unreadable"]
    return str(sentence).replace("{at}", str(read.at + 1))


def answers_in(variant: Data, texts: Mapping[str, Any], comma: bool) -> dict[str, Answer]:
    """What a learner wrote into each cell, as far as it is a number."""
    steps = {step["name"]: step for step in variant["steps"]}
    answers: dict[str, Answer] = {}
    for cell in variant["cells"]:
        text = texts.get(cell["id"]) or ""
        step = steps[cell["step"]]
        read = read_answer(text, step)
        if read is None or isinstance(read, Unreadable):
            continue
        if step.get("whole"):
            value = counted_by(read, text, "," if comma else ".")
        else:
            value = meant_by(read, float(cell["value"]))
        is_hidden = step.get("op") == "mask" and value <= HIDDEN
        answers[cell["id"]] = Answer(read, -math.inf if is_hidden else value)
    return answers


def is_trivial(x: float) -> bool:
    """Whether many sheets have a number without any arithmetic."""
    return x == -math.inf or agrees(x, 0, 0) or agrees(x, 1, 0)


def is_alike(numbers: list[float]) -> bool:
    return all(x == numbers[0] for x in numbers)


def is_stock(rows: list[list[float]]) -> bool:
    """Whether several numbers are one throughout, or one in each row, as equal weights are."""
    numbers = [x for row in rows for x in row]
    is_long = len(numbers) > 1 and is_alike(numbers)
    return all(map(is_alike, rows)) and (is_long or any(len(row) > 1 for row in rows))


def is_made_of(cells: list[tuple[int, float, float]], numbers: list[float]) -> bool:
    """Whether cells, by their places, answers and bands, have some numbers."""
    return all(agrees(answer, numbers[at], band) for at, answer, band in cells)


def near(given: float) -> list[float]:
    """Numbers that are easily read in place of one."""
    off = [1, -1] if given.is_integer() else [1, -1, 0.1, -0.1]
    return [x for x in (-given, *(given + by for by in off)) if x != given]


def read_as(
    given: float,
    made: Callable[[float], list[float]],
    follows: list[float],
    failing: list[tuple[int, float, float]],
) -> float | None:
    """What a given number was read as, if it explains all failing cells: places, answers and bands."""
    before, value, last = follows, -given if given else 1.0, given
    for _ in range(GUESSES):
        now = made(value)
        moved = [abs(now[at] - before[at]) for at, _, _ in failing]
        if not all(move > 0 for move in moved):
            return None
        if is_made_of(failing, now):
            return value
        at, answer, _ = failing[moved.index(max(moved))]
        slope = (now[at] - before[at]) / (value - last)
        last, before = value, now
        guess = value + (answer - now[at]) / slope
        if not math.isfinite(guess):
            return None
        value = math.floor(guess * PARTS + 0.5) / PARTS
        if value in (last, given):
            return None
    return None


def best_of(
    explains: dict[str, Explanation], step: set[str], here: set[str], off: set[str]
) -> tuple[str] | None:
    """The mistake that explains whole rows with most of a step's cells; of several, the one that explains
    most elsewhere, and then the one that fits most. None, where it would change more cells of the step than
    it explains; without a name, where two are as good."""
    ranked = []
    for name, (cells, against, fits, whole, _, _) in explains.items():
        some = len(cells & here & whole)
        if some and 2 * some >= len(here) and some >= len(against & step):
            ranked.append(((some, len(cells & off), len(fits)), name))
    if not ranked:
        return None
    ranked.sort(key=lambda one: one[0], reverse=True)
    is_unique = len(ranked) == 1 or ranked[0][0] != ranked[1][0]
    return (ranked[0][1] if is_unique else "",)


class Marking:
    """One learner's answers to a variant, as they are marked."""

    def __init__(self, variant: Data, answers: dict[str, Answer], is_listed: bool) -> None:
        # is_listed: whether the variants of others are known.
        self.variant, self.answers, self.is_listed = variant, answers, is_listed
        self.policy: Data = variant["policy"]
        self.machine = Machine(variant["steps"])
        asked = {cell["step"] for cell in variant["cells"]}
        # In the order of working, which is not that of asking where the end alone is asked.
        self.cells_of: dict[str, list[Data]] = {
            step["name"]: [] for step in variant["steps"] if step["name"] in asked
        }
        for cell in variant["cells"]:
            self.cells_of[cell["step"]].append(cell)
        self.written = {
            step: [cell for cell in cells if cell["id"] in answers] for step, cells in self.cells_of.items()
        }
        self.mistakes = {one["name"]: one for one in variant["mistakes"]}
        self.machines: dict[str, Machine] = {}
        self.alone: dict[str, dict[str, list[float]]] = {}
        self.blocked: set[str] = set()
        self.wrong: set[str] = set()
        # What steps come to if those that carry nothing are carried on all the same.
        self.loosely: dict[str, list[float]] = {}
        # Given numbers that were misread, by the first cell that shows it.
        self.misread: dict[str, Misread] = {}
        self.follows: dict[str, list[float]] = {}
        self.otherwise: dict[str, list[float]] = {}
        self.kinds: dict[str, str] = {}
        self.slips: dict[str, str] = {}
        self.named: dict[str, str] = {}
        self.explains: dict[str, Explanation] = {}
        self.bands: Bands | None = None

    def machine_of(self, mistake: Data) -> Machine:
        name = mistake["name"]
        if name not in self.machines:
            right = self.machine.by_name
            self.machines[name] = Machine(
                [right[step] if isinstance(step, str) else step for step in mistake["steps"]]
            )
        return self.machines[name]

    def row_of(self, cell: Data) -> str:
        shape = self.machine.by_name[cell["step"]]["shape"]
        return f"{cell['step']} {cell['at'] // shape[-1]}" if shape[-1] > 1 else str(cell["step"])

    # What follows from the learner's numbers.

    def carry(self, step: str, computed: list[float]) -> list[float]:
        cells = [] if step in self.blocked else self.written.get(step, [])
        if not cells:
            return computed
        numbers = list(computed)
        for cell in cells:
            numbers[cell["at"]] = self.answers[cell["id"]].value
        return numbers

    def run(self) -> None:
        self.bands = None
        self.follows = self.machine.run(self.carry, self.read_with([]))
        self.otherwise = {
            step["name"]: squares_first(self.machine.values["mean"][1], self.machine.values["centred"][1])
            for step in self.machine.steps
            if step.get("within") == "squares" and not step.get("fixed")
        }

    def read_with(self, more: list[Misread]) -> dict[str, list[float]]:
        """Given numbers, as far as they were misread."""
        leaves: dict[str, list[float]] = {}
        for leaf, at, value in [*self.misread.values(), *more]:
            numbers = leaves.setdefault(leaf, [float(x) for x in self.machine.by_name[leaf]["numbers"]])
            numbers[at] = value
        return leaves

    def is_misread(self, judged: Judged) -> bool:
        """Whether a given number that was misread explains what fails: the rest follows from it."""
        step, failing = judged.step, judged.failing
        answers = {cell["id"]: self.answers[cell["id"]].value for cell in self.written[step]}
        whole = self.explanation_of(judged.mistake).whole if judged.mistake else set()
        is_other = (
            judged.is_stock
            or judged.is_unclear
            or all(cell["id"] in whole or self.is_loose(cell) for cell in failing)
        )
        # One wrong cell may be any slip, unless steps behind it have the same misread number.
        behind = [
            cell
            for other, written in self.written.items()
            for cell in self.fails_in(written)
            if len(failing) < MANY and other != step
        ]
        is_few = not failing or len(failing) + len(behind) < MANY
        if is_few or is_other or self.is_behind(step, self.blocked):
            return False
        every, wrong = (
            [(cell["at"], answers[cell["id"]], cell["band"]) for cell in cells]
            for cells in (self.written[step], failing)
        )

        def explained(numbers: dict[str, list[float]]) -> int:
            """How many of the numbers behind come from it, too."""
            if not behind:
                return MANY
            return sum(
                agrees(self.answers[cell["id"]].value, numbers[cell["step"]][cell["at"]], cell["band"])
                for cell in behind
            )

        # A few numbers, or shares, may come from any: one beside the given number, or its sign, is plausible.
        is_near = len(failing) <= MANY or self.machine.by_name[step].get("op") == "softmax"
        best, most = None, 0
        for leaf in self.variant["copied"][step]:
            given = [float(x) for x in self.machine.by_name[leaf]["numbers"]]
            for at, number in enumerate(given):

                def run(value: float, leaf: str = leaf, at: int = at) -> dict[str, list[float]]:
                    return self.machine.run(self.carry, self.read_with([Misread(leaf, at, value)]))

                def made(value: float, run: Any = run) -> list[float]:
                    return list(run(value)[step])

                values = near(number) if is_near else [read_as(number, made, self.follows[step], wrong)]
                for value in values:
                    # Where the number was read rightly, it was not misread.
                    if value is None or not is_made_of(every, made(value)):
                        continue
                    count = explained(run(value))
                    if count > most:
                        best, most = Misread(leaf, at, value), count
        if best:
            self.misread[failing[0]["id"]] = best
            return True
        self.machine.run(self.carry, self.read_with([]))
        return False

    def is_loose(self, cell: Data) -> bool:
        """Whether a failing cell follows from the learner's numbers, which are not carried on."""
        numbers = self.loosely.get(cell["step"])
        answer = self.answers[cell["id"]].value
        return numbers is not None and agrees(answer, numbers[cell["at"]], cell["band"])

    def number_behind(self, cell: Data) -> float | None:
        """What an answer is that follows from the learner's others, in one of the ways that are taught."""
        step, at = cell["step"], cell["at"]
        answer = self.answers[cell["id"]].value
        ways = [self.follows[step][at]]
        if step in self.otherwise:
            ways.append(self.otherwise[step][at])
        for one in ways:
            if agrees(answer, one, cell["band"]):
                return one
            if not agrees(answer, one, NEARBY * cell["band"]):
                continue
            self.bands = self.bands or Bands(Machine(self.variant["steps"]), self.policy, self.carry)
            if agrees(answer, one, self.bands.at(step, at)):
                return one
        return None

    def kind_of(self, cell: Data) -> str:
        value = self.answers[cell["id"]].value
        if agrees(value, float(cell["value"]), cell["band"]):
            return "right"
        if cell["id"] in self.misread:
            return "misread"
        if self.number_behind(cell) is not None:
            return "follows"
        if self.cut_number(cell) is not None:
            return "few"
        return "down" if self.is_down(cell) else "fails"

    def is_down(self, cell: Data) -> bool:
        """Whether an answer is what remains where digits are cut off in place of rounding."""
        answer = self.answers[cell["id"]].value

        def is_cut(value: float) -> bool:
            off = (value - answer) * math.copysign(1, value)
            return 0 < off < CUT * 2 * half_unit(self.policy, value) and answer * value >= 0

        return is_cut(float(cell["value"])) or is_cut(self.follows[cell["step"]][cell["at"]])

    def cut_number(self, cell: Data) -> float | None:
        """The number that an answer is in too few digits. A 0 has as many as the rest of its row."""
        read, value = self.answers[cell["id"]]
        half = coarse_half(read, self.policy) if value else self.coarse_beside(cell)
        ways = (float(cell["value"]), self.follows[cell["step"]][cell["at"]])
        for one in ways:
            # What is rounded before moves a number as it does that of all digits.
            more = cell["band"] - half_unit(self.policy, one)
            if half and agrees(value, one, half + more):
                return one
        return None

    def coarse_beside(self, cell: Data) -> float:
        """Half a unit of a row's last digit, if all in it that are not 0 are right in too few digits."""
        row = [
            other
            for other in self.written[cell["step"]]
            if self.row_of(other) == self.row_of(cell) and self.answers[other["id"]].value
        ]
        reads = [self.answers[other["id"]].read for other in row if self.kind_of(other) != "fails"]
        halves = [coarse_half(read, self.policy) for read in reads]
        return min(halves, default=0.0) if len(halves) == len(row) else 0.0

    def slip(self, cell: Data) -> str:
        step = self.machine.by_name[cell["step"]]
        digits = self.policy.get("digits", 3)
        answer = self.answers[cell["id"]].value
        made = self.follows[cell["step"]]
        return slip_of(self.machine, step, cell["at"], answer, made, cell["band"], digits)

    def find_early(self, failing: list[Data]) -> None:
        ways = early_numbers(self.machine, self.policy, set(self.cells_of), self.carry)
        for cell in failing:
            read, answer = self.answers[cell["id"]]
            coarse = coarse_half(read, self.policy) if (read.significant or 0) > 1 else 0.0
            for numbers, within in ways.get(cell["step"], []):
                value = numbers[cell["at"]]
                half = max(coarse, half_unit(self.policy, value))
                if agrees(answer, value, half + within[cell["at"]]):
                    self.kinds[cell["id"]] = "early"
        # In a row where all else is wrong, 0 and 1 are no numbers that were rounded.
        for cell in [one for one in failing if self.is_chance(one)]:
            self.kinds[cell["id"]] = "fails"

    def is_chance(self, cell: Data) -> bool:
        """Whether an answer is called rounded too early by chance."""
        row = [one for one in self.written[cell["step"]] if self.row_of(one) == self.row_of(cell)]
        is_so = all(self.kinds[one["id"]] == ("early" if one is cell else "fails") for one in row)
        return len(row) > 1 and is_trivial(self.answers[cell["id"]].value) and is_so

    # What lies behind the cells that fail.

    def explanation_of(self, name: str) -> Explanation:
        if name in self.explains:
            return self.explains[name]

        def carry(step: str, computed: list[float]) -> list[float]:
            # Numbers that carry nothing are the right ones for a mistake, too.
            return self.follows[step] if step in self.blocked else self.carry(step, computed)

        mistake = self.mistakes[name]
        made = self.machine_of(mistake).run(carry)
        alone = self.alone_of(mistake)
        explanation = Explanation(set(), set(), set(), set(), set(), made)
        for step, written in self.written.items():
            self.compare(mistake, written, (made[step], alone[step]), explanation)
        self.explains[name] = explanation
        return explanation

    def alone_of(self, mistake: Data) -> dict[str, list[float]]:
        """What a mistake makes without the learner's numbers."""
        name = mistake["name"]
        if name not in self.alone:
            self.alone[name] = self.machine_of(mistake).run(lambda _, computed: computed)
        return self.alone[name]

    def may_be_apart(self, mistake: Data, written: list[Data]) -> bool:
        """Whether a mistake may be made of a step without the learner's numbers before it: what it changes
        first, or, where it leaves a step out, all behind that."""
        if not written or self.is_behind(written[0]["step"], self.blocked):
            return False
        return mistake["name"] in SKIPPING or mistake["changed"][:1] == [written[0]["step"]]

    def is_made_by(self, mistake: Data, cell: Data, value: float) -> bool:
        """Whether an answer is what a mistake makes."""
        answer, band = self.answers[cell["id"]].value, cell["band"]
        own = mistake["bands"].get(cell["cell"], band)
        near = agrees(answer, value, NEARBY * band)
        return agrees(answer, value, band) or (near and agrees(answer, value, own))

    def compare(
        self,
        mistake: Data,
        written: list[Data],
        ways: tuple[list[float], list[float]],
        explanation: Explanation,
    ) -> None:
        cells, against, fits, whole, apart, _ = explanation
        made, alone = ways

        def is_it(cell: Data, value: float) -> bool:
            return self.is_made_by(mistake, cell, value)

        def missed_in(some: list[Data], numbers: list[float]) -> set[str]:
            return {self.row_of(cell) for cell in some if not is_it(cell, numbers[cell["at"]])}

        missed = missed_in(written, made)
        # A whole row may come from the right numbers: then those before it are another slip.
        is_maybe = self.may_be_apart(mistake, written)
        left = [cell for cell in written if is_maybe and self.row_of(cell) in missed]
        broken = missed_in(left, alone) if left else missed
        is_apart = any(self.row_of(cell) not in broken for cell in left)
        for cell in written:
            name, row = cell["id"], self.row_of(cell)
            if is_apart and not is_it(cell, alone[cell["at"]]):
                apart.add(name)
            is_other = row in missed and row not in broken
            value = (alone if is_other else made)[cell["at"]]
            is_made = is_other or is_it(cell, value)
            if is_made:
                fits.add(name)
            if row not in broken:
                whole.add(name)
            if not agrees(value, self.follows[cell["step"]][cell["at"]], cell["band"]):
                (cells if is_made else against).add(name)

    # Steps.

    def look(self) -> list[Data]:
        """What is not quite right, as far as it is known which steps carry their numbers on."""
        self.explains = {}
        self.wrong = set()
        self.loosely = {}
        if self.blocked:
            blocked, self.blocked = self.blocked, set()
            self.run()
            self.loosely, self.blocked = self.follows, blocked
        self.run()
        written = [cell for cells in self.written.values() for cell in cells]
        self.kinds = {cell["id"]: self.kind_of(cell) for cell in written}
        failing = [cell for cell in written if self.kinds[cell["id"]] == "fails"]
        self.slips = {cell["id"]: self.slip(cell) for cell in failing}
        if failing:
            self.find_early(failing)
        return [cell for cell in written if self.kinds[cell["id"]] in OFF]

    def fails_in(self, cells: list[Data]) -> list[Data]:
        return [cell for cell in cells if self.kinds[cell["id"]] == "fails"]

    def judge(self, step: str, off: list[Data]) -> Judged:
        written = self.written[step]
        # What follows from the learner's own numbers is no other mistake.
        here = [
            cell
            for cell in off
            if cell["step"] == step and self.kinds[cell["id"]] != "misread" and not self.is_loose(cell)
        ]
        failing, is_lost = self.fails_in(written), self.is_behind(step, self.blocked)
        # Behind stock answers trivial numbers are no mistake, nor is what makes a part; nothing is a slip.
        wrong_here = self.fails_in(here)
        is_nothing = is_lost and all(is_trivial(self.answers[cell["id"]].value) for cell in wrong_here)
        best = None if is_nothing else self.mistake_in(written, here, wrong_here, off)
        is_made = best is not None and self.is_made(written, best[0])
        if is_lost and not is_made:
            best = None
        mistake, is_unclear = best[0] if best else "", best == ("",)
        whole = self.judged_with(step)
        wrong = self.fails_in(whole)
        is_wrong = is_unclear or 2 * len(wrong) >= len(whole) or self.is_throughout(step, mistake)
        if not failing or (len(wrong) < MANY and not is_lost):
            return Judged(step, failing, mistake, is_unclear, False, True, bool(mistake) and is_wrong)
        # Numbers that nobody computed may be by chance what a mistake makes of a part of them.
        if (is_lost or not is_made) and self.has_stock(written):
            return Judged(step, failing, "", is_unclear, True, False, is_wrong)
        slips = {self.slips[cell["id"]] for cell in failing}
        is_plausible = self.is_tied(step) or (len(slips) == 1 and slips.isdisjoint(("", *COMMON)))
        is_carried = is_plausible or (best is not None and not mistake) or self.may_carry(whole, mistake)
        carries = is_made or ((best is not None or not is_lost) and is_carried)
        return Judged(step, failing, mistake, is_unclear, False, carries, is_wrong)

    def judged_with(self, step: str) -> list[Data]:
        """The cells that a step is judged by: steps of one cell are judged together."""
        if len(self.written[step]) != 1:
            return self.written[step]
        return [cell for cells in self.written.values() if len(cells) == 1 for cell in cells]

    def asked_before(self, name: str) -> list[str]:
        """The asked steps that a step is computed from."""
        of = self.machine.by_name[name].get("of", [])
        return [step for one in of for step in ([one] if self.cells_of.get(one) else self.asked_before(one))]

    def is_tied(self, step: str) -> bool:
        """Whether what a step is computed from is the learner's own work, which its numbers are tied to,
        however it was done. From nothing but 0 and 1 the next step needs no arithmetic."""
        before = self.asked_before(step)
        is_rich = not all(is_trivial(self.answers[cell["id"]].value) for cell in self.written[step])
        is_own = all(self.written[one] and one not in self.wrong for one in before)
        return bool(before) and is_rich and is_own

    def telling_in(self, cells: list[Data]) -> list[Data]:
        """The cells that need arithmetic; all, if none does."""
        telling = [cell for cell in cells if not is_trivial(self.follows[cell["step"]][cell["at"]])]
        return telling or cells

    def may_carry(self, cells: list[Data], mistake: str) -> bool:
        """Whether what follows is computed from a step's numbers: at least half of those that need arithmetic
        are computed, by the learner's own way or with a mistake."""
        whole = self.explanation_of(mistake).whole if mistake else set()
        every = self.telling_in(cells)

        def is_own(cell: Data) -> bool:
            # What a mistake makes is 0 or 1 by chance, too.
            is_computed = not is_trivial(self.answers[cell["id"]].value)
            return is_computed and (self.kinds[cell["id"]] != "fails" or cell["id"] in whole)

        own = [cell for cell in every if is_own(cell)]
        return 2 * len(own) >= len(every) and self.has_arithmetic(cells)

    def is_made(self, written: list[Data], mistake: str) -> bool:
        """Whether a mistake makes every number of a step."""
        return bool(mistake) and {cell["id"] for cell in written} <= self.explanation_of(mistake).whole

    def mistake_in(
        self, written: list[Data], here: list[Data], failing: list[Data], off: list[Data]
    ) -> tuple[str] | None:
        if not here:
            return None
        is_one = len(here) == 1 and len(failing) == 1 and len(written) > 1
        if is_one and self.slips[here[0]["id"]] not in ("", "place", "before"):
            return None
        ids = [{cell["id"] for cell in cells} for cells in (written, failing or here, off)]
        # Rounding makes a row of 0 and 1, too.
        is_telling = not all(is_trivial(self.answers[cell["id"]].value) for cell in here)
        is_telling = is_telling or len(set(map(self.row_of, here))) > 1
        changing = [
            name
            for name, one in self.mistakes.items()
            if here[0]["step"] in one["changed"]
            and not self.is_refuted(name, here[0]["step"])
            and (failing or (is_telling and all(self.is_sharp(name, cell) for cell in here)))
        ]
        best = best_of({name: self.explanation_of(name) for name in changing}, *ids)
        return best if failing or (best and best[0]) else None

    def is_refuted(self, name: str, step: str) -> bool:
        """Whether a step before shows that a mistake was not made: it would change that, where nothing is
        wrong but for its digits."""
        changed = self.mistakes[name]["changed"]
        explanation = self.explanation_of(name)
        alone = self.alone_of(self.mistakes[name])
        for before in changed[1:] if name in SKIPPING else changed:
            if not self.is_behind(step, {before}) or self.named.get(before) == name:
                continue
            written = self.written.get(before, [])
            ids = {cell["id"] for cell in written}
            if any(self.kinds[one] == "fails" for one in ids):
                continue
            if ids & (explanation.against | explanation.cells):
                return True
            made = [self.is_made_by(self.mistakes[name], cell, alone[before][cell["at"]]) for cell in written]
            if name in SKIPPING and not all(made):
                return True
        return False

    def is_sharp(self, name: str, cell: Data) -> bool:
        """Whether a mistake makes an answer to the last digit that is asked; a single number of fewer digits,
        if it has no more itself."""
        is_few = self.kinds[cell["id"]] == "few"
        if is_few and len(self.cells_of[cell["step"]]) > 1:
            return False
        made = self.explanation_of(name).made[cell["step"]][cell["at"]]
        half = 0 if is_few else half_unit(self.policy, made)
        return agrees(self.answers[cell["id"]].value, made, half)

    def has_arithmetic(self, cells: list[Data]) -> bool:
        """Whether a step has a number that the learner computed rightly."""
        is_single = len({cell["step"] for cell in cells}) > 1
        kinds = [self.kinds[cell["id"]] for cell in self.telling_in(cells)]
        return "right" in kinds if is_single else any(kind != "fails" for kind in kinds)

    def has_stock(self, written: list[Data]) -> bool:
        """Whether most of what needs arithmetic in a step is wrong, and all of it one number throughout, or
        in each row."""
        rows: dict[str, list[float]] = {}
        for cell in written:
            if not cell.get("free"):
                rows.setdefault(self.row_of(cell), []).append(self.answers[cell["id"]].value)
        telling = self.telling_in(written)
        wrong = [cell for cell in self.fails_in(telling) if not self.is_loose(cell)]
        return 2 * len(wrong) > len(telling) and is_stock(list(rows.values()))

    def is_behind(self, name: str, others: set[str]) -> bool:
        """Whether a step is computed, by whatever way, from one of others."""
        step = self.machine.by_name[name]
        return bool(others) and any(of in others or self.is_behind(of, others) for of in step.get("of", []))

    def settled(self) -> list[Judged]:
        """Judges every step, from the first on again once it is known that one carries nothing, or comes from
        what was misread."""
        while True:
            off = self.look()
            judged: list[Judged] = []
            for step in self.written:
                one = self.judge(step, off)
                judged.append(one)
                self.named[step] = one.mistake
                if one.is_wrong:
                    self.wrong.add(step)
                if step in self.blocked:
                    continue
                if self.is_misread(one):
                    break
                if not one.carries:
                    self.blocked.add(step)
                    break
            else:
                return judged

    # Marks.

    def marks(self) -> dict[str, CellMark]:
        judged = self.settled()
        wrong = {one.step for one in judged if one.is_wrong and one.step not in self.blocked}
        follow = FOLLOW[self.variant["follow"]]
        is_nothing = self.is_stock_sheet(judged)
        worked = self.worked(judged)
        charged: dict[str, str] = {}
        marks: dict[str, CellMark] = {}
        is_all_right = True
        for one in judged:
            home = self.home_of(one.mistake, one.step) if one.mistake else one.step
            first = charged.setdefault(one.mistake, home) if one.mistake else one.step
            is_later = first != one.step
            is_throughout = self.is_throughout(one.step, one.mistake)
            is_void = is_nothing or one.is_stock or (not is_later and is_throughout)
            part = follow if self.is_behind(one.step, wrong) else 1.0
            for cell in self.cells_of[one.step]:
                later, is_worked = follow if is_later else 0.0, one.step in worked
                worth = Worth(part, later, is_all_right, is_throughout, is_worked, is_nothing)
                mark = self.mark_of(cell, one, worth)
                marks[cell["id"]] = mark._replace(points=0.0) if is_void else mark
                is_all_right = is_all_right and self.kinds.get(cell["id"]) not in OFF
        if not is_nothing:
            self.tell_apart(judged, marks)
        return marks

    def worked(self, judged: list[Judged]) -> set[str]:
        """The steps behind numbers that are not carried on which were computed from these all the same: most
        of what is wrong in them follows, in several numbers that differ. Nothing is computed from stock
        answers, or from 0 and 1 alone. They may be a neighbour's, unless one of them reads numbers of this
        sheet, or it is known what neighbours have."""

        def value(cell: Data) -> float:
            return self.answers[cell["id"]].value

        def is_worked(step: str) -> bool:
            wrong = [cell for cell in self.fails_in(self.judged_with(step)) if not is_trivial(value(cell))]
            loose = [value(cell) for cell in wrong if self.is_loose(cell)]
            is_most = len(set(loose)) >= MANY and 2 * len(loose) >= len(wrong)
            return is_most and not self.is_behind(step, empty)

        empty = {
            one.step
            for one in judged
            if one.is_stock or all(is_trivial(value(cell)) for cell in self.written[one.step])
        }
        steps = [step for step in self.written if is_worked(step)]
        own = {step for step in steps if self.is_listed or self.reads_own(step)}
        behind = {step for step in steps if self.is_behind(step, own)}
        return own | behind | {step for step in steps if any(self.is_behind(one, {step}) for one in own)}

    def reads_own(self, step: str) -> bool:
        """Whether a step reads numbers in which another variant's sheet would differ: several that are given,
        not all 0 and 1, or a step that is neither wrong nor behind a wrong one."""
        leaves = [self.machine.by_name[leaf]["numbers"] for leaf in self.variant["copied"][step]]
        is_given = any(len(one) > 1 and not all(is_trivial(float(x)) for x in one) for one in leaves)
        before = [one for one in self.asked_before(step) if self.written[one] and one not in self.wrong]
        return is_given or not all(self.is_behind(one, self.wrong) for one in before)

    def home_of(self, mistake: str, step: str) -> str:
        """Where a mistake is charged: where it was found, or in the step in which it is made, if that was
        left empty."""
        changed = self.mistakes[mistake]["changed"]
        home = next((one for one in changed if self.cells_of.get(one)), step)
        return step if self.written.get(home) else home

    def tell_apart(self, judged: list[Judged], marks: dict[str, CellMark]) -> None:
        """Says of right numbers behind a wrong step what the learner's own would give, where that is another
        number: they earn no more than what follows."""
        wrong = {one.step for one in judged if one.is_wrong}
        behind = [written for step, written in self.written.items() if self.is_behind(step, wrong)]
        right = [cell for written in behind for cell in written if self.kinds[cell["id"]] == "right"]
        if not right:
            return
        self.blocked = set()
        self.run()
        for cell in right:
            value = self.follows[cell["step"]][cell["at"]]
            if self.number_behind(cell) is None and not math.isnan(value):
                mark = marks[cell["id"]]
                part = min(mark.points, FOLLOW[self.variant["follow"]])
                marks[cell["id"]] = mark._replace(points=part, follows=value, is_apart=True)

    def is_throughout(self, step: str, mistake: str) -> bool:
        """Whether a mistake was made in all of a step: no cell of it shows that the learner knows better."""
        if not mistake:
            return False
        one = self.explanation_of(mistake)
        return not any(cell["id"] in one.against | one.apart for cell in self.written[step])

    def is_stock_sheet(self, judged: list[Judged]) -> bool:
        """Whether the sheet is one number throughout, not right; or each step, and half of one is wrong."""
        steps = [
            [x for x in (self.answers[cell["id"]].value for cell in cells) if x != -math.inf]
            for cells in self.written.values()
        ]
        numbers = [x for step in steps for x in step]
        is_one = all(is_alike(step) and (len(step) > 1 or all(map(is_trivial, step))) for step in steps)
        is_many = len(self.answers) > MANY
        parts = [len(one.failing) / max(1, len(self.written[one.step])) for one in judged]
        is_sheet = any(part > 0 for part in parts) and is_alike(numbers)
        return is_many and (is_sheet or (any(part >= 0.5 for part in parts) and is_one))

    def mark_of(self, cell: Data, judged: Judged, worth: Worth) -> CellMark:
        part, later, is_all_right, is_throughout, is_worked, is_nothing = worth
        name = cell["id"]
        if name not in self.answers:
            return CellMark("empty", 0)
        kind = self.kinds[name]
        if kind == "right" or (kind == "follows" and is_all_right):
            return CellMark("right", 1)
        if kind == "misread":
            return CellMark("misread", 0)
        if kind == "follows":
            return CellMark("carried", part, self.number_behind(cell) or 0.0)
        if is_nothing or judged.is_stock:
            return CellMark("stock", 0)
        if kind == "fails" and self.is_loose(cell):
            points = FOLLOW[self.variant["follow"]] if is_worked else 0.0
            return CellMark("loose", points, self.loosely[cell["step"]][cell["at"]])
        is_made = judged.mistake and name in self.explanation_of(judged.mistake).whole
        if is_made and (kind != "few" or is_throughout):
            return CellMark(f"misconception:{judged.mistake}", later)
        if kind == "few":
            return CellMark("few-digits", EARLY, self.cut_number(cell) or 0.0)
        if kind == "early":
            return CellMark("early-rounding", EARLY)
        if kind == "down":
            return CellMark("rounded-down", EARLY)
        slip = "" if self.is_guess(judged) else self.slips[name]
        return CellMark(f"slip:{slip}" if slip else "wrong", 0)

    def is_guess(self, judged: Judged) -> bool:
        """Whether a slip in a step would be a guess: most of its numbers are wrong, in more than one way."""
        whole = self.explanation_of(judged.mistake).whole if judged.mistake else set()
        left = [cell["id"] for cell in judged.failing if cell["id"] not in whole]
        is_most = len(left) > MANY and 2 * len(left) > len(self.written[judged.step])
        return is_most and len({self.slips[one] for one in left}) > 1


class Telling(NamedTuple):
    """A number in which two variants differ: whether it is the other one's, or comes from what its own gives,
    or from the learner's own numbers before it."""

    step: str
    is_theirs: bool
    is_ours: bool
    is_carried: bool
    answer: float


def theirs_in(counts: list[Telling], is_copied: bool) -> list[Telling]:
    """The numbers that are the other variant's; none if these are not most, or not more than what their own
    explains. is_copied: whether steps before are the other variant's."""
    theirs = [one for one in counts if one.is_theirs]
    ours = [one for one in counts if one.is_ours or (one.is_carried and not is_copied)]
    return theirs if len(theirs) > len(ours) and len(theirs) >= MOST * len(counts) else []


def evidence_of(theirs: list[Telling]) -> int:
    """How many numbers are the other variant's; 0 if few of them differ. Any sheet may have 0 and 1."""
    different = {one.answer for one in theirs if not is_trivial(one.answer)}
    return len(theirs) if len(different) >= LEAST else 0


def steps_of(counts: list[Telling], is_sheet: bool) -> tuple[int, set[str] | None]:
    """The steps that are the other variant's, None for all, or some behind own ones; and how many numbers."""
    every = theirs_in(counts, False)
    is_all = is_sheet and len(every) == len(counts) >= LEAST_OF_ALL
    whole = len(every) if is_all else evidence_of(every)
    if whole:
        return whole, None
    telling = [one for one in counts if not is_trivial(one.answer)]
    parts: list[Telling] = []
    for step in dict.fromkeys(one.step for one in telling):
        parts += theirs_in([one for one in telling if one.step == step], bool(parts))
    return evidence_of(parts), {one.step for one in parts}


def other_variant(
    variant: Data, answers: dict[str, Answer], marks: Mapping[str, CellMark], variants: list[Data]
) -> tuple[Data, set[str] | None] | None:
    """The variant that answers are of, if it explains more of them than their own does; and the steps that
    are, None for all."""
    cells = [cell for cell in variant["cells"] if cell["id"] in answers]

    def fits(cell: Data, x: float) -> bool:
        return agrees(x, float(cell["value"]), cell["band"])

    right = {cell["id"] for cell in cells if fits(cell, answers[cell["id"]].value)}
    best: tuple[Data, set[str] | None] | None = None
    most = 0
    if len(cells) - len(right) < LEAST_OF_ALL:
        return None
    for other in variants:
        if other["seed"] == variant["seed"] or any(other[key] != variant[key] for key in ("recipe", "level")):
            continue
        theirs = {cell["cell"]: cell for cell in other["cells"]}
        if any(cell["cell"] not in theirs for cell in cells):
            continue
        counts = [
            Telling(
                cell["step"],
                fits(theirs[cell["cell"]], answers[cell["id"]].value),
                marks[cell["id"]].state.startswith(EXPLAINED),
                marks[cell["id"]].state == "carried" and marks[cell["id"]].points == 1,
                answers[cell["id"]].value,
            )
            for cell in cells
            if not fits(theirs[cell["cell"]], float(cell["value"]))
        ]
        n, steps = steps_of(counts, len(cells) >= SHEET)
        if n > most:
            best, most = (other, steps), n
    return best


def mark(
    variant: Data, answers: dict[str, Answer], variants: list[Data]
) -> tuple[dict[str, CellMark], int | None]:
    """The mark of each cell, and the seed of the variant that the answers are of, if it is another one."""
    marks = Marking(variant, answers, len(variants) > 1).marks()
    best = other_variant(variant, answers, marks, variants)
    if best is None:
        return marks, None
    other, steps = best
    theirs = {cell["cell"]: cell for cell in other["cells"]}
    for cell in variant["cells"]:
        name = cell["id"]
        if name not in answers or (steps is not None and cell["step"] not in steps):
            continue
        value, two = answers[name].value, theirs[cell["cell"]]
        is_theirs = agrees(value, float(two["value"]), two["band"])
        is_right = agrees(value, float(cell["value"]), cell["band"])
        if is_theirs and not is_right:
            marks[name] = CellMark("variant", 0, 1.0 + variants.index(other))
        elif is_theirs or not is_right:
            marks[name] = marks[name]._replace(points=0)
    return marks, int(other["seed"])


def points_of(variant: Data, marks: Mapping[str, CellMark]) -> dict[str, tuple[float, float]]:
    """The points of each step, and how many there are: its cells are equal parts of them. What needs no
    arithmetic has none, but counts where it is not right."""
    steps: dict[str, tuple[float, float]] = {}
    for step, most in variant["points"].items():
        cells = [(cell, marks[cell["id"]].points) for cell in variant["cells"] if cell["step"] == step]
        parts = [points for cell, points in cells if not cell.get("free") or points < 1]
        steps[step] = (hundredths(most * sum(parts) / len(parts)) if parts else most, most)
    return steps


def hundredths(points: float) -> float:
    return math.floor(100 * points + 0.5) / 100


def shown(x: float, comma: bool, decimals: int | None) -> str:
    """A number as sentences have it, with so many decimals; halves are rounded up."""
    if decimals is None or not math.isfinite(x):
        text = f"{x:.6g}"
    else:
        text = f"{Decimal(x).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    text = text.replace("-", "−").replace("inf", "∞")  # noqa: RUF001
    return text.replace(".", ",") if comma else text


def message_of(whole: Data, variant: Data, cell: Data, cell_mark: CellMark) -> str:
    """The sentence that a learner reads; empty without an answer."""
    state, points, follows, is_apart = cell_mark
    said = whole["sentences"]
    if state == "empty":
        return ""
    if state == "right" and not points:
        return str(said["chance"])
    kind, _, name = state.partition(":")
    sentence: str = whole["mistakes"][name] if kind == "misconception" else said[state]
    if is_apart:
        sentence = said["apart"]
    if state == "loose" and points:
        sentence = said["carried"]
    if state == "carried" or (state == "loose" and points) or (is_apart and points < 1):
        sentence += " " + said["all" if points == 1 else "half" if points else "none"]
    number = shown(follows, whole["comma"], variant["policy"].get("digits"))
    sentence = sentence.replace("{follows}", number)
    return sentence.replace("{n}", str(int(follows)))


def grade(data: Data) -> None:
    whole = load(data)
    variant = variant_of(data)
    answers = answers_in(variant, data["submitted_answers"], whole["comma"])
    marks, _ = mark(variant, answers, whole["variants"])
    findings = []
    for cell in variant["cells"]:
        cell_mark = marks[cell["id"]]
        data["partial_scores"][cell["id"]] = {"score": cell_mark.points, "weight": 1}
        text = message_of(whole, variant, cell, cell_mark)
        if text and text != whole["sentences"]["right"]:
            findings.append({"cell": cell["cell"], "text": text})
    data["feedback"]["findings"] = findings
    steps = points_of(variant, marks)
    data["score"] = sum(points for points, _ in steps.values()) / sum(most for _, most in steps.values())
