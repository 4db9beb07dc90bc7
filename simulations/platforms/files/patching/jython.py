"""Scripts in Jython: a plan that looks everything up, then all changes or none, read back afterwards.

The consoles have Jython 2.1 or later: no conditional expressions, no ``except … as``, no generators, no closures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

HEAD = """import sys

APPLY = 0  # 1: make the changes; 0: show the plan and change nothing
ANYWAY = 0  # 1: also change what has another value than the expected one"""
RUNNER = '''

def text_of(value):
    """A value as text; truth values have several spellings."""
    text = ('%s' % (value,)).lower()
    return {'true': '1', 'false': '0', 'none': ''}.get(text, text)


def same(one, other):
    """Whether two values are equal; numbers have several spellings."""
    one, other = text_of(one), text_of(other)
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return 0


def planned():
    """Look everything up and print it: the items, how many are missing or ambiguous, how many differ."""
    items, missing, different = [], 0, 0
    for path, kind, at, before, after in STEPS:
        try:
            item = kind(*at)
            item.meant(after)
            present = item.read()
        except:
            missing = missing + 1
            print('STOP    %s: %s' % (path, sys.exc_info()[1]))
            continue
        items.append((path, item, after))
        word = 'DIFFERS'
        for value in before:
            if same(present, value):
                word = 'ok     '
        if word == 'DIFFERS':
            different = different + 1
        print('%s %s %s: present %r, expected %r, wanted %r' % (word, path, at, present, before[0], after))
    return items, missing, different


def applied(items):
    """Make all changes or none."""
    try:
        begin()
        for path, item, after in items:
            item.write(item.meant(after))
        commit()
    except:
        failure = sys.exc_info()[1]
        try:
            cancel()
        except:
            print('The session could not be cancelled: %s. %s' % (sys.exc_info()[1], BY_HAND))
        print('FAILED: %s. Run this script with APPLY = 0 to see that nothing is changed.' % (failure,))
        leave(1)
    wrong = [path for path, item, after in items if not same(item.read(), after)]
    if wrong:
        print('Read back with another value: %s. The undo script takes the changes back.' % (wrong,))
        leave(1)
    print('All changes are made and read back. %s The undo script takes them back.' % (DONE,))


def run():
    """Show the plan, and make the changes when that is wanted and nothing speaks against it."""
    ready()
    items, missing, different = planned()
    if missing or (different and not ANYWAY):
        print('Nothing is changed: %d missing or ambiguous, %d with another value.' % (missing, different))
        leave(1)
    elif APPLY:
        applied(items)
    else:
        print('Nothing is changed: this was the plan. Set APPLY = 1 at the head to make the changes.')


run()
'''


@dataclass(frozen=True)
class Step:
    """One value of one object: ``kind`` is the script's class for it and ``at`` what finds it."""

    path: str
    kind: str
    at: tuple[Any, ...]
    before: tuple[Any, ...]
    """The values that all mean the expected one; None where nothing is set."""
    after: Any

    @property
    def line(self) -> str:
        """The step as the script has it."""
        values = ", ".join(literal(item) for item in (self.at, self.before, self.after))
        return f"    ({literal(self.path)}, {self.kind}, {values}),"


def jython_script(comments: Iterable[str], head: Iterable[str], helpers: str, steps: Iterable[Step]) -> str:
    """Return the script for the steps; ``head`` are the lines with further variables that somebody may fill in."""
    table = ["STEPS = [", *(step.line for step in steps), "]"]
    return "\n".join([*(ascii_text(f"# {line}") for line in comments), "", HEAD, *head, helpers, *table, RUNNER])


def literal(value: Any) -> str:
    """A value in the script, which is ASCII: Jython takes other bytes of a plain text for Latin-1."""
    if isinstance(value, tuple):
        return f"({''.join(f'{literal(item)}, ' for item in value).rstrip(' ')})"
    return f"u{value!a}" if isinstance(value, str) and not value.isascii() else repr(value)


def ascii_text(text: str) -> str:
    """A text for a comment."""
    return text.encode("ascii", "backslashreplace").decode()
