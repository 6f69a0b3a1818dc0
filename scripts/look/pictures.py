"""Makes the pictures of the documentation from the pages in testdata/, in a headless Chromium.

usage: pictures.py WARCSIEVE OUT
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser as chromium  # noqa: E402

CRAWL = Path("testdata/crawl").absolute()
GOLD = Path("testdata/gold.jsonl").absolute()

# Largest size of a picture, in bytes.
LARGEST = 150_000


def main():
    program, out = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    chrome = chromium.Browser(chromium.find())
    try:
        with tempfile.TemporaryDirectory(prefix="warcsieve-look-") as work:
            def run(*arguments):
                # Some inputs are damaged on purpose.
                done = subprocess.run([program, *map(str, arguments)], cwd=work, capture_output=True, text=True)
                assert done.returncode in (0, 10), done.stderr

            def keep(name, page):
                data = chromium.with_palette(page.screenshot())
                assert len(data) < LARGEST, f"{name}: {len(data)} bytes"
                (out / name).write_bytes(data)
                page.close()

            run("view", CRAWL / "en0000/00.warc.gz", "--id", "testdata-0001", "--gold", GOLD, "--out", "view.html")
            page = chrome.open(f"{work}/view.html", 1280, 800,
                               ready="document.querySelectorAll('.row').length >= data.page.blocks.text.length")
            # The second block that is missing, in the middle.
            page.key("m", "m")
            page.run("document.activeElement.scrollIntoView({ block: 'center' })")
            keep("view.png", page)
            run("clean", CRAWL, "--out", "corpus")
            run("report", "corpus", "--out", "report.html")
            keep("report.png", chrome.open(f"{work}/report.html", 1280, 1180))
    finally:
        chrome.close()


main()
