"""Extractors for Python over the same pages in one process, in turn: prints CPU times as a table.

usage: python_peers.py FILE.warc.gz [PAGES [ROUNDS]]

Pages are the HTML of the first responses, decoded for all. Needs warcsieve and fastwarc; of resiliparse, trafilatura,
readability-lxml and jusText those that are installed. CPU time of the process, as other programs may be running.
"""
import itertools
import statistics
import sys
import time

import warcsieve
from fastwarc.warc import ArchiveIterator, WarcRecordType


def pages(path, number):
    records = ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=True, fsspec_args=False)
    return [warcsieve.decode(record.reader.read()) for record in itertools.islice(records, number)]


def peers():
    extractor = warcsieve.Extractor()
    yield "warcsieve, extract", lambda html: extractor.extract(html)
    try:
        from resiliparse.extract.html2text import extract_plain_text
        yield "Resiliparse, `main_content=True`", lambda html: extract_plain_text(html, main_content=True)
    except ImportError:
        pass
    try:
        import trafilatura
        yield "Trafilatura, defaults", trafilatura.extract
    except ImportError:
        pass
    try:
        import readability
        yield "readability-lxml", lambda html: readability.Document(html).summary()
    except ImportError:
        pass
    try:
        import justext
        english = justext.get_stoplist("English")
        yield "jusText, English", lambda html: justext.justext(html, english)
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


def wall_and_cpu(work):
    begun, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - used


def main():
    path, number, rounds = sys.argv[1], *map(int, (sys.argv[2:] + ["300", "3"])[:2])
    given = pages(path, number)
    found = list(peers())
    times = {name: [] for name, _ in found}
    failures = {}
    for _ in range(rounds):
        for name, work in found:
            took, failures[name] = timed(work, given)
            times[name].append(took)
    own = times[found[0][0]]
    print(f"{len(given)} pages, medians of {rounds} rounds in turn, Python {sys.version.split()[0]}\n")
    print("| program | CPU ms a page | ours = 1 | failed |\n|---|---:|---:|---:|")
    for name, took in times.items():
        ratio = statistics.median(a / b for a, b in zip(took, own))
        print(f"| {name} | {1e3 * statistics.median(took) / len(given):.2f} | {ratio:.1f} | {failures[name]} |")
    for threads in (1, 2):
        both = [wall_and_cpu(lambda: list(warcsieve.extract_many(given, threads=threads))) for _ in range(rounds)]
        wall, used = (statistics.median(t[i] for t in both) for i in (0, 1))
        print(f"\nextract_many, {threads} threads: {1e3 * wall / len(given):.2f} ms elapsed, {1e3 * used / len(given):.2f} ms CPU a page", end="")
    print()


main()
