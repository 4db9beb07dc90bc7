"""Records whose fields are attributes, as numpy's own record arrays have them, at a tenth of their cost."""

from collections.abc import Callable
from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]  # numpy lets records have a class; its stubs call it final
    """One record, by reference."""

    def __getattr__(self, name: str) -> Any:
        return _known(self.__getitem__, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Table(np.ndarray):
    """A vector of records: ``table.field`` is the column, ``table[3]`` the Record."""

    def __getattr__(self, name: str) -> Any:
        return _known(super().__getitem__, name).view(np.ndarray)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def _known(read: Callable[[str], Any], name: str) -> Any:
    try:
        return read(name)
    except (IndexError, ValueError):
        raise AttributeError(name) from None


def records(kind: np.dtype[Any], size: int, memory: Any = None) -> Any:
    """Return ``size`` records in ``memory``, or new and zeroed ones."""
    dtype = np.dtype((Record, kind))
    if memory is None:
        return np.zeros(size, dtype).view(Table)
    return Table(size, dtype, memory)
