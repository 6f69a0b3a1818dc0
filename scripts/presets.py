"""Writes docs/presets.md: what each preset of [[filter]] removes of the labelled pages, by their kind.

usage: presets.py BINARY SHARED OUT PAGE      (needs pyarrow)
"""

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as parquet

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

`gopher-dolma` removes nearly all pages. Its program counts the empty lines between paragraphs as copies of one line,
and warcsieve's plain text has such lines. `dclm-heuristics` and `gopher` ignore empty lines.
"""


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def rows(folder):
    for path in sorted(folder.rglob("*.parquet")):
        yield from parquet.read_table(path).to_pylist()


def kinds(shared):
    """The kind of each page by its id."""
    found = {}
    for name in [TYPED, *KINDS]:
        with gzip.open(shared / f"corpora/{name}.gold.jsonl.gz", "rt") as lines:
            for page in map(json.loads, lines):
                found[page["id"]] = page.get("page_type") or KINDS[name]
    return found


def presets(binary):
    listed = subprocess.run([binary, "signals", "--presets"], capture_output=True, check=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def clean(binary, warcs, out, preset):
    pipeline = subprocess.run([binary, "methods", "--show", "default"], capture_output=True, check=True, text=True).stdout
    out.mkdir(parents=True, exist_ok=True)
    (out / "p.toml").write_text(pipeline.replace("[[step]]", f"[[filter]]\npreset = \"{preset}\"\n\n[[step]]", 1))
    run(binary, "clean", *warcs, "--out", out / "clean", "--pipeline", out / "p.toml", "--quiet", "--redo")
    return {row["id"]: row["rule"] for row in rows(out / "clean/removed")}


def table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" + "---:|" * (len(head) - 1)
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def main(binary, shared, out, page):
    warcs = [shared / f"corpora/{name}.warc.gz" for name in [TYPED, *KINDS]]
    kind = kinds(shared)
    run(binary, "clean", *warcs, "--out", out / "all", "--quiet")
    pages = {row["id"] for row in rows(out / "all/documents") if row["id"] in kind}
    whole = Counter(kind[id] for id in pages)
    typed = Counter(kind[id] for id in pages if id.startswith(TYPED))
    order = [name for name, _ in typed.most_common()] + list(dict.fromkeys(KINDS.values()))
    names = presets(binary)
    removed = {name: clean(binary, warcs, out / name, name) for name in names}
    text = [HEAD, "## By kind of page", "", "The table shows the share of pages that are removed. The kinds of WCXB come"
             " first, then whole corpora. The first row has the number of pages.", ""]
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
    page.write_text(re.sub("\n\n\n+", "\n\n", "\n".join(text)) + "\n")


main(Path(sys.argv[1]).resolve(), *map(Path, sys.argv[2:5]))
