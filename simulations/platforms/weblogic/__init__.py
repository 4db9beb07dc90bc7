"""WebLogic Server: work managers, message-driven beans, JMS flow control and quotas."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.weblogic.derivation import derive
from simulations.platforms.weblogic.explanation import COSTS, explain
from simulations.platforms.weblogic.files.assembly import NAME
from simulations.platforms.weblogic.files.configuration import patch, read, recognises, write
from simulations.platforms.weblogic.files.normal_form import normal_form
from simulations.platforms.weblogic.formulas import carried
from simulations.platforms.weblogic.mapping import build_network
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.parameters.server import ServerSettings, WorkSettings
from simulations.platforms.weblogic.quick import quick
from simulations.platforms.weblogic.rules import RULES

WEBLOGIC = Platform(
    name=NAME,
    title="Oracle WebLogic Server",
    vendor="Oracle",
    rules_version="4",
    server_parameters=ServerSettings,
    queue_parameters=MdbSettings,
    background_parameters=WorkSettings,
    derive=derive,
    build_network=build_network,
    read=read,
    recognises=recognises,
    write=write,
    explain=explain,
    costs=COSTS,
    quick=quick,
    carried=carried,
    rules=RULES,
    patch=patch,
    normal_form=normal_form,
)
