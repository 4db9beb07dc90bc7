"""How the engine's functions are compiled: typed wrappers around Numba's decorators."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def inline(function: Function) -> Function:
    """Compile a hot helper into its caller: a call that passes arrays by value costs about 10 ns."""
    return cast("Function", njit(forceinline=True, nogil=True, error_model="numpy")(function))


def compiled(function: Function) -> Function:
    """Compile a helper that is called rarely, or is large, as a function of its own."""
    return cast("Function", njit(nogil=True, error_model="numpy")(function))


def cached(function: Function) -> Function:
    """Compile an entry point and keep the machine code on disk (NUMBA_CACHE_DIR) for later processes."""
    return cast("Function", njit(cache=True, nogil=True, error_model="numpy")(function))
