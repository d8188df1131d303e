"""Marks the cells of variants.json, following the learner's own numbers.

A question for PrairieLearn is this file behind _number.py: `generate`, `parse` and `grade` are what it calls.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from ._number import Unreadable, agrees, meant_by, read_number

# What PrairieLearn hands over, or a part of variants.json.
Data = dict[str, Any]
# A shape, and flat numbers.
Array = tuple[list[int], list[float]]
# Cells that a mistake explains, that it does not, and that it fits.
Explained = tuple[set[str], set[str], set[str]]

# The least that a number needs to be "wrong" twice before stock answers are looked for.
STOCK = 2

# How much further than its own band a cell may be from what follows from rounded numbers.
FOLLOWS = 2

# A step before, rounded to one digit less.
EARLY = 10


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
    sentence = load(data)["sentences"]["unreadable"]
    for cell in variant_of(data)["cells"]:
        name = cell["id"]
        read = read_number(data["submitted_answers"].get(name) or "")
        if isinstance(read, Unreadable):
            data["format_errors"][name] = sentence.replace("{at}", str(read.at + 1))


# The steps of the recipes. Each takes shapes and flat numbers, and gives flat numbers.


def rows_of(numbers: list[float], width: int) -> list[list[float]]:
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


def product(a: Array, b: Array, transposed: bool) -> list[float]:
    (shape_a, x), (shape_b, y) = a, b
    depth, high = shape_a[-1], shape_a[-2] if len(shape_a) > 1 else 1
    wide = shape_b[-2] if transposed else shape_b[-1]
    heads = len(x) // (depth * high)
    size = len(y) // heads if len(shape_b) > 2 else 0
    made: list[float] = []
    for head in range(heads):
        other = rows_of(y[head * size : head * size + depth * wide], depth if transposed else wide)
        for row in rows_of(x[head * high * depth : (head + 1) * high * depth], depth):
            for j in range(wide):
                column = other[j] if transposed else [line[j] for line in other]
                made.append(sum(p * q for p, q in zip(row, column, strict=True) if p and q))
    return made


def linear(step: Data, x: Array, w: Array, b: Array | None = None) -> list[float]:
    made = product(x, w, False)
    return [y + b[1][i % len(b[1])] for i, y in enumerate(made)] if b else made


def softmax(step: Data, x: Array) -> list[float]:
    made: list[float] = []
    for row in rows_of(x[1], x[0][-1]):
        most = max(row)
        if most == -math.inf:
            made += [0.0] * len(row)
            continue
        powers = [math.exp(one - most) for one in row]
        made += [power / sum(powers) for power in powers]
    return made


def concatenated(step: Data, x: Array) -> list[float]:
    heads, rows, width = x[0]
    return [
        x[1][(head * rows + row) * width + j]
        for row in range(rows)
        for head in range(heads)
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


def masked(step: Data, x: Array, mask: Array) -> list[float]:
    seen = mask[1]
    return [one if seen[i % len(seen)] else -math.inf for i, one in enumerate(x[1])]


def added(step: Data, a: Array, b: Array) -> list[float]:
    return [p + q for p, q in zip(a[1], b[1], strict=True)]


def multiplied(step: Data, a: Array, b: Array) -> list[float]:
    return [p * q for p, q in zip(a[1], b[1], strict=True)]


def transposed(step: Data, x: Array) -> list[float]:
    high, wide = x[0]
    return [x[1][i * wide + j] for j in range(wide) for i in range(high)]


def updated(step: Data, m: Array, v: Array, eps: Array) -> list[float]:
    return [one / (math.sqrt(two) + eps[1][0]) for one, two in zip(m[1], v[1], strict=True)]


def normalised(step: Data, centred: Array, variance: Array, gain: Array, bias: Array) -> list[float]:
    width = len(gain[1])
    return [
        one / math.sqrt(variance[1][i // width]) * gain[1][i % width] + bias[1][i % width]
        for i, one in enumerate(centred[1])
    ]


def label_losses(step: Data, probabilities: Array, labels: Array) -> list[float]:
    rows = rows_of(probabilities[1], len(probabilities[1]) // len(labels[1]))
    return [-math.log(row[int(label)]) for row, label in zip(rows, labels[1], strict=True)]


def target_losses(step: Data, probabilities: Array, targets: Array) -> list[float]:
    width = len(targets[1]) // len(step["numbers"])
    terms = [-q * math.log(p) for p, q in zip(probabilities[1], targets[1], strict=True)]
    return [sum(row) for row in rows_of(terms, width)]


def joint(step: Data, first: Array, second: Array, words: Array) -> list[float]:
    i, j = (int(word) for word in words[1])
    if not (0 <= i < len(first[1]) and 0 <= j < len(first[1])):
        return [math.nan]
    return [first[1][i] * second[1][i * len(first[1]) + j]]


def largest(step: Data, x: Array) -> list[float]:
    most = [i for i, one in enumerate(x[1]) if one > max(x[1]) - 1e-5]
    return [most[0] if len(most) == 1 else math.nan]


OPS: dict[str, Callable[..., list[float]]] = {
    "add": added,
    "concatHeads": concatenated,
    "linear": linear,
    "mask": masked,
    "matmul": lambda step, a, b: product(a, b, False),
    "matmulTransposed": lambda step, a, b: product(a, b, True),
    "mul": multiplied,
    "relu": lambda step, x: [max(0.0, one) for one in x[1]],
    "scale": lambda step, x: [one * step["factor"] for one in x[1]],
    "softmax": softmax,
    "splitHeads": split,
    "transpose": transposed,
    "layer-norm.norm": normalised,
    "residual-norm.norm": normalised,
    "cross-entropy.losses": label_losses,
    "cross-entropy.loss": lambda step, x: [sum(x[1]) / len(x[1])],
    "label-smoothing.losses": target_losses,
    "adam-step.update": updated,
    **{f"adam-steps.update.{t}": updated for t in range(1, 5)},
    "parameter-count.layer": lambda step, *parts: [sum(part[1][0] for part in parts)],
    "cost.layer": lambda step, *parts: [sum(part[1][0] for part in parts)],
    "find-head.head": largest,
    "greedy-and-beam.greedy.p": joint,
    "greedy-and-beam.beam.p": joint,
}


def is_stock(numbers: list[float]) -> bool:
    """Whether numbers make what follows from them trivial: all equal, or nothing but 0 and 1."""
    shown = [x for x in numbers if x != -math.inf]
    return len(numbers) > 1 and (len(set(shown)) <= 1 or all(x in (0, 1) for x in shown))


def followed(variant: Data, answers: dict[str, float]) -> dict[str, tuple[float, bool]]:
    """What follows in each cell from the numbers before it, and whether some of those are the learner's."""
    numbers: dict[str, Array] = {}
    own: set[str] = set()
    due: dict[str, tuple[float, bool]] = {}
    stock = False
    for step in variant["steps"]:
        name = step["name"]
        true = [float(x) for x in step["numbers"]]
        computed, is_own = true, False
        if not step.get("fixed"):
            is_own = any(of in own for of in step["of"])
            if is_own:
                try:
                    computed = OPS[step["op"]](step, *(numbers[of] for of in step["of"]))
                except (ValueError, ArithmeticError):
                    computed = [math.nan] * len(true)
        used = list(computed)
        wrong = 0
        cells = [one for one in variant["cells"] if one["step"] == name]
        for cell in cells:
            due[cell["id"]] = (computed[cell["at"]], is_own)
            answer = answers.get(cell["id"])
            if answer is None:
                continue
            used[cell["at"]] = answer
            wrong += not agrees(answer, computed[cell["at"]], cell["band"])
        # Behind stock answers nothing is carried on: one slip is none.
        if cells and (stock or (wrong >= STOCK and is_stock(used))):
            used, stock = computed, True
        if is_own or any(a != b for a, b in zip(used, true, strict=True)):
            own.add(name)
        numbers[name] = (step["shape"], used)
    return due


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


def explanations(
    variant: Data, answers: dict[str, float], due: dict[str, tuple[float, bool]]
) -> dict[str, Explained]:
    """By sentence: the cells where a mistake makes what the learner wrote and not what follows,
    those where it makes neither, and all that it makes."""
    made: dict[str, Explained] = {
        one["sentence"]: (set(), set(), set()) for cell in variant["cells"] for one in cell["wrong"]
    }
    for cell in variant["cells"]:
        name, band = cell["id"], cell["band"]
        answer, (follows, _) = answers.get(name), due[name]
        if answer is None:
            continue
        numbers = {one["sentence"]: float(one["number"]) for one in cell["wrong"]}
        for sentence, (cells, against, fits) in made.items():
            number = numbers.get(sentence, follows)
            if agrees(answer, number, FOLLOWS * band):
                fits.add(name)
            if not agrees(number, follows, band):
                (cells if name in fits else against).add(name)
    return made


def best_of(explains: dict[str, Explained], step: set[str], here: set[str], failing: set[str]) -> str | None:
    """The mistake that explains most of a step's cells; of several, the one that explains most elsewhere,
    and then the one that fits most of what is right, too. None, where two are as good, or where it would
    change more cells of the step than it explains."""
    ranked = []
    for sentence, (cells, against, fits) in explains.items():
        some = len(cells & here)
        if some and 2 * some >= len(here) and some >= len(against & step):
            ranked.append(((some, len(cells & failing), len(fits)), sentence))
    ranked.sort(key=lambda one: one[0], reverse=True)
    unique = ranked and (len(ranked) == 1 or ranked[0][0] != ranked[1][0])
    return ranked[0][1] if unique else None


def mark(
    variant: Data, answers: dict[str, float], sentences: dict[str, str], comma: bool
) -> dict[str, tuple[float, str]]:
    """The points and the sentence of each cell."""
    due = followed(variant, answers)
    explains = explanations(variant, answers, due)
    marks: dict[str, tuple[float, str]] = {}
    failing: list[Data] = []
    for cell in variant["cells"]:
        name, band = cell["id"], cell["band"]
        answer = answers.get(name)
        follows, is_own = due[name]
        if answer is None:
            marks[name] = (0, "")
        elif agrees(answer, float(cell["value"]), band):
            marks[name] = (1, sentences["right"])
        elif is_own and agrees(answer, follows, FOLLOWS * band):
            told = sentences["carried"].replace("{follows}", shown(follows, comma, variant["decimals"]))
            marks[name] = (1, told)
        else:
            failing.append(cell)
    missed = {cell["id"] for cell in failing}
    charged: dict[str, str] = {}
    for step in dict.fromkeys(cell["step"] for cell in failing):
        every = {cell["id"] for cell in variant["cells"] if cell["step"] == step}
        mistake = best_of(explains, every, every & missed, missed)
        for cell in (one for one in failing if one["step"] == step):
            name, value, answer = cell["id"], float(cell["value"]), answers[cell["id"]]
            if mistake and name in explains[mistake][2]:
                # A mistake costs the cells of its first step.
                first = charged.setdefault(mistake, step)
                marks[name] = (int(first != step), mistake)
            elif variant["early"] and any(
                agrees(answer, one, EARLY * cell["band"]) for one in (value, due[name][0])
            ):
                marks[name] = (0.5, sentences["early"].replace("{value}", cell["answer"]))
            else:
                marks[name] = (0, sentences["wrong"])
    return marks


def grade(data: Data) -> None:
    whole = load(data)
    variant = variant_of(data)
    answers = {}
    for cell in variant["cells"]:
        read = read_number(data["submitted_answers"].get(cell["id"]) or "")
        if read is not None and not isinstance(read, Unreadable):
            answers[cell["id"]] = meant_by(read, float(cell["value"]))
    marks = mark(variant, answers, whole["sentences"], whole["comma"])
    findings = []
    for cell in variant["cells"]:
        points, text = marks[cell["id"]]
        data["partial_scores"][cell["id"]] = {"score": points, "weight": 1}
        if text and text != whole["sentences"]["right"]:
            findings.append({"cell": cell["cell"], "text": text})
    data["feedback"]["findings"] = findings
    data["score"] = sum(points for points, _ in marks.values()) / len(marks)
