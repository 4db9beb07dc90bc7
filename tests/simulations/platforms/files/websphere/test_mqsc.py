"""Backout thresholds in a real shell, over a queue manager that keeps its queues in a folder."""

import os
import subprocess
from pathlib import Path

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

RUNMQSC = """#!/bin/sh
read -r line
queue=$(printf '%s' "$line" | sed "s/^[A-Z]* QLOCAL('\\(.*\\)') .*/\\1/")
[ "$1" = QM1 ] && [ -e "$STATE/$queue" ] || exit 10
case $line in
DISPLAY*) echo "   QUEUE($queue)    TYPE(QLOCAL)"; echo "   BOTHRESH($(cat "$STATE/$queue"))" ;;
ALTER*) printf '%s' "$line" | sed 's/.*BOTHRESH(\\([0-9]*\\)).*/\\1/' > "$STATE/$queue" ;;
esac
"""


def script_of(platform: str, identity: dict[str, object] | None = None) -> Script:
    body = scenario_body(platform)
    body["queues"][0] |= {} if identity is None else {"identity": identity}
    found = PLATFORMS[platform].write(parse(body).system, {"queues.orders.settings.backout_threshold": 5}, "cafe")
    return next(item for item in found if item.format == "mqsc")


def run(folder: Path, text: str, **head: str) -> tuple[int, str]:
    """Run the script with variables at its head set; return the exit code and what it prints."""
    (folder / "runmqsc").write_text(RUNMQSC)
    (folder / "runmqsc").chmod(0o755)
    for name, value in head.items():
        for empty in (f"\n{name}=  #", f"\n{name}=0  #"):
            text = text.replace(empty, f"\n{name}={value}  #")
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "STATE": str(folder)}
    done = subprocess.run(["/bin/sh", "-c", text], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("platform", ["websphere", "websphere-zos"])
def test_a_plan_then_the_change_and_back(tmp_path: Path, platform: str) -> None:
    script = script_of(platform, {"name": "port", "parts": [{"role": "mq_queue", "name": "PAY.ORDERS"}]})
    held = tmp_path / "PAY.ORDERS"
    held.write_text("0\n")
    code, printed = run(tmp_path, script.apply, MANAGER="QM1")
    assert (code, held.read_text()) == (0, "0\n"), printed
    code, printed = run(tmp_path, script.apply, MANAGER="QM1", APPLY="1")
    assert (code, held.read_text().strip()) == (0, "5"), printed
    code, printed = run(tmp_path, script.undo, MANAGER="QM1", APPLY="1")
    assert (code, held.read_text().strip()) == (0, "0"), printed


def test_a_queue_that_differs_is_missing_or_not_named_stops_the_script(tmp_path: Path) -> None:
    script = script_of("websphere", {"name": "port", "kind": "ListenerPort"})
    code, printed = run(tmp_path, script.apply, MANAGER="QM1", APPLY="1")
    assert code != 0
    assert "fill it in at the head" in printed
    (tmp_path / "PAY.ORDERS").write_text("7\n")
    for queue, word in (("PAY.ORDERS", "DIFFERS"), ("ORDERS", "STOP")):
        code, printed = run(tmp_path, script.apply, MANAGER="QM1", QUEUE=queue, APPLY="1")
        assert (code, (tmp_path / "PAY.ORDERS").read_text()) == (1, "7\n")
        assert word in printed
