"""Extractors for Python over the same pages in one process, in turn: writes their CPU times as tables into a page.

usage: python_peers.py FILE.warc.gz LIBRARY OUT.md [PAGES [ROUNDS]]

Pages are the HTML of the first responses, decoded for all. Needs warcsieve and fastwarc; of Resiliparse, Trafilatura,
readability-lxml and jusText those that are installed. CPU time, as other programs may be running. LIBRARY is the example
`library` of the Python package, built: the same pages by the library in Rust, in turn with `extract_many`. Of OUT.md all
from the heading on is replaced.
"""
import importlib.metadata
import itertools
import json
import os
import pathlib
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


def others(given, rounds):
    """A line an extractor."""
    found = list(peers())
    times = {name: [] for name, *_ in found}
    failures = {}
    for _ in range(rounds):
        for name, _, work in found:
            took, failures[name] = timed(work, given)
            times[name].append(took)
    own = times[found[0][0]]
    yield "| extractor | version | pages/s of CPU | CPU ms per page | warcsieve = 1 | failed |\n|---|---|---:|---:|---:|---:|"
    for name, package, _ in found:
        took = statistics.median(times[name])
        ratio = statistics.median(a / b for a, b in zip(times[name], own))
        version = importlib.metadata.version(package)
        yield f"| {name} | {version} | {len(given) / took:.0f} | {1e3 * took / len(given):.2f} | {ratio:.1f} | {failures[name]} |"


def used_by_all():
    """Seconds of CPU that all programs have used since the start, and seconds that were there for them."""
    with open("/proc/stat") as file:
        ticks = [int(n) / os.sysconf("SC_CLK_TCK") for n in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def threads(given, rounds):
    """The least time of `extract_many` by one thread and by two, in turn: what it takes when nothing else has a core."""
    both = {number: [] for number in (1, 2)}
    (busy, there), own = used_by_all(), time.process_time()
    for _ in range(rounds):
        for number, times in both.items():
            times.append(many(given, number))
    least = {number: [1e3 * min(t[i] for t in times) / len(given) for i in (0, 1)] for number, times in both.items()}
    yield f"| `extract_many`, least of {rounds} rounds | elapsed ms per page | CPU ms per page |\n|---|---:|---:|"
    for number, (elapsed, used) in least.items():
        yield f"| {number} thread{'s' * (number > 1)} | {elapsed:.3f} | {used:.3f} |"
    (busy_then, there_then), own_then = used_by_all(), time.process_time()
    others = 100 * (busy_then - busy - (own_then - own)) / (there_then - there)
    told = "" if others < 5 else " So the two threads did not have two cores, and only the CPU time is reliable."
    yield (f"\nTwo threads are {least[1][0] / least[2][0]:.2f} times as fast as one. "
           f"Other programs took {others:.0f} % of the cores during the measurement.{told}")


def overhead(given, rounds, library):
    """How much more `extract_many` takes than the library in Rust."""
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
    more, rust = statistics.median_low(over)
    return (f"The Rust library takes {1e3 * rust / len(given):.3f} ms of CPU per page for the same texts. "
            f"`extract_many` on one thread takes {100 * more:+.1f} %.")


HEADING = "## In Python"


def main():
    path, library, out = sys.argv[1:4]
    number, rounds = map(int, (sys.argv[4:6] + ["300", "5"][len(sys.argv[4:6]):]))
    given = pages(path, number)
    lines = [
        f"{HEADING}\n",
        f"Written by `cargo xtask reproduce python-peers`. A function of each package processes the first {len(given)} pages of {os.path.basename(path)}. The pages are decoded before. "
        f"All functions run in turn, in one process and on one thread. The figures are medians of the CPU time of {rounds} rounds. "
        f"Python {sys.version.split()[0]}, {os.cpu_count()} cores.\n",
        *others(given, rounds),
        "",
        *threads(given, 8 * rounds),
        "",
        overhead(given, rounds, library),
    ]
    print("\n".join(lines))
    page = pathlib.Path(out)
    before = page.read_text().split(f"\n{HEADING}\n")[0].rstrip()
    page.write_text(before + "\n\n" + "\n".join(lines) + "\n")


main()
