"""Transactions, topics, polling and redelivery."""

from typing import Any

import pytest

from simulations.platforms.weblogic import WEBLOGIC
from tests.simulations.platforms.samples import bean, constant, poisson, verdict


def test_every_row_of_settings_without_effect() -> None:
    """Ignored settings say so."""
    cases: list[tuple[str, dict[str, Any]]] = [
        ("batching-needs-transaction", {"transactional": False, "max_messages_in_transaction": 5}),
        ("polling-ignored", {"use_81_style_polling": True}),
        ("distribution-mode-ignored", {"topic_messages_distribution_mode": "One-Copy-Per-Server"}),
        ("flow-control-acts", {}),
        ("send-timeout", {"send_timeout": 1.0}),
        ("one-way-sends", {"one_way_send_mode": "enabled"}),
    ]
    for rule, settings in cases:
        findings = {item.rule: item.status for item in WEBLOGIC.derive(bean(**settings).system).findings}
        assert findings[f"weblogic.{rule}"] == "ignored", rule


SLOW = {"kind": "exponential", "mean": 1.0}
AWAY: dict[str, Any] = {"downstream_outage": {"start": 60.0, "duration": 30.0}}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "foreign-topic",
        {"kind": "topic", "queue": {"transactional": False, "destination": "foreign", "max_beans_in_free_pool": 1}},
        "ok",
        {},
    ),
    (
        "foreign-topic",
        {"kind": "topic", "queue": {"transactional": False, "destination": "foreign", "max_beans_in_free_pool": 2}},
        "violated",
        {"queue.max_beans_in_free_pool": 1},
    ),
    (
        "unit-of-order",
        {"kind": "topic", "queue": {"transactional": False, "unit_of_order": True, "max_beans_in_free_pool": 1}},
        "ok",
        {},
    ),
    (
        "unit-of-order",
        {"kind": "topic", "queue": {"transactional": False, "unit_of_order": True, "max_beans_in_free_pool": 2}},
        "violated",
        {"queue.max_beans_in_free_pool": 1},
    ),
    ("batch-fits-timeout", {"service": constant(2.99), "queue": {"max_messages_in_transaction": 10}}, "ok", {}),
    ("batch-fits-timeout", {"service": SLOW, "queue": {"max_messages_in_transaction": 10}}, "ok", {}),
    (
        "batch-fits-timeout",
        {"service": constant(3.0), "queue": {"max_messages_in_transaction": 10}},
        "violated",
        {"queue.transaction_timeout": 60.0},
    ),
    (
        "batches-form",
        {
            "service": constant(0.1),
            "arrivals": poisson(17.0),
            "queue": {"max_messages_in_transaction": 5, "max_beans_in_free_pool": 2},
        },
        "ok",
        {},
    ),
    (
        "batches-form",
        {
            "service": constant(0.1),
            "arrivals": poisson(15.0),
            "queue": {"max_messages_in_transaction": 5, "max_beans_in_free_pool": 2},
        },
        "violated",
        {"queue.max_beans_in_free_pool": 1},
    ),
    (
        "batches-form",
        {"service": SLOW, "arrivals": poisson(7.0), "queue": {"max_messages_in_transaction": 40}},
        "",
        {},
    ),
    (
        "pipeline-hoards",
        {"kind": "topic", "service": SLOW, "instances": 3},
        "",
        {},
    ),
    ("polling-ignored", {"queue": {"use_81_style_polling": True}}, "ignored", {"queue.use_81_style_polling": False}),
    (
        "polling-pins-threads",
        {"queue": {"use_81_style_polling": True, "destination": "foreign"}},
        "violated",
        {"queue.use_81_style_polling": False},
    ),
    ("pipeline-hoards", {"service": constant(0.09)}, "ok", {}),
    (
        "pipeline-hoards",
        {"service": {"kind": "lognormal", "mean": 0.09, "cv": 8.0}},
        "violated",
        {"queue.messages_maximum": 1},
    ),
    ("pipeline-hoards", {"service": constant(0.1)}, "violated", {"queue.messages_maximum": 1}),
    ("urgent-overtake", {"queue": {"urgent_share": 0.1, "messages_maximum": 1}}, "ok", {}),
    ("urgent-overtake", {"queue": {"urgent_share": 0.1}}, "violated", {"queue.messages_maximum": 1}),
    ("urgent-overtake", {"queue": {"urgent_share": 0.1, "destination": "foreign"}}, "", {}),
    ("redelivery-ends", {"queue": {"failure_rate": 0.1, "redelivery_limit": 0}}, "ok", {}),
    (
        "redelivery-ends",
        {"queue": {"failure_rate": 0.1}},
        "violated",
        {"queue.redelivery_limit": 5, "queue.redelivery_delay": 1.0},
    ),
    ("redelivery-outlasts-outage", {"queue": {**AWAY, "redelivery_limit": 6, "redelivery_delay": 5.0}}, "ok", {}),
    (
        "redelivery-outlasts-outage",
        {"queue": {**AWAY, "redelivery_limit": 5, "redelivery_delay": 5.0}},
        "violated",
        {"queue.redelivery_limit": 6},
    ),
    (
        "redelivery-outlasts-outage",
        {"queue": {**AWAY, "redelivery_limit": 0}},
        "violated",
        {"queue.redelivery_limit": 1, "queue.redelivery_delay": 30.0},
    ),
    ("redelivery-outlasts-outage", {"queue": AWAY}, "", {}),
    ("redelivery-outlasts-outage", {"queue": {"redelivery_limit": 0}}, "", {}),
    ("error-destination", {"queue": {"redelivery_limit": 0, "error_destination": "errors"}}, "ok", {}),
    ("error-destination", {"queue": {"redelivery_limit": 0}}, "violated", {}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("weblogic", rule, changes) == (status, fix)
