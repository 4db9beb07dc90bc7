"""The rules of WebSphere for z/OS, in the order in which they are shown."""

from simulations.platforms.shared.listener_port import delivery_rules
from simulations.platforms.shared.rules import rules_of
from simulations.platforms.websphere_zos.rules import servant_checks, session_checks, throttle_checks

RULES = (*rules_of(throttle_checks, session_checks), *delivery_rules("websphere-zos"), *rules_of(servant_checks))
