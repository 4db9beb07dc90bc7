"""Sessions and threads as the engine gets them."""

from simulations.engine.network.model import PollerKind
from simulations.platforms.websphere import WEBSPHERE
from tests.simulations.platforms.samples import port


def test_a_non_asf_port_holds_its_threads_from_the_start() -> None:
    """Fact list, example 15."""
    spec = port(mode="non_asf", receive_timeout=100.0, maximum_sessions=2)
    assert WEBSPHERE.derive(spec.system).value("threads_held") == 2
    poller = spec.network().streams[0].poller
    assert poller is not None
    assert (poller.kind, poller.sessions, poller.receive_timeout) == (PollerKind.EAGER, 2, 100.0)


def test_a_small_session_pool_bounds_the_sessions() -> None:
    spec = port(maximum_sessions=25, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert WEBSPHERE.derive(spec.system).value("conversations") == 11


def test_a_growable_pool_has_a_thread_for_every_session() -> None:
    assert port(maximum_sessions=80).network().pools[0].threads_per_servant == 50
    spec = port(maximum_sessions=80, server={"listener_pool_growable": True})
    assert spec.network().pools[0].threads_per_servant == 80
    assert WEBSPHERE.derive(spec.system).value("pool_shortage") == 0
