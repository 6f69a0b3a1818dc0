"""Writes the share of lines that tests run, for each crate, to a page of the documentation.

usage: coverage.py LLVM-COV FOLDER PROGRAM PAGE; FOLDER has `profile` and what cargo said (`built`). `missed.txt` in it
gets the lines that no test runs."""
import collections
import pathlib
import re
import subprocess
import sys

# Code of tests is no code that tests should run.
OF_TESTS = re.compile(r"(^|/)(tests?|benches|examples|testing)(/|\.rs$)|^(xtask|target)/")
HEAD = """# Which lines do tests run?

This page says which share of the lines of each crate the tests run. It is for everyone who changes the code. Written
by `cargo xtask coverage`, which also lists each line that no test runs, in `target/coverage/missed.txt`.

Lines are those of the compiler's source-based coverage, without tests. The layout engines, which need a browser or a
build of their own, are not in this build, and their tests did not run. `lab/reproduce` writes the pages of measured
figures. `cargo xtask reproduce` runs it on the labelled corpora, and tests run only small parts of it. The tests
of linear time are left out, because counting lines takes time. The feature `tokenizers` is not in this build.
"""
FILES = 20


def main():
    cov, folder, program, page = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
    programs = re.findall(r"Executable .*\((.*)\)$", (folder / "built").read_text(), re.M) + [program]
    objects = [option for path in programs[1:] for option in ("--object", path)]
    command = [cov, "export", "--format", "lcov", "--instr-profile", str(folder / "profile"), programs[0], *objects]
    crates, missed = collections.defaultdict(lambda: [0, 0]), []
    most = collections.Counter()
    for path, counts in files(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout):
        crate = crates[path.split("/src/")[0] if "/src/" in path else "warcsieve"]
        crate[0] += len(counts)
        crate[1] += sum(count > 0 for count in counts.values())
        most[path] = sum(not count for count in counts.values())
        missed += [f"{path}:{line}\n" for line, count in sorted(counts.items()) if not count]
    (folder / "missed.txt").write_text("".join(missed))
    table = ["| crate | lines of code | run by tests |", "|---|---:|---:|"]
    every = [sum(n) for n in zip(*crates.values())]
    for name, (lines, run) in [*sorted(crates.items()), ("all", every)]:
        table.append(f"| {name} | {lines:,} | {100 * run / lines:.1f} % |")
    table += ["", "The files with the most lines that no test runs:", "", "| file | lines |", "|---|---:|"]
    table += [f"| `{path}` | {lines} |" for path, lines in most.most_common(FILES)]
    page.write_text("\n".join([HEAD, *table, ""]))


def files(report):
    """The files of this project with how often each line of code was run, without tests."""
    root = pathlib.Path.cwd()
    for name, lines in re.findall(r"^SF:(.*)\n([\s\S]*?)^end_of_record$", report, re.M):
        path = pathlib.Path(name)
        if not path.is_relative_to(root) or OF_TESTS.search(str(path.relative_to(root))):
            continue
        tests = re.search(r"^#\[cfg\(test\)\]\nmod \w+ \{", path.read_text(), re.M)
        last = path.read_text()[:tests.start()].count("\n") if tests else sys.maxsize
        counts = {int(line): int(count) for line, count in re.findall(r"^DA:(\d+),(\d+)", lines, re.M)}
        own = {line: count for line, count in counts.items() if line <= last}
        if own:
            yield str(path.relative_to(root)), own


main()
