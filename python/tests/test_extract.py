"""One page, and many."""

from __future__ import annotations

import io
import itertools
import pathlib
import pickle
import threading
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

import pytest

import warcsieve


def test_content_is_kept_and_the_rest_is_not(page: str) -> None:
    text = warcsieve.extract(page)
    assert text is not None
    assert "thousand years — 鱈" in text and "Christmas" in text
    assert "Home" not in text and "Imprint" not in text


def test_forms_of_content(page: str) -> None:
    assert "largest **shoals** are" in warcsieve.extract(page, output="markdown")
    html = warcsieve.extract(page, output="html")
    assert "<b>shoals</b>" in html and "<nav" not in html
    with pytest.raises(ValueError, match="none of text, markdown, html"):
        warcsieve.extract(page, output="pdf")  # type: ignore[call-overload]


def test_a_page_without_content_is_none() -> None:
    assert warcsieve.extract("") is None
    assert warcsieve.extract(b"") is None
    assert list(warcsieve.extract_many(["", "<p></p>"], output="html", threads=1)) == [None, None]
    whole = warcsieve.page("")
    assert whole.content == whole.text == "" and len(whole.blocks) == 0 and whole.url is None


def test_str_and_bytes_in_any_encoding_give_the_same(page: str) -> None:
    expected = warcsieve.extract(page)
    data = page.encode()
    for given in (data, bytearray(data), memoryview(data), b"\xef\xbb\xbf" + data, page.encode("utf-16")):
        assert warcsieve.extract(given) == expected
    latin = page.replace("—", "-").replace("鱈", "")
    extractor = warcsieve.Extractor()
    assert extractor.extract(latin.encode("latin-1"), charset="iso-8859-1") == extractor.extract(latin)
    labelled = latin.replace("<title>", "<meta charset=iso-8859-1><title>")
    assert "wintér" in warcsieve.decode(labelled.encode("latin-1"))


def test_keys_of_the_pipeline_about_links_images_and_tables() -> None:
    html = "<h1>a</h1><p><a href=/b>c</a></p><img src=i.png alt=d><p>e<table><tr><td>f<td>g</table>"
    everything = "[[step]]\nmethod = 'keep-all'\n"
    keys = {"links": "absolute", "images": True, "tables": "html"}
    expected = ("# a\n\n[c](https://a.example/b)\n\n![d](https://a.example/i.png)\n\ne\n\n"
                "<table>\n<tr><td>f</td><td>g</td></tr>\n</table>")
    address = "https://a.example/"
    found = warcsieve.extract(html, address, "markdown", everything, **keys)
    assert found == expected
    assert list(warcsieve.extract_many([(html, address)], "markdown", everything, **keys)) == [expected]
    assert warcsieve.page(html, address, "markdown", everything, **keys).content == expected
    extractor = warcsieve.Extractor(everything, output="markdown", **keys)
    assert pickle.loads(pickle.dumps(extractor)).extract(html, address) == expected
    with pytest.raises(warcsieve.UsageError, match="links"):
        warcsieve.extract(html, links="short")


def test_what_is_no_page_is_a_type_error() -> None:
    for wrong in (None, 1, ["<p>x"], object()):
        with pytest.raises(TypeError, match="a page is str or bytes"):
            warcsieve.extract(wrong)  # type: ignore[call-overload]


def test_halves_of_surrogate_pairs_are_no_fault(page: str) -> None:
    text = warcsieve.extract(page.replace("Lofoten", "Lof\ud800ten"))
    assert text is not None and "Lof?ten" in text


def test_metadata(page: str) -> None:
    found = warcsieve.page(page, "https://a.example/cod")
    assert (found.title, found.author) == ("Cod & sea", "Ada Byron")
    assert (found.html_lang, found.url) == ("en", "https://a.example/cod")
    assert found.language is not None and found.language[0] == "en" and 0.5 < found.language[1] <= 1
    assert found.confidence is None or 0 <= found.confidence <= 1
    assert found.metadata["author"] == "Ada Byron" and found.metadata["metadata_source"]["author"] == "meta"
    assert found.metadata["tags"] == [] and found.sitename is None
    assert found.content == found.text and "**shoals**" in found.markdown and "<b>" in found.html
    assert found.html_bytes == len(page.encode()) and found.charset == "UTF-8" and found.charset_source is None
    assert "https://a.example/cod" in repr(found)
    stated = warcsieve.page(page.replace("<nav>", "<link rel=canonical href=https://a.example/fish><nav>"))
    assert stated.url == stated.canonical == "https://a.example/fish"


def test_dates_are_as_exact_as_the_page(page: str) -> None:
    def published(written: str) -> date | datetime | None:
        found = warcsieve.page(page.replace("2024-02-29", written))
        assert found.published is None or found.metadata["published"] == found.published.isoformat().replace("+00:00", "Z")
        return found.published

    day = published("2024-02-29")
    assert day == date(2024, 2, 29) and not isinstance(day, datetime)
    for written, zone in (
        ("2024-02-29T10:15:30+02:00", timezone(timedelta(hours=2))),
        ("2024-02-29T10:15:30Z", timezone.utc),
        ("'2024-02-29 10:15:30'", None),
    ):
        instant = published(written)
        assert isinstance(instant, datetime) and instant == datetime(2024, 2, 29, 10, 15, 30, tzinfo=zone)
    assert published("2024") is None
    found = warcsieve.page(page.replace("article:published_time", "article:modified_time"))
    assert found.modified == found.published == date(2024, 2, 29) and found.date is None


def test_a_page_without_content_says_why() -> None:
    small = warcsieve.page("<p>Hello world</p>")
    assert small.content == "" and small.why_empty is not None and "10 needed" in small.why_empty
    kept = warcsieve.page("<p>Hello world</p>", pipeline="keep-all")
    assert kept.content == "Hello world" and kept.why_empty is None


def test_a_page_that_a_filter_removes(page: str) -> None:
    extractor = warcsieve.Extractor("[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = 'n_blocks >= 3'\n")
    short = "<title>Cod</title><p>one"
    assert extractor.extract(short) is None and extractor.extract(page) is not None
    removed = extractor.page(short)
    assert (removed.removed_by, removed.text, removed.title) == ("n_blocks >= 3", "one", "Cod")
    assert extractor.page(page).removed_by is None
    for threads in (1, 2):
        assert list(extractor.extract_many([short, page], threads=threads)) == [None, extractor.extract(page)]
        rules = [one.removed_by for one in extractor.pages([short, page], threads=threads)]
        assert rules == ["n_blocks >= 3", None]


def test_pipelines_by_name_by_file_and_as_text(page: str, tmp_path) -> None:
    text = "[[step]]\nmethod = 'keep-all'\n"
    file = tmp_path / "mine.toml"
    file.write_text(text)
    everything = warcsieve.extract(page, pipeline="keep-all")
    assert everything is not None and "Imprint" in everything
    assert warcsieve.extract(page, pipeline=str(file)) == everything
    assert warcsieve.extract(page, pipeline=text) == everything


def test_errors_have_kind_and_place(page: str, tmp_path) -> None:
    with pytest.raises(warcsieve.UsageError, match="did you mean `default`") as unknown:
        warcsieve.extract(page, pipeline="defualt")
    assert unknown.value.kind == "usage" and isinstance(unknown.value, ValueError)
    file = tmp_path / "mine.toml"
    file.write_text("\n[[step]]\nmethod = 'min-wrods'\n")
    with pytest.raises(warcsieve.PipelineError) as wrong:
        warcsieve.Extractor(str(file))
    assert (wrong.value.kind, wrong.value.place) == ("pipeline", f"{file}:3")
    small = warcsieve.Extractor("max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    with pytest.raises(warcsieve.PageError, match="1024") as large:
        small.extract("x" * 2000, "https://a.example/")
    assert (large.value.kind, large.value.place) == ("too_large", "https://a.example/")
    copy = pickle.loads(pickle.dumps(large.value))
    assert (type(copy), str(copy), copy.kind, copy.place) == (
        warcsieve.PageError, str(large.value), "too_large", "https://a.example/")


def test_extractors_are_pickled_with_their_pipeline(page: str, tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[[step]]\nmethod = 'keep-all'\n")
    extractor = warcsieve.Extractor(str(file), output="markdown")
    data = pickle.dumps(extractor)
    file.unlink()
    copy = pickle.loads(data)
    assert (copy.pipeline, copy.output) == (str(file), "markdown")
    assert copy.extract(page) == extractor.extract(page) == extractor.page(page).content
    assert repr(warcsieve.Extractor()) == 'Extractor("default", output="text")'


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_pages_in_their_order(page: str, threads: int) -> None:
    pages = [page.replace("Lofoten", f"L{number}") for number in range(200)] + ["", "<p>"]
    expected = [warcsieve.extract(html) for html in pages]
    assert list(warcsieve.extract_many(pages, threads=threads)) == expected
    assert list(warcsieve.extract_many(iter(pages), threads=threads)) == expected
    pairs = ((html.encode(), "https://a.example/") for html in pages)
    found = list(warcsieve.pages(pairs, output="markdown", threads=threads))
    assert [one.text or None for one in found] == expected
    assert [one.content for one in found] == [one.markdown for one in found]
    assert {one.url for one in found} == {"https://a.example/"}


@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_is_read_ahead_than_is_said(page: str, threads: int) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield page

    results = warcsieve.extract_many(endless(), threads=threads)
    assert taken == 0
    assert len(list(itertools.islice(results, 50))) == 50
    assert 50 <= taken <= 50 + 8 * threads


@pytest.mark.parametrize("threads", [1, 3])
def test_faults_come_in_their_turn(page: str, threads: int) -> None:
    def pages() -> Iterator[str]:
        yield page
        yield "x" * 5000
        yield page
        raise KeyError("mine")

    small = warcsieve.Extractor("max_page_bytes = 4096\n[[step]]\nmethod = 'keep-all'\n")
    results = small.extract_many(pages(), threads=threads)
    assert next(results) is not None
    with pytest.raises(warcsieve.PageError):
        next(results)
    assert next(results) is not None
    with pytest.raises(KeyError, match="mine"):
        next(results)
    with pytest.raises(StopIteration):
        next(results)
    begun = small.extract_many(pages(), threads=threads)
    first = next(begun)
    results = begun.with_errors()
    second, third = itertools.islice(results, 2)
    assert isinstance(second, warcsieve.PageError) and first == third
    assert list(begun) == []
    with pytest.raises(KeyError, match="mine"):
        next(results)
    with pytest.raises(TypeError, match="a page is str or bytes"):
        list(small.extract_many([page, 7], threads=threads))  # type: ignore[list-item]


def test_arguments_of_many() -> None:
    with pytest.raises(ValueError, match="1 to 1024"):
        warcsieve.extract_many([], threads=0)
    with pytest.raises(TypeError):
        warcsieve.extract_many(5)  # type: ignore[arg-type]
    for page in ("<p>one page", b"<p>one page"):
        with pytest.raises(TypeError, match="not a page"):
            warcsieve.extract_many(page)  # type: ignore[arg-type]


def test_one_extractor_serves_many_threads(page: str) -> None:
    extractor = warcsieve.Extractor()
    expected = extractor.extract(page)
    found: list[object] = []

    def work() -> None:
        found.extend(extractor.extract(page) for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 200


@pytest.mark.parametrize("place", ["page.html", "https://a.example/cod", "crawl/00.warc.gz"])
def test_a_place_instead_of_a_page_is_warned_of(place: str) -> None:
    with pytest.warns(UserWarning, match="give the markup"):
        warcsieve.extract(place)


def test_a_short_page_is_no_place(recwarn: pytest.WarningsRecorder) -> None:
    for page in ["https://a.example/ is an address", "<a>page.html", "", "cod"]:
        warcsieve.page(page)
    assert not recwarn.list


def test_files_and_paths_say_how_they_are_read(tmp_path: pathlib.Path) -> None:
    with pytest.raises(TypeError, match=r"its read_bytes\(\) returns"):
        warcsieve.extract(tmp_path)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"its read\(\) returns"):
        warcsieve.extract(io.BytesIO(b"<p>cod"))  # type: ignore[arg-type]
