"""Prints what DuckDB, pandas and polars find in the tables of a directory, as one object of JSON."""

import glob
import json
import sys

import duckdb
import pandas
import polars

top, ending = sys.argv[1:]


def everything(table):
    return f"{top}/{table}/**/*.{ending}"


def with_duckdb(table, keys, sums):
    columns = ", ".join([*keys, "count(*)", *(f"coalesce(sum({s}), 0)" for s in sums)])
    read = "read_parquet" if ending == "parquet" else "read_csv"
    source = f"{read}('{everything(table)}', hive_partitioning = true)"
    return duckdb.sql(f"select {columns} from {source} group by all").fetchall()


def with_pandas(table, keys, sums):
    if ending == "parquet":
        frame = pandas.read_parquet(f"{top}/{table}")
    else:
        files = glob.glob(everything(table), recursive=True)
        frame = pandas.concat([pandas.read_csv(f, keep_default_na=False, low_memory=False) for f in files])
        frame[sums] = frame[sums].apply(pandas.to_numeric)
    if frame.empty:
        return []
    groups = frame.groupby(keys, dropna=False)
    counts = groups.size()
    totals = groups[sums].sum() if sums else None
    return [[*key, n, *(totals.loc[key] if sums else [])] for key, n in counts.items()]


def with_polars(table, keys, sums):
    if ending == "parquet":
        frame = polars.scan_parquet(everything(table), hive_partitioning=True)
    else:
        frame = polars.scan_csv(everything(table), infer_schema_length=None)
    return frame.group_by(keys).agg(polars.len(), *(polars.col(s).cast(polars.Int64).sum() for s in sums)).collect().rows()


def totals(engine):
    def lines(*query):
        rows = engine(*query)
        return sorted(" ".join(str(int(v) if hasattr(v, "__int__") and not isinstance(v, str) else v) for v in r) for r in rows)

    return {
        "calls": lines("calls", ["trace", "op", "call"], ["bytes", "duration_ns"]),
        "requests": lines("requests", ["trace", "op"], ["bytes"]),
        "copies": lines("copies", ["trace", "method"], ["bytes"]),
        "amounts": lines("amounts", ["trace", "scope", "op", "kind"], ["bytes"]),
        "waits": lines("waits", ["trace", "cause"], ["duration_ns"]),
        "files": lines("files", ["trace", "type"], []),
        "lost": lines("lost", ["trace", "kind"], ["count"]),
        "traces": lines("traces", ["trace", "complete"], ["events", "lost"]),
    }


print(json.dumps({e.__name__: totals(e) for e in (with_duckdb, with_pandas, with_polars)}))
