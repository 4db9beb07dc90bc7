"""Open MQ with GlassFish: consumer flow control between the broker and the beans of each instance."""

from simulations.platforms.openmq.derivation import answers
from simulations.platforms.openmq.explanation import COSTS, explain
from simulations.platforms.openmq.files.configuration import patch, read, recognises, write
from simulations.platforms.openmq.files.domain_contents import NAME
from simulations.platforms.openmq.formulas import carried
from simulations.platforms.openmq.mapping import build_network
from simulations.platforms.openmq.parameters.instance import InstanceSettings
from simulations.platforms.openmq.parameters.mdb import MdbSettings
from simulations.platforms.openmq.quick import quick
from simulations.platforms.openmq.rules import RULES
from simulations.platforms.shared.family import Platform

OPENMQ = Platform(
    name=NAME,
    title="Open MQ with GlassFish",
    vendor="Eclipse Foundation",
    rules_version="4",
    server_parameters=InstanceSettings,
    queue_parameters=MdbSettings,
    answers=answers,
    build_network=build_network,
    read=read,
    recognises=recognises,
    write=write,
    patch=patch,
    explain=explain,
    costs=COSTS,
    quick=quick,
    carried=carried,
    rules=RULES,
)
