"""Prints the Homebrew formula for the archives of a folder.

usage: formula.py FOLDER ADDRESS

ADDRESS is the address of the repository. The archives are below its releases. `archive.sh` makes the archives and their
`.sha256` files.
"""
import pathlib
import sys

from version import version

# The names that Homebrew has for the target machines of the archives.
MACHINES = {
    "x86_64-unknown-linux-gnu": ("linux", "intel"),
    "aarch64-unknown-linux-gnu": ("linux", "arm"),
    "x86_64-apple-darwin": ("macos", "intel"),
    "aarch64-apple-darwin": ("macos", "arm"),
}

FORMULA = """class Warcsieve < Formula
  desc "Turns web crawls (WARC) into clean text and per-block evidence (Parquet)"
  homepage "{address}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]

{machines}
  def install
    bin.install "warcsieve"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/warcsieve.bash" => "warcsieve"
    zsh_completion.install "completions/_warcsieve"
    fish_completion.install "completions/warcsieve.fish"
    doc.install "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/warcsieve --version")
    page = "<article><p>A page with a sentence of some words, which is its content.</p></article>"
    assert_match "sentence", pipe_output("#{{bin}}/warcsieve extract - --pipeline keep-all", page)
  end
end
"""
MACHINE = """  on_{system} do
    on_{chip} do
      url "{address}/releases/download/v{version}/{file}"
      sha256 "{sha256}"
    end
  end
"""


def formula(folder, address):
    number = version()
    machines = []
    for target, (system, chip) in MACHINES.items():
        file = f"warcsieve-{number}-{target}.tar.gz"
        sums = pathlib.Path(folder, f"{file}.sha256")
        if sums.exists():
            sha256 = sums.read_text().split()[0]
            machines.append(MACHINE.format(system=system, chip=chip, address=address, version=number, file=file, sha256=sha256))
    if not machines:
        raise ValueError(f"{folder} has no archive of {number}")
    return FORMULA.format(address=address, version=number, machines="\n".join(machines))


if __name__ == "__main__":
    try:
        print(formula(sys.argv[1], sys.argv[2].rstrip("/")), end="")
    except ValueError as error:
        sys.exit(str(error))
