"""Writes crates/core/filters/src/words/: spaCy's English tokenizer and datatrove's character sets as tables.

usage: english_words.py FOLDER      (needs spacy and datatrove)

Classes of characters are found by asking the patterns themselves for each code point, so no pattern is read twice.
spaCy is under the MIT licence, datatrove under Apache-2.0.
"""

import re
import sys
from pathlib import Path

import spacy
from datatrove.utils.text import PUNCTUATION, PUNCTUATION_SET, TERMINAL_PUNCTUATION
from spacy.lang import char_classes
from spacy.pipeline import Sentencizer

POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(chars):
    """Sorted characters as inclusive ranges."""
    found = []
    for c in sorted(map(ord, chars)):
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return found


def matching(pattern):
    pattern = re.compile(pattern)
    return [c for c in POINTS if pattern.fullmatch(c)]


def line(name, chars):
    spans = [f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in ranges(chars)]
    return f"{name}\t{' '.join(spans)}\n"


def classes(url):
    of = char_classes
    tld = re.search(r"\)\+\(\?:(\[.*\])\{2,63\}", url).group(1)
    host = "[A-Za-z0-9\u00a1-\uffff]"
    parts = [
        ("ALPHA", matching(f"[{of.ALPHA}]")),
        ("LOWER", matching(f"[{of.ALPHA_LOWER}]")),
        ("UPPER", matching(f"[{of.ALPHA_UPPER}]")),
        ("MARKS", matching(of.PUNCT)),
        ("CURRENCY", matching(of.CURRENCY)),
        ("ICONS", matching(f"[{of.CONCAT_ICONS}]")),
        ("QUOTES", matching(f"[{of.CONCAT_QUOTES}]")),
        ("TOP_DOMAIN", matching(tld)),
        ("HOST", matching(host)),
        ("SENTENCE_END", Sentencizer.default_punct_chars),
        ("PUNCTUATION", PUNCTUATION_SET),
        ("BLANKS", set(PUNCTUATION)),
        ("TERMINAL", TERMINAL_PUNCTUATION),
    ]
    units = "UNITS\t" + " ".join(of.UNITS.split("|")) + "\n"
    return "".join(line(*part) for part in parts) + units


def sizes(words):
    return " ".join(str(len(word.encode())) for word in words)


def specials(tokenizer):
    """Lines: a text, the sizes in bytes of its words, and of those that the rules alone would make, if spaCy looks
    for these once more after all is divided."""
    plain = spacy.blank("en").tokenizer
    plain.rules = {}
    lines = []
    for text, words in sorted(tokenizer.rules.items()):
        if not text.strip() or any(c.isspace() for c in text):
            continue
        is_sought = tokenizer.find_prefix(text) or tokenizer.find_suffix(text) or tokenizer.find_infix(text)
        again = sizes(w.text for w in plain(text)) if is_sought else ""
        lines.append(f"{text}\t{sizes(w[65] for w in words)}\t{again}".rstrip("\t"))
    return "\n".join(lines) + "\n"


def main(folder):
    tokenizer = spacy.blank("en").tokenizer
    spaced = [text for text in tokenizer.rules if any(c.isspace() for c in text)]
    print("rules with white space, left out:", spaced)
    url = tokenizer.url_match.__self__.pattern
    (folder / "classes.tsv").write_text(classes(url))
    (folder / "specials.tsv").write_text(specials(tokenizer))


main(Path(sys.argv[1]))
