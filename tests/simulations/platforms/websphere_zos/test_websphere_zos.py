"""The z/OS family: worked examples 1-2 and 9-10 of the fact list, the first three jobs, scripts and explanations."""

from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from tests.simulations.platforms.samples import surge


def test_the_wsadmin_script_changes_the_chosen_settings_only() -> None:
    chosen = {
        "queues.orders.settings.maximum_sessions": 36,
        "queues.orders.settings.queue_agent_time": 0.004,
        "queues.orders.settings.backout_threshold": 1,
        "servers.payments.settings.workload_profile": "LONGWAIT",
    }
    scripts = {item.format: item for item in WEBSPHERE_ZOS.write(surge(maximum_sessions=18).system, chosen, "cafe")}
    steps = [line.strip() for line in scripts["wsadmin"].apply.splitlines() if line.startswith("    ('")]
    assert steps == [
        "('queues.orders.settings.maximum_sessions', Attribute,"
        " ('payments', 'ListenerPort', 'orders', 'maxSessions',), ('18',), '36'),",
        "('servers.payments.settings.workload_profile', Child, ('payments', 'VariableMap', '',"
        " 'VariableSubstitutionEntry', ('symbolicName', 'server_region_workload_profile',),"
        " 'server_region_workload_profile', 'value', (),), ('IOBOUND', None,), 'LONGWAIT'),",
    ]
    assert (
        "Not written, not a setting of the application server: queues.orders.settings.queue_agent_time"
        in scripts["wsadmin"].apply
    )
    assert "'maxSessions',), ('36',), '18')" in scripts["wsadmin"].undo
    assert 'step queues.orders.settings.backout_threshold "$QUEUE" BOTHRESH 0 1' in scripts["mqsc"].apply
    assert 'step queues.orders.settings.backout_threshold "$QUEUE" BOTHRESH 1 0' in scripts["mqsc"].undo
