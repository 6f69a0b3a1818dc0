"""markitdown: the plug-in, found by its entry point and called for HTML alone."""

from __future__ import annotations

import io

import pytest

import warcsieve

pytest.importorskip("markitdown")

from markitdown import MarkItDown, StreamInfo  # noqa: E402

HTML = StreamInfo(extension=".html", url="https://a.example/cod")


def convert(markitdown: MarkItDown, content: bytes, about: StreamInfo) -> str:
    return str(markitdown.convert_stream(io.BytesIO(content), stream_info=about).markdown)


def test_html_is_its_content(page: str) -> None:
    markitdown = MarkItDown(enable_plugins=True)
    expected = warcsieve.extract(page, output="markdown")
    assert expected and convert(markitdown, page.encode(), HTML) == expected
    assert "Imprint" not in expected and "Imprint" in convert(MarkItDown(), page.encode(), HTML)
    assert convert(markitdown, b"<p>x", HTML) == ""
    assert convert(markitdown, b"a,b\n1,2\n", StreamInfo(extension=".csv")).startswith("| a | b |")


def test_the_pipeline_is_chosen_and_what_fails_is_left_to_others(page: str) -> None:
    kept = MarkItDown(enable_plugins=True, pipeline="keep-all")
    assert "Imprint" in convert(kept, page.encode(), HTML)
    nothing = "[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = 'n_blocks > 99'\n"
    assert convert(MarkItDown(enable_plugins=True, pipeline=nothing), page.encode(), HTML) == ""
    small = MarkItDown(enable_plugins=True, pipeline="max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    assert convert(small, b"<p>" + b"x" * 2000, HTML) == "x" * 2000
