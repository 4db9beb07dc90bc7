"""Scenario files: what is refused, and in which line."""

import tracemalloc
from pathlib import Path

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.scenario.file import MAX_BYTES, read_scenario_file, read_yaml


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
