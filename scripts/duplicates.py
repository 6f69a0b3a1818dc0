"""Plants near duplicates, finds them with `dedup`, and joins its tables once more by DuckDB and, if it is there, Spark.

usage: duplicates.py BINARY OUT [PAGES]      (needs duckdb; pyspark and Java for Spark)

Writes a crawl of PAGES synthetic pages, half of them alone and half in pairs of a known Jaccard similarity of .6 to .95,
cleans it, and finds near duplicates by the scheme `fineweb` at each similarity. Prints for each how many pairs were
found, how many the formula expects, false pairs, memory and time. Fails if a share is off by more than 2 points and
three deviations, a pair is false, or an engine has other clusters.
"""
import importlib.util
import json
import math
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
SIMILARITIES = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
WORDS, SHINGLE = 204, 5
BANDS, ROWS = 14, 8


def word(rng):
    """Letters alone: the form of texts makes numbers one."""
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=9))


def pair(rng, similarity):
    """Two texts of 200 shingles that share the first ones: the end of the second is new."""
    count = WORDS - SHINGLE + 1
    shared = round(2 * count * similarity / (1 + similarity))
    text = [word(rng) for _ in range(WORDS)]
    kept = shared + SHINGLE - 1
    return text, text[:kept] + [word(rng) for _ in range(WORDS - kept)], shared / (2 * count - shared)


def record(name, words):
    body = "<p>" + " ".join(words)
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {name}\r\nContent-Type: text/html\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n"


def plant(folder, pages):
    """Writes the crawl; returns the similarity of each pair by the ids."""
    rng, planted, records = random.Random(1), {}, []
    for n in range(pages // 4):
        first, second, similarity = pair(rng, SIMILARITIES[n % len(SIMILARITIES)])
        planted[f"p{n}a", f"p{n}b"] = similarity
        records += [(f"p{n}a", first), (f"p{n}b", second)]
    for n in range(pages - len(records)):
        records.append((f"s{n}", [word(rng) for _ in range(WORDS)]))
    rng.shuffle(records)
    folder.mkdir(parents=True, exist_ok=True)
    for part in range(4):
        text = "".join(record(*r) for r in records[part::4])
        (folder / f"{part:02}.warc").write_text(text)
    return planted


def run(*command):
    begun, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.time() - begun, cpu, after.ru_maxrss / 1024


def by_duckdb(folder, jaccard):
    sql = (HERE.parent / "integrations/duplicates.sql").read_text()
    database = duckdb.connect()
    database.execute(f"SET VARIABLE folder = '{folder}'; SET VARIABLE jaccard = {jaccard}")
    return database.execute(sql).fetchall()


def by_spark(folder, jaccard):
    if importlib.util.find_spec("pyspark") is None:
        return None
    sys.path.insert(0, str(HERE.parent / "integrations"))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    import spark_dedup
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "8").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rows = [tuple(row) for row in spark_dedup.clusters(spark, [str(folder)], jaccard).collect()]
    spark.stop()
    return rows


def main(binary, out, pages):
    planted = plant(out / "crawl", pages)
    pipeline = out / "keep-all.toml"
    pipeline.write_text("metadata = false\nblocks = false\n[[step]]\nmethod = 'keep-all'\n")
    run(binary, "clean", out / "crawl", "--out", out / "clean", "--pipeline", pipeline, "--quiet", "--redo")
    failed = []
    found_dir = out / "found"
    seconds, cpu, peak = run(binary, "dedup", out / "clean", "--out", found_dir, "--jaccard", "0.55", "--tables", "--quiet")
    columns = "id, kept_id, cluster, cluster_size, jaccard"
    ours = duckdb.sql(f"SELECT {columns} FROM read_parquet('{found_dir}/clusters.parquet')").fetchall()
    members = {}
    for name, kept, *_ in ours:
        members.setdefault(kept, set()).add(name)
    clusters = {frozenset(names) for names in members.values()}
    true = {frozenset(names) for names in planted}
    print("| Jaccard | pairs | found | expected |\n|---|---|---|---|")
    for wanted in SIMILARITIES:
        pairs = [names for names, s in planted.items() if abs(s - wanted) < 0.01]
        share = sum(frozenset(names) in clusters for names in pairs) / len(pairs)
        mean = sum(planted[names] for names in pairs) / len(pairs)
        expected = 1 - (1 - mean**ROWS) ** BANDS
        print(f"| {mean:.3f} | {len(pairs)} | {share:.4f} | {expected:.4f} |")
        if abs(share - expected) > 0.02 + 3 * math.sqrt(expected * (1 - expected) / len(pairs)):
            failed.append(f"at {mean:.3f} {share:.4f} were found, not {expected:.4f}")
    false = clusters - true
    print(f"\nfalse clusters: {len(false)}; {pages} pages in {seconds:.1f} s, {cpu:.1f} s of CPU, {peak:.0f} MiB")
    books = json.loads((found_dir / "books.json").read_text())
    print(books)
    dropped = sum(books[f"dropped_{rule}"] for rule in ("url", "text", "near"))
    if false or books["pages"] != pages or books["kept"] + dropped != pages:
        failed.append("a pair is false, or the books do not balance")
    for engine, rows in ("DuckDB", by_duckdb(found_dir, 0.55)), ("Spark", by_spark(found_dir, 0.55)):
        if rows is None:
            print(f"{engine}: not installed, not compared")
            continue
        is_same = [r[:4] for r in rows] == [r[:4] for r in ours]
        is_same &= all(math.isclose(a[4], b[4], abs_tol=1e-12) for a, b in zip(rows, ours))
        print(f"{engine}: {len(rows)} rows, {'the same table' if is_same else 'ANOTHER TABLE'}")
        if not is_same:
            failed.append(f"{engine} has other clusters")
    print(*failed, sep="\n")
    sys.exit(bool(failed))


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 200_000)
