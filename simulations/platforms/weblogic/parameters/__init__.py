"""The settings of WebLogic, each declared once."""

from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.parameters.server import Kind, ServerSettings, WorkManager, WorkSettings
