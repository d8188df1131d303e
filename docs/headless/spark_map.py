"""Runs the same programs over Parquet files by Apache Spark, with mapInPandas.

    spark-submit docs/headless/spark_map.py docs/headless/entropies.py MODEL ROWS RESULTS

or python3 in place of spark-submit, for this machine alone. Spark tries the tasks of a worker that dies again, and a
run that was stopped computes, the next time, the rows whose id is not among the results. The program's SCHEMA
says which columns it returns.
"""

import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pyspark.sql import SparkSession


def main(program: str, model: str, source: str, target: str) -> None:
    spark = SparkSession.builder.appName(Path(program).stem).getOrCreate()
    spark.sparkContext.addPyFile(program)
    name, file = Path(program).stem, str(Path(model).resolve())
    schema = importlib.import_module(name).SCHEMA

    def compute(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        work = importlib.import_module(name).work
        for frame in frames:
            yield work(frame, file)

    rows = spark.read.parquet(source)
    if Path(target).exists():
        done = spark.read.schema(schema).parquet(target).select("id")
        rows = rows.join(done, "id", "left_anti")
    begin = time.perf_counter()
    rows.mapInPandas(compute, schema).write.mode("append").parquet(target)
    seconds = time.perf_counter() - begin
    print(f"{spark.read.parquet(target).count()} rows in {seconds:.1f} s")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
