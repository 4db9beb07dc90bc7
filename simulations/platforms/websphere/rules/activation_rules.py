"""The rules of WebSphere about activation specifications as data."""

from simulations.analysis.estimates.summary import Source
from simulations.platforms.shared.activation import ADVANCED, COMMAND
from simulations.platforms.shared.rules import Rule, per_queue, per_server
from simulations.platforms.websphere.parameters.activation import ADAPTER_POOL, THROTTLING
from simulations.platforms.websphere.rules import activation_checks as checks

ACTIVATION_RULES: tuple[Rule, ...] = (
    Rule(
        "websphere.adapter-pool-covers-sessions",
        "error",
        "The resource adapter has a thread for every server session",
        Source(ADAPTER_POOL, "sum of the server sessions of all activation specifications"),
        per_server(checks.adapter_pool_covers),
    ),
    Rule(
        "websphere.start-timeout-covers-wait",
        "warning",
        "A scheduled message gets a thread before the start timeout",
        Source(COMMAND, "startTimeout"),
        per_queue(checks.starts_in_time),
    ),
    Rule(
        "websphere.bean-pool-covers-endpoints",
        "warning",
        "There is a bean for every endpoint of the default messaging provider",
        Source(THROTTLING, "maximum concurrent endpoints and bean pool"),
        per_queue(checks.bean_pool_covers),
    ),
    Rule(
        "websphere.server-sessions-survive-quiet-times",
        "info",
        "Server sessions outlive the time between two messages",
        Source(ADVANCED, "Server session pool timeout"),
        per_queue(checks.sessions_stay),
    ),
    Rule(
        "websphere.failure-count-ignored",
        "info",
        "The failure delivery count counts only where failures stop the endpoint",
        Source(COMMAND, "failureDeliveryCount"),
        per_queue(checks.count_ignored),
    ),
    Rule(
        "websphere.activation-settings-ignored",
        "info",
        "Settings of an activation specification count only with its provider",
        Source(ADVANCED, "activation specification"),
        per_queue(checks.spec_ignored),
    ),
    Rule(
        "websphere.port-settings-ignored",
        "info",
        "Settings of a listener port count only with a listener port",
        Source(ADVANCED, "activation specification"),
        per_queue(checks.port_ignored),
    ),
    Rule(
        "websphere.adapter-pool-ignored",
        "info",
        "The pool of the resource adapter counts only with activation specifications",
        Source(ADAPTER_POOL, "use by activation specifications"),
        per_server(checks.pool_ignored),
    ),
)
