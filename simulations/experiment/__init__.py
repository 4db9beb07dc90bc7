"""Experiments as plans of points: sweeps, searches and their answers, without knowing where points are computed."""

# fmt: off
from simulations.experiment.points import (
    Expansion, Point, changes_nothing, expand, expansion, replication_key, values_of, with_overrides,
)
