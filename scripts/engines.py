"""Searches one export with other engines and with ours, and writes how far they agree.

usage: engines.py BINARY SHARED PAGE

wcxb-dev is cleaned and exported; the topics are its titles, which are left out of all indexes. Anserini (Lucene) comes from
the wheel of Pyserini, PISA from that of pyterrier_pisa, tantivy from its own. What cannot be installed is reported and left out.
"""
import bisect
import contextlib
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import version

from ciff_toolkit.read import CiffReader

PYSERINI = "0.22.1"  # Lucene 9.5, for Java 11 and later
HITS, TOP = 100, 10
K1, B = 0.9, 0.4
binary, shared, page = sys.argv[1:4]
cache = pathlib.Path("target/engines").absolute()


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))[:300]}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def anserini():
    """The jar in Pyserini's wheel, and why there is none."""
    jar = cache / f"anserini-{PYSERINI}.jar"
    if not jar.exists():
        cache.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "-d", str(cache), f"pyserini=={PYSERINI}"]
        if subprocess.run(pip, capture_output=True).returncode:
            return None, "Pyserini cannot be downloaded"
        with zipfile.ZipFile(next(cache.glob("pyserini-*.whl"))) as wheel:
            name = next(n for n in wheel.namelist() if n.endswith("fatjar.jar"))
            jar.write_bytes(wheel.read(name))
        for wheel in cache.glob("pyserini-*.whl"):
            wheel.unlink()
    try:
        subprocess.run(["java", "-version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None, "there is no Java"
    return jar, ""


def topics():
    """Titles by id, of the pages whose title no other page has."""
    lines = gzip.open(f"{shared}/corpora/wcxb-dev.gold.jsonl.gz", "rt", encoding="utf-8")
    gold = [json.loads(line) for line in lines]
    titles = {g["id"]: " ".join(str(g.get("title") or "").split()) for g in gold}
    once = [t for t in titles.values()]
    return {i: t for i, t in titles.items() if len(t.split()) > 1 and once.count(t) == 1}


def terms_of(texts, folder):
    """The terms of texts by our analyzer: each is a page of a crawl whose index is exported."""
    def record(name, text):
        html = f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}".encode()
        head = (f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {name}\r\nContent-Type: text/html; charset=utf-8\r\n"
                f"Content-Length: {len(html)}\r\n\r\n")
        return head.encode() + html + b"\r\n\r\n"
    folder.mkdir()
    (folder / "q.warc").write_bytes(b"".join(record(i, t) for i, t in texts.items()))
    (folder / "keep.toml").write_text("[[step]]\nmethod = 'keep-all'\n")
    run(binary, "clean", folder / "q.warc", "--pipeline", folder / "keep.toml", "--out", folder / "s", "--quiet")
    run(binary, "export", folder / "s", "--to", "ciff", "--no-title", "--out", folder / "q.ciff", "--quiet")
    return read_ciff(folder / "q.ciff")


def read_ciff(file):
    """By docno: its terms with their frequencies."""
    with CiffReader(str(file)) as reader:
        header = reader.read_header()
        lists = []
        for postings in reader.read_postings_lists():
            doc = 0
            own = []
            for posting in postings.postings:
                doc += posting.docid
                own.append((doc, posting.tf))
            lists.append((postings.term, own))
        names = {record.docid: record.collection_docid for record in reader.read_documents()}
    pages = {name: {} for name in names.values()}
    for term, own in lists:
        for doc, tf in own:
            pages[names[doc]][term] = tf
    return pages


def read_run(text):
    found = {}
    for line in text.splitlines():
        topic, _, docno, _, score, _ = line.split()
        found.setdefault(topic, []).append((docno, float(score)))
    return found


def ours(index, topic_file, *options):
    return read_run(run(binary, "search", index, "--topics", topic_file, "--hits", HITS, *options))


class Anserini:
    def __init__(self, jar, folder):
        self.jar, self.folder = jar, folder

    def search(self, name, collection, topic_file, index_options, search_options):
        index, out = self.folder / f"{name}.index", self.folder / f"{name}.run"
        java = ["java", "-Xmx2g", "-cp", self.jar]
        if not index.exists():
            run(*java, "io.anserini.index.IndexCollection", "-collection", "JsonCollection", "-input", collection, "-index",
                index, "-generator", "DefaultLuceneDocumentGenerator", "-threads", 1, "-quiet", "-optimize", *index_options)
        run(*java, "io.anserini.search.SearchCollection", "-index", index, "-topics", topic_file, "-topicreader",
            "TsvString", "-output", out, "-hits", HITS, "-parallelism", 1, "-bm25", "-bm25.k1", K1, "-bm25.b", B,
            *search_options)
        return read_run(out.read_text())


def pisa(pages, queries, names, folder):
    import pandas
    from pyterrier_pisa import PisaIndex
    coded = lambda terms: {names[term]: n for term, n in terms.items() if term in names}
    index = PisaIndex(str(folder / "pisa"), stemmer="none")
    index.toks_indexer(scale=1.0).index({"docno": d, "toks": coded(terms)} for d, terms in pages.items())
    frame = pandas.DataFrame([{"qid": i, "query": "", "query_toks": coded(q)} for i, q in queries.items()])
    found = {}
    ranked = index.bm25(k1=K1, b=B, num_results=HITS, query_weighted=True, toks_scale=1.0)(frame)
    for row in ranked.itertuples():
        found.setdefault(row.qid, []).append((row.docno, row.score))
    return {topic: sorted(hits, key=lambda hit: -hit[1]) for topic, hits in found.items()}


def tantivy_search(pages, queries, names):
    import tantivy
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for docno, terms in pages.items():
        writer.add_document(tantivy.Document(id=docno, body=words(terms, names)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    found = {}
    for topic, terms in queries.items():
        parts = []
        for term, n in terms.items():
            query = tantivy.Query.term_query(schema, "body", names.get(term, "none"), index_option="freq")
            parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, float(n))))
        hits = searcher.search(tantivy.Query.boolean_query(parts), HITS).hits
        found[topic] = [(searcher.doc(address)["id"][0], score) for score, address in hits]
    return found


def words(terms, names):
    """A text with these terms, each by its number, so that no analyzer changes it."""
    return " ".join(" ".join([names[term]] * n) for term, n in terms.items() if term in names)


def mrr(found, wanted):
    ranks = ([d for d, _ in found.get(t, [])] for t in wanted)
    return sum(1 / (hits.index(t) + 1) for t, hits in zip(wanted, ranks) if t in hits) / len(wanted)


def overlap(a, b, wanted, ties):
    """Mean share of the first ten results of `a` that are among those of `b`; with `ties`, or score as its tenth does to
    six digits."""
    shares = []
    for topic in wanted:
        one, two = a.get(topic, []), b.get(topic, [])
        if not one[:TOP]:
            continue
        first = {d for d, _ in two[:TOP]}
        if ties and two[:TOP]:
            last = two[:TOP][-1][1]
            first |= {d for d, s in two if abs(s - last) <= 1e-6 * abs(last)}
        shares.append(sum(d in first for d, _ in one[:TOP]) / len(one[:TOP]))
    return sum(shares) / len(shares)


# The lengths that Lucene knows: up to 40 exactly, then in steps of an eighth.
BYTE_LENGTHS = list(range(40)) + [24 + (8 + bits << shift) for shift in range(1, 28) for bits in range(8)]


def rounded(length):
    return BYTE_LENGTHS[bisect.bisect_right(BYTE_LENGTHS, length) - 1]


def idf(n, df):
    return math.log(1 + (n - df + .5) / (df + .5))


def idf_of_pisa(n, df):
    return max(1e-6, math.log((n - df + .5) / (df + .5)))


def computed(pages, queries, of_length, counted, idf=idf):
    """BM25 by its formula: lengths as `of_length` says, N and their average over `counted` pages."""
    lengths = {d: sum(terms.values()) for d, terms in pages.items()}
    average = sum(lengths.values()) / counted
    postings = {}
    for docno, terms in pages.items():
        norm = K1 * (1 - B + B * of_length(lengths[docno]) / average)
        for term, tf in terms.items():
            postings.setdefault(term, []).append((docno, tf / (tf + norm)))
    found = {}
    for topic, terms in queries.items():
        scores = {}
        for term, n in terms.items():
            own = postings.get(term, [])
            weight = n * idf(counted, len(own))
            for docno, share in own:
                scores[docno] = scores.get(docno, 0) + weight * share
        found[topic] = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:HITS]
    return found


def write_json(folder, pages, names):
    folder.mkdir()
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as out:
        for docno, terms in pages.items():
            out.write(json.dumps({"id": docno, "contents": words(terms, names)}) + "\n")
    return folder


def main():
    left_out, rows = [], []
    wanted = topics()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        shards = folder / "shards"
        run(binary, "clean", f"{shared}/corpora/wcxb-dev.warc.gz", "--out", shards, "--quiet")
        for name, options in (("stems", []), ("words", ["--stem", "none"])):
            run(binary, "index", shards, "--no-title", *options, "--out", folder / name, "--quiet")
        ciff, export = folder / "stems.ciff", folder / "anserini"
        run(binary, "export", shards, "--to", "ciff", "--no-title", "--out", ciff, "--quiet")
        run(binary, "export", shards, "--to", "anserini", "--no-title", "--out", export, "--quiet")
        plain, coded = folder / "plain.tsv", folder / "coded.tsv"
        plain.write_text("".join(f"{i}\t{t}\n" for i, t in wanted.items()), encoding="utf-8")
        pages, queries = read_ciff(ciff), terms_of(wanted, folder / "topics")
        names = {term: f"t{n}" for n, term in enumerate(sorted({t for terms in pages.values() for t in terms}))}
        coded.write_text("".join(f"{i}\t{words(q, names)}\n" for i, q in queries.items()))
        base = {name: ours(folder / name, plain, "--k1", K1, "--b", B) for name in ("stems", "words")}
        exact = computed(pages, queries, lambda length: length, len(pages))
        rows.append(("the formula, from the export", "exact", exact, base["stems"]))
        jar, why = anserini()
        if jar:
            name = f"Anserini {PYSERINI}"
            lucene, coded_docs = Anserini(jar, folder), write_json(folder / "coded", pages, names)
            found = lucene.search("same", coded_docs, coded, ["-pretokenized"], ["-pretokenized"])
            rows.append((f"{name}, our terms", "a byte", found, base["stems"]))
            as_lucene = computed(pages, queries, rounded, sum(map(bool, pages.values())))
            explained = f"{name}, our terms, compared with the formula on rounded lengths and pages with text"
            rows.append((explained, "a byte", found, as_lucene))
            words_alone = ["-stemmer", "none"]
            found = lucene.search("words", export, plain, [*words_alone, "-keepStopwords"], [*words_alone, "-keepstopwords"])
            rows.append((f"{name}, its words in lower case; ours with `--stem none`", "a byte", found, base["words"]))
            found = lucene.search("default", export, plain, [], [])
            rows.append((f"{name} with its defaults: Porter's stems, no stop words", "a byte", found, base["stems"]))
        else:
            left_out.append(f"Anserini: {why}")
        for name, engine in (("pyterrier_pisa", pisa_rows), ("tantivy", tantivy_rows)):
            try:
                with quiet():
                    found = engine(pages, queries, names, folder, plain)
                rows.extend(found)
            except ImportError as error:
                left_out.append(f"{name}: {error}")
    for line in left_out:
        print(f"left out: {line}", file=sys.stderr)
    write(rows, wanted, len(pages), left_out)
    for name, _, found, beside in rows:
        if "the formula" in name and overlap(found, beside, wanted, True) < .9999:
            sys.exit(f"{name}: its first ten results differ, and nothing explains it")


@contextlib.contextmanager
def quiet():
    """PISA's own code reports its progress on both outputs."""
    kept = [os.dup(number) for number in (1, 2)]
    with open(os.devnull, "w") as nowhere:
        for number in (1, 2):
            os.dup2(nowhere.fileno(), number)
        try:
            yield
        finally:
            for number, before in zip((1, 2), kept):
                os.dup2(before, number)
                os.close(before)


def pisa_rows(pages, queries, names, folder, plain):
    found = pisa(pages, queries, names, folder)
    beside = ours(folder / "stems", plain, "--k1", K1, "--b", B)
    name = f"PISA (pyterrier_pisa {version('pyterrier_pisa')}), our terms"
    own = computed(pages, queries, lambda length: length, len(pages), idf_of_pisa)
    return [(name, "exact", found, beside), (f"{name}, compared with the formula with its idf", "exact", found, own)]


def tantivy_rows(pages, queries, names, folder, plain):
    found = tantivy_search(pages, queries, names)
    beside = ours(folder / "stems", plain, "--k1", 1.2, "--b", .75)
    return [(f"tantivy {version('tantivy')}, our terms; both k1 1.2, b .75", "a byte", found, beside)]


def write(rows, wanted, pages, left_out):
    head = ("engine", "lengths", "MRR", "MRR ours", "top 10 in ours", "with ties")
    lines = ["| " + " | ".join(head) + " |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    for name, lengths, found, beside in rows:
        values = [f"{mrr(found, wanted):.4f}", f"{mrr(beside, wanted):.4f}"]
        values += [f"{100 * overlap(found, beside, wanted, ties):.2f} %" for ties in (False, True)]
        lines.append("| " + " | ".join([name, lengths, *values]) + " |")
        print(lines[-1], flush=True)
    text = TEXT.format(topics=len(wanted), pages=pages, table="\n".join(lines), k1=K1, b=B)
    if left_out:
        text += "\nNot compared in this run: " + "; ".join(left_out) + ".\n"
    pathlib.Path(page).write_text(text, encoding="utf-8")


TEXT = """# Do other engines find the same?

This page searches the same pages and queries with warcsieve and with three other search engines, and compares what they find. It is for readers who use
`export` or `search` and want to know whether the results can be trusted.

Written by `cargo xtask reproduce engines`: run this command to repeat the comparison. It needs Java, and the network for packages that are not installed. It reads the
labelled corpora in the folder next to the check-out; `SHARED=folder` names another folder.

{pages} pages of wcxb-dev are cleaned by the default pipeline and exported. The topics are the {topics}
titles that the gold has for exactly one page. No title is indexed. The ranking is BM25 with k1 {k1} and b {b}, with 100 results per topic,
unless the table says otherwise.

* *Our terms* means: the pages are those in the file of `export --to ciff`, and each term is replaced by its number. So analyzers cannot differ. The queries
  are analyzed by our program.
* *Top 10 in ours* is the mean share of an engine's first ten results that are among our first ten, or among the first ten of the formula, where a row says so.
* *With ties* also counts results that have the same score as our tenth, because engines order ties by other rules.
* *Lengths*: Lucene and tantivy round the length of a page down to one of 256 values. Lengths up to 40 terms are exact; for longer pages, two neighbouring values differ by up to an eighth. We do not round.

{table}

The differences have these reasons:

* Lucene rounds lengths. It computes N and the average length over pages that have a term, while we also count empty pages. The formula with these two
  changes finds what Anserini finds, so nothing else differs. (The option `-bm25.accurate` of Anserini changes no score of such an index.)
* Anserini and warcsieve use the words of UAX #29, but of different versions of Unicode. Anserini also removes a closing `'s` from words.
* Porter's stemmer is older than Snowball's English stemmer. Anserini leaves out 33 stop words of queries and pages.
* The inverse document frequency of PISA is ln((N − df + ½)/(df + ½)), but at least 10⁻⁶. It is smaller than ours for terms on many pages, and nearly zero for terms
  on more than half of the pages. Ours adds 1 before the logarithm, as Lucene does. The second row of PISA shows that this explains the whole difference.
* k1 and b of tantivy cannot be set. So in its row both engines use the values of tantivy.
"""

main()
