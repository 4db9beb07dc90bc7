"""Logs of arrivals: instants or counts, in the words that people write them."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.declarations.workload import Counts
from simulations.scenario.logs import arrivals_in


def test_instants_are_put_in_order_and_begin_at_the_first() -> None:
    assert arrivals_in("arrival\n105.5\n103\n\n110\n", "log") == {"kind": "trace", "source": [0.0, 2.5, 7.0]}
    found = arrivals_in("2026-01-05T10:00:00\n2026-01-05T10:00:01.5\n", "log")
    assert found == {"kind": "trace", "source": [0.0, 1.5]}
    assert arrivals_in("2026-03-29T01:59:00\n2026-03-29T02:01:00Z\n", "log")["source"] == [0.0, 120.0]


def test_a_second_column_counts_the_messages_of_an_interval() -> None:
    text = "time,messages\n2026-01-05T10:01:00Z,0\n2026-01-05T10:00:00Z,30\n2026-01-05T10:02:00Z,90\n"
    body = arrivals_in(text, "log")
    assert body == {"kind": "counts", "every": 60.0, "counts": [30, 0, 90]}
    instants = Counts(**body).instants
    assert (len(instants), instants[0]) == (120, 1.0)
    assert instants[30] == pytest.approx(120 + 1 / 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("time\n", "no instant"),
        ("1\n2\nsoon\n", "log, line 3"),
        ("0,5\n60,x\n", "log, line 2"),
        ("0,5\n60,1.5\n", "no number of messages"),
        ("0,5\n60,-1\n", "no number of messages"),
        ("0,5\n60,x\n", "no number of messages"),
        ("0,5\n60,inf\n", "no number of messages"),
        ("0,5\n", "equally long"),
        ("0,5\n60,5\n90,5\n", "equally long"),
        ("0,5\n0,5\n", "equally long"),
        ("0,5\n60\n", "log, line 2"),
        ("nan\ninf\n", "not understood"),
    ],
)
def test_a_log_that_says_nothing_clear_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as error:
        arrivals_in(text, "log")
    (problem,) = error.value.problems
    assert said in f"{problem.path}: {problem.message}"
