"""The settings of Open MQ and GlassFish, each declared once."""

from simulations.platforms.openmq.parameters.instance import InstanceSettings, Unlimited
from simulations.platforms.openmq.parameters.mdb import MdbSettings
