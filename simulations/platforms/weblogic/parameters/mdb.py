"""WebLogic Server: settings of a message-driven bean, its destination and the producers' connection factory."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import assumed, held_by, setting
from simulations.declarations.texts import ONE_LINE
from simulations.declarations.units import Duration, LongDuration, PositiveDuration, PositiveRate, Share, whole_in
from simulations.platforms.shared.queues import MAX_INT, AtLeastOne, AtLeastZero, CountOrAny, QueueParameters
from simulations.platforms.weblogic import sources
from simulations.platforms.weblogic.parameters.server import DEFAULT_WORK_MANAGER, MANAGED, MANAGERS, ManagerName
from simulations.platforms.weblogic.sources import BEANS, DEPLOYMENT, FLOW, JMS, OWN_MODEL, THRESHOLDS, TUNING

BEAN = "bean/message-driven-descriptor"
at_pool, at_style = held_by(TUNING, f"{BEAN}/pool"), held_by(TUNING, BEAN)
at_descriptor, at_batch = held_by(DEPLOYMENT, BEAN), held_by(sources.BATCHING, BEAN)
at_bean, at_transaction = held_by(DEPLOYMENT, "bean"), held_by(DEPLOYMENT, "bean/transaction-descriptor")
at_thresholds = held_by(THRESHOLDS, "destination/thresholds", unlimited=-1)
at_flow, at_sends = held_by(FLOW, "factory/flow-control-params"), held_by(FLOW, "factory/default-delivery-params")
at_client, at_one_way = held_by(JMS, "factory/client-params"), held_by(JMS, "factory/flow-control-params")
at_failure = held_by(BEANS, "destination/delivery-failure-params")
at_overrides = held_by(BEANS, "destination/delivery-params-overrides")
at_quota = held_by(f"{JMS}, quotas", "quota", unlimited=-1)
MAX_LONG = 2**63 - 1
THRESHOLD_NAMES = tuple(f"{unit}_threshold_{mark}" for unit in ("messages", "bytes") for mark in ("high", "low"))
"""Names of the settings that arm flow control."""
Mode = Literal["Compatibility", "One-Copy-Per-Server", "One-Copy-Per-Application"]
Bound = Annotated[int, Field(ge=-1, le=MAX_LONG)]
"""A count; -1 = none."""
BytesBound = Annotated[Bound, whole_in("B")]
"""A size; -1 = none."""
VendorName = Annotated[str, Field(max_length=200, pattern=ONE_LINE)]
"""What the vendor's configuration calls an object; empty = nothing."""
WholeRate = Annotated[int, whole_in("/s"), Field(ge=1, le=MAX_INT)]
"""Messages per second, as the vendor writes them: a whole number."""


class MdbSettings(QueueParameters):
    """A message-driven bean with the destination it listens to."""

    work_manager: Annotated[
        ManagerName, at_bean("1", "dispatch-policy", sweep=False, names=MANAGERS, start=MANAGED[0]["name"])
    ] = DEFAULT_WORK_MANAGER
    """Work manager (or ``default``) whose threads run the bean."""
    max_beans_in_free_pool: Annotated[AtLeastOne, at_pool("beans", "max-beans-in-free-pool", (1, 1000))] = 1000
    """Most instances of the bean; on its own it never lifts the limit of 16."""
    max_messages_in_transaction: Annotated[
        AtLeastOne, at_batch("messages", "max-messages-in-transaction", (1, 100))
    ] = 1
    """Messages processed in one transaction when they are at hand; 1 = no batching."""
    transactional: Annotated[bool, setting("1", TUNING, "trans-attribute")] = True
    """Whether messages are received inside a container-managed transaction."""
    execute_queue_size: Annotated[
        int | None, Field(ge=1, le=65534), setting("threads", TUNING, "execute-queue", (1, 200), costs=True)
    ] = None
    """Threads of an execute queue of the bean's own; empty = there is none."""
    destination: Annotated[Literal["weblogic", "foreign"], setting("1", TUNING, "", title="Destination provider")] = (
        "weblogic"
    )
    """Whose messaging provider hosts the destination."""
    topic_messages_distribution_mode: Annotated[Mode, setting("1", sources.TOPICS, "topicMessagesDistributionMode")] = (
        "Compatibility"
    )
    """Who gets a topic's message: every member as before 10.3.4, one copy per server, or one per application."""
    unit_of_order: Annotated[bool, setting("1", TUNING, "unit-of-order", sweep=False)] = False
    """Whether the messages carry a unit of order. It is checked by a rule; the simulation does not order units."""
    commit_time: Annotated[Duration, assumed("s", OWN_MODEL, (0, 0.1), place="cost of one commit")] = 0.0
    """Time of one commit; one-phase and two-phase commits differ, so enter what was measured."""
    use_81_style_polling: Annotated[bool, at_style("1", "use81-style-polling", title="8.1-style polling")] = False
    """Polling as up to release 10.0: pollers are added slowly and keep their threads."""
    poll_interval: Annotated[PositiveDuration, assumed("s", OWN_MODEL, (0.1, 60), place="8.1-style poll cycle")] = 1.0
    """Time between two polls of an 8.1-style poller that found nothing."""
    transaction_timeout: Annotated[PositiveDuration, at_transaction("s", "trans-timeout-seconds", (1, 300))] = 30.0
    """Age at which the transaction, with all messages of its batch, is rolled back."""
    messages_maximum: Annotated[AtLeastOne, at_client("messages", "messages-maximum", (1, 200), no_limit=-1)] = 10
    """Messages that wait behind each instance of an asynchronous consumer, even while other instances are idle."""
    acknowledged_failures: Annotated[Share, assumed("1", OWN_MODEL, place="early acknowledgement")] = 0.0
    """Share of failed deliveries that were acknowledged all the same, so that their messages are lost. It acts where
    several beans without transactions read a foreign topic. The vendor gives no number."""
    redelivery_limit: Annotated[CountOrAny, at_failure("attempts", "redelivery-limit", (0, 20), unlimited=-1)] = -1
    """Redeliveries of a message before it leaves the destination; -1 = for ever."""
    redelivery_delay: Annotated[Duration, at_overrides("s", "redelivery-delay", (0, 60), factor=1000)] = 0.0
    """Wait before a rolled-back message is delivered again. The vendor writes milliseconds."""
    error_destination: Annotated[VendorName, at_failure("1", "error-destination")] = ""
    """Where messages go after the redelivery limit; empty = they are dropped."""
    messages_threshold_high: Annotated[Bound, at_thresholds("messages", "messages-high", (10, 1_000_000))] = -1
    """Messages above which producers are slowed down; -1 = never."""
    messages_threshold_low: Annotated[Bound, at_thresholds("messages", "messages-low", (10, 1_000_000))] = -1
    """Messages below which producers recover."""
    bytes_threshold_high: Annotated[BytesBound, at_thresholds("B", "bytes-high", (10_000, 10_000_000_000))] = -1
    """Bytes above which producers are slowed down; -1 = never."""
    bytes_threshold_low: Annotated[BytesBound, at_thresholds("B", "bytes-low", (10_000, 10_000_000_000))] = -1
    """Bytes below which producers recover."""
    jms_server: Annotated[VendorName, setting("1", THRESHOLDS, "", title="JMS server", sweep=False)] = ""
    """JMS server whose thresholds these are: all destinations on its server that name it count together. Empty = they
    are the destination's own."""
    messages_quota: Annotated[Bound, at_quota("messages", "messages-maximum", (10, 1_000_000))] = -1
    """Stored messages, pending ones included, beyond which senders wait; -1 = no quota."""
    bytes_quota: Annotated[BytesBound, at_quota("B", "bytes-maximum", (10_000, 10_000_000_000))] = -1
    """Stored bytes beyond which senders wait; -1 = no quota."""
    blocking_send_policy: Annotated[
        Literal["FIFO", "Preemptive"], setting("1", THRESHOLDS, "policy", where="quota", place="blocking-send-policy")
    ] = "FIFO"
    """FIFO: senders are served in order. Preemptive: a message that fits may pass a larger one."""
    flow_control_enabled: Annotated[bool, at_flow("1", "flow-control-enabled")] = True
    """Whether producers of the connection factory slow down when a threshold is exceeded."""
    flow_maximum: Annotated[WholeRate, at_flow("/s", "flow-maximum", (1, 1000))] = 500
    """Most messages per second of one producer while it is limited; the limit starts here."""
    flow_minimum: Annotated[
        PositiveRate,
        Field(ge=1, le=MAX_INT),
        at_flow("/s", "flow-minimum", (1, 1000), place="Flow Minimum, Flow Steps"),
    ] = 50.0
    """Messages per second below which a producer's limit never falls. The vendor's own value is a whole number."""
    messages_per_producer: Annotated[
        AtLeastZero, assumed("messages", OWN_MODEL, (0, 10_000), place="life of a producer")
    ] = 0
    """Messages after which a producer is closed and a new one made, which has no limit yet; 0 = producers stay."""
    flow_interval: Annotated[
        LongDuration,
        Field(le=MAX_INT),
        at_flow("s", "flow-interval", (0, 300), doubt="that 0 changes the limit at once"),
    ] = 60.0
    """Time of the whole way from the maximum to the minimum, or back; 0 = at once."""
    flow_steps: Annotated[AtLeastOne, at_flow("steps", "flow-steps", (1, 100))] = 10
    """Number of equal time steps in which that way is gone."""
    send_timeout: Annotated[LongDuration, at_sends("s", "send-timeout", (0, 10), factor=1000)] = 0.01
    """Longest wait of a sender for room; 0 = it does not wait. The vendor writes milliseconds."""
    one_way_send_mode: Annotated[
        Literal["disabled", "enabled", "topicOnly"], at_one_way("1", "one-way-send-mode", title="One-way send mode")
    ] = "disabled"
    """Whether non-persistent messages are sent without waiting for the server's reply."""
    one_way_send_window: Annotated[
        AtLeastOne, at_one_way("messages", "one-way-send-window-size", (1, 1000), "One-way send window")
    ] = 1
    """Every n-th one-way message waits for a reply; 1 = all do, which switches one-way sends off in effect."""
    initial_beans_in_free_pool: Annotated[
        AtLeastZero, at_pool("beans", "initial-beans-in-free-pool", (0, 200), sweep=False)
    ] = 0
    """Instances made when the bean is deployed. Making one takes no time in the simulation; a rule says when more are
    made than can ever run."""
    distributed_destination_connection: Annotated[
        Literal["LocalOnly", "EveryMember"], at_descriptor("1", "distributed-destination-connection")
    ] = "LocalOnly"
    """Whether the bean on each server takes messages from its own server's member of a distributed queue, or from every
    member, with a pool of instances for each. The simulation has one queue for all members, from which every server
    takes; a rule says what that means."""
    jms_polling_interval: Annotated[
        PositiveDuration,
        at_descriptor("s", "jms-polling-interval-seconds", (0.1, 60), "JMS polling interval", doubt="the default"),
    ] = 10.0
    """Time between two tries to connect to the destination again; it has nothing to do with polling for messages.
    An outage of the broker lasts for the bean until such a try."""
    init_suspend: Annotated[
        Duration, at_descriptor("s", "init-suspend-seconds", (0, 60), "Initial suspension", doubt="default and growth")
    ] = 5.0
    """Time for which the bean takes no messages after a resource of it failed for the first time. Each further failure
    in a row is taken to double it, up to the longest suspension."""
    max_suspend: Annotated[
        Duration, at_descriptor("s", "max-suspend-seconds", (0, 300), "Longest suspension", doubt="the default")
    ] = 60.0
    """Longest such time: a resource that is back is used again after this at the latest. Beans of the simulation go on
    taking messages while what they need downstream is away, and fail."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.flow_minimum > self.flow_maximum:
            raise ValueError(f"flow_minimum {self.flow_minimum} is above flow_maximum {self.flow_maximum}; lower it")
        for unit in ("messages", "bytes"):
            high, low = getattr(self, f"{unit}_threshold_high"), getattr(self, f"{unit}_threshold_low")
            if (high == -1) != (low == -1):
                raise ValueError(f"give both {unit}_threshold_high and {unit}_threshold_low, or neither")
            if low > high:
                raise ValueError(f"{unit}_threshold_low {low} is above the high threshold {high}; lower it")
        return self
