"""WebSphere Application Server with listener ports, in ASF and in non-ASF mode, or activation specifications."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.websphere.derivation import answers
from simulations.platforms.websphere.explanation import COSTS, explain
from simulations.platforms.websphere.files.configuration import NAME, patch, read, recognises, write
from simulations.platforms.websphere.formulas import carried
from simulations.platforms.websphere.mapping import build_network
from simulations.platforms.websphere.parameters.listener_port import ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings
from simulations.platforms.websphere.quick import quick
from simulations.platforms.websphere.rules import RULES

WEBSPHERE = Platform(
    name=NAME,
    title="WebSphere Application Server",
    vendor="IBM",
    rules_version="4",
    server_parameters=ServerSettings,
    queue_parameters=ListenerPort,
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
