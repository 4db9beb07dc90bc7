"""The schemas' order of children, as far as new elements need it; one table, as no parent has two orders."""

from simulations.platforms.files.syntax.insertion import Order, order_of

_DESTINATION = (
    "notes sub-deployment-name default-targeting-enabled template destination-key thresholds delivery-params-overrides "
    "delivery-failure-params message-logging-params attach-sender production-paused-at-startup "
    "insertion-paused-at-startup consumption-paused-at-startup maximum-message-size quota"
)
_WORK_MANAGER = (
    "name notes target deployment-order response-time-request-class fair-share-request-class context-request-class "
    "request-class-name min-threads-constraint min-threads-constraint-name max-threads-constraint "
    "max-threads-constraint-name capacity capacity-name work-manager-shutdown-trigger ignore-stuck-threads"
)
_CHILDREN = {
    "weblogic-enterprise-bean": (
        "ejb-name entity-descriptor stateless-session-descriptor stateful-session-descriptor "
        "singleton-session-descriptor message-driven-descriptor transaction-descriptor iiop-security-descriptor "
        "resource-description resource-env-description ejb-reference-description service-reference-description "
        "enable-call-by-reference network-access-point clients-on-same-server run-as-principal-name "
        "create-as-principal-name remove-as-principal-name passivate-as-principal-name jndi-name local-jndi-name "
        "dispatch-policy"
    ),
    "message-driven-descriptor": (
        "pool timer-descriptor resource-adapter-jndi-name destination-jndi-name initial-context-factory provider-url "
        "connection-factory-jndi-name destination-resource-link connection-factory-resource-link "
        "jms-polling-interval-seconds jms-client-id generate-unique-jms-client-id durable-subscription-deletion "
        "max-messages-in-transaction distributed-destination-connection use81-style-polling init-suspend-seconds "
        "max-suspend-seconds security-plugin"
    ),
    "pool": "max-beans-in-free-pool initial-beans-in-free-pool idle-timeout-seconds",
    "transaction-descriptor": "trans-timeout-seconds",
    "message-driven": (
        "description display-name icon ejb-name mapped-name ejb-class messaging-type timeout-method timer "
        "transaction-type message-selector acknowledge-mode message-driven-destination message-destination-type "
        "message-destination-link activation-config"
    ),
    "weblogic-jms": (
        "version notes quota template destination-key connection-factory foreign-server queue topic distributed-queue "
        "distributed-topic uniform-distributed-queue uniform-distributed-topic"
    ),
    "quota": "notes bytes-maximum messages-maximum policy shared",
    **dict.fromkeys(("queue", "topic", "uniform-distributed-queue", "uniform-distributed-topic"), _DESTINATION),
    "thresholds": "bytes-high bytes-low messages-high messages-low",
    "delivery-params-overrides": "delivery-mode time-to-deliver time-to-live priority redelivery-delay",
    "delivery-failure-params": "error-destination redelivery-limit expiration-policy expiration-logging-policy",
    "connection-factory": (
        "notes sub-deployment-name default-targeting-enabled jndi-name local-jndi-name default-delivery-params "
        "client-params transaction-params flow-control-params load-balancing-params security-params"
    ),
    "default-delivery-params": (
        "default-delivery-mode default-time-to-deliver default-time-to-live default-priority default-redelivery-delay "
        "send-timeout default-compression-threshold default-unit-of-order"
    ),
    "client-params": (
        "client-id client-id-policy subscription-sharing-policy acknowledge-policy allow-close-in-on-message "
        "messages-maximum multicast-overrun-policy synchronous-prefetch-mode reconnect-policy"
    ),
    "flow-control-params": (
        "flow-minimum flow-maximum flow-interval flow-steps flow-control-enabled one-way-send-mode "
        "one-way-send-window-size"
    ),
    "domain": "name notes domain-version security-configuration jta",
    "jta": "timeout-seconds",
    "jms-server": (
        "name notes target deployment-order persistent-store bytes-threshold-high bytes-threshold-low "
        "messages-threshold-high messages-threshold-low bytes-maximum messages-maximum blocking-send-policy"
    ),
    "server": (
        "name notes self-tuning-thread-pool-size-min self-tuning-thread-pool-size-max stuck-thread-max-time "
        "stuck-thread-timer-interval"
    ),
    "self-tuning": (
        "fair-share-request-class response-time-request-class context-request-class min-threads-constraint "
        "max-threads-constraint capacity work-manager"
    ),
    "work-manager": _WORK_MANAGER,
    "min-threads-constraint": "name notes target deployment-order count",
    "max-threads-constraint": "name notes target deployment-order count",
    "weblogic-ejb-jar": (
        "description weblogic-enterprise-bean security-role-assignment run-as-role-assignment security-permission "
        "transaction-isolation message-destination-descriptor idempotent-methods skip-state-replication-methods "
        "retry-methods-on-rollback enable-bean-class-redeploy timer-implementation disable-warning work-manager"
    ),
    "weblogic-application": (
        "ejb xml jdbc-connection-pool security application-param classloader-structure listener singleton-service "
        "startup shutdown module library-ref fair-share-request response-time-request context-request "
        "max-threads-constraint min-threads-constraint capacity work-manager"
    ),
    "weblogic-web-app": (
        "description weblogic-version security-role-assignment run-as-role-assignment resource-description "
        "resource-env-description ejb-reference-description service-reference-description session-descriptor "
        "jsp-descriptor auth-filter container-descriptor charset-params virtual-directory-mapping url-match-map "
        "security-permission context-root wl-dispatch-policy servlet-descriptor work-manager"
    ),
}
ORDER: Order = order_of(_CHILDREN)
