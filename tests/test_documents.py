"""The documents say what the code does."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions

from planner.settings.environment import BASE_DIR, Environment

README = (BASE_DIR / "README.md").read_text()
FOLDERS = ("simulations", "planner", "frontend", "tests", "benchmarks", "docs")
OURS = {*FOLDERS, "manage"}
OPERATIONS = (BASE_DIR / "docs" / "operations.md").read_text()


def test_every_environment_variable_is_documented_in_its_own_words() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.+) \|$", OPERATIONS, re.MULTILINE))
    assert rows == {name.upper(): field.description for name, field in Environment.model_fields.items()}


def test_every_make_command_in_the_documents_exists() -> None:
    text = "".join((BASE_DIR / name).read_text() for name in ("README.md", "CONTRIBUTING.md", "docs/operations.md"))
    targets = set(re.findall(r"^([a-z-]+):", (BASE_DIR / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    assert "make test" in re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert (BASE_DIR / ".ci" / "run").read_text().splitlines()[-1] == "make test"


def test_help_lists_every_target() -> None:
    command = ["make", "--no-print-directory", "help"]
    listed = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^\.PHONY: (.*)$", (BASE_DIR / "Makefile").read_text(), re.MULTILINE)[0].split()
    assert [line.split()[0] for line in listed.splitlines()] == targets


def test_links_in_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (BASE_DIR / target).exists(), target


def test_files_that_the_documents_name_exist() -> None:
    named = re.compile(rf"`((?:{'|'.join(FOLDERS)}|docker)/[\w.*<>/-]+)`")
    for page in (*BASE_DIR.glob("*.md"), *BASE_DIR.glob("docs/**/*.md")):
        for path in named.findall(page.read_text()):
            assert any(BASE_DIR.glob(path.replace("<family>", "*"))), f"{page.name} names {path}"


def test_what_is_imported_is_a_direct_requirement() -> None:
    texts = [(BASE_DIR / name).read_text() for name in ("requirements.txt", "requirements-dev.txt")]
    direct = "\n".join(text.split("# Brought by the above")[0] for text in texts)
    pinned, known = set(re.findall(r"^([a-z0-9-]+)==", direct, re.MULTILINE)), packages_distributions()
    for package in {name for folder in FOLDERS for name in _imported(folder)} - sys.stdlib_module_names - OURS:
        assert {name.lower().replace("_", "-") for name in known[package]} & pinned, package


def _imported(folder: str) -> Iterator[str]:
    for path in (BASE_DIR / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


def test_direct_requirements_say_what_they_are_for_and_all_are_pinned() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        direct, brought = (BASE_DIR / name).read_text().split("# Brought by the above")
        pins = [line for line in direct.splitlines() if "==" in line]
        assert all(re.fullmatch(r"[a-z0-9-]+==\S+ +# \S.*", pin) for pin in pins)
        assert all(re.fullmatch(r"[a-z0-9-]+==\S+", line) for line in brought.split())
