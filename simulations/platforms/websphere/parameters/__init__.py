"""The settings of WebSphere, each declared once."""

from simulations.platforms.websphere.parameters.listener_port import SPEC_ONLY, ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings
