"""CPU of near duplicates by MinHash, 14 bands of 8 rows on words of 5: `dedup` beside datatrove on the same documents.

usage: minhash.py BINARY SHARED OUT      (needs datatrove, spacy, pyarrow)

Cleans the labelled corpora, then looks for duplicates among their documents. datatrove: signatures, bands, clusters and
filter as four blocks in one process, after its tokenizer is loaded. It writes documents once more; `dedup` writes
tables, and compares candidates by their shingles, which datatrove does not.
"""
import json
import shutil
import sys
import time
from pathlib import Path

from datatrove.data import Document
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.word_tokenizers import load_word_tokenizer
import pyarrow.parquet as pq

from measured import run

CORPORA = ("wcxb-dev", "cleaneval-test", "l3s-gn1", "dragnet-a", "readability")
ROUNDS = 3


def by_datatrove(texts, out):
    """Seconds of CPU, and how many documents stay."""
    shutil.rmtree(out, ignore_errors=True)

    def documents():
        return (Document(text=text, id=name) for name, text in texts)
    begun = time.process_time()
    MinhashDedupSignature(output_folder=f"{out}/signatures").run(documents(), 0, 1)
    for bucket in range(14):
        MinhashDedupBuckets(input_folder=f"{out}/signatures", output_folder=f"{out}/buckets").run(None, bucket, 14)
    MinhashDedupCluster(input_folder=f"{out}/buckets", output_folder=f"{out}/remove").run(None, 0, 1)
    kept = MinhashDedupFilter(input_folder=f"{out}/remove").run(documents(), 0, 1)
    count = sum(1 for _ in JsonlWriter(f"{out}/kept").run(kept, 0, 1))
    return time.process_time() - begun, count


def main(binary, shared, out):
    warcs = [shared / f"corpora/{name}.warc.gz" for name in CORPORA]
    run(binary, "clean", *warcs, "--out", out / "clean", "--quiet", "--redo")
    files = sorted((out / "clean/documents").glob("**/*.parquet"))
    tables = [pq.read_table(file, columns=["id", "text"]).to_pydict() for file in files]
    texts = [pair for table in tables for pair in zip(table["id"], table["text"])]
    load_word_tokenizer("eng").word_tokenize("Loads the tokenizer.")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        shutil.rmtree(out / "found", ignore_errors=True)
        ours.append(run(binary, "dedup", out / "clean", "--out", out / "found", "--near", "fineweb", "--threads", 1, "--quiet").cpu)
        seconds, kept = by_datatrove(texts, out / "datatrove")
        theirs.append(seconds)
    books = json.loads((out / "found/books.json").read_text())
    print(f"{len(texts)} documents, least of {ROUNDS} rounds in turn: dedup {min(ours):.2f} s of CPU, {books['kept']} kept; "
          f"datatrove {min(theirs):.2f} s, {kept} kept; {min(theirs) / min(ours):.0f} times")


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3]))
