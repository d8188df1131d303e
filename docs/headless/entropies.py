"""How widely each head looks: the entropy of its attention weights, in bits, for every row of a frame.

A program for dask_map.py and spark_map.py. In: a column `id`, and `tokens`, lists of ids. Out: `id`, and
`entropy`, one number per head, layer by layer, the mean over the queries. On a cluster every machine needs the
package glassformer, and the model's file at the same path.

    python3 docs/headless/entropies.py build/cluster

makes a model and 1,600 rows in eight Parquet files to try it on.
"""

import functools
import sys
from pathlib import Path

import glassformer as gf
import numpy as np
import pandas as pd

#: What work() returns, as Spark must know it beforehand.
SCHEMA = "id long, entropy array<double>"
#: Rows that are computed at once.
BATCH = 16


@functools.cache
def opened(path: str) -> gf.Model:
    """Once per process."""
    return gf.open(path)


@functools.cache
def run_on(path: str, length: int) -> gf.Run:
    """Once per process and length, too: to make a tape costs more than to run it."""
    return opened(path)(target=np.zeros((BATCH, length), int), gradients=False)


def entropies(path: str, tokens: np.ndarray) -> np.ndarray:
    """[B,heads of all layers] of tokens [B,T], at most BATCH of them."""
    size, length = tokens.shape
    run = run_on(path, length)
    run["target"].data[:size] = tokens
    run.forward()
    weights = [node.data[:size] for node in run.tape.nodes if node.role == "weight" and node.op == "softmax"]
    bits = [-(w * np.log2(np.where(w > 0, w, 1), dtype=np.float64)).sum(-1) for w in weights]
    return np.concatenate([of_queries.mean(-1) for of_queries in bits], axis=1)


def work(frame: pd.DataFrame, model: str) -> pd.DataFrame:
    """One result per row, in their order. Rows of one length are computed together, without padding."""
    found: dict[int, list[float]] = {}
    for _, rows in frame.groupby(frame["tokens"].map(len)):
        for start in range(0, len(rows), BATCH):
            some = rows.iloc[start : start + BATCH]
            made = entropies(model, np.stack(some["tokens"].to_list()))
            found.update(zip(some["id"], made.tolist(), strict=True))
    return pd.DataFrame({"id": frame["id"], "entropy": [found[row] for row in frame["id"]]})


def make(folder: Path) -> None:
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    gf.Model(kind="gpt", vocab=256, d_model=64, heads=4, layers=2, max_length=64, seed=1).save(
        folder / "model.safetensors"
    )
    random = np.random.default_rng(1)
    for part in range(8):
        ids = np.arange(200) + 200 * part
        tokens = [random.integers(0, 256, random.choice([24, 32, 48])).tolist() for _ in ids]
        frame = pd.DataFrame({"id": ids, "tokens": tokens})
        frame.to_parquet(folder / f"rows/part-{part:05}.parquet", index=False)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
