"""What pages and words stay after filters, of several pipelines and of programs that people use today."""

import gzip
import html
import re
import resource
import sys
import time
from collections import Counter
from importlib import import_module, metadata

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

# Pipelines whose labels are tried, and the presets that decide which labels are taken.
TRIED = ["default", "justext", "cectd"]
DECIDE = ["dclm-heuristics", "fineweb"]
# The programs whose union "Beyond a Single Extractor" (2026) takes, the best alone first.
PROGRAMS = ["trafilatura", "resiliparse", "justext"]
WORD = re.compile(r"\w+")
HEAD = ["preset", "pipeline", "pages", "words", "× `default`", "word F1"]


def word_f1(text, gold):
    text, gold = Counter(WORD.findall(text.lower())), Counter(WORD.findall(gold.lower()))
    both = text.total() + gold.total()
    return 2 * (text & gold).total() / both if both else 1.0


def extractor(name):
    """A program as its documentation calls it: from the bytes of a page to its text."""
    if name == "resiliparse":
        return lambda page: extract_plain_text(decoded(page), main_content=True)
    module = import_module(name)
    if name == "trafilatura":
        return lambda page: module.extract(decoded(page)) or ""
    english = module.get_stoplist("English")
    return lambda page: "\n".join(p.text for p in module.justext(page, english) if not p.is_boilerplate)


def decoded(page):
    return bytes_to_str(page, detect_encoding(page))


def extracted(name, warcs, out):
    """Writes the texts of a program as a crawl, each in `pre`, which keeps its lines. Returns its processor time,
    with that for reading the crawl and without that for writing."""
    extract, writing = extractor(name), 0.0
    start = time.process_time()
    with gzip.open(out, "wb", 1) as file:
        for warc in warcs:
            for record in ArchiveIterator(str(warc), record_types=WarcRecordType.response, fsspec_args=False):
                try:
                    text = extract(record.reader.read())
                except Exception as error:  # whatever a page makes it raise
                    print(f"{name}: {record.headers['WARC-TREC-ID']}: {error!r}", file=sys.stderr)
                    text = ""
                before = time.process_time()
                file.write(as_record(record.headers, text))
                writing += time.process_time() - before
    return time.process_time() - start - writing


def as_record(headers, text):
    page = f"<!DOCTYPE html><meta charset=utf-8><pre>\n{html.escape(text)}</pre>".encode(errors="replace")
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
    fields = ["WARC/1.0", "WARC-Type: response", "Content-Type: application/http; msgtype=response"]
    fields += [f"{name}: {headers[name]}" for name in ("WARC-TREC-ID", "WARC-Record-ID", "WARC-Date", "WARC-Target-URI")]
    fields += [f"Content-Length: {len(http)}", "", ""]
    return "\r\n".join(fields).encode() + http + b"\r\n\r\n"


def pipelines(shipped):
    """What is tried, by its name in the table; the last is the union of all."""
    found = {f"`{name}`": shipped(name) for name in TRIED}
    for names in (TRIED[:2], TRIED):
        names = ", ".join(f'"{name}"' for name in names)
        found[f"`union = [{names}]`"] = f"union = [{names}]\n"
    return found


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def unions(kept, warcs, out, gold, shipped):
    """The rows of the table, and the processor time of the programs and of our union of all pipelines.

    `kept(warcs, folder, preset, pipeline)` gives the texts that stay, by the id of their page."""
    files = {name: out / f"{name}.warc.gz" for name in PROGRAMS}
    programs = sum(extracted(name, warcs, file) for name, file in files.items())
    rows, ours = [], []
    for preset in DECIDE:
        found = {}
        for number, (name, pipeline) in enumerate(pipelines(shipped).items()):
            before = children_seconds()
            found[name] = kept(warcs, out / f"union-{preset}-{number}", preset, pipeline)
        ours.append(children_seconds() - before)
        union = {}
        for name, file in files.items():
            texts = kept([file], out / f"{name}-{preset}", preset, shipped("keep-all"))
            found[f"{name} {metadata.version(name)}"] = texts
            union = texts | union
        found["the first of these programs whose text stays"] = union
        rows += lines(preset, found, gold)
    return rows, programs, ours


def lines(preset, found, gold):
    first = None
    for name, texts in found.items():
        texts = {id: text for id, text in texts.items() if id in gold}
        words = sum(len(WORD.findall(text)) for text in texts.values())
        f1 = sum(word_f1(text, gold[id][1]) for id, text in texts.items()) / len(texts)
        first = first or words
        yield [f"`{preset}`", name, f"{len(texts):,}", f"{words:,}", f"{words / first:.3f}", f"{f1:.3f}"]
