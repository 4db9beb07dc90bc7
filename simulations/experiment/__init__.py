"""Experiments as plans of points: sweeps, searches and what they say, without knowing where points are computed."""

from simulations.experiment.arrivals import with_arrivals
from simulations.experiment.points import (
    Expansion,
    Point,
    changes_nothing,
    expand,
    expansion,
    replication_key,
    values_of,
    with_overrides,
)
from simulations.scenario.axes import MAX_POINTS
