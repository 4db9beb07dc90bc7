"""Examples of the OpenAPI document; the tests send every one of them."""

from drf_spectacular.utils import OpenApiExample

from planner.configuration.importing import MAX_FILES
from planner.presets.files import presets


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

DERIVE_EXAMPLES = [
    OpenApiExample("Size a listener port", value=SIZING, request_only=True),
    OpenApiExample("Formula answers of a scenario", value=_surge(), request_only=True),
]
QUICK_EXAMPLES = [
    OpenApiExample("Live panel", value={"scenario": _surge(), "events": 200_000, "sequence": 7}, request_only=True),
]
COST_EXAMPLES = [
    OpenApiExample("All broken rules", value={"events": 200_000}, request_only=True),
    OpenApiExample(
        "One rule, and what to compare with where it has no cure",
        value={"rules": ["websphere-zos.low-covers-threads"], "cure": {"queues.orders.service.mean": "100ms"}},
        request_only=True,
    ),
]
SCENARIO_EXAMPLES = [OpenApiExample("Surge backlog", value=_surge(), request_only=True)]
EXPERIMENT_EXAMPLES = [
    OpenApiExample(
        "Fewest threads with a 95 % latency of 60 ms",
        value={
            "scenario": "scn_…",
            "type": "optimize",
            "minimize": ["threads"],
            "subject_to": [{"kpi": "latency.p95", "op": "<=", "value": "60ms"}],
        },
        request_only=True,
    ),
    OpenApiExample(
        "Keep the order of arrival",
        value={
            "scenario": "scn_…",
            "type": "optimize",
            "subject_to": [{"kpi": "order.overtaken_fraction", "op": "==", "value": 0}],
        },
        request_only=True,
    ),
    OpenApiExample(
        "Sweep of one setting",
        value={"scenario": "scn_…", "type": "sweep", "knobs": {"max_sessions": [18, 36, 50, 100, 200]}},
        request_only=True,
    ),
    OpenApiExample("Headroom", value={"scenario": "scn_…", "type": "headroom"}, request_only=True),
    OpenApiExample("Sensitivity", value={"scenario": "scn_…", "type": "sensitivity"}, request_only=True),
]
RUN_EXAMPLES = [
    OpenApiExample(
        "Narrow interval",
        value={"precision": {"metric": "latency.p95", "relative": "1%"}, "seed": 42},
        request_only=True,
    ),
]
BASELINE_EXAMPLES = [
    OpenApiExample("The version in production", value={"scenario": "scn_…", "version": 7}, request_only=True),
]
WEBHOOK_EXAMPLES = [
    OpenApiExample(
        "Tell the build server how runs end",
        value={"url": "https://build.example.org/hooks/sluice", "events": ["run.succeeded", "run.failed"]},
        request_only=True,
    ),
]
IMPORT_REQUEST = {
    "multipart/form-data": {
        "type": "object",
        "required": ["files"],
        "properties": {
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": MAX_FILES},
            "platform": {"type": "string", "description": "A family; left out: the files say it themselves."},
            "name": {"type": "string", "description": "Name of the scenario; left out: that of the first file."},
        },
    }
}
IMPORT_EXAMPLES = [
    OpenApiExample(
        "Break the limit of 16, from the descriptor",
        value={"files": [DESCRIPTOR], "name": "Orders"},
        media_type="multipart/form-data",
        request_only=True,
    ),
]
EXPORT_EXAMPLES = [
    OpenApiExample(
        "A script with its undo part",
        value={"format": "yaml", "settings": {"queues.orders.settings.maximum_sessions": 50}},
        request_only=True,
    ),
]
