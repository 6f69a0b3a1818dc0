#!/usr/bin/env python3
"""Checks the links of a folder of built HTML: every relative link must lead to a file in it, and every
fragment to an element with that id.

usage: docs_links.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    """Links and ids of a page."""

    def __init__(self):
        super().__init__()
        self.links = []
        self.ids = set()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for key in ("id", "name"):
            if attributes.get(key):
                self.ids.add(attributes[key])
        link = attributes.get(LINKS.get(tag, ""))
        if link:
            self.links.append(link)


def read(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def main(folder):
    # 404.html is served under any address, so its links are relative to the site's root.
    pages = {path.resolve(): read(path) for path in folder.rglob("*.html") if path.name != "404.html"}
    if not pages:
        sys.exit(f"{folder} has no pages: was the site built?")
    dead = []
    links = 0
    for path, page in sorted(pages.items()):
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                continue
            links += 1
            target = path
            if address.path:
                target = (path.parent / urllib.parse.unquote(address.path)).resolve()
                if target.is_dir():
                    target /= "index.html"
            fragment = urllib.parse.unquote(address.fragment)
            if not target.is_relative_to(folder.resolve()):
                why = "leaves the site"
            elif not target.exists():
                why = "no such file"
            elif fragment and target in pages and fragment not in pages[target].ids:
                why = "no such id"
            else:
                continue
            dead.append(f"{path.relative_to(folder.resolve())}: {link}: {why}")
    for line in dead:
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages, {links} relative links, {len(dead)} dead")
    return 1 if dead else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
