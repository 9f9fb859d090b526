"""Prints what DuckDB, pandas with Arrow, and polars find in the tables of a directory, as one object of JSON."""

import json
import sys

import duckdb
import pandas
import polars

top = sys.argv[1]


def everything(table):
    return f"{top}/{table}/**/*.parquet"


def with_duckdb(table, keys, sums):
    columns = ", ".join([*keys, "count(*)", *(f"coalesce(sum({s}), 0)" for s in sums)])
    source = f"read_parquet('{everything(table)}', hive_partitioning = true)"
    return duckdb.sql(f"select {columns} from {source} group by all").fetchall()


def with_pandas(table, keys, sums):
    frame = pandas.read_parquet(f"{top}/{table}")
    if frame.empty:
        return []
    groups = frame.groupby(keys, dropna=False)
    counts = groups.size()
    totals = groups[sums].sum() if sums else None
    return [[*key, n, *(totals.loc[key] if sums else [])] for key, n in counts.items()]


def with_polars(table, keys, sums):
    frame = polars.scan_parquet(everything(table), hive_partitioning=True)
    return frame.group_by(keys).agg(polars.len(), *(polars.col(s).sum() for s in sums)).collect().rows()


def totals(engine):
    def lines(*query):
        rows = engine(*query)
        return sorted(" ".join(str(int(v) if hasattr(v, "__int__") and not isinstance(v, str) else v) for v in r) for r in rows)

    return {
        "calls": lines("calls", ["trace", "op", "call"], ["bytes", "duration_ns"]),
        "requests": lines("requests", ["trace", "op"], ["bytes"]),
        "copies": lines("copies", ["trace", "method"], ["bytes"]),
        "waits": lines("waits", ["trace", "cause"], ["duration_ns"]),
        "files": lines("files", ["trace", "type"], []),
        "lost": lines("lost", ["trace", "kind"], ["count"]),
        "traces": lines("traces", ["trace", "complete"], ["events", "lost"]),
    }


print(json.dumps({e.__name__: totals(e) for e in (with_duckdb, with_pandas, with_polars)}))
