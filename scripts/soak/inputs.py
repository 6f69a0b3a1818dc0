"""Writes crawls that are large, many or strange."""
import gzip
import os
import random

# A page that every reader must find.
HTML = b"<html><body><p>" + b"The ferry to the island leaves at nine and comes back at noon. " * 8 + b"</p></body></html>"
BLOCK = 1 << 20


def http(body, kind=b"text/html", status=b"200 OK"):
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)


def head(number, length, kind=b"response"):
    return (b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
            b"WARC-Target-URI: http://host%d.example/%d\r\nContent-Type: application/http; msgtype=response\r\n"
            b"Content-Length: %d\r\n\r\n" % (kind, number, number % 97, number, length))


def record(number, body, kind=b"response"):
    return head(number, len(body), kind) + body + b"\r\n\r\n"


def page(number):
    return record(number, http(HTML))


def skip(number):
    """A page that no pipeline selects."""
    return record(number, http(b"", b"image/png", b"404 Not Found"))


def members(path, records):
    """A gzip member for each record."""
    with open(path, "wb") as file:
        for one in records:
            file.write(gzip.compress(one, 1))


def tiny(folder, count):
    """Files of one page each, a thousand in a folder."""
    for number in range(count):
        below = os.path.join(folder, f"{number // 1000:03}")
        os.makedirs(below, exist_ok=True)
        members(os.path.join(below, f"{number:06}.warc.gz"), [page(number)])


def empty(path, count):
    """A plain file of records without a body."""
    with open(path, "wb") as file:
        for start in range(0, count, 10_000):
            file.write(b"".join(record(n, b"", b"metadata") for n in range(start, min(start + 10_000, count))))
        file.write(page(count))


def large(path, size):
    """A page, a record of `size` bytes, a page; in gzip members."""
    def pieces():
        body = http(b"")
        yield head(1, size) + body
        left = size - len(body)
        while left:
            piece = (b"<p>word " * (BLOCK // 8))[:left]
            left -= len(piece)
            yield piece
        yield b"\r\n\r\n"

    with open(path, "wb") as file:
        file.write(gzip.compress(page(0)))
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as member:
            for piece in pieces():
                member.write(piece)
        file.write(gzip.compress(page(2)))


def nesting(path, size, layout):
    """A page, a record of `size` bytes that holds records, a page. Returns the ids of true pages.
    The layout is `plain`, `members`, or `stream`, one gzip member over all."""
    inner = b"".join(b"\r\n" + page(1_000_000 + n) for n in range(50))
    body = inner * (size // len(inner) + 1)
    records = [page(0), record(1, http(body[:size], b"application/warc")), page(2)]
    if layout == "members":
        members(path, records)
    else:
        with open(path, "wb") as file:
            whole = b"".join(records)
            file.write(gzip.compress(whole, 1) if layout == "stream" else whole)
    return {"<urn:test:0>", "<urn:test:2>"}


def pages(path, count, size, unit):
    """Pages of `size` bytes that repeat a piece of markup."""
    body = b"<html><body>" + unit * ((size - 100) // len(unit))
    members(path, (record(number, http(body)) for number in range(count)))


def hostile(size):
    """Pages of `size` bytes, each of which makes some part of the program keep as much as any page that we know: names
    and markup."""
    chance = random.Random(1)
    ideographs = "".join(chr(0x4e00 + chance.randrange(20_000)) for _ in range(size // 3)).encode()
    whole = {
        "marks": bytes(chance.choices(b"!\"#'()*,:;?[]_{}", k=size)),
        "ideographs": ideographs,
        "different lines": b"<pre>" + b"".join(b"%x\n" % n for n in range(size // 5)),
        "one tag": b"<p " + b"".join(b"a%x=1 " % n for n in range(size // 8)) + b">a",
    }
    units = {
        "addresses": b"a@b.cc ",
        "addresses without spaces": b"a@b.c,",
        "numbers": b"2125550100 ",
        "networks": b"8.8.8.8 ",
        "short lines": b"a b\n",
        "empty lines": b"\n",
        "one word": b"x",
        "letters": "é ".encode(),
        "brackets": b"(",
        "faces": b":) ",
        "faces without spaces": b":)",
        "citations": b"a b c[1].\n",
        "tabs": b"a\t",
        # As many elements as a page may have, or nearly.
        "paragraphs": b"<p>a b c d e f. \n",
        "marks in paragraphs": b"<p>" + b"(" * 14,
        "inline": b"a<i class=b>c</i> d",
        "deep": b"<div>a b c d e f ",
        "links": b"<a href=/a>b</a> ",
        "attributes": b"<p a=b c=d e=f>g\n",
        "cells": b"<tr><td>a b<td>b c d e f g h i\n",
        "breaks": b"a b c d e f <br>g",
        "items": b"<ul><li>a b c d e f g h i j",
        "entities": b"&lt;&amp;",
        "formulas": b"<math><mi>x</math> a b c d e f g ",
    }
    before = {"short lines": b"<pre>", "empty lines": b"<pre>", "cells": b"<table>", "citations": b"<pre>"}
    whole |= {name: before.get(name, b"") + unit * (size // len(unit)) for name, unit in units.items()}
    return {name: markup[:size] for name, markup in whole.items()}
