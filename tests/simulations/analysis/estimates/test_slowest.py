"""The slowest messages: exact where latency is a service time, nothing where there are none."""

import math

from simulations.analysis.estimates.slowest import slowest_parts
from simulations.analysis.theory.queues import MMc
from simulations.engine.network.model import Horizon, Pool
from tests.simulations.engine.networks import exponential, network, poisson, stream


def test_without_waiting_the_slowest_exponential_services_exceed_the_bound_by_their_mean() -> None:
    mean, bound = 0.2, -0.2 * math.log(0.05)
    queue = stream(arrivals=poisson(10.0), service=exponential(mean))
    spec = network(queue, pool=Pool(threads_per_servant=40), horizon=Horizon(messages=20_000))
    (parts,) = slowest_parts(spec, 7, 10, (bound,), 1)
    assert parts["latency.mean"].low <= bound + mean <= parts["latency.mean"].high
    assert parts["service.wait"] == parts["latency.mean"]
    assert parts["wait.thread"].value == 0


def test_one_thread_the_slowest_wait_as_the_formula_says() -> None:
    rate, mean = 8.0, 0.1
    bound = -math.log(0.05) / (1 / mean - rate)
    spec = network(
        stream(arrivals=poisson(rate), service=exponential(mean)),
        pool=Pool(threads_per_servant=1),
        horizon=Horizon(messages=50_000),
    )
    (parts,) = slowest_parts(spec, 7, 10, (bound,), 2)
    exact = bound + MMc(rate, mean, 1).mean_latency
    assert parts["latency.mean"].low <= exact <= parts["latency.mean"].high
    assert parts["wait.thread"].value > 4 * parts["service.wait"].value


def test_a_bound_that_no_message_reaches_has_no_parts() -> None:
    spec = network(stream(arrivals=poisson(10.0)), pool=Pool(threads_per_servant=40), horizon=Horizon(messages=500))
    assert slowest_parts(spec, 7, 2, (math.inf,), 0) == ({},)
