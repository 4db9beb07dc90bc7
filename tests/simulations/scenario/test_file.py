"""Scenario files: what is refused, and in which line."""

import tracemalloc
from pathlib import Path

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.declarations.workload import Counts
from simulations.scenario.file import MAX_BYTES, arrivals_in, read_scenario_file, read_yaml


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: [1, 2", 1, "expected ',' or ']'"),
        ("a: 1\nb: 2\na: 3", 3, "the key 'a' is there twice"),
        ("a:\n  b: {c: 1, c: 2}", 2, "the key 'c' is there twice"),
        ("a: &x [1]\nb: *x", 2, "aliases"),
        ("a: &x {b: 1}\nc:\n  <<: {d: 1}", 3, "plain word"),
        ("a: 1\nb: .nan", 2, ".nan"),
        ("a: -.inf", 1, "-.inf"),
        ("? [1]\n: 2", 1, "plain word"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tags"),
        ("a: 1\nb: !!bool maybe", 2, "write the plain value"),
        ("a: !!int ''", 1, "tags"),
        ("a: !!map [1]", 1, "tags"),
        ("? !!bool x\n: 1", 1, "tags"),
        ("[" * 200 + "]" * 200, 1, "deeper than 30"),
        ("a: 1\n--- \nb: 2", 2, "expected a single document"),
        ("a: \x07", 0, "special characters"),
    ],
)
def test_what_a_scenario_must_not_hold_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read_yaml(text, name="file.yaml")
    (problem,) = error.value.problems
    assert reason in problem.message
    assert problem.path.startswith(f"file.yaml, line {line}," if line else "file.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [("", None), ("36", 36), ("81/s", "81/s"), ("[18, 36]", [18, 36]), ("2026-01-31", "2026-01-31"), ("50%", "50%")],
)
def test_values_are_what_they_look_like(text: str, value: object) -> None:
    assert read_yaml(text) == value


def test_an_alias_bomb_is_never_unfolded() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    tracemalloc.start()
    with pytest.raises(InvalidInput, match="aliases"):
        read_yaml("\n".join(lines))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000, "of 43 million words unfolded"


def test_files_that_are_missing_too_large_or_no_text_are_named(tmp_path: Path) -> None:
    large, binary = tmp_path / "large.yaml", tmp_path / "binary.yaml"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    binary.write_bytes(b"\x7fELF\xff")
    for path, reason in (
        (large, "larger than"),
        (binary, "not UTF-8"),
        (tmp_path / "none.yaml", "No such file"),
        (tmp_path, "directory"),
    ):
        with pytest.raises(InvalidInput, match=reason) as error:
            read_scenario_file(path)
        assert error.value.problems[0].path == str(path)


def test_json_is_yaml(tmp_path: Path) -> None:
    path = tmp_path / "scenario.json"
    path.write_text('{"sluice": 1, "run": {"seed": 7}}')
    assert read_scenario_file(path) == {"sluice": 1, "run": {"seed": 7}}


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
