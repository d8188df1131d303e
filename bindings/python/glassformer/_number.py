"""A number as people write it: 1.33, 1,33, 4/3, 2/√2, 3√2, 1½, \\frac13, 1.2·10⁻³, 9 %, −∞, e², −ln(1/3).

bindings/js/number/ reads the same in JavaScript; tests/number/cases.json holds both to it. The standard
library is enough: questions for PrairieLearn contain this file.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import NamedTuple

# White space between the digits and signs of a number.
_BLANK = "\t\n\r \u00a0" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000\ufeff"
# Hyphens, dashes and minus signs that people type for a minus. The last of them ends a class of characters.
_MINUS = "‐‑‒–—―−﹣-"  # noqa: RUF001
_TIMES = "*·×⋅∙"  # noqa: RUF001
_DIVIDE = "/÷∕⁄:"  # noqa: RUF001
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_BLANKS = f"[{_BLANK}]*"

# Groups of three digits behind a blank or an apostrophe: 1 480, 1'480,5.
_SPACED = re.compile(
    r"([0-9]{1,3}(?:([\u00a0\u2000-\u200a\u202f '’])[0-9]{3})(?:\2[0-9]{3})*)"  # noqa: RUF001
    r"(?![0-9])(?:[.,]([0-9]*))?"
)
# Groups of three digits where the other mark, or a second group, shows that they are groups: 1,480.5.
_GROUPED = re.compile(
    r"([0-9]{1,3}(?:(?:,[0-9]{3})+(?=\.[0-9])|(?:\.[0-9]{3})+(?=,[0-9])"
    r"|(?:,[0-9]{3}){2,}(?![0-9,])|(?:\.[0-9]{3}){2,}(?![0-9.])))()(?:[.,]([0-9]*))?"
)
_PLAIN = re.compile(r"([0-9]+)()(?:[.,]([0-9]*))?")
_POINTED = re.compile(r"()()[.,]([0-9]+)")
_EXPONENT = re.compile(rf"e([+{_MINUS}]?)([0-9]{{1,3}})(?![0-9])")
# A number that is either a decimal or a whole number in groups: 1,480 and 1.480.
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
# An exponent in raised digits: e², 10⁻³.
_RAISED = re.compile(f"([⁻⁺]?)([{_SUPERSCRIPTS}]{{1,3}})")
# After an argument without brackets these leave open what belongs to it: ln 1/3.
_OPEN = f"{_TIMES}{_DIVIDE}^⁻⁺{_SUPERSCRIPTS}"
_FRACTIONS = {
    **{"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5},
    **{"⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8},
}
_CONSTANTS = dict.fromkeys(("infinity", "inf", "oo", "∞"), math.inf) | {"pi": math.pi, "π": math.pi}
# As in papers and in programs, log is the natural logarithm.
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    **{"sqrt": math.sqrt, "√": math.sqrt, "exp": math.exp, "ln": math.log},
    **{"log10": math.log10, "log2": math.log2, "log": math.log},
    **{"sin": math.sin, "cos": math.cos, "tanh": math.tanh},
}
# Functions whose argument is the next factor, brackets or not: √2/2 is half of √2.
_TAKES_FACTOR = ("sqrt", "√")
_NAME = re.compile("|".join([*_CONSTANTS, *_FUNCTIONS]))
# What multiplies without a sign: 3√2, 2(1 + 1), 2 ln 2, 2e².
_FACTOR = re.compile(rf"[(∞]|e[⁻⁺{_SUPERSCRIPTS}^]|e\*\*|{'|'.join(_FUNCTIONS)}|pi|π")
# Behind a decimal: …, a power of ten, a percent sign.
_BEHIND = re.compile(
    rf"(?P<more>…|\.\.\.)?(?:{_BLANKS}[{_TIMES}]{_BLANKS}10(?:(?P<raised>[⁻⁺]?[{_SUPERSCRIPTS}]{{1,3}})"
    rf"|{_BLANKS}(?:\^|\*\*){_BLANKS}\(?{_BLANKS}(?P<minus>[{_MINUS}])?(?P<power>[0-9]{{1,3}}){_BLANKS}\)?))?"
    rf"{_BLANKS}(?P<percent>%)?{_BLANKS}"
)
_SIGN = re.compile(f"{_BLANKS}([+{_MINUS}]?){_BLANKS}")
# A whole number and a proper fraction: 1 1/2.
_MIXED = re.compile(
    f"{_BLANKS}([+{_MINUS}]?){_BLANKS}([0-9]+)[{_BLANK}]+([0-9]{{1,2}}){_BLANKS}[/∕⁄]{_BLANKS}([0-9]{{1,2}}){_BLANKS}"  # noqa: RUF001
)

# An argument of LaTeX: in braces, or one digit.
_ARGUMENT = r"\s*(?:\{([^{}]*)\}|([0-9]))"
# A fraction of LaTeX, behind whole ones in a mixed number: 1\frac12.
_FRACTION = re.compile(rf"(?<![0-9.,])([0-9]+)?\\[dt]?frac{_ARGUMENT}{_ARGUMENT}")
# An argument that needs no brackets.
_BARE = re.compile(r"(?:[^\W_]|[.,])+")
# What binds the first or the last number of a fraction closer than the fraction does.
_BINDS_BEFORE = re.compile(r"[/÷:^)]|[^\W_]")
# How LaTeX writes other signs of numbers.
_SIGNS = (
    *((r"\\(?:left|right|displaystyle)(?![a-z])|\$", ""), (r"\{,\}", ",")),
    *((r"\\infty(?![a-z])", "∞"), (r"\\pi(?![a-z])", "π"), (r"\\(?:cdot|times)(?![a-z])", "·")),
    *((r"\\(exp|ln|log|sin|cos|tanh)(?![a-z])", r"\1"), (r"\\%", "%"), (r"\\[,;:!](?=[\s0-9&-])", "")),
)
# What has an argument in braces, which may hold another one.
_IN_BRACES = (
    *((r"\\sqrt\s*\{([^{}]*)\}", r"√(\1)"), (r"\\sqrt\s*([0-9])", r"√\1")),
    (r"\^\{([^{}]*)\}", r"^(\1)"),
)
# What only LaTeX has in a number.
_LATEX = re.compile(r"[\\${}]")
# Fractions and roots of LaTeX within each other.
_MAX_NESTED = 8

# Characters: longer answers are no numbers.
_MAX_LENGTH = 200
# Brackets, roots and signs within each other.
_MAX_DEPTH = 32


# What float32 does to a number in a few operations: parts of it, absolute below 1.
_FLOAT32 = 4e-7


class NumberRead(NamedTuple):
    """What was read.

    decimals are those written behind the decimal mark, significant the digits from the first that is not
    0; both are None for an expression, which is exact. grouped is the value if the mark separates
    thousands: 1480 for 1,480.
    """

    value: float
    decimals: int | None = None
    significant: int | None = None
    grouped: float | None = None


class Unreadable(NamedTuple):
    """Where a text stops being a number: a place in it, from 0; and why an expression has no value: "zero" if
    it divides by zero, "large", or "none" if it is outside what a function takes."""

    at: int
    why: str = ""


class _Decimal(NamedTuple):
    length: int
    whole: str
    fraction: str
    exponent: int
    is_ambiguous: bool

    def value(self, power: int) -> float:
        return float(f"{self.whole or '0'}.{self.fraction or '0'}e{power}")


def _read_decimal(text: str, at: int) -> _Decimal | None:
    """The decimal number without a sign that a text has at a place; None if there is none."""
    matches = (pattern.match(text, at) for pattern in (_SPACED, _GROUPED, _PLAIN, _POINTED))
    match = next(filter(None, matches), None)
    if not match:
        return None
    exponent = _EXPONENT.match(text, match.end())
    power = int(exponent[2]) * (-1 if exponent[1] and exponent[1] in _MINUS else 1) if exponent else 0
    return _Decimal(
        length=(exponent or match).end() - at,
        whole=re.sub("[^0-9]", "", match[1]),
        fraction=match[3] or "",
        exponent=power,
        is_ambiguous=not exponent and _AMBIGUOUS.fullmatch(match[0]) is not None,
    )


def _raised(match: re.Match[str]) -> int:
    value = int("".join(str(_SUPERSCRIPTS.index(digit)) for digit in match[2]))
    return -value if match[1] == "⁻" else value


class _StopError(Exception):
    """The text is no expression from its place on."""


def _power(base: float, exponent: float) -> float:
    """The power as IEEE has it but for an infinite or undefined exponent, where this has no value."""
    if math.isnan(base) or not math.isfinite(exponent):
        has_none = math.isnan(base) or abs(base) == 1 or math.isnan(exponent)
        return math.nan if has_none else float(base**exponent)
    value = base**exponent
    return math.nan if isinstance(value, complex) else float(value)


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at
        self._depth = 0
        # Why there is no value, by what lacks first.
        self.why = ""

    def _blanks(self) -> None:
        while self._next and self._next in _BLANK:
            self.at += 1

    @property
    def _next(self) -> str:
        return self._text[self.at : self.at + 1]

    @property
    def done(self) -> bool:
        self._blanks()
        return self.at == len(self._text)

    def _take(self, wanted: str) -> bool:
        """Goes past one of these characters, if it is the next after blanks."""
        self._blanks()
        is_next = bool(self._next) and self._next in wanted
        self.at += is_next
        return is_next

    def _within(self, read: Callable[[], float]) -> float:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _StopError
        value = read()
        self._depth -= 1
        return value

    def _result(self, compute: Callable[..., float], *operands: float) -> float:
        """A result. What is not finite though its operands are is undefined."""
        why = ""
        try:
            value = compute(*operands)
        except ZeroDivisionError:
            value, why = math.nan, "zero"
        except OverflowError:
            value, why = math.nan, "large"
        except ValueError:
            value, why = math.nan, "none"
        if not math.isfinite(value) and all(map(math.isfinite, operands)):
            self.why = self.why or why or ("none" if math.isnan(value) else "large")
        return value

    def sum(self) -> float:
        value = self._product()
        while True:
            if self._take("+"):
                value = self._result(operator.add, value, self._product())
            elif self._take(_MINUS):
                value = self._result(operator.sub, value, self._product())
            else:
                return value

    def _product(self) -> float:
        value = self._signed()
        while True:
            if self._take(_TIMES):
                value = self._result(operator.mul, value, self._signed())
            elif self._take(_DIVIDE):
                value = self._result(operator.truediv, value, self._signed())
            elif self._take("%"):
                value /= 100
            elif self._begins():
                value = self._result(operator.mul, value, self._read_power())
            else:
                return value

    def _begins(self) -> bool:
        self._blanks()
        return _FACTOR.match(self._text, self.at) is not None

    def _signed(self) -> float:
        if self._take(_MINUS):
            return -self._unsigned()
        if self._take("+"):
            return self._unsigned()
        return self._read_power()

    def _unsigned(self) -> float:
        """What has a sign has no other one: two of them are a slip of the pen."""
        self._blanks()
        if self._next and self._next in _MINUS + "+":
            raise _StopError
        return self._within(self._read_power)

    def _read_power(self) -> float:
        base = self._atom()
        raised = _RAISED.match(self._text, self.at)
        if raised:
            self.at = raised.end()
            return self._result(_power, base, _raised(raised))
        self._blanks()
        sign = re.compile(r"\^|\*\*").match(self._text, self.at)
        if not sign:
            return base
        self.at = sign.end()
        return self._result(_power, base, self._within(self._signed))

    def _atom(self) -> float:
        if self._take("("):
            value = self._within(self.sum)
            if not self._take(")"):
                raise _StopError
            return value
        name = _NAME.match(self._text, self.at)
        if name:
            return self._named(name[0])
        if self._next == "e" and not re.match("[a-z]", self._text[self.at + 1 : self.at + 2]):
            self.at += 1
            return math.e
        return self._digits()

    def _named(self, name: str) -> float:
        self.at += len(name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        return self._result(_FUNCTIONS[name], self._argument(name in _TAKES_FACTOR))

    def _argument(self, is_factor: bool) -> float:
        """Of ln 1/3 one cannot tell whether the 3 belongs to it."""
        self._blanks()
        is_clear = is_factor or self._next == "("
        value = self._within(self._atom)
        self._blanks()
        if not is_clear and self._next and self._next in _OPEN:
            raise _StopError
        return value

    def _digits(self) -> float:
        decimal = _read_decimal(self._text, self.at)
        self.at += decimal.length if decimal else 0
        value = self._result(lambda: decimal.value(decimal.exponent)) if decimal else 0.0
        fraction = _FRACTIONS.get(self._next)
        if fraction is None:
            if not decimal:
                raise _StopError
            return value
        if decimal and (decimal.fraction or decimal.exponent):
            raise _StopError
        self.at += 1
        return value + fraction


def _read_alone(text: str, at: int) -> NumberRead | None:
    """A signed decimal that is the rest of a text: 0.33, −1,5, 1.2·10⁻³; None if there is more or less."""
    sign = _SIGN.match(text, at)
    begin = sign.end() if sign else at
    decimal = _read_decimal(text, begin)
    behind = _BEHIND.fullmatch(text, begin + decimal.length) if decimal else None
    if not decimal or not behind or (behind["more"] and not decimal.fraction):
        return None
    raised = _RAISED.fullmatch(behind["raised"]) if behind["raised"] else None
    ten = _raised(raised) if raised else int(behind["power"] or 0)
    exponent = decimal.exponent + (-ten if behind["minus"] else ten) - (2 if behind["percent"] else 0)
    factor = -1 if sign and sign[1] and sign[1] in _MINUS else 1
    value = factor * decimal.value(exponent)
    if math.isinf(value):
        return None
    digits = decimal.whole + decimal.fraction
    is_alone = decimal.is_ambiguous and not behind[0].strip(_BLANK)
    return NumberRead(
        value,
        decimals=max(0, len(decimal.fraction) - exponent),
        significant=len(digits.lstrip("0")),
        grouped=factor * float(digits) if is_alone else None,
    )


def _read_mixed(text: str, at: int) -> NumberRead | None:
    """A whole number and a proper fraction that are the rest of a text: 1 1/2; None if they are not."""
    match = _MIXED.fullmatch(text, at)
    if not match or int(match[3]) >= int(match[4]):
        return None
    value = float(match[2]) + int(match[3]) / int(match[4])
    return NumberRead(-value if match[1] and match[1] in _MINUS else value)


def _plain(letter: re.Match[str]) -> str:
    """A character of an East Asian keyboard, or a capital letter, as a small letter or sign of ASCII."""
    code = ord(letter[0])
    ascii_letter = chr(code - 0xFEE0) if code > 0xFF00 else letter[0]
    return ascii_letter.lower()


def _quotient(match: re.Match[str]) -> str:
    """A fraction of LaTeX as a quotient."""
    whole, *parts = match.groups()
    arguments = (parts[i] if parts[i] is not None else parts[i + 1] for i in (0, 2))
    above, below = (one if _BARE.fullmatch(one) else f"({one})" for one in arguments)
    if whole:
        return f"({whole}+{above}/{below})"
    before = match.string[max(0, match.start() - 1) : match.start()]
    is_bound = _BINDS_BEFORE.match(before) or match.string[match.end() : match.end() + 1] == "^"
    return f"({above}/{below})" if is_bound else f"{above}/{below}"


def plain_latex(text: str) -> str:
    r"""The same without the commands of LaTeX that stand in numbers: \frac13 is 1/3, \sqrt{2} is √(2)."""
    if not re.search(r"[\\$^{]", text):
        return text
    plain = text
    for sign, by in _SIGNS:
        plain = re.sub(sign, by, plain)
    for _ in range(_MAX_NESTED):
        before = plain
        for sign, by in _IN_BRACES:
            plain = re.sub(sign, by, plain)
        plain = _FRACTION.sub(_quotient, plain)
        if plain == before:
            break
    return plain


def read_number(text: str) -> NumberRead | Unreadable | None:
    """Reads what a person wrote as a number; None for nothing."""
    if len(text) > _MAX_LENGTH:
        return Unreadable(_MAX_LENGTH)
    plain = plain_latex(text)
    read = _read_plain(plain)
    latex = _LATEX.search(text) if plain != text and not isinstance(read, NumberRead) else None
    # Of LaTeX that is no number, no place but its first command is known.
    return Unreadable(latex.start()) if latex else read


def _read_plain(text: str) -> NumberRead | Unreadable | None:
    """Reads a number without commands of LaTeX."""
    plain = re.sub("[A-Z\uff01-\uff5e]", _plain, text)
    begin = len(plain) - len(plain.lstrip(_BLANK))
    if begin == len(plain):
        return None
    begin += plain[begin] in "=≈~"
    alone = _read_alone(plain, begin) or _read_mixed(plain, begin)
    if alone:
        return alone
    reader = _Reader(plain, begin)
    try:
        value = reader.sum()
    except _StopError:
        return Unreadable(reader.at)
    if not reader.done:
        return Unreadable(reader.at)
    if reader.why or math.isnan(value):
        return Unreadable(reader.at, reader.why or "none")
    return NumberRead(value)


def agrees(answer: float, value: float, band: float) -> bool:
    """Whether a number is another one within a band, but for what float32 does."""
    if math.isfinite(answer) and math.isfinite(value):
        return abs(answer - value) <= band + _FLOAT32 * max(1.0, abs(value))
    return answer == value


def counted_by(read: NumberRead, text: str, decimal: str) -> float:
    """What a learner means who counts: 1,480 is 1480. Of 1,000 only the language says what it is."""
    is_decimal = read.value == int(read.value) and decimal in text if math.isfinite(read.value) else True
    return read.value if read.grouped is None or is_decimal else read.grouped


def meant_by(read: NumberRead, value: float) -> float:
    """What a learner means where the right number is `value`: 1,480 is 1480 if `value` is whole and large."""
    is_whole = math.isfinite(value) and value == int(value) and abs(value) >= 1000
    return read.grouped if is_whole and read.grouped is not None else read.value
