"""Configuration of WebLogic: scenario files, descriptors, domains, modules and models in; scripts and models out."""

from collections.abc import Callable, Mapping
from typing import Any

from simulations.declarations.system import System
from simulations.platforms.files.importing.drafts import chosen_in
from simulations.platforms.files.importing.ejb_jar import CONNECTOR, bean_kinds, read_adapter
from simulations.platforms.files.importing.scenario_body import is_scenario, is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import DEPLOYMENT_PLAN, read_together, read_xml, scenario_alone
from simulations.platforms.files.patching.patched_files import patched_files
from simulations.platforms.files.patching.rewriting import rewritten
from simulations.platforms.files.syntax.signatures import has_line, is_yaml, root_of
from simulations.platforms.files.syntax.text_files import load_tree
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.shared.family import Change, Patched, Reading, Script, changes_of
from simulations.platforms.weblogic.files.assembly import NAME, assembled
from simulations.platforms.weblogic.files.descriptors import ADAPTER, read_ejb_jar, read_weblogic_ejb_jar
from simulations.platforms.weblogic.files.domain.configuration import read_config, read_dump, read_model
from simulations.platforms.weblogic.files.domain.contents import Imported
from simulations.platforms.weblogic.files.domain.dumps import is_dump
from simulations.platforms.weblogic.files.domain.jms_modules import read_module
from simulations.platforms.weblogic.files.edits import of_foreign, of_shared_objects, shared_classes
from simulations.platforms.weblogic.files.identities import of_applications
from simulations.platforms.weblogic.files.names import names_of
from simulations.platforms.weblogic.files.plans import plans_in, read_plan
from simulations.platforms.weblogic.files.scripts import domain_scripts
from simulations.platforms.weblogic.files.work_managers.file import ORDER
from simulations.platforms.weblogic.files.work_managers.patches import SETTINGS, patched_work
from simulations.platforms.weblogic.files.work_managers.reading import read_work

MODEL_PARTS = (b"resources:", b"topology:", b"domainInfo:", b"appDeployments:")


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, the domain's and the beans' files, and Deploy Tooling models."""
    root, attributes = root_of(content)
    if root:
        return root in READERS and (root != "domain" or "weblogic" in attributes)
    is_model = has_line(content, *MODEL_PARTS) or is_dump(content)
    return is_scenario_of(content, NAME) or (is_model and not is_scenario(content))


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or all files of a domain together: descriptors, config.xml, JMS modules, models, plans,
    scripts that WLST made of a domain and sessions with its ``ls``.

    Raises InvalidInput for a file that is no XML or YAML, is hostile, or belongs to none of the known formats.
    """
    if alone := scenario_alone(files, NAME):
        return alone
    return read_together(files, Imported(plans_in(files), chosen_in(files), bean_kinds(files)), _read_file, assembled)


def _read_file(file: str, content: bytes, found: Imported, account: Account) -> Element:
    if is_yaml(file):
        return read_model(load_tree(content, file), found, account)
    if is_dump(content):
        return read_dump(content, file, found, account)
    return read_xml(file, content, found, account, READERS, found.plans.apply)


READERS: dict[str, Callable[[Element, Imported, Account], None]] = {
    "weblogic-ejb-jar": read_weblogic_ejb_jar,
    "ejb-jar": read_ejb_jar,
    "weblogic-web-app": read_work,
    "weblogic-application": read_work,
    "domain": read_config,
    "weblogic-jms": read_module,
    DEPLOYMENT_PLAN: lambda root, found, account: read_plan(root, found.plans, account),
    CONNECTOR: lambda root, found, account: found.adapters.append(read_adapter(root, ADAPTER, account)),
}


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = _ordered(changes_of(system, chosen))
    others = (*of_foreign(changes), *of_shared_objects(system, changes))
    refused = dict((*of_applications(changes), *shared_classes(changes), *others))
    scripts = domain_scripts(changes, scenario_hash, names_of(system), refused)
    return scripts_written(system, changes, scenario_hash, *scripts)


def patch(files: Mapping[str, bytes], system: System, chosen: Mapping[str, Any], scenario_hash: str) -> Patched:
    """Return the uploaded files with the chosen settings, elements that they lack included, and all else as it was."""
    changes = _ordered(changes_of(system, chosen))
    managed, refused = patched_work(files, changes, read)
    plain = [change for change in changes if change.setting not in SETTINGS]
    made, left = rewritten(managed, plain, read, ORDER)
    return patched_files(files, made, refused | left, scenario_hash)


def _ordered(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Constraints before the work managers that name them; what is undone goes the other way round."""
    return tuple(sorted(changes, key=lambda change: change.setting != "constraints"))
