"""Writes cases.json: numbers as people write them, with the values that Python's own arithmetic gives.

    python3 tests/number/make.py

Each text stands beside the same expression in Python. Combinations multiply the texts: signs, brackets, quotients.
"""

import json
import math
from pathlib import Path

# Decimals: the text, its value, decimals, significant digits, and the value if the mark separates thousands.
DECIMALS = [
    *[("0", "0", 0, 0), ("4", "4", 0, 1), ("007", "7", 0, 1), ("1.33", "1.33", 2, 3), ("1,33", "1.33", 2, 3)],
    *[(".5", "0.5", 1, 1), (",5", "0.5", 1, 1), ("5.", "5", 0, 1), ("0.0120", "0.012", 4, 3)],
    *[("123.456", "123.456", 3, 6, 123456), ("1.480", "1.48", 3, 4, 1480), ("1,480", "1.48", 3, 4, 1480)],
    *[("0,480", "0.48", 3, 3), ("1480", "1480", 0, 4), ("12,345", "12.345", 3, 5, 12345)],
    *[("1 480", "1480", 0, 4), ("1\u00a0480", "1480", 0, 4), ("1\u202f480,5", "1480.5", 1, 5)],
    *[("1'480", "1480", 0, 4), ("1’480.25", "1480.25", 2, 6), ("1 000 000", "1000000", 0, 7)],
    *[("1,480.5", "1480.5", 1, 5), ("1.480,5", "1480.5", 1, 5), ("1,480,000", "1480000", 0, 7)],
    *[("1.480.000", "1480000", 0, 7), ("1.480.000,25", "1480000.25", 2, 9), ("12 345.25", "12345.25", 2, 7)],
    *[("1e3", "1e3", 0, 1), ("1E3", "1e3", 0, 1), ("1.2e-3", "1.2e-3", 4, 2), ("1,2e−3", "1.2e-3", 4, 2)],
    *[("1.25e1", "12.5", 1, 3), ("1.2e+3", "1200", 0, 2), ("6.02e23", "6.02e23", 0, 3), ("1e9", "1e9", 0, 1)],
    *[("1.2·10^-3", "1.2e-3", 4, 2), ("1.2 × 10^2", "120", 0, 2), ("1.2*10^2", "120", 0, 2)],
    *[("1.2·10⁻³", "1.2e-3", 4, 2), ("1,2 ⋅ 10⁻³", "1.2e-3", 4, 2), ("1.2·10**-3", "1.2e-3", 4, 2)],
    *[("1.2·10^(-3)", "1.2e-3", 4, 2), ("3·10⁸", "3e8", 0, 1), ("2.998 × 10^8", "2.998e8", 0, 4)],
    *[("9%", "0.09", 2, 1), ("9 %", "0.09", 2, 1), ("33,3\u202f%", "0.333", 3, 3), ("50 %", "0.5", 2, 2)],
    *[("$0{,}5$", "0.5", 1, 1), (r"5\%", "0.05", 2, 1), (r"1.2\cdot10^{-3}", "1.2e-3", 4, 2)],
    *[("0.333…", "0.333", 3, 3), ("0.333...", "0.333", 3, 3), ("１．５", "1.5", 1, 2), ("９％", "0.09", 2, 1)],
]
# Expressions, which are exact.
EXPRESSIONS = [
    *[("10^3", "10**3"), ("10⁻³", "10**-3"), ("2^0.5", "2**0.5"), ("2^-1", "2**-1"), ("2³", "8"), ("2**3", "8")],
    *[("2^3^2", "2**9"), ("4/3", "4/3"), ("4 / 3", "4/3"), ("4÷3", "4/3"), ("4∕3", "4/3"), ("4⁄3", "4/3"), ("4:3", "4/3")],
    *[("1/2/2", "0.25"), ("1/3+1/3", "2/3"), ("1 - 1/3", "2/3"), ("1 − 1/3", "2/3"), ("1,5/2", "0.75")],
    *[("√2", "math.sqrt(2)"), ("√(1+1)", "math.sqrt(2)"), ("√ 2", "math.sqrt(2)"), ("sqrt(2)", "math.sqrt(2)")],
    *[("sqrt 2", "math.sqrt(2)"), ("SQRT(2)", "math.sqrt(2)"), ("2/√2", "math.sqrt(2)"), ("√2/2", "math.sqrt(2)/2")],
    *[("3√2", "3*math.sqrt(2)"), ("3 √2", "3*math.sqrt(2)"), ("3·√2", "3*math.sqrt(2)"), ("2√2√2", "4"), ("√√16", "2")],
    *[("√2²", "2"), ("2^√4", "4"), ("(1 + 2)/3", "1"), ("2(1+1)", "4"), ("(2)(3)", "6"), ("((2))", "2")],
    *[("2*3+4", "10"), ("4+2*3", "10"), ("2-3-4", "-5"), ("2⋅3", "6"), ("2∙3", "6"), ("2×3", "6")],
    *[("e", "math.e"), ("e^2", "math.e**2"), ("e²", "math.e**2"), ("e^-1", "1/math.e"), ("e⁻¹", "1/math.e")],
    *[("e**2", "math.e**2"), ("2e²", "2*math.e**2"), ("2e^2", "2*math.e**2"), ("e^(1/2)", "math.sqrt(math.e)")],
    *[("exp(1)", "math.e"), ("exp(-2)", "math.exp(-2)"), ("e^1/(e^1+e^2)", "1/(1+math.e)"), ("exp 1", "math.e")],
    *[("ln(0.38)", "math.log(0.38)"), ("ln 2", "math.log(2)"), ("LN(2)/2", "math.log(2)/2"), ("2 ln 2", "2*math.log(2)")],
    *[("log(0.38)", "math.log(0.38)"), ("log10(100)", "2"), ("log2(8)", "3"), ("sin(1)", "math.sin(1)")],
    *[("sin 1", "math.sin(1)"), ("cos(0)", "1"), ("tanh(0.5)", "math.tanh(0.5)"), ("π", "math.pi"), ("π/2", "math.pi/2")],
    *[("2π", "2*math.pi"), ("cos(π)", "-1"), ("½", "0.5"), ("1½", "1.5"), ("¾", "0.75"), ("2⅓", "7/3"), ("½·3", "1.5")],
    *[("1/4 %", "0.0025"), ("100 % - 9 %", "0.91"), ("(1/3)²", "1/9"), ("(1/3)^2", "1/9"), ("1/(1+e^-1)", "1/(1+math.exp(-1))")],
    *[(r"\frac13", "1/3"), (r"\frac{1}{3}", "1/3"), (r"\dfrac{2}{\sqrt2}", "math.sqrt(2)"), (r"1\frac12", "1.5")],
    *[(r"\tfrac 1 3", "1/3"), (r"2/\frac{1}{2}", "4"), (r"\frac{1+1}{3}", "2/3"), (r"\frac{\frac12}{2}", "0.25")],
    *[(r"\frac{\sqrt{2}}{2}", "math.sqrt(2)/2"), (r"\left(\frac12\right)^2", "0.25"), (r"\frac{2}{3}^2", "4/9")],
    *[(r"2\cdot\frac12", "1"), (r"2^{1/2}", "math.sqrt(2)"), (r"\ln 2", "math.log(2)"), (r"\frac{-1}{3}", "-1/3")],
    *[("0.5·ln(0.5)", "0.5*math.log(0.5)"), ("3/(2√3)", "math.sqrt(3)/2"), ("1/√64", "0.125"), ("5·0.577", "5*0.577")],
]
ENDLESS = ["∞", "inf", "Inf", "infinity", "Infinity"]
MINUSES = "-‐‑‒–—―−﹣－"
# With the place from which on they are no number.
UNREADABLE = [
    *[("x", 0), ("four", 0), ("4x", 1), ("4 4", 2), ("1.2.3", 3), ("1,2,3", 3), ("4/", 2), ("/4", 0), ("(4", 2), ("4)", 1)],
    *[("()", 1), ("√", 1), ("sqrt", 4), ("4+", 2), ("4*/3", 2), ("-", 1), (".", 0), (",", 0), ("1e", 1), ("e^", 2), ("nan", 0)],
    *[("1 00", 2), ("%", 0), ("4 % 4", 4), ("0/0", 3, "zero"), ("1/0", 3, "zero"), ("1/(1/0)", 7, "zero"), ("√(-1)", 5, "none"), ("∞-∞", 3, "none")],
    *[("ln", 2), ("ln 1/3", 4), ("ln 2^2", 4), ("ln 2²", 4), ("exp 1/2", 5), ("ln(-1)", 6, "none"), ("ln(0)", 5, "none"), ("0x10", 1)],
    *[("1e999", 5, "large"), ("-1e999", 6, "large"), ("exp(999)", 8, "large"), ("√-1", 1), ("1/(2-2)", 7, "zero")],
    *[("--3", 1), ("- -3", 2), ("−−3", 1), ("+-3", 1), ("4---3", 3), ("2·--3", 3), ("1 3/2", 2), ("1 1/2/2", 2), ("1 1", 2)],
    *[("10^999", 6, "large"), ("(-8)^(1/3)", 10, "none"), ("1_000", 1), ("0.5½", 3), ("1 234 5", 6), ("12 34", 3), ("…", 0), ("4…", 1)],
    *[(r"\frac1x", 0), (r"\frac1", 0), (r"4 \foo", 2), (r"0.5\frac12", 3), ("$", 0), ("{1}", 0), (r"\frac{1}{0}", 0)],
    *[("==4", 1), ("4=4", 1), ("NaN", 0), ("None", 0), ("e3", 1), ("1e1000", 1), ("2 x 3", 2), ("0 ** -1", 7, "zero")],
]


def value_of(expression):
    return float(eval(expression, {"math": math}))


def row(text, value, decimals=None, significant=None, grouped=None):
    name = {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, value)
    return [text, name, decimals, significant, *([] if grouped is None else [grouped])]


def negated(minus, text, expression, counts=()):
    grouped = [-counts[2]] if len(counts) > 2 else []
    return row(f"{minus}{text}", -value_of(expression), *counts[:2], *grouped)


def readable():
    for text, expression, *counts in DECIMALS:
        value = value_of(expression)
        yield row(text, value, *counts)
        yield row(f"  {text}\t", value, *counts)
        yield row(f"+{text}", value, *counts)
        yield row(f"≈ {text}", value, *counts)
        yield from (negated(minus, text, expression, counts) for minus in ("-", "− "))
    for text, expression in EXPRESSIONS:
        value = value_of(expression)
        yield row(text, value)
        yield row(f"({text})", value)
        yield row(f"1 + ({text})/3", 1 + value / 3)
        if not text.startswith("2^3") and "^" not in text[:2]:
            yield row(f"-({text})", -value)
    yield from (negated(minus, "1.5", "1.5", (1, 2)) for minus in MINUSES)
    yield from (row(f"{sign}{text}", value) for text in ENDLESS for sign, value in (("", math.inf), ("−", -math.inf), ("- ", -math.inf)))
    yield from (row(text, value) for text, value in (("-2^2", -4), ("-3²", -9), ("4--2", 6), ("2·-3", -6), ("4/-3", -4 / 3), ("1/∞", 0)))
    yield from (row(text, value) for text, value in (("1 1/2", 1.5), ("-1 1/2", -1.5), ("− 2 3 / 4", -2.75), ("-oo", -math.inf)))
    yield from (row(text, value) for text, value in (("-√4", -2), ("−√2/2", -math.sqrt(2) / 2), ("e^-∞", 0), ("-ln(1/3)", math.log(3))))


def main():
    cases = {text: [text, *rest] for text, *rest in readable()}
    cases |= {text: [text, {"at": at, **({"why": why[0]} if why else {})}] for text, at, *why in UNREADABLE}
    cases |= {text: [text, None] for text in ("", " ", "\t", "\u00a0", "\n ")}
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases.values())
    Path(__file__).with_name("cases.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


main()
