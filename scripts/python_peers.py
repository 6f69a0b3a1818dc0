"""Extractors for Python over the same pages in one process, in turn: prints CPU times as tables.

usage: python_peers.py FILE.warc.gz [PAGES [ROUNDS [LIBRARY]]]

Pages are the HTML of the first responses, decoded for all. Needs warcsieve and fastwarc; of Resiliparse, Trafilatura,
readability-lxml and jusText those that are installed. CPU time, as other programs may be running. LIBRARY is the example
`library` of the Python package, built: the same pages by the library in Rust, in turn with `extract_many`.
"""
import importlib.metadata
import itertools
import json
import statistics
import subprocess
import sys
import tempfile
import time

import warcsieve
from fastwarc.warc import ArchiveIterator, WarcRecordType


def pages(path, number):
    records = ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=True, fsspec_args=False)
    return [warcsieve.decode(record.reader.read()) for record in itertools.islice(records, number)]


def peers():
    extractor = warcsieve.Extractor()
    yield "warcsieve, `extract`", "warcsieve", lambda html: extractor.extract(html)
    try:
        from resiliparse.extract.html2text import extract_plain_text
        yield "Resiliparse, `main_content=True`", "resiliparse", lambda html: extract_plain_text(html, main_content=True)
    except ImportError:
        pass
    try:
        import trafilatura
        yield "Trafilatura, defaults", "trafilatura", trafilatura.extract
    except ImportError:
        pass
    try:
        import readability
        yield "readability-lxml", "readability-lxml", lambda html: readability.Document(html).summary()
    except ImportError:
        pass
    try:
        import justext
        english = justext.get_stoplist("English")
        yield "jusText, English", "justext", lambda html: justext.justext(html.encode(), english, encoding="utf-8")
    except ImportError:
        pass


def timed(work, given):
    failed = 0
    begun = time.process_time()
    for page in given:
        try:
            work(page)
        except Exception:  # whatever a page makes it raise
            failed += 1
    return time.process_time() - begun, failed


def many(given, threads):
    """Elapsed and CPU seconds of `extract_many`, and the bytes that came out."""
    begun, used = time.perf_counter(), time.process_time()
    found = list(warcsieve.extract_many(given, threads=threads))
    times = time.perf_counter() - begun, time.process_time() - used
    return *times, sum(len(text.encode()) for text in found if text)


def main():
    path, number, rounds = sys.argv[1], *map(int, (sys.argv[2:4] + ["300", "3"][len(sys.argv[2:4]):]))
    library = sys.argv[4] if len(sys.argv) > 4 else None
    given = pages(path, number)
    found = list(peers())
    times = {name: [] for name, *_ in found}
    failures = {}
    for _ in range(rounds):
        for name, _, work in found:
            took, failures[name] = timed(work, given)
            times[name].append(took)
    own = times[found[0][0]]
    print(f"{len(given)} pages, medians of {rounds} rounds in turn, Python {sys.version.split()[0]}, one thread\n")
    print("| program | version | pages/s of CPU | CPU ms a page | ours = 1 | failed |\n|---|---|---:|---:|---:|---:|")
    for name, package, _ in found:
        took = statistics.median(times[name])
        ratio = statistics.median(a / b for a, b in zip(times[name], own))
        version = importlib.metadata.version(package)
        print(f"| {name} | {version} | {len(given) / took:.0f} | {1e3 * took / len(given):.2f} | {ratio:.1f} | {failures[name]} |")

    a_page = 1e3 / len(given)
    print("\n| `extract_many` | elapsed ms a page | CPU ms a page |\n|---|---:|---:|")
    elapsed = {}
    for threads in (1, 2):
        both = [many(given, threads) for _ in range(rounds)]
        elapsed[threads] = statistics.median(t[0] for t in both)
        used = statistics.median(t[1] for t in both)
        print(f"| {threads} threads | {a_page * elapsed[threads]:.3f} | {a_page * used:.3f} |")
    print(f"\nTwo threads take 1/{elapsed[1] / elapsed[2]:.2f} of the time of one.")
    if library is None:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for page in given:
            file.write(json.dumps(page) + "\n")
        file.flush()
        over = []
        for _ in range(rounds):
            done = subprocess.run([library, file.name, "2"], check=True, capture_output=True, text=True)
            rust, size = done.stdout.splitlines()[1].split()
            many(given, 1)
            _, used, ours = many(given, 1)
            assert int(size) == ours, f"the library makes {size} bytes of text of these pages, and Python gets {ours}"
            over.append((used / float(rust) - 1, float(rust)))
    overhead, rust = statistics.median(over)
    print(f"\nThe library in Rust: {a_page * rust:.3f} ms CPU a page; `extract_many` on one thread {100 * overhead:+.1f} %.")


main()
