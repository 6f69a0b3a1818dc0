"""Plants near duplicates, finds them with `dedup`, and joins its tables once more by DuckDB and, if it is there, Spark.

usage: duplicates.py BINARY OUT [PAGES [WORDS]]      (needs duckdb; pyspark and Java for Spark)

Writes a crawl of PAGES synthetic pages of WORDS words, half of them alone and half in pairs of a known Jaccard similarity
of .6 to .95, cleans it, and finds near duplicates by the scheme `fineweb`. Prints for each similarity how many pairs were
found, how many the formula expects, false clusters, memory and time. Fails if a share is off by more than 2 points and
three deviations, a cluster is false, or an engine has other clusters. Of more than a million pages the other engines are
not asked.
"""
import contextlib
import importlib.util
import json
import math
import os
import random
import sys
from pathlib import Path

import duckdb

from measured import run

HERE = Path(__file__).parent
SIMILARITIES = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
SHINGLE = 5
BANDS, ROWS = 14, 8
FILES = 4
MOST_FOR_OTHERS = 1_000_000


def shared(words, similarity):
    """How many shingles two texts share that are to be so alike, and how alike they are then."""
    count = words - SHINGLE + 1
    both = round(2 * count * similarity / (1 + similarity))
    return both, both / (2 * count - both)


def record(name, words):
    body = "<p>" + " ".join(words)
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {name}\r\nContent-Type: text/html\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n"


def plant(folder, pages, words):
    """Writes the crawl; returns the number of pairs. Pair n is p{n}a and p{n}b: the end of the second is new."""
    rng = random.Random(1)
    # Letters alone: the form of texts makes numbers one. No two texts have five words in common by chance.
    vocabulary = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(100_000)]
    kept = [shared(words, s)[0] + SHINGLE - 1 for s in SIMILARITIES]
    pairs = pages // 4
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(open(folder / f"{part:02}.warc", "w")) for part in range(FILES)]
        for n in range(max(pairs, pages - 2 * pairs)):
            text = rng.choices(vocabulary, k=words)
            if n < pairs:
                end = kept[n % len(kept)]
                files[n % FILES].write(record(f"p{n}a", text))
                files[(n + 1) % FILES].write(record(f"p{n}b", text[:end] + rng.choices(vocabulary, k=words - end)))
            if n < pages - 2 * pairs:
                files[(n + 2) % FILES].write(record(f"s{n}", rng.choices(vocabulary, k=words)))
    return pairs


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


# By number of the similarity how many pairs are a cluster, and how many clusters are none of a pair.
FOUND = """
WITH clusters AS (SELECT min(id) AS a, max(id) AS b, count(*) AS n FROM read_parquet(?) GROUP BY cluster),
     pairs AS (SELECT *, try_cast(a[2:-2] AS BIGINT) AS pair FROM clusters)
SELECT CASE WHEN n = 2 AND a = 'p' || pair || 'a' AND b = 'p' || pair || 'b' THEN pair % 8 ELSE -1 END AS similarity,
       count(*) FROM pairs GROUP BY ALL
"""


def main(binary, out, pages, words):
    planted = plant(out / "crawl", pages, words)
    pipeline = out / "keep-all.toml"
    pipeline.write_text("metadata = false\nblocks = false\n[[step]]\nmethod = 'keep-all'\n")
    cleaned = run(binary, "clean", out / "crawl", "--out", out / "clean", "--pipeline", pipeline, "--quiet", "--redo")
    failed = []
    found_dir = out / "found"
    tables = ["--tables"] if pages <= MOST_FOR_OTHERS else []
    took = run(binary, "dedup", out / "clean", "--out", found_dir, "--jaccard", "0.55", "--quiet", *tables)
    clusters = str(found_dir / "clusters.parquet")
    found = dict(duckdb.execute(FOUND, [clusters]).fetchall())
    print("| Jaccard | pairs | found | expected |\n|---|---|---|---|")
    for at, wanted in enumerate(SIMILARITIES):
        _, similarity = shared(words, wanted)
        pairs = len(range(at, planted, len(SIMILARITIES)))
        share = found.get(at, 0) / pairs
        expected = 1 - (1 - similarity**ROWS) ** BANDS
        print(f"| {similarity:.3f} | {pairs} | {share:.4f} | {expected:.4f} |")
        if abs(share - expected) > 0.02 + 3 * math.sqrt(expected * (1 - expected) / pairs):
            failed.append(f"at {similarity:.3f} {share:.4f} were found, not {expected:.4f}")
    false = found.get(-1, 0)
    print(f"\nfalse clusters: {false}; {pages} pages of {words} words: dedup took {took.seconds:.1f} s, "
          f"{took.cpu:.1f} s of CPU, {took.peak:.0f} MiB; clean before {cleaned.seconds:.1f} s, {cleaned.cpu:.1f} s of CPU, "
          f"{cleaned.peak:.0f} MiB")
    books = json.loads((found_dir / "books.json").read_text())
    print(books)
    dropped = sum(books[f"dropped_{rule}"] for rule in ("url", "text", "near"))
    if false or books["pages"] != pages or books["kept"] + dropped != pages:
        failed.append("a cluster is false, or the books do not balance")
    engines = [("DuckDB", by_duckdb), ("Spark", by_spark)] if tables else []
    columns = "id, kept_id, cluster, cluster_size, jaccard"
    ours = duckdb.sql(f"SELECT {columns} FROM read_parquet('{clusters}')").fetchall() if engines else []
    for engine, join in engines:
        rows = join(found_dir, 0.55)
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


given = [int(n) for n in sys.argv[3:]]
main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), *given, *(200_000, 204)[len(given):])
