"""The answer of one point: what the formulas say before, what the replications say after, and the rules' verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from simulations.analysis.estimates import point as estimators
from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.estimates.summary import Derivation, PointSummary
from simulations.analysis.replications.rows import ReplicationRow, stacked
from simulations.analysis.replications.sample import Sample, sample_of
from simulations.engine.network.model import NetworkSpec
from simulations.experiment import Point
from simulations.scenario.runsettings import RunSettings


@dataclass(frozen=True)
class Asked:
    """A point with what its scenario says without simulating; made once, used after every round."""

    point: Point
    only: frozenset[str] | None = None
    """Metrics that are wanted of one point among many; None wants the whole answer with pictures and rules."""

    @cached_property
    def network(self) -> NetworkSpec:
        """What is simulated."""
        return self.point.spec.network()

    @cached_property
    def derivation(self) -> Derivation:
        """What the formulas say; nothing where only some metrics of one point among many are wanted."""
        spec = self.point.spec
        return spec.family.derive(spec.system) if self.only is None else Derivation((), ())

    @cached_property
    def _known(self) -> estimators.KnownPoint:
        spec, values = self.point.spec, self.derivation.values
        # Of several servers or queues the name comes first, also where a formula holds for one of them alone.
        several = {one.name for group in (spec.servers, spec.queues) if len(group) > 1 for one in group}
        names = [f"{item.entity}.{item.name}" if item.entity in several else item.name for item in values]
        return estimators.KnownPoint(
            index=self.point.index,
            overrides=self.point.overrides,
            network=self.network,
            servers=[server.name for server in spec.servers],
            carried=spec.family.largest_throughputs(spec.system),
            derived={name: item.value for name, item in zip(names, values, strict=True)},
            findings=self.derivation.findings,
        )

    @property
    def _warmup(self) -> float | None:
        warmup = self.point.spec.run.warmup
        return None if warmup == "auto" else warmup

    def sample(self, rows: Sequence[ReplicationRow]) -> Sample:
        """Return the replications made ready to be the baseline of other points."""
        return sample_of(self.network, stacked(rows), self._warmup)

    def answer(
        self, rows: Sequence[ReplicationRow], *, precision: Precision | None = None, baseline: Sample | None = None
    ) -> PointSummary:
        """Return the answer that ``rows`` give, with paired differences to ``baseline``, point 0, if there is one."""
        if precision is None and self.only is not None:
            precision = Precision()
        summary = estimators.summarize(
            self._known, rows, precision=precision, warmup=self._warmup, baseline=baseline, only=self.only
        )
        if self.only is not None:
            rates = {f"{name}.carried_rate": rate for name, rate in self._known.carried.items()}
            return replace(summary, derived=rates)
        costs = (self.point.spec.family.with_cost(item, summary) for item in self.derivation.findings)
        # A verdict of the formulas gives way where the simulation judged the same rule of the same queue.
        findings = (*summary.findings, *costs)
        return replace(summary, findings=tuple({(item.rule, item.queue): item for item in findings}.values()))


def precision_of(run: RunSettings) -> Precision:
    """Return the precision that the run's settings ask for."""
    return Precision(run.precision.metric, run.precision.relative)
