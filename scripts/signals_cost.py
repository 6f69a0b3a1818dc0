"""What signals cost beside cleaning: CPU of `clean` with none, with each family, and with all.

usage: signals_cost.py BINARY WARC OUT [ROUNDS]

Runs of a round follow each other, so that a change of the machine's speed is in all; each figure is the least of the
rounds. User time of one thread; the files written are deleted.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from measured import run


def main(binary, warc, out, rounds):
    out.mkdir(parents=True, exist_ok=True)
    listed = subprocess.check_output([binary, "signals", "--list"], text=True).splitlines()
    families = [line.split(": ")[0] for line in listed if line and not line.startswith(" ")]
    others = [family for family in families if not family.endswith("@dclm")]
    sets = {"none": [], **{family: [family] for family in families}, "all but DCLM's": others, "all": families}
    least = dict.fromkeys(sets, float("inf"))
    for _ in range(rounds):
        for name, signals in sets.items():
            pipeline = out / "pipeline.toml"
            pipeline.write_text(f"signals = {json.dumps(signals)}\n[[step]]\nmethod = 'forest'\n")
            shutil.rmtree(out / "clean", ignore_errors=True)
            took = run(binary, "clean", warc, "--out", out / "clean", "--pipeline", pipeline, "--threads", 1, "--quiet")
            least[name] = min(least[name], took.user)
    shutil.rmtree(out)
    print("| signals | seconds | beside none |\n|---|---:|---:|")
    for name, seconds in least.items():
        print(f"| {name} | {seconds:.2f} | {100 * (seconds / least['none'] - 1):+.1f} % |")


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 5)
