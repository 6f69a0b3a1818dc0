"""PySpark: the same rows as `clean`, on one machine and on two executors of which one is killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import warcsieve

pyspark = pytest.importorskip("pyspark", minversion="4.0")
parquet = pytest.importorskip("pyarrow.parquet")
if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
    pytest.skip("Spark needs Java 17", allow_module_level=True)

from pyspark.sql import SparkSession

from warcsieve.integrations.spark import WarcsieveDataSource, with_content


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    session.dataSource.register(WarcsieveDataSource)
    yield session
    session.stop()


def written(crawl: Path, out: Path, table: str) -> list[dict]:
    warcsieve.clean(crawl, out)
    found = []
    for file in sorted((out / table).rglob("*.parquet")):
        found += parquet.read_table(file, partitioning=None).to_pylist()
    return found


def rows(frame) -> list[dict]:
    return [row.asDict(recursive=True) for row in frame.collect()]


@pytest.mark.parametrize("table,key", [("documents", ["id"]), ("blocks", ["id", "block"])])
def test_the_rows_are_those_of_clean(spark: SparkSession, crawl: Path, tmp_path: Path, table: str, key: list[str]) -> None:
    frame = spark.read.format("warcsieve").option("table", table).load(str(crawl))
    expected = written(crawl, tmp_path / "out", table)
    assert frame.columns == list(expected[0])
    order = lambda row: [row[name] for name in key]
    found, expected = sorted(rows(frame), key=order), sorted(expected, key=order)
    for row in expected:
        if row.get("date"):
            row["date"] = row["date"].timestamp()
    for row in found:
        if row.get("date"):
            row["date"] = row["date"].timestamp()
    assert found == expected
    assert frame.rdd.getNumPartitions() == len(warcsieve.list_inputs([crawl]))


def test_a_corpus_row_for_row(spark: SparkSession, corpus: Path, tmp_path: Path) -> None:
    frame = spark.read.format("warcsieve").option("columns", "id,text").load(str(corpus))
    assert sorted((row.id, row.text) for row in frame.collect()) == sorted(
        (row["id"], row["text"]) for row in written(corpus, tmp_path / "out", "documents"))


def test_columns_and_schemas(spark: SparkSession, crawl: Path) -> None:
    source = spark.read.format("warcsieve")
    by_option = source.option("columns", "url, text").load(str(crawl))
    assert by_option.columns == ["url", "text"]
    by_schema = spark.read.format("warcsieve").schema("text string, id string").load(str(crawl))
    assert by_schema.columns == ["text", "id"] and by_schema.count() == by_option.count()
    assert by_schema.filter("text != ''").count() > 3
    fields = [name for name in warcsieve.Metadata.__annotations__ if name != "metadata_source"]
    sources = ",".join(f"{name}:string" for name in fields)
    nested = f"tags array<string>, date timestamp, language_score float, n_blocks int, metadata_source struct<{sources}>"

    found = rows(spark.read.format("warcsieve").schema(nested).load(str(crawl)))
    assert found == rows(source.option("columns", ", ".join(found[0])).load(str(crawl)))
    for wrong, why in [("n_blocks string", "in documents it is int"), ("word int", "is none of id, text")]:
        with pytest.raises(Exception, match=why):
            spark.read.format("warcsieve").schema(wrong).load(str(crawl)).count()
    with pytest.raises(Exception, match="none of documents, blocks, faults"):
        spark.read.format("warcsieve").option("table", "pages").load(str(crawl)).count()


def test_pipelines_and_outputs(spark: SparkSession, crawl: Path) -> None:
    everything = spark.read.format("warcsieve").option("pipeline", "[[step]]\nmethod = 'keep-all'\n")
    expected = {page.id: page.text for page in warcsieve.read_warc(crawl, "keep-all")}
    assert {row.id: row.text for row in everything.load(str(crawl)).collect()} == expected
    markdown = spark.read.format("warcsieve").option("output", "markdown").load(str(crawl))
    expected = {page.id: page.content for page in warcsieve.read_warc(crawl, output="markdown")}
    assert {row.id: row.text for row in markdown.collect()} == expected


def test_faults_are_a_table(spark: SparkSession, crawl: Path, tmp_path: Path) -> None:
    data = bytearray(next(crawl.rglob("00.warc.gz")).read_bytes())
    data[len(data) // 2 : len(data) // 2 + 100] = bytes(100)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(data)
    frame = spark.read.format("warcsieve").option("table", "faults").load(str(path))
    found = warcsieve.read_warc(path)
    list(found)
    assert rows(frame) == found.faults and found.faults


def test_content_of_a_dataframe(spark: SparkSession, page: str) -> None:
    frame = spark.createDataFrame([(1, page), (2, ""), (3, None)], "n int, html string")
    found = {row.n: row.content for row in with_content(frame).collect()}
    assert found == {1: warcsieve.extract(page), 2: None, 3: None}
    binary = spark.createDataFrame([(page.encode("utf-16"), "https://a.example/"), (b"x" * 2000, "")], "raw binary, url string")
    pipeline = "max_page_bytes = 2000000\n[[step]]\nmethod = 'keep-all'\n"
    both = with_content(binary, "raw", "url", content="md", error="fault", pipeline=pipeline, output="markdown").collect()
    assert both[0].md == warcsieve.extract(page, output="markdown", pipeline="keep-all") and both[0].fault is None
    small = "max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n"
    assert with_content(binary.select("raw"), "raw", pipeline=small).collect()[1].content_error == "too_large"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="executors are found in /proc")
def test_a_killed_executor_loses_and_doubles_nothing(crawl: Path, tmp_path: Path) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    data = next(crawl.rglob("00.warc.gz")).read_bytes()
    for number in range(4):
        (inputs / f"{number}.warc.gz").write_bytes(data * max(1, 1_000_000 // len(data)))
    found = tmp_path / "rows.json"
    script = Path(__file__).with_name("spark_cluster.py")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
                   "SPARK_HOME": os.path.dirname(pyspark.__file__)}
    # A file, for workers of a killed executor may hold a pipe open.
    with (tmp_path / "log").open("w") as log:
        code = subprocess.run([sys.executable, script, inputs, tmp_path / "notes", found], env=environment,
                              stdout=log, stderr=log, timeout=200).returncode
    assert code == 0, (tmp_path / "log").read_text()[-4000:]
    said = json.loads(found.read_text())
    assert said["killed"] and said["begun"] > len(list(inputs.iterdir())), said["begun"]
    expected = sorted([page.id, page.text] for page in warcsieve.read_warc(inputs))
    assert sorted(said["rows"]) == expected
