"""Makes models/language.safetensors from the C++ source of Compact Language Detector 3.

usage: language_network.py FOLDER FILE

FOLDER holds lang_id_nn_params.cc and task_context_params.cc, for example those of the crate cld3 0.1.1, which cargo
unpacks below ~/.cargo/registry/src. No number is changed: bytes stay bytes, and Google's 16-bit numbers are bfloat16.
"""

import hashlib
import json
import re
import struct
import sys
from pathlib import Path

EMBEDDINGS = ["bigrams", "quadgrams", "scripts", "script", "trigrams", "unigrams"]


def numbers(source, name):
    """The numbers of a constant array."""
    found = re.search(rf"LangIdNNParams::{name}\[\] = \{{([^}}]*)\}}", source)
    if not found:
        sys.exit(f"language_network.py: the source has no array {name}; is it of another version?")
    return [n.strip().rstrip("uf") for n in found.group(1).split(",") if n.strip()]


def main(folder, out):
    texts = [(folder / name).read_bytes() for name in ("lang_id_nn_params.cc", "task_context_params.cc")]
    source = texts[0].decode()
    names = re.search(r"kLanguageNames\[\] = \{(.*?)nullptr", texts[1].decode(), re.S).group(1)
    languages = re.findall(r'"([\w-]+)"', names)

    tensors = []
    rows = [int(n) for n in numbers(source, "kEmbeddingsNumRows")]
    columns = [int(n) for n in numbers(source, "kEmbeddingsNumCols")]
    for i, name in enumerate(EMBEDDINGS):
        weights = bytes(int(n) for n in numbers(source, f"kEmbeddingsWeights{i}"))
        scales = [int(n) for n in numbers(source, f"kEmbeddingsQuantScales{i}")]
        tensors.append((name, "U8", [rows[i], columns[i]], weights))
        tensors.append((f"{name}.scale", "BF16", [rows[i]], struct.pack(f"<{len(scales)}H", *scales)))
    for name, array in [("hidden", "Hidden"), ("softmax", "Softmax")]:
        shape = [int(numbers(source, f"k{array}Num{axis}")[0]) for axis in ("Rows", "Cols")]
        for part, dims in [("Weights", shape), ("BiasWeights", shape[1:])]:
            values = [float(n) for n in numbers(source, f"k{array}{part}0")]
            if part == "Weights" and len(values) != dims[0] * dims[1]:
                sys.exit(f"language_network.py: {name} has {len(values)} numbers, not {dims}")
            suffix = ".bias" if part == "BiasWeights" else ""
            tensors.append((name + suffix, "F32", dims, struct.pack(f"<{len(values)}f", *values)))

    header, data = {}, b""
    header["__metadata__"] = {
        "languages": " ".join(languages),
        "source": "Compact Language Detector 3, Google, Apache-2.0",
        "source_sha256": " ".join(hashlib.sha256(text).hexdigest() for text in texts),
    }
    # Larger numbers first, so that each begins at a multiple of its size.
    for name, kind, shape, content in sorted(tensors, key=lambda t: ["F32", "BF16", "U8"].index(t[1])):
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    head = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    head += b" " * (-len(head) % 8)
    out.write_bytes(struct.pack("<Q", len(head)) + head + data)
    print(f"{out}: {len(languages)} languages, sha256 {hashlib.sha256(out.read_bytes()).hexdigest()}")


if len(sys.argv) != 3:
    sys.exit(__doc__.split("\n\n")[1])
main(Path(sys.argv[1]), Path(sys.argv[2]))
