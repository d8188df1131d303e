"""Writes fixtures/quantized.json: numbers, and what llama.cpp's own package stores and reads for them. The types with
a K are made by llama.cpp's library, which the package does not hold.

    build/torch/bin/pip install gguf
    make -C tests/bench setup
    build/torch/bin/python -B tests/reference/quantize.py
"""

import base64
import ctypes
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
library = ctypes.CDLL(str(next(FIXTURES.parents[1].glob("bench/node_modules/@node-llama-cpp/linux-x64/**/libggml-base.so"))))
for name, size in (("Q4_K", 144), ("Q5_K", 176), ("Q6_K", 210)):
    made = np.zeros((8, size), dtype=np.uint8)
    pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    library.ggml_quantize_chunk(
        int(Type[name]), pointer(numbers), pointer(made), ctypes.c_int64(0), ctypes.c_int64(8), ctypes.c_int64(256), None
    )
    stored[name] = {"bytes": text(made), "numbers": text(dequantize(made, Type[name]))}
fixture = {"numbers": text(numbers), "stored": stored}
(FIXTURES / "quantized.json").write_text(json.dumps(fixture) + "\n")
