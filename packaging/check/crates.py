"""Crates: what `cargo deny`, `cargo publish` and `cargo semver-checks` say."""
import os
import shutil
import tomllib

from claim import accepted, claim, left_out, run

CARGO = os.environ.get("CARGO", "cargo")


def check_notices(root, work):
    for manifest, options in [("Cargo.toml", ["--features", "lab,object-store"]), ("python/Cargo.toml", [])]:
        command = ["python3", "packaging/notices.py", work / "notices", manifest, *options]
        accepted(f"licences of the crates in {manifest} are allowed", *command, cwd=root)


def check_deny(root):
    """Licences, sources and known vulnerabilities of all crates (`deny.toml`)."""
    if shutil.which("cargo-deny") is None:
        left_out("cargo deny: not installed (cargo install cargo-deny --locked)")
        return
    for manifest in ["Cargo.toml", "python/Cargo.toml"]:
        command = [CARGO, "deny", "--manifest-path", manifest, "check"]
        accepted(f"cargo deny: licences and sources of {manifest}", *command, "bans", "licenses", "sources", cwd=root)
        known = run(*command, "advisories", cwd=root)
        if "failed to fetch advisory database" in known.stderr:
            left_out(f"cargo deny: vulnerabilities of {manifest}: the list cannot be fetched")
        else:
            claim(known.returncode == 0, f"cargo deny: no known vulnerability in {manifest}", known.stderr[-3000:])


def check_publish(root):
    """Packs all crates for publication without publishing them; `VERIFY=1` also builds them from their packages."""
    options = [] if os.environ.get("VERIFY") else ["--no-verify"]
    done = run(CARGO, "publish", "--workspace", "--dry-run", "--allow-dirty", *options, cwd=root)
    packed = done.stderr.count("Uploading")
    claim(done.returncode == 0, f"cargo publish --dry-run {' '.join(options)}: {packed} crates", done.stderr[-3000:])
    if "repository" not in tomllib.loads((root / "Cargo.toml").read_text())["package"]:
        left_out("`repository` in Cargo.toml: has no address yet; cargo binstall and crates.io need it")


def check_semver(root):
    tag = run("git", "describe", "--tags", "--abbrev=0", "--match", "v*", cwd=root).stdout.strip()
    if not tag:
        left_out("cargo semver-checks: no release to compare with")
    elif run(CARGO, "semver-checks", "--version").returncode:
        left_out("cargo semver-checks: not installed (cargo install cargo-semver-checks --locked)")
    else:
        accepted(f"the library is compatible with {tag}", CARGO, "semver-checks", "-p", "warcsieve", "--baseline-rev", tag, cwd=root)
