"""Every metric is explained, and nothing else is."""

from simulations.analysis.estimates.metrics import MEANINGS, METRICS, PERCENTILES


def test_every_metric_has_one_sentence_of_its_own() -> None:
    named = {metric.name for metric in METRICS} - {f"latency.{name}" for name in PERCENTILES}
    assert named == set(MEANINGS)
    assert all(text.endswith(".") and text[0].isupper() for text in MEANINGS.values())
