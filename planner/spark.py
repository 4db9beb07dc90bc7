"""This process's session on Spark: one for all its runs, made when the first of them needs it."""

import logging
from functools import cache

from django.conf import settings

from planner import services
from planner.models import Job, Run
from simulations.pipeline.executors import SparkExecutor
from simulations.pipeline.session import SparkLink, SparkUnavailable, interrupt_session

logger = logging.getLogger(__name__)


def spark_executor(run: Run) -> SparkExecutor:
    """Return the executor of a claimed run and note on the run which session computes it. Raises SparkUnavailable."""
    link = spark_link()
    services.run_session_save(run_id=run.pk, claim=run.claim_token, spark_session=link.session_id)
    return SparkExecutor(link, tag=spark_tag(run), slots=settings.ENVIRONMENT.spark_cores)


def interrupt_orphan(job: Job) -> None:
    """Stop what an earlier worker of the job may have left behind on Spark; nothing when it left nothing."""
    if not job.spark_session:
        return
    remote, token = _server()
    try:
        stopped = interrupt_session(remote, token, job.spark_session, spark_tag(job))
    except SparkUnavailable:
        return  # the server is gone, and the job with it
    if stopped:
        logger.info("%s: interrupted the job of session %s", job.pk, job.spark_session)


@cache
def spark_link() -> SparkLink:
    """Return the process's one link. Call it after a fork only. Raises SparkUnavailable where no server is named."""
    remote, token = _server()
    return SparkLink(remote, token)


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
    return f"{job._meta.model_name}-{job.pk}"
