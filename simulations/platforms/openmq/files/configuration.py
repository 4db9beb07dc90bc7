"""Configuration of Open MQ and GlassFish: vendor files in; imqcmd, asadmin and properties out."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from shlex import quote
from typing import Any

from simulations.declarations.identity import UNKNOWN
from simulations.declarations.parameters import natives_of, parameters_of
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import part, table_beside
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.drafts import chosen_in
from simulations.platforms.files.importing.ejb_jar import CONNECTOR, bean_kinds, read_adapter
from simulations.platforms.files.importing.scenario_body import is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import read_together, read_xml, scenario_alone
from simulations.platforms.files.patching.patched_files import is_xml, patched_files
from simulations.platforms.files.patching.rewriting import rewritten
from simulations.platforms.files.patching.shell import Value, plain, shell_script
from simulations.platforms.files.syntax.signatures import ANNOTATED, has_line, root_of
from simulations.platforms.files.syntax.splices import Order
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.broker import (
    BROKERD,
    LABELS,
    MADE_TOPIC_LIMIT,
    MAKES,
    QUEUES_ALONE,
    STATED,
    layer,
    read_text,
)
from simulations.platforms.openmq.files.descriptors import GENERIC, read_ejb_jar, read_standard
from simulations.platforms.openmq.files.domain_contents import NAME, SIZES, Imported, assembled
from simulations.platforms.openmq.files.glassfish import WORK_POOL, read_domain
from simulations.platforms.openmq.files.outputs import is_dotted, is_list, read_dotted
from simulations.platforms.openmq.files.resources import RESOURCES, read_resources
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.family import Change, Patched, Reading, Script, changes_of


class Names:
    """The variables and their values; one without a value is to be filled in, and stops the script until it is."""

    def __init__(self, system: System) -> None:
        self.values: dict[str, str] = {}
        self._variables: dict[tuple[str, str], str] = {}
        for server in system.servers:
            identity = server.identity or UNKNOWN
            self._add("CONFIG", server.name, identity.name if identity.kind == "config" else "")
        for queue in system.queues:
            self._add("POOL", queue.name, (queue.identity or UNKNOWN).part("factory").name)
            self._add("DESTINATION", queue.name, queue.name if queue.identity is None else queue.identity.name)

    def config(self, server: Server) -> str:
        """Return the server's configuration, with the variable of its name, as one word of the shell."""
        return f'"configs.config.$(dotted "${self._variables["CONFIG", server.name]}")"'

    def pool(self, queue: Queue) -> str:
        """Return the variable with the name of the connection pool of the queue's factory."""
        return self._variables["POOL", queue.name]

    def destination(self, queue: Queue) -> str:
        """Return kind and the broker's name of the queue as one word of the shell."""
        kind, variable = "t" if queue.kind == "topic" else "q", self._variables["DESTINATION", queue.name]
        name = self.values[variable]
        return quote(f"{kind}:{name}") if name else f'"{kind}:${variable}"'

    def _add(self, kind: str, owner: str, name: str) -> None:
        """Note a name; those that are known to be the same have one variable."""
        known = {self.values[variable]: variable for (what, _), variable in self._variables.items() if what == kind}
        number = sum(what == kind for what, _ in self._variables)
        variable = known.get(name, "") if name else ""
        self._variables[kind, owner] = variable or f"{kind}{number or ''}"
        self.values[self._variables[kind, owner]] = name


TABLE = (b"Destination Name ", b"Destination Name\t", b"Destination Name:")
"""How the output of a query begins the part of a destination."""
ORDER: Order = table_beside(__file__, "schema.yaml")
"""The schemas' order of children, as far as new elements need it."""
SETTINGS = (InstanceSettings, MdbSettings)
INSTANCE = {
    item.name: f"{item.quantity.where}.{item.quantity.native}"
    for item in parameters_of(InstanceSettings)
    if item.quantity.where not in ("", "factory", "broker")
}
DESTINATION, FACTORY, BROKER = (
    {setting: key for model in SETTINGS for key, setting in natives_of(model, where).items()}
    for where in ("destination", "factory", "broker")
)


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, GlassFish's files, and texts that speak of imq or of a destination."""
    root, attributes = root_of(content)
    if root:
        return root in READERS and "weblogic" not in attributes and not stranger(content)
    printed = is_dotted(content) or is_list(content) or has_line(content, b"imq.", *TABLE)
    return (
        is_scenario_of(content, NAME)
        or printed
        or any(word in content for word in (b"imqcmd", MAKES.encode(), BROKERD.encode()))
    )


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or all files of broker and server together.

    XML: domain.xml, glassfish-resources.xml, glassfish-ejb-jar.xml, sun-ejb-jar.xml, and an ejb-jar.xml beside them.
    Text: config.properties, lines of imqcmd, imqbrokerd and asadmin create-jmsdest, outputs of imqcmd query dst and
    list dst, and of asadmin get.
    Raises InvalidInput for a file that is hostile or belongs to none of the known formats.
    """
    alone = scenario_alone(files, NAME)
    files = dict(sorted(files.items(), key=lambda item: layer(*item)))
    return alone or read_together(files, Imported(bean_kinds(files), chosen_in(files)), _read_file, assembled)


def _read_file(file: str, content: bytes, found: Imported, account: Account) -> Element:
    if not is_xml(content) and root_of(content)[1] != ANNOTATED:
        read_output = read_dotted if is_dotted(content) else read_text
        return read_output(content, file, found, account)
    return read_xml(file, content, found, account, READERS)


READERS: dict[str, Callable[[Element, Imported, Account], None]] = {
    "domain": read_domain,
    RESOURCES: read_resources,
    "glassfish-ejb-jar": read_ejb_jar,
    "sun-ejb-jar": read_ejb_jar,
    "ejb-jar": read_standard,
    CONNECTOR: lambda root, found, account: found.adapters.append(read_adapter(root, GENERIC, account)),
}


WORDS = "\n".join(f"    {key}) echo '{label}' ;;" for label, key in LABELS.items())
IMQCMD = part(__file__, "imqcmd.sh").replace("    # LABELS", WORDS)
"""What asks the broker for a value and sets it; a query prints a number behind its words, in parentheses."""
SET = {**INSTANCE, **{setting: f"property.options.{key}" for setting, key in FACTORY.items()}}
"""Setting -> its key in asadmin's script; the options of a pool stand in one property."""
PARAMETERS = (item for model in SETTINGS for item in parameters_of(model) if item.name in SET)
DEFAULTS = "\n".join(f"    {SET[item.name]}) echo {plain(item.default)} ;;" for item in PARAMETERS)
ASADMIN = part(__file__, "asadmin.sh").replace("    # DEFAULTS", DEFAULTS)


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes, names = changes_of(system, chosen), Names(system)
    imqcmd = shell_script("imqcmd", changes, partial(_imqcmd, names), IMQCMD, scenario_hash, names.values)
    of_server = partial(_asadmin, system, changes, names)
    asadmin = shell_script("asadmin", changes, of_server, ASADMIN, scenario_hash, names.values)
    return scripts_written(system, changes, scenario_hash, imqcmd, asadmin, _properties(system, changes, scenario_hash))


def _imqcmd(names: Names, changes: tuple[Change, ...]) -> list[Value]:
    return [
        (item.path, names.destination(item.entity), DESTINATION[item.setting], plain(_limit(item)))
        for item in changes
        if item.setting in DESTINATION and isinstance(item.entity, Queue)
        if item.entity.kind == "queue" or DESTINATION[item.setting] not in QUEUES_ALONE
    ]


def _limit(change: Change) -> Any:
    """The value as the broker has it: a size of 0 is -1, no limit."""
    return -1 if change.setting in SIZES and change.after == 0 else change.after


def _asadmin(system: System, every: tuple[Change, ...], names: Names, changes: tuple[Change, ...]) -> list[Value]:
    """What asadmin sets: the instance's settings by dotted name, and each option of a factory beside the others of its
    pool. One is left as it is where ``every`` change together asks for another value at another queue of the pool."""
    values = [
        (item.path, names.config(item.entity), _dotted_key(item.entity, item.setting), plain(item.after))
        for item in changes
        if item.setting in INSTANCE and isinstance(item.entity, Server)
    ]
    pools: dict[str, list[Server | Queue]] = {}
    for queue in system.queues:
        server = system.server_of(queue)
        own = (server.identity or UNKNOWN).part("factory").name in ("", names.values[names.pool(queue)])
        pools.setdefault(names.pool(queue), []).extend((queue, server) if own else (queue,))
    for pool, entities in pools.items():
        name = f'"resources.connector-connection-pool.$(dotted "${pool}")"'
        options: dict[str, Value] = {}
        for item in changes:
            if item.setting in FACTORY and item.entity in entities and len(_wanted(entities, every, item)) == 1:
                key = SET[item.setting]
                options.setdefault(key, (item.path, name, key, plain(item.after)))
        values += options.values()
    return values


def _dotted_key(server: Server, setting: str) -> str:
    """The dotted name of a setting in its configuration, where the pool of threads may have another name."""
    pool = (server.identity or UNKNOWN).part("pool").name
    return INSTANCE[setting].replace(WORK_POOL, pool) if pool else INSTANCE[setting]


def _properties(system: System, changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """The broker's properties, a file that is edited by hand: its lines. A bean's own belong into its descriptor. What
    queues or servers would have differently is left out: the broker has each property once."""
    entities: tuple[Server | Queue, ...] = (*system.servers, *system.queues)
    apply, undo, left_out = dict[str, Any](), dict[str, Any](), list[str]()
    for item in changes:
        key = _property(item.entity, item.setting)
        alike = (entity for entity in entities if _property(entity, item.setting) == key)
        if key and len(_wanted(alike, changes, item)) == 1:
            apply[key], undo[key] = _limit(item), _limit(item.reverse)
        else:
            left_out.append(item.path)
    if not apply:
        return None
    title = (
        f"# Written by Sluice for the scenario {scenario_hash}\n# What {BROKERD} is given with -D counts before this."
    )
    lines = ((f"{key}={plain(value)}" for key, value in values.items()) for values in (apply, undo))
    new, old = ("\n".join([title, *each, ""]) for each in lines)
    return Script("properties", "config.properties", new, old, tuple(left_out))


def _property(entity: Server | Queue, setting: str) -> str:
    """The broker's property for a setting, empty where there is none. A topic that a file describes is one that an
    administrator made; the limit of its shared subscriptions is another property than that of new ones."""
    if setting != STATED[MADE_TOPIC_LIMIT] or not isinstance(entity, Queue):
        return BROKER.get(setting, "")
    if entity.kind == "queue":
        return ""
    return MADE_TOPIC_LIMIT if entity.identity and entity.identity.file else BROKER[setting]


def _wanted(entities: Iterable[Server | Queue], changes: tuple[Change, ...], change: Change) -> set[Any]:
    """The values that all these queues, or all these servers, want of a setting after all changes."""
    new = {item.entity.path: item.after for item in changes if item.setting == change.setting}
    alike = (item for item in entities if isinstance(item, type(change.entity)))
    return {new.get(item.path, getattr(item.settings, change.setting)) for item in alike}


def patch(files: Mapping[str, bytes], system: System, chosen: Mapping[str, Any], scenario_hash: str) -> Patched:
    """Return the uploaded files with the chosen settings, also those they leave out, and every other byte as it was."""
    made, refused = rewritten(files, changes_of(system, chosen), read, ORDER)
    return patched_files(files, made, refused, scenario_hash)
