"""The rules of Open MQ as data."""

from simulations.analysis.summary import Source
from simulations.platforms.openmq import checks
from simulations.platforms.openmq.parameters import ADAPTER, ADMIN, CONTAINER, FLOW, OWN_MODEL
from simulations.platforms.rules import Rule, per_queue, per_server

RULES: tuple[Rule, ...] = (
    Rule(
        "openmq.stable",
        "error",
        "Fewer messages arrive than the window carries",
        Source(OWN_MODEL, "capacity of one MDB", "assumed"),
        per_queue(checks.stable),
    ),
    Rule(
        "openmq.limit-covers-pool",
        "error",
        "The consumer flow limit is not below the pool",
        Source(FLOW, "limit not below the maximum pool size"),
        per_queue(checks.limit_covers_pool),
    ),
    Rule(
        "openmq.threshold-covers-pool",
        "warning",
        "The messages left at a top-up cover the pool",
        Source(OWN_MODEL, "window with hysteresis", "assumed"),
        per_queue(checks.threshold_covers_pool),
    ),
    Rule(
        "openmq.round-trip-covered",
        "warning",
        "The messages left at a top-up cover the round trip",
        Source(FLOW, "client runs dry before the next batch"),
        per_queue(checks.round_trip_covered),
    ),
    Rule(
        "openmq.connection-covers-pool",
        "error",
        "The connection flow limit is not below the pool",
        Source(FLOW, "connection limit not below the maximum pool size"),
        per_queue(checks.connection_covers_pool),
    ),
    Rule(
        "openmq.connection-limit-ignored",
        "info",
        "A connection flow limit counts only when enabled",
        Source(ADMIN, "imqConnectionFlowLimitEnabled"),
        per_server(checks.connection_limit_ignored),
    ),
    Rule(
        "openmq.cluster-hoarding",
        "warning",
        "No instance of a cluster takes far more messages than it needs",
        Source(FLOW, "application server clusters"),
        per_queue(checks.hoarding),
    ),
    Rule(
        "openmq.shared-topic-limit",
        "error",
        "The shared limit of a topic in a cluster is not below the pool",
        Source(ADMIN, "sharedConsumerFlowLimit"),
        per_queue(checks.shared_topic_limit),
    ),
    Rule(
        "openmq.shared-limit-ignored",
        "info",
        "The shared limit counts only for a topic in a cluster",
        Source(ADMIN, "sharedConsumerFlowLimit"),
        per_queue(checks.shared_limit_ignored),
    ),
    Rule(
        "openmq.lower-limit-counts",
        "info",
        "The lower of the factory and destination limit counts",
        Source(FLOW, "a lower value in the broker"),
        per_queue(checks.lower_limit_counts),
    ),
    Rule(
        "openmq.prefetch-off",
        "info",
        "Without prefetch the limits do nothing",
        Source(ADMIN, "imqConsumerFlowLimitPrefetch"),
        per_queue(checks.prefetch_off),
    ),
    Rule(
        "openmq.client-memory",
        "warning",
        "Messages sent ahead fit in the memory of the client",
        Source(FLOW, "pre-sent messages take up client memory"),
        per_queue(checks.memory),
    ),
    Rule(
        "openmq.threads-cover-pools",
        "warning",
        "The work threads cover the pools of all MDBs",
        Source(CONTAINER, "work manager threads"),
        per_server(checks.threads_cover_pools),
    ),
    Rule(
        "openmq.steady-pool",
        "info",
        "The steady pool is not above the maximum",
        Source(CONTAINER, "steady-pool-size"),
        per_server(checks.steady_pool_ignored),
    ),
    Rule(
        "openmq.rollbacks-end",
        "warning",
        "A message that is rolled back again and again ends",
        Source(ADMIN, "imq.transaction.message.maxConsecutiveRollbacks"),
        per_queue(checks.rollbacks_end),
    ),
    Rule(
        "openmq.redelivery-holds-beans",
        "warning",
        "Redelivery does not keep beans waiting",
        Source(ADAPTER, "endpointExceptionRedeliveryInterval"),
        per_queue(checks.redelivery_holds_beans),
    ),
    Rule(
        "openmq.producers-slowed",
        "warning",
        "A full destination slows its producers",
        Source(ADMIN, "limitBehavior"),
        per_queue(checks.producers_slowed),
    ),
    Rule(
        "openmq.behavior-ignored",
        "info",
        "A limit behavior counts only with a limit",
        Source(ADMIN, "limitBehavior"),
        per_queue(checks.behaviour_ignored),
    ),
)
