"""Large files are read in another process, as they are here; what takes too long is stopped and refused."""

import operator
import pickle
import subprocess
import sys
import threading

import pytest

from planner.configuration import reading_apart
from planner.configuration.importing import MOST_IGNORED, configuration_read
from planner.configuration.reading_apart import uploads_read
from planner.configuration.uploads import FileSet, files_named
from planner.errors import Unavailable
from simulations.declarations.problems import InvalidInput
from tests.planner.configuration.test_uploads import META, WEBLOGIC, archive
from tests.waiting import PATIENCE

DEEP = b"resources: " + b"[" * 4_000_000
PADDED = WEBLOGIC + b"<!-- " + b"x" * reading_apart.SMALL_BYTES + b" -->"


def test_small_files_are_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(reading_apart, "_CONTEXT")
    sent = uploads_read([("weblogic-ejb-jar.xml", WEBLOGIC)])
    assert sent.reading == configuration_read(sent.files)


@pytest.mark.parametrize(
    ("name", "content"), [("a.ear", archive(weblogic_ejb_jar=WEBLOGIC)), ("weblogic-ejb-jar.xml", PADDED)]
)
def test_large_files_and_archives_are_read_in_another_process(
    name: str, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_apart, "SECONDS", PATIENCE)
    here = files_named([(name, content)])
    with monkeypatch.context() as patched:
        patched.setattr(reading_apart, "_read", None)
        sent = uploads_read([(name, content)], name="Large")
    assert (sent.files, sent.files.notes) == (here, here.notes)
    assert sent.reading == configuration_read(here, name="Large")
    assert list(sent.files) in ([f"a.ear/{META}/weblogic-ejb-jar.xml"], ["weblogic-ejb-jar.xml"])


def test_problems_come_back_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_apart, "SECONDS", PATIENCE)
    with pytest.raises(InvalidInput, match=r"a\.xml:1: the file is no XML"):
        uploads_read([("a.xml", b"<weblogic-jms><a></weblogic-jms>" + b" " * reading_apart.SMALL_BYTES)])


def test_deep_brackets_are_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="nested deeper than 60 levels"):
        uploads_read([("a.yaml", DEEP)])


def test_what_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_apart, "SECONDS", 0.0)
    with pytest.raises(InvalidInput, match="takes longer than"):
        uploads_read([("a.xml", PADDED)])


def test_only_some_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    places = threading.BoundedSemaphore(1)
    monkeypatch.setattr(reading_apart, "_PLACES", places)
    monkeypatch.setattr(reading_apart, "PATIENCE", 0.0)
    places.acquire()
    with pytest.raises(Unavailable, match="other large files are being read"):
        uploads_read([("a.xml", PADDED)])
    places.release()


def test_a_process_that_fails_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_apart, "SECONDS", PATIENCE)
    monkeypatch.setattr(reading_apart, "_answer", operator.truediv)
    with pytest.raises(RuntimeError, match="its trace is in the log"):
        uploads_read([("a.xml", PADDED)])


def test_an_account_counts_what_it_does_not_name() -> None:
    text = f"<weblogic-ejb-jar>{'<a><b/></a>' * (MOST_IGNORED + 5)}</weblogic-ejb-jar>"
    account = configuration_read({"weblogic-ejb-jar.xml": text.encode()}).account
    ignored = [line for line in account if line.status == "ignored"]
    assert len(ignored) == MOST_IGNORED + 1
    assert ignored[-1].message == "5 further elements are not used"


def test_files_keep_what_is_known_of_them() -> None:
    files = FileSet({"a": b"b"}, (), "weblogic")
    again = pickle.loads(pickle.dumps(files))  # noqa: S301 - made a line before
    assert (again, again.platform) == (files, "weblogic")


STARTED = (
    "import planner.web.asgi; from multiprocessing import forkserver; print(forkserver._forkserver._forkserver_pid)"
)


def test_a_web_process_starts_the_readers_with_itself() -> None:
    done = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 0
