"""Every module with logic has a test module at the mirrored path; those that still lack one are listed."""

import ast
from pathlib import Path

from planner.settings.environment import BASE_DIR

PACKAGES = ("simulations", "planner", "frontend")
UNTESTED = {
    "frontend/compare": "page",
    "frontend/explore": "page pictures",
    "frontend/reports": "page parts",
    "frontend/results": "page",
    "frontend/site": "base",
    "frontend/telemetry": "page",
    "frontend/workbench": "inventory run_form",
    "planner/management/commands": "demo install",
    "simulations/pipeline/spark": "daemon",
    "simulations/pipeline/telemetry/fitting": "intervals",
    "simulations/pipeline/telemetry/reading": "judging",
    "simulations/platforms/files/importing": "ejb_jar vendor_files",
    "simulations/platforms/files/patching": "patched_files",
    "simulations/platforms/files/syntax": "text_files tree xml_file yaml_insertion",
    "simulations/platforms/files/websphere": "resources server",
    "simulations/platforms/openmq/files": "descriptors domain_contents glassfish",
    "simulations/platforms/weblogic/files": "assembly descriptors",
    "simulations/platforms/weblogic/files/domain": "configuration contents removed_names",
    "simulations/platforms/weblogic/files/work_managers": "reading",
    "simulations/platforms/websphere/files": "server",
    "simulations/platforms/websphere_zos/files": "configuration",
}
"""Folder -> its modules that other modules' tests reach, but none of their own."""


def has_logic(file: Path) -> bool:
    nodes = ast.walk(ast.parse(file.read_text()))
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes)


def mirror_of(module: Path) -> Path:
    return Path("tests", module.parent, f"test_{module.stem.strip('_')}.py")


def untested() -> set[str]:
    files = (file for package in PACKAGES for file in (BASE_DIR / package).rglob("*.py"))
    modules = {file.relative_to(BASE_DIR) for file in files if file.name != "__init__.py"}
    written = {module for module in modules if "migrations" not in module.parts and has_logic(BASE_DIR / module)}
    return {str(module) for module in written if not (BASE_DIR / mirror_of(module)).exists()}


def test_the_list_of_untested_modules_only_gets_shorter() -> None:
    listed = {f"{folder}/{name}.py" for folder, names in UNTESTED.items() for name in names.split()}
    assert untested() - listed == set(), "write tests/<path>/test_<name>.py"
    assert listed - untested() == set(), "take these off the list"
