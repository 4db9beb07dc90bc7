"""Sensitivity at the command line: the service time matters, and the table says in which direction."""

from pathlib import Path

from tests.planner.management.commands.test_optimise import asked, body

MEAN, AGENT = "queues.orders.service.mean", "queues.orders.settings.queue_agent_time"


def test_the_input_that_matters_comes_first(tmp_path: Path) -> None:
    inputs = ("--input", f"{AGENT}=0.2", "--input", f"{MEAN}=0.2", "--metric", "latency.mean")
    code, found = asked(tmp_path, body(), *inputs, "--json", command="sensitivity")
    assert code == 0
    first, *_ = found["effects"]
    assert (found["kpi"], first["input"], first["resolved"]) == ("latency.mean", MEAN, True)
    low, high = first["low"]["difference"]["value"], first["high"]["difference"]["value"]
    assert low < 0 < high


def test_the_table_names_each_input(tmp_path: Path) -> None:
    code, text = asked(tmp_path, body(), "--input", f"{MEAN}=[0.1, 0.3]", command="sensitivity")
    assert code == 0
    assert MEAN in text
    assert "at 100 ms" in text


def test_what_is_not_known_exactly_gives_one_interval_and_what_matters_most(tmp_path: Path) -> None:
    inputs = ("--input", f"{MEAN}=[180ms, 220ms]", "--input", f"{AGENT}=0.2", "--metric", "latency.mean")
    code, text = asked(tmp_path, body(), *inputs, "--draws", "20", command="sensitivity")
    assert code == 0
    assert "in 95 % of 20 draws over the ranges of all inputs at once" in text
    assert "Mean service time matters most" in text
    code, found = asked(tmp_path, body(), *inputs, "--draws", "20", "--json", command="sensitivity")
    joint = found["joint"]
    assert joint["low"]["value"] < joint["high"]["value"]
    assert [*joint["shares"]] == [MEAN, AGENT]
    assert joint["sentences"][0] in text
