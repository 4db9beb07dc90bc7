"""The process from which Spark forks its Python workers: `spark.python.daemon.module`.

Importing what a task needs and loading the kernel cost seconds, and PySpark collects garbage after every task. So both
happen once before the first fork, and what is loaded by then is frozen: workers inherit it and no collection walks
over it.
"""

import gc

import pyspark.worker  # noqa: F401 - for the workers to inherit
from pyspark.daemon import manager

import simulations.pipeline.work  # noqa: F401 - for the workers to inherit
from simulations.pipeline.spark.warm import load_task


def serve() -> None:
    """Load what a task needs, freeze it, and fork workers until Spark closes the daemon's input."""
    load_task()
    gc.collect()
    gc.freeze()
    manager()


if __name__ == "__main__":
    serve()
