"""Runs a command, and what it took."""
import collections
import os
import subprocess
import sys
import time

# Seconds by the clock, of CPU in the program itself and with the kernel's, and MiB of memory at most.
Took = collections.namedtuple("Took", "seconds user cpu peak")


def run(*command):
    """Runs a command to its end; a failure ends the script."""
    begun = time.monotonic()
    child = subprocess.Popen([str(part) for part in command])
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command[:2]))} failed: {os.waitstatus_to_exitcode(status)}")
    seconds = time.monotonic() - begun
    return Took(seconds, used.ru_utime, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
