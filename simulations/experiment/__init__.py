"""Experiments as plans of points: sweeps, searches and their answers, without knowing where points are computed."""

from simulations.experiment.points import Expansion, Point, changes_nothing, expansion, replication_key
from simulations.experiment.points import values_of, with_overrides
