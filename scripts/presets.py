"""Writes docs/presets.md: what each preset of [[filter]] removes of the labelled pages, by their kind.

usage: presets.py BINARY SHARED OUT PAGE      (needs pyarrow, and the programs of unions.py)
"""

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pyarrow.parquet as parquet
from unions import DECIDE, HEAD as UNION_HEAD, unions

# Corpora of one kind of page; wcxb-dev says the kind of each page.
KINDS = {"l3s-gn1": "news", "dragnet-a": "blogs, news", "readability": "articles", "cleaneval-test": "mixed"}
TYPED = "wcxb-dev"
HEAD = """# What presets remove

This page says how many of the labelled pages each [preset of filters](corpus.md#filters) removes, by the kind of page
and by rule. It is for everyone who chooses a preset.

```sh
warcsieve signals --presets    # lists the presets
```

Written by `cargo xtask reproduce presets`. The pages are cleaned with the pipeline `default`.

Filters are made for training data. For these, a lost page costs little and a bad page costs more. So filters also
remove pages with content: each of the pages here has a text that a person marked as its content.

`gopher-dolma` removes nearly all pages. Dolma's program counts the empty lines between paragraphs as copies of one
line, and warcsieve's plain text has such lines. `dclm-heuristics` and `gopher` ignore empty lines.
"""


MARK = re.compile(r"</?\s*[hpl]\s*>", re.I)  # of CleanEval


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def rows(folder):
    for path in sorted(folder.rglob("*.parquet")):
        yield from parquet.read_table(path).to_pylist()


def golds(shared):
    """The gold of each page by its id: its kind and its text."""
    found = {}
    for name in [TYPED, *KINDS]:
        with gzip.open(shared / f"corpora/{name}.gold.jsonl.gz", "rt") as lines:
            for page in map(json.loads, lines):
                text = page.get("main_content", page.get("gold"))
                text = MARK.sub(" ", text) if name.startswith("clean") else text
                found[page["id"]] = (page.get("page_type") or KINDS[name], text)
    return found


def presets(binary):
    listed = subprocess.run([binary, "signals", "--presets"], capture_output=True, check=True, text=True).stdout
    return [line.split(":")[0] for line in listed.splitlines() if not line.startswith(" ")]


def shipped(binary, name):
    return subprocess.run([binary, "methods", "--show", name], capture_output=True, check=True, text=True).stdout


def clean(binary, warcs, out, preset, pipeline):
    out.mkdir(parents=True, exist_ok=True)
    (out / "p.toml").write_text(f"{pipeline}\n[[filter]]\npreset = \"{preset}\"\n")
    run(binary, "clean", *warcs, "--out", out / "clean", "--pipeline", out / "p.toml", "--quiet", "--redo")
    return {row["id"]: row["rule"] for row in rows(out / "clean/removed")}


def table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" + "---:|" * (len(head) - 1)
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def kept(binary, warcs, out, preset, pipeline):
    clean(binary, warcs, out, preset, pipeline)
    return {row["id"]: row["text"] for row in rows(out / "clean/documents")}


def main(binary, shared, out, page):
    warcs = [shared / f"corpora/{name}.warc.gz" for name in [TYPED, *KINDS]]
    gold = golds(shared)
    kind = {id: kind for id, (kind, _) in gold.items()}
    default = shipped(binary, "default")
    run(binary, "clean", *warcs, "--out", out / "all", "--quiet")
    pages = {row["id"] for row in rows(out / "all/documents") if row["id"] in kind}
    whole = Counter(kind[id] for id in pages)
    typed = Counter(kind[id] for id in pages if id.startswith(TYPED))
    order = [name for name, _ in typed.most_common()] + list(dict.fromkeys(KINDS.values()))
    names = presets(binary)
    removed = {name: clean(binary, warcs, out / name, name, default) for name in names}
    corpora = ", ".join(f"{corpus} (`{name}`)" for corpus, name in KINDS.items())
    text = [HEAD, "## By kind of page", "", "The table shows the share of pages that are removed. The kinds of WCXB come"
            f" first, then whole corpora: {corpora}. The first row has the number of pages.", ""]
    lines = [["pages"] + [f"{whole[name]:,}" for name in order]]
    for name in names:
        counts = Counter(kind[id] for id in removed[name] if id in pages)
        lines.append([f"`{name}`"] + [f"{100 * counts[kind] / whole[kind]:.1f} %" for kind in order])
    text += table(["preset", *order], lines)
    articles = {id for id in pages if id.startswith(TYPED) and kind[id] == "article"}
    text += ["", "## Which rules remove articles", "",
             f"The figures are for the {len(articles)} pages of WCXB whose gold is an article. The first rule that a page breaks removes it.", ""]
    lines = []
    for name in names:
        rules = Counter(rule for id, rule in removed[name].items() if id in articles)
        for rule, count in sorted(rules.items(), key=lambda found: (-found[1], found[0]))[:5]:
            lines.append([f"`{name}`", f"`{rule}`".replace("|", "\\|"), str(count)])
        lines.append([f"`{name}`", "all", str(sum(rules.values()))])
    head = list(table(["preset", "rule", "articles"], lines))
    head[1] = "|---|---|---:|"
    text += head
    found, programs, ours = unions(partial(kept, binary), warcs, out, gold, partial(shipped, binary))
    text += ["", "## What a union keeps", "",
             "If filters remove a page, a [union](pipelines.md#several-pipelines) labels it with other pipelines, and keeps the first"
             " labels with which the page stays. The table shows the pages and words that stay of all"
             f" {len(pages):,} pages, the words as a multiple of those of `default`, and the mean word F1 of the pages that stay."
             " The pages that a union adds are those on which `default` finds little or no clean text. Other methods find more"
             " on them, but with more noise, so the mean falls.", "",
             "The last four rows of each preset are programs that people use today: Resiliparse with `main_content=True`,"
             " Trafilatura with its defaults, and jusText with its list for English. Their texts were given to the same filters."
             " Of the union, the first program whose text stays gives the text of a page.", ""]
    head = list(table(UNION_HEAD, found))
    head[1] = "|---|---|---:|---:|---:|---:|"
    text += head
    text += ["", f"The three programs took {programs:.0f} seconds of processor time to read the pages and extract their texts, without any"
             f" filter. `clean` with the union of three pipelines took {ours[0]:.0f} seconds with `{DECIDE[0]}` and"
             f" {ours[1]:.0f} with `{DECIDE[1]}`: with filters and Parquet, 1/{programs / ours[0]:.0f} and 1/{programs / ours[1]:.0f} of it.", ""]
    page.write_text(re.sub("\n\n\n+", "\n\n", "\n".join(text)) + "\n")


main(Path(sys.argv[1]).resolve(), *map(Path, sys.argv[2:5]))
