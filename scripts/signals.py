"""Compares the signals of texts with the programs that they are named after, on all labelled pages.

usage: signals.py BINARY SHARED OUT [EVERY]      (needs datatrove, spacy, dolma without what it needs, pyarrow)

Also cleans them with C4's rules about lines and with masks for personal data, and compares the texts.
Prints for each signal on how many pages both say the same, to 1e-6, and which pages differ; for each preset on how many
pages both remove or keep the page; with EVERY on every n-th page alone. Fails if less than 95 % of the signals are the same on all pages.
"""

import functools
import importlib.util
import json
import math
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
from datatrove.data import Document
from datatrove.pipeline.formatters import pii
from datatrove.utils import text as datatrove_text
from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter, gopher_quality_filter
from datatrove.pipeline.filters import gopher_repetition_filter as repetition
from datatrove.utils.text import PUNCTUATION_SET, TERMINAL_PUNCTUATION, split_into_sentences, split_into_words

LANGUAGE = "eng"
QUALITY = "gopher.{}@datatrove"


# datatrove divides a text again for each filter, and keeps the last five.
datatrove_text.split_into_parts = functools.lru_cache(4096)(datatrove_text.split_into_parts.__wrapped__)


def share(part, whole):
    return part / whole if whole else None


def quality(text):
    words = split_into_words(text, LANGUAGE)
    real = [w for w in words if any(c not in PUNCTUATION_SET for c in w)]
    lines = text.splitlines()
    bullets = sum(s.lstrip().startswith("•") or s.lstrip().startswith("-") for s in lines)
    cut = sum(s.rstrip().endswith("...") or s.rstrip().endswith("…") for s in lines)
    alpha = sum(any(c.isalpha() for c in w) for w in words)
    stop_words = set(gopher_quality_filter.STOP_WORDS)
    yield "words", len(real)
    yield "word_length", float(np.mean([len(w) for w in real])) if real else None
    yield "hash_ratio", share(text.count("#"), len(words))
    yield "ellipsis_ratio", share(text.count("...") + text.count("…"), len(words))
    yield "bullet_line_frac", share(bullets, len(lines))
    yield "ellipsis_line_frac", share(cut, len(lines))
    yield "alpha_word_frac", share(alpha, len(words))
    yield "stop_words", len(stop_words & set(words))


def repeats(text):
    own = repetition.GopherRepetitionFilter(language=LANGUAGE)
    lines, paragraphs = own._line_splitter.split(text), own.paragraph_exp.split(text.strip())
    for name, pieces in ("line", lines), ("para", paragraphs):
        count, chars = repetition.find_duplicates(pieces)
        yield f"dup_{name}_frac", count / len(pieces)
        yield f"dup_{name}_char_frac", chars / len(text)
    words = split_into_words(text, LANGUAGE)
    for n in range(2, 5):
        grams = repetition.get_n_grams(words, n)
        yield f"top_{n}_gram_char_frac", (repetition.find_top_duplicate(grams) if grams else 0) / len(text)
    for n in range(5, 11):
        yield f"dup_{n}_gram_char_frac", repetition.find_all_duplicate(words, n) / len(text)


def fineweb(text):
    lines = [line for line in text.split("\n") if line.strip() != ""]
    ends = tuple(TERMINAL_PUNCTUATION)
    yield "line_punct_frac", share(sum(line.endswith(ends) for line in lines), len(lines))
    yield "short_line_frac", share(sum(len(line) <= 30 for line in lines), len(lines))
    yield "char_dup_frac", share(repetition.find_duplicates(lines)[1], len(text.replace("\n", "")))
    yield "list_ratio", share(text.count("\n"), len(split_into_words(text, LANGUAGE)))


def c4(text, must_end):
    """Line by line, since the filter stops at the first line that removes the page."""
    off = {"filter_no_terminal_punct": must_end, "min_num_sentences": -1, "language": LANGUAGE}
    own = c4_filters.C4QualityFilter(**off)
    own.stat_update = lambda *_: None
    sentences, lorem, curly = 0, 0, 0
    for line in text.splitlines():
        document = Document(text=line, id="")
        verdict = own.filter(document)
        if verdict is True:
            sentences += len(split_into_sentences(document.text, LANGUAGE)) if document.text else 0
        else:
            lorem += verdict[1] == "lorem_ipsum"
            curly += verdict[1] == "curly_bracket"
    kind = "" if must_end else "any_end_"
    yield f"{kind}sentences", sentences
    yield f"{kind}lorem_ipsum", lorem
    yield f"{kind}curly_brackets", curly


def mc4(text):
    longest = sorted((len(line) for line in text.split("\n")), reverse=True)
    yield "third_line_chars", longest[2] if len(longest) > 2 else 0


def dolma_module():
    """`dolma.taggers.gopher` alone: the package imports much that it does not need."""
    place = Path(importlib.util.find_spec("dolma").submodule_search_locations[0])
    for name in "dolma", "dolma.core", "dolma.core.data_types", "dolma.core.registry", "dolma.core.taggers", "dolma.taggers":
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    for name in "DocResult", "Document", "Span":
        setattr(sys.modules["dolma.core.data_types"], name, object)
    sys.modules["dolma.core.registry"].TaggerRegistry = types.SimpleNamespace(add=lambda _: lambda kind: kind)
    sys.modules["dolma.core.taggers"].BaseTagger = object
    spec = importlib.util.spec_from_file_location("dolma.taggers.gopher", place / "taggers/gopher.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def dolma(text, module):
    found = module.get_attributes(text)
    yield "words", found.word_count
    yield "word_length", found.median_word_length
    yield "symbol_word_frac", found.symbol_to_word_ratio
    yield "alpha_word_frac", found.fraction_of_words_with_alpha_character
    yield "stop_words", found.required_word_count
    yield "bullet_line_frac", found.fraction_of_lines_starting_with_bullet_point
    yield "ellipsis_line_frac", found.fraction_of_lines_ending_with_ellipsis
    yield "dup_line_frac", found.fraction_of_duplicate_lines
    yield "dup_line_char_frac", found.fraction_of_characters_in_duplicate_lines
    grams = {2: "top", 3: "top", 4: "top"}
    said = dict(found.fraction_of_characters_in_most_common_ngram + found.fraction_of_characters_in_duplicate_ngrams)
    for n in range(2, 11):
        yield f"{grams.get(n, 'dup')}_{n}_gram_char_frac", said.get(n)


def original(text, module):
    """What the programs say of a text, by the names of our signals."""
    parts = [
        ("gopher.{}@datatrove", quality(text)),
        ("gopher.{}@datatrove", repeats(text)),
        ("fineweb.{}@datatrove", fineweb(text)),
        ("c4.{}@datatrove", c4(text, True)),
        ("c4.{}@datatrove", c4(text, False)),
        ("mc4.{}@datatrove", mc4(text)),
        ("gopher.{}@dolma", dolma(text, module)),
    ]
    return {form.format(name): value for form, values in parts for name, value in values}


def decisions():
    """The filters of datatrove, by the families of ours."""
    return {
        "gopher-quality@datatrove": gopher_quality_filter.GopherQualityFilter(language=LANGUAGE),
        "gopher-repetition@datatrove": repetition.GopherRepetitionFilter(language=LANGUAGE),
        "fineweb@datatrove": fineweb_quality_filter.FineWebQualityFilter(language=LANGUAGE),
        "c4@datatrove": c4_filters.C4QualityFilter(language=LANGUAGE),
        "c4-any-end@datatrove": c4_filters.C4QualityFilter(language=LANGUAGE, filter_no_terminal_punct=False),
        "mc4@datatrove": c4_filters.C4ParagraphFilter(),
    }


def edited(text, name):
    """A text after datatrove's filter dropped its lines, or its formatter masked it."""
    if name == "personal":
        masks = {"email_replacement": "|||EMAIL_ADDRESS|||", "ip_replacement": "|||IP_ADDRESS|||"}
        return pii.PIIFormatter(**masks).format(text)
    own = {"filter_lorem_ipsum": False, "filter_curly_bracket": False, "min_num_sentences": -1}
    own = c4_filters.C4QualityFilter(filter_no_terminal_punct=name == "c4", language=LANGUAGE, **own)
    own.stat_update = lambda *_: None
    document = Document(text=text, id="")
    assert own.filter(document) is True
    return document.text


EDITS = {
    "c4": "lines = 'c4'",
    "c4-any-end": "lines = 'c4-any-end'",
    "personal": "personal = 'mask'",
}


def compare_texts(binary, warcs, before, out, every):
    """Texts that rules changed beside those of the originals, and the places of blocks in them."""
    pipeline = subprocess.run([binary, "methods", "--show", "default"], capture_output=True, check=True, text=True).stdout
    print("| what changes texts | pages | changed | equal | blocks in their place |\n|---|---|---|---|---|")
    faults = 0
    for name, filter in EDITS.items():
        (out / f"{name}.toml").write_text(pipeline.replace("[[step]]", f"[[filter]]\n{filter}\n\n[[step]]", 1))
        run(binary, "clean", *warcs, "--out", out / name, "--pipeline", out / f"{name}.toml", "--quiet")
        pages = changed = equal = placed = 0
        both = zip(rows(before / "documents"), rows(out / name / "documents"), strict=True)
        texts = {}
        for number, (then, now) in enumerate(both):
            texts[now["id"]] = now["text"]
            if number % every:
                continue
            expected = edited(then["text"], name)
            pages += 1
            changed += expected != then["text"]
            # Lines with `lorem ipsum` or `{` remove a page there.
            drops = [line for line in then["text"].splitlines() if "lorem ipsum" in line.lower() or "{" in line]
            same = now["text"] == expected
            equal += same or name != "personal" and bool(drops)
            if not same and not drops:
                print("differs:", now["id"])
        for block in rows(out / name / "blocks"):
            if block["text_start"] is None:
                continue
            place = texts[block["id"]].encode()[block["text_start"]:block["text_end"]].decode()
            words, rest = place.split(), iter(block["text"].split())
            # What is left of a block: its words in order, but where a citation was cut out of one.
            found = all(any(word in other or "[" in other for other in rest) for word in words)
            placed += found
            faults += not found
        print(f"| `{filter}` | {pages} | {changed} | {equal} | {placed} |")
        faults += equal < pages
    print()
    return faults


def is_kept(value, bound):
    if value is None:
        return False
    words = bound.split()
    if words[0] == "between":
        return float(words[1]) <= value <= float(words[3])
    return {"<=": value <= float(words[1]), ">=": value >= float(words[1])}[words[0]]


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def rows(folder):
    for path in sorted(folder.rglob("*.parquet")):
        yield from parquet.read_table(path).to_pylist()


def main(binary, shared, out, every):
    warcs = sorted((shared / "corpora").glob("*.warc.gz"))
    out.mkdir(parents=True, exist_ok=True)
    run(binary, "clean", *warcs, "--out", out / "clean", "--quiet")
    run(binary, "signals", out / "clean", "--out", out / "measured", "--quiet")
    listed = subprocess.run([binary, "signals", "--list", "--log-format", "json"], capture_output=True, check=True)
    listed = [json.loads(line) for line in listed.stdout.splitlines()]
    # DCLM's program is no package.
    signals = [signal for signal in listed if not signal["name"].endswith("@dclm")]
    faults = compare_texts(binary, warcs, out / "clean", out, every)
    module, filters = dolma_module(), decisions()
    for own in filters.values():
        own.stat_update = lambda *_: None
    equal, differ, pages, cpu = dict.fromkeys((s["name"] for s in signals), 0), {}, 0, 0.0
    agreed = dict.fromkeys(filters, 0)
    both = zip(rows(out / "clean/documents"), rows(out / "measured/signals"), strict=True)
    for number, (document, ours) in enumerate(both):
        assert document["id"] == ours["id"]
        if not document["text"] or number % every:
            continue
        pages += 1
        begun = time.process_time()
        theirs = original(document["text"], module)
        cpu += time.process_time() - begun
        for name in equal:
            a, b = ours[name], theirs[name]
            if a is b is None or None not in (a, b) and math.isclose(a, b, rel_tol=0, abs_tol=1e-6):
                equal[name] += 1
            else:
                differ.setdefault(name, []).append((document["id"], a, b))
        for family, own in filters.items():
            verdict = own.filter(Document(text=document["text"], id=""))
            bounds = [s for s in signals if s["family"] == family]
            kept = all(is_kept(ours[s["name"]], s["bound"]) for s in bounds)
            agreed[family] += kept == (verdict is True)
    print(f"| signal | equal on {pages} pages with text |\n|---|---|")
    for name, count in equal.items():
        print(f"| `{name}` | {count} |")
    print(f"\n| family | same decision on {pages} pages |\n|---|---|")
    for family, count in agreed.items():
        print(f"| `{family}` | {count} |")
    for name, found in differ.items():
        print(f"\n{name} differs on {len(found)} pages:")
        for page in found[:5]:
            print(" ", *page)
    same = sum(count == pages for count in equal.values())
    print(f"\n{same} of {len(equal)} signals are equal on all pages, {len(listed) - len(signals)} have no program to ask; "
          f"the originals took {cpu:.0f} s of CPU")
    sys.exit(faults > 0 or same < 0.95 * len(equal))


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1)
