"""Batches of messages in one transaction: they commit together, and shrink after a transaction timeout."""

from simulations.engine.network.model import Transaction
from simulations.engine.network.results import Count, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, instants, one
from tests.simulations.engine.networks import surge


def test_messages_of_a_batch_complete_at_its_commit() -> None:
    spec = one(arrivals=surge(4), transaction=Transaction(batch=3, commit_time=0.5))
    assert instants(spec, Step.COMPLETE) == [3.5, 3.5, 3.5, 5.0]
    assert counted(spec, Count.BATCHES, Count.BATCHED) == [2, 4]
    sums = replicate(spec, seed=1, replication=0).sums.sum(axis=(0, 1))
    assert sums[Sum.COMMIT] == 2.5 + 1.5 + 0.5 + 0.5
    assert sums[Sum.RESTING] == 2.0 + 1.0 + 2 * 0.5, "messages that are done while their thread goes on"


def test_a_transaction_that_lasts_too_long_halves_the_batch_which_then_grows_again() -> None:
    spec = one(arrivals=surge(4), transaction=Transaction(batch=4, lifetime=2.5))
    assert instants(spec, Step.OVERRUN) == [3.0]
    assert instants(spec, Step.COMPLETE) == [5.0, 5.0, 7.0, 7.0]
    assert counted(spec, Count.TRANSACTION_TIMEOUTS, Count.ROLLBACKS, Count.REDELIVERIES) == [1, 1, 3]


def test_a_transaction_may_last_exactly_as_long_as_its_limit() -> None:
    spec = one(arrivals=surge(2), transaction=Transaction(batch=2, lifetime=2.0))
    assert instants(spec, Step.COMPLETE) == [2.0, 2.0]
    assert counted(spec, Count.TRANSACTION_TIMEOUTS) == [0]
