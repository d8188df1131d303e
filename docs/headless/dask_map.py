"""Runs a program over Parquet files on many machines, by Dask: a result file for each file of rows.

    python3 docs/headless/dask_map.py docs/headless/entropies.py MODEL ROWS RESULTS --workers 2

ROWS and RESULTS are folders that all machines see. PROGRAM is a module with work(frame, model). Without
--scheduler the workers are processes of this machine. A result file appears when it is whole. A file whose
worker dies goes to another worker, and a run that was stopped leaves out, the next time, what is there.
"""

import argparse
import importlib
import os
import time
import uuid
from pathlib import Path

import pandas as pd
from distributed import Client, LocalCluster, as_completed
from pyarrow import parquet


def compute(program: str, model: str, source: str, target: str) -> int:
    """One file, on a worker; how many rows it has. Asks first whether it is there: Dask asks again for what a worker
    had done that died since."""
    if os.path.exists(target):
        return parquet.read_metadata(target).num_rows
    made = importlib.import_module(program).work(pd.read_parquet(source), model)
    # Readers of the folder pass over names that begin with a dot, such as what a worker left that died here.
    folder, name = os.path.split(target)
    part = os.path.join(folder, f".{name}.{uuid.uuid4().hex}")
    try:
        made.to_parquet(part, index=False)
        with open(part, "rb") as written:
            os.fsync(written.fileno())
        os.replace(part, target)
    finally:
        Path(part).unlink(missing_ok=True)
    return len(made)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("program", "model", "rows", "results"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--scheduler", help="address of a cluster that runs, such as tcp://host:8786")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes of this machine")
    given = parser.parse_args()
    given.results.mkdir(parents=True, exist_ok=True)
    every = {source: given.results / source.name for source in sorted(given.rows.glob("*.parquet"))}
    due = [(str(source), str(target)) for source, target in every.items() if not target.exists()]
    print(f"{len(every) - len(due)} of {len(every)} files are there")
    local = given.scheduler or LocalCluster(
        n_workers=given.workers, threads_per_worker=1, dashboard_address=None
    )
    with Client(local) as client:
        client.upload_file(str(given.program))
        begin = time.perf_counter()
        sources, targets = zip(*due, strict=True) if due else ((), ())
        name, model = given.program.stem, str(given.model.resolve())
        futures = client.map(
            lambda source, target: compute(name, model, source, target), sources, targets, pure=False
        )
        rows = 0
        for future in as_completed(futures):
            rows += future.result()
            print(f"{rows} rows", flush=True)
        print(f"{rows} rows in {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
