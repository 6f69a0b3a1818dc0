"""datatrove: the same text as `clean`, row for row; faults in the statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import warcsieve

pytest.importorskip("datatrove")
parquet = pytest.importorskip("pyarrow.parquet")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.writers import JsonlWriter

from warcsieve.integrations.datatrove import WarcsieveExtractor, WarcsieveReader


def rows(folder: Path) -> list[dict]:
    found = []
    for file in sorted(folder.rglob("*.jsonl")):
        found += [json.loads(line) for line in file.read_text().splitlines()]
    return found


def cleaned(crawl: Path, out: Path) -> list[dict]:
    warcsieve.clean(crawl, out)
    found = []
    for file in sorted((out / "documents").rglob("*.parquet")):
        found += parquet.read_table(file, partitioning=None).to_pylist()
    return found


def compare(crawl: Path, tmp_path: Path, tasks: int) -> WarcsieveReader:
    reader = WarcsieveReader(str(crawl)) if crawl.is_dir() else WarcsieveReader(
        str(crawl.parent), glob_pattern=crawl.name)
    writer = JsonlWriter(str(tmp_path / "json"), compression=None)
    executor = LocalPipelineExecutor([reader, writer], tasks=tasks, logging_dir=str(tmp_path / "logs"))
    executor.run()
    expected = [row for row in cleaned(crawl, tmp_path / "out") if row["text"]]
    found = rows(tmp_path / "json")
    key = lambda row: row["id"]
    assert [(row["id"], row["text"]) for row in sorted(found, key=key)] == [
        (row["id"], row["text"]) for row in sorted(expected, key=key)]
    by_id = {row["id"]: row for row in expected}
    for row in found:
        for name in ("url", "title", "language", "n_blocks", "warc_record_offset", "author"):
            if by_id[row["id"]][name] not in (None,):
                assert row["metadata"][name] == by_id[row["id"]][name], name
    stats = json.loads((tmp_path / "logs" / "stats.json").read_text())
    assert stats[0]["stats"]["warc_documents"]["total"] >= len(found)
    return reader


def test_reader_row_for_row(crawl: Path, tmp_path: Path) -> None:
    compare(crawl, tmp_path, tasks=2)


def test_reader_row_for_row_on_the_corpus(corpus: Path, tmp_path: Path) -> None:
    compare(corpus, tmp_path, tasks=1)


def test_faults_are_counted(crawl: Path, tmp_path: Path) -> None:
    data = bytearray(next(crawl.rglob("00.warc.gz")).read_bytes())
    data[len(data) // 2 : len(data) // 2 + 100] = bytes(100)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.warc.gz").write_bytes(data)
    reader = WarcsieveReader(str(tmp_path / "in"))
    documents = list(reader.run())
    assert documents and documents[0].metadata["file_path"].endswith("a.warc.gz")
    stats = reader.stats.to_dict()["stats"]
    assert stats["warc_faults"]["total"] >= 1 and stats["warc_damaged_bytes"]["total"] > 0
    limited = WarcsieveReader(str(tmp_path / "in"), limit=1)
    assert len(list(limited.run())) == 1
    with pytest.raises(warcsieve.UsageError):
        WarcsieveReader(str(tmp_path / "in"), pipeline="defualt")


def test_remote_folders_are_read_by_fsspec(crawl: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/crawl/a.warc.gz", next(crawl.rglob("00.warc.gz")).read_bytes())
    found = list(WarcsieveReader("memory://crawl").run())
    local = [page.text for page in warcsieve.read_warc(next(crawl.rglob("00.warc.gz"))) if page.text]
    assert [document.text for document in found] == local


@pytest.mark.parametrize("sandbox", [False, True])
def test_extractor_beside_trafilatura(page: str, sandbox: bool) -> None:
    documents = [Document(text=html, id=str(number)) for number, html in enumerate([page, "", page])]
    extractor = WarcsieveExtractor(sandbox=sandbox, timeout=20)
    found = list(extractor.run(iter(documents)))
    assert [document.text for document in found] == [warcsieve.extract(page)] * 2
    stats = extractor.stats.to_dict()["stats"]
    assert (stats["total"]["total"] if isinstance(stats["total"], dict) else stats["total"]) == 3
    pytest.importorskip("trafilatura")
    other = list(Trafilatura(timeout=20).run(iter([Document(text=page, id="0")])))
    assert "thousand years" in other[0].text


def test_pages_that_cannot_be_processed_are_counted() -> None:
    extractor = WarcsieveExtractor("max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    given = [Document(text="<p>" + "x " * 1000, id="0"), Document(text="<p>one", id="1")]
    assert [document.id for document in extractor.run(iter(given))] == ["1"]
    assert "clean_error_too_large" in extractor.stats.to_dict()["stats"]
