"""How the engine's functions are compiled: typed wrappers around Numba's decorators.

Numba by itself optimizes each function together with everything below it, so that a helper ten calls deep is optimized
ten times, and gives every function a public name in the process, so that none can be specialized for its callers. Here
helpers are only translated; the entry point is optimized once, with all helpers linked in as private functions.
"""

import fcntl
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar, cast
from zlib import crc32

from llvmlite.binding import Linkage
from numba import njit
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

Function = TypeVar("Function", bound=Callable[..., object])


class _HelperLibrary(JITCodeLibrary):
    """The code of a helper, which never runs by itself and is therefore not optimized."""

    def _optimize_final_module(self) -> None:
        pass


class _ApartLibrary(_HelperLibrary):
    """The code of a helper that stays out of its callers, whose branches to it are taken as unlikely."""

    def add_llvm_module(self, module: Any) -> None:
        for function in module.functions:
            if not function.is_declaration:
                function.add_function_attribute("noinline")
                function.add_function_attribute("cold")
        cast("Any", super()).add_llvm_module(module)


class _EntryLibrary(JITCodeLibrary):
    """The code of an entry point with all that it calls, optimized once and with sums side by side made vectors."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        passes, builder = cast("Any", self)._codegen._module_pass_manager(slp_vectorize=True)
        passes.run(self._final_module, builder)


class _Translator(Compiler):
    """Compiles a function into a library of the class ``kind``."""

    kind: type[JITCodeLibrary] = _HelperLibrary

    def compile_extra(self, func: Any) -> Any:
        library: Any = self.kind(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return cast("Any", super()).compile_extra(func)


class _Separator(_Translator):
    kind = _ApartLibrary


class _Optimizer(_Translator):
    kind = _EntryLibrary


def locked(file: Path) -> IO[bytes]:
    """Return the file, opened and locked once no other process has it; closing it, or the process's end, frees it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = file.open("ab")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


class _SharedCache(FunctionCache):
    """Machine code on disk that all processes share: one of them compiles what is missing, and the others wait for it.
    Numba by itself lets each process compile, and two that save at once may give one file two names."""

    def __init__(self, function: Callable[..., object]) -> None:
        cast("Any", super()).__init__(function)
        self._compiling: dict[object, IO[bytes]] = {}

    def load_overload(self, sig: object, target_context: object) -> Any:
        """Return the code for these types; None once this process is the one that compiles it."""
        known = cast("Any", super()).load_overload(sig, target_context)
        if known is None and sig not in self._compiling:
            self._compiling[sig] = locked(Path(self.cache_path, f"{crc32(repr(sig).encode()):08x}.lock"))
            known = cast("Any", super()).load_overload(sig, target_context)
            if known is not None:
                self._compiling.pop(sig).close()
        return known

    def save_overload(self, sig: object, data: object) -> None:
        """Keep the code, and let the processes go on that wait for it."""
        with self._compiling.pop(sig), locked(Path(self.cache_path, "index.lock")):
            cast("Any", super()).save_overload(sig, data)


def _decorated(function: Function, **options: Any) -> Function:
    return cast("Function", njit(nogil=True, error_model="numpy", **options)(function))


def _helper(function: Function, translator: type[_Translator] = _Translator, *, merged: bool = False) -> Function:
    """Compile without the entries for Python, which take half of the time to compile. Every helper states whether it is
    ``merged``; otherwise Numba does what the caller it compiles first asks for."""
    return _decorated(
        function, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=translator, forceinline=merged
    )


def inline(function: Function) -> Function:
    """Compile a small helper into its caller."""
    return _helper(function, merged=True)


def compiled(function: Function) -> Function:
    """Compile a helper as a function of its own."""
    return _helper(function)


def apart(function: Function) -> Function:
    """Compile a rarely needed helper that stays out of its callers, whose code remains short."""
    return _helper(function, _Separator)


def callable_from_python(function: Function) -> Function:
    """Compile a helper that Python calls as well."""
    return _decorated(function, forceinline=True)


def cached(function: Function) -> Function:
    """Compile an entry point and keep the machine code on disk (NUMBA_CACHE_DIR) for later processes."""
    entry: Any = _decorated(function, no_cfunc_wrapper=True, pipeline_class=_Optimizer)
    if hasattr(entry, "py_func"):
        entry._cache = _SharedCache(entry.py_func)
    return cast("Function", entry)
