"""The rules of WebLogic about pools of beans, members, suspensions, stuck threads and overload, as data."""

from simulations.analysis.estimates.summary import Source
from simulations.platforms.shared.rules import Rule, per_queue
from simulations.platforms.weblogic.rules import outage_checks
from simulations.platforms.weblogic.sources import BEANS, DEPLOYMENT, OWN_MODEL, TUNING, WORK

OUTAGE_RULES: tuple[Rule, ...] = (
    Rule(
        "weblogic.initial-beans",
        "info",
        "No more instances are made at deployment than can run",
        Source(TUNING, "initial-beans-in-free-pool"),
        per_queue(outage_checks.initial_beans),
    ),
    Rule(
        "weblogic.every-member",
        "info",
        "EveryMember counts only for a queue with several members",
        Source(DEPLOYMENT, "distributed-destination-connection"),
        per_queue(outage_checks.every_member),
    ),
    Rule(
        "weblogic.one-queue-for-all",
        "info",
        "What the simulation assumes of the members of a distributed queue",
        Source(OWN_MODEL, "members of a destination", "assumed"),
        per_queue(outage_checks.one_queue_for_all),
    ),
    Rule(
        "weblogic.suspension-grows",
        "info",
        "The first suspension is not longer than the longest",
        Source(DEPLOYMENT, "init-suspend-seconds and max-suspend-seconds"),
        per_queue(outage_checks.suspension_grows),
    ),
    Rule(
        "weblogic.not-stuck",
        "warning",
        "No thread counts as stuck that is only slow",
        Source(BEANS, "stuck-thread-max-time"),
        per_queue(outage_checks.not_stuck),
    ),
    Rule(
        "weblogic.shared-capacity",
        "warning",
        "The capacity of the whole server covers its work",
        Source(WORK, "shared-capacity-for-work-managers"),
        per_queue(outage_checks.shared_capacity),
    ),
)
