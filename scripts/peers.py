"""Runs extractors over the pages of a WARC file, in turn with ours, and writes a table.

usage: peers.py BINARY FILE.warc.gz OUT.md CARGO_LOCK [DOM_SMOOTHIE]

Each goes from the file to texts, on one thread. Slow ones get the first SAMPLE pages alone.
"""
import gzip
import io
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module, metadata

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text

import unfluff
from unfluff import text

ROUNDS = 3
SAMPLE = 300
# Dollars for an hour of one core: about what large clouds ask for a virtual core in 2026, paid by the hour.
PRICE = 0.05


def pages(path, parse_http=True):
    # A path, and not a file of Python's, is what it reads fastest.
    return ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=parse_http, fsspec_args=False)


def run_each(extract):
    """A peer that is called for each page, with its bytes."""
    def run(path):
        done, failed = 0, 0
        for record in pages(path):
            done += 1
            try:
                extract(record.reader.read())
            except Exception:  # whatever a page makes it raise
                failed += 1
        return done, failed
    return run


def plain(html):
    extract_plain_text(text(html))


def main_content(html):
    extract_plain_text(text(html), main_content=True)


def trafilatura():
    extract = import_module("trafilatura").extract
    return run_each(lambda html: extract(text(html)))


def justext():
    module = import_module("justext")
    english = module.get_stoplist("English")

    def extract(html):
        paragraphs = module.justext(html, english)
        return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)
    return run_each(extract)


def turbohtml():
    boilerplate = import_module("turbohtml.extract").boilerplate

    def extract(html):
        return "\n".join(p.text for p in boilerplate(text(html)) if not p.is_boilerplate)
    return run_each(extract)


def ours(binary):
    def run(path):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([binary, "clean", path, "--out", out, "--threads", "1", "--quiet"])
            if done.returncode not in (0, 10):  # done, and done with faults that are listed
                sys.exit(f"{binary} clean {path}: exit code {done.returncode}")
        return None, 0
    return run


def dom_smoothie(binary):
    def run(path):
        done = subprocess.run([binary, path], check=True, capture_output=True, text=True)
        return tuple(map(int, done.stdout.split()))
    return run


def cpu():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(run, path):
    start, before = time.perf_counter(), cpu()
    _, failed = run(path)
    return time.perf_counter() - start, cpu() - before, failed


def sample(path, target):
    """Writes the first pages of a file to another."""
    with open(target, "wb") as file:
        for number, record in enumerate(pages(path, parse_http=False)):
            if number == SAMPLE:
                break
            member = io.BytesIO()
            record.write(member)
            file.write(gzip.compress(member.getvalue()))


def peers(binary, lock, rust):
    """Name, version, whether it is slow, and how to run it on a file."""
    version = metadata.version
    resiliparse = f"resiliparse {version('resiliparse')}"
    found = [
        ("FastWARC, reading records alone", f"fastwarc {version('fastwarc')}", False, run_each(lambda html: None)),
        ("Resiliparse, all text", resiliparse, False, run_each(plain)),
        ("Resiliparse, `main_content=True`", resiliparse, False, run_each(main_content)),
    ]
    if rust:
        with open(lock) as file:
            locked = re.search(r'name = "dom_smoothie"\nversion = "([^"]*)"', file.read()).group(1)
        found.append(("dom_smoothie (Readability in Rust)", f"dom_smoothie {locked}", False, dom_smoothie(rust)))
    for name, call, slow, build in [
        ("turbohtml, `boilerplate`", "turbohtml", False, turbohtml),
        ("Trafilatura, defaults", "trafilatura", True, trafilatura),
        ("jusText, English", "justext", True, justext),
    ]:
        try:
            found.append((name, f"{call} {version(call)}", slow, build()))
        except (ImportError, metadata.PackageNotFoundError) as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
    if unfluff.installed():
        found.append(("Unfluff (Node.js)", f"unfluff {unfluff.VERSION}", True, unfluff.run))
    ours_version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return [("**warcsieve, default**", ours_version, None, ours(binary))] + found


def machine():
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main():
    binary, path, out, lock, *rust = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        small = os.path.join(scratch, "sample.warc.gz")
        sample(path, small)
        files = {False: path, True: small}
        counts = {slow: sum(1 for _ in pages(file, False)) for slow, file in files.items()}
        sizes = {slow: os.path.getsize(file) for slow, file in files.items()}
        found = peers(binary, lock, rust and rust[0])
        times = {}
        for round_ in range(ROUNDS):
            for name, _, slow, run in found:
                for which in (False, True) if slow is None else (slow,):
                    times.setdefault((name, which), []).append(timed(run, files[which]))
                print(f"round {round_ + 1} of {ROUNDS}: {name}", file=sys.stderr)
    own = found[0][0]
    lines = [HEAD.format(file=os.path.basename(path), pages=counts[False], sample=counts[True], rounds=ROUNDS, price=PRICE, machine=machine())]
    lines += ["| program | version | pages | pages/s | CPU ms per page | CPU, warcsieve = 1 | $ per TB of WARC | $ per billion pages | failed |",
              "|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, version, slow, _ in found:
        for which in (False, True) if slow is None else (slow,):
            took = times[name, which]
            n = counts[which]
            wall, used = (statistics.median(t[i] for t in took) for i in (0, 1))
            ratio = statistics.median(a[1] / b[1] for a, b in zip(took, times[own, which]))
            dollars = PRICE * used / 3600
            lines.append(f"| {name} | {version} | {n} | {n / wall:.0f} | {1e3 * used / n:.2f} | {ratio:.2f} "
                         f"| {dollars * 1e12 / sizes[which]:.2f} | {dollars * 1e9 / n:.0f} | {took[0][2]} |")
    # What `cargo xtask reproduce python-peers` wrote stays.
    with open(out) as file:
        _, heading, rest = file.read().partition("\n## In Python\n")
    with open(out, "w") as file:
        file.write("\n".join(lines) + "\n" + heading + rest)
    print("\n".join(lines))


HEAD = """# Compared with today's programs

This page compares the speed of warcsieve with other programs that extract text from web pages, on the same pages. It is for everyone who chooses an extractor.

```sh
cargo xtask reproduce peers    # measures again on your machine
```

Written by `cargo xtask reproduce peers`. Each program processes the pages of {file}, from the compressed file to texts, on one thread. All programs run in turn in one run. The figures are medians of {rounds} rounds.

* For all Python programs and Unfluff, FastWARC reads the pages and Resiliparse decodes them. jusText decodes the pages itself. For dom_smoothie, warcsieve's reader reads the pages.
* warcsieve does its whole job, including the start of the program, blocks and Parquet.
* Slow programs get only the first {sample} of the {pages} pages. warcsieve is measured on both sets.
* Dollars are those of the CPU time, at ${price} for an hour of one core: your own price may differ, but the ratios do not. A TB of WARC is 10¹² bytes, compressed. Reading from an object store and storing the output cost more, and the same for each program. [scale/costs.md](scale/costs.md) has the costs of known crawls.
* Other programs on the machine change the elapsed time, so the ratio is that of CPU times.

[accuracy.md](accuracy.md) says how accurate the programs are.

Measured on {machine}.
"""

main()
