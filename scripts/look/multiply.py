"""Multiplies a cleaned corpus, to measure `report` on many documents.

usage: multiply.py CORPUS OUT [DOCUMENTS [INPUTS]]

Writes an output folder as `clean` does: the documents of CORPUS over and over, each with an id, a host, a date and an
offset of its own, 1,000,000 in 100 inputs unless told otherwise, and 20 of the corpus's blocks for each. Needs pyarrow.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy
import pyarrow as pa
import pyarrow.parquet as pq

BLOCKS = 20
YEAR = 365 * 86_400_000_000
START = 1_672_531_200_000_000  # 2023-01-01, in microseconds.


def tables(corpus, kind):
    """The rows of a table of all inputs."""
    return pa.concat_tables(pq.read_table(path) for path in sorted((corpus / kind).rglob("*.parquet")))


def put(table, **columns):
    for name, values in columns.items():
        at = table.schema.get_field_index(name)
        field = table.schema.field(at)
        table = table.set_column(at, field, pa.array(values).cast(field.type))
    return table


def main():
    corpus, out = Path(sys.argv[1]), Path(sys.argv[2])
    documents, inputs = [int(n) for n in sys.argv[3:5]] + [1_000_000, 100][len(sys.argv) - 3:]
    pages, blocks = tables(corpus, "documents"), tables(corpus, "blocks")
    recipe = json.loads((corpus / "_recipe.json").read_text())
    names = [f"part/{n:05}.warc.gz" for n in range(inputs)]
    random = numpy.random.default_rng(1)
    # Few hosts have most of the pages, as on the web.
    hosts = random.zipf(1.3, documents) % 200_000
    dates = START + random.integers(0, YEAR, documents)
    each = documents // inputs
    for n, name in enumerate(names):
        numbers = numpy.arange(n * each, (n + 1) * each)
        ids = [f"synthetic-{i:08}" for i in numbers]
        rows = pages.take(pa.array(numbers % pages.num_rows))
        contents = numpy.minimum(rows["n_content_blocks"].to_numpy(), BLOCKS)
        rows = put(rows, id=ids, url=[f"https://h{h}.example/{i}" for h, i in zip(hosts[numbers], numbers)],
                   date=dates[numbers], warc_filename=[name] * each, warc_record_offset=numpy.arange(each) * 5_000,
                   n_blocks=[BLOCKS] * each, n_content_blocks=contents)
        place = numpy.arange(each * BLOCKS)
        parts = blocks.take(pa.array(place % blocks.num_rows))
        kept = place % BLOCKS < numpy.repeat(contents, BLOCKS)
        parts = put(parts, id=pa.array(ids).take(pa.array(place // BLOCKS)), block=place % BLOCKS,
                    label=numpy.where(kept, "content", "boilerplate"))
        outputs = []
        for kind, table in (("documents", rows), ("blocks", parts)):
            path = out / kind / f"{name}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(table, path, compression="zstd", row_group_size=100_000)
            data = path.read_bytes()
            outputs.append({"path": str(path.relative_to(out)), "bytes": len(data), "rows": table.num_rows,
                            "sha256": hashlib.sha256(data).hexdigest()})
        row = {
            "input": name, "stamp": {"size": each * 5_000, "mtime_ns": 0}, "recipe": recipe,
            "read": {"compressed_bytes": each * 5_000, "member_bytes": each * 5_000, "damaged_bytes": 0, "members": each,
                     "shared_members": 0, "decoded_bytes": each * 20_000, "record_bytes": each * 20_000, "garbage_bytes": 0,
                     "records": each, "records_by_type": {"response": each}, "fault_count": 0, "faults": []},
            "pages": {"pages": each, "other_records": 0, "documents": each, "empty_documents": int((contents == 0).sum()),
                      "skips": {}, "blocks": each * BLOCKS, "content_blocks": int(contents.sum()),
                      "html_bytes": int(rows["html_bytes"].to_numpy().sum()), "raw_text_bytes": int(rows["html_bytes"].to_numpy().sum()) // 2,
                      "text_bytes": int(rows["text_bytes"].to_numpy().sum()), "warnings": {}, "skipped": []},
            "outputs": outputs,
        }
        path = out / "_manifest" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(row))
    (out / "_inputs").mkdir(exist_ok=True)
    (out / "_inputs/all.json").write_text(json.dumps({"inputs": names}))
    shutil.copy(corpus / "_recipe.json", out)
    (out / "_SUCCESS").write_text("")


main()
