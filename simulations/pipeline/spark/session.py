"""A long-lived session on a Spark Connect server: made when first needed and again when the server was lost."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock

import grpc
from pyspark.errors import PySparkException
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.session import SparkSession

from simulations.declarations.tables import table_beside
from simulations.pipeline.spark.server import answers

LOST: list[str] = table_beside(__file__, "lost.yaml")
RETRY_SECONDS = 10.0
SPARK_ERRORS = (PySparkException, grpc.RpcError)
"""What a call of Spark raises by itself: the server, or the way to it."""


class SparkUnavailable(RuntimeError):
    """The Spark server cannot be reached or lost this session; the next use makes a new session."""


class SparkInterrupted(RuntimeError):
    """The operation was interrupted on the server on request."""


class SparkLink(AbstractContextManager["SparkLink"]):
    """One process's session on the server at `remote` (`sc://host:port`).

    Make one per process and keep it: every session that ran Python keeps memory on the server. Make it after a fork,
    never before. One operation at a time; `interrupt` may be called from another thread or, knowing the session's id,
    from another process.
    """

    def __init__(self, remote: str, token: str | None = None, *, session_id: str | None = None) -> None:
        self.remote = remote
        self._address = _address(remote, token=token, session_id=session_id)
        self._session: SparkSession | None = None
        self._lock = RLock()

    @property
    def session(self) -> SparkSession:
        """The session, made on first use and when the server forgot it. Raises SparkUnavailable within seconds."""
        if not answers(self.remote):
            raise SparkUnavailable("The Spark server does not answer")
        with self._lock, _in_our_words():
            if self._session is not None and not _is_known(self._session):
                self.close()
            if self._session is None:
                self._session = _create(self._address)
            return self._session

    @property
    def session_id(self) -> str:
        """The session's id on the server: keep it with a run, so that another process can interrupt it."""
        return str(self.session.session_id)

    @contextmanager
    def operation(self, tag: str) -> Iterator[SparkSession]:
        """Run Spark actions under `tag`; raises SparkInterrupted after `interrupt(tag)`, or SparkUnavailable."""
        session = self.session
        session.addTag(tag)
        try:
            with _in_our_words():
                yield session
        except SparkUnavailable:
            self.close()
            raise
        finally:
            session.removeTag(tag)

    def interrupt(self, tag: str) -> list[str]:
        """Interrupt the session's operations under `tag`; return the ids of those that were running."""
        with _in_our_words():
            return self.session.interruptTag(tag)

    def forget(self) -> None:
        """Leave the session to a thread that waits for a server that hangs; the next use makes a new one."""
        self._lock, self._session = RLock(), None

    def close(self) -> None:
        """Give the session back to the server. A closed link makes a new session when it is used again."""
        with self._lock:
            if self._session is not None:
                self._session.stop()
                self._session = None

    def __exit__(self, *reason: object) -> None:
        self.close()


def interrupt_session(remote: str, token: str | None, session_id: str, tag: str) -> list[str]:
    """Interrupt what another process's session runs; it stays open for its owner. Return the ids of the operations.
    Raises SparkUnavailable."""
    with SparkLink(remote, token, session_id=session_id) as link:
        link.session.release_session_on_close = False
        return link.interrupt(tag)


def _address(remote: str, *, token: str | None, session_id: str | None) -> str:
    parameters = {"token": token, "session_id": session_id}
    server, _, options = remote.partition("/;")
    given = [option for option in options.split(";") if option]
    given += [f"{name}={value}" for name, value in parameters.items() if value]
    return f"{server.rstrip('/')}/;{';'.join(given)}" if given else remote


def _create(address: str) -> SparkSession:
    session = SparkSession.builder.remote(address).create()
    # PySpark's own policy goes on for ten minutes, and for an hour when the server came back without our session.
    session.client.set_retry_policies([DefaultPolicy(max_retries=6, initial_backoff=50, max_backoff=1_000)])
    session.client._max_retry_exception_elapsed_time = RETRY_SECONDS
    session.conf.get("spark.app.name")  # the first call that reaches the server: fail here, not inside a job
    return session


def _is_known(session: SparkSession) -> bool:
    """Whether the server still has the session; it has not after its restart or an hour without a call."""
    try:
        session.conf.get("spark.app.name")
    except PySparkException as error:
        if _is_lost(error):
            return False
        raise
    return True


def _is_lost(error: Exception) -> bool:
    return any(sign in str(error) for sign in LOST)


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except SPARK_ERRORS as error:
        text = str(error)
        if "OPERATION_CANCELED" in text:
            raise SparkInterrupted("The operation was interrupted") from error
        if _is_lost(error):
            raise SparkUnavailable("The Spark server cannot be reached, or it was restarted") from error
        if "UNAUTHENTICATED" in text:
            raise SparkUnavailable("The Spark server refuses the token: SPARK_TOKEN must be the server's") from error
        raise
