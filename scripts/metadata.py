"""What pages say of themselves, as read by warcsieve and by trafilatura, compared with gold.

Usage: metadata.py BINARY CORPUS.warc.gz GOLD.jsonl[.gz]...

Gold is a line of JSON a page: `id`, and `title`, `author`, `publish_date` where they are known. Each file of gold has
its own rows.

A page counts for a field where the gold gives it. An answer is right

* of titles, if both are equal without regard to case, white space and punctuation;
* of authors, if both are the same set of words in that form: `Doe, Jane` is `Jane Doe`;
* of dates, if the day is the same.

F1 is of precision (right of those answered) and recall (right of all), on these pages. `also` counts the answers on
pages whose gold says that there is no author, or no date.
"""

import gzip
import json
import subprocess
import sys
import unicodedata

import trafilatura
from fastwarc.warc import ArchiveIterator, WarcRecordType
from trafilatura.metadata import extract_metadata
from trafilatura.settings import set_date_params
from trafilatura.utils import load_html

FIELDS = {"title": "title", "author": "author", "date": "publish_date"}


def words(text):
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c if c.isalnum() else " " for c in folded).split()


FORMS = {
    "title": lambda text: tuple(words(text)),
    "author": lambda text: frozenset(words(text)),
    "date": lambda text: text[:10],
}


def read_gold(path):
    gold = {}
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            gold[page["id"]] = {**page, **(page.get("metadata") or {})}
    return gold


def ours(binary, corpus):
    command = [binary, "extract", corpus, "--to", "json"]
    printed = subprocess.run(command, capture_output=True, check=False)
    if printed.returncode not in (0, 10):
        sys.exit(printed.stderr.decode())
    for line in printed.stdout.splitlines():
        page = json.loads(line)
        yield page["id"], {"title": page["headline"], "author": page["author"], "date": page["published"]}


def theirs(corpus):
    dates = set_date_params(True)  # those of its command line: when a page was published
    with open(corpus, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response | WarcRecordType.resource):
            tree = load_html(record.reader.read())
            url = record.headers.get("WARC-Target-URI")
            found = None if tree is None else extract_metadata(tree, default_url=url, date_config=dates)
            known = {} if found is None else {field: getattr(found, field) for field in FIELDS}
            yield record.headers.get("WARC-TREC-ID"), known


def figures(gold, answers, field):
    name, form = FIELDS[field], FORMS[field]
    pages = answered = right = none = also = 0
    for page, known in gold.items():
        if name not in known:
            continue
        answer = answers.get(page, {}).get(field)
        if not known[name]:
            none += 1
            also += bool(answer)
            continue
        pages += 1
        answered += bool(answer)
        right += bool(answer) and form(answer) == form(known[name])
    if not pages:
        return None
    precision, recall = right / max(answered, 1), right / pages
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"{pages} | {right} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {also} of {none} |"


def main():
    binary, corpus, *golds = sys.argv[1:]
    tools = {"warcsieve": dict(ours(binary, corpus)), f"trafilatura {trafilatura.__version__}": dict(theirs(corpus))}
    print("| gold | | | pages | right | precision | recall | F1 | also |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|")
    for path in golds:
        gold = read_gold(path)
        for field in FIELDS:
            for tool, answers in tools.items():
                if row := figures(gold, answers, field):
                    print(f"| `{path.rsplit('/', 1)[-1]}` | {field} | {tool} | {row}")


if __name__ == "__main__":
    main()
