"""How a problem is worked out: its steps, how far a rounded number may be off, and small slips.

bindings/learn/exercises/ does the same in JavaScript. The standard library is enough: questions for
PrairieLearn contain this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ._number import agrees

# A part of variants.json.
Data = dict[str, Any]
# A shape, and flat numbers.
Array = tuple[list[int], list[float]]
# What becomes of a step's numbers before the next step reads them.
Change = Callable[[str, list[float]], list[float]]

# Step of the central differences that differentiate a step.
STEP = 2.0**-12
# Powers of e that are rounded are not taken of numbers below this.
LEAST_POWER = 4
# What float32 may do to a number.
FLOAT32 = 4e-7
# The same, where two ways of several steps compute it.
FLOAT32_WAYS = 1.6e-6
# Half of a unit.
HALF = 0.5
# What a hair's breadth below a half counts as one.
HAIR = 1e-6
# A row of so many numbers has something to weigh up.
SEVERAL = 2
# The axes of numbers that lie in heads.
OF_HEADS = 3
# e to this is more than a float holds.
LARGEST_POWER = 709


def rows_of(numbers: list[float], width: int) -> list[list[float]]:
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


# As floats are computed: what has no value is no error, and spoils no other cell.


def log(x: float) -> float:
    return math.log(x) if x > 0 else math.nan if x else -math.inf


def root(x: float) -> float:
    return math.sqrt(x) if x >= 0 else math.nan


def exp(x: float) -> float:
    return math.exp(x) if x < LARGEST_POWER else math.inf


def over(a: float, b: float) -> float:
    if b:
        return a / b
    return math.copysign(math.inf, a) if a else math.nan


# The steps of the recipes, and those of mistakes. Each takes shapes and flat numbers, and gives flat numbers.


def product(a: Array, b: Array, transposed: bool) -> list[float]:
    (shape_a, x), (shape_b, y) = a, b
    depth, high = shape_a[-1], shape_a[-2] if len(shape_a) > 1 else 1
    wide = shape_b[-2] if transposed else shape_b[-1]
    heads = len(x) // (depth * high)
    size = len(y) // heads if len(shape_b) == OF_HEADS else 0
    made: list[float] = []
    for head in range(heads):
        other = rows_of(y[head * size : head * size + depth * wide], depth if transposed else wide)
        for row in rows_of(x[head * high * depth : (head + 1) * high * depth], depth):
            for j in range(wide):
                column = other[j] if transposed else [line[j] for line in other]
                made.append(sum(p * q for p, q in zip(row, column, strict=True)))
    return made


def linear(step: Data, x: Array, w: Array, b: Array | None = None) -> list[float]:
    made = product(x, w, False)
    return [y + b[1][i % len(b[1])] for i, y in enumerate(made)] if b else made


def softmax_row(row: list[float]) -> list[float]:
    if any(map(math.isnan, row)):
        return [math.nan] * len(row)
    most = max(row)
    if most == -math.inf:
        return [0.0] * len(row)
    powers = [math.exp(one - most) for one in row]
    return [power / sum(powers) for power in powers]


def softmax(step: Data, x: Array) -> list[float]:
    return [y for row in rows_of(x[1], x[0][-1]) for y in softmax_row(row)]


def softmax_over_all(step: Data, x: Array) -> list[float]:
    return [y for row in rows_of(x[1], x[0][-1] * x[0][-2]) for y in softmax_row(row)]


def without_powers(step: Data, x: Array) -> list[float]:
    made: list[float] = []
    for row in rows_of([0.0 if one == -math.inf else one for one in x[1]], x[0][-1]):
        # Scores that cancel out leave float32's roundings, by which nothing is divided.
        least = FLOAT32_WAYS * sum(map(abs, row))
        made += [one / sum(row) if abs(sum(row)) > least else math.nan for one in row]
    return made


def added(step: Data, a: Array, b: Array) -> list[float]:
    return [p + b[1][i % len(b[1])] for i, p in enumerate(a[1])]


def added_by_row(step: Data, a: Array, b: Array) -> list[float]:
    return [p + b[1][i // len(b[1])] for i, p in enumerate(a[1])]


def element_gradients(step: Data, weights: Array, gradients: Array) -> list[float]:
    return [g * w * (1 - w) for w, g in zip(weights[1], gradients[1], strict=True)]


def adam_update(step: Data, m: Array, v: Array, eps: Array) -> list[float]:
    return [over(one, root(two) + eps[1][0]) for one, two in zip(m[1], v[1], strict=True)]


def concatenated(step: Data, x: Array) -> list[float]:
    heads, rows, width = x[0]
    return [
        x[1][(head * rows + row) * width + j]
        for row in range(rows)
        for head in range(heads)
        for j in range(width)
    ]


def averaged_heads(step: Data, x: Array) -> list[float]:
    heads, rows, width = x[0]
    return [
        sum(x[1][(head * rows + row) * width + j] for head in range(heads)) / heads
        for row in range(rows)
        for _ in range(heads)
        for j in range(width)
    ]


def split(step: Data, x: Array) -> list[float]:
    heads, rows, width = step["shape"]
    return [
        x[1][(row * heads + head) * width + j]
        for head in range(heads)
        for row in range(rows)
        for j in range(width)
    ]


def transposed(step: Data, x: Array) -> list[float]:
    high, wide = x[0][-2:]
    return [
        head[i * wide + j] for head in rows_of(x[1], high * wide) for j in range(wide) for i in range(high)
    ]


def masked(step: Data, x: Array, mask: Array) -> list[float]:
    return [one if mask[1][i % len(mask[1])] else -math.inf for i, one in enumerate(x[1])]


def zeroed(step: Data, x: Array, mask: Array) -> list[float]:
    return [one * mask[1][i % len(mask[1])] for i, one in enumerate(x[1])]


def copied(step: Data, x: Array, *others: Array) -> list[float]:
    return x[1]


def normalised(step: Data, centred: Array, variance: Array, gain: Array, bias: Array) -> list[float]:
    width = len(gain[1])
    return [
        over(one, root(variance[1][i // width])) * gain[1][i % width] + bias[1][i % width]
        for i, one in enumerate(centred[1])
    ]


def without_root(step: Data, centred: Array, variance: Array, gain: Array, bias: Array) -> list[float]:
    width = len(gain[1])
    return [
        over(one, variance[1][i // width]) * gain[1][i % width] + bias[1][i % width]
        for i, one in enumerate(centred[1])
    ]


def normalised_columns(step: Data, x: Array, gain: Array, bias: Array) -> list[float]:
    width = len(gain[1])
    made = list(x[1])
    for j in range(width):
        column = x[1][j::width]
        mean = sum(column) / len(column)
        deviation = math.sqrt(sum((one - mean) ** 2 for one in column) / len(column))
        for i, one in enumerate(column):
            plain = (one - mean) / deviation if deviation else 0.0
            made[i * width + j] = plain * gain[1][j] + bias[1][j]
    return made


def label_losses(step: Data, probabilities: Array, labels: Array) -> list[float]:
    rows = rows_of(probabilities[1], len(probabilities[1]) // len(labels[1]))
    return [-log(row[int(label)]) for row, label in zip(rows, labels[1], strict=True)]


def target_losses(step: Data, probabilities: Array, targets: Array) -> list[float]:
    width = len(targets[1]) // math.prod(step["shape"])
    terms = [-q * log(p) for p, q in zip(probabilities[1], targets[1], strict=True)]
    return [sum(row) for row in rows_of(terms, width)]


def joint(combine: Callable[[float, float], float]) -> Callable[..., list[float]]:
    def of(step: Data, first: Array, second: Array, words: Array) -> list[float]:
        i, j = words[1]
        if not (i in range(len(first[1])) and j in range(len(first[1]))):
            return [math.nan]
        return [combine(first[1][int(i)], second[1][int(i) * len(first[1]) + int(j)])]

    return of


def largest(step: Data, x: Array) -> list[float]:
    most = [i for i, one in enumerate(x[1]) if one > max(x[1]) - 1e-5]
    return [most[0] if len(most) == 1 else math.nan]


def total(step: Data, *parts: Array) -> list[float]:
    return [sum(part[1][0] for part in parts)]


def each(compute: Callable[..., float]) -> Callable[..., list[float]]:
    return lambda step, *operands: [
        compute(*numbers) for numbers in zip(*(one[1] for one in operands), strict=True)
    ]


OPS: dict[str, Callable[..., list[float]]] = {
    "add": added,
    "concatHeads": concatenated,
    "exp": each(exp),
    "linear": linear,
    "mask": masked,
    "matmul": lambda step, a, b: product(a, b, False),
    "matmulTransposed": lambda step, a, b: product(a, b, True),
    "mul": each(lambda p, q: p * q),
    "relu": each(lambda x: max(0.0, x)),
    "scale": lambda step, x: [one * step["factor"] for one in x[1]],
    "softmax": softmax,
    "splitHeads": split,
    "transpose": transposed,
    "layer-norm.norm": normalised,
    "residual-norm.norm": normalised,
    "cross-entropy.losses": label_losses,
    "cross-entropy.loss": lambda step, x: [sum(x[1]) / len(x[1])],
    "label-smoothing.losses": target_losses,
    "adam-step.update": adam_update,
    # Each of its steps has a number.
    "adam-steps": adam_update,
    "parameter-count.layer": total,
    "cost.layer": total,
    "find-head.head": largest,
    "greedy-and-beam.greedy.p": joint(lambda p, q: p * q),
    "greedy-and-beam.beam.p": joint(lambda p, q: p * q),
    # Those of mistakes.
    "adam-eps-inside": lambda step, m, v, eps: [
        over(one, root(two + eps[1][0])) for one, two in zip(m[1], v[1], strict=True)
    ],
    "adam-no-root": lambda step, m, v, eps: [
        over(one, two + eps[1][0]) for one, two in zip(m[1], v[1], strict=True)
    ],
    "bias-by-row": added_by_row,
    "heads-averaged": averaged_heads,
    "heads-split-by-token": copied,
    "mask-after-softmax": copied,
    "mask-after-softmax.weights": zeroed,
    "mask-forgotten": copied,
    "mask-zero": zeroed,
    "no-exp": without_powers,
    "no-root": without_root,
    "norm-over-tokens": normalised_columns,
    "probabilities-added": joint(lambda p, q: p + q),
    "sign-ignored": lambda step, x: largest(step, (x[0], [abs(one) for one in x[1]])),
    "softmax-elementwise": element_gradients,
    "softmax-over-all": softmax_over_all,
    "sum-for-mean": lambda step, x: [sum(x[1])],
}


def op_of(step: Data) -> Callable[..., list[float]]:
    name = step["op"]
    return OPS.get(name) or OPS[name.partition(".")[0]]


def squares_first(mean: list[float], centred: list[float]) -> list[float]:
    """A variance by the other way: the mean of the squares less the square of the mean."""
    width = len(centred) // len(mean)
    return [
        sum((x + middle) ** 2 for x in row) / width - middle**2
        for middle, row in zip(mean, rows_of(centred, width), strict=True)
    ]


# How far a number may be off.


def half_unit(policy: Data, value: float) -> float:
    """Half a unit of the last digit that the policy keeps of a number."""
    if not math.isfinite(value):
        return 0.0
    if "exact" in policy:
        return FLOAT32 * max(1.0, abs(value))
    if "digits" in policy:
        return float(HALF / 10 ** policy["digits"])
    if not value:
        return 0.0
    place = math.floor(math.log10(abs(value) * (1 + FLOAT32)))
    return float(HALF * 10.0 ** (place + 1 - policy["significant"]))


def is_kept(policy: Data, value: float) -> bool:
    unit = 2 * half_unit(policy, value)
    if not unit:
        return True
    return abs(value / unit - round(value / unit)) * unit < FLOAT32 * max(1.0, abs(value))


def softmax_within(scores: list[float], weights: list[float], width: int, policy: Data) -> list[float]:
    """Powers of e, and their sum, rounded before they are divided: the largest score taken off, or not."""
    errors = [0.0] * len(weights)
    for first in range(0, len(weights), width):
        row = scores[first : first + width]
        if sum(x != -math.inf for x in row) < SEVERAL:
            continue
        most = max(row)
        for off in (most, min(0.0, most + LEAST_POWER)):
            powers = [math.exp(x - off) for x in row]
            shown = [power for power, x in zip(powers, row, strict=True) if x != -math.inf]
            whole = sum(half_unit(policy, power) for power in shown)
            of_sum = half_unit(policy, sum(shown)) if "significant" in policy else 0.0
            for j, power in enumerate(powers):
                w, half = weights[first + j], half_unit(policy, power)
                error = (half * (1 - w) + w * (whole - half + of_sum)) / sum(shown) if w else 0.0
                errors[first + j] = max(errors[first + j], error)
    return errors


def divided_within(step: Data, half: Callable[[float], float], values: list[float]) -> list[float]:
    divisor = 1 / step["factor"]
    return [abs(x) * half(divisor) / divisor for x in values]


def squares_within(
    half: Callable[[float], float],
    values: list[float],
    before: Callable[[str], tuple[list[float], list[float]]],
) -> list[float]:
    (means, off), (centred, _) = before("mean"), before("centred")
    width = len(centred) // len(values)
    made: list[float] = []
    for i, variance in enumerate(values):
        middle = means[i]
        squares = sum(half((x + middle) ** 2) for x in centred[i * width : (i + 1) * width])
        rounded = half(middle**2) + half(variance + middle**2) + squares / width
        made.append(2 * abs(middle) * off[i] + rounded)
    return made


def root_within(
    half: Callable[[float], float], values: list[float], operands: list[list[float]]
) -> list[float]:
    _, variance, gain, bias = operands
    made: list[float] = []
    for i, y in enumerate(values):
        column, square = i % len(gain), variance[i // len(gain)]
        factor, multiplied = abs(gain[column]), y - bias[column]
        if not factor or square <= 0:
            made.append(0.0)
            continue
        root = math.sqrt(square)
        of_product = 0.0 if factor == 1 or not bias[column] else half(multiplied)
        made.append(abs(multiplied) * half(root) / root + factor * half(multiplied / factor) + of_product)
    return made


def logarithms_within(
    half: Callable[[float], float], values: list[float], operands: list[list[float]]
) -> list[float]:
    probabilities, targets = operands
    width = len(targets) // len(values)
    made: list[float] = []
    for i in range(len(values)):
        error = 0.0
        for j in range(i * width, (i + 1) * width):
            log = math.log(probabilities[j]) if probabilities[j] > 0 else math.nan
            error += targets[j] * half(log) + half(targets[j] * log)
        made.append(error)
    return made


def noam_within(
    half: Callable[[float], float], values: list[float], operands: list[list[float]]
) -> list[float]:
    steps, (d_model,), (warmup,) = operands
    power = 1 / (warmup * math.sqrt(warmup))
    return [
        max(one * half(power) + half(one * power), half(1 / math.sqrt(one))) / math.sqrt(d_model)
        for one in steps
    ]


def update_within(
    half: Callable[[float], float], values: list[float], operands: list[list[float]]
) -> list[float]:
    _, v, (epsilon,) = operands
    roots = [math.sqrt(one) if one >= 0 else math.nan for one in v]
    return [abs(u) * half(root) / (root + epsilon) for u, root in zip(values, roots, strict=True)]


WITHIN = {
    "logarithms": logarithms_within,
    "noam": noam_within,
    "root": root_within,
    "update": update_within,
}


class Machine:
    """Runs the steps of a variant, rightly or with a mistake, also from a learner's numbers."""

    def __init__(self, steps: list[Data]) -> None:
        self.steps = steps
        self.by_name = {step["name"]: step for step in steps}
        self.values: dict[str, Array] = {}

    def run(self, change: Change, misread: dict[str, list[float]] | None = None) -> dict[str, list[float]]:
        """What each step comes to, before its change; the values are those after it. misread: given numbers
        that are others."""
        made: dict[str, list[float]] = dict(misread or {})
        others = set(made)
        for step in self.steps:
            name, of = step["name"], step.get("of", [])
            if step.get("fixed") and others.isdisjoint(of):
                made.setdefault(name, [float(x) for x in step["numbers"]])
            else:
                made[name] = self._computed(step, [self.values[one] for one in of])
                others.add(name)
            self.values[name] = (step["shape"], change(name, made[name]))
        return made

    @staticmethod
    def _computed(step: Data, operands: list[Array]) -> list[float]:
        try:
            return op_of(step)(step, *operands)
        except (ValueError, ArithmeticError):
            return [math.nan] * math.prod(step["shape"])

    def within(
        self,
        step: Data,
        values: list[float],
        policy: Data,
        before: Callable[[str], tuple[list[float], list[float]]],
    ) -> list[float]:
        """How far each number of a step may be off by what is rounded within it."""
        operands = [self.values[of][1] for of in step.get("of", [])]
        kind = step.get("within", step.get("op"))

        def half(x: float) -> float:
            return half_unit(policy, x)

        if kind == "softmax":
            return softmax_within(operands[0], values, step["shape"][-1], policy)
        if kind == "divided":
            return divided_within(step, half, values)
        if kind == "squares":
            return squares_within(half, values, before)
        return WITHIN[kind](half, values, operands) if kind in WITHIN else [0.0] * len(values)

    def terms(self, step: Data, at: int) -> list[float]:
        """The products that a cell sums up, where it does, without those that are 0."""
        if step.get("op") not in ("linear", "matmul", "matmulTransposed"):
            return []
        (shape_a, a), (_, b) = (self.values[of] for of in step["of"][:2])
        shape = step["shape"]
        depth, width = shape_a[-1], shape[-1]
        column, row = at % width, at // width
        high = shape[-2] if len(shape) > 1 else 1
        first = 0 if step["op"] == "linear" else (row // high) * depth * width
        is_turned = step["op"] == "matmulTransposed"
        places = [first + (column * depth + k if is_turned else k * width + column) for k in range(depth)]
        products = [a[row * depth + k] * b[place] for k, place in enumerate(places)]
        return [one for one in products if one]


class Bands:
    """How far right answers may be off, at a learner's numbers."""

    def __init__(self, machine: Machine, policy: Data, change: Change) -> None:
        self.machine, self.policy, self.change = machine, policy, change
        self.made = machine.run(change)
        self._rounding: dict[str, list[float]] = {}
        self._within: dict[str, list[float]] = {}

    def _read(self, name: str) -> list[float]:
        return self.change(name, self.made[name])

    def _before(self, name: str) -> tuple[list[float], list[float]]:
        return self._read(name), self._rounded(name)

    def _inside(self, name: str) -> list[float]:
        if name not in self._within:
            step = self.machine.by_name[name]
            self._within[name] = self.machine.within(step, self.made[name], self.policy, self._before)
        return self._within[name]

    def _rounded(self, name: str) -> list[float]:
        if name not in self._rounding:
            if self.machine.by_name[name].get("leaf"):
                return [0.0] * len(self.made[name])
            self._rounding[name] = [
                within
                + (0.0 if not math.isfinite(x) or is_kept(self.policy, x) else half_unit(self.policy, x))
                for x, within in zip(self.made[name], self._inside(name), strict=True)
            ]
        return self._rounding[name]

    def _gradients(self, name: str, at: int) -> dict[str, list[float]]:
        sums = {name: [float(i == at) for i in range(len(self.made[name]))]}
        names = [step["name"] for step in self.machine.steps]
        for step in reversed(self.machine.steps[: names.index(name) + 1]):
            gradient = sums.get(step["name"])
            if gradient is None or step.get("fixed"):
                continue
            operands = [self.machine.values[of] for of in step["of"]]
            for k, of in enumerate(step["of"]):
                if self.machine.by_name[of].get("leaf"):
                    continue
                carried = sums.setdefault(of, [0.0] * len(operands[k][1]))
                for i in range(len(carried)):
                    carried[i] += self._slope(step, operands, k, i, gradient)
        return sums

    @staticmethod
    def _slope(step: Data, operands: list[Array], k: int, i: int, gradient: list[float]) -> float:
        ends = []
        for side in (-STEP, STEP):
            moved = [(shape, list(numbers)) for shape, numbers in operands]
            moved[k][1][i] += side
            try:
                ends.append(op_of(step)(step, *moved))
            except (ValueError, ArithmeticError):
                return 0.0
        slopes = [
            g * (high - low) / (2 * STEP)
            for g, low, high in zip(gradient, *ends, strict=True)
            if g and math.isfinite(high) and math.isfinite(low)
        ]
        return sum(slopes)

    def at(self, name: str, at: int) -> float:
        """How far an answer in a cell may be off: every step before it rounded, and its own rounding."""
        value = self.made[name][at]
        if not math.isfinite(value) or (
            self.machine.by_name[name].get("whole") and "significant" not in self.policy
        ):
            return 0.0
        half = half_unit(self.policy, value) + self._inside(name)[at]
        self.machine.run(self.change)
        moves: dict[str, list[float]] = {}
        straight = 0.0
        for other, gradient in self._gradients(name, at).items():
            if other == name:
                continue
            move = [
                math.copysign(amount, g) if g else 0.0
                for amount, g in zip(self._rounded(other), gradient, strict=True)
            ]
            if any(move):
                moves[other] = move
                straight += sum(abs(amount * g) for amount, g in zip(move, gradient, strict=True))
        if not straight:
            return half
        ends = []
        for side in (1, -1):

            def changed(other: str, numbers: list[float], side: int = side) -> list[float]:
                read = self.change(other, numbers)
                move = moves.get(other)
                return [x + side * m for x, m in zip(read, move, strict=True)] if move else read

            ends.append(abs(self.machine.run(changed)[name][at] - value))
        self.machine.run(self.change)
        return half + max([straight, *(end for end in ends if math.isfinite(end))])


# Small slips.


def exchanged(written: str) -> list[str]:
    """The same with two neighbouring digits exchanged."""
    texts = [
        written[:i] + written[i + 1] + written[i] + written[i + 2 :]
        for i in range(len(written) - 1)
        if written[i].isdigit() and written[i + 1].isdigit() and written[i] != written[i + 1]
    ]
    # Nobody writes 01 for 10.
    return [text for text in texts if not (text[0] == "0" and text[1].isdigit())]


def slip_of(
    machine: Machine, step: Data, at: int, answer: float, made: list[float], band: float, digits: int
) -> str:
    """The slip that explains an answer; empty if there is none."""
    value = made[at]
    if not math.isfinite(value) or not math.isfinite(answer):
        return ""

    def found(x: float) -> bool:
        return agrees(answer, x, band)

    terms = machine.terms(step, at)
    width = step["shape"][-1]
    beside = [i for i in (at - 1, at + 1) if i // width == at // width]
    ways = {
        "sign": found(-value),
        "term": len(terms) > 1 and any(found(value - one) for one in terms),
        "sign ": any(found(value - 2 * one) for one in terms),
        "before": step.get("op") == "scale" and found(machine.values[step["of"][0]][1][at]),
        "digits": any(
            found(math.copysign(1, value) * float(text))
            for text in exchanged(f"{abs(value) * (1 + FLOAT32):.{digits}f}")
            if value
        ),
        "point": any(
            value and agrees(answer, value * factor, min(band, band * factor))
            for factor in (0.01, 0.1, 10, 100)
        ),
        "place": any(0 <= i < len(made) and found(made[i]) for i in (*beside, at - width, at + width)),
    }
    return next((way.strip() for way, is_found in ways.items() if is_found), "")


# Written in too few digits; and rounded too early.


def coarse_half(read: Any, policy: Data) -> float:
    """Half a unit of the last digit that was written, if these are fewer than are asked."""
    if not read.value or read.decimals is None or not read.significant:
        return 0.0
    if "significant" in policy:
        is_fewer = read.decimals and read.significant < policy["significant"]
        return float(HALF / 10**read.decimals) if is_fewer else 0.0
    if "digits" not in policy or read.decimals >= policy["digits"]:
        return 0.0
    return float(HALF / 10.0 ** (read.decimals or policy["digits"] - 1))


def less_than(policy: Data) -> Data | None:
    """A policy with one digit less; None if that leaves none."""
    kind = "digits" if "digits" in policy else "significant"
    return {kind: policy[kind] - 1} if policy.get(kind, 0) > 1 else None


def rounded_to(x: float, half: float) -> float:
    if not half:
        return x
    return math.copysign(math.floor(abs(x) / (2 * half) + HALF + HAIR) * 2 * half, x)


def early_numbers(
    machine: Machine, policy: Data, asked: set[str], carry: Change
) -> dict[str, list[tuple[list[float], list[float]]]]:
    """What each asked step comes to with what is not asked rounded too early, in each way that there is."""
    less = less_than(policy)
    ways: dict[str, list[tuple[list[float], list[float]]]] = {}
    if not less:
        return ways

    def rounded(x: float) -> float:
        return rounded_to(x, half_unit(less, x))

    def before(name: str) -> tuple[list[float], list[float]]:
        numbers = machine.values[name][1]
        return numbers, [half_unit(less, x) for x in numbers]

    def change(name: str, made: list[float]) -> list[float]:
        step = machine.by_name[name]
        if step.get("leaf"):
            return made
        if name not in asked:
            return [rounded(x) for x in made]
        within = machine.within(step, made, less, before) if "within" in step else [0.0] * len(made)
        ways[name] = [(made, within)]
        if step.get("op") == "softmax":
            rows = rows_of(machine.values[step["of"][0]][1], step["shape"][-1])
            for is_shifted in (True, False):
                numbers: list[float] = []
                for row in rows:
                    off = max(row) if is_shifted else 0.0
                    powers = [rounded(math.exp(x - off)) if x > -math.inf else 0.0 for x in row]
                    numbers += [power / sum(powers) if sum(powers) else 0.0 for power in powers]
                ways[name].append((numbers, [0.0] * len(numbers)))
        return carry(name, made)

    machine.run(change)
    return ways
