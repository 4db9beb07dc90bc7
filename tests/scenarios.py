"""The scenario that tests and benchmarks start from, and a question about it."""

from typing import Any

SESSIONS = "queues.orders.settings.maximum_sessions"
FEWEST_SESSIONS: dict[str, Any] = {
    "type": "optimize",
    "minimize": ["max_sessions"],
    "knobs": {"max_sessions": [18, 36, 50]},
    "subject_to": [{"kpi": "latency.p95", "op": "<=", "value": "2s"}],
}
"""A question about it that is answered in a moment."""


def listener_port(
    name: str, *, rate: str = "60/s", settings: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a z/OS listener port of 36 sessions before 18 threads of 200 ms; ``more``: run, sweep, objectives."""
    return {
        "sluice": 1,
        "name": name,
        "platform": "websphere-zos",
        "servers": [{"name": "payments", "cpus": 2, "settings": {"min_servants": 3, "max_servants": 3}}],
        "queues": [
            {
                "name": "orders",
                "server": "payments",
                "arrivals": {"kind": "poisson", "rate": rate},
                "service": {"kind": "exponential", "mean": "200ms"},
                "settings": {"maximum_sessions": 36, **(settings or {})},
            }
        ],
        **more,
    }
