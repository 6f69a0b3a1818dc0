"""Runs the program and measures it."""
import os
import subprocess
import time


class Ran:
    """What came of a run."""

    def __init__(self, code, log, peak, resident, seconds):
        self.code, self.log, self.peak, self.resident, self.seconds = code, log, peak, resident, seconds

    def growth(self):
        """How much larger the highest memory in the second half of the run is than that between
        its first fifth and its middle."""
        n = len(self.resident)
        early, late = self.resident[n // 5:n // 2], self.resident[n // 2:]
        return max(late) / max(early) - 1 if early and late else 0.0


def memory(pid):
    """Resident bytes, now and at most."""
    found = {}
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                name, _, value = line.partition(":")
                if name in ("VmHWM", "VmRSS"):
                    found[name] = int(value.split()[0]) << 10
    except OSError:
        pass
    return found.get("VmRSS"), found.get("VmHWM")


def start(command, log, **environment):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=dict(os.environ, **environment))


def run(command, log, **environment):
    """Runs a command to its end; `log` is the file for its standard error."""
    began = time.monotonic()
    peak, resident = 0, []
    with open(log, "wb") as file:
        child = start(command, file, **environment)
        while child.poll() is None:
            now, most = memory(child.pid)
            if now:
                resident.append(now)
                peak = max(peak, most or 0)
            time.sleep(0.05)
    with open(log, errors="replace") as file:
        return Ran(child.returncode, file.read(), peak, resident, time.monotonic() - began)
