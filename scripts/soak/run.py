#!/usr/bin/env python3
"""Long checks of the program. Usage: run.py BINARY GENERATOR [PART…|all]; SCALE is a share of the sizes.

Each part asserts exit codes, ledgers that balance, bounds of memory, and that no temporary file is left."""
import glob
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import inputs
import process

BINARY, GENERATOR = map(os.path.abspath, sys.argv[1:3])
SCALE = float(os.environ.get("SCALE", "1"))
MIB = 1 << 20


def scaled(number):
    return max(2, int(number * SCALE))


class Failed(Exception):
    pass


def expect(holds, why):
    if not holds:
        raise Failed(why)


class Place:
    """The folder of a part."""

    def __init__(self, folder):
        self.folder = folder
        self.inputs = self.path("in")
        os.makedirs(self.inputs)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def input(self, name):
        return os.path.join(self.inputs, name)

    def crawl(self, name, megabytes, layout="members"):
        subprocess.run([GENERATOR, self.input(name), str(megabytes), layout], check=True, stdout=subprocess.DEVNULL)

    def clean(self, out="out", threads=2, codes=(0,), more=(), **environment):
        command = [BINARY, "clean", self.inputs, "--out", self.path(out), "--threads", str(threads), *more]
        ran = process.run(command, self.path("log"), **environment)
        expect(ran.code in codes, f"exit code {ran.code}, not one of {codes}: {ran.log[-2000:]}")
        return ran

    def sound(self, out="out"):
        """Every input is done, every row balances, outputs are what was written, no temporary file is left. Returns
        the rows."""
        command = [BINARY, "status", self.path(out), "--inputs", self.inputs]
        table = subprocess.run(command + ["--verify"], capture_output=True, text=True)
        expect(table.returncode in (0, 10), f"status ends with {table.returncode}: {table.stderr}")
        for row in ["inputs not done +0", "files and counts disagree +0", "_SUCCESS +yes"]:
            expect(re.search(f"^{row}$", table.stdout, re.MULTILINE), f"not `{row}`: {table.stdout[:2000]}")
        self.tidy(out)
        rows = []
        with subprocess.Popen(command + ["--json"], stdout=subprocess.PIPE) as child:
            for line in child.stdout:
                row = json.loads(line)
                if "command" in row:  # The sums come last.
                    continue
                row["pages"].pop("skipped", None)
                rows.append(row)
        return rows

    def tidy(self, out="out"):
        left = glob.glob(self.path(out, "**", ".*.tmp"), recursive=True, include_hidden=True)
        expect(not left, f"temporary files are left: {left[:3]}")

    def sums(self, out="out"):
        found = {}
        for folder, _, names in os.walk(self.path(out)):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path(out))] = hashlib.sha256(file.read()).hexdigest()
        return found


def within(ran, mebibytes):
    expect(ran.peak <= mebibytes * MIB, f"peak {ran.peak // MIB} MiB, over {mebibytes}")
    return f"peak {ran.peak // MIB} MiB (bound {mebibytes}), {ran.seconds:.0f} s"


def flat(ran, bound=0.05):
    growth = ran.growth()
    expect(growth <= bound, f"memory grew by {100 * growth:.1f} % after warm-up, over {100 * bound:.0f} %")
    return f"growth after warm-up {100 * growth:+.1f} % (bound {100 * bound:.0f} %)"


def stream(place):
    """Peak memory of single-stream files of 1 and 2 GB, which must not depend on the size (6 minutes)."""
    peaks = []
    for megabytes in [scaled(1000), scaled(2000)]:
        place.crawl("a.warc.gz", megabytes, "stream")
        ran = place.clean(f"out{megabytes}", more=["--quiet"])
        peaks.append(ran.peak)
        yield f"{megabytes} MB: {within(ran, 256)}"
    expect(peaks[1] <= 1.1 * peaks[0], f"twice the size takes {peaks[1] / peaks[0]:.2f} × the memory")


def files(place):
    """Memory over 1,000 files is flat (4 minutes)."""
    place.crawl("0000.warc.gz", 2)
    for number in range(1, scaled(1000)):
        os.link(place.input("0000.warc.gz"), place.input(f"{number:04}.warc.gz"))
    ran = place.clean()
    rows = place.sound()
    yield f"{len(rows)} files: {within(ran, 256)}"
    yield flat(ran)


def tiny(place):
    """20,000 files of one page (5 minutes)."""
    inputs.tiny(place.inputs, scaled(20_000))
    ran = place.clean()
    rows = place.sound()
    expect(all(row["pages"]["documents"] == 1 for row in rows), "a file without its document")
    yield f"{len(rows)} files: {within(ran, 256)}"
    yield flat(ran)


def empty(place):
    """10 million records without a body (2 minutes, 3 GB of disk)."""
    count = scaled(10_000_000)
    inputs.empty(place.input("a.warc"), count)
    ran = place.clean()
    row, = place.sound()
    expect(row["read"]["records"] == count + 1, f"{row['read']['records']} records, not {count + 1}")
    expect(row["pages"]["documents"] == 1, "the page after them is lost")
    yield f"{count} records: {within(ran, 256)}"


def large(place):
    """One record of 3 GB between two pages (2 minutes)."""
    size = scaled(3 << 30)
    inputs.large(place.input("a.warc.gz"), size)
    ran = place.clean(codes=(0, 10))
    row, = place.sound()
    expect(row["pages"]["documents"] == 2, f"{row['pages']['documents']} documents, not the two around it")
    yield f"{size // MIB} MiB: {within(ran, 320)}"


def threads(place):
    """16 threads on any number of cores give the bytes of one (3 minutes)."""
    for number in range(8):
        place.crawl(f"{number}.warc.gz", scaled(20))
    one = place.clean("one", threads=1, more=["--quiet"])
    many = place.clean("many", threads=16, more=["--quiet"])
    place.sound("many")
    expect(place.sums("one") == place.sums("many"), "16 threads write other bytes than one")
    yield f"one thread: {within(one, 200)}"
    yield f"16 threads: {within(many, 1600)}"


def pages(place):
    """Pages of the largest size on 16 threads stay within the bound that `plan` prints (3 minutes)."""
    paragraph = b"<div><p>The ferry leaves at nine and <a href='/x'>comes back</a> at noon, with a guide.</p></div>\n"
    inputs.pages(place.input("paragraphs.warc.gz"), scaled(32), (16 << 20) - 200, paragraph)
    inputs.pages(place.input("dense.warc.gz"), scaled(32), 12_000_000, b"<p>a <i>b</i>c ")
    for count in [2, 16]:
        command = [BINARY, "plan", place.inputs, "--json", "--quiet", "--sample", "1M", "--threads", str(count)]
        forecast = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
        ran = place.clean(f"out{count}", threads=count, codes=(0, 10), more=["--quiet"])
        yield f"{count} threads: {within(ran, forecast['memory_bound'] // MIB)}"


# Filters that keep much of a text, each alone and all together.
FILTERS = {
    "mask": "[[filter]]\npersonal = 'mask'\nkinds = ['email', 'ip', 'phone']\n",
    "tag": "[[filter]]\npersonal = 'tag'\nkinds = ['email', 'ip', 'phone']\n",
    "lines": "[[filter]]\nlines = 'c4-any-end'\n[[filter]]\nlines = 'refinedweb'\n",
}
ALL_FORMS = "forms = ['markdown', 'html']\nlink_table = true\nfeatures = 'structure'\n"


def pipelines(folder):
    """All pipelines that ship, every preset of filters, and filters and columns that keep much: names and files."""
    listed = subprocess.run([BINARY, "signals", "--list", "--log-format", "json"], capture_output=True, check=True)
    signals = [json.loads(line)["name"] for line in listed.stdout.splitlines()]
    presets = subprocess.run([BINARY, "signals", "--presets"], capture_output=True, check=True, text=True).stdout
    texts = {f"preset {line.split()[0]}": f"[[filter]]\npreset = '{line.split()[0]}'\n" for line in presets.splitlines()}
    texts |= FILTERS | {"signals": f"signals = {signals}\n", "forms": ALL_FORMS}
    texts["all filters"] = texts["signals"] + FILTERS["mask"] + FILTERS["lines"]
    for file in sorted(glob.glob("pipelines/*.toml")):
        yield os.path.basename(file)[:-len(".toml")], file
    for name, text in texts.items():
        file = os.path.join(folder, f"{name}.toml".replace(" ", "-"))
        with open(file, "w") as out:
            out.write(text + "[[step]]\nmethod = 'keep-all'\n")
        yield name, file


def hostile(place):
    """Hostile pages of 16 MB in every pipeline stay within the bound that `plan` prints (40 minutes)."""
    for name, markup in inputs.hostile((16 << 20) - 400).items():
        inputs.members(place.input(name.replace(" ", "-") + ".warc.gz"), [inputs.record(1, inputs.http(markup))])
    over = []
    for pipeline, file in pipelines(place.folder):
        more = ["--pipeline", file, "--quiet"]
        planned = subprocess.run([BINARY, "plan", place.inputs, "--threads", "1", "--sample", "1K", "--json", *more],
                                 capture_output=True, text=True)
        if planned.returncode not in (0, 10):
            why = planned.stderr.strip()[:200]
            # Some pipelines need a feature that this program was built without.
            expect("feature" in why, f"{pipeline}: plan failed: {why}")
            yield f"{pipeline}: left out: {why}"
            continue
        bound = json.loads(planned.stdout.splitlines()[-1])["memory_bound"] // MIB
        ran = place.clean(threads=1, codes=(0, 10), more=more)
        yield f"{pipeline}: peak {ran.peak // MIB} MiB (bound {bound}), {ran.seconds:.0f} s"
        if ran.peak > bound * MIB:
            over.append(pipeline)
        shutil.rmtree(place.path("out"))
    expect(not over, f"over the bound: {', '.join(over)}")


def skips(place):
    """1,000 files of 2,000 skipped pages (3 minutes)."""
    inputs.members(place.input("0000.warc.gz"), (inputs.skip(n) for n in range(2000)))
    for number in range(1, scaled(1000)):
        os.link(place.input("0000.warc.gz"), place.input(f"{number:04}.warc.gz"))
    ran = place.clean()
    rows = place.sound()
    expect(all(sum(row["pages"]["skips"].values()) == 2000 for row in rows), "a skip is lost")
    yield f"{len(rows)} files: {within(ran, 256)}"
    yield flat(ran)


def pair(place):
    """Of two processes in one folder one is killed: the other completes it and leaves nothing (4 minutes)."""
    for number in range(6):
        place.crawl(f"{number}.warc.gz", 3)
    undisturbed = place.clean("whole")
    whole = place.sums("whole")
    chance = random.Random(1)
    rounds = scaled(30)
    for _ in range(rounds):
        shutil.rmtree(place.path("out"), ignore_errors=True)
        command = [BINARY, "clean", place.inputs, "--out", place.path("out"), "--threads", "1", "--quiet"]
        with open(place.path("log"), "wb") as log:
            killed, other = process.start(command, log), process.start(command, log)
            time.sleep(2 * undisturbed.seconds * chance.random())
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            code = other.wait()
        with open(place.path("log")) as log:
            expect(code == 0, f"the other process ends with {code}: {log.read()[-2000:]}")
        place.sound()
        expect(place.sums() == whole, "other bytes than undisturbed")
    yield f"{rounds} kills: the other process completed the folder each time, nothing is left of the killed one"


def nesting(place):
    """Records of 40 and 80 MB that hold records: these are no documents (1 minute)."""
    found = []
    for megabytes in [40, 80]:
        for layout in ["plain", "members", "stream"]:
            name = f"{megabytes}-{layout}.warc" + ("" if layout == "plain" else ".gz")
            inputs.nesting(place.input(name), scaled(megabytes * 1_000_000), layout)
            found.append(name)
    place.clean(codes=(0, 10))
    rows = {row["input"]: row for row in place.sound()}
    wrong = {name: rows[name]["pages"]["documents"] for name in found if rows[name]["pages"]["documents"] != 2}
    expect(not wrong, f"documents, where 2 are right: {wrong}")
    yield f"{len(found)} files: two documents each"


PARTS = [stream, files, tiny, empty, large, threads, pages, hostile, skips, pair, nesting]


def main():
    names = sys.argv[3:]
    if not names:
        for part in PARTS:
            print(f"{part.__name__:10} {' '.join(part.__doc__.split())}")
        return 0
    known = {part.__name__: part for part in PARTS}
    failed = []
    for name in [part.__name__ for part in PARTS] if names == ["all"] else names:
        folder = tempfile.mkdtemp(prefix=f"soak-{name}-", dir=os.environ.get("TMPDIR", "/tmp"))
        try:
            for line in known[name](Place(folder)):
                print(f"{name}: {line}", flush=True)
        except Failed as why:
            print(f"{name}: FAILED: {why}", flush=True)
            failed.append(name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"failed: {', '.join(failed)}" if failed else "all hold")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
