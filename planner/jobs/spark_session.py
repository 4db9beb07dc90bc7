"""This process's session on Spark: one for all its runs, made when the first of them needs it."""

import logging
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from django.conf import settings

from planner.jobs.leases import Heartbeat, job_touch
from planner.jobs.transitions import job_word
from planner.models import Job, Run
from simulations.pipeline.spark.executors import Cancelled, Paused, SparkExecutor
from simulations.pipeline.spark.session import SparkLink, SparkUnavailable, interrupt_session

SPARK_PATIENCE = 180.0
"""Seconds without any result after which a job gives up on a Spark server that is away."""
SPARK_PAUSE = 2.0
T = TypeVar("T")

logger = logging.getLogger(__name__)


def spark_executor(run: Run) -> SparkExecutor:
    """Return the executor of a claimed run and note on the run which session computes it. Raises SparkUnavailable."""
    link = spark_link()
    job_touch(run, spark_session=link.session_id)
    return SparkExecutor(link, tag=spark_tag(run), slots=settings.ENVIRONMENT.spark_cores)


def interrupt_orphan(job: Job) -> None:
    """Stop what an earlier worker of the job may have left behind on Spark; nothing when it left nothing."""
    if not job.spark_session:
        return
    try:
        remote, token = _server()
        stopped = interrupt_session(remote, token, job.spark_session, spark_tag(job))
    except SparkUnavailable:
        return  # the server is gone, and the job with it
    if stopped:
        logger.info("%s: interrupted the job of session %s", job.pk, job.spark_session)


def patiently(job: Job, heartbeat: Heartbeat, begin: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Yield what ``begin`` gives, begun again whenever Spark was lost. Raises SparkUnavailable when Spark stays away,
    Cancelled and Paused when the work must stop meanwhile."""
    last = time.monotonic()
    while True:
        try:
            for step in begin():
                last = time.monotonic()
                yield step
            return
        except SparkUnavailable as error:
            if time.monotonic() - last > SPARK_PATIENCE:
                raise
            logger.warning("%s waits for Spark: %s", job.pk, error)
            if heartbeat.wait(SPARK_PAUSE):
                raise Cancelled from error
            if heartbeat.must_pause():
                raise Paused from error


@cache
def spark_link() -> SparkLink:
    """Return the process's one link. Call it after a fork only. Raises SparkUnavailable where no server is named."""
    return SparkLink(*_server())


def close_link() -> None:
    """Give the session back before the process ends."""
    if spark_link.cache_info().currsize:
        spark_link().close()
        spark_link.cache_clear()


def _server() -> tuple[str, str]:
    remote = settings.ENVIRONMENT.spark_remote
    if remote is None:
        raise SparkUnavailable("SPARK_REMOTE names no server: start Sluice with `make up`, or set it")
    return remote, settings.ENVIRONMENT.secret("spark_token")


def spark_tag(job: Job) -> str:
    """Return the name that the job's operations have on Spark."""
    return f"{job_word(job)}-{job.pk}"
