"""The rules of WebSphere, in the order in which they are shown."""

from simulations.platforms.shared.listener_port import delivery_rules
from simulations.platforms.shared.rules import rules_of
from simulations.platforms.websphere.formulas import times_out
from simulations.platforms.websphere.rules import activation_checks, port_checks, service_checks

RULES = (*rules_of(port_checks), *delivery_rules("websphere", times_out), *rules_of(service_checks, activation_checks))
