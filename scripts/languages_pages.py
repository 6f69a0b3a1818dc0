"""The language found in the gold texts of the labelled corpora beside what their pages state: languages_pages.py PROGRAM FOLDER

PROGRAM is the example `languages`; FOLDER holds NAME.warc.gz and NAME.gold.jsonl.gz. Prints counts for each corpus, and
every page where they differ and the text is not `und`.
"""

import collections
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

SAME = {"nb": "no", "nn": "no", "iw": "he", "eng": "en"}


def stated(warc):
    """The `lang` of `html` by record."""
    found = {}
    for record in gzip.open(warc).read().split(b"\nWARC/1."):
        name = re.search(rb"(?i)WARC-TREC-ID: (\S+)", record[:3000])
        lang = re.search(rb"(?i)<html[^>]*?\slang\s*=\s*[\"']?([a-zA-Z]{2,3})", record[:20000])
        if name and lang:
            code = lang.group(1).decode().lower()
            found[name.group(1).decode()] = SAME.get(code, code)
    return found


def main(program, folder):
    for gold in sorted(folder.glob("*.gold.jsonl.gz")):
        name = gold.name.removesuffix(".gold.jsonl.gz")
        pages = [json.loads(line) for line in gzip.open(gold, "rt")]
        texts = {p["id"]: " ".join((p.get("main_content") or p.get("gold") or "").split()) for p in pages}
        texts = {page: text for page, text in texts.items() if text}
        lines = "".join(f"{text}\n" for text in texts.values())
        out = subprocess.run([program, "find"], input=lines, capture_output=True, text=True, check=True).stdout
        found = dict(zip(texts, (line.split("\t")[0] for line in out.splitlines()), strict=True))
        says = stated(folder / f"{name}.warc.gz")
        counts = collections.Counter()
        for page, code in found.items():
            said = says.get(page)
            agrees = "stated nothing" if said is None else "und" if code == "und" else "same" if code == said else "other"
            counts[agrees] += 1
            if agrees == "other":
                print(f"{page}: states {said}, found {code}: {texts[page][:70]}")
        codes = collections.Counter(found.values())
        print(f"{name}: {len(found)} texts, {dict(counts)}, {dict(codes.most_common())}")


if len(sys.argv) != 3:
    sys.exit(__doc__.split("\n\n")[0])
main(sys.argv[1], Path(sys.argv[2]))
