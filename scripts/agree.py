"""Compares `warcsieve eval` with the referee that stands beside the corpora, on what `warcsieve clean` wrote.

usage: agree.py BINARY SHARED [PIPELINE…]

Every shipped pipeline on every corpus and variant: F1, precision and recall must be equal to 4 decimals.
"""
import json
import os
import subprocess
import sys
import tempfile

CORPORA = {
    "wcxb-dev": [("wcxb-dev", "content")],
    "l3s-gn1": [("l3s-gn1", "content"), ("l3s-gn1-main", "main")],
    "cleaneval-test": [("cleaneval-test", "content")],
    "dragnet-a": [("dragnet-a", "content"), ("dragnet-a-both", "both")],
}
FINE = (0, 10)  # done, and done with faults that are listed


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in FINE:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def shipped(binary):
    return run(binary, "methods", "--names").split()


def main():
    binary, shared, *pipelines = sys.argv[1:]
    pipelines = pipelines or shipped(binary)
    bad = 0
    for corpus, variants in CORPORA.items():
        path = f"{shared}/corpora/{corpus}"
        with tempfile.TemporaryDirectory() as out:
            for p in pipelines:
                run(binary, "clean", f"{path}.warc.gz", "--out", f"{out}/{p}", "--pipeline", p, "--quiet")
            for name, variant in variants:
                flags = [f"--pipeline={p}" for p in pipelines]
                report = json.loads(run(binary, "eval", f"{path}.warc.gz", "--gold", f"{path}.gold.jsonl.gz",
                                        "--gold-variant", variant, "--json", *flags))
                ours = {s["pipeline"]: s for s in report["summaries"] if s["page_type"] is None and s["set"] is None}
                for p in pipelines:
                    parquet = f"{out}/{p}/documents/{corpus}.warc.gz.parquet"
                    referee = json.loads(run(sys.executable, f"{shared}/tools/score.py", parquet, name, "--json"))
                    pairs = [(ours[p][m], referee[m]) for m in ("f1", "precision", "recall")]
                    equal = all(f"{a:.4f}" == f"{b:.4f}" for a, b in pairs) and ours[p]["pages"] == referee["pages"]
                    bad += not equal
                    print(f"{name:15} {p:24} {pairs[0][0]:.4f} {pairs[0][1]:.4f} {'equal' if equal else 'DIFFERENT'}", flush=True)
    sys.exit(f"{bad} differ" if bad else 0)


if not os.path.isdir(sys.argv[2] + "/corpora"):
    sys.exit(f"no corpora in {sys.argv[2]}; set SHARED=folder")
main()
