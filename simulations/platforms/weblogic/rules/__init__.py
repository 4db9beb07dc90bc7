"""The rules of WebLogic, in the order in which they are shown."""

from simulations.platforms.shared.rules import rules_of
from simulations.platforms.weblogic.rules import message_checks, outage_checks, thread_checks

RULES = rules_of(thread_checks, message_checks, outage_checks)
