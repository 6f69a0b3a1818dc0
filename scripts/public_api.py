#!/usr/bin/env python3
"""Compares the library's public API with tests/public_api.txt, or writes that file.

Usage: public_api.py DOC check|write

DOC is the folder that `cargo doc` has written for the crate. The file has a paragraph per item:
its declaration, its public fields and variants, its methods, and the traits it implements.
"""

import difflib
import html
import re
import sys
from pathlib import Path

FILE = Path("tests/public_api.txt")
DECLARATION = re.compile(r'<pre class="rust item-decl">(.*?)</pre>', re.S)
CODE = re.compile(r'<h[34] class="code-header">(.*?)</h[34]>', re.S)
# What the compiler implements for any type says nothing of this one.
AUTOMATIC = re.compile(r'<h2 id="(synthetic|blanket)-implementations".*?(?=<h2 id=|\Z)', re.S)
# In the list of all items. A page that it does not list is of an item that is gone.
ITEM = re.compile(r'href="([\w/]*(?:constant|enum|fn|macro|static|struct|trait|type)\.\w+\.html)"')


def text(code: str) -> str:
    """Code on one line, without markup."""
    spaced = re.sub("<(div|br|span class=.where)", " \\g<0>", code)
    return " ".join(html.unescape(re.sub("<[^>]+>", "", spaced)).split())


def item(page: Path) -> str:
    source = AUTOMATIC.sub("", page.read_text(encoding="utf-8"))
    declaration = DECLARATION.search(source)
    if declaration is None:
        sys.exit(f"{page}: no declaration: this rustdoc writes pages in another way")
    own, _, traits = source.partition('<h2 id="trait-implementations"')
    members = [line for line in map(text, CODE.findall(own)) if not line.startswith("impl")]
    implemented = sorted(line for line in map(text, CODE.findall(traits)) if line.startswith("impl"))
    shown = [line for line in implemented if "StructuralPartialEq" not in line]
    return "\n    ".join([text(declaration[1]), *members, *shown])


def main() -> None:
    doc, what = Path(sys.argv[1]), sys.argv[2]
    pages = sorted(set(ITEM.findall((doc / "all.html").read_text(encoding="utf-8"))))
    found = "".join(f"{page.removesuffix('.html')}\n    {item(doc / page)}\n\n" for page in pages)
    if what == "write":
        FILE.write_text(found, encoding="utf-8")
        return
    kept = FILE.read_text(encoding="utf-8")
    if kept != found:
        sys.stdout.writelines(difflib.unified_diff(kept.splitlines(True), found.splitlines(True), str(FILE), "now"))
        sys.exit("the public API has changed: if that is meant, run `cargo xtask api`, and name it in CHANGELOG.md")


if __name__ == "__main__":
    main()
