"""Kills the cleaning of one large file many times in a row, and lets it go on each time. The outputs
must be those of an undisturbed run; what the kills cost is the processor time that all attempts took
beyond that of the undisturbed one.

Usage: kill_inside.py BINARY GENERATOR GIGABYTES KILLS
"""

import hashlib
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

binary, generator, gigabytes, kills = sys.argv[1:]
kills = int(kills)


def sums(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.file_digest(path.open("rb"), "sha256").hexdigest()
        for path in files
    }


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(out):
    command = [binary, "clean", str(crawl), "--out", str(out), "--threads", "2", "--quiet"]
    return subprocess.Popen(command)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    crawl = folder / "crawl.warc.gz"
    megabytes = str(int(float(gigabytes) * 1000))
    subprocess.run([generator, str(crawl), megabytes, "members"], check=True, stdout=subprocess.DEVNULL)

    before, began = processor_seconds(), time.monotonic()
    if start(folder / "whole").wait() != 0:
        sys.exit("the undisturbed run failed")
    wall, undisturbed = time.monotonic() - began, processor_seconds() - before

    before, done = processor_seconds(), 0
    for number in range(kills):
        process = start(folder / "out")
        # A different moment each time: from half to one and a half times the average.
        pause = wall / kills * (0.5 + number * 0.618 % 1)
        try:
            process.wait(pause)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            done += 1
    if start(folder / "out").wait() != 0:
        sys.exit("the last run failed")
    disturbed = processor_seconds() - before

    if sums(folder / "whole") != sums(folder / "out"):
        sys.exit(f"after {done} kills the outputs differ")
    each = (disturbed - undisturbed) / max(done, 1)
    print(
        f"{done} kills in a file of {crawl.stat().st_size / 1e9:.2f} GB: every output the same; "
        f"{undisturbed:.1f} s of processor time undisturbed, {disturbed:.1f} s with the kills, "
        f"{each:.2f} s ({100 * each / undisturbed:.2f} %) a kill"
    )
