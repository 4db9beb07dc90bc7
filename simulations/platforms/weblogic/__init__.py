"""WebLogic Server: work managers, message-driven beans, JMS flow control and quotas."""

from simulations.declarations.tables import table_beside
from simulations.platforms.shared.family import Platform
from simulations.platforms.weblogic import derivation, explanation, formulas, mapping, quick, rules
from simulations.platforms.weblogic.files import configuration
from simulations.platforms.weblogic.files.assembly import NAME
from simulations.platforms.weblogic.files.work_managers.patches import normal_form
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings, WorkSettings

WEBLOGIC = Platform(
    name=NAME,
    title="Oracle WebLogic Server",
    vendor="Oracle",
    rules_version="11",
    server_parameters=ServerSettings,
    queue_parameters=MdbSettings,
    background_parameters=WorkSettings,
    answers=derivation.answers,
    build_network=mapping.build_network,
    read=configuration.read,
    recognises=configuration.recognises,
    write=configuration.write,
    explain=explanation.explain,
    costs=table_beside(__file__, "costs.yaml"),
    quick=quick.quick,
    carried=formulas.carried,
    rules=rules.RULES,
    patch=configuration.patch,
    normal_form=normal_form,
)
