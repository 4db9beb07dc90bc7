"""The rules of Open MQ, in the order in which they are shown."""

from simulations.platforms.openmq.rules import broker_checks, flow_checks
from simulations.platforms.shared.rules import rules_of

RULES = rules_of(flow_checks, broker_checks)
