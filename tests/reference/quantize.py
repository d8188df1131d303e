"""Writes fixtures/quantized.json: numbers, and what llama.cpp's own package stores and reads for them.

    build/torch/bin/pip install gguf
    build/torch/bin/python -B tests/reference/quantize.py
"""

import base64
import json
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf.quants import dequantize, quantize

FIXTURES = Path(__file__).parent / "fixtures"
random = np.random.default_rng(5)
# Blocks of all sizes of numbers, of one sign, of zeros, and with ties.
rows = [random.normal(0, 10.0 ** k, 256) for k in (-3, -1, 0, 2)]
rows += [np.abs(random.normal(0, 1, 256)), -np.abs(random.normal(0, 1, 256)), np.zeros(256)]
rows += [np.round(random.normal(0, 8, 256)) / 2]
numbers = np.array(rows, dtype=np.float32)
text = lambda array: base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
stored = {}
for name in ("F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"):
    made = quantize(numbers, Type[name])
    stored[name] = {"bytes": text(made), "numbers": text(dequantize(made, Type[name]))}
for name in ("Q4_K", "Q5_K", "Q6_K"):
    # The package cannot make these: random blocks, whose scales are finite.
    size = {"Q4_K": 144, "Q5_K": 176, "Q6_K": 210}[name]
    made = random.integers(0, 256, (8, size), dtype=np.uint8)
    for at in (208,) if name == "Q6_K" else (0, 2):
        made[:, at : at + 2] = np.frombuffer(random.normal(0, 1, 8).astype(np.float16).tobytes(), np.uint8).reshape(8, 2)
    stored[name] = {"bytes": text(made), "numbers": text(dequantize(made, Type[name]))}
fixture = {"numbers": text(numbers), "stored": stored}
(FIXTURES / "quantized.json").write_text(json.dumps(fixture) + "\n")
