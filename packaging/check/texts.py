"""What is written for others to run: the formula, the image's file, workflows."""
import re
import shutil

from claim import accepted, claim, left_out, run

# No release is at it: it stands for the repository's address.
ADDRESS = "https://repository.example/warcsieve"


def check_formula(folder, work):
    from formula import formula

    text = formula(folder, ADDRESS)
    file = work / "warcsieve.rb"
    file.write_text(text)
    sums = [path.read_text().split()[0] for path in folder.glob("*.sha256")]
    claim(any(sha256 in text for sha256 in sums), "the formula has the sums of the archives")
    accepted("the formula is Ruby", "ruby", "-c", file)


def check_context(root):
    """What the image is built with is not left out by .dockerignore."""
    rules = (root / ".dockerignore").read_text().split()
    admitted = [rule[1:].removesuffix("*") for rule in rules if rule.startswith("!")]
    texts = (root / "packaging" / "Dockerfile").read_text() + (root / "scripts" / "pgo.sh").read_text()
    # Words of commands that are paths of the repository; what is built there is not.
    words = set(re.findall(r"(?<![\w./$-])[\w.-]+(?:/[\w.-]+)+|Cargo\.\w+", texts))
    needed = {word for word in words if not word.startswith(("target/", "packaging/")) and (root / word).exists()}
    missing = sorted(word for word in needed if not word.startswith(tuple(admitted)))
    claim(needed and not missing, "the image's context has what its build names", ", ".join(missing))


def check_image(root):
    check_context(root)
    accepted("hadolint accepts the Dockerfile", "hadolint", root / "packaging" / "Dockerfile")
    if run("docker", "info").returncode if shutil.which("docker") else True:
        left_out("the image builds: no Docker daemon")
        return
    built = accepted("the image builds", "docker", "build", "-q", "-f", "packaging/Dockerfile", "-t", "warcsieve:check", ".", cwd=root)
    if built:
        accepted("the image runs", "docker", "run", "--rm", "warcsieve:check", "--version")


def commands(job):
    """Lines that a job runs, one for each value of its matrix."""
    lines = "\n".join(step["run"] for step in job["steps"] if "run" in step).splitlines()
    for name, values in job.get("strategy", {}).get("matrix", {}).items():
        key = f"${{{{ matrix.{name} }}}}"
        lines = [line.replace(key, str(value)) for line in lines for value in (values if key in line else [""])]
    return lines


def known(root):
    """Targets of make and tasks of xtask, as they are called."""
    targets = re.findall(r"^([a-z][a-z-]*):", (root / "Makefile").read_text(), re.M)
    sources = [file.read_text() for file in (root / "xtask" / "src" / "tasks").glob("*.rs")]
    tasks = re.findall(r'^ *name: "([a-z0-9-]+)",$', "\n".join(sources), re.M)
    return {f"make {name}" for name in targets} | {f"cargo xtask {name}" for name in tasks}


def called(line):
    """What a line of a workflow calls of ours; make can be given several targets."""
    words = [word for word in line.split() if "=" not in word]
    if words[:1] == ["make"]:
        return [f"make {word}" for word in words[1:]]
    return [" ".join(words[:3])] if words[:2] == ["cargo", "xtask"] else []


def check_workflows(root):
    """Workflows are YAML, and the targets and tasks that they call exist."""
    import yaml

    there = known(root)
    for file in sorted((root / ".github" / "workflows").glob("*.yml")):
        flow = yaml.safe_load(file.read_text())
        lines = [line for job in flow["jobs"].values() for line in commands(job)]
        named = {name for line in lines for name in called(line)}
        unknown = sorted(named - there)
        claim(named and not unknown, f"{file.name} calls {', '.join(sorted(named))} {unknown or ''}")
        accepted(f"actionlint accepts {file.name}", "actionlint", file)
