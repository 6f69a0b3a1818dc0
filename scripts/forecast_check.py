"""What `plan` foretells beside what `clean` then takes: CPU time of the child, and bytes written.

A synthetic crawl of so many million bytes compressed, in files of several sizes of which one is a single
gzip stream, from a sample of 1 %: within 15 %, or the check fails. Then the labelled corpora, linked
twelve times, from 1 % and 5 %, for information. So is the time, which other programs change.

Usage: forecast_check.py BINARY SYNTHETIC_CRAWL [MEGABYTES [SHARED]]
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

BOUND = 0.15


def run(arguments):
    """What a command printed as JSON, its CPU seconds and its seconds."""

    def cpu():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, start = cpu(), time.monotonic()
    done = subprocess.run(arguments, capture_output=True, check=False)
    if done.returncode not in (0, 10):
        sys.stderr.buffer.write(done.stderr)
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}")
    return json.loads(done.stdout), cpu() - before, time.monotonic() - start


def clean(binary, inputs, out):
    found, cpu, wall = run([binary, "clean", inputs, "--out", out, "--log-format", "json"])
    tables = {
        table: sum(f.stat().st_size for f in out.joinpath(table).rglob("*.parquet"))
        for table in ("documents", "blocks")
    }
    return {
        "CPU, s": cpu,
        "wall, s": wall,
        "pages": found["pages"],
        "bytes of documents": tables["documents"],
        "bytes of blocks": tables["blocks"],
        "bytes written": found["bytes_written"],
    }


def plan(binary, inputs, sample):
    found, cpu, wall = run(
        [binary, "plan", inputs, "--sample", sample, "--json", "--quiet"]
    )
    totals, sampled = found["totals"], found["sample"]
    print(
        f"\nplan --sample {sample}: {sampled['drawn']} pieces of {sampled['pieces']}, "
        f"{sampled['bytes'] / 1e6:.1f} MB of {found['input_bytes'] / 1e6:.1f}, "
        f"{wall:.1f} s, {cpu:.1f} s of CPU"
    )
    return {
        "CPU, s": found["time"]["cpu_seconds"],
        "wall, s": found["time"]["seconds"],
        "pages": totals["pages"],
        "bytes of documents": totals["document_bytes"],
        "bytes of blocks": totals["block_bytes"],
        "bytes written": totals["output_bytes"],
    }


def compare(foretold, real):
    """Prints both, and returns the largest error of what is bounded."""
    worst = 0.0
    print(f"{'':<20}{'foretold':>16}{'95 % from':>16}{'to':>16}{'real':>16}{'off':>9}")
    for name, estimate in foretold.items():
        off = estimate["value"] / real[name] - 1
        numbers = [estimate["value"], estimate["low"], estimate["high"], real[name]]
        cells = "".join(f"{n:>16,.{1 if name.endswith('s') and n < 1e4 else 0}f}" for n in numbers)
        print(f"{name:<20}{cells}{off:>+9.1%}")
        if name in ("CPU, s", "bytes of documents", "bytes of blocks", "bytes written"):
            worst = max(worst, abs(off))
    return worst


def main():
    binary, make, *rest = sys.argv[1:]
    megabytes = int(rest[0]) if rest else 2000
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="forecast.") as folder:
        folder = pathlib.Path(folder)
        crawl = folder / "crawl"
        crawl.mkdir()
        shares = [20, 17, 15, 13, 12, 10, 8, 5]
        for i, share in enumerate(shares):
            layout = "stream" if i == len(shares) - 1 else "members"
            file = crawl / f"{i:02}.warc.gz"
            size = str(megabytes * share // 100)
            subprocess.run([make, file, size, layout], stdout=subprocess.DEVNULL, check=True)
        print(f"synthetic crawl of {megabytes} MB compressed in {len(shares)} files")
        foretold = plan(binary, crawl, "1%")
        real = clean(binary, crawl, folder / "out")
        worst = compare(foretold, real)
        print(f"worst {worst:.1%}, bound {BOUND:.0%}; {time.monotonic() - start:.0f} s")
        if len(rest) > 1 and pathlib.Path(rest[1], "corpora").is_dir():
            linked = folder / "corpora"
            for i in range(12):
                linked.joinpath(f"{i:02}").mkdir(parents=True)
                for file in sorted(pathlib.Path(rest[1], "corpora").glob("*.warc.gz")):
                    os.symlink(file.resolve(), linked / f"{i:02}" / file.name)
            print("\nlabelled corpora, twelve times")
            samples = {share: plan(binary, linked, share) for share in ("1%", "5%")}
            real = clean(binary, linked, folder / "cleaned")
            for share, foretold in samples.items():
                print(f"\nfrom {share}")
                compare(foretold, real)
            print(f"{time.monotonic() - start:.0f} s in all")
    sys.exit(worst > BOUND)


main()
