"""The live panel of one user while another sends 20 MB to the import: how long both wait.

Run it with `python -m benchmarks.uploads [--seconds 20] [--at ADDRESS PASSWORD]`. Without an address it starts a web
server of its own in a new folder. It asks `POST /quick-runs` every 100 ms, alone and while ten files of 2 MB are sent:
many small elements, which are counted and refused, and almost as many as are read, which become a scenario. On a busy
machine everything takes longer; so the answers beside an upload are compared with those just before it.
It ends with 1 where an upload takes longer than its bar, or the panel is delayed by more.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import requests

from benchmarks.pages import installation
from planner.presets.files import presets
from simulations.scenario.spec import ScenarioSpec

UPLOAD_BAR, DELAY_BAR = 10.0, 0.200
"""Seconds until an upload is answered or refused, and by which the panel's answers may be later (95th percentile)."""
EVERY = 0.100
FILES, SIZE = 10, 2_000_000
FEWER = 9_900
"""Elements of a file of which ten are just within what is read."""
BEAN = "<weblogic-enterprise-bean><ejb-name>Bean{0}</ejb-name><{1}-descriptor/></weblogic-enterprise-bean>"
DRIVEN = 10
"""Message-driven beans of a file; the others are session beans."""


def descriptors(count: int) -> list[tuple[str, bytes]]:
    """Return ten descriptors of 2 MB with so many elements each: a third of them beans."""
    beans = count // 3
    each = (SIZE - len("<weblogic-ejb-jar></weblogic-ejb-jar>")) // beans
    kinds = ["message-driven"] * DRIVEN + ["stateless-session"] * (beans - DRIVEN)
    found = []
    for file in range(FILES):
        text = "".join(BEAN.format(f"{file}-{at}", kind).ljust(each) for at, kind in enumerate(kinds))
        found.append((f"{file}/weblogic-ejb-jar.xml", f"<weblogic-ejb-jar>{text}</weblogic-ejb-jar>".encode()))
    return found


class Visitor:
    """Somebody who is signed in."""

    def __init__(self, address: str, password: str) -> None:
        self._address, self._session = f"{address}/api/v1", requests.Session()
        page = f"{address}/login/"
        self._session.get(page, timeout=300)
        token = str(self._session.cookies["csrftoken"])
        form = {"username": "admin", "password": password, "csrfmiddlewaretoken": token}
        self._session.post(page, data=form, headers={"Referer": page}, timeout=300).raise_for_status()
        self._session.headers.update({"X-CSRFToken": str(self._session.cookies["csrftoken"]), "Referer": page})

    def answered(self, spec: ScenarioSpec) -> None:
        """Ask for what the live panel shows of a scenario."""
        body = {"scenario": spec.body()}
        self._session.post(f"{self._address}/quick-runs", json=body, timeout=300).raise_for_status()

    def sent(self, files: list[tuple[str, bytes]]) -> tuple[float, str]:
        """Send files to the import; return how long it took, the status of the answer and what was wrong."""
        began = time.perf_counter()
        parts = [("files", (name, content, "text/xml")) for name, content in files]
        answer = self._session.post(f"{self._address}/imports", files=parts, timeout=300)
        return (
            time.perf_counter() - began,
            f"{answer.status_code} {answer.text[:300] if answer.status_code >= 400 else ''}",
        )


def seconds(work: Callable[[], object]) -> float:
    """Return how long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def asked(work: Callable[[], object], end: Callable[[], bool]) -> list[float]:
    """Return how long each answer took, one every tenth of a second until the ``end``."""
    found = []
    while not end():
        found.append(seconds(work))
        time.sleep(max(EVERY - found[-1], 0.0))
    return found


def high(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def told(title: str, values: list[float], alone: list[float]) -> None:
    """Print the answers of the panel, and how much longer they took than alone."""
    parts: list[tuple[str, Callable[[list[float]], float]]] = []
    parts += [("median", statistics.median), ("95 %", high), ("longest", max)]
    text = ", ".join(f"{name} {1e3 * f(values):.0f} ms ({f(values) / f(alone):.2f} times)" for name, f in parts)
    print(f"{title}: {len(values)} answers, {text}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=20.0, help="how long the panel is asked alone")
    options.add_argument(
        "--at", nargs=2, metavar=("ADDRESS", "PASSWORD"), help="a server that runs, for its user admin"
    )
    given = options.parse_args()
    running = nullcontext(given.at) if given.at else installation(0)
    spec = next(item.spec for item in presets() if item.key == "surge-backlog").unswept
    late = []
    with running as (address, password), ThreadPoolExecutor(1) as pool:
        wait(address)
        panel, sender = Visitor(address, password), Visitor(address, password)
        sent = [
            ("Too many elements", descriptors(4 * FEWER // 3)),
            ("As many as are read", descriptors(FEWER)),
        ]
        first = seconds(lambda: panel.answered(spec))
        print(f"First answer of the panel: {first:.1f} s")
        for title, files in sent:
            until = time.perf_counter() + given.seconds
            alone = asked(lambda: panel.answered(spec), lambda end=until: time.perf_counter() > end)  # type: ignore[misc]
            told("The panel alone", alone, alone)
            upload = pool.submit(sender.sent, files)
            beside = asked(lambda: panel.answered(spec), upload.done)
            took, answer = upload.result()
            print(f"{title}, {sum(len(content) for _, content in files):,} bytes: {took:.1f} s, {answer}")
            told("The panel meanwhile", beside, alone)
            delay = high(beside) - high(alone)
            late += [title] if took > UPLOAD_BAR or delay > DELAY_BAR else []
    if late:
        sys.exit(f"Above the bars of {UPLOAD_BAR:g} s and {1e3 * DELAY_BAR:g} ms: {', '.join(late)}")


def wait(address: str) -> None:
    """Wait until the server answers."""
    while True:
        try:
            requests.get(f"{address}/login/", timeout=5)
        except requests.RequestException:
            time.sleep(0.5)
        else:
            return


if __name__ == "__main__":
    main()
