"""Crawls: pages, tables, faults, and whole folders."""

from __future__ import annotations

import _thread
import io
import threading
import time
from pathlib import Path

import pytest

import warcsieve

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def written(out: Path, table: str):
    """The rows that `clean` wrote, in the order of inputs."""
    files = sorted((out / table).rglob("*.parquet"))
    return pyarrow.concat_tables([parquet.read_table(file, partitioning=None) for file in files])


def test_the_streams_are_what_clean_writes(crawl: Path, tmp_path: Path) -> None:
    summary = warcsieve.clean(crawl, tmp_path / "out", threads=2)
    assert summary["sealed"] and summary["documents"] > 5
    found = warcsieve.read_warc(crawl)
    for table in ("documents", "blocks"):
        stream = getattr(found, table)()
        rows = pyarrow.table(stream)
        expected = written(tmp_path / "out", table)
        assert rows.column_names == expected.column_names == stream.columns
        assert rows.to_pylist() == expected.to_pylist()
        for name in ("pages", "documents", "skips", "other_records", "bytes_read", "empty_documents"):
            assert stream.counts[name] == summary[name], name
    assert pyarrow.table(found).num_rows == summary["documents"]


def test_the_numbers_of_pages_add_up(crawl: Path, tmp_path: Path) -> None:
    pipeline = "[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = 'n_blocks >= 60'\n"
    found = warcsieve.clean(crawl, tmp_path / "out", pipeline=pipeline)
    assert found["removed"]["n_blocks >= 60"] > 0
    assert found["pages"] == found["documents"] + sum(found["removed"].values()) + sum(found["skips"].values())


def test_what_needs_a_table_of_the_crawl_is_not_done_in_silence(crawl: Path, tmp_path: Path) -> None:
    with pytest.raises(warcsieve.UsageError, match="frequencies"):
        warcsieve.clean(crawl, tmp_path / "out", pipeline="default-crawl")
    with pytest.warns(UserWarning, match="frequencies"):
        warcsieve.read_warc(crawl, "default-crawl")


def test_pages_are_the_rows(crawl: Path) -> None:
    found = warcsieve.read_warc(crawl)
    rows = pyarrow.table(found).to_pylist()
    pages = list(found)
    assert len(pages) == len(rows)
    for page, row in zip(pages, rows):
        assert (page.id, page.text, page.title or "", page.url or "") == (row["id"], row["text"], row["title"], row["url"])
        assert (page.input, page.offset) == (row["warc_filename"], row["warc_record_offset"])
        assert (page.status, page.charset, page.author) == (row["fetch_status"], row["content_charset"], row["author"])
        assert (page.language or ("und", None)) == (row["language"], row["language_score"])
        assert (page.date, page.confidence) == (row["date"], row["confidence"])
        for name in ("published", "modified"):
            assert page.metadata[name] == row[name]
            assert (getattr(page, name) is None) == (row[name] is None)
        assert len(page.blocks) == row["n_blocks"]
    assert found.counts["documents"] == len(rows)


def test_columns_can_be_chosen(crawl: Path) -> None:
    found = warcsieve.read_warc(crawl)
    rows = pyarrow.table(found.documents(["text", "id"]))
    assert rows.column_names == ["text", "id"]
    assert rows.schema == pyarrow.schema(warcsieve.table_schema("documents", columns=["text", "id"]))
    assert repr(found.documents(["text", "id"])).endswith(": text, id>") and "more, pipeline default" in repr(found)
    assert repr(warcsieve.table_schema("documents", columns=["id", "n_blocks"])) == "<Schema: id Utf8, n_blocks Int32>"
    with pytest.raises(KeyError, match="no column txt; there are id"):
        found.documents(["txt"])
    with pytest.raises(ValueError, match="neither documents nor blocks"):
        warcsieve.table_schema("pages")


def test_files_of_python_are_read_once(crawl: Path) -> None:
    path = next(crawl.rglob("00.warc.gz"))
    expected = [page.text for page in warcsieve.read_warc(path)]
    with path.open("rb") as file:
        found = warcsieve.read_warc(file, name="mine.warc.gz")
        assert [page.text for page in found] == expected
        with pytest.raises(ValueError, match="read before"):
            found.documents()
    rows = pyarrow.table(warcsieve.read_warc(io.BytesIO(path.read_bytes()), name="a/b.warc.gz").documents())
    assert rows["text"].to_pylist() == expected and set(rows["warc_filename"].to_pylist()) == {"a/b.warc.gz"}
    with pytest.raises(TypeError, match="binary mode"):
        list(warcsieve.read_warc(io.StringIO("WARC/1.0")))  # type: ignore[arg-type]

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise PermissionError("not today")

    with pytest.raises(PermissionError, match="not today"):
        list(warcsieve.read_warc(Broken()))


def test_damage_is_counted_with_its_place(crawl: Path, tmp_path: Path) -> None:
    data = bytearray(next(crawl.rglob("00.warc.gz")).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = bytes(200)
    path = tmp_path / "damaged.warc.gz"
    path.write_bytes(data)
    found = warcsieve.read_warc(path)
    pages = list(found)
    assert pages and found.counts["faults"] >= 1 and found.counts["damaged_bytes"] > 0
    fault = found.faults[0]
    assert fault["input"] == "damaged.warc.gz" and fault["kind"] == "damaged_member" and 0 < fault["offset"] <= middle
    stream = found.documents()
    assert pyarrow.table(stream).num_rows == len(pages) and stream.faults == found.faults


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises((warcsieve.InputError, warcsieve.UsageError)) as missing:
        list(warcsieve.read_warc(tmp_path / "none.warc.gz"))
    assert "none.warc.gz" in str(missing.value)
    page = tmp_path / "page.warc.gz"
    page.write_text("<p>no crawl")
    with pytest.raises(warcsieve.InputError, match=r"page\.warc\.gz"):
        list(warcsieve.read_warc(page))
    with pytest.raises(Exception, match=r"page\.warc\.gz"):
        pyarrow.table(warcsieve.read_warc(page).documents())
    with pytest.raises(TypeError, match="an input is a path"):
        warcsieve.read_warc(7)  # type: ignore[arg-type]


def test_filters_are_applied_or_refused(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>Write to me@example.org now.")
    pipeline = tmp_path / "p.toml"
    pipeline.write_text("[[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n")
    crawl = warcsieve.read_warc(page, str(pipeline))
    assert pyarrow.table(crawl.documents())["text"].to_pylist() == ["Write to |||EMAIL_ADDRESS||| now."]
    with pytest.raises(warcsieve.UsageError, match="filter"):
        next(iter(crawl))
    with pytest.raises(warcsieve.UsageError, match="filter"):
        warcsieve.Extractor(str(pipeline))
    with pytest.raises(warcsieve.UsageError, match="plain text"):
        warcsieve.read_warc(page, str(pipeline), output="markdown")


def test_pages_that_filters_remove_are_counted_and_left_out(crawl: Path, tmp_path: Path) -> None:
    pipeline = tmp_path / "p.toml"
    pipeline.write_text("[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = 'text_bytes >= 500'\n")
    found = warcsieve.read_warc(crawl, str(pipeline))
    rows = pyarrow.table(found.documents())
    pages = list(found)
    assert [page.id for page in pages] == rows["id"].to_pylist() and all(page.removed_by is None for page in pages)
    summary = warcsieve.clean(crawl, tmp_path / "out", pipeline=str(pipeline))
    counts = found.counts
    assert counts["documents"] == len(pages) == summary["documents"] > 0
    assert list(counts["removed"]) == ["text_bytes >= 500"] and counts["removed"]["text_bytes >= 500"] > 0
    assert counts["pages"] == counts["documents"] + sum(counts["removed"].values()) + sum(counts["skips"].values())


def test_clean_reports_progress_and_keeps_what_is_done(crawl: Path, tmp_path: Path) -> None:
    calls: list[tuple[int, int, int]] = []
    first = warcsieve.clean([crawl], tmp_path / "out", progress=lambda *numbers: calls.append(numbers))
    assert calls[-1][0] == first["pages"] and calls[-1][1] == first["bytes_read"]
    again = warcsieve.clean([crawl], tmp_path / "out")
    assert again["inputs_cleaned"] == 0 and again["inputs_done_before"] == first["inputs_cleaned"]
    with pytest.raises(warcsieve.UsageError):
        warcsieve.clean([crawl], tmp_path / "out", pipeline="keep-all")
    with pytest.raises(ValueError, match="shard"):
        warcsieve.clean([crawl], tmp_path / "out", shard=(0, 2))
    (tmp_path / "file").write_text("x")
    with pytest.raises((warcsieve.UsageError, warcsieve.InputError)):
        warcsieve.clean([crawl], tmp_path / "file")


def test_an_input_that_is_not_there_is_refused(crawl: Path, tmp_path: Path) -> None:
    inputs, out = [crawl, tmp_path / "none.warc.gz"], tmp_path / "out"
    with pytest.raises(warcsieve.UsageError, match=r"none\.warc\.gz: No such file"):
        warcsieve.clean(inputs, out)
    assert not out.exists()
    summary = warcsieve.clean(inputs, out, seal=False)
    assert len(summary["failed"]) == 1


def large(crawl: Path, folder: Path) -> Path:
    """A crawl that takes seconds."""
    data = next(crawl.rglob("00.warc.gz")).read_bytes()
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.warc.gz").write_bytes(data * max(1, 6_000_000 // len(data)))
    return folder


def test_ctrl_c_stops_a_run(crawl: Path, tmp_path: Path) -> None:
    inputs = large(crawl, tmp_path / "in")
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        warcsieve.clean(inputs, tmp_path / "out")
    assert time.monotonic() - begun < 60
    assert not (tmp_path / "out" / "_SUCCESS").exists()

    def stop(pages: int, size: int, done: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        warcsieve.clean(inputs, tmp_path / "out", progress=stop)


def test_corpus_row_for_row(corpus: Path, tmp_path: Path) -> None:
    warcsieve.clean(corpus, tmp_path / "out")
    expected = written(tmp_path / "out", "documents").to_pylist()
    assert pyarrow.table(warcsieve.read_warc(corpus)).to_pylist() == expected
    assert [page.text for page in warcsieve.read_warc(corpus)] == [row["text"] for row in expected]
