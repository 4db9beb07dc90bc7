"""Sums over slow messages, and the courses of the instances: the same messages as everywhere else, seen apart."""

import numpy as np
import pytest

from simulations.engine.network.model import Horizon, Pool, Window
from simulations.engine.network.results import PARTS, AtInstance, Count, Sum, Timeline
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate, replicate_traced
from tests.simulations.engine.networks import exponential, network, poisson, stream, surge, throttle

SPEC = throttle(high=36, low=18, arrivals=poisson(81.0), messages=4_000)


def test_without_a_bound_no_message_is_slow_and_from_0_all_are() -> None:
    assert not replicate(SPEC, seed=1, replication=0).slow.any()
    whole = replicate(SPEC, seed=1, replication=0, slow_from=(0.0,))
    np.testing.assert_array_equal(whole.slow[..., 0], whole.counts[..., Count.COMPLETED])
    np.testing.assert_allclose(whole.slow[..., 1:], whole.sums[..., : len(PARTS)], rtol=1e-12)


def test_the_slow_messages_are_those_of_the_trace_and_their_parts_are_their_latency() -> None:
    bound = 0.6
    result = replicate(SPEC, seed=1, replication=0, slow_from=(bound,))
    steps = replicate_traced(SPEC, seed=1, replication=0, trace=50_000)[1]
    arrived, completed = (steps[steps["step"] == step] for step in (Step.ARRIVE, Step.COMPLETE))
    at = dict(zip(arrived["message"], arrived["time"], strict=True))
    latency = np.array([row["time"] - at[row["message"]] for row in completed])
    slow = result.slow.sum(axis=(0, 1))
    assert 50 < slow[0] == (latency >= bound).sum()
    assert slow[1] == pytest.approx(latency[latency >= bound].sum())
    assert slow[1 + Sum.WAIT_DESTINATION :].sum() == pytest.approx(slow[1])


def test_to_ask_for_slow_messages_changes_nothing_else() -> None:
    asked, plain = (replicate(SPEC, seed=3, replication=1, slow_from=bounds) for bounds in ((0.5,), ()))
    np.testing.assert_array_equal(asked.sums, plain.sums)
    np.testing.assert_array_equal(asked.histograms, plain.histograms)


def test_the_courses_of_the_instances_add_up_to_that_of_the_queue() -> None:
    queues = [
        stream(arrivals=surge(600), service=exponential(0.2), window=Window(50, 25, 0.005)),
        stream(arrivals=poisson(20.0), service=exponential(0.1), window=Window(20, 10)),
    ]
    result = replicate(
        network(*queues, pool=Pool(threads_per_servant=8, instances=3), horizon=Horizon(time=20.0)),
        seed=1,
        replication=0,
    )
    whole = result.by_instance.sum(axis=2)
    running, prepared = (result.timeline[..., column] for column in (Timeline.RUNNING, Timeline.PREPARED))
    assert running.max() == 24
    np.testing.assert_array_equal(whole[..., AtInstance.RUNNING], running)
    np.testing.assert_array_equal(whole[..., AtInstance.INFLIGHT], running + prepared)


def test_examples_38_and_41_one_consumer_hoards_what_the_other_has_no_work_for() -> None:
    spec = network(
        stream(arrivals=surge(600), service=exponential(1.0), window=Window(1000, 500)),
        pool=Pool(threads_per_servant=32, instances=2),
        horizon=Horizon(drained=True),
    )
    course = replicate(spec, seed=1, replication=0).by_instance[:, 0]
    assert 590 < course[:, 0, AtInstance.INFLIGHT].max() <= 600  # a few end before the first sample
    assert not course[:, 1].any()
