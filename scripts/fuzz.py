"""Runs every fuzz target on two cores and sums up: fuzz.py MINUTES LIST [TARGET...]

LIST is what `seeds FOLDER` printed: a line a target, of its name and longest input. The targets share
the minutes; one that has done its part of 10^7 executions (in 30 minutes) leaves its time to those
after it. Exit code 1 if anything was found.
"""

import os
import pathlib
import re
import subprocess
import sys
import threading
import time

CORES = 2
RUNS_A_MINUTE = 10**7 // 30
BUILT = pathlib.Path("target/fuzz")
KNOWN = re.compile(r"^#\d+\s+(INITED|DONE|REDUCE|NEW|pulse)\s+cov: (\d+) ft: (\d+)", re.M)
COLUMNS = "{:<11} {:>11} {:>8} {:>15} {:>17} {:>8} {:>8}  {}"


def command(name, max_len, seconds, runs):
    corpus, found = BUILT / "corpus" / name, pathlib.Path("fuzz/artifacts") / name
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    return [
        str(BUILT / "release" / "fuzz"),
        str(corpus),
        str(BUILT / "seeds" / name),
        f"-dict=fuzz/dictionaries/{name}.dict",
        f"-artifact_prefix={found}/",
        f"-max_len={max_len}",
        f"-max_total_time={seconds}",
        f"-runs={runs}",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-detect_leaks=0",
        "-reload=0",
        "-print_final_stats=1",
    ]


class Session:
    """What is left to run, and how much time for it."""

    def __init__(self, targets, minutes):
        self.targets = targets
        self.runs = int(RUNS_A_MINUTE * minutes)
        self.end = time.monotonic() + 60 * minutes
        self.lock = threading.Lock()
        self.findings = 0

    def next(self):
        with self.lock:
            if not self.targets:
                return None
            left = max(self.end - time.monotonic(), CORES)
            # The other cores are busy for a while with targets that are no longer in the list.
            share = left * CORES / (len(self.targets) + CORES - 1)
            return (*self.targets.pop(0), max(1, int(min(share, left))))

    def work(self):
        while (target := self.next()) is not None:
            name, max_len, seconds = target
            start = time.monotonic()
            done = subprocess.run(
                command(name, max_len, seconds, self.runs), capture_output=True, text=True, errors="replace",
                env={**os.environ, "WARCSIEVE_FUZZ": name},
            )
            self.report(name, done, time.monotonic() - start)

    def report(self, name, done, seconds):
        log = done.stderr
        (BUILT / f"{name}.log").write_text(log)

        def stat(which):
            match = re.search(rf"stat::{which}:\s+(\d+)", log)
            return int(match[1]) if match else 0

        known = KNOWN.findall(log)
        first, last = (known[0], known[-1]) if known else (("", 0, 0),) * 2
        found = re.findall(r"Test unit written to (\S+)", log)
        if done.returncode != 0 and not found:
            found = [f"exit code {done.returncode}, see {BUILT / name}.log"]
        runs = stat("number_of_executed_units")
        with self.lock:
            self.findings += len(found)
            print(
                COLUMNS.format(
                    name,
                    f"{runs:,}",
                    f"{runs / seconds:,.0f}",
                    f"{first[1]} to {last[1]}",
                    f"{first[2]} to {last[2]}",
                    f"{stat('slowest_unit_time_sec')} s",
                    f"{stat('peak_rss_mb')} MB",
                    " ".join(found) or "nothing",
                ),
                flush=True,
            )


def main():
    minutes, listing, only = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    lines = [line.split() for line in pathlib.Path(listing).read_text().splitlines()]
    targets = [(name, max_len) for name, max_len in lines if not only or name in only]
    unknown = set(only) - {name for name, _ in targets}
    if unknown:
        sys.exit(f"no target {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in lines)}")
    print(COLUMNS.format("target", "executions", "a second", "branches", "features", "slowest", "memory", "found"))
    session = Session(targets, minutes)
    workers = [threading.Thread(target=session.work) for _ in range(CORES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.exit(min(session.findings, 1))


if __name__ == "__main__":
    main()
