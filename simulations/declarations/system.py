"""What is described: servers and queues with their platform's settings. The value every platform function receives."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator

from simulations.declarations.identity import KNOWN, Identified, QueueIdentity
from simulations.declarations.parameters import Model, PlatformParameters, own
from simulations.declarations.sizes import MessageSize
from simulations.declarations.texts import LONGEST_NAME, VENDOR_NAME, path_of
from simulations.declarations.units import PositiveDuration
from simulations.declarations.workload import KIND, Arrivals, Distribution, Exponential, Poisson

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=VENDOR_NAME)]
MAX_MEMBERS = 256
"""Most equal members of a cluster."""
MAX_ENTRIES = 100
"""Most servers of a scenario, and most queues."""
ASSUMED = {"arrivals": Poisson(rate=10.0), "service": Exponential(mean=0.1)}
"""The load of every imported queue, until somebody enters its own."""


class Outage(Model):
    """Something is away for a while, once."""

    start: Annotated[PositiveDuration, own("s", "Outage begins", typical=(1, 86_400), start=600.0)]
    """Time from the start of the run until the outage begins."""
    duration: Annotated[PositiveDuration, own("s", "Outage lasts", typical=(1, 3600), start=60.0)]
    """How long it is away."""


class Background(Model):
    """Other work on the same threads as the MDBs, for example HTTP requests."""

    name: Annotated[Name, own(title="Work name")]
    arrivals: Annotated[Arrivals, own(title="Arrivals")]
    """How the requests arrive; ``saturated`` keeps the work always waiting."""
    service: Annotated[Distribution, own("s", "Service time")]
    """Thread time of one request."""
    settings: SerializeAsAny[PlatformParameters]
    """The platform's settings for this work."""


class Server(Model):
    """A server as the architect describes it; with ``instances`` above 1 a cluster of equal members."""

    name: Annotated[Name, own(title="Server name")]
    cpus: Annotated[int, Field(ge=1, le=1024), own("CPUs", "CPUs", typical=(1, 64), costs=True)] = 1
    """CPUs of one instance."""
    instances: Annotated[int, Field(ge=1, le=MAX_MEMBERS), own("instances", typical=(1, 32), costs=True)] = 1
    """Members of the cluster, each with its own CPUs, threads and consumers."""
    settings: SerializeAsAny[PlatformParameters]
    """The platform's settings of a server."""
    background: Annotated[tuple[Background, ...], own()] = ()
    """Other work on the same threads."""
    identity: Identified = None
    """What the vendor's configuration calls the server; exports name it so."""

    @property
    def path(self) -> str:
        """The scenario path of the server."""
        return path_of("servers", self.name)


class NextQueue(Model):
    """A queue that a bean sends messages on to after its work, in its transaction."""

    name: Annotated[Name, own(title="Next queue", names="queues")]
    """Name of the queue that they are sent to, on any server of the scenario."""
    messages: Annotated[float, Field(ge=0, le=100), own("messages", "Messages sent on", typical=(0, 5))] = 1.0
    """Mean number of messages sent for each message that is committed: the whole number below it, and one more with the
    probability of the rest. A message that is rolled back sends none."""


class Queue(Model):
    """A destination and the message-driven bean that listens to it."""

    name: Annotated[Name, own(title="Queue name")]
    kind: Annotated[Literal["queue", "topic"], KIND] = "queue"
    """Queue: each message is processed once. Topic: see the platform's distribution mode."""
    server: Annotated[Name, own(title="Server", names="servers")]
    """Name of the server whose MDB listens."""
    producers: Annotated[int, Field(ge=1, le=100_000), own("producers", typical=(1, 100))] = 1
    """Number of message producers that share the arrivals equally."""
    message_size: Annotated[MessageSize, own("B", typical=(10, 10_000_000))] = 1000.0
    """Bytes of one message: a number, or a distribution of which every message draws its own."""
    arrivals: Annotated[Arrivals, own(title="Arrivals")]
    """How messages arrive at the destination; kind ``none`` where only other queues send to it."""
    service: Annotated[Distribution, own("s", "Service time")]
    """Time inside ``onMessage``."""
    sends: Annotated[tuple[NextQueue, ...], Field(max_length=MAX_ENTRIES), own(title="Sends on to")] = ()
    """Queues that the bean sends messages on to with the commit of each message; none when empty."""
    settings: SerializeAsAny[PlatformParameters]
    """The platform's settings of the MDB and its destination."""
    identity: Annotated[QueueIdentity | None, KNOWN, own(title="Identity in the vendor's configuration")] = None
    """What the vendor's configuration calls the destination or listener port; exports name it so."""

    @field_validator("identity")
    @classmethod
    def _with_what_is_entered(cls, identity: QueueIdentity | None, info: ValidationInfo) -> QueueIdentity | None:
        entered = {f"{name}_assumed": False for name, value in ASSUMED.items() if info.data.get(name) != value}
        return identity and identity.model_copy(update=entered)

    @property
    def path(self) -> str:
        """The scenario path of the queue."""
        return path_of("queues", self.name)


class System(Model):
    """Servers and queues of one platform; names are unique and every queue names a server that exists."""

    platform: str
    servers: tuple[Server, ...]
    queues: tuple[Queue, ...]

    def server_of(self, queue: Queue) -> Server:
        """Return the server that ``queue`` names."""
        return next(server for server in self.servers if server.name == queue.server)

    def queues_of(self, server: Server) -> tuple[Queue, ...]:
        """Return the queues that name ``server``, in their written order."""
        return tuple(queue for queue in self.queues if queue.server == server.name)

    def senders(self, queue: Queue) -> tuple[tuple[Queue, float], ...]:
        """Return the queues whose beans send on to ``queue``, with how many messages for each of theirs."""
        named = ((sender, item) for sender in self.queues for item in sender.sends)
        return tuple((sender, item.messages) for sender, item in named if item.name == queue.name)


def has_outage(entity: Server | Queue) -> bool:
    """Return whether one of the settings of ``entity`` is an outage."""
    return any(isinstance(value, Outage) for value in vars(entity.settings).values())


def told_apart(servers: Iterable[Server], queues: Iterable[Queue]) -> tuple[Server, ...]:
    """Return the servers with unique names of work: ``server.name``, which nothing else has, where a name is used
    twice."""
    given = tuple(servers)
    uses = Counter([*(queue.name for queue in queues), *(work.name for server in given for work in server.background)])

    def renamed(server: Server, work: Background) -> Background:
        if uses[work.name] == 1:
            return work
        name = f"{server.name}.{work.name}"
        while name in uses:
            name = f"{server.name}.{name}"
        uses[name] += 1
        return work.model_copy(update={"name": name})

    return tuple(
        server.model_copy(update={"background": tuple(renamed(server, work) for work in server.background)})
        if server.background
        else server
        for server in given
    )
