"""Configuration files that vendors and users have published, where they lie beside the project.

More of them are tried where the variable ``PUBLIC_CONFIGURATIONS`` names a folder: in it a folder for each platform, in
that a file for each configuration, or a folder where it has several files.
"""

import os
from pathlib import Path

import pytest

from simulations.platforms.files.importing.drafts import CHOICE

EXAMPLES = Path(__file__).resolve().parents[3].parent / "shared" / "examples"
FOLDERS = {
    "weblogic-ejb-jar": "weblogic",
    "weblogic-work-manager": "weblogic",
    "weblogic-jms-module": "weblogic",
    "weblogic-config-xml": "weblogic",
    "weblogic-wdt-model": "weblogic",
    "websphere-server-xml": "websphere",
    "openmq": "openmq",
    "glassfish-domain-xml": "openmq",
    "glassfish-ejb-jar": "openmq",
}
FILES = [(platform, path) for folder, platform in FOLDERS.items() for path in sorted((EXAMPLES / folder).glob("*"))]
CHOSEN = {"eclipse-glassfish-v2domain.xml": {CHOICE: b"testUpgradeCluster"}}
"""The cluster that is meant where an upload has to name one."""
MORE = Path(os.environ.get("PUBLIC_CONFIGURATIONS", "/nonexistent"))
GIVEN = [
    (folder.name, path) for folder in sorted(MORE.glob("*")) if folder.is_dir() for path in sorted(folder.iterdir())
]
FILES += [(platform, path) for platform, path in GIVEN if path.is_file()]
LARGEST = "companieshouse-chips-module-jms.xml"
WRITTEN = [pytest.param(*case, marks=pytest.mark.nightly) if case[1].name == LARGEST else case for case in FILES]
"""The same for what writes each of them often: the largest, a sixth of all the time, waits for the night."""
SETS = [*FILES, *((platform, path) for platform, path in GIVEN if path.is_dir())]


def files_of(path: Path) -> dict[str, bytes]:
    """The files of one configuration."""
    paths = [item for item in sorted(path.rglob("*")) if item.is_file()] if path.is_dir() else [path]
    return {item.relative_to(path.parent).as_posix(): item.read_bytes() for item in paths}
