"""The process from which Spark forks its Python workers: `spark.python.daemon.module`.

Compiling or loading the kernel costs seconds, and PySpark collects garbage after every task. So the kernel is loaded
once before the first fork, and what is loaded by then is frozen: workers inherit it and no collection walks over it.
"""

import gc
from importlib import import_module
from importlib.util import find_spec

from pyspark.daemon import manager

KERNEL = "simulations.engine.replicate"


def serve() -> None:
    """Load the kernel, freeze what is loaded, and fork workers until Spark closes the daemon's input."""
    if find_spec(KERNEL):
        import_module(KERNEL)
    gc.collect()
    gc.freeze()
    manager()


if __name__ == "__main__":
    serve()
