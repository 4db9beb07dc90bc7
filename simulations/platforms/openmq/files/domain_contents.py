"""What the files of Open MQ and GlassFish say, collected until all of them are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from simulations.declarations.parameters import natives_of
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.drafts import Draft, Sourced
from simulations.platforms.files.importing.ejb_jar import take_from_adapter
from simulations.platforms.files.importing.scenario_body import assemble, check_number
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.family import Reading, Understood
from simulations.platforms.shared.spots import Place

NAME = "openmq"
INTERNAL = "mq."
"""How the names of the broker's own destinations begin, such as the dead message queue's."""
_IN_FULL = re.compile(r"\S\s*\((-?\d+)\)$")
SUFFIXES = {"b": 1.0, "k": 1024.0, "m": 1024.0**2}
FACTORY_SERVER = natives_of(InstanceSettings, "factory")
FACTORY_QUEUE = natives_of(MdbSettings, "factory")
CREATED = "the destination was created with settings of its own, which no property of the broker changes"
DESTINATION = natives_of(MdbSettings, "destination")
SIZES = ("max_total_msg_bytes", "max_bytes_per_msg", "broker_max_size")
"""Settings that say 0 where the vendor says -1, no limit."""


@dataclass
class Imported:
    """Everything read so far."""

    kinds: dict[str, bool] = field(default_factory=dict)
    """Bean that an ejb-jar.xml names -> whether it is message-driven."""
    choice: str = ""
    """Cluster or server that is meant; empty where the files decide."""
    beans: dict[str, Draft] = field(default_factory=dict)
    adapters: list[Draft] = field(default_factory=list)
    """What each ra.xml states for the beans behind its adapter."""
    destinations: dict[str, Draft] = field(default_factory=dict)
    links: list[tuple[str, str, Element, Account]] = field(default_factory=list)
    """Bean, name or JNDI name of its destination, and where it is said."""
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """JNDI name of a destination -> its name in the broker and its kind."""
    broker: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """Settings for all destinations that do not have their own."""
    topics: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """The same for topics."""
    queues: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """The same for queues."""
    created: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """What the broker's file states, or would, for all that it creates by itself."""
    new_queues: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """The same for queues alone."""
    new_topics: Draft = field(default_factory=lambda: Draft("queues", "*"))
    made_topics: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """What the broker says for topics that an administrator made."""
    server: Draft = field(default_factory=lambda: Draft("servers", "server"))
    named: dict[str, Draft] = field(default_factory=dict)
    """Destinations of which the files say the name alone, made where no file describes a bean."""
    config: dict[str, str] = field(default_factory=dict)
    """Identity of GlassFish's configuration that counts."""
    pools: dict[str, Draft] = field(default_factory=dict)
    """Connection pool of Open MQ's adapter -> what it says for the queues behind it."""
    factories: dict[str, str] = field(default_factory=dict)
    """JNDI name of a connection factory -> its pool."""
    factory_of: dict[str, str] = field(default_factory=dict)
    """Bean -> JNDI name of its connection factory."""

    def destination(self, name: str) -> Draft:
        """Return the draft of a destination, made when it is first named."""
        return self.destinations.setdefault(name, Draft("queues", as_name(name)))


def value_of(text: str) -> object:
    """Return the value a property's text means: a boolean, a number (with b, k or m for bytes), or the text. A query's
    output has the number behind the words, as in ``10k (10240)`` and ``unlimited (-1)``."""
    stripped = text.strip()
    in_full = _IN_FULL.search(stripped)
    stripped = in_full[1] if in_full else stripped
    if stripped.lower() in ("true", "false"):
        return stripped.lower() == "true"
    factor = SUFFIXES.get(stripped[-1:].lower(), 0.0)
    digits = stripped[:-1] if factor else stripped
    try:
        number = float(digits) * (factor or 1.0)
    except ValueError:
        return stripped
    return int(number) if number.is_integer() else number


def put_destination(draft: Draft, key: str, text: str, account: Account, element: Element) -> None:
    """Set a destination's setting by the vendor's key; nothing when the key means nothing here."""
    setting = DESTINATION.get(key)
    if setting is not None:
        draft.put(setting, limit_of(setting, text), account, element)


def limit_of(setting: str, text: str) -> object:
    """Return the value of a setting of the broker; a size of -1 is none."""
    value = value_of(text)
    return 0 if setting in SIZES and isinstance(value, int | float) and value < 0 else value


def put_factory(
    found: Imported, draft: Draft, key: str, text: str, account: Account, element: Element, place: Place | None = None
) -> bool:
    """Set a setting of the connection factory: of the connection at the server, of the consumer at the queue."""
    if key in FACTORY_SERVER:
        found.server.put(FACTORY_SERVER[key], value_of(text), account, element, place=place)
    elif key in FACTORY_QUEUE:
        draft.put(FACTORY_QUEUE[key], value_of(text), account, element, place=place)
    else:
        return False
    return True


def assembled(found: Imported) -> Reading:
    """Return the scenario and the account of what was resolved, defaulted or left open while making it."""
    lines: list[Understood] = []
    queues = found.beans or _without_beans(found, lines)
    check_number(queues)
    for bean, jndi, element, account in found.links:
        name, kind = found.names.get(jndi, (jndi, ""))
        target = found.destinations.get(name)
        queue, also = queues[bean], f" ({jndi})" if name != jndi else ""
        if queue.adapter:
            account.note("understood", element, queue.path, f"destination {jndi} of {queue.adapter}")
            continue
        if kind:
            queue.fields.setdefault("kind", kind)
        if target is None:
            said = "states limits of" if kind else "describes"
            message = f"no file {said} the destination {name!r}{also}; the broker's defaults count"
            account.note("unresolved", element, queue.path, message)
            continue
        queue.inherit(target)
        account.note("understood", element, queue.path, f"destination {name}{also}")
    lines += _unused(found) if found.beans else ()
    _identify(found, queues)
    described = {bean for bean, jndi, _, _ in found.links if _named(jndi, found) in found.destinations}
    own = {id(draft) for draft in found.destinations.values()}
    for draft in queues.values():
        take_from_adapter(draft, found.adapters)
        pool = _pool_of(draft, found)
        if pool in found.pools:
            draft.inherit(found.pools[pool])
        elif len(found.pools) > 1:
            message = f"no file says which connection pool its factory has, of {', '.join(found.pools)}: none counts"
            lines.append(Understood("unresolved", draft.path, message))
        _from_broker(draft, found, is_described=draft.name in described or id(draft) in own)
    return assemble(NAME, InstanceSettings, MdbSettings, {"server": found.server}, queues, lines)


def _pool_of(queue: Draft, found: Imported) -> str:
    """The connection pool of a queue's factory: the one that the files link it to, else the only one."""
    linked = found.factories.get(found.factory_of.get(queue.name, ""))
    return next(iter(found.pools)) if linked is None and len(found.pools) == 1 else linked or ""


def _identify(found: Imported, queues: dict[str, Draft]) -> None:
    """Note what the broker calls each destination, and which connection pool and configuration the server has."""
    pools = {
        name: {"role": "factory", "name": name, "kind": "connector-connection-pool", "file": draft.file}
        for name, draft in found.pools.items()
    }
    found.server.identify(found.config, pools.values() if len(pools) == 1 else ())
    own = {id(draft): name for name, draft in (*found.named.items(), *found.destinations.items())}
    jndi = {bean: jndi for bean, jndi, _, _ in reversed(found.links)}
    for queue in queues.values():
        name = own.get(id(queue), _named(jndi.get(queue.name, ""), found))
        described = found.destinations.get(name)
        known = described or name in {name for name, _ in found.names.values()}
        bean = [{"role": "bean", "name": queue.name, "scope": "application"}] if queue.name in found.beans else []
        kind = queue.fields.get("kind", "queue")
        identity = {"name": name, "kind": kind, "scope": "domain", "file": described.file if described else ""}
        queue.identify(identity if known else {}, [*bean, pools.get(_pool_of(queue, found), {})])


def _named(jndi: str, found: Imported) -> str:
    """The broker's name of a destination that a bean names."""
    return found.names.get(jndi, (jndi, ""))[0]


def _unused(found: Imported) -> Iterator[Understood]:
    """Destinations that no bean refers to: their settings are understood, but not part of the scenario."""
    used = {_named(jndi, found) for _, jndi, _, _ in found.links}
    for name, draft in found.destinations.items():
        if name not in used:
            message = f"no bean refers to the destination {name!r}: it is not part of the scenario"
            yield Understood("unresolved", "destination", message, draft.file, draft.line)


def _from_broker(draft: Draft, found: Imported, *, is_described: bool) -> None:
    """Give a queue what counts for all; new properties of the broker change only what it creates by itself."""
    is_topic = draft.fields.get("kind") == "topic"
    for new in (found.new_topics if is_topic else found.new_queues, found.created):
        if is_described:
            draft.refused |= dict.fromkeys((*new.lacking, *new.settings), CREATED)
        else:
            draft.inherit(new)
    if is_topic and is_described:
        draft.inherit(found.made_topics)
    draft.inherit(found.topics if is_topic else found.queues)
    draft.inherit(found.broker)


def _without_beans(found: Imported, lines: list[Understood]) -> dict[str, Draft]:
    for name, kind in found.names.values():
        found.named[name] = Draft("queues", as_name(name), fields={"kind": kind})
    known = {**found.named, **found.destinations}
    served = {draft.name: draft for name, draft in known.items() if not name.startswith(INTERNAL)}
    if served:
        message = "no file describes an MDB: one per destination is assumed, none for those of the broker itself"
        lines.append(Understood("defaulted", "queues", message))
        return served
    lines.append(Understood("defaulted", "queues.queue", "no file describes an MDB or a destination; one is assumed"))
    return {"queue": Draft("queues", "queue", dict[str, Sourced]())}
