"""Tables of scripts/layout_agree.sh: how far the boxes and the choices of two engines agree."""

import glob
import sys

import pyarrow.parquet as pq

OUT, CORPORA = sys.argv[1], sys.argv[2:]
COLUMNS = ["id", "block", "chars", "label", "x", "y", "width", "visible"]


def rows(corpus, engine, table, columns):
    (path,) = glob.glob(f"{OUT}/{corpus}-{engine}/{table}/**/*.parquet", recursive=True)
    return pq.read_table(path, columns=columns).to_pylist()


def near(a, b):
    """Within 2 % of the window, or 2 % of the larger."""
    return abs(a - b) <= max(25.6, 0.02 * max(abs(a), abs(b)))


def figures(corpus):
    status = {e: {r["id"]: r["layout_status"] for r in rows(corpus, e, "documents", ["id", "layout_status"])} for e in ("blitz", "chromium")}
    both = {i for i, s in status["blitz"].items() if s == "done" and status["chromium"].get(i) == "done"}
    blitz, chromium = (rows(corpus, e, "blocks", COLUMNS) for e in ("blitz", "chromium"))
    pairs = [(a, b) for a, b in zip(blitz, chromium, strict=True) if a["id"] in both]
    assert all((a["id"], a["block"]) == (b["id"], b["block"]) for a, b in pairs)
    chars = sum(a["chars"] for a, _ in pairs)
    same = sum(a["chars"] for a, b in pairs if a["label"] == b["label"])
    kept = [sum(r["chars"] for r in side if r["label"] == "content") for side in zip(*pairs)]
    common = sum(a["chars"] for a, b in pairs if a["label"] == b["label"] == "content")
    boxed = [(a, b) for a, b in pairs if a["x"] is not None and b["x"] is not None and a["visible"] and b["visible"]]
    shares = [100 * sum(near(a[c], b[c]) for a, b in boxed) / len(boxed) for c in ("x", "width", "y")]
    seen = 100 * sum(a["visible"] == b["visible"] for a, b in pairs) / len(pairs)
    return [corpus, str(len(both)), f"{100 * same / chars:.2f} %", f"{100 * 2 * common / max(1, sum(kept)):.2f} %",
            *(f"{s:.1f} %" for s in shares), f"{seen:.1f} %"]


head = ["corpus", "pages", "same label, by characters", "kept by both, F1", "x", "width", "y", "visible"]
print("| " + " | ".join(head) + " |")
print("|" + " --- |" * len(head))
for corpus in CORPORA:
    print("| " + " | ".join(figures(corpus)) + " |")
