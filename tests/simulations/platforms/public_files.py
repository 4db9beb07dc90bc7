"""Configuration files that vendors and users have published, where they lie beside the project."""

from pathlib import Path

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
