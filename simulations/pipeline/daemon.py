"""The process from which Spark forks its Python workers: `spark.python.daemon.module`.

Loading the kernel costs most of a second, and PySpark collects garbage after every task. So the kernel is loaded once
before the first fork, and what is loaded by then is frozen: workers inherit it and no collection walks over it.
"""

import gc

from pyspark.daemon import manager

from simulations.pipeline.warm import load_kernel


def serve() -> None:
    """Load the kernel, freeze what is loaded, and fork workers until Spark closes the daemon's input."""
    load_kernel()
    gc.collect()
    gc.freeze()
    manager()


if __name__ == "__main__":
    serve()
