"""What the vendor's configuration calls an object: enough to look it up there."""

from typing import Annotated, Any, Literal

from pydantic import Field

from simulations.declarations.parameters import Model, own
from simulations.declarations.texts import ONE_LINE

LONGEST = 500
MOST_PARTS = 20
Word = Annotated[str, Field(max_length=LONGEST, pattern=ONE_LINE)]
Scope = Literal["", "domain", "application"]

KNOWN = Field(exclude_if=lambda value: value in ("", (), None, False))
"""What is not known is not written: a scenario without it stays as it was."""


UNLIMITED = "unlimited"
"""The role of a part that is a setting: the imported files give it no limit, for which the scenario has no value."""


class VendorName(Model):
    """Name and place of an object of the vendor's configuration; what is not known is empty."""

    name: Annotated[Word, KNOWN, own(title="Vendor's name")] = ""
    """The name as the vendor's configuration writes it."""
    kind: Annotated[Word, KNOWN, own(title="Kind of object")] = ""
    """What the object is there, for example ``UniformDistributedQueue`` or ``ListenerPort``."""
    module: Annotated[Word, KNOWN, own(title="Module")] = ""
    """The JMS module or the application that holds it."""
    file: Annotated[Word, KNOWN, own(title="File")] = ""
    """The file that declares it."""
    scope: Annotated[Scope, KNOWN, own(title="Scope")] = ""
    """Whether the domain has it, or one application alone."""
    parent: Annotated[Word, KNOWN, own(title="Parent")] = ""
    """The cluster, configuration, node or cell that it belongs to."""
    target: Annotated[Word, KNOWN, own(title="Target")] = ""
    """The server or cluster that it is deployed to."""


class Part(VendorName):
    """A further object that holds some of the settings, for example the connection factory of a queue."""

    role: Annotated[Word, Field(min_length=1), own(title="Role")]
    """What it is to the server, queue or work manager: ``factory``, ``quota``, ``bean``, ``pool``; ``unlimited``: the
    setting of this name, to which the imported files give no limit."""


class Identity(VendorName):
    """The identity of a server, a queue, a work manager or a constraint, and of the objects beside it."""

    parts: Annotated[tuple[Part, ...], Field(max_length=MOST_PARTS), KNOWN, own(title="Further objects")] = ()
    """The objects that hold the rest of the settings, each with its role."""

    def part(self, role: str) -> VendorName:
        """Return the object with this role; one of which nothing is known where there is none."""
        return next((part for part in self.parts if part.role == role), VendorName())


class QueueIdentity(Identity):
    """The identity of a queue, and which parts of its load no imported file said and nobody has entered since."""

    arrivals_assumed: Annotated[bool, KNOWN, own(title="Arrivals are a placeholder")] = False
    """An import assumed the arrivals. Other arrivals take the mark away; remove it where these are right."""
    service_assumed: Annotated[bool, KNOWN, own(title="Service time is a placeholder")] = False
    """An import assumed the time in ``onMessage``. Another time takes the mark away; remove it where it is right."""


def without_identities(value: Any) -> Any:
    """Return a scenario's body, or a part of it, without what the vendor's configuration calls things."""
    if isinstance(value, dict):
        return {key: without_identities(item) for key, item in value.items() if key != "identity"}
    return [without_identities(item) for item in value] if isinstance(value, list) else value


def with_identities(value: Any, known: Any) -> Any:
    """Return a body, or a part of it, in which what has no identity takes that of its name in ``known``."""
    if isinstance(value, dict) and isinstance(known, dict):
        found = {key: with_identities(item, known.get(key)) for key, item in value.items()}
        lacks = "identity" in known and not Identity.model_fields.keys() & (value.get("identity") or {}).keys()
        return {**found, "identity": known["identity"]} if lacks else found
    if isinstance(value, list) and isinstance(known, list):
        named = {item["name"]: item for item in known if _is_named(item)}
        return [with_identities(item, named.get(item["name"])) if _is_named(item) else item for item in value]
    return value


def _is_named(item: object) -> bool:
    return isinstance(item, dict) and "name" in item


UNKNOWN = Identity()
"""The identity of what nobody has looked up."""
Identified = Annotated[Identity | None, KNOWN, own(title="Identity in the vendor's configuration")]
"""The type of the optional field ``identity``; it is not written where it is not known."""
