"""What the files of Open MQ and GlassFish say, collected until all of them are read."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial

from simulations.declarations.parameters import natives_of
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.drafts import Draft, Sourced, together, unused
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
    common: dict[str, Draft] = field(default_factory=lambda: defaultdict(partial(Draft, "queues", "*")))
    """Destinations -> what counts for them where they have nothing of their own: ``all``, each ``queue`` or ``topic``,
    what the broker creates by itself (``new``, ``new queue``, ``new topic``), and what administrators (``made topic``).
    """
    server: Draft = field(default_factory=lambda: Draft("servers", "server"))
    named: dict[str, Draft] = field(default_factory=dict)
    """Destinations of which the files say the name alone, made where no file describes a bean."""
    config: dict[str, str] = field(default_factory=dict)
    """Identity of GlassFish's configuration that counts."""
    work_pool: str = ""
    """The pool of threads that the adapter is configured to have; empty where it has the usual one."""
    pools: dict[str, Draft] = field(default_factory=dict)
    """Connection pool of Open MQ's adapter -> what it says for the queues behind it."""
    connections: dict[str, Draft] = field(default_factory=lambda: defaultdict(partial(Draft, "servers", "server")))
    """Connection pool -> what it says for the connection, which the scenario has at the server."""
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
    server: Draft, draft: Draft, key: str, text: str, account: Account, element: Element, place: Place | None = None
) -> bool:
    """Set a setting of the connection factory: of the connection at the server, of the consumer at the queue."""
    setting = FACTORY_SERVER.get(key) or FACTORY_QUEUE.get(key)
    if setting is not None:
        holder = server if key in FACTORY_SERVER else draft
        holder.put(setting, value_of(text), account, element, place=place)
    return setting is not None


def assembled(found: Imported) -> Reading:
    """Return the scenario and the account of what was resolved, defaulted or left open while making it."""
    lines: list[Understood] = []
    queues = found.beans or _without_beans(found, lines)
    check_number(queues)
    known = {} if found.beans else {**found.named, **found.destinations}
    names = {draft.name: name for name, draft in known.items()}
    for bean, jndi, element, account in found.links:
        name, kind = found.names.get(jndi, (jndi, ""))
        target = found.destinations.get(name)
        queue, also = queues[bean], f" ({jndi})" if name != jndi else ""
        if (first := names.setdefault(bean, name)) != name:
            message = f"destination {name}{also} does not count: {first}, which was read before, does"
            account.note("contradictory", element, queue.path, message)
            continue
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
    if found.beans:
        used = {found.names.get(jndi, (jndi, ""))[0] for _, jndi, _, _ in found.links}
        lines += unused(found.destinations, used, "destination")
    alone = next(iter(found.pools.values())) if len(found.pools) == 1 else None
    _connection(found, lines)
    for draft in queues.values():
        name, linked = names.get(draft.name, ""), found.factories.get(found.factory_of.get(draft.name, ""))
        pool = alone if linked is None else found.pools.get(linked)
        _identify(draft, name, pool, found)
        take_from_adapter(draft, found.adapters)
        if pool is not None:
            draft.inherit(pool)
        elif len(found.pools) > 1:
            message = f"no file says which connection pool its factory has, of {', '.join(found.pools)}: none counts"
            lines.append(Understood("unresolved", draft.path, message))
        _from_broker(draft, found, is_described=name in found.destinations)
    return assemble(NAME, InstanceSettings, MdbSettings, {"server": found.server}, queues, lines)


def _connection(found: Imported, lines: list[Understood]) -> None:
    """Give the server what the pools of the beans say of their connections; where they differ, the first counts."""
    used = [found.factories.get(factory, "") for factory in found.factory_of.values()]
    named = [name for name in found.pools if name in used] or list(found.pools)
    known = [found.connections[name] for name in named]
    said = [{key: item.value for key, item in draft.settings.items()} for draft in known]
    differ = [name for name, each in zip(named, said, strict=True) if each != said[0]]
    if differ:
        message = f"connection pools differ in what the scenario has once: {named[0]} counts, not {', '.join(differ)}"
        lines.append(Understood("unresolved", found.server.path, message))
    first = named[:1] if differ or len(named) == 1 else []
    threads = {"role": "pool", "name": found.work_pool, "kind": "thread-pool"}
    found.server.identify(found.config, [threads, *(found.pools[name].fields["identity"] for name in first)])
    if known:
        found.server.inherit(together(known[:1] if differ else known))


def _identify(queue: Draft, name: str, pool: Draft | None, found: Imported) -> None:
    """Note what the broker calls a queue's destination, and the bean and the connection pool that have settings."""
    described = found.destinations.get(name)
    known = described or name in {name for name, _ in found.names.values()}
    kind, file = queue.fields.get("kind", "queue"), described.file if described else ""
    bean = {"role": "bean", "name": queue.name if queue.name in found.beans else "", "scope": "application"}
    identity = {"name": name, "kind": kind, "scope": "domain", "file": file} if known else {}
    queue.identify(identity, [bean, pool.fields["identity"] if pool else {}])


def _from_broker(draft: Draft, found: Imported, *, is_described: bool) -> None:
    """Give a queue what counts for all; new properties of the broker change only what it creates by itself."""
    kind = draft.fields.get("kind", "queue")
    for new in (found.common[f"new {kind}"], found.common["new"]):
        if is_described:
            draft.refused |= dict.fromkeys((*new.lacking, *new.settings), CREATED)
        else:
            draft.inherit(new)
    if is_described:
        draft.inherit(found.common[f"made {kind}"])
    draft.inherit(found.common[kind])
    draft.inherit(found.common["all"])


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
