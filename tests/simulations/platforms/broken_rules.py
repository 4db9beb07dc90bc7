"""For every rule of every family a scenario that breaks it, or that gets its advice."""

from typing import Any

SLOW = {"kind": "exponential", "mean": 500.0}
SURGE = {"kind": "surge", "count": 1000}
BURSTS = {"kind": "periodic_burst", "count": 400, "every": 60.0}
HTTP = [{"name": "http", "arrivals": {"kind": "saturated"}, "service": {"kind": "exponential", "mean": 0.1}}]
RARE = {"kind": "poisson", "rate": "5/h"}
RESTART = {"dispatch_timeout_action": "restart_servant"}
ADJUNCT = {"endpoint": "activation_spec"}
SPEC = {"mode": "activation_spec"}
BUS = {**SPEC, "provider": "default_messaging"}
NON_ASF = {"mode": "non_asf", "receive_timeout": 100.0}
AWAY = {"downstream_outage": {"start": 60.0, "duration": 30.0}}
THRESHOLDS = {"messages_threshold_high": 1000, "messages_threshold_low": 500}
DROPS = {"limit_behavior": "REMOVE_OLDEST", "max_num_msgs": 100}
LIMITED = {"name": "pool", "limit": 5, "share": 1.0}
TWO = {"queues": 2}


def work(**values: Any) -> dict[str, Any]:
    return {"server": {"work_managers": [{"name": "work", **values}]}}


WORK = {"work_manager": "work"}
BROKEN: dict[str, dict[str, Any]] = {
    "websphere-zos.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}, "queue": {"maximum_sessions": 100}},
    "websphere-zos.low-covers-threads": {},
    "websphere-zos.2xwt": {},
    "websphere-zos.sessions-above-threads": {},
    "websphere-zos.ready-backlog": {"arrivals": SURGE, "queue": {"maximum_sessions": 60}},
    "websphere-zos.throttle-bypassed": {"queue": {"maximum_sessions": 100_000}},
    "websphere-zos.urgent-overtake": {"queue": {"urgent_share": 0.1, "maximum_sessions": 1000}},
    "websphere-zos.queue-bears-throttles": {"server": {"wlm_queue_capacity": 9}, "queue": {"maximum_sessions": 60}},
    "websphere-zos.order-needs-one-session": {"instances": 2},
    "websphere-zos.agent-keeps-up": {"queue": {"queue_agent_time": 0.1, "maximum_sessions": 60}},
    "websphere-zos.one-low-threshold-rule": {"queue": {"low_equals_high": True}, **TWO},
    "websphere-zos.queue-timeout-tail": {"service": SLOW, "queue": {"maximum_sessions": 100}},
    "websphere-zos.mdb-timeout-covers-service": {"service": SLOW},
    "websphere-zos.mdb-timeout-above-transaction": {},
    "websphere-zos.queue-timeout-percent-ignored": {
        "server": {"mdb_request_timeout": 0, "mdb_queue_timeout_percent": 50}
    },
    "websphere-zos.restart-loses-neighbours": {
        "service": SLOW,
        "server": {"dispatch_timeout_action": "restart_servant"},
    },
    "websphere-zos.retries-stop-port": {"queue": {"poison_rate": 0.01}},
    "websphere-zos.backout-before-retries": {"queue": {"backout_threshold": 5, "maximum_retries": 3}},
    "websphere-zos.custom-threads-ignored": {"server": {"custom_threads": 7}},
    "websphere-zos.thread-rule-ignored": {"server": {"thread_rule": "plain", "workload_profile": "LONGWAIT"}},
    "websphere-zos.servants-start-late": {"server": {"max_servants": 3}},
    "websphere-zos.last-servant-spared": {"service": SLOW, "server": RESTART},
    "websphere-zos.listeners-pause": {"server": {**RESTART, "servant_start_time": 300.0}},
    "websphere-zos.servant-end-ignored": {"server": {"timeout_delay": 5.0, "save_last_servant": True}},
    "websphere-zos.servants-cover-classes": {"server": {"service_classes": 3}},
    "websphere-zos.instances-ignored": {"server": {"max_servants": 3, "multiple_instances": False}},
    "websphere-zos.ports-come-back": {},
    "websphere-zos.maximum-transaction-timeout": {"server": {"total_transaction_timeout": 400.0}},
    "websphere-zos.transaction-covers-service": {"service": SLOW},
    "websphere-zos.session-pool-covers-sessions": {"queue": {"maximum_sessions": 60, "session_pool_maximum": 10}},
    "websphere-zos.durable-subscription-ignored": {"queue": {"durable_subscription": False}},
    "websphere-zos.dispatch-timeout-ignored": {"server": {"wlm_dispatch_timeout": 1200}},
    "websphere-zos.in-flight-positive": {"queue": {**ADJUNCT, "in_flight_scale_factor": 0.0}},
    "websphere-zos.in-flight-2xwt": {"queue": ADJUNCT},
    "websphere-zos.in-flight-bounds-queue": {"queue": {**ADJUNCT, "maximum_server_sessions": 100_000}},
    "websphere-zos.server-sessions-survive-quiet-times": {"queue": ADJUNCT, "arrivals": RARE},
    "websphere-zos.failure-count-ignored": {
        "queue": {**ADJUNCT, "stop_if_delivery_fails": False, "failure_delivery_count": 3}
    },
    "websphere-zos.endpoint-settings-ignored": {"queue": {"in_flight_constant": 5}},
    "websphere-zos.dispatch-timeout-above-transaction": {"queue": ADJUNCT},
    "websphere-zos.mdb-timeouts-ignored": {"queue": ADJUNCT, "server": {"mdb_request_timeout": 400.0}},
    "websphere.port-starts": {"queue": {"initial_state": "STOP"}},
    "websphere.session-pool-covers-sessions": {"queue": {"maximum_sessions": 25, "session_pool_maximum": 10}},
    "websphere.connection-pool-covers-ports": {"server": {"connection_pool_maximum": 1}, **TWO},
    "websphere.one-receive-timeout": {"queue": NON_ASF, **TWO},
    "websphere.listener-pool-bounds": {"server": {"listener_pool_minimum": 60}},
    "websphere.threads-survive-quiet-times": {"queue": {"maximum_sessions": 20}, "arrivals": RARE},
    "websphere.handles-survive-quiet-times": {"queue": {"maximum_sessions": 20}, "arrivals": RARE},
    "websphere.session-pool-properties-ignored": {"queue": {**NON_ASF, "session_reap_time": 60.0}},
    "websphere.bmt-rollback-ignored": {"queue": {"bmt_rollback": True}},
    "websphere.ports-come-back": {"server": {"recovery_retries": 0}},
    "websphere.maximum-transaction-timeout": {"server": {"maximum_transaction_timeout": 60.0}},
    "websphere.transaction-timeout": {"queue": NON_ASF, "service": {"kind": "constant", "mean": 30.0}},
    "websphere.receive-timeout-below-lifetime": {"queue": {"mode": "non_asf", "receive_timeout": 120.0}},
    "websphere.quiet-time-rollbacks": {
        "queue": NON_ASF,
        "service": {"kind": "constant", "mean": 30.0},
        "arrivals": {"kind": "poisson", "rate": "1/min"},
    },
    "websphere.receive-timeout-ignored": {"queue": {"receive_timeout": 5.0}},
    "websphere.maximum-messages-ignored": {"queue": {**NON_ASF, "maximum_messages": 5}},
    "websphere.topic-sessions-ignored": {"queue": {**NON_ASF, "maximum_sessions": 5}, "kind": "topic"},
    "websphere.pool-covers-sessions": {"queue": {"maximum_sessions": 60}},
    "websphere.connections-shared": {"server": {"sharing_conversations": 1}},
    "websphere.empty-transactions": {"queue": {"mode": "non_asf", "receive_timeout": 0.1}},
    "websphere.transaction-covers-batch": {"queue": {"maximum_messages": 1000}},
    "websphere.order-needs-one-session": {"instances": 2},
    "websphere.retries-stop-port": {"queue": {"failure_rate": 0.01}},
    "websphere.backout-before-retries": {"queue": {"backout_threshold": 5}},
    "websphere.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "websphere.adapter-pool-covers-sessions": {"queue": {**SPEC, "maximum_server_sessions": 60}},
    "websphere.start-timeout-covers-wait": {"queue": {**SPEC, "maximum_server_sessions": 60}, "service": SLOW},
    "websphere.bean-pool-covers-endpoints": {"queue": {**BUS, "maximum_concurrent_endpoints": 501}},
    "websphere.server-sessions-survive-quiet-times": {"queue": SPEC, "arrivals": RARE},
    "websphere.failure-count-ignored": {
        "queue": {**SPEC, "stop_if_delivery_fails": False, "failure_delivery_count": 3}
    },
    "websphere.activation-settings-ignored": {"queue": {"maximum_server_sessions": 20, "start_timeout": 5.0}},
    "websphere.port-settings-ignored": {"queue": {**SPEC, "maximum_sessions": 20, "receive_timeout": 5.0}},
    "websphere.adapter-pool-ignored": {"server": {"adapter_pool_maximum": 60}},
    "weblogic.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "weblogic.limit-of-16": {},
    "weblogic.fair-share-keeps-16": {**work(fair_share=90), "queue": WORK},
    "weblogic.beans-cover-constraint": {**work(max_threads=50), "queue": {**WORK, "max_beans_in_free_pool": 30}},
    "weblogic.work-manager-declared": {"queue": WORK},
    "weblogic.background-manager-declared": {"background": [{**HTTP[0], "settings": {**WORK}}]},
    "weblogic.shared-constraint": {
        "server": {
            "constraints": [{"name": "c", "kind": "max_threads", "count": 5}],
            "work_managers": [{"name": "a", "max_threads": "c"}, {"name": "b", "max_threads": "c"}],
        }
    },
    "weblogic.reserved-threads-fit": work(min_threads=500),
    "weblogic.capacity-covers-threads": {**work(capacity=3), "queue": WORK},
    "weblogic.reserve-for-steady-work": {"background": HTTP},
    "weblogic.share-for-bursts": {**work(min_threads=16), "queue": WORK, "arrivals": BURSTS, "background": HTTP},
    "weblogic.pool-size-ignored": {"server": {"default_thread_pool_size": 20}},
    "weblogic.downstream-covers-threads": {"queue": {"downstream": LIMITED}},
    "weblogic.compatibility-topic": {"kind": "topic"},
    "weblogic.foreign-topic": {"kind": "topic", "queue": {"transactional": False, "destination": "foreign"}},
    "weblogic.unit-of-order": {"kind": "topic", "queue": {"transactional": False, "unit_of_order": True}},
    "weblogic.distribution-mode-ignored": {"queue": {"topic_messages_distribution_mode": "One-Copy-Per-Server"}},
    "weblogic.batching-needs-transaction": {"queue": {"transactional": False, "max_messages_in_transaction": 5}},
    "weblogic.batch-fits-timeout": {"queue": {"max_messages_in_transaction": 5000}},
    "weblogic.batches-form": {"queue": {"max_messages_in_transaction": 5}},
    "weblogic.dispatch-policy-ignored": {
        **work(fair_share=80),
        "queue": {**WORK, "destination": "foreign", "transactional": False},
    },
    "weblogic.polling-ignored": {"queue": {"use_81_style_polling": True}},
    "weblogic.polling-pins-threads": {"queue": {"use_81_style_polling": True, "destination": "foreign"}},
    "weblogic.pipeline-hoards": {},
    "weblogic.urgent-overtake": {"queue": {"urgent_share": 0.1}},
    "weblogic.redelivery-ends": {"queue": {"poison_rate": 0.01}},
    "weblogic.redelivery-outlasts-outage": {"queue": {"redelivery_limit": 0, **AWAY}},
    "weblogic.error-destination": {"queue": {"redelivery_limit": 3}},
    "weblogic.flow-control-acts": {},
    "weblogic.flow-minimum-whole": {"queue": {"flow_minimum": 12.5}},
    "weblogic.producers-keep-limit": {"queue": {**THRESHOLDS, "messages_per_producer": 1}},
    "weblogic.flow-minimum-bounds": {"queue": THRESHOLDS, "producers": 10},
    "weblogic.flow-maximum-covers-arrivals": {"queue": {**THRESHOLDS, "flow_maximum": 5, "flow_minimum": 1}},
    "weblogic.send-timeout": {"queue": {"messages_quota": 100}},
    "weblogic.one-way-sends": {"queue": {"one_way_send_mode": "enabled"}},
    "weblogic.initial-beans": {"queue": {"initial_beans_in_free_pool": 40}},
    "weblogic.every-member": {"queue": {"distributed_destination_connection": "EveryMember"}},
    "weblogic.suspension-grows": {"queue": {"init_suspend": 90.0}},
    "weblogic.not-stuck": {"service": SLOW},
    "weblogic.shared-capacity": {"server": {"shared_capacity": 10}},
    "openmq.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "openmq.limit-covers-pool": {"queue": {"consumer_flow_limit": 16}},
    "openmq.threshold-covers-pool": {"queue": {"consumer_flow_limit": 32}},
    "openmq.round-trip-covered": {"queue": {"consumer_flow_limit": 64, "round_trip": 1.0}},
    "openmq.connection-covers-pool": {"server": {"connection_flow_limit_enabled": True, "connection_flow_limit": 8}},
    "openmq.connection-limit-ignored": {"server": {"connection_flow_limit": 8}},
    "openmq.cluster-hoarding": {"instances": 2},
    "openmq.urgent-overtake": {"queue": {"urgent_share": 0.1}},
    "openmq.shared-topic-limit": {"instances": 2, "kind": "topic"},
    "openmq.shared-limit-ignored": {"queue": {"shared_consumer_flow_limit": 9}},
    "openmq.lower-limit-counts": {"queue": {"consumer_flow_limit": 64}},
    "openmq.prefetch-off": {"queue": {"prefetch": False}},
    "openmq.client-memory": {"message_size": "1MB"},
    "openmq.threads-cover-pools": {"server": {"max_pool_size": 300}},
    "openmq.steady-pool": {"server": {"steady_pool_size": 64}},
    "openmq.rollbacks-end": {"queue": {"failure_mode": "rollback"}},
    "openmq.redelivery-outlasts-outage": {"queue": AWAY},
    "openmq.redelivery-holds-beans": {"queue": {"poison_rate": 0.01}},
    "openmq.producers-slowed": {"queue": {"max_num_msgs": 100}},
    "openmq.message-fits": {"queue": {"max_bytes_per_msg": 500}},
    "openmq.consumers-take-part": {"queue": {"max_active_consumers": 1}, "instances": 3},
    "openmq.backup-consumers-ignored": {"queue": {"max_backup_consumers": 1}},
    "openmq.producers-connect": {"queue": {"max_num_producers": 2}, "producers": 3},
    "openmq.dropped-messages-kept": {"queue": {**DROPS, "use_dmq": False}},
    "openmq.undeliverable-ends": {"queue": {"send_undeliverable_to_dmq": False}},
    "openmq.broker-covers-destinations": {"server": {"broker_max_count": 100, "broker_max_size": 10_000.0}},
    "openmq.mdbs-come-back": {"server": {"outage": {"start": 60, "duration": 90, "cause": "broker"}}},
    "openmq.reconnect-ignored": {"server": {"reconnect_retries": 5}},
    "openmq.resize-ignored": {"server": {"pool_idle_timeout": 60.0}},
    "openmq.behavior-ignored": {"queue": {"limit_behavior": "FLOW_CONTROL"}},
}
"""Rule -> what makes it fail, or makes a setting have no effect."""
ADVICE: dict[str, dict[str, Any]] = {
    "websphere-zos.shared-threads": {"queue": {}, **TWO},
    "websphere.threads-held": {"queue": NON_ASF},
    "websphere.restart-needed": {},
    "websphere.migrate-listener-ports": {},
    "weblogic.flow-admits": {"queue": THRESHOLDS},
    "weblogic.one-queue-for-all": {"instances": 3},
}
"""Rules that tell a fact and cannot be broken."""
