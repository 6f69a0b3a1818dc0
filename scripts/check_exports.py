"""Reads every export of some shards back, with readers that know nothing of warcsieve, and compares every
page with what pyarrow reads from the shards. Usage: check_exports.py BINARY SHARDS FOLDER"""

import gzip
import html
import html.parser
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter

import pyarrow.parquet as pq
import zstandard
from ciff_toolkit.read import CiffReader
from fastwarc.warc import ArchiveIterator, WarcRecordType

binary, shards, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
failures = []


def check(ok, what):
    if not ok:
        failures.append(what)


class Page(html.parser.HTMLParser):
    """Title and preformatted text of a page."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.open, self.title, self.pre = None, None, ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag in ("title", "pre"):
            self.open = tag
            self.title = "" if tag == "title" else self.title

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "title":
            self.title += data
        elif self.open == "pre":
            self.pre += data


def documents(text):
    """The documents of a TREC file: id, and what follows."""
    for document in re.findall(r"^<DOC>\n(.*?)^</DOC>\n", text, re.S | re.M):
        docno, rest = document.split("</DOCNO>\n", 1)
        yield docno.removeprefix("<DOCNO>"), rest


def trec(path, text):
    for docno, rest in documents(text):
        title, text = rest.split("</TITLE>\n", 1)
        title = html.unescape(title.removeprefix("<TITLE>"))
        text = text.removeprefix("<TEXT>\n").removesuffix("\n</TEXT>\n")
        yield docno, {"title": title, "text": html.unescape(text)}


def trecweb(path, text):
    for docno, rest in documents(text):
        url, source = rest.removeprefix("<DOCHDR>\n").split("\n</DOCHDR>\n", 1)
        page = Page(source)
        yield docno, {"url": url, "title": page.title, "text": page.pre.removeprefix("\n")}


def lines(text):
    """JSON lines; text may hold what Python takes for other line ends."""
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def anserini(path, text):
    for line in lines(text):
        yield line["id"], {"contents": line["contents"]}


def jsonl(path, text):
    for line in lines(text):
        yield line["id"], line


def dolma(path, text):
    attributes = path.parent.parent / "attributes" / "warcsieve" / path.name
    for line, beside in zip(lines(text), lines(read(attributes)), strict=True):
        check((beside["id"], beside["source"]) == (line["id"], line["source"]), f"{attributes}: {line['id']}")
        (spans,) = beside["attributes"].values()
        parts = [line["text"][start:end] for start, end, _ in spans]
        yield line["id"], {"url": line["metadata"]["url"], "text": line["text"], "parts": parts}


def wet(path, text):
    """Read by FastWARC, which compares the digests."""
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.conversion):
            headers = dict(record.headers)
            check(record.verify_block_digest(), f"{path}: digest of {record.record_id}")
            docno = headers.get("WARC-TREC-ID", headers["WARC-Refers-To"].strip("<>"))
            yield docno, {"url": headers["WARC-Target-URI"], "text": record.reader.read().decode()}


def read(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return data.decode()


def export(out, *arguments):
    command = [binary, "export", str(shards), "--out", str(folder / out), "--quiet", *arguments]
    subprocess.run(command, check=True)
    return folder / out


# What the shards hold.
expected = {"clean": {}, "raw": {}}
for path in sorted((shards / "documents").rglob("*.parquet")):
    blocks = {}
    table = pq.read_table(shards / "blocks" / path.relative_to(shards / "documents"))
    for block in table.select(["id", "text", "label"]).to_pylist():
        blocks.setdefault(block["id"], []).append(block)
    for row in pq.read_table(path).to_pylist():
        row["date"] = row["date"] and row["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
        for kind, label in [("clean", "content"), ("raw", "boilerplate")]:
            page = blocks.get(row["id"], [])
            text = row["text"] if kind == "clean" else "\n".join(b["text"] for b in page)
            contents = f"{row['title']}\n{text}" if row["title"] else text
            parts = [b["text"].split() for b in page if b["label"] == label]
            expected[kind][row["id"]] = row | {"text": text, "contents": contents, "parts": parts}

for read_file in (trec, trecweb, anserini, jsonl, wet, dolma):
    name = read_file.__name__
    for compression, ending in [("gz", ".gz"), ("zst", ".zst"), ("none", "")]:
        out = export(f"{name}-{compression}", "--to", name, "--compress", compression, "--text", "both")
        for kind, pages in expected.items():
            ids = Counter()
            root = out / kind / ("documents" if name == "dolma" else "")
            files = [p for p in root.rglob("*") if p.is_file()]
            check(files and all(p.name.endswith(ending) for p in files), f"{root}: file names")
            for path in files:
                for docno, found in read_file(path, read(path)):
                    ids[docno] += 1
                    for key, value in found.items():
                        wanted = pages[docno][key]
                        if key == "parts":
                            value = [part.split() for part in value]
                        if isinstance(value, float):
                            value, wanted = round(value, 6), round(wanted, 6)
                        check(value == wanted, f"{path}: {docno}: {key}")
            check(ids == Counter(pages.keys()), f"{root}: every page once")
            print(f"{name}, {compression}, {kind}: {len(ids)} pages")

for kind, pages in expected.items():
    out = export(f"{kind}.ciff.gz", "--to", "ciff", "--text", kind, "--stem", "none", "--no-title")
    with CiffReader(out) as reader:
        header = reader.read_header()
        lists = list(reader.read_postings_lists())
        records = list(reader.read_documents())
    terms = [postings_list.term.encode() for postings_list in lists]
    check(terms == sorted(set(terms)), f"{out}: order of terms")
    lengths = Counter()
    for postings_list in lists:
        document = 0
        for posting in postings_list.postings:
            document += posting.docid
            lengths[document] += posting.tf
        check(postings_list.df == len(postings_list.postings), f"{out}: df of {postings_list.term}")
        check(postings_list.cf == sum(p.tf for p in postings_list.postings), f"{out}: cf of {postings_list.term}")
    check([r.collection_docid for r in records] == list(pages), f"{out}: ids in the shards' order")
    check(all(lengths[r.docid] == r.doclength for r in records), f"{out}: lengths")
    check(sum(lengths.values()) == header.total_terms_in_collection, f"{out}: terms of the collection")
    # Words that Python and UAX #29 agree on: those of nothing but letters, between spaces.
    plain = re.compile(r"(?:(?<=\s)|^)[a-z]{1,40}(?=\s|$)", re.M)
    postings = {l.term: l for l in lists}
    found, least = Counter(), Counter()
    for text in (page["text"] for page in pages.values()):
        least.update(plain.findall(text.lower()))
    few = [w for w, n in least.items() if w not in postings or postings[w].cf < n]
    check(not few, f"{out}: {few[:5]} stand more often in the texts")
    print(f"ciff, {kind}: {len(lists)} terms, {len(records)} pages, {header.total_terms_in_collection} in all")

print("\n".join(failures[:20]) or "everything agrees")
sys.exit(bool(failures))
