"""The command `warcsieve`: the same program as the binary, in this process."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Runs the command line of this process and returns its exit code."""
    from warcsieve import _warcsieve

    # As the program finds them: Python's handlers would run only after it.
    for name in ("SIGINT", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    code = _warcsieve.main(["warcsieve", *sys.argv[1:]])
    # Nothing of Python's is to be tidied up, and threads of the program may still wait for signals.
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
