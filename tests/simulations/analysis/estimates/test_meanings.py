"""Every metric is explained, and nothing else is."""

from simulations.analysis.estimates.metrics import MEANINGS, METRICS


def test_every_metric_has_one_sentence_of_its_own() -> None:
    named = {metric.name for metric in METRICS if not metric.share}
    assert named == set(MEANINGS)
    assert all(text.endswith(".") and text[0].isupper() for text in MEANINGS.values())
