"""Reads what `clean` writes with the programs that people read Parquet with, and prints a table of them.

usage: clients.py WARCSIEVE FOLDER [--out OUT.md] [--zoo ZOO]

FOLDER gets the output of `clean testdata/crawl`, and an environment with the clients, each pinned. Every client reads all
columns of all tables in a process of its own. It must find the rows and the bytes of text that the manifest counts.
Programs for web archives read an index of `cdx` and a WACZ. DuckDB runs the queries of the readme and of the docs. With
ZOO, a folder of crawl files, warcio and FastWARC count its records beside `check`. Ends with 1 if a client cannot read.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

CRAWL = "testdata/crawl"
# A file of it that has no faults, for indexes and WACZ files.
SOUND = "testdata/crawl/en0000/00.warc.gz"
SECONDS = 600
# The name, what is installed, what comes first, the expression that reads a table from the folder TABLE, and what then
# gives all its rows and its texts. A table without `text` has TEXT false. The docs show the expression.
CLIENTS = [
    ("DuckDB", "duckdb==2.0.1", "import duckdb",
     'duckdb.read_parquet("TABLE/**/*.parquet")', """
names, table = table.columns, table.fetchall()
rows, texts = len(table), [row[names.index("text")] for row in table] if TEXT else []
"""),
    ("pyarrow", "pyarrow==25.0.1", "import pyarrow.parquet",
     'pyarrow.parquet.read_table("TABLE")', """
rows, texts = len(table.to_pylist()), table["text"].to_pylist() if TEXT else []
"""),
    ("pandas", "pandas==3.1.1 pyarrow==25.0.1", "import pandas",
     'pandas.read_parquet("TABLE")', """
rows, texts = len(table), list(table["text"]) if TEXT else []
"""),
    ("Polars", "polars==2.1.0", "import polars",
     'polars.read_parquet("TABLE/**/*.parquet")', """
rows, texts = table.height, table["text"].to_list() if TEXT else []
"""),
    ("ClickHouse (chdb)", "chdb==4.4.0", "import chdb, json",
     """chdb.query("FROM file('TABLE/**/*.parquet') SELECT *", "JSONEachRow")""", """
table = [json.loads(line) for line in str(table).splitlines()]
rows, texts = len(table), [row["text"] for row in table] if TEXT else []
"""),
    ("fastparquet", "fastparquet==2026.9.0", "import fastparquet",
     'fastparquet.ParquetFile("TABLE").to_pandas()', """
rows, texts = len(table), list(table["text"]) if TEXT else []
"""),
    ("Hugging Face datasets", "datasets==5.2.0", "import datasets",
     'datasets.load_dataset("parquet", data_files="TABLE/**/*.parquet", split="train")', """
rows, texts = table.num_rows, list(table["text"]) if TEXT else []
for row in table: pass
"""),
    ("Daft", "daft==0.7.26", "import daft",
     'daft.read_parquet("TABLE/**/*.parquet")', """
table = table.to_pydict()
rows, texts = len(next(iter(table.values()))), table["text"] if TEXT else []
"""),
    ("Ray Data", "ray[data]==2.60.0 aiohttp==3.14.5", """
import ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
""", 'ray.data.read_parquet("TABLE")', """
table = table.take_all()
rows, texts = len(table), [row["text"] for row in table] if TEXT else []
"""),
    ("PySpark", "pyspark==4.3.0", """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
""", 'spark.read.option("recursiveFileLookup", "true").parquet("TABLE")', """
table = table.collect()
rows, texts = len(table), [row["text"] for row in table] if TEXT else []
"""),
]
END = """
import json
print("\\n" + json.dumps([rows, sum(len(text.encode()) for text in texts if text)]))
"""
# Looks up every line of the index INDEX, and loads its record from the file CRAWL.
PYWB = """
from pywb.warcserver.index.cdxobject import CDXObject
from pywb.warcserver.index.indexsource import FileIndexSource
from pywb.warcserver.resource.blockrecordloader import BlockArcWarcRecordLoader

lines = [CDXObject(line.rstrip(b"\\n")) for line in open(INDEX, "rb")]
source, loader, found = FileIndexSource(INDEX), BlockArcWarcRecordLoader(), 0
for line in lines:
    key = line["urlkey"].encode()
    hits = source.load_index({"key": key, "end_key": key + b"!", "url": line["url"]})
    record = loader.load(CRAWL, int(line["offset"]), int(line["length"]))
    is_same = record.rec_headers.get_header("WARC-Target-URI") == line["url"]
    found += is_same and any(hit["offset"] == line["offset"] for hit in hits)
print([found, len(lines)])
"""
# The name, what is installed.
TOOLS = [("cdxj-indexer", "cdxj-indexer==1.5.0"), ("pywb", "pywb==2.10.0"), ("wacz", "wacz==0.6.0")]
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


def install(folder, wanted):
    """The Python of an environment with as many of the packages as can be had, and the names of the others."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    lost = set() if shutil.which("java") else {"PySpark"}
    for name, packages, *_ in wanted:
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
    lines = ["| client | version | what reads a table | documents | blocks | links | result |",
             "| --- | --- | --- | ---: | ---: | ---: | --- |"]
    failed = 0
    for name, packages, first, reads, then in CLIENTS:
        shown = reads.replace("TABLE", "corpus/documents")
        if name in lost:
            lines.append(f"| {name} | – | `{shown}` | – | – | – | cannot be installed here |")
            continue
        cells, result = [], "all columns"
        for table, wanted in expected.items():
            reading = reads.replace("TABLE", str(out / table))
            found, why = evaluate(python, f"TEXT = {table == 'documents'}\n{first}\ntable = {reading}\n{then}{END}")
            cells.append(f"{found[0]:,}" if found else "–")
            if found != wanted:
                result, failed = f"{table}: {why or f'{found}, not {wanted}'}", failed + 1
        lines.append(f"| {name} | {version(python, packages)} | `{shown}` | {' | '.join(cells)} | {result} |")
        print(lines[-1], file=sys.stderr)
    return lines, failed


def pages_of(corpus, file):
    """The list of pages that `wacz create` takes, made of the one that `clean --to md` writes."""
    found = [json.loads(line) for line in next(corpus.glob("md/**/index.jsonl")).read_text(encoding="utf-8").splitlines()]
    lines = [{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}]
    lines += [{"url": page["url"], "ts": page["date"], "title": page["title"]} for page in found]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return len(found)


def tools(python, lost, program, folder):
    """Programs for web archives: what they make of our index, and of a WACZ with our list of pages."""
    lines, failed = ["| program | version | what it reads | result |", "| --- | --- | --- | --- |"], 0
    work = folder / "tools"
    shutil.rmtree(work, ignore_errors=True)
    call = lambda *words: subprocess.run(words, capture_output=True, check=False)
    script = lambda name: str(python.parent / name)
    call(program, "cdx", SOUND, "--out", work)
    index = next(work.glob("*.cdxj"))
    call(program, "clean", SOUND, "--to", "md", "--out", work / "corpus")
    wacz, listed = work / "a.wacz", pages_of(work / "corpus", work / "pages.jsonl")

    def same_lines():
        theirs = call(script("cdxj-indexer"), "--sort", SOUND).stdout
        count = len(theirs.splitlines())
        return theirs == index.read_bytes() and count > 0, f"the same {count} lines"

    def every_record():
        found, why = evaluate(python, f"INDEX, CRAWL = {str(index)!r}, {SOUND!r}\n{PYWB}")
        return bool(found) and found[0] == found[1] > 0, why or f"{found[0]} of {found[1]} records found"

    def valid():
        made = call(script("wacz"), "create", "-o", wacz, "-p", work / "pages.jsonl", SOUND)
        valid = call(script("wacz"), "validate", "-f", wacz)
        again = call(program, "clean", wacz, "--out", work / "again")
        copied = next((work / "again" / "_pages").rglob("pages.jsonl"), None)
        count = len(copied.read_text(encoding="utf-8").splitlines()) - 1 if copied else 0
        is_good = (made.returncode, valid.returncode, again.returncode, count) == (0, 0, 0, listed)
        return is_good, f"valid; `clean` reads it, and its list of {count} pages"

    reads = ["an index of `cdx`, beside its own", "the same index, and the records at its places",
             "`wacz create -p` with the pages of `clean --to md`, then `wacz validate`"]
    for (name, packages), what, test in zip(TOOLS, reads, [same_lines, every_record, valid]):
        if name in lost:
            lines.append(f"| {name} | – | {what} | cannot be installed here |")
            continue
        is_good, result = test()
        failed += not is_good
        lines.append(f"| {name} | {version(python, packages)} | {what} | {result if is_good else 'failed: ' + result} |")
        print(lines[-1], file=sys.stderr)
    return lines, failed


def queries(python, lost, out):
    """Runs the SQL of the readme and of the docs, and returns how many queries fail."""
    failed = 0
    for page in [Path("README.md"), *sorted(Path("docs").rglob("*.md"))] if "DuckDB" not in lost else []:
        for query in re.findall(r"```sql\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            query = re.sub(r"'(?:target/)?corpus/", f"'{out}/", query).replace("TO '", f"TO '{out.parent}/")
            found, why = evaluate(python, f"import duckdb\nduckdb.sql({query!r})\nprint(1)")
            failed += found is None
            if found is None:
                print(f"{page}: {why}", file=sys.stderr)
    return failed


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
    python, lost = install(folder / "venv", CLIENTS + READERS)
    lines, failed = clients(python, lost, folder / "out", expected)
    # They need older versions of what the clients need.
    more, wrong = tools(*install(folder / "venv-tools", TOOLS), program, folder)
    lines += ["", *more]
    failed += wrong + queries(python, lost, folder / "out")
    if given.zoo:
        lines += ["", *readers(python, lost, program, Path(given.zoo))]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        Path(given.out).write_text(text, encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
