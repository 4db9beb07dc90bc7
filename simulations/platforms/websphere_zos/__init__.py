"""WebSphere Application Server for z/OS with listener ports or activation specifications, before the WLM queue."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.websphere_zos import derivation, explanation, formulas, mapping, quick, rules
from simulations.platforms.websphere_zos.files import configuration
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings

WEBSPHERE_ZOS = Platform(
    name=configuration.NAME,
    title="WebSphere Application Server for z/OS",
    vendor="IBM",
    rules_version="10",
    server_parameters=ServerSettings,
    queue_parameters=ListenerPort,
    answers=derivation.answers,
    build_network=mapping.build_network,
    read=configuration.read,
    recognises=configuration.recognises,
    write=configuration.write,
    explain=explanation.explain,
    costs={"websphere-zos.queue-timeout-tail": ("timeouts.queue", "timeouts.share")},
    quick=quick.quick,
    carried=formulas.carried,
    rules=rules.RULES,
)
