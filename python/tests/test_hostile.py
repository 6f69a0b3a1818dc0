"""No bytes crash it, and memory stays flat. WARCSIEVE_HOSTILE_CALLS=100000 makes more calls."""

from __future__ import annotations

import os
import random
import sys

import pytest

import warcsieve
from conftest import PAGE

CALLS = int(os.environ.get("WARCSIEVE_HOSTILE_CALLS", "5000"))

BITS = [
    "<div>", "</div>", "<table>", "<tr>", "<td>", "<p>", "<a href=x>", "</a>", "<!--", "-->", "<script>", "</script>",
    "<svg>", "<![CDATA[", "]]>", "<pre>", "<title>", "<b", " x='", "&amp;", "&#x110000;", "&", "\0", "\ufffd", "鱈", "é",
    "\ud800", "<h1>", "$x$", "<math>", "text of some words", "\u202e", "<meta charset=utf-16>", "<plaintext>",
]


def pages(seed: int):
    """Random bytes, markup at random, and damaged pages."""
    draw = random.Random(seed)
    whole = PAGE.encode()
    while True:
        kind = draw.randrange(6)
        if kind == 0:
            yield draw.randbytes(draw.randrange(3000))
        elif kind == 1:
            yield "".join(draw.choices(BITS, k=draw.randrange(200)))
        elif kind == 2:
            yield "".join(draw.choices(BITS, k=draw.randrange(200))).encode("utf-8", "surrogatepass")
        elif kind == 3:
            damaged = bytearray(whole)
            for _ in range(draw.randrange(40)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            yield bytes(damaged)
        elif kind == 4:
            yield "<div>" * draw.randrange(2000) + "deep"
        else:
            yield whole[: draw.randrange(len(whole))]


def rss() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_no_page_crashes_it_and_memory_stays_flat() -> None:
    given = pages(7)
    before, kept = 0, 0
    plain, whole = warcsieve.Extractor(), warcsieve.Extractor(output="markdown")
    for number in range(CALLS):
        page = next(given)
        if number % 10:
            kept += plain.extract(page) is not None
        else:
            found = whole.page(page)
            assert found.published is None or found.published.year > 1000
            assert len(found.content.encode()) <= 20 * found.html_bytes + 1000
            for block in found.blocks:
                assert block.source_char_start <= block.source_char_end <= found.html_bytes
        # What a process needs once is allocated by then.
        if number == CALLS // 5:
            before = rss()
    assert kept > CALLS // 20
    grown = rss() / before
    print(f"{CALLS} calls: memory {before >> 20} MiB after a fifth of them, {grown:.3f} times that after all")
    assert grown < 1.05, grown


def test_threads_meet_the_same_pages() -> None:
    some = [page for page, _ in zip(pages(8), range(1000))]
    one = list(warcsieve.extract_many(some, threads=1))
    assert list(warcsieve.extract_many(some, threads=4)) == one
