"""The smallest complete platform family: one folder, registered by one import and one entry."""

from simulations.platforms.shared.family import Platform
from simulations.platforms.shared.queues import NoSettings
from tests.simulations.platforms.tiny.configuration import NAME, read, recognises, write
from tests.simulations.platforms.tiny.derivation import RULES, answers
from tests.simulations.platforms.tiny.explanation import explain
from tests.simulations.platforms.tiny.mapping import build_network
from tests.simulations.platforms.tiny.parameters import QueueSettings, ServerSettings

TINY = Platform(
    name=NAME,
    title="Tiny",
    vendor="Nobody",
    rules_version="1",
    server_parameters=ServerSettings,
    queue_parameters=QueueSettings,
    background_parameters=NoSettings,
    answers=answers,
    build_network=build_network,
    read=read,
    recognises=recognises,
    write=write,
    explain=explain,
    rules=RULES,
)
