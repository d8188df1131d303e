"""Ten tokens of a model: each id, its logit, and a hash of all logits, as tests/native/open.c has them."""

import sys

import numpy as np

import glassformer as gf

path, *words = sys.argv[1:]
model = gf.open(path)
prompt = [int(word) for word in words]
two = model.config["kind"] == "transformer"
ids = [1] if two else list(prompt)
for _ in range(10):
    if len(ids) >= model.config["max_length"]:
        break
    run = model(target=[ids], **({"source": [prompt]} if two else {}))
    row = np.asarray(run.logits.data).reshape(-1, model.config["vocab"])[-1]
    digest = 2166136261
    for byte in row.astype("<f4").tobytes():
        digest = (digest ^ byte) * 16777619 & 0xFFFFFFFF
    best = int(np.argmax(row))
    print(best, float(row[best]), f"{digest:08x}")
    ids.append(best)
