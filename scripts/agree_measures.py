"""Compares `warcsieve measure` with trec_eval, whose code pytrec_eval carries.

usage: agree_measures.py BINARY SHARED
       agree_measures.py --fixtures FOLDER

A real run and 200 random ones: every measure, per topic and over all, must be equal to 4 decimals.
With --fixtures: writes a few small runs, judgements and trec_eval's figures, for the tests.
"""
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile

import pytrec_eval

SEEDS = 200
CUTS = (1, 3, 5, 10, 20, 100, 1000)
WHOLE = {"num_ret": "num_ret", "num_rel": "num_rel", "num_rel_ret": "num_rel_ret", "MAP": "map", "nDCG": "ndcg",
         "MRR": "recip_rank", "bpref": "bpref", "Rprec": "Rprec"}
CUT = {"P": "P", "R": "recall", "success": "success", "nDCG": "ndcg_cut"}
COUNTS = ("num_ret", "num_rel", "num_rel_ret", "unjudged")


def names(cuts):
    """All measures by our names."""
    cut = [f"{name}@{k}" for name in (*CUT, "F1", "F1-of-means", "judged", "unjudged") for k in cuts]
    return ["num_q", *WHOLE, *cut]


def is_count(name):
    return name.split("@")[0] in COUNTS


def f1(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


def trec_eval(qrels, run, level, cuts):
    """What trec_eval says of each judged topic, by its names. It hangs on topics without a grade from 0 on."""
    judged = {t: docs for t, docs in qrels.items() if max(docs.values()) >= 0}
    # As trec_eval -c does: a topic without results has one that nobody judged.
    results = {t: run.get(t) or {"no-document": 1.0} for t in judged}
    cuts = ",".join(map(str, cuts))
    wanted = {*WHOLE.values(), *(f"{m}.{cuts}" for m in CUT.values())}
    return pytrec_eval.RelevanceEvaluator(judged, wanted, relevance_level=level).evaluate(results)


def of_topic(docs, hits, said, cuts):
    """Our measures of a topic: from trec_eval, and its F1 and judged results from their definitions."""
    values = {ours: said.get(theirs, 0.0) for ours, theirs in WHOLE.items()}
    values["num_ret"] = len(hits)
    single = lambda score: struct.unpack("f", struct.pack("f", score))[0]
    ranked = sorted(hits, key=lambda d: (single(hits[d]), d.encode()), reverse=True)
    for k in cuts:
        for ours, theirs in CUT.items():
            values[f"{ours}@{k}"] = said.get(f"{theirs}_{k}", 0.0)
        values[f"F1@{k}"] = values[f"F1-of-means@{k}"] = f1(values[f"P@{k}"], values[f"R@{k}"])
        first = ranked[:k]
        values[f"unjudged@{k}"] = sum(d not in docs for d in first)
        values[f"judged@{k}"] = sum(d in docs for d in first) / len(first) if first else 0.0
    return values


def expected(qrels, run, level, cuts):
    """Values by topic, and over all under `all`; printed as trec_eval does."""
    said = trec_eval(qrels, run, level, cuts)
    topics = {t: of_topic(docs, run.get(t, {}), said.get(t, {}), cuts) for t, docs in qrels.items()}
    every = {}
    for name in names(cuts)[1:]:
        total = sum(values[name] for values in topics.values())
        every[name] = total if is_count(name) else total / len(topics)
    for k in cuts:
        every[f"F1-of-means@{k}"] = f1(every[f"P@{k}"], every[f"R@{k}"])
    every["num_q"] = len(qrels)
    text = lambda name, value: f"{value:.0f}" if name == "num_q" or is_count(name) else f"{value:.4f}"
    return {t: {n: text(n, v) for n, v in values.items()} for t, values in {**topics, "all": every}.items()}


def random_case(seed, most_topics=12, depths=(3, 30, 300, 2000)):
    """Judgements and a run: ties, scores that are equal in 32 bits only, grades and negative ones, topics that one
    of the two lacks or that hold nothing relevant."""
    r = random.Random(seed)
    qrels, run = {}, {}
    for t in range(r.randint(1, most_topics)):
        topic = f"{t + 1:03}" if seed % 2 else str(t + 1)
        depth = r.choice(depths)
        docs = [f"{r.choice('aAzé')}-{i}" for i in range(depth + depth // 2)]
        grades = r.choice([(0, 1), (0, 1, 1, 2, 3, 4), (-2, -1, 0, 1, 2), (0,), (-7, -1), (-1, 0, 0, 0, 0, 5)])
        if r.random() < .9:
            qrels[topic] = {d: r.choice(grades) for d in r.sample(docs, r.randint(1, depth))}
        if r.random() < .85:
            kind = r.randrange(4)
            score = [lambda: r.choice((1.0, 0.5, -3.0)), lambda: r.gauss(0, 1), lambda: 1 + r.random() * 1e-6,
                     lambda: r.choice((-1, 1)) * 10 ** r.uniform(-30, 30)][kind]
            run[topic] = {d: score() for d in r.sample(docs, r.randint(1, depth))}
    return (qrels, run) if qrels and run else random_case(seed + 1_000_003, most_topics, depths)


def write(folder, qrels, run, name="case"):
    with open(f"{folder}/{name}.qrels", "w") as out:
        out.writelines(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items())
    with open(f"{folder}/{name}.run", "w") as out:
        out.writelines(f"{t} Q0 {d} 0 {s!r} random\n" for t, hits in run.items() for d, s in hits.items())


def read(path, column, kind):
    topics = {}
    for line in open(path):
        fields = line.split()
        topics.setdefault(fields[0], {})[fields[2]] = kind(fields[column])
    return topics


def differing(binary, run_file, qrels_file, level):
    """How many figures differ between ours and trec_eval's, and of how many."""
    qrels, run = read(qrels_file, 3, int), read(run_file, 4, float)
    done = subprocess.run([binary, "measure", run_file, qrels_file, "--per-topic", "--level", str(level), "--measures",
                           ",".join(names(CUTS))], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    ours = [line.split("\t") for line in done.stdout.splitlines()]
    theirs = expected(qrels, run, level, CUTS)
    wrong = [(m, t, v, theirs[t][m]) for m, t, v in ours if theirs[t][m] != v]
    for measure, topic, a, b in wrong[:5]:
        print(f"{run_file} level {level}: {measure} of {topic} is {a}, trec_eval has {b}")
    whole = sum(map(len, theirs.values()))
    return len(wrong) + abs(whole - len(ours)), whole


def fixtures(folder):
    """Six cases that have something to measure."""
    os.makedirs(folder, exist_ok=True)
    cuts = (1, 5, 10, 100)
    cases = ((1 + seed % 3, *random_case(seed, most_topics=8, depths=(3, 12, 40))) for seed in itertools.count())
    cases = ((level, qrels, run, expected(qrels, run, level, cuts)) for level, qrels, run in cases)
    telling = (case for case in cases if float(case[3]["all"]["MAP"]) > .05 and len(case[1]) > 2)
    for n, (level, qrels, run, figures) in enumerate(itertools.islice(telling, 6)):
        write(folder, qrels, run, f"random-{n}")
        with open(f"{folder}/random-{n}-level-{level}.tsv", "w") as out:
            for topic, values in figures.items():
                out.writelines(f"{m}\t{topic}\t{values[m]}\n" for m in names(cuts) if m in values)


def main():
    binary, shared = sys.argv[1:]
    real = f"{shared}/retrieval/cacm"
    if not os.path.isfile(f"{real}.qrels"):
        sys.exit(f"no retrieval/cacm.qrels in {shared}; set SHARED=folder")
    found = [differing(binary, f"{real}-bm25.run", f"{real}.qrels", 1)]
    print(f"real run: {found[0][1]} figures, {found[0][0]} differ", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEEDS):
            write(folder, *random_case(seed))
            found.append(differing(binary, f"{folder}/case.run", f"{folder}/case.qrels", 1 + seed % 3))
    bad, whole = map(sum, zip(*found))
    print(f"with {SEEDS} random runs: {whole} figures, {bad} differ")
    sys.exit(1 if bad else 0)


if sys.argv[1] == "--fixtures":
    fixtures(sys.argv[2])
else:
    main()
