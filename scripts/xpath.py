"""Resolves the paths of the column `xpath` in lxml, on all labelled pages.

usage: xpath.py WARCSIEVE SHARED

A path is right if lxml finds one element by it, and the element's text holds the block's text. White space is left out of
the comparison, because lxml puts none between blocks. So are elements whose text is not part of a page's text. `deepest`
counts the paths of these whose element has no child that holds the text, too.

The parser of lxml (libxml2) is older than HTML5 and reads what is not well formed by rules of its own. Pages are counted

* as `alike` if lxml and lexbor, a parser of HTML5, build the same tree of elements, apart from `tbody`;
* as `no error` if lxml logs no end tag without its start tag, no end tag that closes another element than the open one, and
  no second or misplaced `html`, `head` or `body`. It logs nothing of a `<div/>` that HTML5 does not close, or of a script
  that is never closed.

Ends with 1 if fewer than 99 % of the blocks of pages that are read alike are right.
"""

import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import lxml.etree
import lxml.html
import pyarrow.parquet
import webencodings
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

FINE = (0, 10)  # done, and done with faults that are listed
BROKEN = {"ERR_TAG_NAME_MISMATCH", "HTML_STRUCURE_ERROR"}  # as libxml2 spells it
# Elements whose text is not part of a page's text.
HIDDEN = {"datalist", "iframe", "noembed", "noframes", "script", "style", "svg", "template", "title"}
LEAST = 0.99


def bare(text):
    return "".join(text.split())


def shape(root, children):
    """The names and depths of elements in document order, without those in hidden ones."""
    found, open_nodes = [], [(root, 0)] if root is not None else []
    while open_nodes:
        node, depth = open_nodes.pop()
        if node.tag != "tbody":
            found.append((depth, node.tag))
            depth += 1
        if node.tag not in HIDDEN:
            open_nodes += [(child, depth) for child in reversed(children(node))]
    return found


class Page:
    """A page as lxml reads it."""

    def __init__(self, html):
        parser = lxml.html.HTMLParser(encoding="utf-8")
        self.root = lxml.html.document_fromstring(html.encode(), parser=parser)
        has_error = any(error.type_name in BROKEN for error in parser.error_log)
        ours = shape(self.root.find("body"), lambda node: [child for child in node if isinstance(child.tag, str)])
        theirs = shape(LexborHTMLParser(html).body, lambda node: [child for child in node.iter() if child.is_element_node])
        self.kinds = ["all"] + ["no error"] * (not has_error) + ["alike"] * (ours == theirs)
        # The text of each element. Children come before their parents, so nothing recurses. Comments have none.
        self.texts = {}
        for _, element in lxml.etree.iterwalk(self.root, events=("end",)):
            if element.tag not in HIDDEN:
                inside = (part for child in element for part in (self.text(child), bare(child.tail or "")))
                self.texts[element] = bare(element.text or "") + "".join(inside)

    def text(self, element):
        return self.texts.get(element, "")

    def resolve(self, path, text):
        """Whether a path finds an element with the text, and whether no child of it holds the text."""
        found = self.root.xpath(path)
        if len(found) != 1 or text not in self.text(found[0]):
            return False, False
        return True, all(text not in self.text(child) for child in found[0])


def pages(crawl):
    with open(crawl, "rb") as file:
        for record in ArchiveIterator(file):
            headers = record.rec_headers
            body = record.content_stream().read()
            yield headers.get_header("WARC-TREC-ID") or headers.get_header("WARC-Record-ID"), body


def rows(table, *columns):
    return pyarrow.parquet.read_table(table, columns=list(columns)).to_pylist()


def measure(binary, crawl, counts):
    """Adds what is found of the pages of a crawl to the counts of each kind."""
    with tempfile.TemporaryDirectory() as out:
        command = [binary, "clean", crawl, "--out", out, "--quiet", "--pipeline", "numwords", "--set", "xpath=true"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in FINE:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
        charsets = {row["id"]: row["content_charset"] for row in rows(f"{out}/documents", "id", "content_charset")}
        blocks = defaultdict(list)
        for row in rows(f"{out}/blocks", "id", "text", "xpath"):
            blocks[row["id"]].append((row["xpath"], bare(row["text"])))
    for page_id, body in pages(crawl):
        if page_id not in blocks:
            continue
        html, _ = webencodings.decode(body, charsets[page_id] or "utf-8")
        page = Page(html)
        found = Counter(pages=1)
        for path, text in blocks.pop(page_id):
            right, deepest = page.resolve(path, text) if path else (False, False)
            found.update({"blocks": 1, "none": not path, "right": right, "deepest": deepest})
        for kind in page.kinds:
            counts[kind].update(found)


def main():
    binary, shared = sys.argv[1:]
    crawls = sorted(Path(shared, "corpora").glob("*.warc.gz"))
    if not crawls:
        sys.exit(f"no corpora in {shared}; set SHARED=folder")
    counts = {kind: Counter() for kind in ["alike", "no error", "all"]}
    for crawl in crawls:
        measure(binary, crawl, counts)
    print("| pages | number | blocks | without a path | right | deepest |\n|---|---:|---:|---:|---:|---:|")
    for kind, found in counts.items():
        blocks = found["blocks"]
        shares = " | ".join(f"{100 * found[what] / max(blocks, 1):.2f} %" for what in ("right", "deepest"))
        print(f"| {kind} | {found['pages']:,} | {blocks:,} | {found['none']:,} | {shares} |")
    sys.exit(counts["alike"]["right"] < LEAST * counts["alike"]["blocks"])


main()
