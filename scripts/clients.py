"""Reads what `clean` writes with the programs that people read Parquet with, and prints a table of them.

usage: clients.py WARCSIEVE FOLDER [--out OUT.md] [--zoo ZOO]

FOLDER gets the output of `clean testdata/crawl`, and an environment with the clients, each pinned. Every client reads all
columns of all tables in a process of its own. It must find the rows and the bytes of text that the manifest counts. With
ZOO, a folder of crawl files, warcio and FastWARC count its records beside `check`. Ends with 1 if a client cannot read.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

CRAWL = "testdata/crawl"
SECONDS = 600
# The name, what is installed, and the statements that set, of the Parquet files FILES: how many rows they have, and how
# many bytes of text. A table without `text` has TEXT false.
CLIENTS = [
    ("DuckDB", "duckdb==2.0.1", """
import duckdb
table = duckdb.read_parquet(FILES).fetchall()
names = duckdb.read_parquet(FILES).columns
rows, texts = len(table), [row[names.index("text")] for row in table] if TEXT else []
"""),
    ("pyarrow", "pyarrow==25.0.1", """
import pyarrow.parquet
tables = [pyarrow.parquet.read_table(file) for file in FILES]
rows = sum(table.num_rows for table in tables)
texts = [text for table in tables for text in table["text"].to_pylist()] if TEXT else []
for table in tables: table.to_pylist()
"""),
    ("pandas", "pandas==3.1.1 pyarrow==25.0.1", """
import pandas
table = pandas.concat([pandas.read_parquet(file) for file in FILES])
rows, texts = len(table), list(table["text"]) if TEXT else []
"""),
    ("Polars", "polars==2.1.0", """
import polars
table = polars.read_parquet(FILES)
rows, texts = table.height, table["text"].to_list() if TEXT else []
"""),
    ("ClickHouse (chdb)", "chdb==4.4.0", """
import chdb, json
rows, texts = 0, []
for file in FILES:
    lines = str(chdb.query(f"SELECT * FROM file('{file}', Parquet)", "JSONEachRow")).splitlines()
    rows += len(lines)
    texts += [json.loads(line)["text"] for line in lines] if TEXT else []
"""),
    ("fastparquet", "fastparquet==2026.9.0", """
import fastparquet
tables = [fastparquet.ParquetFile(file).to_pandas() for file in FILES]
rows = sum(len(table) for table in tables)
texts = [text for table in tables for text in table["text"]] if TEXT else []
"""),
    ("Hugging Face datasets", "datasets==5.2.0", """
import datasets, tempfile
table = datasets.load_dataset("parquet", data_files=FILES, split="train", cache_dir=tempfile.mkdtemp())
rows, texts = table.num_rows, list(table["text"]) if TEXT else []
for row in table: pass
"""),
    ("Daft", "daft==0.7.26", """
import daft
table = daft.read_parquet(FILES).to_pydict()
rows, texts = len(next(iter(table.values()))), table["text"] if TEXT else []
"""),
    ("Ray Data", "ray[data]==2.60.0 aiohttp==3.14.5", """
import ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
table = ray.data.read_parquet(FILES).take_all()
rows, texts = len(table), [row["text"] for row in table] if TEXT else []
"""),
    ("PySpark", "pyspark==4.3.0", """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
table = spark.read.parquet(*FILES).collect()
rows, texts = len(table), [row["text"] for row in table] if TEXT else []
"""),
]
END = """
import json
print("\\n" + json.dumps([rows, sum(len(text.encode()) for text in texts if text)]))
"""
READERS = [
    ("warcio", "warcio==1.8.1", """
from warcio.archiveiterator import ArchiveIterator
records = sum(1 for record in ArchiveIterator(open(FILE, "rb"), no_record_parse=True))
"""),
    ("FastWARC", "fastwarc==2.0.1", """
from fastwarc.warc import ArchiveIterator
records = sum(1 for record in ArchiveIterator(open(FILE, "rb"), parse_http=False))
"""),
]


def install(folder):
    """The Python of an environment with as many of the packages as can be had, and the names of the others."""
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "venv", with_pip=True)
    lost = set() if shutil.which("java") else {"PySpark"}
    for name, packages, _ in CLIENTS + READERS:
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages.split()])
        if done.returncode:
            lost.add(name)
    return python, lost


def evaluate(python, code):
    """What the code prints last, as JSON, or the last line of its error."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return None, f"nothing within {SECONDS} s"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return None, lines[-1][:160].replace("|", "\\|")
    return json.loads(done.stdout.strip().splitlines()[-1]), ""


def clean(program, out):
    """The rows of each table by the manifest, and the bytes of text of the documents."""
    done = subprocess.run([program, "clean", CRAWL, "--out", out, "--redo", "--quiet", "--set", "link_table=true"])
    if done.returncode not in (0, 10):
        sys.exit(f"clean ends with {done.returncode}")
    done = subprocess.run([program, "status", out, "--json"], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    rows = [line for line in lines if "command" not in line]
    expected = {table: [0, 0] for table in ("documents", "blocks", "links")}
    for file in (file for row in rows for file in row["outputs"]):
        expected[file["path"].split("/")[0]][0] += file["rows"]
    expected["documents"][1] = sum(row["pages"]["text_bytes"] for row in rows)
    return expected


def version(python, packages):
    name = packages.split()[0].split("==")[0].split("[")[0]
    found, why = evaluate(python, f"import importlib.metadata, json; print(json.dumps(importlib.metadata.version({name!r})))")
    return found or why


def clients(python, lost, out, expected):
    lines, failed = ["| client | version | documents | blocks | links | result |", "| --- | --- | ---: | ---: | ---: | --- |"], 0
    for name, packages, code in CLIENTS:
        if name in lost:
            lines.append(f"| {name} | – | – | – | – | cannot be installed here |")
            continue
        cells, result = [], "all columns"
        for table, wanted in expected.items():
            files = sorted(str(path) for path in (out / table).rglob("*.parquet"))
            found, why = evaluate(python, f"FILES, TEXT = {files!r}, {table == 'documents'}\n{code}{END}")
            cells.append(f"{found[0]:,}" if found else "–")
            if found != wanted:
                result, failed = f"{table}: {why or f'{found}, not {wanted}'}", failed + 1
        lines.append(f"| {name} | {version(python, packages)} | {' | '.join(cells)} | {result} |")
        print(lines[-1], file=sys.stderr)
    return lines, failed


def readers(python, lost, program, zoo):
    files = sorted(path for path in zoo.iterdir() if path.suffix not in (".md", ".json", ".txt") and path.is_file())
    ours = {}
    for path in files:
        done = subprocess.run([program, "check", "--json", path], capture_output=True, text=True)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        ours[path] = sum(line["read"]["records"] for line in found if "read" in line)
    lines = ["| reader | version | files | as many records as `check` | fewer | more | ends with an error |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, packages, code in READERS:
        if name in lost:
            lines.append(f"| {name} | – | – | – | – | – | cannot be installed here |")
            continue
        found = {path: evaluate(python, f"FILE = {str(path)!r}\n{code}\nprint(records)")[0] for path in files}
        errors = sum(count is None for count in found.values())
        same, fewer, more = (sum(count is not None and test(count, ours[path]) for path, count in found.items())
                             for test in (int.__eq__, int.__lt__, int.__gt__))
        lines.append(f"| {name} | {version(python, packages)} | {len(files)} | {same} | {fewer} | {more} | {errors} |")
    return lines


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("program", "folder", "--out", "--zoo"):
        parser.add_argument(name)
    given = parser.parse_args()
    program, folder = given.program, Path(given.folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    expected = clean(program, folder / "out")
    python, lost = install(folder)
    lines, failed = clients(python, lost, folder / "out", expected)
    if given.zoo:
        lines += ["", *readers(python, lost, program, Path(given.zoo))]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        Path(given.out).write_text(text, encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
