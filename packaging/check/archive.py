"""The archive: `cargo binstall` finds it, it is complete, and its program runs."""
import hashlib
import json
import pathlib
import re
import tarfile
import tempfile
import tomllib

from claim import accepted, claim, run

LICENCES = ["LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY"]
COMPLETIONS = {"bash": "warcsieve.bash", "zsh": "_warcsieve", "fish": "warcsieve.fish"}


def filled(template, version, target):
    """A template of `cargo binstall` with its words filled in."""
    words = {"name": "warcsieve", "bin": "warcsieve", "version": version, "target": target, "repo": "REPO"}
    return re.sub(r"\{ (\w+) \}", lambda match: words[match[1]], template)


def check(root, folder, version):
    host = re.search(r"^host: (.*)$", run("rustc", "-vV").stdout, re.M)[1]
    binstall = tomllib.loads((root / "Cargo.toml").read_text())["package"]["metadata"]["binstall"]
    address = filled(binstall["pkg-url"], version, host)
    archive = folder / address.rsplit("/", 1)[1]
    if not claim(archive.exists(), f"cargo binstall finds {archive.name}"):
        return
    sums = pathlib.Path(f"{archive}.sha256").read_text().split()
    real = hashlib.sha256(archive.read_bytes()).hexdigest()
    claim(sums == [real, archive.name], f"its sha256 is {real[:12]}…, {archive.stat().st_size / 1e6:.1f} MB")
    bill = json.loads(pathlib.Path(str(archive).replace(".tar.gz", ".cdx.json")).read_text())
    without = [crate["name"] for crate in bill["components"] if "hashes" not in crate]
    claim(len(bill["components"]) > 100 and not without, f"{len(bill['components'])} crates are listed with their sums {without or ''}")
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(archive) as tar:
            tar.extractall(work, filter="data")
        program = pathlib.Path(work, filled(binstall["bin-dir"], version, host))
        check_inside(program.parent, program, version)


def check_inside(folder, program, version):
    said = run(program, "--version").stdout.strip()
    claim(said == f"warcsieve {version}", f"the program says {said!r}")
    missing = [name for name in [*LICENCES, "README.md", "CHANGELOG.md"] if not (folder / name).stat().st_size]
    claim(not missing, f"licences, readme and changelog are there {missing or ''}")
    listed = re.findall(r"^  ([a-z][\w-]+)  ", run(program, "--help").stdout, re.M)
    pages = {page.stem for page in (folder / "man").glob("*.1")}
    without = [name for name in listed if f"warcsieve-{name}" not in pages and name != "help"]
    claim(len(listed) > 10 and not without, f"{len(pages)} manual pages, one a command of {len(listed)} {without or ''}")
    for page in sorted((folder / "man").glob("*.1")):
        if not accepted_page(page):
            break
    for shell, file in COMPLETIONS.items():
        accepted(f"completions for {shell} can be read", shell, "-n", folder / "completions" / file)


def accepted_page(page):
    """Whether groff reads a manual page. Reported only for a page that it does not read."""
    done = run("groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z", page)
    if done.returncode or done.stderr:
        return claim(False, f"groff reads {page.name}", done.stderr)
    return True
