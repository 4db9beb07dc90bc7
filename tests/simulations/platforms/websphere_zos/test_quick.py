"""Sizing without a scenario."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS


@pytest.mark.parametrize("platform", ["was-zos", "websphere-zos"])
def test_sizing_from_the_ready_backlog(platform: str) -> None:
    """Job J1 and fact list, example 1."""
    question = {"platform": platform, "cpus": 2, "servants_max": 3, "profile": "IOBOUND", "backlog": 32}
    answer = WEBSPHERE_ZOS.quick(question) if WEBSPHERE_ZOS.quick else {}
    expected = {"threads_per_servant": 6, "worker_threads": 18, "max_sessions": 100, "low_threshold": 50, "backlog": 32}
    assert {key: answer[key] for key in expected} == expected
    assert answer["baseline_sessions"] == 36
    assert {finding.status for finding in answer["rules"]} == {"ok"}


@pytest.mark.parametrize(
    ("sessions", "equal", "low", "backlog"), [(100, False, 50, 32), (99, False, 49, 31), (100, True, 100, 32)]
)
def test_sizing_from_the_sessions(sessions: int, equal: bool, low: int, backlog: int) -> None:  # noqa: FBT001
    assert WEBSPHERE_ZOS.quick
    answer = WEBSPHERE_ZOS.quick(
        {"platform": "was-zos", "cpus": 2, "servants_max": 3, "max_sessions": sessions, "low_equals_high": equal}
    )
    assert (answer["low_threshold"], answer["backlog"]) == (low, backlog)


def test_a_wrong_sizing_question_names_every_field() -> None:
    assert WEBSPHERE_ZOS.quick
    with pytest.raises(InvalidInput) as error:
        WEBSPHERE_ZOS.quick({"platform": "was-zos", "cpus": 0, "profile": "NORMAL", "bakclog": 3})
    assert {item.pointer for item in error.value.problems} == {"/cpus", "/profile", "/bakclog"}
    assert "backlog" in str(error.value)
