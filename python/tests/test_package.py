"""The wheel as it is installed: import, command, types, examples."""

from __future__ import annotations

import ast
import doctest
import importlib.metadata
import inspect
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import warcsieve
from conftest import REPOSITORY

IMPORT = """
import os, sys, time
before = set(sys.modules)
begun = time.process_time()
import warcsieve
took = time.process_time() - begun
others = {name.split('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names) - {'warcsieve'}
print(took, len(os.listdir('/proc/self/task')), sorted(others))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
def test_import_is_quick_and_starts_no_thread() -> None:
    times = []
    for _ in range(7):
        done = subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True)
        took, threads, others = done.stdout.strip().split(" ", 2)
        assert (threads, others) == ("1", "[]")
        times.append(float(took))
    # CPU time, as the machine may be busy.
    assert statistics.median(times) < 0.06, times


def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).parent / "warcsieve"
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_the_command_is_the_program(crawl: Path, tmp_path: Path, page: str) -> None:
    assert run("--version").stdout.strip() == f"warcsieve {warcsieve.__version__}"
    done = run("extract", "-", input=page)
    assert done.returncode == 0 and done.stdout == warcsieve.extract(page) + "\n", done.stderr
    assert run("clean", str(crawl), "--out", str(tmp_path / "out"), "--quiet").returncode in (0, 10)
    assert (tmp_path / "out" / "_SUCCESS").exists()
    wrong = run("claen")
    assert wrong.returncode == 2 and "did you mean" in wrong.stderr
    module = subprocess.run([sys.executable, "-m", "warcsieve", "--version"], capture_output=True, text=True)
    assert module.stdout == run("--version").stdout


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_command_stops_at_signals(tmp_path: Path) -> None:
    import signal

    command = Path(sys.executable).parent / "warcsieve"
    started = subprocess.Popen(
        [command, "clean", "-", "--name", "a.warc.gz", "--out", tmp_path / "out"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdin
    started.stdin.write(next((REPOSITORY / "testdata" / "crawl").rglob("00.warc.gz")).read_bytes())
    started.stdin.flush()
    while not (tmp_path / "out" / "_recipe.json").exists():
        assert started.poll() is None
    started.send_signal(signal.SIGINT)
    started.stdin.close()
    assert started.wait(60) == 130


def test_licences_come_along() -> None:
    installed = importlib.metadata.distribution("warcsieve")
    texts = {Path(file).name: Path(str(installed.locate_file(file))) for file in installed.files or [] if "licenses" in str(file)}
    assert sorted(texts) == ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"]
    inside = texts["LICENSE-THIRD-PARTY"].read_text()
    assert "\npyo3 " in inside and "\nlibdeflate-sys " in inside and "Eric Biggers" in inside
    assert installed.metadata["License-Expression"] == "MIT OR Apache-2.0"


USER = '''
import datetime
import warcsieve

def texts(pages: list[bytes]) -> list[str]:
    extractor = warcsieve.Extractor(output="markdown")
    found = [text for text in extractor.extract_many(pages, threads=2) if text is not None]
    one: str | None = warcsieve.extract(pages[0])
    page: warcsieve.Page = warcsieve.page(pages[0])
    words: int = page.blocks[0].words
    first: list[str] = [block.text for block in page.blocks[:3]]
    starts: list[int] = page.blocks["source_char_start"].to_list()
    ends: list[int | None] = page.blocks["text_end"].to_list()
    author: str | None = page.metadata["author"]
    day: datetime.date | None = page.published
    kept: int = page.blocks["words"].to_numpy()[page.blocks["content"].to_numpy()].sum()
    print(words, first, starts, ends, author, day, page.date and page.date.tzinfo, kept)
    for result in warcsieve.pages(pages).with_errors():
        print(result.kind if isinstance(result, warcsieve.PageError) else result.title)
    results: warcsieve.Results[warcsieve.Page] = warcsieve.Extractor().pages(pages)
    output: warcsieve.Output = warcsieve.Extractor().output
    print(next(results).content, output)
    try:
        crawl = warcsieve.read_warc("a.warc.gz")
        for crawled in crawl:
            print(crawled.url, crawled.text)
        number: int = crawl.counts["documents"]
        places: list[int] = [fault["offset"] for fault in crawl.faults]
        print(number, places)
    except warcsieve.InputError as error:
        print(error.kind, error.place, error.record_id)
    summary = warcsieve.clean(["a.warc.gz"], "out", progress=lambda pages, size, done: None)
    documents: int = summary["documents"]
    return [*found, one or "", str(documents)]
'''


def test_types_of_a_users_script(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "user.py").write_text(USER.replace("words: int", "words: bytes"))
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 1


def test_stubs_agree_with_the_module(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "warcsieve", "--ignore-disjoint-bases"]
    # Blocks are iterated by number; the cache has the signature of what it caches; mypy sees a Literal as a Union.
    allowed = [r"__main__.*", r"integrations.*", r"_warcsieve\.Blocks\.__iter__", "_extractor", r"(types\.)?Output"]
    (tmp_path / "allow").write_text("".join(f"warcsieve\\.{name}\n" for name in allowed))
    # Frameworks have no types, are not installed, or take minutes.
    frameworks = "datatrove dolma markitdown nemo_curator pandas pyarrow pyspark".split()
    sections = "".join(f"[mypy-{name}.*]\nfollow_imports = skip\nignore_missing_imports = True\n" for name in frameworks)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\n{sections}")
    command += ["--allowlist", "allow", "--ignore-unused-allowlist", "--mypy-config-file", "mypy.ini"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_is_documented_and_examples_run() -> None:
    failed, tried = doctest.testmod(warcsieve)
    assert tried and not failed
    for name in warcsieve.__all__:
        member = getattr(warcsieve, name)
        # Names of types have none of their own.
        if inspect.isclass(member) or inspect.isroutine(member):
            assert member.__doc__, name


def described(body: list[ast.stmt], runtime: object, inside: str) -> Iterator[tuple[str, str | None, str | None]]:
    """The functions and classes of a stub: name, docstring there (of overloads the first one's), docstring of the module."""
    seen = set()
    for item in body:
        if not isinstance(item, (ast.FunctionDef, ast.ClassDef)) or item.name.startswith("_") or item.name in seen:
            continue
        seen.add(item.name)
        name, member = f"{inside}{item.name}", getattr(runtime, item.name)
        yield name, ast.get_docstring(item), member.__doc__
        if isinstance(item, ast.ClassDef):
            yield from described(item.body, member, f"{name}.")


def test_the_stub_describes_all_as_the_module_does() -> None:
    from warcsieve import _warcsieve

    stub = ast.parse(Path(_warcsieve.__file__).with_name("_warcsieve.pyi").read_text())
    found = list(described(stub.body, _warcsieve, ""))
    assert len(found) > 90
    for name, docstring, said in found:
        assert docstring and said and docstring.split() == said.split(), name
    names = {node.id for node in ast.walk(stub) if isinstance(node, ast.Name)}
    assert "Any" not in names
