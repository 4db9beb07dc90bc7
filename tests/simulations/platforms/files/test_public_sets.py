"""Public configurations: scripts name what the files declare; patched files, scripts and model say the same changes."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from simulations.platforms import PLATFORMS
from simulations.platforms.files.patching.shell import plain
from simulations.platforms.shared.family import Platform, Script
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.choosing import others, settings_of
from tests.simulations.platforms.inventory import declared, exists
from tests.simulations.platforms.named_files import NAMES, openmq, weblogic, websphere
from tests.simulations.platforms.public_files import SETS, files_of
from tests.simulations.platforms.script_names import NAMED, Object, values_in

Files = dict[str, bytes]
MOST = 60
"""Settings that are changed in one configuration."""
LARGEST = str(2**63 - 1)


def words_for(value: Any) -> set[str]:
    """How a vendor may write a setting's value: milliseconds for seconds, no limit by a number, a switch by words."""
    if isinstance(value, bool):
        return {str(value).lower(), str(not value).lower(), str(value), str(not value)}
    if isinstance(value, int | float):
        more = {"-1": {LARGEST}, "0": {"-1"}}.get(plain(value), set())
        return {plain(value), plain(value, 1000), *more}
    return {str(value), "None", ""} if value == "" else {str(value)}


def check_names(scripts: dict[str, Script], files: Files) -> None:
    """Every object of every script is declared in the files under that name and kind, by that owner."""
    known = declared(files)
    for name, script in scripts.items():
        for text in (script.apply, script.undo) if name in NAMED else ():
            strange = {item for item in NAMED[name](text) if not exists(item, known) and not is_new(item, known)}
            assert not strange, (name, strange)


def is_new(named: Object, known: set[Object]) -> bool:
    """Whether the script makes the object: a quota of its own for a destination that has none."""
    owners = (*(f"{kind}{what}" for kind in ("", "UniformDistributed") for what in ("Queue", "Topic")),)
    mine = (named[0], "\n".join(owners), named[-1].removesuffix("-quota"))
    return named[-2:-1] == ("Quota",) and exists(mine, known)


def check_values(scripts: dict[str, Script], spec: ScenarioSpec, chosen: dict[str, Any]) -> None:
    """Scripts expect the installed values, want the chosen ones, and their undo says the opposite."""
    held = settings_of(spec)
    for script in scripts.values():
        back = values_in(script, "undo")
        for path, (before, after) in values_in(script, "apply").items():
            if path not in chosen or chosen[path] in ("asf", "non_asf", "activation_spec", "listener_port"):
                continue
            assert str(after) in words_for(chosen[path]), (script.format, path, after)
            assert str(before) in words_for(held[path]), (script.format, path, before)
            assert back[path] == (after, before), (script.format, path)


def check_models(scripts: dict[str, Script]) -> None:
    """WLST and the Deploy Tooling model set the same values."""
    if "wlst" not in scripts:
        return
    wanted = {str(after) for _, after in values_in(scripts["wlst"], "apply").values() if after is not None}
    assert wanted <= {str(value) for value in _leaves(yaml.safe_load(scripts["wdt"].apply))} | {"limits", "None"}


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    else:
        yield value


def check_patched(family: Platform, files: Files, spec: ScenarioSpec, chosen: dict[str, Any]) -> None:
    """The files read back with the chosen values and nothing else changed; their undo is what was there."""
    assert family.patch
    patched = family.patch(files, spec.system, chosen, "cafe")
    after = {**files, **{item.filename: item.apply.encode(item.encoding) for item in patched.scripts}}
    assert {item.filename: item.undo.encode(item.encoding) for item in patched.scripts}.items() <= files.items()
    old, new = settings_of(spec), settings_of(parse(family.read(after).scenario))
    made = {path: value for path, value in chosen.items() if path not in patched.refused}
    changed = {path: new.get(path) for path in {**old, **new} if old.get(path) != new.get(path)}
    assert {path: plain(value) for path, value in changed.items()} == {
        path: plain(value) for path, value in made.items()
    }


def check(platform: str, files: Files, seed: str) -> None:
    """Change settings of a configuration, and compare what every format says of them."""
    family = PLATFORMS[platform]
    spec = parse(family.read(files).scenario)
    paths = sorted(settings_of(spec))
    chosen = others(spec, random.Random(seed).sample(paths, min(len(paths), MOST)))
    scripts = {script.format: script for script in family.write(spec.system, chosen, "cafe")}
    check_names(scripts, files)
    check_values(scripts, spec, chosen)
    check_models(scripts)
    if family.patch:
        check_patched(family, files, spec, chosen)


@pytest.mark.parametrize(("platform", "path"), SETS, ids=lambda value: getattr(value, "name", value))
def test_every_format_says_what_public_files_declare(platform: str, path: Path) -> None:
    check(platform, files_of(path), path.name)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_format_says_what_generated_files_declare(platform: str) -> None:
    @examples(3, nightly=500)
    @given(names=NAMES)
    def run(names: list[str]) -> None:
        made = {"weblogic": lambda: weblogic(names)[0], "openmq": lambda: openmq(names)}
        files = made.get(platform, lambda: websphere(names))()
        check(platform, {file: text.encode() for file, text in files.items()}, names[0])

    run()
