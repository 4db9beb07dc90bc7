"""Every module with logic has a test module at the mirrored path; those that still lack one are listed."""

import ast
from pathlib import Path

from planner.settings.environment import BASE_DIR

PACKAGES = ("simulations", "planner", "frontend")
UNTESTED = {
    "frontend/answers": "assumptions live marks subjects sweeps throttle_closeup",
    "frontend/charts": (
        "balance budget chart curves drain explore_choice explore_lines explore_map explore_runs flow "
        "instances latency panels parts tails telemetry theme threads throttle"
    ),
    "frontend/compare": "page texts",
    "frontend/configuration": "import_account",
    "frontend/explore": "answer_charts form labels page search_charts texts",
    "frontend/reports": "experiments page parts",
    "frontend/results": "failures page",
    "frontend/scenarios": "differences filters table_csv view_tabs",
    "frontend/site": "base basket json_text signed_in",
    "frontend/telemetry": "page",
    "frontend/templatetags": "sluice",
    "frontend/wording": "setting_names",
    "frontend/workbench": "address declarations inventory kinds run_form versus",
    "planner/admin": "access inventory readonly reports runs",
    "planner/answers": "formulas gate rule_costs values",
    "planner/api": "auth base examples filters outcomes paging reading revisions uploads urls",
    "planner/api/schemas": "access common written",
    "planner/api/views": "operations results versions",
    "planner": "apps audit celery documentation errors",
    "planner/configuration": "exporting importing",
    "planner/jobs": (
        "calibration_claims dispatch endings known_replications leases metrics plans reaper transitions verdicts"
    ),
    "planner/management": "command_line configuration_files simulating",
    "planner/management/commands": (
        "demo derive export_configuration generate_docs generate_telemetry generate_validation "
        "import_configuration install load_presets retain simulate"
    ),
    "planner/models": (
        "access baseline calibration configuration immutable inventory job report run scenario seals service "
        "view webhook"
    ),
    "planner/reports": "capsule checklist evidence older schema system tables",
    "planner/runtime": "__main__ processes",
    "planner/selectors": (
        "accounts archives baselines calibrations configuration experiments inventory overview owned reports "
        "runs scenarios subjects tokens views webhooks"
    ),
    "planner/services": (
        "accounts baselines calibrations composition exports idempotency imports presets reports rows tokens views"
    ),
    "planner/settings": "checks",
    "planner/web": "counters json_bodies problems request_counts",
    "simulations/analysis/estimates": "metric_estimates quantities unfinished",
    "simulations/analysis/replications": "columns measures",
    "simulations/analysis/theory": "plain_queue",
    "simulations/declarations": "system",
    "simulations/scenario": "axes crosschecks runsettings",
    "simulations/engine": "compiled",
    "simulations/engine/draws": "arrivals",
    "simulations/engine/events": "messages queues timer_blocks",
    "simulations/engine/loop": "deliveries moves outcomes timeouts timers",
    "simulations/engine/measures": "observe timeline",
    "simulations/engine/mechanisms": "batches constraints pipelines quotas",
    "simulations/engine/network": "model results",
    "simulations/engine/packing": "balance collect numbering pools streams tables validate",
    "simulations/engine/records": "extensions references",
    "simulations/engine/threads": "growth service states",
    "simulations/experiment": (
        "arrivals cures grids headrooms inputs planning questions reading reasons sensitivities words"
    ),
    "simulations/pipeline/archive": "borrowing downloads export tables",
    "simulations/pipeline/spark": "cluster daemon",
    "simulations/pipeline/telemetry/fitting": "fit holdout intervals questions shapes spec watched",
    "simulations/pipeline/telemetry": "messages",
    "simulations/pipeline/telemetry/reading": "imqcmd judging raw report rows sampled",
    "simulations/pipeline/telemetry/synthetic": "write",
    "simulations/platforms/files/importing": "drafts ejb_jar scenario_file vendor_files",
    "simulations/platforms/files/patching": "patched_files spelling",
    "simulations/platforms/files/syntax": "limits text_file tree xml_file yaml_file yaml_insertion yaml_tree",
    "simulations/platforms/files/websphere": "resources server",
    "simulations/platforms/openmq": "derivation explanation formulas mapping quick",
    "simulations/platforms/openmq/files": "broker descriptors domain_contents glassfish resources",
    "simulations/platforms/openmq/rules": "broker_checks flow_checks load_checks",
    "simulations/platforms/shared": "changes family listener_port networks",
    "simulations/platforms/weblogic": "derivation explanation formulas mapping quick",
    "simulations/platforms/weblogic/files": (
        "assembly descriptors domain domain_contents edits hosts removed_names work_manager_file work_managers"
    ),
    "simulations/platforms/weblogic/parameters": "mdb server",
    "simulations/platforms/weblogic/rules": "message_checks outage_checks thread_checks work_manager_cures",
    "simulations/platforms/websphere": "derivation explanation formulas mapping quick",
    "simulations/platforms/websphere/files": "server service_properties",
    "simulations/platforms/websphere/parameters": "server",
    "simulations/platforms/websphere/rules": "activation_checks port_checks service_checks",
    "simulations/platforms/websphere_zos": "derivation explanation formulas mapping quick",
    "simulations/platforms/websphere_zos/files": "configuration server",
    "simulations/platforms/websphere_zos/parameters": "server",
    "simulations/platforms/websphere_zos/rules": "activation_checks servant_checks session_checks throttle_checks",
    "simulations/validation": "reference_models report",
}
"""Folder -> its modules that other modules' tests reach, but none of their own."""


def has_logic(file: Path) -> bool:
    nodes = ast.walk(ast.parse(file.read_text()))
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes)


def mirror_of(module: Path) -> Path:
    return Path("tests", module.parent, f"test_{module.stem.strip('_')}.py")


def untested() -> set[str]:
    files = (file for package in PACKAGES for file in (BASE_DIR / package).rglob("*.py"))
    modules = {file.relative_to(BASE_DIR) for file in files if file.name != "__init__.py"}
    written = {module for module in modules if "migrations" not in module.parts and has_logic(BASE_DIR / module)}
    return {str(module) for module in written if not (BASE_DIR / mirror_of(module)).exists()}


def test_the_list_of_untested_modules_only_gets_shorter() -> None:
    listed = {f"{folder}/{name}.py" for folder, names in UNTESTED.items() for name in names.split()}
    assert untested() - listed == set(), "write tests/<path>/test_<name>.py"
    assert listed - untested() == set(), "take these off the list"
