"""Ends the supervisor's children when the supervisor itself was killed and could not.

A small process of its own. It reads `+group` and `-group` lines from a pipe whose only writer is the supervisor. When
the pipe closes, the supervisor is gone, however it went: every process group still listed is ended.
"""

import os
import signal
import sys
import time

PATIENCE = 8.0


def main() -> None:
    """Follow the list until the supervisor is gone, then end what is left of it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    end(groups)


def end(groups: set[int]) -> None:
    """Ask the groups to end, and after some seconds make them."""
    left = {group for group in groups if _sent(group, signal.SIGTERM)}
    limit = time.monotonic() + PATIENCE
    while left and time.monotonic() < limit:
        time.sleep(0.1)
        left = {group for group in left if _sent(group, 0)}
    for group in left:
        _sent(group, signal.SIGKILL)


def _sent(group: int, number: int) -> bool:
    """Whether the group still had a process to send the signal to."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
