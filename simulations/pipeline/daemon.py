"""The process from which Spark forks its Python workers: `spark.python.daemon.module`.

Importing a task's body and loading the kernel cost seconds, and PySpark collects garbage after every task. So both
happen once before the first fork, and what is loaded by then is frozen: workers inherit it and no collection walks
over it.
"""

import gc

from pyspark.daemon import manager

import simulations.pipeline.work  # noqa: F401 - for the workers to inherit
from simulations.pipeline.warm import load_kernel


def serve() -> None:
    """Load the kernel, freeze what is loaded, and fork workers until Spark closes the daemon's input."""
    load_kernel()
    gc.collect()
    gc.freeze()
    manager()


if __name__ == "__main__":
    serve()
