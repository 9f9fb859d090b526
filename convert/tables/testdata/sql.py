"""Runs the questions of docs/sql.md over tables on one engine: prints an object of JSON, with the rows of each question
by its title. The tables are in a directory, or, for an engine-s3, in a bucket: SERVER/BUCKET."""

import atexit
import glob
import importlib.resources
import json
import math
import os
import re
import shutil
import sys
import tempfile
import time

TABLES = """calls async_ops faults requests request_pieces waits processes files devices lost copies causes amounts
traces""".split()

page, directory, engine, *workers = sys.argv[1:]


def blocks(text):
    """The questions by their titles, and what each engine is told before them."""
    questions, before, title = {}, {}, ""
    for heading, name, body in re.findall(r"^## ([^\n]*)$|^```sql *([\w-]*)\n(.*?)^```$", text, re.M | re.S):
        if heading:
            title = heading
        elif name:
            before[name] = [s.strip() for s in body.split(";") if s.strip()]
        else:
            assert title not in questions, title
            questions[title] = body
    return questions, before


def duckdb(before):
    import duckdb

    connection = duckdb.connect()
    if workers:
        connection.sql(f"set threads = {workers[0]}")
    if engine == "duckdb-s3":
        extension(connection, "httpfs")
    for statement in before:
        connection.execute(statement)
    return lambda q: connection.execute(q).fetchall()


def extension(connection, name):
    """Installs an extension that came from PyPI, until the end: DuckDB's own site may be out of reach."""
    home = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, home)
    connection.execute(f"set extension_directory = '{home}'")
    files = importlib.resources.files(f"duckdb_extension_{name}")
    for path in glob.glob(f"{files}/extensions/*/{name}.duckdb_extension"):
        connection.execute(f"install '{path}'")


def clickhouse(before):
    from chdb.session import Session

    session = Session()
    if workers:
        session.query(f"set max_threads = {workers[0]}")
    for statement in before:
        session.query(statement)
    return lambda q: [json.loads(line) for line in session.query(q, "JSONCompactEachRow").bytes().splitlines()]


def spark(before):
    import pyspark
    from pyspark.sql import SparkSession

    many = workers[0] if workers else 2
    master = f"local[{many}]"
    if engine == "spark-cluster":  # processes with a processor and so many MiB each, which leave their logs behind
        master = f"local-cluster[{many},1,1536]"
        atexit.register(shutil.rmtree, f"{os.path.dirname(pyspark.__file__)}/work", ignore_errors=True)
    build = SparkSession.builder.master(master)
    for key, value in {"ui.enabled": "false", "driver.bindAddress": "127.0.0.1", "driver.host": "127.0.0.1",
                       "driver.memory": "3g", "executor.memory": "1g", "sql.shuffle.partitions": "4",
                       "sql.session.timeZone": "UTC"}.items():
        build = build.config(f"spark.{key}", value)
    session = build.getOrCreate()
    atexit.register(session.stop)
    for statement in before:
        session.sql(statement)
    return lambda q: session.sql(q).collect()


def plain(value):
    if value is None or isinstance(value, (str, bool)):
        return value
    value = float(value)
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else float(f"{value:.9g}")


with open(page, encoding="utf-8") as f:
    questions, before = blocks(f.read())
statements = []
for s in before[engine.removesuffix("-cluster")]:
    statements += [s.replace("TABLE", t) for t in TABLES] if "TABLE" in s else [s]
server, _, bucket = directory.partition("/")
for word, value in {"DIR": directory, "SERVER": server, "BUCKET": bucket}.items():
    statements = [s.replace(word, value) for s in statements]
ask = {"duckdb": duckdb, "clickhouse": clickhouse, "spark": spark}[engine.split("-")[0]](statements)
answers = {}
for title, question in questions.items():
    began = time.monotonic()
    try:
        answers[title] = [[plain(v) for v in row] for row in ask(question)]
    except Exception as e:
        sys.exit(f"{engine}: {title}: {e}")
    print(f"{time.monotonic() - began:8.3f} s  {title}", file=sys.stderr)
print(json.dumps(answers))
