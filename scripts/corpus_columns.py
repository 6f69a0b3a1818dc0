"""Exports some shards in the columns of published corpora, and compares the files with the published schemas, with
what pyarrow reads from the shards, and numbers of tokens with those of the package `tokenizers`.
Usage: corpus_columns.py BINARY SHARDS FOLDER"""

import io
import json
import pathlib
import subprocess
import sys

import datasets
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

# Features of the files of HuggingFaceFW/fineweb: `dataset_info` of the dataset card of ServiceNow/fineweb-sample, which
# is a sample of them.
FINEWEB = {
    "text": "string",
    "id": "string",
    "dump": "string",
    "url": "string",
    "date": "string",
    "file_path": "string",
    "language": "string",
    "language_score": "double",
    "token_count": "int64",
}
# Features in the dataset card of HPLT/HPLT3.0. `web-register` is left out here: a struct of 57 numbers.
LISTS = {"strings": datasets.List(datasets.Value("string")), "numbers": datasets.List(datasets.Value("float64"))}
HPLT = {
    "f": datasets.Value("string"),
    "o": datasets.Value("int64"),
    "s": datasets.Value("int64"),
    "rs": datasets.Value("int64"),
    "u": datasets.Value("string"),
    "c": datasets.Value("string"),
    "ts": datasets.Value("timestamp[s]"),
    "de": datasets.Value("string"),
    "crawl_id": datasets.Value("string"),
    "lang": LISTS["strings"],
    "prob": LISTS["numbers"],
    "text": datasets.Value("string"),
    "xml": datasets.Value("string"),
    "html_lang": LISTS["strings"],
    "cluster_size": datasets.Value("int64"),
    "seg_langs": LISTS["strings"],
    "id": datasets.Value("string"),
    "filter": datasets.Value("string"),
    "pii": datasets.List(datasets.List(datasets.Value("int64"))),
    "doc_scores": LISTS["numbers"],
}
# `output_columns` of NeMo Curator 1.4 (stages/text/download/common_crawl/extract.py), and the column that
# `base/extract.py` adds.
NEMO = ["url", "warc_id", "source_id", "language", "text", "file_name"]

# Texts for which numbers of tokens are compared, and those on which the tokenizer is trained.
COUNTED, TRAINED = 1000, 400

datasets.disable_progress_bars()
binary, shards, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
failures = []


def check(ok, what):
    if not ok:
        failures.append(what)


def export(out, *arguments):
    command = [binary, "export", str(shards), "--out", str(folder / out), "--quiet", *arguments]
    subprocess.run(command, check=True)
    return folder / out


def lines(path):
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read()
    # Text may hold what Python takes for other line ends.
    return [json.loads(line) for line in data.decode().removesuffix("\n").split("\n")]


def load(kind, files, features=None):
    """What Hugging Face `datasets` reads."""
    names = [str(file) for file in files]
    return datasets.load_dataset(kind, data_files=names, split="train", features=features, cache_dir=str(folder / "hf"))


pages = []
for path in sorted((shards / "documents").rglob("*.parquet")):
    pages += pq.read_table(path).to_pylist()
for page in pages:
    page["date"] = page["date"] and page["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
texts = [page["text"] for page in pages]

bpe = Tokenizer(models.BPE())
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.decoder = decoders.ByteLevel()
alphabet = pre_tokenizers.ByteLevel.alphabet()
bpe.train_from_iterator(
    texts[:TRAINED], trainers.BpeTrainer(vocab_size=16000, initial_alphabet=alphabet, show_progress=False)
)
unigram = Tokenizer(models.Unigram())
unigram.pre_tokenizer = pre_tokenizers.Metaspace()
unigram.train_from_iterator(
    texts[:TRAINED], trainers.UnigramTrainer(vocab_size=8000, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False)
)

for name, tokenizer in [("bpe", bpe), ("unigram", unigram)]:
    file = folder / f"{name}.json"
    tokenizer.save(str(file))
    out = export(f"fineweb-{name}", "--columns", "fineweb", "--crawl", "CC-TEST", "--tokenizer", str(file))
    files = sorted(out.rglob("*.parquet"))
    rows = []
    for path in files:
        check(pq.read_schema(path).remove_metadata() == pa.schema(FINEWEB.items()), f"{path}: schema of pyarrow")
        rows += pq.read_table(path).to_pylist()
    check(len(rows) == len(pages), f"{out}: {len(rows)} rows, not {len(pages)}")
    for row, page in zip(rows, pages):
        score = page["language_score"] and float(f"{page['language_score']:.7g}")
        wanted = {
            "text": page["text"],
            "id": page["warc_record_id"] or page["id"],
            "dump": "CC-TEST",
            "url": page["url"] or None,
            "date": page["date"],
            "file_path": page["warc_filename"],
            "language": page["language"],
        }
        for key, value in wanted.items():
            check(row[key] == value, f"{out}: {page['id']}: {key}")
        found = row["language_score"]
        check(found == score or abs(found - score) < 1e-7, f"{out}: {page['id']}: language_score")
    counted = [len(tokenizer.encode(text).ids) for text in texts[:COUNTED]]
    differ = [i for i, n in enumerate(counted) if rows[i]["token_count"] != n]
    check(not differ, f"{out}: token_count of {len(differ)} texts, such as {[pages[i]['id'] for i in differ[:3]]}")
    print(f"fineweb, {name}: {len(rows)} rows; {sum(counted)} tokens in {len(counted)} texts, as in Python")

pattern = f"{out}/**/*.parquet"
types = duckdb.sql(f"DESCRIBE SELECT * FROM '{pattern}'").fetchall()
names = {"string": "VARCHAR", "double": "DOUBLE", "int64": "BIGINT"}
check([row[:2] for row in types] == [(n, names[t]) for n, t in FINEWEB.items()], f"{pattern}: schema of DuckDB")
[total] = duckdb.sql(f"SELECT sum(token_count), count(*) FROM '{pattern}'").fetchall()
check(total == (sum(row["token_count"] for row in rows), len(pages)), f"{pattern}: sums of DuckDB")
read = load("parquet", files)
values = {"string": "string", "double": "float64", "int64": "int64"}
features = datasets.Features({n: datasets.Value(values[t]) for n, t in FINEWEB.items()})
check(read.features == features and read["text"][:] == texts, f"{pattern}: datasets")
print(f"fineweb: the same schema for pyarrow, DuckDB and datasets; {total[0]} tokens")

out = export("fineweb-jsonl", "--columns", "fineweb", "--crawl", "CC-TEST", "--to", "jsonl", "--compress", "zst")
found = [row for path in sorted(out.rglob("*.jsonl.zst")) for row in lines(path)]
check(found == [row | {"token_count": None} for row in rows], f"{out}: rows")
check(all(list(row) == list(FINEWEB) for row in found), f"{out}: order of columns")

out = export("hplt", "--columns", "hplt", "--crawl", "CC-TEST")
files = sorted(out.rglob("*.jsonl.zst"))
found = [row for path in files for row in lines(path)]
known = [name for name in HPLT if name in found[0]]
check(all(list(row) == known for row in found), f"{out}: order of columns")
read = load("json", files, datasets.Features({name: HPLT[name] for name in known}))
check(len(read) == len(pages) and read["lang"][:] == [row["lang"] for row in found], f"{out}: datasets")
for row, page in zip(found, pages):
    check([row["text"], row["id"], row["o"]] == [page["text"], page["id"], page["warc_record_offset"]], f"{out}: {row['id']}")
    check(len(row["lang"]) == len(row["prob"]) == (page["language"] != "und"), f"{out}: {row['id']}: lang")
labels = duckdb.sql(f"SELECT lang[1], count(*) FROM read_json('{out}/**/*.jsonl.zst') GROUP BY 1 ORDER BY 2 DESC").fetchall()
print(f"hplt: {len(found)} rows of {', '.join(known)}; {labels[:3]}")

out = export("nemo", "--columns", "nemo")
found = [row for path in sorted(out.rglob("*.jsonl")) for row in lines(path)]
check(all(list(row) == NEMO for row in found), f"{out}: columns")
for row, page in zip(found, pages, strict=True):
    wanted = [page["text"], page["warc_record_id"][10:-1], page["warc_filename"].split("/")[-1]]
    check([row["text"], row["warc_id"], row["source_id"]] == wanted, f"{out}: {row['warc_id']}")
print(f"nemo: {len(found)} rows of {', '.join(NEMO)}")

print("\n".join(failures[:20]) or "everything agrees")
sys.exit(bool(failures))
