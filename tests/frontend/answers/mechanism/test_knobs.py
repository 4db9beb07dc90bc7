"""Each limit stands where it acts, and only there where it does."""

from frontend.answers.mechanism.lane import Kind, knobs_of
from simulations.experiment import with_overrides
from simulations.scenario.spec import parse
from tests.frontend.answers.mechanism.test_picture import preset


def titles(key: str, lane: str, kind: Kind) -> list[str]:
    spec = preset(key)
    return [knob.title for knob in knobs_of(spec)[lane].get(kind, ())]


def test_headline_settings_are_knobs() -> None:
    assert titles("surge-backlog", "orders", "limit") == ["Maximum sessions"]
    assert titles("bursts", "feed", "threads")[0] == "Fair share"
    assert titles("bursts", "http", "threads") == ["Fair share"]
    assert titles("flow-control", "trades", "producers") == ["Flow interval", "Flow maximum", "Flow minimum"]
    assert titles("outage", "orders", "limit") == ["Recovery interval", "Recovery retries", "Maximum sessions"]
    assert titles("limit-of-16", "orders", "threads")[0] == "Work manager"
    assert titles("balance", "work", "limit")[0] == "Consumer flow limit of the factory"
    assert "Non-ASF receive timeout" in titles("non-asf", "claims", "limit")


def test_knobs_are_found_once_for_equal_values_and_again_for_others() -> None:
    spec = preset("surge-backlog")
    assert knobs_of(parse(spec.body())) is knobs_of(spec)
    (knob,) = knobs_of(with_overrides(spec, {"queues.orders.settings.maximum_sessions": 37}))["orders"]["limit"]
    assert knob.text == "37 messages"


def test_what_does_not_act_is_no_knob() -> None:
    assert titles("surge-backlog", "orders", "limit") == ["Maximum sessions"]
    assert titles("batches", "postings", "threads")[::2] == ["Max threads constraint", "Max messages in transaction"]
    assert titles("surge-backlog", "orders", "threads") == ["Maximum number of instances"]
    assert "Max threads constraint" not in titles("limit-of-16", "orders", "threads")
    assert "Fair share" not in titles("flow-control", "trades", "threads")
    assert titles("limit-of-16", "orders", "destination") == []
