"""Somebody who asks something newer again and again while a test asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from planner.web.counters import newest_alone


@contextmanager
def asking_on(person: int) -> Iterator[None]:
    """Inside, newer live questions of the person arrive all the time."""
    ended, begun = Event(), Event()

    def ask() -> None:
        while not ended.is_set():
            with newest_alone(person):
                begun.set()

    thread = Thread(target=ask)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        ended.set()
        thread.join()
