"""Sessions and threads as the engine gets them."""

from typing import Any

import pytest

from simulations.analysis.theory.laws import law_mean
from simulations.engine.network.model import PollerKind
from simulations.platforms.websphere import WEBSPHERE
from tests.simulations.platforms.samples import formula_value, port


def test_a_non_asf_port_holds_its_threads_from_the_start() -> None:
    """Fact list, example 15."""
    spec = port(mode="non_asf", receive_timeout=100.0, maximum_sessions=2)
    assert formula_value(WEBSPHERE.derive(spec.system), "threads_held") == 2
    poller = spec.network().streams[0].poller
    assert poller is not None
    assert (poller.kind, poller.sessions, poller.receive_timeout) == (PollerKind.EAGER, 2, 100.0)


def test_a_small_session_pool_bounds_the_sessions() -> None:
    spec = port(maximum_sessions=25, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert formula_value(WEBSPHERE.derive(spec.system), "conversations") == 11


def test_a_growable_pool_has_a_thread_for_every_session() -> None:
    assert port(maximum_sessions=80).network().pools[0].threads_per_servant == 50
    spec = port(maximum_sessions=80, server={"listener_pool_growable": True})
    assert spec.network().pools[0].threads_per_servant == 80
    assert formula_value(WEBSPHERE.derive(spec.system), "pool_shortage") == 0


def test_receive_passes_over_messages_that_do_not_suit() -> None:
    """Two in three: none is passed over with 1/3, else their times add up to an exponential one of 3 x 10 ms."""
    selector: dict[str, Any] = {"unsuitable_messages": 2.0, "selection_time": 0.01}
    spec = port(mode="non_asf", receive_timeout=100.0, **selector)
    search = spec.network().streams[0].search
    assert search is not None
    assert (search.a, search.b, search.c) == pytest.approx((2 / 3, 0.03, 0.0))
    assert law_mean(search) == pytest.approx(0.02)
    assert port(**selector).network().streams[0].search is None, "ASF: the thread gets messages that suit"
    assert port(mode="non_asf", receive_timeout=100.0).network().streams[0].search is None
