"""Tables of scripts/layout.sh: differences with intervals over pages, and what was laid out."""

import glob
import random
import re
import sys
from collections import Counter

import pyarrow.parquet as pq

OUT = sys.argv[1]
CORPORA = ["wcxb-dev", "l3s-gn1", "cleaneval-test"]


def interval(values):
    """Percentile interval of the mean, 95 %, by 2,000 bootstrap samples."""
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(2000))
    return means[50], means[1949]


def figures(corpus):
    rows = pq.read_table(f"{OUT}/{corpus}/pages.parquet").to_pylist()
    of = {name: {r["id"]: r for r in rows if r["pipeline"] == name} for name in ("cectd", "cehtd")}
    cells = [corpus]
    for measure in ("f1", "precision", "recall"):
        a, b = ([of[n][i][measure] for i in of["cectd"]] for n in ("cectd", "cehtd"))
        low, high = interval([y - x for x, y in zip(a, b)])
        mean = [100 * sum(values) / len(values) for values in (a, b)]
        cells += [f"{mean[0]:.1f}", f"{mean[1]:.1f}"]
        cells += [f"{mean[1] - mean[0]:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"]
    return cells


def seconds(corpus, pipeline):
    text = open(f"{OUT}/{corpus}-{pipeline}.times").read()
    times = re.findall(r"(\d+)m([\d.]+)s", text.splitlines()[-1])
    return sum(60 * int(m) + float(s) for m, s in times)


def laid_out(corpus):
    (path,) = glob.glob(f"{OUT}/{corpus}-cehtd/documents/**/*.parquet", recursive=True)
    rows = pq.read_table(path, columns=["layout_status", "css_missing"]).to_pylist()
    why = Counter(r["layout_status"] for r in rows)
    done = [r for r in rows if r["layout_status"] == "done"]
    styled = sum(r["css_missing"] == 0 for r in done)
    cost = seconds(corpus, "cehtd") - seconds(corpus, "cectd")
    others = ", ".join(f"{n} {s}" for s, n in sorted(why.items()) if s != "done") or "none"
    share = 100 * styled / max(1, len(done))
    return [corpus, str(len(rows)), str(len(done)), others, f"{share:.1f} %", f"{1000 * cost / len(rows):.0f}"]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


head = ["corpus"]
for measure in ("F1", "precision", "recall"):
    head += [f"{measure}: `cectd`", "`cehtd`", "difference (95 %)"]
table(head, [figures(c) for c in CORPORA])
head = ["corpus", "pages", "laid out", "others", "no style sheet missing", "CPU ms a page more than `cectd`"]
table(head, [laid_out(c) for c in CORPORA])
