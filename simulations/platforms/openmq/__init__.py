"""Open MQ with GlassFish: consumer flow control between the broker and the beans of each instance."""

from simulations.platforms.openmq import derivation, explanation, formulas, mapping, quick, rules
from simulations.platforms.openmq.files import configuration
from simulations.platforms.openmq.files.domain_contents import NAME
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.family import Platform

OPENMQ = Platform(
    name=NAME,
    title="Open MQ with GlassFish",
    vendor="Eclipse Foundation",
    rules_version="11",
    server_parameters=InstanceSettings,
    queue_parameters=MdbSettings,
    answers=derivation.answers,
    build_network=mapping.build_network,
    read=configuration.read,
    recognises=configuration.recognises,
    write=configuration.write,
    patch=configuration.patch,
    explain=explanation.explain,
    costs={"openmq.cluster-hoarding": ("balance.busiest_share", "drain_time")},
    quick=quick.quick,
    carried=formulas.carried,
    rules=rules.RULES,
)
