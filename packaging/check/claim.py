"""Prints one line per claim, and collects the claims that are false."""
import shutil
import subprocess
import sys

FAILED = []


def claim(holds, text, why=""):
    print(f"{'ok  ' if holds else 'FAIL'} {text}", flush=True)
    if not holds:
        FAILED.append(text)
        if why:
            print("     " + why.strip().replace("\n", "\n     "), flush=True)
    return holds


def left_out(text):
    print(f"---- {text}", flush=True)


def run(*command, **options):
    """The finished command; its output is text."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def accepted(text, *command, **options):
    """A claim that a program ends with success. It is left out if the program is not installed."""
    if shutil.which(command[0]) is None:
        left_out(f"{text}: {command[0]} is not installed")
        return None
    done = run(*command, **options)
    return claim(done.returncode == 0, text, (done.stdout + done.stderr)[-3000:])


def end():
    print(f"{len(FAILED)} claims do not hold" if FAILED else "what could be checked here holds")
    sys.exit(1 if FAILED else 0)
