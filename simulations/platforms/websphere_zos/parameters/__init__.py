"""The settings of WebSphere on z/OS, each declared once."""

from simulations.platforms.websphere_zos.parameters.listener_port import SPEC_ONLY, ListenerPort
from simulations.platforms.websphere_zos.parameters.server import Profile, ServerSettings
