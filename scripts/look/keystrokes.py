"""Counts the keys that a page takes in the labeller, in a headless Chromium.

usage: keystrokes.py WARCSIEVE INPUT GOLD [SAMPLE]

Of SAMPLE pages (600 unless told otherwise) those with 80 to 120 blocks and a start of F1 0.9 or better are labelled as
their gold has them: a block is content if more of its words are in the gold than are not. The keys are those of somebody
who sees what is wrong, goes there with j, k, J, K, h and H, and ends with Enter.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser as chromium  # noqa: E402

READY = "!!window.labeller && labeller.list.rows.filter(Boolean).length === labeller.list.size"


def pages(program, crawl, gold, sample, folder):
    """Id and right labels of pages of about 100 blocks with a good start."""
    subprocess.run([program, "view", crawl, "--gold", gold, "--sample", str(sample), "--out", folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for file in sorted(Path(folder).glob("page-*.html")):
        page = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', file.read_text(), re.S)[1])["page"]
        blocks, references = page["blocks"], page["references"]
        if not references or not 80 <= len(blocks["text"]) <= 120 or references[0]["measures"]["f1"] < 0.9:
            continue
        # A block without words is right as it is.
        right = [kept == "1" if not runs else sum(runs[1::2]) > sum(runs[0::2])
                 for kept, runs in zip(blocks["kept"], references[0]["blocks"])]
        yield page["facts"]["id"], right


def change(kept, at, by):
    """Where J or K goes from a block."""
    i = at + by
    while 0 <= i < len(kept):
        if i - by < 0 or i - by >= len(kept) or kept[i] != kept[i - by]:
            return i
        i += by
    return None


def heading(headings, at, by):
    found = [i for i in headings if (i > at if by > 0 else i < at)]
    return (found[0] if by > 0 else found[-1]) if found else None


def way(kept, headings, at, wanted):
    """The fewest keys from a block to one of some others."""
    queue, before = deque([at]), {at: None}
    while queue:
        here = queue.popleft()
        if here in wanted:
            keys = []
            while before[here]:
                here, key = before[here]
                keys.append(key)
            return keys[::-1]
        steps = [("j", here + 1), ("k", here - 1), ("J", change(kept, here, 1)), ("K", change(kept, here, -1)),
                 ("h", heading(headings, here, 1)), ("H", heading(headings, here, -1))]
        for key, there in steps:
            if there is not None and 0 <= there < len(kept) and there not in before:
                before[there] = here, key
                queue.append(there)
    raise AssertionError("there is no way")


def label(page, right):
    """Labels the open page, and returns the number of keys."""
    def look():
        return page.run("({ at: labeller.list.at, kept: labeller.list.kept })")

    headings = page.run("labeller.list.blocks.kind.flatMap((kind, i) => /^h[1-6]$/.test(kind) ? [i] : [])")
    keys = 0

    def press(*names):
        nonlocal keys
        keys += len(names)
        page.key(*names)

    while True:
        now = look()
        kept, at = now["kept"], now["at"]
        wrong = {i for i, (a, b) in enumerate(zip(kept, right)) if a != b}
        if not wrong:
            break
        press(*way(kept, headings, at, wrong))
        at = look()["at"]
        first = last = at
        while first - 1 in wrong and kept[first - 1] == kept[at]:
            first -= 1
        while last + 1 in wrong and kept[last + 1] == kept[at]:
            last += 1
        is_whole = not (0 < first and kept[first - 1] == kept[at]) and not (last + 1 < len(kept) and kept[last + 1] == kept[at])
        if first == last:
            press(" ")
        elif is_whole:
            press("B" if kept[at] else "C")
        else:
            # To one end, set it, to the other end, and what is between gets the same label.
            ends = min([(first, last), (last, first)], key=lambda ends: len(way(kept, headings, at, {ends[0]})))
            press(*way(kept, headings, at, {ends[0]}), " ")
            press(*way(look()["kept"], headings, ends[0], {ends[1]}), "e")
    page.key("Enter")
    return keys + 1


def main():
    program, crawl, gold = sys.argv[1:4]
    sample = int(sys.argv[4]) if len(sys.argv) > 4 else 600
    chrome = chromium.Browser(chromium.find())
    try:
        with tempfile.TemporaryDirectory(prefix="warcsieve-look-") as work:
            chosen = list(pages(program, crawl, gold, sample, f"{work}/views"))
            ids = [word for id, _ in chosen for word in ("--id", id)]
            subprocess.run([program, "label", crawl, *ids, "--out", f"{work}/label"], check=True, stdout=subprocess.DEVNULL)
            page = chrome.open(f"{work}/label/label.html", ready=READY)
            counts, rights = [], dict(chosen)
            for _ in chosen:
                page.until(lambda: page.run(READY))
                id = page.run("data.pages[labeller.at].facts.id")
                right = rights[id]
                counts.append(label(page, right))
                done = page.run(f"labeller.work[data.pages.findIndex(p => p.facts.id === {json.dumps(id)})]")
                assert done["done"] and done["labels"] == "".join("01"[k] for k in right), id
            page.check()
            counts.sort()
            n = len(counts)
            print(f"{n} pages of 80 to 120 blocks: median {counts[n // 2]} keys, mean {sum(counts) / n:.1f}, "
                  f"nine in ten within {counts[n * 9 // 10]}, most {counts[-1]}")
    finally:
        chrome.close()


main()
