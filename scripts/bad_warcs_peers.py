"""How readers handle the files in testdata/bad-warcs: writes a table.

usage: bad_warcs_peers.py BINARY FOLDER OUT.md [JWARC.jar]

Each reader goes over each file to its end or its first error. A record counts as right if its id
and the length of its body are those that the file's JSON expects.
"""
import collections
import contextlib
import importlib.metadata
import io
import json
import pathlib
import re
import signal
import subprocess
import sys

import fastwarc.warc
import warcio.archiveiterator

SECONDS = 20

Got = collections.namedtuple("Got", "records report")


def with_warcio(path):
    records, report, warnings = [], "", io.StringIO()
    try:
        with open(path, "rb") as stream, contextlib.redirect_stderr(warnings):
            for record in warcio.archiveiterator.ArchiveIterator(stream, check_digests=True, no_record_parse=True):
                length = 0
                while part := record.raw_stream.read(1 << 16):
                    length += len(part)
                records.append((record.rec_headers.get_header("WARC-Record-ID") or "", length))
                if record.digest_checker.passed is False:
                    report = "digest"
    except Exception as error:
        report = type(error).__name__
    return Got(records, report or ("warning" if warnings.getvalue() else ""))


def with_fastwarc(path):
    records, report = [], ""
    try:
        with open(path, "rb") as stream:
            for record in fastwarc.warc.ArchiveIterator(stream, parse_http=False):
                id = record.headers.get("WARC-Record-ID") or ""
                if record.headers.get("WARC-Block-Digest"):
                    report = report if record.verify_block_digest() else "digest"
                records.append((id, len(record.reader.read())))
    except Exception as error:
        report = type(error).__name__
    return Got(records, report)


def with_jwarc(jar, path):
    """`jwarc validate` names no records: only whether it reports anything."""
    run = subprocess.run(["java", "-jar", jar, "validate", path], capture_output=True, text=True, timeout=3 * SECONDS)
    return "reports" if run.returncode or run.stderr else "silent"


def with_ours(binary, path):
    run = subprocess.run([binary, "check", "--json", path], capture_output=True, text=True, timeout=SECONDS)
    reports = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    report = next((report for report in reports if "read" in report), None)
    if report is None:
        return 0, run.stderr.strip().splitlines()[-1] if run.stderr.strip() else ""
    kinds = [fault["kind"] for fault in report["read"]["faults"]]
    digests = report["digests"]
    kinds += ["digest"] * any(digests[what] for what in ("mismatch", "undecodable", "unsupported"))
    return report["read"]["records"], ", ".join(dict.fromkeys(kinds))


def limited(read, path):
    def out_of_time(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(SECONDS)
    try:
        return read(path)
    finally:
        signal.alarm(0)


def cell(got, expected):
    left = collections.Counter((record["id"], record["body"]) for record in expected["records"])
    right = 0
    given = list(got.records)
    if given and expected["file"].endswith(".arc"):
        # Readers differ in whether the first lines of the version block are its header.
        given[0] = ("", expected["records"][0]["body"])
    for record in given:
        if left[record] > 0:
            left[record] -= 1
            right += 1
    other = len(got.records) - right
    text = f"{right} of {len(expected['records'])}" + (f" + {other}" if other else "")
    return f"{text}, {got.report or 'silent'}"


def main():
    binary, folder, out, *jar = sys.argv[1:]
    versions = {name: importlib.metadata.version(name) for name in ("warcio", "fastwarc")}
    columns = ["warcsieve", f"warcio {versions['warcio']}", f"FastWARC {versions['fastwarc']}", *(["jwarc"] if jar else [])]
    rows, sums = [], collections.Counter()
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        expected = json.loads(path.read_text())
        if any("payload" in record for record in expected["records"]):
            continue
        file = str(path.with_suffix(""))
        faults = ", ".join(dict.fromkeys(fault["kind"] for fault in expected["faults"]))
        records, report = with_ours(binary, file)
        cells = [f"{records} of {len(expected['records'])}, {report or 'silent'}"]
        for name, read in (("warcio", with_warcio), ("FastWARC", with_fastwarc)):
            got = limited(read, file)
            cells.append(cell(got, expected))
            whole = f"{len(expected['records'])} of {len(expected['records'])}, {got.report or 'silent'}"
            sums[name] += cells[-1] == whole and bool(got.report) == bool(faults)
        sums["warcsieve"] += records == len(expected["records"]) and bool(report) == bool(faults)
        cells += [with_jwarc(jar[0], file)] if jar else []
        rows.append(f"| {path.stem} | {faults or 'none'} | {' | '.join(cells)} |")
    said = "jwarc is left out. `cargo xtask reproduce bad-warcs JWARC=jwarc.jar` adds it." if not jar else \
        "jwarc runs its command `validate`, which only says whether anything is wrong."
    total = f"{sums['warcsieve']}, warcio {sums['warcio']} and FastWARC {sums['FastWARC']}"
    text = f"""# Damaged WARC files, and how readers handle them

This page shows how several readers handle WARC files that are small, damaged or odd. It is for everyone who chooses or
writes a reader. The files are in `testdata/bad-warcs/` and free to use.

```sh
warcsieve check testdata/bad-warcs/cut-in-body.warc
```

Written by `cargo xtask reproduce bad-warcs`. Each file has a JSON file next to it, which says what the file contains
and what a correct reader reports. Both are known from the way in which the file was made. warcsieve's own tests check
more than this table shows: every record, and every fault with its position and length.

A cell has two or three parts:

* how many of the expected records a reader returns with the right id and the right length of the body
* after `+`, how many other records it returns
* what the reader reports: an exception, a warning, a digest, a kind of fault, or nothing (`silent`)

For a file with faults, `silent` is wrong. All readers run with their defaults and check digests. FastWARC is not made
for ARC, and warcio is not made for zstd. Files about codings of HTTP bodies are not in this table.

{said}

Of the {len(rows)} files, warcsieve reads {total} correctly. A file is
read correctly if the reader returns all expected records and no others, and if it reports
something exactly when a fault is expected.

| file | faults | {' | '.join(columns)} |
|---|---|{'---|' * len(columns)}
"""
    pathlib.Path(out).write_text(re.sub(r" +\n", "\n", text) + "\n".join(rows) + "\n")


main()
