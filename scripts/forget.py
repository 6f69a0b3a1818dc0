"""Measures `forget` beside a run of `clean` that never saw the pages, and compares what both leave.

Usage: forget.py PROGRAM [PAGES] [FILES]

The crawl is synthetic. One page in a hundred is forgotten: once pages by chance, so that each file has
some, and once all pages of a host, which are in one file in a hundred. The run that never saw the pages
reads the same crawl by an index without them.
"""

import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())
PAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
FILES = int(sys.argv[3]) if len(sys.argv) > 3 else 400
TABLES = ("documents", "blocks", "links", "removed")


def address(page, pages_of_file):
    file = page // pages_of_file
    # A page of another host stays in each file. Of a file without pages, the index would say nothing.
    host = "others" if page % pages_of_file == 0 else f"host{file * 100 // FILES}"
    return f"http://{host}.example/{page}"


def record(page, url, numbers):
    words = lambda n: " ".join("".join(numbers.choices("abcdefghijklmnop", k=numbers.randrange(2, 9))) for _ in range(n))
    menu = "".join(f"<li><a href=/{words(1)}>{words(2)}</a>" for _ in range(20))
    text = "".join(f"<p>{words(numbers.randrange(10, 60))}." for _ in range(10))
    html = f"<!DOCTYPE html><title>Page {page}</title><ul>{menu}</ul><article><h1>{words(5)}</h1>{text}</article>"
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"
    header = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{page:012}>\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress((header + body + "\r\n\r\n").encode(), 1, mtime=0)


def make_crawl(folder):
    pages_of_file = PAGES // FILES
    urls = []
    folder.mkdir()
    for file in range(FILES):
        numbers = random.Random(file)
        pages = range(file * pages_of_file, (file + 1) * pages_of_file)
        own = [address(page, pages_of_file) for page in pages]
        records = (record(page, url, numbers) for page, url in zip(pages, own))
        (folder / f"{file:04}.warc.gz").write_bytes(b"".join(records))
        urls += own
    return urls


def run(*arguments):
    begin = time.perf_counter()
    subprocess.run([PROGRAM, *map(str, arguments), "-q"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def url_of(line):
    """The address in a line of CDXJ: a key, a time and an object."""
    return json.loads(line[line.index("{") :])["url"]


def files(out):
    """The hashes of the tables in a folder."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for table in TABLES
        for path in sorted((out / table).rglob("*.parquet"))
    }


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as root:
        root = Path(root)
        crawl = root / "crawl"
        urls = make_crawl(crawl)
        spread = set(random.Random(1).sample(urls, len(urls) // 100))
        host = {url for url in urls if url.startswith("http://host0.example/")}
        pipeline = root / "pipeline.toml"
        subprocess.run([PROGRAM, "methods", "--show", "default"], check=True, stdout=pipeline.open("w"))
        pipeline.write_text("link_table = true\n" + pipeline.read_text())
        index = root / "index"
        run("cdx", crawl, "--out", index)
        size = sum(path.stat().st_size for path in crawl.iterdir())
        print(f"{len(urls):,} pages in {FILES} files of {size / FILES / 1e6:.2f} MB, {os.cpu_count()} cores")
        print(f"{'forgotten':<28}{'files':>6}{'clean':>9}{'forget':>9}{'share':>8}  bytes")
        same = True
        for name, gone in (("1 % of the pages, by chance", spread), ("the pages of a host", host)):
            left = root / "left"
            for path in index.rglob("*.cdxj"):
                lines = path.read_text().splitlines(True)
                (left / path.relative_to(index)).parent.mkdir(parents=True, exist_ok=True)
                (left / path.relative_to(index)).write_text("".join(line for line in lines if url_of(line) not in gone))
            whole, never = root / "whole", root / "never"
            run("clean", crawl, "--out", whole, "--pipeline", pipeline)
            clean = run("clean", crawl, "--select", left, "--out", never, "--pipeline", pipeline)
            before = files(whole)
            listed = root / "urls.txt"
            listed.write_text("".join(url + "\n" for url in sorted(gone)))
            forget = run("forget", whole, "--urls", listed)
            after, oracle = files(whole), files(never)
            changed = sum(before[file] != after[file] for file in after if file.startswith("documents/"))
            differ = [file for file in oracle if after.get(file) != oracle[file]]
            same &= not differ and len(after) == len(oracle)
            says = "the same" if not differ else f"{len(differ)} files differ, such as {differ[0]}"
            print(f"{name:<28}{changed:>6}{clean:>8.2f}s{forget:>8.2f}s{forget / clean:>8.3f}  {says}", flush=True)
            subprocess.run(["rm", "-r", whole, never], check=True)
        sys.exit(0 if same else 1)


main()
