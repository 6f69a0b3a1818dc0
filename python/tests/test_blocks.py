"""Blocks as columns: for Arrow, NumPy, and one by one."""

from __future__ import annotations

import pytest

import warcsieve
from conftest import PAGE


@pytest.fixture(scope="module")
def found() -> warcsieve.Page:
    return warcsieve.Extractor().page(PAGE)


def test_offsets_in_bytes_and_characters_name_the_same_text(found: warcsieve.Page) -> None:
    data, text = PAGE.encode(), found.text.encode()
    kept = 0
    assert len(found.blocks) > 4
    for block in found.blocks:
        by_bytes = data[block.source_start : block.source_end].decode()
        assert by_bytes == PAGE[block.source_char_start : block.source_char_end]
        assert by_bytes.split("<")[0].split("&")[0].strip() in block.text
        if block.content:
            kept += 1
            assert text[block.text_start : block.text_end].decode() == block.text
            assert found.text[block.text_char_start : block.text_char_end] == block.text
        else:
            assert (block.text_start, block.text_char_end) == (None, None)
    assert kept >= 2
    assert found.blocks[-1].text == "Imprint" and found.blocks[-1].link_density == 1.0
    assert found.blocks[-1].label == "boilerplate" and 0 <= found.blocks[-1].score < 0.5
    assert found.blocks[0].reason and found.blocks[0].tag_path.startswith("html")
    with pytest.raises(IndexError):
        found.blocks[len(found.blocks)]
    assert [block.text for block in found.blocks[1:]] == [block.text for block in found.blocks][1:]
    assert [block.index for block in found.blocks[::-2]] == list(range(len(found.blocks)))[::-2]
    with pytest.raises(KeyError, match="there are block, text"):
        found.blocks["no such column"]
    with pytest.raises(TypeError, match="a block's number"):
        found.blocks[1.5]  # type: ignore[call-overload]
    assert repr(found.blocks) == f"<Blocks: {kept} of {len(found.blocks)} are content>"


def test_offsets_of_a_page_given_as_bytes_count_in_what_is_decoded() -> None:
    data = b"\xff\xfe" + PAGE.encode("utf-16-le")
    text = warcsieve.decode(data)
    assert text == PAGE
    whole = warcsieve.Extractor().page(data)
    assert (whole.charset, whole.charset_source) == ("UTF-16LE", "bom")
    for block in whole.blocks:
        assert text[block.source_char_start :].startswith(block.text[:4])


def test_arrow_takes_the_columns(found: warcsieve.Page) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(found.blocks)
    assert table.column_names == found.blocks.columns and table.num_rows == len(found.blocks)
    for name in table.column_names:
        getter = {"block": "index", "class": "class_"}.get(name, name)
        expected = [getattr(block, getter) for block in found.blocks]
        assert table[name].to_pylist() == expected == found.blocks[name].to_list()
    batch = pyarrow.record_batch(found.blocks)
    assert batch.schema == pyarrow.schema(found.blocks)
    words = pyarrow.array(found.blocks["words"])
    assert words.buffers()[1].address == found.blocks["words"].__array_interface__["data"][0]
    table.validate(full=True)


def test_polars_and_duckdb_take_them(found: warcsieve.Page) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(found.blocks)
    assert frame.filter(polars.col("content"))["words"].sum() > 50
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    blocks = pyarrow.table(found.blocks)
    assert duckdb.sql("SELECT count(*) FROM blocks").fetchall() == [(len(found.blocks),)]


def test_numpy_shares_the_memory(found: warcsieve.Page) -> None:
    numpy = pytest.importorskip("numpy")
    column = found.blocks["words"]
    words = numpy.asarray(column)
    assert words.dtype == numpy.int32 and words.tolist() == column.to_list()
    assert words.__array_interface__["data"][0] == column.__array_interface__["data"][0]
    assert not words.flags.writeable
    columns = found.blocks.to_numpy()
    assert columns["content"].dtype == bool and columns["score"].dtype == numpy.float32
    assert (columns["text_start"][~columns["content"]] == -1).all()
    assert found.blocks["text"].to_numpy().dtype == object
    with pytest.raises(AttributeError):
        found.blocks["text"].__array_interface__


def test_arrays_outlive_the_page() -> None:
    numpy = pytest.importorskip("numpy")
    words = numpy.asarray(warcsieve.Extractor().page(PAGE).blocks["words"])
    before = words.copy()
    for _ in range(200):
        warcsieve.Extractor().page(PAGE).blocks["words"]
    assert (words == before).all()
