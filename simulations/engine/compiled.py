"""How the engine's functions are compiled: typed wrappers around Numba's decorators."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.codegen import CPUCodeLibrary

Function = TypeVar("Function", bound=Callable[..., object])

_INTERNAL = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Helpers are called by compiled code only; without the entries for Python they compile in half the time."""

_WHOLE = CPUCodeLibrary._optimize_final_module


def inline(function: Function) -> Function:
    """Compile a small helper into its caller."""
    return cast("Function", njit(forceinline=True, **_INTERNAL)(function))


def compiled(function: Function) -> Function:
    """Compile a helper as a function of its own."""
    return cast("Function", njit(**_INTERNAL)(function))


def callable_too(function: Function) -> Function:
    """Compile a helper that Python calls as well."""
    return cast("Function", njit(forceinline=True, nogil=True, error_model="numpy")(function))


def cached(function: Function) -> Function:
    """Compile an entry point and keep the machine code on disk (NUMBA_CACHE_DIR) for later processes."""
    return cast("Function", njit(cache=True, nogil=True, error_model="numpy")(function))


@contextmanager
def optimised_once() -> Iterator[None]:
    """Optimise only the entry point inside this block, together with all that it calls.

    Numba optimises each function with everything below it, so that a helper ten calls deep is optimised ten times and
    the loop takes minutes to compile. The entry point contains them all, so optimising it alone gives the same code.
    """
    whole = CPUCodeLibrary._optimize_final_module

    def only_entry(library: Any) -> None:
        if ".run" in library.name:
            _WHOLE(library)

    CPUCodeLibrary._optimize_final_module = only_entry
    try:
        yield
    finally:
        CPUCodeLibrary._optimize_final_module = whole
