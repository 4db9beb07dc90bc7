"""Examples of the OpenAPI document; the tests send every one of them."""

from drf_spectacular.utils import OpenApiExample

from planner.preset_files import presets


def _surge() -> dict[str, object]:
    return presets()[0].spec.body()


SIZING = {"platform": "was-zos", "cpus": 2, "servants_max": 3, "profile": "IOBOUND", "backlog": 32}

DERIVE_EXAMPLES = [
    OpenApiExample("Size a listener port", value=SIZING, request_only=True),
    OpenApiExample("Formula answers of a scenario", value=_surge(), request_only=True),
]
QUICK_EXAMPLES = [
    OpenApiExample("Live panel", value={"scenario": _surge(), "events": 200_000, "sequence": 7}, request_only=True),
]
SCENARIO_EXAMPLES = [OpenApiExample("Surge backlog", value=_surge(), request_only=True)]
RUN_EXAMPLES = [
    OpenApiExample(
        "Narrow interval",
        value={"precision": {"metric": "latency.p95", "relative": "1%"}, "seed": 42},
        request_only=True,
    ),
]
