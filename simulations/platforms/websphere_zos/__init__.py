"""WebSphere Application Server for z/OS with listener ports or activation specifications, before the WLM queue."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.websphere_zos.derivation import answers
from simulations.platforms.websphere_zos.explanation import COSTS, explain
from simulations.platforms.websphere_zos.files.configuration import NAME, read, recognises, write
from simulations.platforms.websphere_zos.formulas import carried
from simulations.platforms.websphere_zos.mapping import build_network
from simulations.platforms.websphere_zos.parameters.listener_port import ListenerPort
from simulations.platforms.websphere_zos.parameters.server import ServerSettings
from simulations.platforms.websphere_zos.quick import quick
from simulations.platforms.websphere_zos.rules import RULES

WEBSPHERE_ZOS = Platform(
    name=NAME,
    title="WebSphere Application Server for z/OS",
    vendor="IBM",
    rules_version="4",
    server_parameters=ServerSettings,
    queue_parameters=ListenerPort,
    answers=answers,
    build_network=build_network,
    read=read,
    recognises=recognises,
    write=write,
    explain=explain,
    costs=COSTS,
    quick=quick,
    carried=carried,
    rules=RULES,
)
