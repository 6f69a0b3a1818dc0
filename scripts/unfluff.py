"""Unfluff, a program for Node.js, over the labelled corpora: writes its text of every page, a JSON line per page.

usage: unfluff.py CORPORA OUT

OUT gets a file for each corpus of Web2Text's tables and of the judged topics. A corpus that is there is not read
again. The package is in target/peers, so that it is never a dependency of ours. Without npm, nothing is written.
"""
import json
import os
import shutil
import subprocess
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

CORPORA = ["cleaneval-train", "cleaneval-test", "l3s-gn1", "dragnet-a", "readability", "wcxb-dev"]
VERSION = "3.2.0"
FOLDER = "target/peers/node"
PAGES = WarcRecordType.response | WarcRecordType.resource


def installed():
    """Whether the package is there, after an attempt to install it."""
    if not shutil.which("npm"):
        print("left out, for it needs Node.js and npm: Unfluff", file=sys.stderr)
        return False
    os.makedirs(FOLDER, exist_ok=True)
    npm = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", FOLDER, f"unfluff@{VERSION}"]
    if subprocess.run(npm).returncode != 0:
        print("left out, for npm could not install it: Unfluff", file=sys.stderr)
        return False
    return True


def text(html):
    return bytes_to_str(html, detect_encoding(html))


def run(path, out=subprocess.DEVNULL):
    """Writes the texts of the pages of a WARC file to a file; the numbers of pages and of those that failed."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unfluff.js")
    modules = os.path.join(os.path.abspath(FOLDER), "node_modules")
    node = subprocess.Popen(["node", script], env={**os.environ, "NODE_PATH": modules}, text=True,
                            stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE)
    done = 0
    for record in ArchiveIterator(path, record_types=PAGES, parse_http=True, fsspec_args=False):
        page = {"id": record.headers.get("WARC-TREC-ID"), "html": text(record.reader.read())}
        node.stdin.write(json.dumps(page) + "\n")
        done += 1
    failed = node.communicate()[1]
    if node.returncode != 0:
        sys.exit(f"Unfluff on {path}: {failed}")
    return done, int(failed)


def main():
    corpora, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    missing = [name for name in CORPORA if not os.path.exists(f"{out}/{name}.jsonl")]
    if not missing or not installed():
        return
    for name in missing:
        part = f"{out}/{name}.part"
        with open(part, "w") as file:
            done, failed = run(f"{corpora}/{name}.warc.gz", file)
        os.replace(part, f"{out}/{name}.jsonl")
        print(f"{name}: {done} pages, {failed} failed")


if __name__ == "__main__":
    main()
