"""Checks an output folder from outside: every sum of every manifest row, footers and
hashes of every file, gold ids, and that DuckDB and pyarrow agree. Usage: corpora.py OUT SHARED"""

import gzip
import hashlib
import json
import pathlib
import sys
from collections import Counter

import duckdb
import pyarrow.parquet as pq

out, shared = map(pathlib.Path, sys.argv[1:3])
failures = []


def check(ok, what):
    if not ok:
        failures.append(what)


ids = Counter()
verdicts = []
for path in sorted((out / "_manifest").rglob("*.json")):
    row = json.loads(path.read_text())
    read, pages, name = row["read"], row["pages"], row["input"]
    size = (shared / name).stat().st_size
    check(read["compressed_bytes"] == read["member_bytes"] + read["damaged_bytes"] == size, f"{name}: file bytes")
    check(read["decoded_bytes"] == read["record_bytes"] + read["garbage_bytes"], f"{name}: decoded bytes")
    check(read["records"] == sum(read["records_by_type"].values()), f"{name}: types")
    check(read["records"] == pages["pages"] + pages["other_records"], f"{name}: records")
    check(pages["pages"] == pages["documents"] + sum(pages["skips"].values()), f"{name}: pages")
    for file, counted in zip(row["outputs"], [pages["documents"], pages["blocks"]]):
        data = (out / file["path"]).read_bytes()
        check(hashlib.sha256(data).hexdigest() == file["sha256"], f"{file['path']}: sha256")
        check(pq.read_metadata(out / file["path"]).num_rows == file["rows"] == counted, f"{file['path']}: rows")
    documents = pq.read_table(out / "documents" / f"{name}.parquet")
    blocks = pq.read_table(out / "blocks" / f"{name}.parquet")
    ids.update(documents["id"].to_pylist())
    text = dict(zip(documents["id"].to_pylist(), documents["text"].to_pylist()))
    for block in blocks.select(["id", "text", "text_start", "text_end"]).to_pylist():
        if block["text_start"] is not None:
            part = text[block["id"]].encode()[block["text_start"] : block["text_end"]].decode()
            # In `pre` white space is kept.
            if part.split() != block["text"].split():
                check(False, f"{name}: a block is not where its range says")
                break
    faults = Counter(f["kind"] for f in read["faults"])
    verdict = ", ".join(f"{n} {kind}" for kind, n in sorted(faults.items())) or "sound"
    verdicts.append(f"{name}: {pages['documents']} documents, {verdict}")

for gold in sorted((shared / "corpora").glob("*.gold.jsonl.gz")):
    wanted = [json.loads(line)["id"] for line in gzip.open(gold, "rt")]
    wrong = [i for i in wanted if ids[i] != 1]
    check(not wrong, f"{gold.name}: {len(wrong)} ids are not there exactly once")
    print(f"{gold.name}: {len(wanted)} gold ids, each exactly once: {not wrong}")

files = str(out / "documents" / "**" / "*.parquet")
duck = duckdb.sql(f"SELECT count(*), count(date), sum(n_blocks) FROM '{files}'").fetchall()[0]
check(duck[0] == sum(ids.values()), "DuckDB counts other documents than pyarrow")
print(f"DuckDB: {duck[0]} documents, {duck[1]} with a date, {duck[2]} blocks")
print("\n".join(verdicts))
print("\n".join(failures) or "everything agrees")
sys.exit(bool(failures))
