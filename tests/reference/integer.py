"""Writes fixtures/integer.json: stored matrices, rows of x, and their products in integers, as the head of
src/stored/integer.c defines them. Every step is computed in whole numbers and fractions, and rounded by itself, so
nothing here depends on a machine's arithmetic, nor on NumPy.

    python3 tests/reference/integer.py
"""

import json
import random
import struct
from fractions import Fraction
from math import floor, inf, isfinite, nan
from pathlib import Path

FIXTURE = Path(__file__).parent / "fixtures" / "integer.json"
ROWS, COLUMNS, BLOCK = 10, 512, 32


def half_even(x):
    """The integer next to a fraction, halves to the even one."""
    below = floor(x)
    rest = x - below
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2):
        return below + 1
    return below


def float32(x):
    """The float32 next to a fraction, as a fraction; or infinity."""
    x = Fraction(x)
    if x == 0:
        return Fraction(0)
    exponent = max(-149, x.numerator.bit_length() - x.denominator.bit_length() - 24)
    while abs(x) >= Fraction(2) ** (exponent + 24):
        exponent += 1
    rounded = half_even(x / Fraction(2) ** exponent) * Fraction(2) ** exponent
    if abs(rounded) >= Fraction(2) ** 128:
        return inf if x > 0 else -inf
    return rounded


def times(a, b):
    if not (isfinite(a) and isfinite(b)):
        return float(a) * float(b)
    return float32(Fraction(a) * Fraction(b))


def plus(a, b):
    if not (isfinite(a) and isfinite(b)):
        return float(a) + float(b)
    return float32(Fraction(a) + Fraction(b))


def bits(x):
    if x != x:
        return 0x7FC00000
    return struct.unpack("<I", struct.pack("<f", float(x)))[0]


# ---- Formats ----


def half(b):
    return Fraction(struct.unpack("<e", b)[0])


def nibbles(b):
    return [byte & 15 for byte in b] + [byte >> 4 for byte in b]


def with_fifth(values, word):
    return [v | (word >> i & 1) << 4 for i, v in enumerate(values)]


def six_bits(b):
    """The eight factors of scale, and the eight of offset."""
    scales = [b[j] & 63 for j in range(4)] + [b[8 + j] & 15 | b[j] >> 6 << 4 for j in range(4)]
    offsets = [b[4 + j] & 63 for j in range(4)] + [b[8 + j] >> 4 | b[4 + j] >> 6 << 4 for j in range(4)]
    return scales, offsets


def q4_0(b):
    return [([q - 8 for q in nibbles(b[2:])], half(b[:2]), 0)]


def q4_1(b):
    return [(nibbles(b[4:]), half(b[:2]), half(b[2:4]))]


def q5_0(b):
    fifths = int.from_bytes(b[2:6], "little")
    return [([q - 16 for q in with_fifth(nibbles(b[6:]), fifths)], half(b[:2]), 0)]


def q5_1(b):
    fifths = int.from_bytes(b[4:8], "little")
    return [(with_fifth(nibbles(b[8:]), fifths), half(b[:2]), half(b[2:4]))]


def q8_0(b):
    return [(list(struct.unpack("<32b", b[2:])), half(b[:2]), 0)]


def k_parts(b, fifths, packed):
    d, m = half(b[:2]), half(b[2:4])
    scales, offsets = six_bits(b[4:16])
    parts = []
    for j in range(8):
        run = packed[32 * (j // 2) : 32 * (j // 2) + 32]
        q = [byte >> 4 if j % 2 else byte & 15 for byte in run]
        if fifths:
            q = [value | (fifths[i] >> j & 1) << 4 for i, value in enumerate(q)]
        parts.append((q, d * scales[j], -m * offsets[j]))
    return parts


def q4_k(b):
    return k_parts(b, None, b[16:])


def q5_k(b):
    return k_parts(b, b[16:48], b[48:])


def q6_k(b):
    low, high, scales = b[:128], b[128:192], struct.unpack("<16b", b[192:208])
    d, q = half(b[208:]), []
    for i in range(256):
        n, j, l = i // 128, i % 128 // 32, i % 32
        lower = low[64 * n + 32 * (j % 2) + l] >> (4 if j >= 2 else 0) & 15
        q.append((lower | (high[32 * n + l] >> 2 * j & 3) << 4) - 32)
    return [(q[16 * p : 16 * p + 16], d * scales[p], 0) for p in range(16)]


# A reader, the bytes of a block, and where its float16 numbers lie.
TYPES = {
    "q4_0": (q4_0, 18, [0]),
    "q4_1": (q4_1, 20, [0, 2]),
    "q5_0": (q5_0, 22, [0]),
    "q5_1": (q5_1, 24, [0, 2]),
    "q8_0": (q8_0, 34, [0]),
    "q4_k": (q4_k, 144, [0, 2]),
    "q5_k": (q5_k, 176, [0, 2]),
    "q6_k": (q6_k, 210, [208]),
}

# ---- The product ----


def integers(block):
    """The scale of a block, and its integers."""
    if not all(isfinite(x) for x in block):
        return nan, [0] * BLOCK
    s = float32(max(abs(x) for x in block) / 32767)
    if s < Fraction(2) ** -126:
        return Fraction(0), [0] * BLOCK
    return s, [half_even(float32(x / s)) for x in block]


def product(parts, x):
    """One number: parts of a row of weights, and a row of x."""
    blocks = [integers(x[k : k + BLOCK]) for k in range(0, len(x), BLOCK)]
    y, column = Fraction(0), 0
    for q, d, m in parts:
        s, block = blocks[column // BLOCK]
        first = column % BLOCK
        i = sum(a * b for a, b in zip(q, block[first : first + len(q)], strict=True))
        assert abs(i) < 2**31
        scaled = times(float32(i), times(d, s))
        y = plus(y, plus(scaled, times(m, times(float32(sum(block)), s))))
        column += len(q)
    return y


# ---- What is multiplied ----


def float32_of(x):
    return float32(Fraction(x))


def rows_of_x(draw):
    normal = [float32_of(draw.gauss(0, 1)) for _ in range(COLUMNS)]
    wide = [float32_of(draw.gauss(0, 1) * 10 ** draw.uniform(-6, 6)) for _ in range(COLUMNS)]
    gaps = [x if i // BLOCK % 2 else Fraction(0) for i, x in enumerate(normal)]
    # s is 2^-10, so these lie at halves of it.
    ties = [Fraction(draw.randrange(-65533, 65534, 2), 2**11) for _ in range(COLUMNS)]
    for i in range(0, COLUMNS, BLOCK):
        ties[i] = Fraction(32767, 2**10)
    tiny = [float32(x * Fraction(2) ** -(112 + i // BLOCK)) for i, x in enumerate(normal)]
    huge = [float32(x * Fraction(2) ** 120) for x in normal]
    odd = [[*normal], [*normal]]
    odd[0][70], odd[1][300] = nan, -inf
    return [normal, wide, gaps, ties, tiny, huge, *odd]


def blocks_of(draw, size, halves):
    block = bytearray(draw.randbytes(size))
    for at in halves:
        block[at + 1] = block[at + 1] & 0x83 | draw.choice([0x24, 0x28, 0x2C, 0x30])
    return bytes(block)


draw = random.Random(7)
x = rows_of_x(draw)
stored = {}
for name, (read, size, halves) in TYPES.items():
    block = 256 if name.endswith("k") else BLOCK
    rows = [[blocks_of(draw, size, halves) for _ in range(COLUMNS // block)] for _ in range(ROWS)]
    parts = [[part for b in row for part in read(b)] for row in rows]
    y = [[bits(product(weights, values)) for weights in parts] for values in x]
    stored[name] = {"bytes": b"".join(b"".join(row) for row in rows).hex(), "y": y}
rows_bits = [[bits(value) for value in row] for row in x]
fixture = {"rows": ROWS, "columns": COLUMNS, "x": rows_bits, "stored": stored}
FIXTURE.write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
