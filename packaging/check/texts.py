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


def check_image(root):
    accepted("hadolint accepts the Dockerfile", "hadolint", root / "packaging" / "Dockerfile")
    if run("docker", "info").returncode if shutil.which("docker") else True:
        left_out("the image builds: no Docker daemon")
        return
    built = accepted("the image builds", "docker", "build", "-q", "-f", "packaging/Dockerfile", "-t", "warcsieve:check", ".", cwd=root)
    if built:
        accepted("the image runs", "docker", "run", "--rm", "warcsieve:check", "--version")


def commands(job):
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


def check_workflows(root):
    """Workflows are YAML whose `make` targets exist, values of a matrix filled in."""
    import yaml

    targets = set(re.findall(r"^([a-z][a-z-]*):", (root / "Makefile").read_text(), re.M))
    for file in sorted((root / ".github" / "workflows").glob("*.yml")):
        flow = yaml.safe_load(file.read_text())
        named = []
        for job in flow["jobs"].values():
            for line in re.findall(r"^make (.*)$", commands(job), re.M):
                for value in job.get("strategy", {}).get("matrix", {}).get("target", [""]):
                    words = line.replace("${{ matrix.target }}", value).split()
                    named += [word for word in words if "=" not in word]
        unknown = sorted(set(named) - targets)
        claim(named and not unknown, f"{file.name} calls {', '.join(sorted(set(named)))} {unknown or ''}")
        accepted(f"actionlint accepts {file.name}", "actionlint", file)
