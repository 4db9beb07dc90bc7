"""What an input does at the ends of its range."""

from frontend.answers.assumptions import ends_text
from simulations.analysis.estimates.summary import Estimate
from simulations.experiment.sensitivities import Effect, End
from simulations.scenario.spec import parse
from tests.scenarios import listener_port

CPUS = "servers.payments.cpus"


def test_both_ends_of_an_input_have_one_unit() -> None:
    spec = parse(listener_port("Ends"))
    worse, better = Estimate(168.2, 165.0, 171.4, "s"), Estimate(-280.2, -285.9, -274.5, "s")
    effect = Effect(CPUS, End(1, "ok", worse), End(3, "ok", better))
    assert ends_text(spec, effect) == "+2.803 ± 0.053 min at 1 CPU; −4.670 ± 0.095 min at 3 CPUs"
    assert ends_text(spec, Effect(CPUS, End(1, "unstable", None), End(3, "ok", None))) == "unstable at 1 CPU"
    assert ends_text(spec, Effect(CPUS, End(1, "ok", None), End(3, "ok", None))) == "no answer"
