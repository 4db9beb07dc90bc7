"""Examples of the OpenAPI document; the tests send every one of them."""

from drf_spectacular.utils import OpenApiExample

from planner.configuration.uploads import MAX_FILES
from planner.presets.files import presets


def _sent(name: str, value: object, media_type: str = "application/json") -> OpenApiExample:
    return OpenApiExample(name, value=value, media_type=media_type, request_only=True)


def _surge() -> dict[str, object]:
    return presets()[0].spec.body()


DESCRIPTOR = """<weblogic-ejb-jar xmlns="http://xmlns.oracle.com/weblogic/weblogic-ejb-jar">
  <weblogic-enterprise-bean>
    <ejb-name>Orders</ejb-name>
    <message-driven-descriptor>
      <pool><max-beans-in-free-pool>100</max-beans-in-free-pool></pool>
      <destination-jndi-name>jms/orders</destination-jndi-name>
    </message-driven-descriptor>
  </weblogic-enterprise-bean>
</weblogic-ejb-jar>
"""
SIZING = {"platform": "was-zos", "cpus": 2, "servants_max": 3, "profile": "IOBOUND", "backlog": 32}

DERIVE_EXAMPLES = [_sent("Size a listener port", SIZING), _sent("Formula answers of a scenario", _surge())]
QUICK_EXAMPLES = [_sent("Live panel", {"scenario": _surge(), "events": 200_000, "sequence": 7})]
COST_EXAMPLES = [
    _sent("All broken rules", {"events": 200_000}),
    _sent(
        "One rule, and what to compare with where it has no cure",
        {"rules": ["websphere-zos.low-covers-threads"], "cure": {"queues.orders.service.mean": "100ms"}},
    ),
]
SCENARIO_EXAMPLES = [_sent("Surge backlog", _surge())]
EXPERIMENT_EXAMPLES = [
    _sent(
        "Fewest threads with a p95 latency of 60 ms",
        {
            "scenario": "scn_…",
            "type": "optimize",
            "minimize": ["threads"],
            "subject_to": [{"kpi": "latency.p95", "op": "<=", "value": "60ms"}],
        },
    ),
    _sent(
        "Keep the order of arrival",
        {
            "scenario": "scn_…",
            "type": "optimize",
            "subject_to": [{"kpi": "order.overtaken_fraction", "op": "==", "value": 0}],
        },
    ),
    _sent(
        "Sweep of one setting",
        {"scenario": "scn_…", "type": "sweep", "knobs": {"max_sessions": [18, 36, 50, 100, 200]}},
    ),
    _sent("Headroom", {"scenario": "scn_…", "type": "headroom"}),
    _sent("Sensitivity", {"scenario": "scn_…", "type": "sensitivity"}),
]
RUN_EXAMPLES = [_sent("Narrow interval", {"precision": {"metric": "latency.p95", "relative": "1%"}, "seed": 42})]
BASELINE_EXAMPLES = [_sent("The version in production", {"scenario": "scn_…", "version": 7})]
WEBHOOK_EXAMPLES = [
    _sent(
        "Tell the build server how runs end",
        {"url": "https://build.example.org/hooks/sluice", "events": ["run.succeeded", "run.failed"]},
    )
]
FILES = {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": MAX_FILES}


TARGET = {"type": "string", "description": "The cluster or server that is meant where the files have several."}


def _multipart(**fields: object) -> dict[str, object]:
    """The request body of files with these fields beside them."""
    parts = {"type": "object", "required": ["files"], "properties": {"files": FILES, **fields}}
    return {"multipart/form-data": parts}


IMPORT_REQUEST = _multipart(
    platform={"type": "string", "description": "A family; left out: the files say it themselves."},
    name={"type": "string", "description": "Name of the scenario; left out: that of the first file."},
    target=TARGET,
)
DRIFT_REQUEST = _multipart(
    version={"type": "integer", "description": "Its number; left out: the current one."}, target=TARGET
)
IMPORT_EXAMPLES = [
    _sent(
        "Break the limit of 16, from the descriptor",
        {"files": [DESCRIPTOR], "name": "Orders"},
        media_type="multipart/form-data",
    )
]
EXPORT_EXAMPLES = [
    _sent(
        "A script with its undo part", {"format": "yaml", "settings": {"queues.orders.settings.maximum_sessions": 50}}
    )
]
