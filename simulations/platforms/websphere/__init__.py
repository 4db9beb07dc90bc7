"""WebSphere Application Server with listener ports, in ASF and in non-ASF mode, or activation specifications."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.websphere import derivation, explanation, formulas, mapping, quick, rules
from simulations.platforms.websphere.files import configuration
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings

WEBSPHERE = Platform(
    name=configuration.NAME,
    title="WebSphere Application Server",
    vendor="IBM",
    rules_version="9",
    server_parameters=ServerSettings,
    queue_parameters=ListenerPort,
    answers=derivation.answers,
    build_network=mapping.build_network,
    read=configuration.read,
    recognises=configuration.recognises,
    write=configuration.write,
    patch=configuration.patch,
    explain=explanation.explain,
    costs={"websphere.transaction-timeout": ("rollbacks",), "websphere.quiet-time-rollbacks": ("rollbacks",)},
    quick=quick.quick,
    carried=formulas.carried,
    rules=rules.RULES,
)
