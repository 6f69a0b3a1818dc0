"""What tests share: pages, and crawls of testdata/."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

PAGE = (
    "<html lang=en><title>Cod &amp; sea</title><meta name=author content='Ada Byron'>"
    "<meta property=article:published_time content=2024-02-29>"
    "<nav><a href=/>Home</a> <a href=/fish>Fish</a></nav>"
    "<article><h1>Cod in wintér</h1><p>Cod spawn from January to April, in water of four to six degrees, and the "
    "largest <b>shoals</b> are met off the Lofoten islands, where cod has been fished for a thousand years — 鱈. </p>"
    "<p>The fish are dried on racks in the wind of the spring, without salt, and keep for years; this was the food of "
    "ships, and is the dish of many a Christmas in the south of Europe to this day.</p></article>"
    "<footer><a href=/imprint>Imprint</a></footer></html>"
)


@pytest.fixture(scope="session")
def page() -> str:
    return PAGE


@pytest.fixture(scope="session")
def crawl() -> Path:
    """A small crawl, partly damaged."""
    return REPOSITORY / "testdata" / "crawl"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Labelled pages as a crawl; tests that need it are left out where it is missing."""
    shared = Path(os.environ.get("WARCSIEVE_SHARED", REPOSITORY / ".." / "shared"))
    found = shared / "corpora" / "wcxb-dev.warc.gz"
    if not found.exists():
        pytest.skip(f"no {found}; set WARCSIEVE_SHARED")
    return found
