"""The rules of WebSphere for z/OS, in the order in which they are shown."""

from simulations.platforms.shared.listener_port import delivery_rules
from simulations.platforms.shared.rules import rules_of
from simulations.platforms.websphere_zos.rules import servant_checks, session_checks, throttle_checks

DELIVERIES = delivery_rules("websphere-zos", session_checks.times_out)
RULES = (*rules_of(throttle_checks, session_checks), *DELIVERIES, *rules_of(servant_checks))
